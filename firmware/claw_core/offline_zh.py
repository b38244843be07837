"""What kind of sentence a Chinese one is, by what it starts, ends and is interspersed with.

See claw_core.offline_words; the tests come in the same order as for English.
"""

from claw_core import offline_paste as paste
from claw_core import offline_words as words
from claw_core.offline_words import ASK, FACT, TALK, holds, starts

_TRIM = " ,.;:!~、\"'…-，。：；！"
_LEADS = (
    "嗯 哦 噢 啊 唉 哎 喂 嗨 嘿 哈喽 你好 您好 大家好 早上好 下午好 晚上好 早安 早 好的 好吧 好"
    " 是的 对了 对 那个 那么 那 顺便说一下 顺便说 顺便 另外 还有 而且 然后 所以 但是 不过 说实话"
    " 老实说 告诉你 跟你说 我告诉你 我跟你说 你要知道 请注意 谢谢你 谢谢 多谢 麻烦你 麻烦 请你 请"
)
_WORDY = "早好对那嗯哦啊"
_FIXES = (
    "不对 不是的 不是 错了 你错了 我说错了 说错了 我错了 更正一下 更正 纠正一下 纠正 其实 抱歉"
    " 对不起 不好意思 等等 不"
)
_POLITE = (
    "请你 请 麻烦你 麻烦 帮我 帮忙 能不能 可不可以 可以 能否 能 你能 你可以 你要 你 要 一定要"
    " 一定 务必 给我 我想让你 我要你 我想 我要 还 也 再 都"
)
_KEEP = (
    "记住 记下来 记下 记一下 记得 记着 记录一下 记录 记好 牢记 别忘了 别忘记 不要忘记 不要忘了"
    " 提醒我 备忘录 备忘 备注 存一下 保存"
)
_NOKEEP = "不要记 别记 不用记 不必记 不要保存 别保存"
_LOSE = "忘记 忘掉 忘了 删除 删掉 清除 清空 抹掉 不要再记 别再记"
_LOSELINK = "关于 掉 了 那条 这条 我说的 我说过 有关 : ,"
_LOSEEND = "的事情 的事 的记忆 的信息 这件事 这条记忆 吧 了"
_WH = (
    "什么 谁 哪 几 怎么 怎样 多少 多大 多久 多高 多远 多长 多重 为何 是否 有没有 如何 啥 咋 何时"
    " 我想知道 告诉我 我忘了 不记得 不知道 不确定 我在想 好奇 请问 想问 猜猜"
)
# question words that ask nothing here
_NOTWH = (
    "几乎 好几 十几 没几 几年前 几天前 几个月前 前几 什么都 什么也 没什么 谁都 谁也 哪都 哪儿都"
    " 哪里都 哪也 怎么都 不怎么 没怎么 没多少"
)
_ALL = (
    "知道我什么 知道我的什么 知道我哪些 关于我 了解我 记得我什么 我的记忆 告诉过你 我是谁"
    " 所有记忆 记住了什么 记得什么 记住了哪些 记得哪些 列出记忆 显示记忆 查看记忆 全部记忆"
    " 记忆列表 都知道些什么 知道我些什么 认识我"
)
_TIME = "几点了 现在几点 几点钟 星期几 几号 今天是几"
_HOW = "你好吗 最近怎么样 在吗 你怎么样 吃了吗 你在吗 最近好吗 近来"
_BOARD = (
    "help 帮助 求助 做什么 能做什么 会做什么 干什么 能干什么 会什么 怎么用 命令 有什么功能",
    "status 状态 板子状态 板子的状态 板子怎么样 板子怎样 系统状态 系统信息 运行状态 开发板状态",
    "settings 设置 配置 你的设置 所有设置 我的设置 板子设置",
    "reset 重启 重新启动 复位 重启板子 重启开发板 重启系统 板子重启",
    "exit 退出 退出聊天 退出程序 离开聊天",
)
_DUTY = (
    "讲 说个 说一 给我 帮我 告诉我 打开 关掉 关闭 关灯 开灯 翻译 写一 写个 唱 播放 查 搜 设置"
    " 设个 计算 算一 推荐 解释 画 来个 来一 陪我 教我 让我 等一 停 继续 再来 试试 重复 总结 别"
    " 不要 假装 假如 假设 想象 如果我是 要是我是 如果我有 要是我有 快 等我 帮帮"
)
_CHAT = (
    "你 您 谢 多谢 感谢 拜 哈 嘿 呵 晚安 晚上 早 好 行 可以 嗯 不 没事 没关系 没问题 对 抱歉"
    " 知道了 明白 懂了 收到 厉害 真 太 辛苦 在吗 再见 再 回头见 今天 天气 现在 这 那 它 原来 当然"
    " 也许 可能 是的 是啊 是吗 没有 算了 随便 哇 哎 一般 还行 还好 同意 有意思 生活 时间 一切"
    " 无聊 祝 恭喜 加油 周末愉 生日快 明天见"
)
_SAID = (
    "想问 要问 有个问题 有一个问题 有问题 有个事 有事问 想聊 想跟你 想和你 想请 想让你 要你 在想"
    " 想想 想一想 想说 爱你 喜欢你 想你 讨厌你 恨你 相信你 觉得你 认为你 需要你 需要帮 很高兴"
    " 开玩笑 逗你 试试 看看 先走 先去 走了 去睡 睡了 要睡 回来 来了 在呢 在这 知道了 知道 明白"
    " 懂了 懂 理解 同意 不知道 不懂 不明白 不确定 不太懂 也是 也这么 也觉得 觉得是 觉得对"
    " 觉得不错 觉得可以 觉得很好 没事 没问题 好了 猜 忘了 不记得 说过 说完 的天 的妈 的意思 随便"
    " 去忙 听不懂 考虑 不太明白 只是 就是随 去吃饭 去洗澡 下班了 出门 到了 到家 起床 上班去"
    " 准备睡 马上 等一下 心情 没听懂 没说 就知道 想休息 想静 聊聊 开始吧 没有问题 吃饭去 吃完"
    " 吃饱 说的 在路 在上班 在吃 在开会 在地铁 在看 在等 在忙 迟到 不想说 不想聊 不是这个 没看"
    " 没听 没时间 没空 没办法 打错 记错 看错 弄错 搞错 想也是 等会 回头 明天再 有话 有点事 有空"
    " 想喝水 想睡 想回家 需要休 需要一点 们聊 们明天再 投降 服了 笑了"
)
_LONGER = "想问 在想 觉得 有个 有一 想跟 想和 想让"
_SOFT = "很好真的有点太非常挺也还都就快已经现在今天比较一些感觉觉得特别超要刚先不级"
_STATE = (
    " 累 饿 困 无聊 开心 难过 高兴 生气 忙 渴 冷 热 烦 郁闷 害怕 紧张 孤单 伤心 兴奋 好 行 可以"
    " 不错 没事 醒 病 抱歉 饿死 累死 困死 不信 不好 不行 不开心 睡 走 在 来 疼 想哭 幸福 爽 晕"
    " 崩溃 迷路 舒服 下线 去 靠 信 "
)
_VERBS = (
    "是 在 有 叫 爱 怕 住 喜欢 讨厌 过敏 不吃 不喝 会 属于 放 对 吃 喝 收 开 姓 养 等于 密码 岁"
    " 来自 去 到 要"
)
_END = "了啊呀呢哦啦的吧嘛哈噢~。!., "


def judge(s, typed):
    """(kind, content, whether it announces a correction) of one sentence.

    s is typed with half-width marks; both have the same length.
    """
    end = words.trim(s, _TRIM)[1]
    asked = s[:end].endswith("?")
    end = words.trim(s[:end], _TRIM + "?")[1]
    k = 0
    lead = ""
    fixes = False
    while k < end:
        n = 1 if s[k] in _TRIM else starts(s[k:end], _FIXES)
        marked = k + n >= end or s[k + n] in _TRIM
        if n and s[k] not in _TRIM:
            n = n if marked or s[k] != "不" else 0
            fixes = fixes or n > 0
        if not n:
            n = starts(s[k:end], _LEADS)
            marked = k + n >= end or s[k + n] in _TRIM
            n = n if marked or n > 1 or s[k] not in _WORDY or s[k + n] in words.ZH_ME else 0
            lead = lead or s[k : k + n]
        if not n:
            break
        k += n
    if k >= end:
        return (words.THANKS if "谢" in lead else TALK), "", fixes
    kind, start, stop = _judge(s[k:end], asked)
    if kind == words.SESSION:
        return kind, _command(s[k:end]), fixes
    stop = None if k + stop == end else k + stop
    k -= typed[k - 1 : k] in ('"', "“") and not start
    return kind, paste.stated(kind, typed[k + start : stop], asked), fixes


def _asks(s, asked):
    if asked or s[-1] in "吗呢么嘛" and not s.endswith("什么"):
        return True
    for part in _NOTWH.split(" "):
        s = s.replace(part, "")
    if holds(s, _WH):
        return True
    # 是不是, 喜不喜欢
    return any(s[i] in "不没" and s[i - 1] == s[i + 1] for i in range(1, len(s) - 1))


def _request(s, asked):
    # Remember or forget: (kind, start, end), None when it is no such request.
    n = len(s)
    k = 0
    step = 1
    while step:
        step = starts(s[k:], _POLITE)
        k += step
    if s[k : k + 1] in ("把", "将") and not asked:
        # here the verb comes last
        for part in _LOSE.split(" "):
            at = s.find(part, k + 2)
            if at > 0 and words.bare(s[at + len(part) :], _END) in ("", "掉"):
                return words.LOSE, k + 1, at
    if starts(s[k:], _NOKEEP) and not asked:
        return words.SKIP, 0, n
    polite = "能" in s[:k] or "可" in s[:k]
    step = starts(s[k:], _LOSE)
    if step and not asked:
        k += step
        while step:
            step = starts(s[k:], _LOSELINK)
            k += step
        for part in _LOSEEND.split(" "):
            if s[k:n].endswith(part):
                n -= len(part)
        if s[k:n] in ("", "它", "这个", "这件事"):
            return TALK, 0, n
        if starts(s[k:n], "一切 所有 全部 记忆"):
            return words.WIPE, 0, n
        return words.LOSE, k, n
    step = starts(s[k:], _KEEP)
    if not step:
        return None
    k += step
    while k < n and s[k] in "了:, 一下":
        k += 1
    if s[k:n] in ("", "我", "吧", "这个", "我说的话", "它"):
        return words.NONE, 0, n
    if polite and (asked or s[n - 1] == "吗"):
        n -= s[n - 1] == "吗"
        rest = s[k:n]
        # "can you remember my name" asks, "... that I am called Li" tells
        asked = len(rest) < 5 or "的" in rest and not holds(rest, _VERBS)
    return (ASK, 0, n) if _asks(s[k:n], asked) else (FACT, k, n)


def _judge(s, asked):
    n = len(s)
    bare = words.bare(s.replace("一下", ""), _END + "吗?")
    for _ in range(3):
        for row in _BOARD:
            if " " + bare + " " in row + " ":
                return row.split(" ")[0], 0, n
        bare = bare[starts(bare, _POLITE + " 显示 查看 看看 看 你 列出") :]
    if holds(s, _ALL):
        return words.ALL, 0, n
    if n < 9 and holds(s, _TIME):
        return words.TIME, 0, n
    short = n < (40 if s[-1] < "\x80" else 16)  # a name at the end may be long
    if short and s[0] != "我" and holds(s, "会话 对话 聊天") and _command(s):
        return words.SESSION, 0, n
    request = _request(s, asked)
    if request:
        return request
    asks = _asks(s, asked)
    if not asks and holds(s[:6], "叫我 称呼我 喊我") and not holds(s, "叫我起 叫我一 叫我去"):
        return FACT, 0, n
    if asks:
        return (TALK if starts(s, _HOW) else ASK), 0, n
    return _stated(s), 0, n


def _stated(s):
    mine = holds(s, "本人 我 俺 咱")
    if starts(s, _DUTY) and not s.startswith("别人"):
        return words.NONE
    if holds(s, "就好了 要是能 如果能"):
        return TALK
    if s.startswith("我的") and len(s) < 6 and not holds(s, _VERBS):
        return ASK
    if s[0] in words.ZH_ME:
        return TALK if _said(s) else FACT
    if s[0] in "你您" or not mine and starts(s, _CHAT):
        return TALK
    if mine and len(s) > 2:
        return TALK if starts(s, "谢 感谢 真 太 祝 很高兴 高兴认识 是我 笑死 吓死 气死") else FACT
    if len(s) > 3 and (holds(s[1:], _VERBS) or words.numbers(s)):
        return FACT
    return words.NONE


def _said(s):
    # "I am tired", "I have a question": true for the moment only, or about this talk
    rest = s[2:] if s[1:2] == "们" else s[1:]
    for _ in range(2):
        n = starts(rest, _SAID)
        if n and (len(words.bare(rest[n:], _END)) < 5 or starts(rest, _LONGER)):
            return True
        rest = rest[words.trim(rest, _SOFT)[0] :]
    rest = words.bare(rest, _END)
    if rest[-1:] in ("你", "您") and len(rest) < 5:
        return True
    return not rest or " " + rest + " " in _STATE


def _command(s):
    # The session command that s asks for, "" when it asks for none.
    if holds(s, "这个 当前") and holds(s, "显示 查看 看"):
        return "show"
    if holds(s, "列出 会话列表 有哪些 显示 查看 所有会话"):
        return "list"
    name = words.bare("".join([c for c in s if c < "\x80"]), " \"'.,!?")
    if name and "切" in s:
        return "switch " + name
    if name and "删" in s:
        return "delete " + name
    new = holds(s, "新会话 新的会话 新对话 新的对话 新聊天 新的聊天 重新开始")
    return ("new " + name).strip() if new or holds(s, "新建 新开") else ""
