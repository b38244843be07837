"""memory_search and memory_get: arguments in, valid JSON under limits.TOOL_OUTPUT bytes out."""

from claw_memory import jsonio, limits, platform, search, tools


def number(values, key, default, most):
    """A count among the arguments: default when it is absent or makes no sense, at most `most`."""
    value = jsonio.get(values, key)
    if value is True or value is False or not isinstance(value, (int, float)):
        return default
    return min(int(value), most) if 0 < value < 1e9 else default


class Call:
    """A call of memory_search: iterate it to its end, then result() is the JSON text."""

    def __init__(self, memory, values):
        limit = number(values, "limit", limits.SEARCH_DEFAULT, limits.SEARCH_MAX)
        self._search = search.Search(memory, tools._text(values, "query"), limit)

    def __iter__(self):
        return iter(self._search)

    def result(self):
        """The results as JSON text."""
        tail = ',"incomplete":true' if self._search.broken else ""
        head = '{"ok":true,"action":"memory_search","changed":false,"results":['
        return _array(head, map(_hit, self._search.hits), self._search, tail)


def _hit(hit):
    return '{"id":%s,"snippet":%s,"score":%.2f,"date":"%s","source":"%s"}' % (
        jsonio.literal(hit.id),
        jsonio.literal(hit.snippet),
        hit.score,
        hit.date,
        hit.source,
    )


def _array(head, parts, found, tail=""):
    # head, the parts (an iterable of JSON texts) that have room, and whether there are more.
    room = limits.TOOL_OUTPUT
    if platform.mem_size() < limits.ROOMY_HEAP:
        room = limits.SEARCH_OUTPUT
    room -= len(head) + tools.TAIL + len(tail)
    out = []
    more = found.more
    for part in parts:
        room -= len(part.encode()) + 1
        if room < 0:
            more = True
            break
        out.append(part)
    return head + ",".join(out) + "]" + (',"more":true' if more else "") + tail + "}"


def run(memory, values, session_id, request_id):
    """memory_search at one go; see tools.call."""
    if not tools._text(values, "query"):
        return tools._error("query is required")
    call = Call(memory, values)
    for _ in call:
        pass
    return call.result()


def get(memory, values, session_id, request_id):
    """memory_get; see tools.call."""
    id = tools._text(values, "id") or tools._text(values, "memory_id")
    if not id:
        return tools._error("id is required")
    page = search.get(
        memory,
        id,
        number(values, "first", 0, 1 << 30),
        number(values, "lines", limits.GET_LINES, limits.GET_LINES_MAX),
    )
    head = (
        '{"ok":true,"action":"memory_get","changed":false,"id":%s,"source":"%s","date":"%s",'
        % (
            jsonio.literal(page.id),
            page.source,
            page.date,
        )
    )
    head += '"first":%d,"lines":[' % page.first
    return _array(head, map(jsonio.literal, page.lines), page)
