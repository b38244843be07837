"""Answers that stall or break off at many points, one after the other. Arguments: URL|format|N."""

from claw_core.model import ModelError
from claw_memory import limits
from openai_cases import KEY, Request, Shown

TEXT = "Grüße an 记忆 und 🐈, "


def _model(where, seconds):
    url, kind, count = where.split("|")
    if kind == "openai":
        from claw_core.model_openai import OpenAIModel as Model
    else:
        from claw_core.model_anthropic import AnthropicModel as Model
    return Model(url, "test-model", KEY, seconds), int(count)


async def _outcomes(where, seconds):
    """What came of each request: (shown text, "" or why it is not whole)."""
    model, count = _model(where, seconds)
    found = []
    for _ in range(count):
        sink = Shown()
        try:
            reply = await model.ask(Request(), sink)
            why = reply.cut
            assert sink.shown() or why or not reply.calls
        except ModelError as e:
            assert not sink.shown(), sink.shown()
            why = str(e)
        shown = sink.shown()
        assert TEXT.startswith(shown) and str(sink.kept(), "utf-8") == shown, shown
        assert shown == TEXT or why, shown
        assert KEY not in why and (not why or why.endswith(".") or "check" in why), why
        found.append((shown, why))
    return found


async def case_cuts(where):
    found = await _outcomes(where, 5)
    # from nothing at all to all of the text, and something in between
    assert found[0][0] == "" and found[-1] == (TEXT, ""), (found[0], found[-1])
    assert any([0 < len(shown) < len(TEXT) for shown, _ in found])


async def case_stalls(where):
    before = limits.GAP_SECONDS, limits.LAST_SECONDS
    limits.GAP_SECONDS = limits.LAST_SECONDS = 0.05
    found = await _outcomes(where, 0.05)
    limits.GAP_SECONDS, limits.LAST_SECONDS = before
    assert all(["within" in why for shown, why in found if shown != TEXT]), found


async def case_huge(where):
    model, _ = _model(where, 30)
    shown = [0]

    class Count(Shown):
        def _show(self, kind, text):
            shown[0] += len(text)

    reply = await model.ask(Request(), Count())
    assert "longer than %d bytes" % limits.BODY_BYTES in reply.cut, reply.cut
    assert limits.BODY_BYTES * 8 // 10 < shown[0] < limits.BODY_BYTES, shown
