"""What a Chinese sentence says: the same order of tests as in offline_parse, on characters."""

from claw_core import offline_words as words
from claw_core.offline_parse import starts

_TRIM = " ,.;:!~、\"'…-"


def classify(s, typed, fixing=False):
    """(kind, content) of a sentence: s with half-width marks, typed as it was written.

    Both have the same length, so that content is cut out of typed.
    """
    end = len(s.rstrip(_TRIM))
    asked = s[:end].endswith("?")
    end = len(s[:end].rstrip(_TRIM + "?"))
    k = 0
    lead = ""
    while k < end:
        if s[k] in _TRIM:
            k += 1
            continue
        n = starts(s[k:end], words.ZH_FIXES)
        after = s[k + n : k + n + 1]
        if (
            n
            and (s[k] != "不" or k + n >= end or after in _TRIM)
            and not s.startswith("对不起我", k)
        ):
            fixing = True
        else:
            n = starts(s[k:end], words.ZH_LEADS)
            after = s[k + n : k + n + 1]
            if n and n < 3 and k + n < end and after not in _TRIM and s[k] in "早好对那嗯哦啊你请":
                n = n if s[k] in "请" or s[k : k + 2] in ("你好", "那个", "对了") else 0
        if not n:
            break
        lead = lead or s[k : k + n]
        k += n
    if k >= end:
        if fixing:
            return words.FIX, ""
        return (words.THANKS if "谢" in lead else words.TALK), ""
    kind, start, stop = _judge(s[k:end], asked)
    content = typed[k + start : k + stop].strip(_TRIM + "，。：；！")
    if kind == words.FACT and fixing:
        kind = words.FIX
    if kind == words.SESSION:
        content = _command(s[k:end])
    return kind, content


def holds(s, table):
    """True when one of the blank-separated parts of table occurs in s."""
    return any(part and part in s for part in table.split(" "))


def _asks(s, asked):
    if asked or s[-1] in "吗呢么嘛" and not s.endswith("什么"):
        return True
    for part in words.ZH_NOTWH.split(" "):
        s = s.replace(part, "")
    if holds(s, words.ZH_WH):
        return True
    for i in range(1, len(s) - 1):
        # 是不是, 喜不喜欢
        if s[i] in "不没" and s[i - 1] == s[i + 1]:
            return True
    return False


def _judge(s, asked):
    n = len(s)
    k = 0
    polite = False
    while k < n:
        step = starts(s[k:], words.ZH_POLITE)
        if not step:
            break
        polite = polite or s[k] in "能可" or s[k : k + 2] in ("你能", "你可")
        k += step
    rest = s[k:]
    if holds(s, words.ZH_ABOUTME):
        return words.ALL, 0, n
    if holds(s, "几点了 现在几点 几点钟 星期几 几号 今天是几"):
        if len(s) < 9:
            return words.TIME, 0, n
    if (holds(s, "会话 对话 聊天") and len(s) < 16 and s[0] != "我") and _command(s):
        return words.SESSION, 0, n
    step = starts(rest, words.ZH_LOSE)
    if step and not asked:
        k += step
        while True:
            step = starts(s[k:], words.ZH_LOSELINK)
            if not step:
                break
            k += step
        for part in words.ZH_LOSEEND.split(" "):
            if s[k:n].endswith(part):
                n -= len(part)
        if s[k:n] in ("", "它", "这个", "这件事"):
            return words.TALK, 0, n
        if starts(s[k:n], "一切 所有 全部 记忆"):
            return words.WIPE, 0, n
        return words.LOSE, k, n
    step = starts(rest, words.ZH_KEEP)
    if step:
        k += step
        while k < n and s[k] in "了:,， 一下":
            k += 1
        rest = s[k:n]
        if rest in ("", "我", "吧", "这个", "我说的话", "它"):
            return words.NONE, 0, n
        if polite and rest[-1] == "吗":
            rest = rest[:-1]
            asked = False
            n -= 1
            # "can you remember my name" asks, "... that I am called Li" tells
            asked = len(rest) < 5 or "的" in rest and not holds(rest, words.ZH_VERBS)
        elif polite and asked and holds(rest[1:], words.ZH_VERBS):
            asked = False
        if _asks(rest, asked):
            return words.ASK, 0, n
        return words.FACT, k, n
    if starts(rest, "叫我 称呼我 喊我") and not _asks(rest, asked):
        if not starts(rest, "叫我起 叫我一 叫我去 叫我干"):
            return words.FACT, k, n
    if _asks(s, asked):
        if starts(s, "你好吗 最近怎么样 在吗 你怎么样 吃了吗 你在吗 最近好吗 近来"):
            return words.TALK, 0, n
        return words.ASK, 0, n
    mine = any(c in s for c in words.ZH_HERE) or "本人" in s
    if starts(s, words.ZH_DUTY) and not s.startswith("别人"):
        return words.NONE, 0, n
    if holds(s, "就好了 要是能 如果能 开玩笑"):
        return words.TALK, 0, n
    if s[0] in words.ZH_HERE:
        return (words.TALK if _said(s) else words.FACT), 0, n
    if s[0] in "你您" or not mine and starts(s, words.ZH_CHAT):
        return words.TALK, 0, n
    if mine and n > 2:
        if starts(s, "谢 感谢 真 太 祝 你 很高兴 高兴认识"):
            return words.TALK, 0, n
        return words.FACT, 0, n
    if n > 3 and holds(s[1:], words.ZH_VERBS):
        return words.FACT, 0, n
    return words.NONE, 0, n


def _said(s):
    # "I am tired", "I have a question": true for the moment only, or about this talk
    rest = s[1:].lstrip("们")
    if starts(rest, words.ZH_SAID) and not holds(rest, "什么都"):
        after = rest[starts(rest, words.ZH_SAID) :]
        if len(after.strip(words.ZH_END)) < 5 or starts(
            rest, "想问 在想 觉得 有个 有一 想跟 想和 想让"
        ):
            return True
    rest = rest.lstrip(words.ZH_SOFT).rstrip(words.ZH_END)
    return rest == "" or (" " + rest + " ") in words.ZH_STATE


def _command(s):
    if holds(s, words.ZH_LISTSESSION):
        return "list"
    for mark, verb in (
        ("切换到", "switch"),
        ("切到", "switch"),
        ("删除", "delete"),
        ("删掉", "delete"),
    ):
        at = s.find(mark)
        if at >= 0:
            name = s[at + len(mark) :].replace("会话", "").replace("对话", "").strip(" \"'")
            return verb + " " + name if name and ord(name[0]) < 128 else ""
    if holds(s, words.ZH_NEWSESSION) or holds(s, "新建 开始 开启 创建") and "新" in s:
        name = "".join([c for c in s if ord(c) < 128]).strip(" \"'.,!?")
        return ("new " + name).strip()
    return ""
