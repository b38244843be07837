"""Learns from turns before they leave a conversation: facts, and notes of the day."""

from claw_core import extract_grounds
from claw_core.extract_prompt import ExtractRequest
from claw_core.unsaid import Unsaid
from claw_memory import extract, jsonio, likeness, limits
from claw_memory.errors import InvalidArg
from claw_memory.session_log import USER
from claw_memory.text import cut

_SEVERAL = """
The message is a part of an earlier conversation, oldest line first. Lines that begin with "user: "
are its writer's; lines that begin with "assistant: " are there so that these are understood, and
nothing is taken from them alone. What is known below is newer than the conversation: leave out
whatever it contradicts, and whatever the writer takes back or asks to forget later on. Here
memories may hold up to eight facts. Add to the object "notes": none to three short lines in the
writer's language on what was done, decided or left open in this part.
"""


class _FlushRequest(ExtractRequest):
    def system(self):
        """Yield the rules."""
        yield from ExtractRequest.system(self)
        yield _SEVERAL


async def flush(agent, request, change, start, last):
    """Extract facts from the turns from number start on before record number last, and store them.

    change: the session_condense.Condensing. False where learning is switched off. Raises
    ModelError, OSError, asyncio.TimeoutError, NoSpace and IOFailure; what was learned stays.
    """
    if agent.extractor is None or request.memory.longterm is None:
        return False
    said = []  # (turn, text of the user)
    lines = []
    size = 0
    hidden = Unsaid(request.memory.longterm, request.session_id)
    blank = False
    for turn, kind, text in change.turns(last, start):
        # an answer to what was forgotten is about it, whatever it says
        blank = blank and kind != USER or hidden(text, turn)
        if blank:
            continue
        if kind == USER:
            if said and size + len(text) > limits.FLUSH_CHARS:
                await _learn(agent, request, said, lines)
                said = []
                lines = []
                size = 0
            said.append((turn, text))
            lines.append("user: " + text)
        else:
            text = cut(text, 4 * limits.FLUSH_ANSWER_CHARS)[: limits.FLUSH_ANSWER_CHARS]
            lines.append("assistant: " + " ".join(text.split()))
        size += len(text)
    if said:
        await _learn(agent, request, said, lines)
    return True


async def _learn(agent, request, said, lines):
    memory = request.memory
    longterm = memory.longterm
    message = "\n".join(lines)
    near = likeness.find(longterm, message[: limits.FLUSH_CHARS], limits.EXTRACT_NEAR)
    question = _FlushRequest(longterm.catalog(), near, message, limits.EXTRACT_TOKENS)
    answer = await agent.extractor.ask(question)
    intent, candidates = extract.parse(answer, limits.FLUSH_FACTS)
    if intent == "forget":
        return
    outdated = _outdated(longterm, request.session_id)
    _note(memory, message, answer, outdated)
    for candidate in candidates:
        for turn, text in said:
            if extract_grounds.kept(text, [candidate]):
                # A memory of the same matter is newer than what is said here.
                newer = extract.superseded(longterm, candidate[0], candidate[1])
                if not newer and not outdated(candidate[0], turn):
                    heard = (turn, text)
                    extract.apply(memory, request.session_id, "none", [candidate], (), heard)
                break


def _note(memory, message, answer, outdated):
    from claw_memory import notes

    for words in _lines(answer)[: limits.FLUSH_NOTES]:
        rests = extract_grounds.kept(message, [(words,)]) if isinstance(words, str) else ()
        if rests and not outdated(words):
            try:
                notes.add(memory, words)
            except InvalidArg:
                pass


def _lines(answer):
    try:
        value = jsonio.loads_prefix(answer[max(0, answer.find("{")) :])
    except ValueError:
        return ()
    found = jsonio.get(value, "notes") if isinstance(value, dict) else None
    return found if isinstance(found, list) else ()


def _outdated(longterm, session_id):
    # Function of a text and its turn: what was corrected or forgotten later stays so.
    from claw_memory import outdated

    superseded = outdated.superseded(longterm)
    gone = outdated.gone(longterm, True, session_id)

    def tells(words, turn=-1):
        return bool(superseded and superseded(words) or gone and gone(words, turn))

    return tells
