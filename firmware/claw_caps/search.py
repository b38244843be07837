"""The memory tool that works in steps, so that the board goes on meanwhile."""

import asyncio

from claw_memory import search_tool


async def memory_search(args, ctx):
    """Search all that is remembered; the result as JSON text."""
    call = search_tool.Call(ctx.memory, args)
    for _ in call:
        await asyncio.sleep(0)
    return call.result()
