"""The session tool: the same verbs as the slash command /session."""

from claw_memory import jsonio, limits, text


def session_command(args, ctx):
    """Run one session command for the chat that asks; the result is a sentence for people."""
    names = ctx.memory.names
    key = names.chat_key(ctx.channel, ctx.chat_id)
    said = names.command(key, args["command"], ctx.memory.sessions)
    out = jsonio.obj("ok", True, "result", said)
    # JSON at most doubles quotes, backslashes and newlines, of which a list has few
    short = text.cut(said, limits.TOOL_OUTPUT * 3 // 4)
    if len(short) < len(said):
        out["result"] = short
        out["truncated"] = True
    return jsonio.dumps(out)
