"""The memory tools of the model: JSON in, valid JSON under limits.TOOL_OUTPUT bytes out.

Names, keys and errors are ESP-Claw's; `code` is the code of the exception.
"""

from claw_memory import itemline, items, jsonio, limits, text
from claw_memory.errors import ClawError
from claw_memory.platform import const

TAIL = 64  # bytes kept free for what follows a list
_NAME_BYTES = const(255)
_HEARD = const(("memory_store", "memory_update", "memory_forget"))  # tools that note where


def call(memory, name, args=None, session_id="", request_id=0, heard=None):
    """Run the tool `name` on `memory` (a Memory) and return its result as JSON text.

    args: JSON text (str or bytes), an object already parsed, or None for no arguments. Labels of
    what changed are noted for the session; request_id 0 means that no request asked. heard: (turn,
    message) that the call is about, see origin.py. Never raises a ClawError.
    """
    work = _TOOLS.get(name) or _more().TOOLS.get(name)
    if work is None:
        return _error("unknown_tool")
    values = args
    if not isinstance(args, dict):
        try:
            values = {} if args is None else jsonio.loads_prefix(args)
        except ValueError:
            # A list needs no arguments: bad ones do no harm.
            if name != "memory_list":
                return _error("invalid_json")
            values = {}
        if not isinstance(values, dict):
            values = {}
    try:
        if memory.longterm is None:
            raise _more().off()
        more = (heard,) if name in _HEARD else ()
        return work(memory, values, session_id, request_id, *more)
    except ClawError as e:
        return _error(
            name + "_failed", '"code":%s,"message":%s' % (_quoted(e.code), _quoted(str(e)))
        )


def _more():
    from claw_memory import tools_more

    return tools_more


def _quoted(value):
    return jsonio.literal(text.cut(value, _NAME_BYTES))


def _error(name, more=""):
    return '{"ok":false,"error":%s%s}' % (jsonio.literal(name), "," + more if more else "")


def _text(values, key):
    value = jsonio.get(values, key)
    return value if isinstance(value, str) else ""


def _terms(values, key):
    # A text, or an array of texts, which models like to send.
    value = jsonio.get(values, key)
    if isinstance(value, list):
        return ",".join([term for term in value if isinstance(term, str)])
    return value if isinstance(value, str) else ""


def _changed(memory, name, changed, item, session_id, request_id):
    found = items.labels(item.tags)
    if changed:
        memory.stage.changed(session_id, request_id, found)
    return '{"ok":true,"action":"%s","changed":%s,"memory_id":%s%s%s}' % (
        name,
        "true" if changed else "false",
        jsonio.literal(item.id),
        ',"summary":' + jsonio.literal(found[0]) if found else "",
        ',"truncated":true' if item.truncated else "",
    )


def _store(memory, values, session_id, request_id, heard):
    content = _text(values, "content")
    if not content:
        return _error("content is required")
    changed, item = memory.longterm.store(
        content,
        _terms(values, "tags"),
        _terms(values, "keywords"),
        _text(values, "source"),
        _text(values, "memory_id"),
        "",
        _origin(session_id, heard, content),
    )
    return _changed(memory, "memory_store", changed, item, session_id, request_id)


def _origin(session_id, heard, content):
    if not heard or not content:
        return b""
    from claw_memory.origin import member

    return member(session_id, heard[0], content, heard[1])


class _List:
    """A JSON array of items that stays under the size of a tool result and under limit items."""

    def __init__(self, head, limit):
        self._out = [head, '"items":[']
        self._room = limits.TOOL_OUTPUT - len(head) - TAIL
        self._left = limit
        self._more = self._cut = False
        self._sep = ""

    def fits(self, item):
        """Append the item; False when it has no place any more."""
        body = self._body(item)
        size = len(body.encode()) + 1
        if size > self._room and not self._sep:
            # A single item of somebody else's that is larger than a result.
            self._cut = True
            _more().shorten(item, self._room // 12)
            body = self._body(item)
            size = len(body.encode()) + 1
        if not self._left or size > self._room:
            self._more = True
            return False
        self._left -= 1
        self._room -= size
        self._out.append(self._sep + body)
        self._sep = ","
        return True

    def _body(self, item):
        labels = jsonio.dumps(items.labels(item.tags))
        return '{%s,"summary_labels":%s}' % (itemline.members(item), labels)

    def result(self):
        """The whole JSON text."""
        self._out.append("]")
        if self._more:
            self._out.append(',"more":true')
        if self._cut:
            self._out.append(',"truncated":true')
        self._out.append("}")
        return "".join(self._out)


def _limit(values):
    # Absent or 0: the default. What is no number, or negative, once meant everything: the most.
    value = jsonio.get(values, "limit")
    if value is None:
        return limits.RECALL_DEFAULT
    if value is True or value is False or not isinstance(value, (int, float)):
        return limits.RECALL_MAX
    if not -1 < value < limits.RECALL_MAX:
        return limits.RECALL_MAX
    return int(value) or limits.RECALL_DEFAULT


def _recall(memory, values, session_id, request_id):
    wanted = jsonio.get(values, "summary_labels")
    wanted = wanted if isinstance(wanted, list) else ()
    wanted = [label for label in wanted if isinstance(label, str) and label][: limits.TERMS]
    if wanted:
        known = memory.longterm.catalog(True)
        for label in wanted:
            if label not in known:
                return _more().unknown_label(label, known)
    found = _List('{"ok":true,"action":"memory_recall","changed":true,', _limit(values))
    memory.longterm.recall(wanted, _limit(values) + 1, found.fits)
    return found.result()


_TOOLS = {
    "memory_store": _store,
    "memory_recall": _recall,
}
