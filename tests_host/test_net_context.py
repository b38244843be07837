"""Windows and condensing over real sockets, in both runtimes and both wire formats."""

import json

import bpe_openai
import pytest

from tests_host import anthropic_script
from tests_host.model_server import ModelServer, error, plain, text
from tests_host.net import both

ASKED = "Now write the summary"
FACTS = "Current user message:"
VOCABULARY = bpe_openai.get_encoding("o200k_base")


class Server(ModelServer):
    """Tells the three kinds of requests apart; chat: answers to the first ones, else "fine"."""

    def __init__(self, chat=(), summaries=(), anthropic=False):
        super().__init__([self.either] * 500)
        self.chat = list(chat)
        self.summaries = list(summaries)
        self.anthropic = anthropic
        self.kinds = []
        self.largest = 0

    def either(self, request):
        last = request.json["messages"][-1]["content"]
        last = last if isinstance(last, str) else json.dumps(last)
        if FACTS in last:
            self.kinds.append("facts")
            return self.said('{"intent":"none","memories":[]}', True)
        whole = json.dumps(request.json, ensure_ascii=False)
        self.largest = max(self.largest, len(VOCABULARY.encode_ordinary(whole)))
        if ASKED in last:
            self.kinds.append("summary")
            assert "tools" not in request.json
            return self.summaries.pop(0) if self.summaries else self.said("They wrote words.")
        self.kinds.append("chat")
        return self.chat.pop(0) if self.chat else self.said("fine")

    def said(self, words, whole=False):
        if self.anthropic:
            block = {"type": "text", "text": words}
            return anthropic_script.plain([block]) if whole else anthropic_script.text(words)
        return plain(words) if whole else text(words)


@pytest.mark.parametrize("runtime", both.RUNTIMES)
@pytest.mark.parametrize("form", ["openai", "anthropic"])
def test_a_long_conversation_never_exceeds_the_window(runtime, form):
    with Server(anthropic=form == "anthropic") as server:
        both.run(runtime, "context_cases", "case_" + form, server.url, "1M")
    # the framing of the messages as JSON counts, too
    assert 3000 < server.largest <= 4096 - 256
    assert server.kinds.count("chat") == 45
    assert 1 <= server.kinds.count("summary") <= 6


@pytest.mark.parametrize("runtime", both.RUNTIMES)
def test_a_refused_length_condenses_once_and_asks_once_more(runtime):
    refused = error(400, "This model's maximum context length is 4096 tokens")
    with Server([text("fine"), text("fine"), text("fine"), refused]) as server:
        both.run(runtime, "context_cases", "case_refused", server.url, "1M")
    kinds = [kind for kind in server.kinds if kind != "facts"]
    assert kinds == ["chat"] * 4 + ["summary"] + ["chat"] * 3


@pytest.mark.parametrize("runtime", both.RUNTIMES)
def test_a_summary_that_breaks_off_is_none(runtime):
    cut = text("They wrote words, many of them, and then some.", cut_at=400)
    with Server(summaries=[cut]) as server:
        both.run(runtime, "context_cases", "case_compact_fails", server.url, "1M")
    assert server.kinds.count("summary") == 2
