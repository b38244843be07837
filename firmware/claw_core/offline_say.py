"""What the offline model says, in English and Chinese."""

# %s is the fact, the result or the reason
_SAY = {
    "off": ("I am offline", "我现在离线"),
    "new": ("Remembered: %s", "已记住：%s"),
    "old": ("I already knew: %s", "这个我已经知道：%s"),
    "fix": ("Corrected, I now have: %s", "已更正为：%s"),
    "unclear": (
        "I stored nothing: it is not clear what that puts right. Say it as a whole sentence, such"
        ' as "no, my cat is called Max".',
        "我什么都没改：不清楚要更正哪一条。请用完整的句子说，例如“不对，我的猫叫小花”。",
    ),
    "bad": ("Not stored (%s): %s", "没有记住（%s）：%s"),
    "gone": ("Forgotten: %s", "已忘记：%s"),
    "kept": ("Not forgotten (%s): %s", "没有忘记（%s）：%s"),
    "which": (
        "Which one? Say it in more words, or type what stands behind it:",
        "要忘记哪一条？请说得更具体，或输入后面的命令：",
    ),
    "skip": (
        "I stored nothing of that; /memory forget takes out what I know.",
        "这个我没记；/memory forget 可删除已记的。",
    ),
    "alike": ("I have nothing about that one. Similar ones:", "这一个我没记；相近的有："),
    "none": ("I have nothing about that.", "这方面我什么都没记。"),
    "empty": ("I know nothing about you yet.", "我还不知道关于你的事。"),
    "found": ("This is what I have:", "我记得这些："),
    "near": ("Nothing quite like that; the nearest I have:", "没有完全对得上的，最接近的是："),
    "time": ("It is %s.", "现在是 %s。"),
    "more": ("… and more: /memory list", "……还有更多：/memory list"),
    "wipe": (
        "I do not forget everything at once; /memory list and /memory forget ID do it one by one.",
        "我不会一次忘记全部；请用 /memory list 和 /memory forget ID 逐条删除。",
    ),
    "thanks": ("You are welcome.", "不客气。"),
    "talk": (
        "so I cannot really talk; I can remember what you tell me and find it again.",
        "不能真正聊天，但可以记住你说的事，也能再找出来。",
    ),
    "unsure": (
        'I stored nothing. To have something kept, begin with "remember that".',
        "我什么都没记。要我记住，请以“请记住”开头。",
    ),
    "long": (
        "The rest of your message was too long to look at.",
        "你的消息太长，后面的部分我没有看。",
    ),
    "paste": (
        "I do not keep pasted text, or what only repeats itself. Tell me in short sentences what"
        ' I should keep, or begin with "remember that".',
        "大段粘贴或重复的文字我不记。请用短句告诉我要记什么，或以“请记住”开头。",
    ),
    "help": (
        "Tell me facts and I keep them; ask for them, or say forget. Also in plain words: list"
        " memories, status, new session, list sessions. /help lists the commands.",
        "告诉我的事我会记住；可以问我，也可以让我忘记。还可以说：列出记忆、状态、新会话、列出会话。"
        "输入 /help 看全部命令。",
    ),
    "settings": ("Type /config show to see the settings.", "请输入 /config show 查看设置。"),
    "reset": ("Type /reset to restart the board.", "请输入 /reset 重启板子。"),
    "exit": ("Type /exit to leave.", "请输入 /exit 退出。"),
    "status": (
        "Version %s on %s, up %s.\nFree: %d bytes of heap, %d of %d bytes of storage. Wi-Fi: %s.",
        "版本 %s，%s，已运行 %s。\n剩余：内存 %d 字节，存储 %d / %d 字节。Wi-Fi：%s。",
    ),
    "tool": ("I cannot do that here (no tool for it).", "这里做不到（没有这个工具）。"),
}


def say(key, zh, *parts):
    """The text for key in Chinese (zh true) or English, with parts put in."""
    said = _SAY[key][1 if zh else 0]
    return said % parts if parts else said


def status(result):
    """The parts of "status": what the tool system_info told."""
    up = result["uptime_s"]
    up = "%d:%02d:%02d" % (up // 3600, up // 60 % 60, up % 60)
    disk = result["storage"]
    free = (result["heap_free"], disk["free"], disk["total"], result.get("wifi", "off"))
    return (result["version"], result["board"], up) + free
