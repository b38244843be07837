"""Writes the two logs of a life: the prompts as they came, and what the script knew when."""

import json
import threading

CURRENT = "current"
DOUBT = "doubt"  # on its way, or the power went meanwhile
SUPERSEDED = "superseded"
FORGOTTEN = "forgotten"
UNHEARD = "unheard"  # told, and nobody said that it is remembered; it may be learned later


class Ledger:
    """Both logs, numbered together: `seq` of a line tells what came before what.

    prompts.jsonl: {"seq", "turn", "body": the request, "answer": {"text", "calls"}}.
    ledger.jsonl: {"seq", "turn", "what", ...}; what is "fact" (fact, text, token, asked, state),
    "turn" (session, user), "summary" (session), "end" (answer, whole), "window" (tokens,
    reserve), "listed" and "export" (contents), "final" (from here on every current fact is asked
    for), or an event that is only counted.
    """

    def __init__(self, folder):
        folder.mkdir(parents=True, exist_ok=True)
        self._files = {}
        for name in ("prompts", "ledger"):
            self._files[name] = open(folder / (name + ".jsonl"), "w", encoding="utf-8")  # noqa: SIM115
        self._lock = threading.Lock()
        self._seq = 0
        self.turn = 0
        self.session = ""  # the one that is used
        self.facts = {}  # {text: Fact} of all that were ever on their way
        self.state = {}  # {text: state}
        self.known = set()  # ids of the facts that were ever current

    def close(self):
        """Close the files."""
        for file in self._files.values():
            file.close()

    def _write(self, name, value):
        with self._lock:
            self._seq += 1
            line = json.dumps(dict({"seq": self._seq, "turn": self.turn}, **value))
            self._files[name].write(line + "\n")

    def prompt(self, body, text, calls):
        """A request came (bytes) and was answered with text and calls."""
        answer = {"text": text, "calls": calls}
        self._write("prompts", {"body": body.decode("utf-8", "surrogateescape"), "answer": answer})

    def event(self, what, **fields):
        """Something happened."""
        self._write("ledger", dict({"what": what}, **fields))

    def set(self, fact, state):
        """The board acknowledged that fact is in this state, or it is in doubt."""
        if self.state.get(fact.text) == state:
            return
        self.facts[fact.text] = fact
        self.state[fact.text] = state
        if state == CURRENT:
            self.known.add(fact.id)
        self.event(
            "fact", fact=fact.id, text=fact.text, token=fact.token, asked=fact.asked, state=state
        )

    def of(self, *states):
        """The facts in one of these states, in the order in which they were first told."""
        return [fact for text, fact in self.facts.items() if self.state[text] in states]
