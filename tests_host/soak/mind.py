"""The model server of the soak: plays the part that the driver chose for each turn."""

import json
import re

from tests_host.model_server import ModelServer, calls, plain, text
from tests_host.soak.ledger import Lost

QUESTION = "Current user message:"
LABELS = ["topic%02d" % n for n in range(24)]
_PLACES = "Bergen York Lima Kyoto \u5317\u4eac Oslo Turin".split()
_THINGS = "kite drum lens \u732b\u7c96 lamp map coat".split()
_COLOURS = "green blue red grey brown".split()


class Mind(ModelServer):
    """Scripted by `plan`, a dict that the driver sets before each turn.

    tools: calls [(name, arguments)] of the rounds to come, a list per round. answer: the text.
    facts: [(content, label)] that the question about facts finds in the message. replaces:
    content that the first of these takes the place of.
    """

    def __init__(self, ledger, rng, requests):
        super().__init__([self.reply] * requests)
        self.ledger = ledger
        self.rng = rng
        self.number = 0
        self.plan = {}
        self.learned = []  # of this turn: (old content or None, new content, label)
        self.counts = {"chat": 0, "questions": 0, "tools": 0, "refused": 0}

    def fact(self):
        """A new (content, label)."""
        self.number += 1
        rng = self.rng
        words = (self.number, rng.choice(_PLACES), rng.choice(_COLOURS), rng.choice(_THINGS))
        return "Locker K%05d of the user, in %s, holds a %s %s" % words, rng.choice(LABELS)

    def begin(self, **plan):
        """Take up the plan of a turn."""
        self.learned = []
        self.plan = dict({"tools": [], "answer": "fine", "facts": [], "replaces": None}, **plan)

    def reply(self, request):
        """The answer to a request of the board."""
        self.requests.clear()
        del self._threads[:-50]
        messages = request.json["messages"]
        if QUESTION in str(messages[-1]["content"]):
            self.counts["questions"] += 1
            return self._facts(messages[-1]["content"])
        self.counts["chat"] += 1
        results = []
        for message in messages[::-1]:
            if message["role"] != "tool":
                break
            results.insert(0, message)
        if results:
            asked = messages[-len(results) - 1]["tool_calls"]
            for call, result in zip(asked, results):
                self._told(call["function"], result["content"])
        if self.plan["tools"]:
            round = self.plan["tools"].pop(0)
            for name, arguments in round:
                self._asking(name, arguments)
            return calls(*round, piece=40)
        return text(self.plan["answer"], piece=60)

    def _content(self, arguments):
        for content, id in self.ledger.ids.items():
            if id == arguments.get("memory_id"):
                return content
        return None

    def _asking(self, name, arguments):
        self.counts["tools"] += 1
        old = self._content(arguments)
        if name in ("memory_update", "memory_forget") and old:
            self.ledger.doubt(old)
        if name in ("memory_store", "memory_update"):
            self.ledger.doubt(arguments["content"], arguments["tags"])

    def _told(self, function, result):
        # What a tool did, as the board tells with the next request.
        name = function["name"]
        arguments = json.loads(function["arguments"])
        value = json.loads(result) if result[:1] == "{" else {}
        ledger = self.ledger
        if name == "memory_recall":
            label = arguments["summary_labels"][0]
            if value.get("ok"):
                contents = [item["content"] for item in value["items"]]
                ledger.labelled(label, contents, not value.get("more"))
            elif value.get("error") == "out_of_memory":
                self.counts["refused"] += 1
            elif label in ledger.must.values():
                raise Lost("a label in use is unknown: %s" % result[:200])
        if name not in ("memory_store", "memory_update", "memory_forget"):
            return
        if not value.get("ok"):
            self.counts["refused"] += 1
            return
        old = self._content(arguments)
        if old and name != "memory_store":
            ledger.gone(old)
        if name != "memory_forget":
            ledger.stored(arguments["content"], arguments["tags"])
            ledger.ids[arguments["content"]] = value["memory_id"]

    def _facts(self, words):
        found = []
        intent = "none"
        for content, label in self.plan["facts"]:
            old = self.plan["replaces"]
            near = re.search(r"^- (\S+): %s$" % re.escape(old), words, re.M) if old else None
            if old and not near:
                continue
            fact = {"content": content, "tags": [label], "keywords": ["Locker"]}
            if near:
                intent = "replace"
                fact["replaces"] = near.group(1)
                self.ledger.doubt(old)
            found.append(fact)
            self.ledger.doubt(content, label)
            self.learned.append((old, content, label))
        self.plan["facts"] = []
        body = json.dumps({"intent": intent, "memories": found}, ensure_ascii=False)
        return plain(body)

    def noted(self, labels):
        """The user was told that memories with these labels changed."""
        for old, content, label in self.learned:
            if label in labels:
                if old:
                    self.ledger.gone(old)
                self.ledger.stored(content, label)
        self.learned = []
