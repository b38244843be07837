"""Daily notes for the model: one line more in today's."""

from claw_memory import jsonio, notes


def memory_note(args, ctx):
    """Note args["text"]; "changed" is false when it is noted already."""
    new = notes.add(ctx.memory, args["text"])
    out = jsonio.obj("ok", True, "action", "memory_note", "changed", new)
    out["note"] = notes.day(ctx.memory)
    return jsonio.dumps(out)
