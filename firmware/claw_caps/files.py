"""Files for the model: the profile files, files/ and skills/, and nothing else of the board.

Those are the owner's; which files other users reach is in files_guest.py.
"""

from claw_memory import durable, jsonio, limits, platform, text
from claw_memory.errors import InvalidArg, InvalidState, IOFailure, NoSpace, NotFound

_PROFILE = ("user.md", "soul.md", "identity.md", "MEMORY.md")
_TREES = ("files", "skills")
_OWNERS = "%s belongs to the owner of the device: it can only be read here"
_WHERE = "only user.md, soul.md, identity.md, MEMORY.md, files/NAME and skills/NAME can be used"


def _reach(ctx):
    # (folder of user.md, profile files, folder of the trees, trees, those to be read only).
    memory = ctx.memory
    if memory.scope and memory.scope.user:
        from claw_caps import files_guest

        return files_guest.reach(memory, ctx.config)
    return memory.memory_dir, _PROFILE, memory.root, _TREES, ()


def _place(ctx, path, change=False):
    # Return (path on the file system, the name shown for it) or raise InvalidArg. A file is
    # reachable only by being named in _PROFILE or by lying under a tree: there is no list of
    # forbidden names that another spelling could get around.
    memory = ctx.memory
    folder, profile, root, trees, kept = _reach(ctx)
    shown = path.strip()
    if memory.root and shown.startswith(memory.root + "/"):
        shown = shown[len(memory.root) + 1 :]
    elif not memory.root and shown.startswith("/"):
        shown = shown[1:]
    parts = shown.split("/")
    first = parts[0].lower()
    if len(parts) == 1 or (len(parts) == 2 and first == "memory"):
        for name in profile:
            if parts[-1].lower() == name.lower():
                if change and name in kept:
                    raise InvalidState(_OWNERS % name)
                return (folder if name == "user.md" else memory.memory_dir) + "/" + name, name
    if first not in trees or not 1 < len(parts) <= limits.FILE_DEPTH:
        raise InvalidArg(_WHERE)
    parts[0] = first
    for name in parts:
        _check_name(name)
    shown = "/".join(parts)
    if change and first in kept:
        raise InvalidState(_OWNERS % shown)
    real = root + "/" + shown
    if len(real.encode()) > limits.PATH_BYTES:
        raise InvalidArg("the path is longer than %d bytes" % limits.PATH_BYTES)
    return real, shown


def _check_name(name):
    # What FAT refuses or silently changes is refused on every file system.
    bad = (
        not name
        or name[-1] in ". "
        or name[0] == " "
        or len(name.encode()) > limits.FILE_NAME_BYTES
    )
    for c in name:
        bad = bad or c < " " or c in '\\:*?"<>|\x7f'
    if bad or _reserved(name):
        raise InvalidArg("%s is no name for a file here" % jsonio.literal(name))


def _reserved(name):
    # the working files of claw_memory.durable
    name = name.lower()
    return name[-4:] in (".jnl", ".tmp")


def _limit(shown):
    if shown == "MEMORY.md":
        return limits.MEMORY_MD_BYTES
    return limits.PROFILE_BYTES if shown in _PROFILE else limits.FILE_BYTES


def _settle(real):
    # What a power cut left in the folder of this file is completed or undone first.
    folder = real[: real.rfind("/")]
    if platform.isdir(folder):
        durable.recover(folder)


def _open(real, shown):
    _settle(real)
    if platform.isdir(real):
        raise InvalidArg("%s is a folder" % shown)
    if not platform.exists(real):
        raise NotFound("there is no file %s" % shown)
    try:
        return open(real, "rb")
    except OSError as e:
        raise IOFailure("%s cannot be read (%s)" % (shown, e))


def files_list(args, ctx):
    """The files that can be read, with their sizes in bytes; of one folder when it is given."""
    _, profile, root, trees, _ = _reach(ctx)
    found = []
    folder = (args.get("folder") or "").rstrip("/ ")
    if folder:
        waiting = [_place(ctx, folder + "/x")[1][:-2]]
    else:
        waiting = [tree for tree in trees]
        waiting.reverse()
        for name in profile:
            size = platform.size(_place(ctx, name)[0])
            if size >= 0:
                found.append(jsonio.obj("path", name, "bytes", size))
    more = False
    while waiting:
        at = waiting.pop()
        real = root + "/" + at
        if not platform.isdir(real):
            continue
        durable.recover(real)
        for name in sorted(platform.listed(real, lambda name: not _reserved(name))):
            path = at + "/" + name
            if platform.isdir(real + "/" + name):
                if path.count("/") < limits.FILE_DEPTH - 1:
                    waiting.append(path)
            elif len(found) < limits.FILES_LISTED:
                size = platform.size(real + "/" + name)
                found.append(jsonio.obj("path", path, "bytes", size))
            else:
                more = True
    while True:
        out = jsonio.obj("ok", True, "files", found)
        if more:
            out["truncated"] = True
        said = jsonio.dumps(out)
        if len(said.encode()) <= limits.TOOL_OUTPUT:
            return said
        more = True
        del found[len(found) * 3 // 4 :]


def files_read(args, ctx):
    """At most limits.FILE_READ_BYTES bytes of a file from a byte offset, as text."""
    real, shown = _place(ctx, args["path"])
    start = max(0, int(args.get("offset") or 0))
    with _open(real, shown) as file:
        size = file.seek(0, 2)
        start = min(start, size)
        file.seek(start)
        data = file.read(limits.FILE_READ_BYTES + 3)
    # an offset inside a character moves to the next one
    lead = 0
    while start and lead < 3 and lead < len(data) and data[lead] & 0xC0 == 0x80:
        lead += 1
    data = data[lead:]
    start += lead
    room = limits.FILE_READ_BYTES
    while True:
        part = text.cut(data, room) or data[:room]
        out = jsonio.obj("ok", True, "path", shown, "bytes", size, "text", text.clean_bytes(part))
        if start + len(part) < size:
            out["truncated"] = True
            out["next_offset"] = start + len(part)
        said = jsonio.dumps(out)
        if len(said.encode()) <= limits.TOOL_OUTPUT:
            return said
        room //= 2


def files_edit(args, ctx):
    """Change or create a file: exactly one of old (with new), append and content says how."""
    memory = ctx.memory
    real, shown = _place(ctx, args["path"], True)
    if shown == "MEMORY.md" and memory.longterm is not None:
        raise InvalidState("MEMORY.md is derived from the memories; use the memory tools instead")
    ways = [w for w in ("old", "append", "content") if args.get(w) is not None]
    if len(ways) != 1:
        raise InvalidArg("give exactly one of old (with new), append and content")
    limit = _limit(shown)
    way = ways[0]
    if platform.isdir(real):
        raise InvalidArg("%s is a folder" % shown)
    _settle(real)
    if way == "old":
        data = _replaced(real, shown, args, limit)
    else:
        data = args[way].encode()
    size = len(data)
    if way == "append":
        data = data if data[-1:] == b"\n" else data + b"\n"
        size = max(platform.size(real), 0) + len(data)
    if size > limit:
        raise NoSpace("%s may hold at most %d bytes" % (shown, limit))
    if "/" in shown or memory.scope:
        durable.make_dirs(real[: real.rfind("/")])
    if way == "append":
        durable.append(real, data)
    else:
        durable.replace(real, (data,))
    return jsonio.dumps(jsonio.obj("ok", True, "path", shown, "bytes", platform.size(real)))


def _replaced(real, shown, args, limit):
    with _open(real, shown) as file:
        data = file.read(limit + 1)
    if len(data) > limit:
        raise InvalidArg("%s is longer than %d bytes and cannot be edited" % (shown, limit))
    old = args["old"].encode()
    at = data.find(old) if old else -1
    if at < 0:
        raise InvalidArg("the text old does not occur in %s; read the file first" % shown)
    if data.find(old, at + 1) >= 0:
        raise InvalidArg("the text old occurs more than once in %s; give more of it" % shown)
    return data[:at] + (args.get("new") or "").encode() + data[at + len(old) :]
