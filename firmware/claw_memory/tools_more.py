"""The memory tools that are called seldom: list, update, forget, and labels that do not exist."""

from claw_memory import jsonio, limits, text, tools
from claw_memory.errors import InvalidState, NotFound


def off():
    """The InvalidState for a call where there is no long-term store."""
    return InvalidState("long-term memory is off: use the file MEMORY.md")


def _update(memory, values, session_id, request_id, heard):
    id = tools._text(values, "memory_id")
    if not id:
        return tools._error("memory_id is required")
    content = tools._text(values, "content")
    changed, item = _on_use(
        memory.longterm,
        memory.longterm.update,
        id,
        content,
        tools._terms(values, "tags"),
        tools._terms(values, "keywords"),
        tools._text(values, "source"),
        tools._origin(session_id, heard, content),
    )
    return tools._changed(memory, "memory_update", changed, item, session_id, request_id)


def _forget(memory, values, session_id, request_id, heard):
    id = tools._text(values, "memory_id")
    if not id:
        return tools._error("memory_id is required")
    where = b""
    if heard:
        from claw_memory.origin import forgot

        where = forgot(session_id, heard[0])
    item = _on_use(memory.longterm, memory.longterm.forget, id, where)
    return tools._changed(memory, "memory_forget", True, item, session_id, request_id)


def _on_use(lt, work, id, *args):
    # An archived memory that is to be changed comes back first.
    try:
        done = work(id, *args)
    except NotFound:
        from claw_memory import archive

        done = work(archive.bring_back(lt, id).id, *args)
    lt.whole().held = lt.whole().size  # see undo.hold()
    return done


def shorten(item, most):
    """Cut each text of an Item to most bytes."""
    for part in ("content", "tags", "keywords"):
        setattr(item, part, text.cut(getattr(item, part), most))


def unknown_label(label, known):
    """The answer to a label that no memory carries: the labels that there are."""
    out = tools._error(
        "invalid_summary_labels",
        '"message":"copy summary_labels exactly from the list of labels in your instructions",'
        '"invalid_label":%s,"available_summary_labels":[' % tools._quoted(label),
    )[:-1]
    room = limits.TOOL_OUTPUT - len(out.encode()) - tools.TAIL
    shown = []
    for one in known:
        one = jsonio.literal(one)
        room -= len(one.encode()) + 1
        if room < 0:
            return out + ",".join(shown) + '],"more":true}'
        shown.append(one)
    return out + ",".join(shown) + "]}"


def _list(memory, values, session_id, request_id):
    found = tools._List('{"ok":true,"action":"memory_list","changed":false,', limits.ITEMS)
    for item in memory.longterm.list():
        if not found.fits(item):
            break
    return found.result()


def _search(*call):
    from claw_memory import search_tool

    return search_tool.run(*call)


def _get(*call):
    from claw_memory import search_tool

    return search_tool.get(*call)


TOOLS = {
    "memory_list": _list,
    "memory_update": _update,
    "memory_forget": _forget,
    "memory_search": _search,
    "memory_get": _get,
}
