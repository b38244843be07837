"""The offline model: no intelligence, but it keeps facts, finds them again, and says what it is.

It works through the same tools as a real model and believes only their results.
"""

from claw_core import offline_match as match
from claw_core import offline_words as words
from claw_core.model import Reply
from claw_core.offline_calls import message, results
from claw_core.provider import unload
from claw_memory import jsonio, limits

search = match.search  # what Offline of claw_core.provider gives to OfflineModel

# modules let go when the sentences are judged, and when the answer is made
_LARGE = "offline_en offline_english offline_zh"
_SMALL = "offline_say offline_topics offline_fix offline_lose offline_paste offline_mend"


class OfflineModel:
    """See claw_core.model for the interface.

    find: function (text, limit) that returns memories (objects with .id, .content, .tags) which
    may fit text, best first. note: sentence added to every answer, for example why it is offline.
    """

    name = "offline"
    backend = 1

    def __init__(self, find, note=""):
        self._find = find
        self.note = note

    async def ask(self, request, sink):
        """One round: calls of tools while something is left to do, then the answer."""
        turn = _Turn(self._find, request)
        calls = turn.calls()
        if calls:
            return Reply("", calls, message(calls), finish="tool_calls")
        said = turn.answer()
        if self.note:
            said += " " + self.note
        unload(_SMALL)
        sink.text(said)
        return Reply(said, finish="stop")


class _Turn:
    """What one message asks for, and what of it the tools have done so far."""

    def __init__(self, find, request):
        self._find = find
        said = request.user_text[: limits.OFFLINE_CHARS]
        self._long = len(request.user_text) > limits.OFFLINE_CHARS
        self._zh = words.chinese(said)
        self._tools = [row[0] for row in request.tool_rows()]
        self._done = results(request)
        self._facts = []  # (content, corrects an earlier one)
        self._other = []  # (kind, content)
        from claw_core import offline_paste as paste

        fixing = False
        asked = paste.asked(said)
        pasted = len(said) > limits.OFFLINE_PASTE and not asked
        for sentence in () if pasted else words.sentences(said):
            kind, content = words.classify(sentence, fixing)
            if kind in (words.FACT, words.FIX) and not asked and paste.monotone(content):
                pasted = True
            elif kind in (words.FACT, words.FIX) and content:
                for piece in paste.pieces(content):
                    if (piece, kind == words.FIX) not in self._facts:
                        self._facts.append((piece, kind == words.FIX))
            elif kind == words.MEND:
                self._facts.append((content, kind))
            elif kind != words.FIX:
                self._other.append((kind, content))
            fixing = kind == words.FIX and not content
        if pasted:
            self._other.append((words.PASTE, ""))
        unload(_LARGE)
        self._long = self._long and asked or len(self._facts) > limits.OFFLINE_FACTS
        del self._facts[limits.OFFLINE_FACTS :]

    def _say(self, key, *parts):
        from claw_core.offline_say import say

        return say(key, self._zh, *parts)

    def calls(self):
        """The next calls to make, [] when everything is done."""
        made = []
        for k in range(len(self._facts)):
            call_id = "off_%d" % k
            if call_id not in self._done and len(made) < limits.OFFLINE_ROUND:
                call = self._store(*self._facts[k])
                if call:
                    made.append((call_id, call[0], jsonio.dumps(call[1])))
        if not made and not self._done:
            for kind, content in self._other:
                call = None
                if kind == words.ALL:
                    call = self._with("memory_list")
                elif kind == words.LOSE:
                    call = self._lose(content)
                elif kind == words.SESSION:
                    call = self._with("session_command", "command", content)
                elif kind == words.TIME:
                    call = self._with("time_now")
                elif kind == words.STATUS:
                    call = self._with("system_info")
                if call:
                    made.append(("off_" + kind, call[0], jsonio.dumps(call[1])))
                    break
        return made

    def _with(self, tool, *args):
        return (tool, jsonio.obj(*args)) if tool in self._tools else None

    def _store(self, content, fixes):
        from claw_core import offline_fix

        about = offline_fix.subject(content)
        was = offline_fix.ended(content)
        old = known = None
        if fixes == words.MEND:
            old, content = self._mended(content)
            if old is None or old.content == content:
                return None
        elif fixes or was:
            near = [was or content, about]
            near = " ".join(near + list(match.topic(content)))
            old, known = offline_fix.superseded(self._find(near, 32), content, was)
        if "memory_store" not in self._tools:
            if old:
                return self._line(old.content, "" if known else "- " + content)
            near = self._find(content, limits.OFFLINE_SHOWN)
            if any(item.content.lower() == content.lower() for item in near):
                return None
            return self._with("files_edit", "path", "MEMORY.md", "append", "- " + content)
        if old and known and "memory_forget" in self._tools:
            return "memory_forget", jsonio.obj("memory_id", old.id)
        tags = match.topic(about if about == "years old" else content)
        tag = tags[1 if words.chinese(content) else 0]
        args = jsonio.obj("content", content, "tags", tag, "keywords", match.keywords(content))
        if old and "memory_update" in self._tools:
            args["memory_id"] = old.id
            return "memory_update", args
        return "memory_store", args

    def _mended(self, value):
        from claw_core import offline_mend

        return offline_mend.mended(self._find, value)

    def _line(self, old, new):
        return self._with("files_edit", "path", "MEMORY.md", "old", "- " + old, "new", new)

    def _lose(self, wanted):
        top = self._meant(wanted)
        if len(top) != 1:
            return None
        item = top[0]
        if "memory_forget" in self._tools:
            # the tool needs no content: it is for the answer, which must tell what is gone
            return "memory_forget", jsonio.obj("memory_id", item.id, "content", item.content)
        return self._line(item.content, "")

    def _meant(self, wanted):
        from claw_core import offline_lose

        return offline_lose.meant(self._find(offline_lose.query(wanted), 32), wanted)

    def _matches(self, wanted):
        near = self._find(wanted + " " + " ".join(match.topic(wanted)), 32)
        shown = limits.OFFLINE_SHOWN  # below: the topic alone may hide that no memory fits
        return match.best(near, wanted, shown) or match.best(self._find(wanted, 32), wanted, shown)

    def answer(self):
        """The text of the answer, from what the tools said."""
        out = []
        for k in range(len(self._facts)):
            out.append(self._stored("off_%d" % k, *self._facts[k]))
        small = ""
        for kind, content in self._other:
            if kind == words.ASK:
                out.append(self._found(content))
            elif kind == words.ALL:
                out.append(self._everything())
            elif kind == words.LOSE:
                out.append(self._lost(content))
            elif kind in (words.SESSION, words.TIME, words.STATUS):
                out.append(self._shown(kind))
            elif kind in (words.WIPE, words.PASTE) or words.has(words.TYPED, kind):
                out.append(self._say(kind))
            else:
                key = "thanks" if kind == words.THANKS else "talk" if kind else "unsure"
                small = key if not small or key == "unsure" else small
        if self._long:
            out.append(self._say("long"))
        mark = "。" if self._zh else ". "
        if not out and small == "talk" or not out and not small:
            return self._say("off") + ("，" if self._zh else ", ") + self._say("talk")
        if not out:
            return self._say(small) + ("" if self._zh else " ") + self._say("off") + mark.strip()
        return self._say("off") + mark + "\n".join(out)

    def _near(self, wanted):
        found = self._matches(wanted)
        if found and match.topic(wanted)[0] not in match.SINGLE:
            # a memory that only has the topic in common is no answer beside one that fits
            best = found[0][0]
            found = [pair for pair in found if pair[0] >= max(min(best, 2), best - 2)]
        return found

    def _found(self, wanted):
        found = self._near(wanted)
        if not found:
            return self._say("none")
        near = found[0][0] < 2 and match.terms(wanted)
        near = near and match.topic(wanted)[0] not in match.SINGLE
        key = "near" if near else "found"
        if match.lacking(found, wanted):
            del found[limits.OFFLINE_NEAR :]
            key = "alike"
        return self._lines(key, [item.content for _, item in found])

    def _everything(self):
        result = self._done.get("off_" + words.ALL)
        if result is None:
            contents = [item.content for item in self._find("", limits.OFFLINE_SHOWN + 1)]
        elif not result.get("ok"):
            return _reason(result)
        else:
            contents = [item["content"] for item in result["items"]]
        if not contents:
            return self._say("empty")
        said = self._lines("found", contents[: limits.OFFLINE_SHOWN])
        if len(contents) > limits.OFFLINE_SHOWN or result and result.get("more"):
            said += "\n" + self._say("more")
        return said

    def _lines(self, key, contents):
        return "\n- ".join([self._say(key)] + contents)

    def _stored(self, call_id, content, fixes):
        result = self._done.get(call_id)
        if fixes == words.MEND:
            item, text = self._mended(content)
            if result is None and item is None:
                return self._say("unclear")
            content = text or content
        if result is None:
            if "memory_store" in self._tools or "files_edit" in self._tools:
                return self._say("old", content)
            return self._say("bad", self._say("tool"), content)
        if not result.get("ok"):
            return self._say("bad", _reason(result), content)
        if result.get("changed") is False:
            return self._say("old", content)
        fixed = fixes == words.MEND or result.get("action") in ("memory_update", "memory_forget")
        return self._say("fix" if fixed else "new", content)

    def _lost(self, wanted):
        result = self._done.get("off_" + words.LOSE)
        text = self._done.get("lost", wanted)
        if result is not None:
            gone = result.get("ok")
            return self._say("gone", text) if gone else self._say("kept", _reason(result), text)
        from claw_core.offline_lose import lines

        items = self._meant(wanted)
        key = "which" if items else "near"
        items = items or [item for _, item in self._near(wanted)[: limits.OFFLINE_NEAR]]
        return self._lines(key, lines(items)) if items else self._say("none")

    def _shown(self, kind):
        result = self._done.get("off_" + kind)
        if result is None:
            return self._say("tool")
        if not result.get("ok"):
            return _reason(result)
        if kind == words.STATUS:
            from claw_core.offline_say import status

            return self._say("status", *status(result))
        if "local" in result:
            return self._say("time", result["local"].replace("T", " "))
        return str(result.get("result") or result.get("message") or "")


def _reason(result):
    return str(result.get("message") or result.get("code") or result.get("error") or "?")
