"""Forgetting for good: no words of it in any file, nor on the medium; all else stays."""

# heap: 32M

import os

from bothlib import ON_DEVICE, raises, read, run, tmpdir, write

from claw_core import commands
from claw_core.config import Config
from claw_core.events import Event
from claw_memory import (
    durable,
    erase,
    erase_flash,
    erase_job,
    erase_tells,
    erase_texts,
    platform,
    tools,
)
from claw_memory.errors import NotFound
from claw_memory.memory import Memory
from claw_memory.sessions import CALLS, FINAL, RESULT, USER

ID = "chat:serial:0:default_01"
OTHER = "chat:serial:0:work"
SECRETS = ("zanzibar7731", "Quetzalina", "Überwald", "0151-7782341")
FACT = "The safe word is Zanzibar7731 and the sister is called Quetzalina"


class Clock:
    now = 1790000000

    def __call__(self):
        Clock.now += 1
        return Clock.now


class Card:
    """A medium in RAM of this kind, mounted at /x."""

    def __init__(self, kind, size, block):
        self.image = bytearray(size)
        self.block = block
        self.kind = kind
        self.erased = self.written = 0
        import gc
        import vfs

        # To read from here allocates: a collection that closed a forgotten file then would change
        # the file system in the middle of what it does.
        gc.threshold(-1)

        self.fs = vfs.VfsLfs2 if kind == "lfs2" else vfs.VfsFat
        self.fs.mkfs(self)
        self.mount()

    def mount(self):
        import vfs

        durable._kinds.clear()
        vfs.mount(self.fs(self), "/x")

    def umount(self):
        import vfs

        vfs.umount("/x")

    def readblocks(self, n, buf, offset=0):
        at = n * self.block + offset
        buf[:] = memoryview(self.image)[at : at + len(buf)]

    def writeblocks(self, n, buf, offset=0):
        at = n * self.block + offset
        self.image[at : at + len(buf)] = buf
        self.written += len(buf)

    def ioctl(self, op, arg):
        if op == 4:
            return len(self.image) // self.block
        if op == 5:
            return self.block
        if op == 6:
            self.image[arg * self.block : (arg + 1) * self.block] = b"\xff" * self.block
            self.erased += 1
        return 0


def forms(word):
    """A word as bytes, in all forms in which a medium may hold it."""
    found = set()
    for said in (word, word.lower(), word.upper(), word[0].upper() + word[1:].lower()):
        found.add(said.encode())
        found.add("".join([c if ord(c) < 128 else "\\u%04x" % ord(c) for c in said]).encode())
        wide = b"".join([bytes((ord(c) & 255, ord(c) >> 8)) for c in said])
        # a directory of FAT holds a long name in parts of 5, 6 and 2 characters
        found.update([wide[at : at + 10] for at in range(0, len(wide) - 9, 2)])
    return found


def hits(image):
    """[(place, form)] of the secrets on a medium."""
    found = []
    for word in SECRETS:
        for form in forms(word):
            at = image.find(form)
            if at >= 0:
                found.append((at, form))
    return found


def turn(memory, session, said, answer="Noted.", calls=()):
    memory.sessions.persist(session, [(USER, said, None)])
    for n, (name, args) in enumerate(calls):
        value = tools.call(memory, name, args)
        made = {
            "role": "assistant",
            "content": None,
            "tool_calls": [
                {
                    "id": "c%d" % n,
                    "type": "function",
                    "function": {"name": name, "arguments": args},
                }
            ],
        }
        done = [{"role": "tool", "tool_call_id": "c%d" % n, "content": value}]
        memory.sessions.persist(session, [(CALLS, None, made), (RESULT, None, done)])
    memory.sessions.persist(session, [(FINAL, answer, None)], completed=True)


def fill(memory):
    """A history in which the secrets are told everywhere; return the id of the memory."""
    root = memory.root
    for n in range(6):
        turn(memory, ID, "Tell me about rivers, part %d" % n, "Rivers flow, said number %d." % n)
    old = "The safe word is Überwald, the phone 0151-7782341"
    item = memory.longterm.store(old, "codes", "safe")[1]
    turn(memory, ID, "My phone is 0151 7782341.", "I keep 01517782341.")
    turn(
        memory,
        ID,
        "remember: " + FACT,
        "Remembered: " + FACT,
        [
            ("memory_update", '{"memory_id":"%s","content":"%s"}' % (item.id, FACT)),
            ("memory_recall", '{"tags":"codes"}'),
            ("memory_list", "{}"),
        ],
    )
    turn(memory, OTHER, "What was it again?", "It was \u00dcberwald once, now ZANZIBAR7731!")
    turn(memory, OTHER, "Something else about boats")
    raw = '{"role":"user","content":"and \\u00dcberwald was before\\nQuetzalina"}'
    memory.sessions.persist(OTHER, [(USER, None, raw)])
    memory.sessions.persist(OTHER, [(FINAL, "I see", None)], completed=True)
    memory.longterm.store("Likes boats and rivers", "hobby")
    cat = memory.longterm.store("The cat is called Mia", "pets")[1]
    memory.longterm.derive()
    note = memory.memory_dir + "/2026-11-29.md"
    durable.append(note, "- 10:00 boats\n- 10:01 called Quetzalina at noon\n".encode())
    line = '{"id":"%s","at":1,"content":"%s","tags":"","keywords":"","source":""}\n'
    durable.append(memory.memory_dir + "/history.jsonl", (line % (item.id, old)).encode())
    durable.append(
        memory.memory_dir + "/history.jsonl", (line % (cat.id, "The cat is Mia")).encode()
    )
    archived = '{"turn":%d,"role":"user","content":"%s","at":1}\n'
    path = memory.sessions.data_path(OTHER) + ".archive"
    durable.append(path, (archived % (0, "Quetzalina again") + archived % (1, "boat")).encode())
    # a session and a file that were removed long ago, with names that tell it
    durable.make_dirs(root + "/files")
    name = root + "/files/About zanzibar7731 and more.txt"
    durable.replace(name, (b"zanzibar7731 " * 80,))
    durable.remove(name)
    turn(memory, "chat:quetzalina", "hello")
    memory.sessions.delete("chat:quetzalina")
    return item.id


def carried_out(steps):
    count = 0
    for _ in steps:
        count += 1
    return count


def everything(path):
    """All bytes of all files below path."""
    data = b""
    for name in os.listdir(path):
        whole = path + "/" + name
        data += everything(whole) if platform.isdir(whole) else read(whole)
    return data


def check_rest(memory):
    """What has nothing to do with it is all there."""
    said = [m["content"] for m in memory.sessions.history(ID)]
    for n in range(6):
        assert "Tell me about rivers, part %d" % n in said
        assert "Rivers flow, said number %d." % n in said
    assert erase_texts.MARK in said and len(said) == 22
    other = [m["content"] for m in memory.sessions.history(OTHER)]
    assert other == [
        "What was it again?",
        erase_texts.MARK,
        "Something else about boats",
        "Noted.",
        erase_texts.MARK,
        "I see",
    ]
    assert sorted([i.content for i in memory.longterm.list()]) == [
        "Likes boats and rivers",
        "The cat is called Mia",
    ]
    assert read(memory.memory_dir + "/2026-11-29.md") == b"- 10:00 boats\n"
    assert read(memory.memory_dir + "/history.jsonl").count(b"\n") == 1
    archive = read(memory.sessions.data_path(OTHER) + ".archive").decode().split("\n")
    assert erase_texts.MARK in archive[0] and "boat" in archive[1] and archive[2:] == [""]
    # the index fits the log, and an API gets calls with their results
    kinds = [kind for kind, _, _ in memory.sessions.records(ID)]
    assert kinds.count(CALLS) == kinds.count(RESULT) == 3
    raws = [bytes(raw) for raw in memory.sessions.messages_raw(ID)]
    assert len([raw for raw in raws if b"tool_calls" in raw]) == 3
    assert len([raw for raw in raws if b"tool_call_id" in raw]) == 3


def test_no_file_tells_what_was_erased():
    root = tmpdir("erase")
    memory = Memory(root, clock=Clock())
    id = fill(memory)
    assert hits(everything(root))
    shown = erase.preview(memory, id)
    carried_out(shown)
    assert shown.content == FACT
    assert "zanzibar7731" in shown.words and "quetzalina" in shown.words
    assert sum(shown.messages.values()) == 10, shown.messages
    assert sum(shown.lines.values()) == 2 and not shown.others and not shown.own
    before = everything(root)
    said = []
    carried_out(erase.run(memory, id, said.append))
    assert before != everything(root)
    assert not hits(everything(root))
    assert id.encode() not in read(memory.longterm.digest.path)
    assert said[0] == "Removed, besides the memory itself: 10 messages and 2 lines."
    assert erase.pending(memory) == ""
    check_rest(memory)
    raises(NotFound, memory.longterm.get, id)
    raises(NotFound, erase.preview, memory, id)
    # and it goes on being used
    turn(memory, ID, "one more", "and more")
    memory.longterm.store("Plays chess")
    memory.close()
    memory = Memory(root, clock=Clock())
    assert memory.longterm.count() == 3
    assert [m["content"] for m in memory.sessions.history(ID)][-2:] == ["one more", "and more"]


def steep(root):
    """Fill a medium with the secrets, as a large file of former times did, and remove that."""
    path = root + "/old.txt"
    data = "".join([word + " " for word in SECRETS]).encode() * 20
    try:
        with open(path, "wb") as f:
            while True:
                f.write(data[:512])
    except OSError:
        pass
    os.remove(path)


def on_medium(size, block, overwritten=True):
    """Erase on a medium of its own; return it."""
    kind = "fat" if platform.on_fat("/") else "lfs2"
    card = Card(kind, size, block if kind == "lfs2" else 512)
    try:
        steep("/x")
        memory = Memory("/x", clock=Clock())
        id = fill(memory)
        write("/x/config.json", "{}")
        assert len(hits(card.image)) > 4, hits(card.image)
        memory.close()
        memory = Memory("/x", clock=Clock())
        if overwritten:
            free = platform.free_bytes("/x")
            steps = carried_out(erase.run(memory, id, lambda sentence: None))
            assert steps > 10
            assert platform.free_bytes("/x") >= free - 16384
        else:
            tells = erase_job.learn(memory, id)[0]
            erase_job.save(memory, erase_job.TEXTS, tells)
            carried_out(erase._texts(memory, tells))
        check_rest(memory)
        assert not hits(everything("/x"))
        left = [name for name in os.listdir("/x/memory") if name.endswith(".tmp")]
        assert not left, left
        memory.close()
    finally:
        card.umount()
    return card


def test_nothing_is_left_on_the_medium():
    if not ON_DEVICE:
        return
    # the larger one has clusters of four sectors on FAT
    large = (8 << 20, 512) if platform.on_fat("/") else (1 << 20, 4096)
    for size, block in ((256 << 10, 4096), large, (600 << 10, 2048)):
        card = on_medium(size, block)
        assert hits(card.image) == []
        card = None


def test_without_overwriting_the_medium_still_has_it():
    if not ON_DEVICE:
        return
    for word in (b"zanzibar7731", b"Quetzalina"):
        assert any([word in found[1] for found in hits(on_medium(1 << 20, 4096, False).image)])


class Channel:
    """The console: answers a question, keeps what is shown."""

    name = "serial"

    def __init__(self, answer):
        self.answer = answer
        self.shown = []

    def emit(self, kind, text):
        self.shown.append(("! " if kind == "error" else "") + text)

    async def ask(self, hidden=False, lead=""):
        self.shown.append("?")
        return self.answer


def typed(memory, line, answer=""):
    """What the console shows for a line."""

    class Agent:
        listed = ()

    agent = Agent()
    agent.memory = memory
    agent.config = Config(tmpdir("erase_config") + "/config.json")
    channel = Channel(answer)
    run(commands.run(agent, Event("serial", "0", line), channel))
    return channel.shown


def test_the_command_shows_what_goes_and_asks():
    root = tmpdir("erase_command")
    memory = Memory(root, clock=Clock())
    memory.names.current("chat:serial:0")
    id = fill(memory)
    command = "/memory forget --hard "
    shown = typed(memory, command + id, "no")
    assert shown[0] == "To be forgotten for good: " + FACT
    assert "  session default_01: 7 messages (turns 7, 8)" in shown, shown
    assert "  %s/memory/2026-11-29.md: 1 line (number 2)" % root in shown
    total = ": 10 messages and 2 lines."
    assert "Together, besides the memory itself" + total in shown
    assert any(["quetzalina" in line and line.startswith("Recognised") for line in shown])
    worn = [line for line in shown if " are overwritten, which wears the " in line]
    kind = platform.fs_kind(root)
    assert [("the card" in line, "the flash" in line) for line in worn] == (
        [] if kind == "posix" else [(kind == "fat", kind != "fat")]
    )
    assert shown[-2:] == ["?", "Nothing was removed."]
    assert memory.longterm.get(id) and hits(everything(root))
    for odd in ("mem-7-7777", "x" * 99):
        short = odd if len(odd) < 40 else odd[:40] + "…"
        said = "! There is no memory with the id %s; /memory list shows them." % short
        assert typed(memory, command + odd) == [said]
    for odd in ("", "1 2"):
        assert typed(memory, command + odd) == [
            "! Type /memory forget --hard ID, with one ID: /memory list shows them."
        ]
    assert typed(memory, command + "1") == [
        "! A number is one of the last list: type /memory list first."
    ]
    shown = typed(memory, command + id, "yes")
    assert shown[-1].startswith("Forgotten for good.")
    assert "Removed, besides the memory itself" + total in shown
    assert not hits(everything(root))


def test_stopped_half_way_it_goes_on_when_asked_to():
    root = tmpdir("erase_stopped")
    memory = Memory(root, clock=Clock())
    id = fill(memory)
    steps = erase.run(memory, id, lambda sentence: None)
    for _ in range(20):
        next(steps)
    steps.close()
    assert erase.pending(memory) == "texts"
    assert typed(memory, "/memory forget --hard other")[-1].startswith("! Another one")
    said = []
    memory = Memory(root, clock=Clock(), notice=said.append)
    assert len(said) == 2 and "/memory forget --hard" in said[1]
    assert erase.pending(memory) == "flash" and not hits(everything(root))
    check_rest(memory)
    shown = typed(memory, "/memory forget --hard")
    assert shown[-1].startswith("Forgotten for good.") and erase.pending(memory) == ""
    said = []
    Memory(root, clock=Clock(), notice=said.append)
    assert not said


def test_what_was_forgotten_or_archived_before_can_be_erased_as_well():
    root = tmpdir("erase_before")
    memory = Memory(root, clock=Clock())
    id = fill(memory)
    memory.longterm.forget(id)
    carried_out(erase.run(memory, id, lambda sentence: None))
    assert not hits(everything(root))
    line = '{"id":"mem-5-0005","source":"manual","content":"%s","tags":"","keywords":"",' % FACT
    line += '"created_at":5,"updated_at":5,"access_count":0,"deleted":false,"summary_ids":[]}\n'
    durable.append(memory.memory_dir + "/archive_0.jsonl", ('{"archive":1}\n' + line).encode())
    turn(memory, ID, "Quetzalina called")
    assert typed(memory, "/memory forget --hard mem-5-0005", "yes")[-1].startswith("Forgotten")
    assert not hits(everything(root))
    assert read(memory.memory_dir + "/archive_0.jsonl") == b'{"archive":1}\n'


def told(content, *texts):
    """Which of the texts tell a memory of that content."""
    tells = erase_tells.Tells(b"salt")
    tells.add(content)
    return [text for text in texts if tells(text)]


def test_few_common_words_do_not_tell_it_wherever_they_are():
    for content, tell, other in (
        ("Likes tea", "I like tea.", "I would like the list of all places where one buys tea"),
        ("Likes tea", "- 10:00 he likes black tea", "likes cats\x1etea is hot"),
        (
            "User likes green tea",
            "You like green tea, and what else?",
            "The light is green, so the bus to the tea shop goes. Would you like that?",
        ),
        ("Works at night", "I work at night", "Good night. The trains to the north do not work"),
        ("Vegetarian", "He is vegetarian.", "Is there a vegetarian pizza?"),
        ("Vegetarian", "I am vegetarian", "a vegetarian cook book, bought in May"),
        ("喜欢绿茶", "我喜欢绿茶。", "我喜欢散步。他在绿地上喝茶，绿茶很贵"),
        ("\U0001f355", "content\x1e\U0001f355", "a day with \U0001f355"),
        (
            "I like to work at home in the evening",
            "Now that I work at home I like the evening most",
            "I like to be at home. " + "Bees fly out there. " * 9 + "Evening work.",
        ),
    ):
        assert told(content, tell, other) == [tell], content


def answered(root, content, others, answer):
    """(what the console shows for forgetting content for good, the memory)."""
    memory = Memory(root, clock=Clock())
    memory.names.current("chat:serial:0")
    for text, reply in others:
        turn(memory, ID, text, reply)
    id = memory.longterm.store(content)[1].id
    return typed(memory, "/memory forget --hard " + id, answer), memory


def test_it_is_always_said_how_it_is_recognised():
    for content, how in (
        ("Likes tea", "all words of a short text of it side by side."),
        ("Vegetarian", "a sentence of nothing but it."),
        ("\U0001f355", "a sentence of nothing but it."),
        ("Goes swimming on cold mornings", "most of its words within a few lines."),
        (
            "Likes the number 0151-7782341",
            "most of its words within a few lines, or by one of: 0151, 7782341, …7782341.",
        ),
    ):
        shown = answered(tmpdir("erase_how"), content, (), "no")[0]
        assert "Recognised by " + how in shown, shown
        assert "Together, besides the memory itself: nothing." in shown


def test_what_was_announced_is_what_goes():
    root = tmpdir("erase_exact")
    chat = (
        ("I like tea", "Tea it is."),
        ("I would like the list of all places where one buys tea", "There is a tea shop."),
        ("And what do I like?", "You like tea."),
    )
    memory = Memory(root, clock=Clock())
    memory.names.current("chat:serial:0")
    memory.names.new("chat:serial:0", "work")
    for session in (ID, OTHER):
        for text, reply in chat:
            turn(memory, session, text, reply)
    for name, key in (("u_1", "tg"), ("u_2", "tg")):
        memory.names.current("chat:%s:%s" % (key, name))
        turn(memory, "chat:%s:%s:default_01" % (key, name), "She likes tea", "ok")
    lt = memory.longterm
    lt.store("Nobody likes tea any more", id="other")
    lt.update("other", "All drink coffee")
    id = lt.store("Likes tea", id="mem-1-0001")[1].id
    lt.store("Likes apples", id="gone")
    lt.forget("gone")
    notes = memory.memory_dir + "/2026-11-29.md"
    write(
        notes, "- who likes the shop buys tea\n- he likes tea\n- tea, a colour of leaves I like\n"
    )
    shown = typed(memory, "/memory forget --hard " + id, "no")
    assert "  session default_01: 2 messages (turns 1, 3)" in shown, shown
    assert "  session default_01 of tg:u_1: 1 message (turn 1)" in shown
    assert "  session default_01 of tg:u_2: 1 message (turn 1)" in shown
    assert "  %s: 1 line (number 2)" % notes in shown
    assert "  %s: 1 line (number 1)" % lt.records in shown
    total = "besides the memory itself: 6 messages and 2 lines."
    assert "Together, " + total in shown
    shown = typed(memory, "/memory forget --hard " + id, "yes")
    assert "Removed, " + total in shown, shown
    assert read(notes) == b"- who likes the shop buys tea\n- tea, a colour of leaves I like\n"
    said = [m["content"] for m in memory.sessions.history(ID)]
    assert said[0] == said[5] == erase_texts.MARK
    assert said[1:5] == [chat[0][1], chat[1][0], chat[1][1], chat[2][0]]
    assert [item.content for item in lt.list()] == ["All drink coffee"]
    assert b"tea" not in read(lt.records) and b"any more" not in everything(memory.memory_dir)


def test_what_is_agreed_to_is_what_was_shown():
    root = tmpdir("erase_agreed")
    memory = Memory(root, clock=Clock())
    memory.names.current("chat:serial:0")
    turn(memory, ID, "Quetzalina called", "ok")
    id = memory.longterm.store("The boss is called Quetzalina")[1].id
    memory.longterm.store("The cat is called Mia")

    class Late(Channel):
        async def ask(self, hidden=False, lead=""):
            # meanwhile the list shows others, and the name is no longer the memory's alone
            agent.listed = ("", "another")
            memory.longterm.store("A moth is named Quetzalina")
            return "yes"

    class Agent:
        listed = ("", id)

    agent = Agent()
    agent.memory = memory
    agent.config = Config(tmpdir("erase_config") + "/config.json")
    channel = Late("")
    run(commands.run(agent, Event("serial", "0", "/memory forget --hard 1"), channel))
    assert "Together, besides the memory itself: 1 message." in channel.shown
    assert "Removed, besides the memory itself: 1 message." in channel.shown, channel.shown
    assert sorted([item.content for item in memory.longterm.list()]) == [
        "A moth is named Quetzalina",
        "The cat is called Mia",
    ]


def test_hashes_of_what_was_forgotten_go_and_nothing_else():
    root = tmpdir("erase_hashes")
    memory = Memory(root, clock=Clock())
    memory.names.current("chat:serial:0")
    lt = memory.longterm
    turn(memory, ID, "boats", "")
    lt.store("The cat is called Mia")
    id = lt.store("The pump of the pond hums")[1].id
    lt.forget(id)
    lt.compact()
    path = memory.memory_dir + "/history.jsonl"
    assert id.encode() in read(path) and b"gone" in read(path)
    note = memory.memory_dir + "/2026-11-29.md"
    write(note, "- boats\n\n---\n")
    shown = typed(memory, "/memory forget --hard " + id, "yes")
    assert shown[0] == "To be forgotten for good: hashes of words that are gone"
    assert "Recognised by its id alone." in shown
    assert "Removed, besides the memory itself: 1 line." in shown, shown
    assert id.encode() not in read(path)
    assert read(note) == b"- boats\n\n---\n" and lt.count() == 1


def test_the_time_left_never_rises():
    class Filler:
        total = 0

        def fill(self):
            for _ in range(8):
                self.total += 100
                yield

    for times in ((0, 300, 2900, 3000), (0, 100, 200, 9000), (0, 9000, 9100, 9200)):
        said = []
        clock = iter(times)
        kept = platform.ticks_ms
        platform.ticks_ms = lambda clock=clock: next(clock)
        try:
            for _ in erase_flash._fill(Filler(), 800, said.append):
                pass
        finally:
            platform.ticks_ms = kept
        assert len(said) == 3, said
        left = [int(line.split(", ")[1].split(" ")[0]) for line in said]
        assert left == sorted(left, reverse=True) and left[-1] > 0, said
