"""Plays the user of the life: tells, corrects, forgets, looks up, switches, resets."""

import re
import time

from tests_host.boardlib import REPO, Board
from tests_host.life.facts import Facts
from tests_host.life.ledger import CURRENT, DOUBT, FORGOTTEN, SUPERSEDED, UNHEARD, Ledger
from tests_host.life.mind import Mind

RESERVE = 512  # tokens kept free for the answer
WINDOWS = (6144, 7168, 8192)  # tokens; small, so that conversations are condensed often
SESSION_BYTES = 24000  # lowered on the board, for the same reason
_FEW, _MANY = 60, 140  # current facts, between which their number goes up and down
_WAVE = 600  # turns from few to many and back
_PINS = 6
_SESSIONS = 5
_BOOT = (
    """
from claw_memory import limits
limits.SESSION_BYTES = %d
gc.threshold(gc.mem_free() // 4)  # a long life is played in less time
"""
    % SESSION_BYTES
)
_BAD = ("Traceback", "went wrong inside", "cannot go on", "is offline", "refused")
_STORY = "Then we walked on along the river and talked about the weather. 后来天气慢慢好了。"


class Broken(AssertionError):
    """The board did something that ends the life."""


class Life:
    """One run of so many turns; its logs lie in folder (a pathlib.Path)."""

    def __init__(self, rng, fs, heap, turns, folder):
        self.rng = rng
        self.turns = turns
        self.turn = 0
        self.ledger = Ledger(folder)
        self.ledger.session = "default_01"
        self.facts = Facts(rng)
        self.mind = Mind(self.ledger, rng, 40 * turns + 4000)
        self.mind.meant = self.ids = {}
        self.sessions = [self.session]
        self.window = WINDOWS[0]
        self.counts = {}
        self.pinned = []
        self.steady = False  # no power cut in a turn
        env = {"CLAW_BASE_URL": self.mind.url, "CLAW_MODEL": "life", "CLAW_API_KEY": "sk-life-1"}
        boot = (REPO / "firmware/boot.py").read_text() + _BOOT
        config = '{"time.zone":"UTC","context.window":%d,"context.reserve":%d}'
        files = {"/boot.py": boot, "/config.json": config % (self.window, RESERVE)}
        self.board = Board(files, firmware=True, fs=fs, heap=heap, env=env)

    @property
    def session(self):
        """The one that is used."""
        return self.ledger.session

    def close(self):
        """End board, server and logs."""
        self.board.close()
        self.mind.close()
        self.ledger.close()

    def count(self, what):
        """Count what happened, for the report."""
        self.counts[what] = self.counts.get(what, 0) + 1

    def recent(self):
        """The end of what the board printed."""
        return self.board.log[-3000:].decode("utf-8", "replace")

    def run(self):
        """All turns, and the last look."""
        self.ledger.event("window", tokens=self.window, reserve=RESERVE)
        self.check(self.board.prompt(60))
        start = time.monotonic()
        while self.turn < self.turns:
            self.next_turn()
            self.one()
            if self.turn % 25 == 0:
                self.look()
            if self.turn % 100 == 0:
                rate = self.turn / (time.monotonic() - start)
                there = len(self.ledger.of(CURRENT))
                print("turn %d, %.1f/s, %d facts" % (self.turn, rate, there), flush=True)
                self.board.log = self.board.log[-20000:]
        self.restart("power cut")
        self.last_look()

    def next_turn(self):
        """The next message of the user."""
        self.turn += 1
        self.ledger.turn = self.turn

    # --- turns ---

    def one(self):
        """A turn of a random kind, or a command, and now and then a restart."""
        dice = self.rng.random()
        for share, work in _KINDS:
            dice -= share
            if dice < 0:
                work(self)
                break
        wanted = self.wanted()
        there = len(self.ledger.of(CURRENT))
        if there < wanted - 8 and self.rng.random() < 0.5:
            self.next_turn()
            self.store(3)
        elif there > wanted + 8 and self.rng.random() < 0.7:
            self.next_turn()
            self.forget(3)
        if self.rng.random() < 0.012:
            self.restart(self.rng.choice(("/reset", "soft reset", "power cut")))

    def wanted(self):
        """How many current facts there should be at this turn."""
        place = abs(2 * (self.turn % _WAVE) / _WAVE - 1)  # 1 at the start of a wave, then 0, 1
        return min(self.turn, round(_MANY - (_MANY - _FEW) * place))

    def say(self, words, **script):
        """A turn; now and then the power goes in the middle. Returns what was shown, or None."""
        words = ("[%d] %s" % (self.turn, words)).strip()
        self.mind.begin(**script)
        self.ledger.event("turn", session=self.session, user=words)
        if self.rng.random() < 0.008 and not self.steady:
            self.board.send_line(words)
            time.sleep(self.rng.random() * 0.5)
            self.ledger.event("end", answer="", whole=False)
            self.restart("power cut in a turn")
            self.settle()
            return None
        shown = self.check(self.board.ask(words, 120))
        if self.mind.errors:
            raise self.mind.errors[0]
        for what in re.findall(r"became a summary|old tool results left|not condensed", shown):
            self.ledger.event("compacted: " + what)
        if "reached its size limit" in shown:
            self.count("full sessions")
            self.begin_session()
        whole = "[stopped" not in shown and "no answer" not in shown
        self.ledger.event("end", answer=self.mind.answer, whole=whole)
        if not whole:
            self.count("turns without an answer")
        return shown

    def check(self, shown):
        """Return what the board printed, if nothing in it is out of order."""
        for bad in _BAD:
            if bad in shown:
                raise Broken(shown)
        if "not enough memory" in shown or "not enough RAM" in shown:
            self.count("short of RAM")
        return shown

    def command(self, line, timeout=60):
        """Type a command; return what it says."""
        return self.check(self.board.ask(line, timeout))

    def small_talk(self):
        """Nothing to remember, but a conversation that grows."""
        rng = self.rng
        words = "how was the day? " + _STORY * rng.randint(0, 6)
        self.say(words, answer="It was fine. " + _STORY * rng.randint(1, 10))

    def story(self):
        """A long message and a long answer."""
        words = _STORY * self.rng.randint(10, 24)
        self.say(words, answer=words)

    def tell(self):
        """The user states facts, and learning finds them."""
        told = [self.facts.new() for _ in range(self.rng.randint(1, 2))]
        shown = self.say("; ".join(fact.text for fact in told), told=told)
        self.learned(shown, told)

    def learned(self, shown, told):
        """Take down what learning acknowledged; what it did not is looked for."""
        if shown is None:
            return
        labels = ";".join(re.findall(r"Memory update: \[(.*?)\]", shown)).split(";")
        told_labels = [fact.label for fact in told]
        for fact in told:
            if fact.label in labels and told_labels.count(fact.label) == 1:
                self.ledger.set(fact, CURRENT)
        self.settle()

    def settle(self):
        """Ask the board for every fact that is in doubt."""
        for fact in self.ledger.of(DOUBT):
            if self.find(fact):
                self.ledger.set(fact, CURRENT)
            elif fact.id not in self.ledger.known:
                self.ledger.set(fact, UNHEARD)
            else:
                self.ledger.set(fact, SUPERSEDED if fact.id in self.replaced else FORGOTTEN)

    replaced = ()  # ids of facts that a correction on its way is about

    def find(self, fact):
        """True when the board remembers the fact; learns its id."""
        shown = self.command("/memory find " + fact.token)
        for id, content in _listed(shown):
            if content == fact.text:
                self.ids[id] = content
                return True
        return False

    def missed(self):
        """The user states a fact that learning overlooks; a flush may find it later."""
        fact = self.facts.new()
        self.count("overlooked facts")
        self.ledger.set(fact, UNHEARD)
        self.say("By the way: " + fact.text)

    def store(self, count=0):
        """The model stores facts."""
        told = [self.facts.new() for _ in range(count or self.rng.randint(1, 2))]
        wanted = [
            ("memory_store", {"content": f.text, "tags": f.label, "keywords": [f.token]})
            for f in told
        ]
        for fact in told:
            self.ledger.facts[fact.text] = fact
            self.ledger.state[fact.text] = ""
        self.say("remember these: " + "; ".join(f.text for f in told), rounds=[lambda _: wanted])
        self.settle()
        self.undo_now_and_then()

    def known(self):
        """A current fact, None when there is none."""
        there = self.ledger.of(CURRENT)
        return self.rng.choice(there) if there else None

    def search_for(self, facts):
        """A round that searches for facts, and what picks their ids from its results."""

        def search(_):
            return [("memory_search", {"query": f.asked, "limit": 3}) for f in facts]

        def found(results):
            there = {}
            for _, _, result in results:
                for hit in result.get("results", ()):
                    for fact in facts:
                        if fact.token in hit["snippet"] and hit["source"] in ("memory", "archive"):
                            there[fact] = hit["id"]
                            self.ids[hit["id"]] = fact.text
            for _ in range(len(facts) - len(there)):
                self.count("searches that did not find")
            return there

        return search, found

    def update(self):
        """The model looks a fact up, reads it and corrects it."""
        old = self.known()
        if not old:
            return
        new = self.facts.corrected(old)
        self.ledger.facts[new.text] = new
        self.ledger.state[new.text] = ""
        search, found = self.search_for([old])
        ids = {}

        def get(results):
            ids.update(found(results))
            return [("memory_get", {"id": id}) for id in ids.values()]

        def change(_):
            wanted = {"content": new.text, "tags": new.label, "keywords": [new.token]}
            return [("memory_update", dict(wanted, memory_id=id)) for id in ids.values()]

        self.count("corrections by tool")
        self.say("not any more: " + new.text, rounds=[search, get, change])
        self.replaced = (old.id,)
        self.settle()
        self.replaced = ()
        self.undo_now_and_then()

    def correct(self):
        """The user corrects a fact, and learning finds that."""
        old = self.known()
        if not old:
            return
        new = self.facts.corrected(old)
        self.replaced = (old.id,)
        self.count("corrections that are learned")
        shown = self.say("I was wrong, " + new.text, told=[new], old=old)
        self.learned(shown, [new])
        self.settle()
        self.replaced = ()
        if self.ledger.state[old.text] == CURRENT and self.ledger.state.get(new.text) == CURRENT:
            # both are remembered now: a person notices, and has the old one forgotten
            self.count("corrections that left the old wording")
            self.forget_words(old, SUPERSEDED)

    def forget(self, count=1):
        """The model looks facts up and forgets them."""
        there = self.ledger.of(CURRENT)
        chosen = self.rng.sample(there, min(count, len(there)))
        if not chosen:
            return
        search, found = self.search_for(chosen)

        def change(results):
            return [("memory_forget", {"memory_id": id}) for id in found(results).values()]

        self.say("forget about " + ", ".join(f.asked for f in chosen), rounds=[search, change])
        self.settle()
        self.release(chosen)
        if count == 1:
            self.undo_now_and_then()

    def release(self, chosen):
        """What is forgotten may come up again, with another value."""
        for fact in chosen:
            if self.ledger.state[fact.text] == FORGOTTEN:
                self.facts.released(fact)

    def forget_by_hand(self):
        """The user forgets a fact at the console, by words or by its id."""
        fact = self.known()
        if fact:
            self.count("forgotten at the console")
            self.forget_words(fact, FORGOTTEN)
            self.release([fact])

    def forget_words(self, fact, state):
        """/memory forget of a fact; it is then in that state."""
        id = fact.token
        if self.rng.random() < 0.5 and self.find(fact):
            id = [i for i, content in self.ids.items() if content == fact.text][-1]
        self.ledger.set(fact, DOUBT)
        shown = self.command("/memory forget " + id)
        if "Forgotten: " + fact.text in shown:
            self.ledger.set(fact, state)
        else:
            self.count("forgets that failed")
            self.settle()

    def undo_now_and_then(self):
        """Take back what was just done, by hand."""
        if self.rng.random() > 0.12:
            return
        before = dict(self.ledger.state)
        shown = self.command("/memory undo")
        self.count("undo")
        for pattern, state in (
            (r"Taken back: (.*?)\r?$", FORGOTTEN),
            (r"Remembered again: (.*?)\r?$", CURRENT),
            (r"\(was: (.*)\)\r?$", SUPERSEDED),
            (r"^\S+  (.*) \(was: .*\)\r?$", CURRENT),
        ):
            for content in re.findall(pattern, shown, re.M):
                if content in self.ledger.facts:
                    self.ledger.set(self.ledger.facts[content], state)
                    if state == CURRENT:
                        self.facts.taken(self.ledger.facts[content])
        if before == self.ledger.state:
            self.count("undo of nothing")

    def note(self):
        """The model notes what happened; now and then that tells a fact."""
        fact = self.known()
        words = "walked %d km, bought %s nails" % (self.turn, self.rng.choice(("steel", "brass")))
        if fact and self.rng.random() < 0.5:
            words = "talked with the user: " + fact.text
            self.count("notes that tell a fact")
        self.say("note this", rounds=[lambda _: [("memory_note", {"text": words})]])

    def pin(self):
        """The user pins a fact; the oldest pin goes when there are enough."""
        if len(self.pinned) >= _PINS:
            self.command("/memory unpin " + self.pinned.pop(0))
        fact = self.known()
        if fact and self.find(fact):
            id = [i for i, content in self.ids.items() if content == fact.text][-1]
            shown = self.command("/memory pin " + id)
            if ": pinned" in shown:
                self.count("pins")
                self.pinned.append(id)

    def look_up(self):
        """The model searches for facts, some of them outdated."""
        asked = self.ledger.of(CURRENT, SUPERSEDED, FORGOTTEN)
        if asked:
            chosen = self.rng.sample(asked, min(3, len(asked)))
            wanted = [("memory_search", {"query": f.asked, "limit": 4}) for f in chosen]
            # an outdated value, too: it must not turn up by itself
            wanted.append(("memory_search", {"query": chosen[0].token}))
            self.say("what do you know?", rounds=[lambda _: wanted])

    def recall(self):
        """The model reads memories by labels, or all of them: a big result."""
        fact = self.known()
        wanted = ("memory_list", {})
        if fact and self.rng.random() < 0.6:
            wanted = ("memory_recall", {"summary_labels": [fact.label], "limit": 32})
        again = ("system_info", {})
        self.say("tell me all", rounds=[lambda _: [wanted], lambda _: [again]])

    def read_file(self):
        """The model writes a file and reads it: another big result."""
        body = "Line of a file 文件. " * self.rng.randint(40, 150)
        edit = ("files_edit", {"path": "files/long.txt", "content": body})
        read = ("files_read", {"path": "files/long.txt"})
        self.say("write and read", rounds=[lambda _: [edit], lambda _: [read]])

    def compact(self):
        """The user has the conversation condensed."""
        self.count("/compact")
        shown = self.command("/compact", 120)
        for what in re.findall(r"became a summary|old tool results left|not condensed", shown):
            self.ledger.event("compacted: " + what)

    def change_session(self):
        """Begin, switch or delete a session."""
        others = [name for name in self.sessions if name != self.session]
        dice = self.rng.random()
        self.count("session commands")
        if not others or (dice < 0.4 and len(self.sessions) < _SESSIONS):
            self.begin_session()
        elif dice < 0.8:
            self.ledger.session = self.rng.choice(others)
            self.expect("/session switch " + self.session, "current one")
        else:
            name = self.rng.choice(others)
            self.expect("/session delete " + name, "gone")
            self.sessions.remove(name)

    def begin_session(self):
        """Go on in a new session."""
        self.ledger.session = "s%d" % self.turn
        self.expect("/session new " + self.session, "Started")
        self.sessions.append(self.session)

    def expect(self, line, wanted):
        """A command whose answer must hold these words."""
        shown = self.command(line)
        if wanted not in shown:
            raise Broken(shown)

    def change_window(self):
        """Another window of the model, from a restart on."""
        tokens = self.rng.choice(WINDOWS)
        # Either may hold until the restart.
        self.ledger.event("window", tokens=max(tokens, self.window), reserve=RESERVE)
        self.expect("/config set context.window %d" % tokens, "context.window is now")
        self.window = tokens
        self.restart("/reset")
        self.ledger.event("window", tokens=tokens, reserve=RESERVE)

    # --- restarts and looks ---

    def restart(self, how):
        """Reset the board in one of the ways; it must come back with its prompt."""
        self.count(how)
        self.ledger.event("start", how=how)
        self.check(self.board.restart(how))

    def look(self):
        """Take down the list of memories, once whatever is in doubt is settled."""
        self.settle()
        shown = self.command("/memory list")
        found = _listed(shown)
        self.ids.update(found)
        self.ledger.event("listed", contents=[content for _, content in found])

    def last_look(self):
        """Ask for every current fact, and take down the export."""
        self.look()
        self.steady = True
        self.ledger.event("final")
        there = self.ledger.of(CURRENT)
        for at in range(0, len(there), 4):
            self.next_turn()
            self.ask_for(there[at : at + 4])
        shown = self.command("/memory export")
        found = re.findall(r'^\{.*?"content":"(.*?)","', shown, re.M)
        self.ledger.event("export", contents=found)

    def ask_for(self, facts):
        """The model searches for facts, and looks further down for those that are not on top."""

        def search(_):
            return [("memory_search", {"query": f.asked, "limit": 3}) for f in facts]

        def further(results):
            shown = str([result for _, _, result in results])
            missing = [fact for fact in facts if fact.token not in shown]
            for _ in missing:
                self.count("found behind three others, if at all")
            return [("memory_search", {"query": f.asked, "limit": 12}) for f in missing]

        self.say("do you still know?", rounds=[search, further])

    def report(self):
        """Yield the lines of the result."""
        yield "%d turns: %s" % (
            self.turn,
            ", ".join("%d %s" % (n, what) for what, n in sorted(self.counts.items())),
        )
        yield "model server: %s" % self.mind.counts
        for name, arguments, result in self.mind.failed[:5]:
            yield "no success: %s %s: %s" % (name, arguments, result)
        if self.mind.failed:
            yield "tools without success: %d" % len(self.mind.failed)


def _listed(shown):
    """[(id, content)] of what /memory list and /memory find print."""
    return re.findall(r"^(?:\d+  )?(mem-\S+)  (.*?)\r?$", shown, re.M)


_KINDS = (
    (0.19, Life.small_talk),
    (0.06, Life.story),
    (0.12, Life.tell),
    (0.04, Life.missed),
    (0.08, Life.store),
    (0.10, Life.update),
    (0.08, Life.correct),
    (0.04, Life.forget),
    (0.03, Life.forget_by_hand),
    (0.07, Life.note),
    (0.02, Life.pin),
    (0.06, Life.look_up),
    (0.03, Life.recall),
    (0.02, Life.read_file),
    (0.02, Life.compact),
    (0.035, Life.change_session),
    (0.005, Life.change_window),
)
