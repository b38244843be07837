"""The tool calls of one turn: run, capped, and stopped when the model goes round in circles."""

import hashlib

from claw_core import late
from claw_memory import jsonio, limits, text


class ToolLoop:
    """Runs the rounds of one turn. stuck: "" or a sentence that says why the turn must end."""

    def __init__(self, caps, ctx):
        self._caps = caps
        self._ctx = ctx
        self._seen = []  # [digest of call and result, times]
        self._room = limits.TURN_TOOL_BYTES
        self.stuck = ""

    async def run(self, calls, results):
        """Run calls [(id, name, arguments)] in order, appending each result message to results."""
        for call_id, name, arguments in calls:
            self._ctx.emit("tool", name)
            if arguments is None:
                said, failed = late.once("stops").too_long(), True
            else:
                self._room -= len(arguments)
                said, failed = await self._caps.call(name, arguments, self._ctx)
            if failed:
                self._ctx.emit("tool", name + " failed")
            said = self._capped(said)
            if not self._caps.exempt(name):
                said += self._repeated(name, arguments, said)
            results.append(result(call_id, said, failed))
        if self._room < 0:
            self.stuck = self.stuck or late.once("stops").full()

    def _capped(self, said):
        # One turn must not fill its session, however much its tools say.
        size = len(said.encode())
        room = min(limits.TOOL_OUTPUT, max(self._room, limits.TOOL_LEAST))
        if size > room:
            said = text.cut(said, room) + late.once("stops").cut(size)
        self._room -= min(size, room)
        return said

    def _repeated(self, name, arguments, said):
        digest = hashlib.sha256(("%s %s %s" % (name, _canonical(arguments), said)).encode())
        digest = digest.digest()[:8]
        for entry in self._seen:
            if entry[0] == digest:
                entry[1] += 1
                if entry[1] >= limits.REPEATS:
                    self.stuck = late.once("stops").repeated(name, entry[1])
                return late.once("stops").HINT
        self._seen.append([digest, 1])
        return ""


def result(call_id, said, failed):
    """The message that answers one tool call."""
    return jsonio.obj(
        "role", "tool", "tool_call_id", call_id, "content", said, "is_error", bool(failed)
    )


def _canonical(arguments):
    # The same arguments in another order or spacing are the same.
    if isinstance(arguments, str):
        try:
            arguments = jsonio.loads(arguments)
        except ValueError:
            return arguments
    return repr(sorted(arguments.items())) if isinstance(arguments, dict) else arguments
