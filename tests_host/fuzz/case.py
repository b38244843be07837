"""One case: damage a store, open it by the normal code path, and hold it to the promise."""

import damage
import scan
import store
from bothlib import wipe
from claw_memory import archive, durable, history, jsonio, limits, session_degrade
from claw_memory.errors import Blocked, Corrupt, InvalidState, NotFound
from claw_memory.sessions import FINAL, USER, file_name
from rng import Rng

POOL = 48  # stores that cases are made from
RECORDS = "/memory/memory_records.jsonl"

_pools = {}  # stores that were made in this process, by seed


class Wrong(Exception):
    """The promise was broken; the text says how."""


class Fuzzer:
    """Runs cases in the folder `work`, which is emptied after each.

    seed: of the whole run; a case is told by it and by its number.
    """

    def __init__(self, work, seed):
        self.work = work
        self.seed = seed
        self._pool = _pools.setdefault(seed, {})

    def pooled(self, number):
        """Store of this number, made when it is asked for the first time."""
        if number not in self._pool:
            self._pool[number] = store.make(self.work + "/pool", self.seed * POOL + number)
        return self._pool[number]

    def run(self, number):
        """Run a case. Returns (what was done, None or the exception that shows a defect)."""
        rng = Rng(self.seed, number)
        chosen = self.pooled(rng.below(POOL))
        other = self.pooled(rng.below(POOL))
        files = dict(chosen.files)
        done = damage.damage(files, other.files, rng)
        root = self.work + "/case"
        durable._kinds.clear()
        try:
            store.plant(root, files)
            _Case(root, chosen, other, files, rng).run()
        except Exception as e:
            return done, e
        finally:
            limits.SESSION_BYTES = 153600
            wipe(root)
        return done, None

    def kept(self, number, root):
        """Put the damaged files of a case into root, to be looked at."""
        rng = Rng(self.seed, number)
        chosen = self.pooled(rng.below(POOL))
        files = dict(chosen.files)
        other = self.pooled(rng.below(POOL))
        damage.damage(files, other.files, rng)
        wipe(root)
        store.plant(root, files)


def claim(condition, *what):
    """Raise Wrong unless the condition holds."""
    if not condition:
        raise Wrong(" ".join([str(part) for part in what]))


class _Case:
    def __init__(self, root, chosen, other, files, rng):
        self.root = root
        self.ids = chosen.ids
        self.files = files
        self.rng = rng
        self.known = set()
        for source in (chosen.files, other.files):
            for path in source:
                if path.endswith(".log"):
                    self.known.update(scan.split(source[path], source.get(path + ".idx", b"")))
                elif path == RECORDS:
                    self.known.update(source[path].split(b"\n"))
        self.known.discard(b"")

    def run(self):
        memory = self.open()
        state = self.look(memory, True)
        self.compare(state)
        state = self.work(memory, state)
        if self.rng.chance(60):
            memory.close()
        memory = self.open()
        self.same("after a restart", state, self.look(memory))
        memory.close()
        before = store.tree(self.root)
        memory = self.open()
        self.same("after a second restart", state, self.look(memory))
        after = store.tree(self.root)
        for path in sorted(set(before) | set(after)):
            claim(before.get(path) == after.get(path), "a start in order changed", path)
        if self.rng.chance(20):
            for _ in store.open_memory(self.root, [], mode="lightweight").context():
                pass

    def open(self):
        notices = []
        self.settings = store.open_config(self.root, notices)
        memory = store.open_memory(self.root, notices)
        for sentence in notices:
            good = 10 < len(sentence) < 400 and "\n" not in sentence
            claim(good and "Traceback" not in sentence, "a notice:", sentence)
        return memory

    def look(self, memory, thoroughly=False):
        """All that the memory shows: (records by session, items, profile, settings).

        thoroughly: also the messages of the sessions, and what a model is told.
        """
        sessions = {}
        for path in sorted(self.ids):
            session = self.ids[path]
            found = list(memory.sessions.records(session))
            sessions[path] = [raw for _, _, raw in found]
            claim(len(found) <= memory.sessions.count(session), path, "holds more than it counts")
            if thoroughly:
                memory.sessions.info(session)
                memory.sessions.turn_start(session, 500)
                self.check_messages(memory.sessions, session, found)
        items = {}
        for item in memory.longterm.list():
            claim(item.id not in items, "twice in the list:", item.id)
            items[item.id] = item.content
        claim(memory.longterm.count() == len(items), "count() and list() differ")
        profile = "".join(memory.profile.parts())
        for _ in memory.context() if thoroughly else ():
            pass
        return sessions, items, profile, list(self.settings.show())

    def check_messages(self, sessions, session, found):
        for raw in sessions.messages_raw(session):
            claim(raw[:1] == b"{" and jsonio.loads(raw) is not None, "sent:", raw)
        form = sessions.format
        sessions.format = 0  # nothing is degraded
        try:
            said = list(sessions.history(session))
        except NotFound:
            said = []
        sessions.format = form
        at = 0
        for kind, _, raw in found:
            try:
                value = session_degrade.parse(raw)
            except ValueError:
                continue
            for one in value if kind == 4 and isinstance(value, list) else (value,):
                if one is not None:
                    claim(at < len(said) and said[at] == one, "not in the history:", raw)
                    at += 1

    def compare(self, state):
        """What is complete in the files must be there, in order, and nothing twice."""
        sessions, items, _, _ = state
        for path in sessions:
            data = self.files.get(path, b"")
            shown = sessions[path]
            at = 0
            for raw in shown:
                place = data.find(raw, at)
                claim(place >= 0, path, "shows what is not there, or twice:", raw)
                at = place + len(raw)
            at = 0
            for raw in scan.records(data, self.known):
                while at < len(shown) and shown[at].strip(b" \t\r\n") != raw:
                    at += 1
                claim(at < len(shown), path, "does not show", raw)
                at += 1
        data = self.files.get(RECORDS, b"")
        there = scan.Items(data, self.known)
        for id in there.contents:
            wanted = there.contents[id]
            if id in there.unsure:
                continue
            if wanted is None:
                claim(id not in items, "forgotten, but shown:", id)
            else:
                claim(items.get(id) == wanted, id, "should be", wanted, "but is", items.get(id))
        text = str(data, "utf-8") if _is_utf8(data) else None
        for id in items if text is not None else ():
            claim(id in text or jsonio.literal(id)[1:-1] in text, "never stored:", id)

    # --- the next operations ---

    def work(self, memory, state):
        """Use the memory; returns what it must show from then on."""
        sessions, items, profile, _ = state
        rng = self.rng
        for _ in range(1 + rng.below(4)):
            what = rng.below(6)
            if what < 2:
                self.talk(memory, sessions)
            elif what == 2:
                text = "The fuzzer was here %d times" % rng.below(1 << 20)
                changed, item = memory.longterm.store(text, "fuzz")
                claim(changed or items.get(item.id) == item.content, "not stored")
                items[item.id] = item.content
                claim(memory.longterm.get(item.id).content == item.content, "not read back")
            elif what == 3 and items:
                id = rng.pick(sorted(items))
                memory.longterm.forget(id)
                del items[id]
            elif what == 4:
                self.recall(memory, items)
            else:
                self.name(memory, sessions)
        if rng.chance(15):
            self.compact(memory, items)
        self.settings.set("model.name", "after")
        return self.look_again(memory, sessions, items, profile)

    def look_again(self, memory, sessions, items, profile):
        state = self.look(memory)
        self.same("after the next operations", (sessions, items, profile, state[3]), state)
        return state

    def talk(self, memory, sessions):
        path = self.rng.pick(sorted(sessions))
        turn = [(USER, "next question", None), (FINAL, "next answer", None)]
        try:
            memory.sessions.gate(self.ids[path])
            memory.sessions.persist(self.ids[path], turn, self.rng.chance(50))
        except Blocked:
            claim(path + ".blocked" in self.files, path, "is blocked for no reason")
            return
        for kind, text, _ in turn:
            sessions[path].append(memory.sessions.raw_record(kind, text, None))

    def recall(self, memory, items):
        labels = memory.longterm.catalog()
        for label in labels[:2]:
            for item in memory.longterm.recall((label,)):
                claim(label in memory.longterm.labels(item), "recalled by a label it has not")
                claim(items.get(item.id) == item.content, "recalled what is not there")
        claim(len(memory.longterm.recall((), 50)) == min(50, len(items)), "recall is not complete")
        memory.longterm.find("cat tuna")
        for item in archive.entries(memory.longterm):
            claim(item.id not in items, "alive and archived:", item.id)
        for id in sorted(items)[:2]:
            history.of(memory.longterm, id)
        memory.longterm.derive()

    def compact(self, memory, items):
        before = dict(items)
        memory.longterm.compact()
        items.clear()
        for item in memory.longterm.list():
            items[item.id] = item.content
            claim(item.id in before, "a compaction invented", item.id)
        for id in before:
            said = [text for text in items.values() if _alike(text, before[id])]
            claim(id in items or said, "a compaction lost", id)

    def name(self, memory, sessions):
        for chat in store.CHATS:
            try:
                current = memory.names.current(chat)
                claim(current.startswith(chat), "another chat's session:", current)
                aliases, _ = memory.names.list(chat)
                claim(len(aliases) == len(set(aliases)), "an alias twice:", aliases)
                new = memory.names.new(chat)
                claim(memory.names.current(chat) == new, "not switched to", new)
                memory.names.switch(chat, aliases[0])
                memory.names.delete(chat, new[len(chat) + 1 :], memory.sessions)
                # where the map was lost, the name of an old session may be given again
                path = "/sessions/" + file_name(new)
                if path in sessions:
                    sessions[path] = []
                memory.names.subagents(current).list()
            except (Corrupt, InvalidState) as e:
                claim("/sessions/" in str(e) or "sessions" in str(e), e)

    def same(self, when, wanted, found):
        """The two states must be equal."""
        for name, old, new in zip(("sessions", "items", "profile", "settings"), wanted, found):
            if old != new:
                if isinstance(old, dict):
                    for key in sorted(set(old) | set(new)):
                        claim(old.get(key) == new.get(key), when, key, old.get(key), new.get(key))
                claim(False, when, name, "differ:", old, new)


def _alike(a, b):
    from claw_memory import items

    return items.norm(a) == items.norm(b)


def _is_utf8(data):
    try:
        str(data, "utf-8")
    except ValueError:
        return False
    return True
