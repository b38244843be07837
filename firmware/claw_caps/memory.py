"""The memory tools: each hands its arguments to claw_memory.tools, loaded for the turn."""


def __getattr__(name):
    # One function for all of them: each would take 200 bytes of the heap.
    if name[:7] != "memory_":
        raise AttributeError(name)

    def call(args, ctx):
        from claw_memory import tools

        heard = ctx.turn, ctx.message
        return tools.call(ctx.memory, name, args, ctx.session_id, ctx.request_id, heard)

    return call
