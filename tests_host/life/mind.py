"""The model server of the life: it calls the tools and finds the facts that the script wants."""

import json
import re

from tests_host.life.ledger import CURRENT, DOUBT, FORGOTTEN, SUPERSEDED, UNHEARD
from tests_host.model_server import Answer, ModelServer, delta, plain, text, usage

QUESTION = "Current user message:"
SUMMARY = "Now write the summary"


class Mind(ModelServer):
    """Scripted by begin().

    rounds: functions from the results of the round before ([(name, arguments, result)]) to the
    calls [(name, arguments)] of a round, [] for none. told: facts that the message states and
    that learning finds; old: the fact that the first of them corrects.
    """

    def __init__(self, ledger, rng, requests):
        super().__init__([self.reply] * requests)
        self.ledger = ledger
        self.rng = rng
        self.counts = {"chat": 0, "facts": 0, "flush": 0, "summary": 0, "calls": 0}
        self.failed = []  # results of tools that were no success
        self._call = 0
        self.begin()

    def begin(self, answer="fine", rounds=(), told=(), old=None):
        """Take up the script of a turn."""
        self.answer = answer
        self.rounds = list(rounds)
        self.told = list(told)
        self.old = old

    def reply(self, request):
        """The answer to a request of the board."""
        self.requests.clear()
        del self._threads[:-50]
        messages = request.json["messages"]
        last = str(messages[-1]["content"])
        if "tools" in request.json:
            self.counts["chat"] += 1
            return self._chat(request, messages)
        if last.startswith(SUMMARY):
            self.counts["summary"] += 1
            words = "We talked about %d things, %s." % (len(messages), _matters(messages))
            self.ledger.prompt(request.body, words, [])
            self.ledger.event("summary", session=self.ledger.session)
            return text(words, piece=60)
        flush = "\nuser: " in last or "\nassistant: " in last
        self.counts["flush" if flush else "facts"] += 1
        words = json.dumps(self._flushed(last) if flush else self._facts(last), ensure_ascii=False)
        self.ledger.prompt(request.body, words, [])
        if flush:
            self.ledger.event("flush")
        return plain(words)

    def _chat(self, request, messages):
        results = []
        for message in messages[::-1]:
            if message["role"] != "tool":
                break
            results.insert(0, message["content"])
        if results:
            asked = [call["function"] for call in messages[-len(results) - 1]["tool_calls"]]
            results = [
                (call["name"], json.loads(call["arguments"]), _parsed(result))
                for call, result in zip(asked, results, strict=True)
            ]
            for result in results:
                self._told(*result)
        wanted = []
        while self.rounds and not wanted:
            wanted = self.rounds.pop(0)(results)
        made = []
        for name, arguments in wanted:
            self._call += 1
            self.counts["calls"] += 1
            self._asking(name, arguments)
            made.append(["call_%d" % self._call, name, arguments])
        words = "" if made else self.answer
        self.ledger.prompt(request.body, words, made)
        return _calls(made) if made else text(words, piece=200)

    def _fact(self, content):
        return self.ledger.facts.get(content)

    def _asking(self, name, arguments):
        # What a tool may change is in doubt until its result comes.
        for fact in (self._fact(arguments.get("content")), self._of(arguments)):
            if fact and name in ("memory_store", "memory_update", "memory_forget"):
                self.ledger.set(fact, DOUBT)

    def _of(self, arguments):
        # The fact that the script means by the id of a memory: it says so beside it.
        return self._fact(self.meant.get(arguments.get("memory_id")))

    meant = {}  # {id: content}, filled by the driver from what the board shows

    def _told(self, name, arguments, result):
        if name not in ("memory_store", "memory_update", "memory_forget"):
            return
        if not result.get("ok"):
            self.failed.append((name, arguments, result))
            return
        old = self._of(arguments)
        new = self._fact(arguments.get("content"))
        if old and name == "memory_forget":
            self.ledger.set(old, FORGOTTEN)
        elif old and name == "memory_update":
            self.ledger.set(old, SUPERSEDED)
        if new:
            self.ledger.set(new, CURRENT)
            self.meant[result["memory_id"]] = new.text

    def _facts(self, words):
        # What learning finds in a message: what the script says, if it is this message's.
        message = words.partition(QUESTION)[2]
        found = []
        intent = "none"
        for fact in self.told:
            if fact.text not in message:
                continue
            entry = _entry(fact)
            if self.old:
                intent = "replace"
                near = re.search(r"^- (\S+): %s$" % re.escape(self.old.text), words, re.M)
                if near:
                    entry["replaces"] = near.group(1)
                self.ledger.set(self.old, DOUBT)
            self.ledger.set(fact, DOUBT)
            found.append(entry)
        return {"intent": intent, "memories": found}

    def _flushed(self, words):
        # Naive: finds everything that was ever stated there, outdated or not.
        message = words.partition(QUESTION)[2]
        found = [fact for fact in self.ledger.facts.values() if fact.text in message]
        for fact in found:
            if self.ledger.state[fact.text] == UNHEARD:
                self.ledger.set(fact, DOUBT)
        return {"intent": "none", "memories": [_entry(fact) for fact in found[:8]]}


def _entry(fact):
    keyword = fact.token if len(fact.token) < 20 else ""
    return {"content": fact.text, "tags": [fact.label], "keywords": [keyword]}


def _parsed(result):
    try:
        return json.loads(result)
    except ValueError:
        return {}


def _matters(messages):
    # A summary that tells none of the facts, only how many messages of whom there were.
    users = sum(message["role"] == "user" for message in messages)
    return "%d of them said by the user" % users


def _calls(made):
    events = [delta(role="assistant", content=None)]
    for index, (id, name, arguments) in enumerate(made):
        said = json.dumps(arguments, ensure_ascii=False)
        head = {"index": index, "id": id, "type": "function"}
        head["function"] = {"name": name, "arguments": ""}
        events.append(delta(tool_calls=[head]))
        for at in range(0, len(said), 40):
            part = {"index": index, "function": {"arguments": said[at : at + 40]}}
            events.append(delta(tool_calls=[part]))
    events += [delta(finish="tool_calls"), usage(12, 34), b"data: [DONE]\n\n"]
    return Answer(events)
