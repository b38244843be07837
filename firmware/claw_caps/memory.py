"""The memory tools: each hands its arguments to claw_memory.tools."""

from claw_memory import tools


def _tool(name):
    def call(args, ctx):
        return tools.call(ctx.memory, name, args, ctx.session_id, ctx.request_id)

    return call


memory_store = _tool("memory_store")
memory_recall = _tool("memory_recall")
memory_list = _tool("memory_list")
memory_update = _tool("memory_update")
memory_forget = _tool("memory_forget")
