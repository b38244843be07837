"""Plays the user of the soak: types, resets, cuts the power, and looks at what comes of it."""

import re
import subprocess
import time

from tests_host.boardlib import REPO, Board
from tests_host.both.__main__ import tool
from tests_host.soak.ledger import ITEMS, Ledger
from tests_host.soak.mind import LABELS, Mind

SESSION_BYTES = 6000  # the lowered limit
FROM_TURN = 500  # the heap must be flat from here on
FLAT_BYTES = 4096
_LIST_EVERY = 20
_WARM = 15  # turns after a start until most modules have been loaded
_WINDOWS = 10  # stretches of equal length into which a run is cut to compare its live heap
_TURN_BYTES = 12288  # what one turn can add to a session
_MOST = 100  # facts above which the user forgets some
_LIMITS = {
    ".log": 2 * SESSION_BYTES + _TURN_BYTES,  # without a server nothing writes a summary
    ".idx": 16384,
    "memory_records.jsonl": 131072,
    "memory_digest.log": 65536,
    "memory_index.json": 65536,
    "MEMORY.md": 65536,
    "config.json": 8192,
}
_BAD = ("Traceback", "went wrong inside", "cannot go on", "Error:")
# What a board short of RAM may say now and then; nothing may be lost by it.
_SHORT = ("not enough memory", "could not be tidied up", "not enough RAM", "no memory for")
_SHORT_PERCENT = 2
_BOOT = """
from claw_memory import limits
limits.SESSION_BYTES = %d
limits.SESSION_MOST = %d
""" % (SESSION_BYTES, 2 * SESSION_BYTES)


class Soak:
    """One run of so many turns."""

    def __init__(self, rng, fs, heap, turns, seconds=0):
        self.rng = rng
        self.resets = 1  # how many times as many as usual
        self.seconds = seconds  # after which it ends earlier, 0 for never
        self.turns = turns
        self.turn = 0
        self.started = 0  # turn of the last start
        self.ledger = Ledger()
        self.mind = Mind(self.ledger, rng, 30 * turns + 1000)
        env = {"CLAW_BASE_URL": self.mind.url, "CLAW_MODEL": "soak", "CLAW_API_KEY": "sk-soak-1"}
        boot = (REPO / "firmware/boot.py").read_text() + _BOOT
        files = {"/boot.py": boot, "/config.json": '{"time.zone":"UTC"}'}
        self.board = Board(files, firmware=True, fs=fs, heap=heap, env=env)
        self.fs = fs
        self.sessions = ["default_01"]
        self.current = "default_01"
        self.counts = {}
        self.heap = []  # (turn, turns since the start, bytes free)
        self.largest = {}
        self.flooding = False

    def close(self):
        """End board and server."""
        self.board.close()
        self.mind.close()

    def count(self, what, by=1):
        """Count what happened, for the report."""
        self.counts[what] = self.counts.get(what, 0) + by

    def recent(self):
        """The end of what the board printed."""
        return self.board.log[-3000:].decode("utf-8", "replace")

    def run(self):
        """All turns, and the last look."""
        self.check(self.board.prompt(60))
        start = time.monotonic()
        while self.turn < self.turns:
            if self.seconds and time.monotonic() - start > self.seconds:
                break
            self.turn += 1
            if self.turn % 1500 == 1200:
                self.flooding = True
            self.one()
            if self.turn % _LIST_EVERY == 0:
                self.look()
            if self.turn % 100 == 0:
                rate = self.turn / (time.monotonic() - start)
                print("turn %d, %.1f/s, %s" % (self.turn, rate, self.state()), flush=True)
        self.restart("power cut")
        self.look()
        for label in LABELS:
            wanted = {"summary_labels": [label], "limit": 32}
            self.say("what about %s" % label, tools=[[("memory_recall", wanted)]])

    def state(self):
        """Where the run is, in a few words."""
        free = self.heap[-1][2] if self.heap else 0
        return "%d facts, heap %d free" % (len(self.ledger.must), free)

    # --- turns ---

    def one(self):
        """A turn of a random kind, or a command, and now and then a restart."""
        dice = self.rng.random()
        if self.flooding and len(self.ledger.must) < ITEMS + 12:
            self.store(8)
            return
        if self.flooding:
            self.flooding = False
            self.look()
        if len(self.ledger.must) > _MOST and dice < 0.5:
            self.forget(6)
        elif dice < 0.35:
            self.say("how was my day number %d?" % self.turn, answer="All fine. " * 5)
        elif dice < 0.50:
            facts = [self.mind.fact() for _ in range(self.rng.randint(1, 2))]
            self.say("; ".join(content for content, _ in facts), facts=facts)
        elif dice < 0.58 and self.ledger.ids:
            self.correct()
        elif dice < 0.68:
            self.store(self.rng.randint(1, 3))
        elif dice < 0.76:
            wanted = {"summary_labels": [self.rng.choice(LABELS)], "limit": 32}
            self.say("tell me", tools=[[("memory_recall", wanted)], [("time_now", {})]])
        elif dice < 0.82 and self.ledger.ids:
            self.update()
        elif dice < 0.88 and self.ledger.ids:
            self.forget(1)
        elif dice < 0.96:
            words = "This is a long story, \u6545\u4e8b number %d. " % self.turn
            self.say(words * self.rng.randint(10, 40), answer=words * self.rng.randint(10, 30))
        else:
            self.change_session()
        if self.rng.random() < 0.026 * self.resets and self.unsteady():
            self.restart(self.rng.choice(("/reset", "soft reset", "power cut")))

    def say(self, words, **plan):
        """A turn: the plan is the server's, and now and then the power goes in the middle."""
        self.mind.begin(**plan)
        self.count("turns")
        if self.rng.random() < 0.016 * self.resets and self.unsteady():
            self.board.send_line(words)
            time.sleep(self.rng.random() * 0.6)
            self.restart("power cut in a turn")
            return
        shown = self.check(self.board.ask(words, 120))
        assert not self.mind.errors, self.mind.errors[0]
        if "reached its size limit" in shown:
            self.full()
            return
        for labels in re.findall(r"Memory update: \[(.*?)\]", shown):
            self.mind.noted(labels.split(";"))

    def unsteady(self):
        """True in the first half of the run; in the second the board must stay up and not leak."""
        return 2 * self.turn <= self.turns

    def check(self, shown):
        """Return what the board printed, if nothing in it is out of order."""
        for bad in _BAD:
            assert bad not in shown, shown
        self.count("short of RAM", any(words in shown for words in _SHORT))
        return shown

    def store(self, count):
        """The model stores so many facts."""
        facts = [self.mind.fact() for _ in range(count)]
        wanted = [("memory_store", {"content": c, "tags": label}) for c, label in facts]
        self.say("remember these", tools=[wanted])

    def known(self):
        """(content, id) of a fact that was seen on the board."""
        return self.rng.choice(sorted(self.ledger.ids.items()))

    def update(self):
        """The model changes a fact."""
        _, id = self.known()
        content, label = self.mind.fact()
        wanted = {"memory_id": id, "content": content, "tags": label}
        self.say("that is different now", tools=[[("memory_update", wanted)]])

    def correct(self):
        """The user corrects a fact, which is learned in the background."""
        old, _ = self.known()
        fact = self.mind.fact()
        self.say("Not so: " + old, facts=[fact], replaces=old)

    def forget(self, count):
        """The model forgets so many facts."""
        count = min(count, len(self.ledger.ids))
        chosen = self.rng.sample(sorted(self.ledger.ids.values()), count)
        self.say("forget it", tools=[[("memory_forget", {"memory_id": id}) for id in chosen]])

    # --- sessions ---

    def full(self):
        """The session is over its limit: go on in a new one."""
        self.count("full sessions")
        self.command("/session new s%d" % self.turn, "Started")
        self.current = "s%d" % self.turn
        self.sessions.append(self.current)
        while len(self.sessions) > 6:
            self.delete(self.sessions[0])

    def delete(self, name):
        """Remove a session."""
        self.count("sessions deleted")
        self.command("/session delete " + name, "gone")
        self.sessions.remove(name)

    def change_session(self):
        """Begin, switch or delete a session."""
        others = [name for name in self.sessions if name != self.current]
        what = self.rng.random()
        if not others or (what < 0.3 and len(self.sessions) < 6):
            self.current = "n%d" % self.turn
            self.command("/session new " + self.current, "Started")
            self.sessions.append(self.current)
        elif what < 0.8:
            self.current = self.rng.choice(others)
            self.command("/session switch " + self.current, "current one")
        else:
            self.delete(self.rng.choice(others))
        self.count("session commands")

    def command(self, line, wanted):
        """Type a command, again if memory is short; the answer must hold the words wanted."""
        for _ in range(5):
            shown = self.check(self.board.ask(line, 60))
            if not any(words in shown for words in _SHORT):
                break
        assert wanted in shown or "already" in shown, shown

    # --- restarts and looks ---

    def restart(self, how):
        """Reset the board in one of four ways; it must come back with its prompt."""
        self.count(how)
        self.started = self.turn
        self.check(self.board.restart(how, self.measure_files))

    def measure_files(self):
        """Compare the files of the switched-off board with their limits."""
        program = [tool("micropython"), str(REPO / "tests_host/soak/look.py")]
        shown = subprocess.run(
            [*program, self.board.image, self.fs], capture_output=True, text=True, check=True
        ).stdout
        for line in shown.splitlines():
            size, path = line.split(" ", 1)
            for end in _LIMITS:
                if path.endswith(end) and (end[0] != "." or path.startswith("/sessions/")):
                    self.largest[end] = max(self.largest.get(end, 0), int(size))
                    assert int(size) <= _LIMITS[end], "%s has %s bytes" % (path, size)

    def look(self):
        """Compare the list of memories with the ledger, and ask for the heap."""
        self.board.log = self.board.log[-20000:]
        shown = self.check(self.board.ask("/memory list", 60))
        if any(words in shown for words in _SHORT):
            return
        found = re.findall(r"^ *\d+  (mem-\S+)  (.*?)\r?$", shown, re.M)
        self.ledger.listed(found)
        shown = self.check(self.board.ask("/status", 60))
        free = re.search(r"heap: (\d+) bytes free", shown)
        if free:
            self.heap.append((self.turn, self.turn - self.started, int(free.group(1))))

    def windows(self):
        """[(first turn, median of the free heap, number of looks)] of warm boards.

        A look is what /status tells after a collection, between two turns. What is live then
        depends on how many memories there are and how long ago they were compacted, by some
        kilobytes and back; a median over a tenth of the run does not, but moves with a leak. All
        windows that lie behind FROM_TURN are compared, those of the second half, where the board
        is never restarted, with each other and with those of the first.
        """
        found = []
        length = max(1, self.turns // _WINDOWS)
        for first in range(0, self.turns, length):
            free = sorted(
                heap
                for turn, since, heap in self.heap
                if first <= turn < first + length and turn >= FROM_TURN and since >= _WARM
            )
            if free:
                found.append((first, free[len(free) // 2], len(free)))
        return found

    def report(self):
        """Yield the lines of the result."""
        yield "%d turns: %s" % (
            self.turn,
            ", ".join("%d %s" % (n, what) for what, n in sorted(self.counts.items())),
        )
        yield "model server: %s" % self.mind.counts
        yield "facts: %d made, %d must be there, %d checks, %d beyond the cap" % (
            self.mind.number,
            len(self.ledger.must),
            self.ledger.checks,
            self.ledger.trimmed,
        )
        yield "largest files: %s" % self.largest
        for first, free, looks in self.windows():
            yield "from turn %d: heap free after gc %d bytes (median of %d looks)" % (
                first,
                free,
                looks,
            )

    def problems(self):
        """What is wrong with the whole."""
        short = self.counts.get("short of RAM", 0)
        if 100 * short > _SHORT_PERCENT * self.turn:
            return ["%d turns were short of RAM" % short]
        frees = [free for _, free, _ in self.windows()]
        if frees and max(frees) - min(frees) > FLAT_BYTES:
            return ["the live heap moved by %d bytes" % (max(frees) - min(frees))]
        return []
