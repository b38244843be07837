"""memory_search and memory_get: arguments in, valid JSON under limits.TOOL_OUTPUT bytes out."""

from claw_memory import jsonio, limits, search, tools


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
        found = self._search
        hits = [
            '{"id":%s,"snippet":%s,"score":%.2f,"date":"%s","source":"%s"}'
            % (jsonio.quote(hit.id), jsonio.quote(hit.snippet), hit.score, hit.date, hit.source)
            for hit in found.hits
        ]
        tail = ',"incomplete":true' if found.broken else ""
        return _array(
            '{"ok":true,"action":"memory_search","changed":false,"results":[',
            hits,
            found.more,
            tail,
        )


def _array(head, parts, more, tail):
    room = limits.TOOL_OUTPUT - len(head) - tools.TAIL - len(tail)
    for count in range(len(parts)):
        room -= len(parts[count].encode()) + 1
        if room < 0:
            parts = parts[:count]
            more = True
            break
    return head + ",".join(parts) + "]" + (',"more":true' if more else "") + tail + "}"


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
            jsonio.quote(page.id),
            page.source,
            page.date,
        )
    )
    head += '"first":%d,"lines":[' % page.first
    return _array(head, [jsonio.quote(line) for line in page.lines], page.more, "")
