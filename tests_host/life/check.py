"""Judges a life by its two logs alone; knows nothing of the firmware but what it promises.

    python -m tests_host.life.check FOLDER

prompts.jsonl holds every request as it came, ledger.jsonl what the script knew and when; `seq`
orders the lines of both. Checked is that
- no request takes more tokens than the window has, the room for the answer left free, counted
  with a real vocabulary (o200k_base); and all of it is sound UTF-8 without half characters;
- calls and results belong together, each result right behind its call;
- a turn that is sent is sent whole: its message, its answer; and no turn is left out between the
  oldest one sent and the present one;
- no wording that was superseded or forgotten stands in the system part, in a summary that was
  made afterwards, or in the result of a memory tool that was called afterwards;
- no list shows one, none shows a memory twice, and at the end each current fact is found by a
  search and is in the export, or archived.
"""

import collections
import json
import pathlib
import sys

import bpe_openai

_WORDS = bpe_openai.get_encoding("o200k_base")
_PER_MESSAGE = 4  # tokens around each message, as such servers count
_SUMMARY = "Summary of our conversation so far"
_SHOWN = 12  # findings of a kind that are printed
_ITEMS = 128  # memories that a list shows at most
_LOOKED = ("memory_search", "memory_get", "memory_recall", "memory_list")
_GONE = ("superseded", "forgotten")


class Check:
    """The findings over the logs in folder (a pathlib.Path): problems {kind: [sentence]}."""

    def __init__(self, folder):
        self.problems = collections.defaultdict(list)
        self.counts = collections.Counter()
        self.largest = 0  # tokens
        self._cost = {}
        self._events = [json.loads(line) for line in open(folder / "ledger.jsonl")]
        self._events.sort(key=lambda event: event["seq"])
        self._prompts = folder / "prompts.jsonl"
        self._next = 0  # number of the event that comes next
        self._state = {}  # {token: (state, seq)}, as of the prompt that is looked at
        self._window = None
        self._turns = {}  # {user text: (session, position)}
        self._order = {}  # {session: [whole or not]}
        self._answers = {}  # {user text: answer}, of turns that ended whole
        self._calls = {}  # {call id: (name, seq of the answer with it)}
        self._results = set()  # call ids whose results were looked at
        self._summaries = set()
        self._session = ""
        self._made = {}  # {session: line in which its latest summary was asked for}
        self._final = None
        self._exported = None
        self._most = 0  # memories in a list
        self._found = set()
        self._said()

    def _said(self):
        last = None
        for event in self._events:
            if event["what"] == "turn":
                order = self._order.setdefault(event["session"], [])
                self._turns[event["user"]] = (event["session"], len(order))
                order.append(False)
                last = event
            elif event["what"] == "end" and event["whole"] and last:
                session, at = self._turns[last["user"]]
                self._order[session][at] = True
                self._answers[last["user"]] = event["answer"]
            elif event["what"] == "final":
                self._final = event["seq"]

    def problem(self, kind, seq, words):
        """Something is wrong, as of that line."""
        self.problems[kind].append("line %d: %s" % (seq, words))

    def run(self):
        """Look at everything."""
        with open(self._prompts) as file:
            for line in file:
                entry = json.loads(line)
                self._until(entry["seq"])
                self.counts["prompts"] += 1
                self._prompt(entry)
        self._until(float("inf"))
        self._end()
        return self

    # --- the ledger ---

    def _until(self, seq):
        while self._next < len(self._events) and self._events[self._next]["seq"] < seq:
            event = self._events[self._next]
            self._next += 1
            what = event["what"]
            self.counts[what] += 1
            if what == "fact":
                self._state[event["token"]] = (event["state"], event["seq"], event["text"])
            elif what == "turn":
                self._session = event["session"]
            elif what == "summary":
                self._made[event.get("session", self._session)] = event["seq"]
            elif what == "window":
                self._window = event["tokens"] - event["reserve"]
            elif what in ("listed", "export"):
                self._listed(what, event)

    def _listed(self, what, event):
        contents = event["contents"]
        if len(set(contents)) < len(contents):
            self.problem("a list shows something twice", event["seq"], what)
        for token, words in self._outdated("\n".join(contents)):
            self.problem("a list shows what is outdated", event["seq"], "%s: %s" % (token, words))
        if len(contents) > _ITEMS:
            self.problem("a list is too long", event["seq"], "%d memories" % len(contents))
        self._most = max(self._most, len(contents))
        if what == "export":
            self._exported = contents

    def _outdated(self, text, before=float("inf")):
        # Yield (token, why) of what stands in text and has been outdated since before line before.
        for token, (state, seq, _) in self._state.items():
            if state in _GONE and seq < before and token in text:
                yield token, "%s since line %d" % (state, seq)

    # --- one prompt ---

    def _prompt(self, entry):
        seq = entry["seq"]
        for call in entry["answer"]["calls"]:
            self._calls[call[0]] = (call[1], seq)
        try:
            entry["body"].encode()
            body = json.loads(entry["body"])
            json.dumps(body, ensure_ascii=False).encode()
        except ValueError as e:
            self.problem("half characters or no JSON", seq, str(e))
            return
        if "\ufffd" in entry["body"]:
            self.problem("half characters or no JSON", seq, "a replacement character")
        self._size(seq, body)
        system, *messages = body["messages"]
        for token, words in self._outdated(system["content"]):
            line = [s for s in system["content"].split("\n") if token in s][0]
            self.problem("the system part tells what is outdated", seq, "%s, %s" % (line, words))
        if "tools" not in body:
            return  # a question about facts, or for a summary
        self._pairs(seq, messages)
        self._kept(seq, messages)
        for message in messages:
            if message["role"] == "tool":
                self._result(seq, message)

    def _tokens(self, text):
        if text not in self._cost:
            if len(self._cost) > 100000:
                self._cost.clear()
            self._cost[text] = len(_WORDS.encode_ordinary(text))
        return self._cost[text]

    def _size(self, seq, body):
        count = 3
        for message in body["messages"]:
            count += _PER_MESSAGE + self._tokens(message.get("content") or "")
            for call in message.get("tool_calls") or ():
                function = call["function"]
                count += self._tokens(function["name"]) + self._tokens(function["arguments"])
        if "tools" in body:
            count += self._tokens(json.dumps(body["tools"], ensure_ascii=False))
        self.largest = max(self.largest, count)
        if count > self._window:
            words = "%d tokens where %d fit" % (count, self._window)
            self.problem("larger than the window", seq, words)

    def _pairs(self, seq, messages):
        open_calls = []
        for message in messages:
            if message["role"] == "tool":
                if message["tool_call_id"] not in open_calls:
                    self.problem("a result without its call", seq, message["tool_call_id"])
                else:
                    open_calls.remove(message["tool_call_id"])
                continue
            if open_calls:
                self.problem("a call without its result", seq, " ".join(open_calls))
            open_calls = [call["id"] for call in message.get("tool_calls") or ()]
        if open_calls:
            self.problem("a call without its result", seq, " ".join(open_calls))

    def _kept(self, seq, messages):
        turns = []  # [user text, text of the answer]
        for number, message in enumerate(messages):
            text = message.get("content") or ""
            if message["role"] == "user" and text.startswith(_SUMMARY):
                if number:
                    self.problem("a summary within the conversation", seq, text[:60])
                self._summary(seq, text)
            elif message["role"] == "user":
                turns.append([text, ""])
            elif not turns and not text.startswith(_SUMMARY):
                at_start = number == 1 and messages[0]["content"].startswith(_SUMMARY)
                if not at_start:
                    self.problem("a turn without its message", seq, text[:60])
            elif message["role"] == "assistant" and not message.get("tool_calls"):
                turns[-1][1] += text
        places = []
        for number, (user, answer) in enumerate(turns):
            if user not in self._turns:
                self.problem("a message that nobody wrote", seq, user[:60])
                continue
            places.append(self._turns[user])
            last = number == len(turns) - 1
            if not last and user in self._answers and self._answers[user] != answer:
                self.problem("a turn without its answer", seq, user[:60])
        self.counts["turns sent"] += len(places)
        for (session, at), (other, following) in zip(places, places[1:], strict=False):
            missing = self._order[session][at + 1 : following]
            if session != other or following <= at or any(missing):
                words = "%s: %d is followed by %s: %d" % (session, at, other, following)
                self.problem("turns are left out in between", seq, words)

    def _summary(self, seq, text):
        if text in self._summaries:
            return
        self._summaries.add(text)
        # It may be shown long after it was made, when the session is used again.
        made = self._made.get(self._session, seq)
        for token, words in self._outdated(text, made - 50):
            self.problem("a new summary tells what is outdated", seq, "%s, %s" % (token, words))

    def _result(self, seq, message):
        id = message["tool_call_id"]
        if id in self._results:
            return
        self._results.add(id)
        name, asked = self._calls.get(id, ("", seq))
        if name not in _LOOKED:
            return
        self.counts["memory results"] += 1
        for token, words in self._outdated(message["content"], asked):
            self.problem("%s tells what is outdated" % name, seq, "%s, %s" % (token, words))
        if self._final and seq > self._final:
            for token, (state, _, text) in self._state.items():
                if state == "current" and text in message["content"]:
                    self._found.add(token)

    # --- the end ---

    def _end(self):
        states = collections.Counter(state for state, _, _ in self._state.values())
        self.counts.update(states)
        if self._final is None or self._exported is None:
            self.problem("the life did not come to its end", 0, "no last look")
            return
        exported = "\n".join(self._exported)
        for token, (state, seq, text) in self._state.items():
            if state != "current":
                continue
            if token not in self._found:
                self.problem("a current fact is not found", seq, text)
            if token not in exported:
                self.counts["archived"] += 1
        if self.counts["archived"] and self._most < _ITEMS:
            words = "%d, and no list was ever full" % self.counts["archived"]
            self.problem("current facts are not in the export", 0, words)

    def report(self):
        """Yield the lines of the result."""
        counts = self.counts
        yield "%d prompts with %d turns in all, the largest has %d tokens" % (
            counts["prompts"],
            counts["turns sent"],
            self.largest,
        )
        yield "%d turns, %d starts, %d condensings with %d questions for summaries, %d flushes" % (
            counts["turn"],
            counts["start"],
            sum(counts[what] for what in counts if what.startswith("compacted")),
            counts["summary"],
            counts["flush"],
        )
        yield (
            "facts at the end: %d current (%d found, %d archived), %d superseded, %d forgotten"
            % (
                counts["current"],
                len(self._found),
                counts["archived"],
                counts["superseded"],
                counts["forgotten"],
            )
        )
        for kind, found in sorted(self.problems.items()):
            yield "FAILED: %s, %d times" % (kind, len(found))
            for words in found[:_SHOWN]:
                yield "    " + words
        if not self.problems:
            yield "all is as it should be"


def main(argv=None):
    """Check the folder named, report, and return the exit code."""
    folder = pathlib.Path((sys.argv[1:] if argv is None else argv)[0])
    check = Check(folder).run()
    for line in check.report():
        print(line)
    return 1 if check.problems else 0


if __name__ == "__main__":
    sys.exit(main())
