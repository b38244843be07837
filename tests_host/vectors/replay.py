"""Runs the operations of one vector on the product and notes what came out; both runtimes.

A vector is the parsed JSON of a recording. What is expected is not looked at here: the driver
compares, so that one comparison serves both runtimes.
"""

import binascii
import json
import os

from claw_memory import item_texts, items, limits, sessions, text, tools
from claw_memory.errors import ClawError, InvalidArg, InvalidState, NotFound
from claw_memory.memory import Memory

# ESP-Claw's agent takes tool results of up to 32767 bytes; the limit of our own is smaller.
_RESULT = 32767

# Possible with nothing open: there everything else is ESP-Claw's invalid_state.
_BEFORE_INIT = ("clock", "init", "gate", "keyfn", "metadata", "sessiontext")

_TYPES = {
    "user": sessions.USER,
    "final": sessions.FINAL,
    "assistant_tool": sessions.CALLS,
    "tool_result": sessions.RESULT,
}


def value(spec):
    """The bytes that a text value of a vector stands for; None stays None."""
    if spec is None:
        return None
    if isinstance(spec, str):
        return spec.encode()
    if isinstance(spec, list):
        return b"".join([value(part) for part in spec])
    if "repeat" in spec:
        return value(spec["repeat"]) * spec["n"]
    return binascii.unhexlify(spec["hex"])


def word(error):
    """The result word that the recordings use for an exception."""
    for kind, name in (
        (InvalidArg, "invalid_arg"),
        (InvalidState, "invalid_state"),
        (NotFound, "not_found"),
    ):
        if isinstance(error, kind):
            return name
    return "fail"


def fields(item):
    """An Item as the recordings show it."""
    return {
        "id": item.id,
        "source": item.source,
        "content": item.content,
        "tags": item.tags,
        "keywords": item.keywords,
        "created_at": item.created_at,
        "updated_at": item.updated_at,
        "access_count": item.access_count,
        "deleted": item.deleted,
        "summary_ids": list(item.summary_ids),
        "summary_labels": items.labels(item.tags),
    }


def _text(spec):
    return text.clean_bytes(value(spec))


def _hex(data):
    return str(binascii.hexlify(data), "utf-8")


def _spelled_out(given):
    # The input of a tool, with texts that are given as {"repeat"} or {"hex"} in full.
    if isinstance(given, dict):
        if set(given) == {"hex"} or set(given) == {"repeat", "n"}:
            return _text(given)
        return {key: _spelled_out(given[key]) for key in given}
    return [_spelled_out(one) for one in given] if isinstance(given, list) else given


class Replay:
    """Plays operations on a memory under root, an existing empty directory."""

    def __init__(self, root):
        self.root = root
        self.now = 1700000000
        self.memory = None

    def close(self):
        """Close the memory as a clean exit does."""
        if self.memory is not None:
            self.memory.close()
            self.memory = None

    def run(self, op):
        """Play one operation; return its result as a dict."""
        play = getattr(self, "op_" + op["op"])
        try:
            if self.memory is None and op["op"] not in _BEFORE_INIT:
                raise InvalidState("nothing is open yet")
            result = play(op)
        except ClawError as e:
            result = {"ret": word(e)}
            result.update(self.failed(op))
        except Exception as e:  # one defect must not hide the others
            result = {"ret": "%s: %s" % (type(e).__name__, e)}
        return result

    def failed(self, op):
        """What a recording tells beside the word when an operation fails."""
        if op["op"] in ("store", "update", "forget"):
            return {"changed": False}
        return {"messages": None} if op["op"] == "history" else {}

    def op_clock(self, op):
        self.now = op["t"]
        return {}

    def op_init(self, op):
        self.close()
        self.memory = Memory(
            self.root,
            clock=lambda: self.now,
            backend=op.get("backend", ""),
            max_message_chars=op.get("max_message_chars", 0),
        )
        return {"ret": "ok"}

    # --- sessions ---

    def op_persist(self, op):
        records = []
        for record in op["records"]:
            kind = record["type"]
            body = value(record.get("json"))
            records.append((_TYPES.get(kind, kind), value(record.get("text")), body))
        for _ in range(op.get("times", 1)):
            self.memory.sessions.persist(
                _text(op["session_id"]), records, op.get("turn_completed", False)
            )
        return {"ret": "ok"}

    def op_history(self, op):
        messages = list(self.memory.sessions.history(_text(op["session_id"])))
        return {"ret": "ok", "messages": messages}

    def op_gate(self, op):
        try:
            if self.memory is not None:
                self.memory.sessions.gate(_text(op["session_id"]))
        except InvalidState:
            return {"blocked": True}
        return {"blocked": False}

    def op_delete_session(self, op):
        return {"ret": "ok", "deleted": self.memory.sessions.delete(_text(op["session_id"]))}

    def op_session_path(self, op):
        path = self.memory.sessions.data_path(_text(op["session_id"]))
        return {"path": path[len(self.root) + 1 :]}

    # --- texts ---

    def op_keyfn(self, op):
        out = text.normalize(value(op["text"]), limits.NORMALIZED_BYTES)
        return {"normalized159": text.clean_bytes(out), "hex": _hex(out)}

    def op_metadata(self, op):
        # As a store does it: what is cut off the content is no ground for a keyword.
        content = text.bare(text.cut(_text(op["content"]), limits.CONTENT_BYTES))
        tags, keywords, _ = item_texts.metadata(content, _text(op["tags"]), _text(op["keywords"]))
        return {"tags": tags, "keywords": keywords, "labels": items.labels(tags)}

    def op_sessiontext(self, op):
        out = text.session_text(value(op["text"]), op["max_chars"])
        return {"out": text.clean_bytes(out), "bytes": len(out), "hex": _hex(out)}

    # --- long-term items ---

    def op_store(self, op):
        item = op["item"]
        changed, found = self.memory.longterm.store(
            _text(item.get("content", "")),
            _text(item.get("tags", "")),
            _text(item.get("keywords", "")),
            _text(item.get("source", "")),
            _text(item.get("id", "")),
        )
        return {"ret": "ok", "changed": changed, "item": fields(found)}

    def op_store_many(self, op):
        done = changed = 0
        for number in range(op.get("start", 0), op.get("start", 0) + op["n"]):
            filled = []
            for key in ("content", "tags", "keywords"):
                filled.append(
                    op.get(key, "").replace("%03d", "%03d" % number).replace("%d", str(number))
                )
            try:
                changed += 1 if self.memory.longterm.store(*filled)[0] else 0
                done += 1
            except ClawError:
                pass
            self.now += op.get("step", 0)
        return {"ok": done, "changed": changed}

    def op_update(self, op):
        item = op.get("item", op)
        changed, found = self.memory.longterm.update(
            _text(op.get("id", item.get("id", ""))),
            _text(item.get("content", "")),
            _text(item.get("tags", "")),
            _text(item.get("keywords", "")),
            _text(item.get("source", "")),
        )
        return {"ret": "ok", "changed": changed, "item": fields(found)}

    def op_forget(self, op):
        found = self.memory.longterm.forget(_text(op["id"]))
        return {"ret": "ok", "changed": True, "item": fields(found)}

    def op_recall(self, op):
        labels = [_text(label) for label in op.get("labels") or ()]
        found = self.memory.longterm.recall(labels, op.get("limit") or 0)
        return {"ret": "ok", "items": [fields(item) for item in found]}

    def op_list(self, op):
        return {"ret": "ok", "items": [fields(item) for item in self.memory.longterm.list()]}

    def op_compact(self, op):
        self.memory.longterm.compact()
        return {"ret": "ok"}

    def op_cap(self, op):
        given = op.get("input")
        if given is not None:
            given = _spelled_out(given)
            given = given if isinstance(given, str) else json.dumps(given)
        small = limits.TOOL_OUTPUT
        limits.TOOL_OUTPUT = _RESULT
        try:
            output = json.loads(tools.call(self.memory, op["name"], given))
        finally:
            limits.TOOL_OUTPUT = small
        return {"ret": self._cap_word(output), "output": output}

    def _cap_word(self, output):
        # A tool has no result word of its own: it is in the JSON.
        if output["ok"] or output["error"] == "invalid_summary_labels":
            return "ok"
        return output.get("code", "invalid_arg")


def wipe(path):
    """Empty the directory at path."""
    for name in os.listdir(path):
        inner = path + "/" + name
        if os.stat(inner)[0] & 0x4000:
            wipe(inner)
            os.rmdir(inner)
        else:
            os.remove(inner)


def _tree(root, folder, found):
    for name in os.listdir(root + "/" + folder if folder else root):
        path = folder + "/" + name if folder else name
        if os.stat(root + "/" + path)[0] & 0x4000:
            _tree(root, path, found)
        else:
            with open(root + "/" + path, "rb") as f:
                data = binascii.b2a_base64(f.read())
            found[path] = str(data, "utf-8").strip()


def play(vector, root):
    """Replay a vector in the empty directory root.

    Returns {"results": one dict per operation, "files": path -> base64} for a recording with
    operations, {"list": items} for a directory that ESP-Claw left.
    """
    replay = Replay(root)
    if "ops" not in vector:
        for path, data in vector["files"].items():
            folder = root
            for part in path.split("/")[:-1]:
                folder += "/" + part
                try:
                    os.mkdir(folder)
                except OSError:
                    pass
            with open(root + "/" + path, "wb") as f:
                f.write(binascii.a2b_base64(data))
        replay.op_init({})
        found = replay.op_list({})["items"]
        replay.close()
        return {"list": found}
    results = [replay.run(op) for op in vector["ops"]]
    replay.close()
    files = {}
    if "files" in vector:
        _tree(root, "", files)
    return {"results": results, "files": files}
