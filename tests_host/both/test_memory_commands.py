"""/memory at the console: each verb as a user sees it."""

import json

from bothlib import run, tmpdir, write

from claw_core import commands
from claw_core.agent import Agent
from claw_core.capability import Capabilities
from claw_core.config import Config
from claw_core.events import Event
from claw_memory import archive, limits, origin, session_condense
from claw_memory.memory import Memory
from claw_memory.sessions import FINAL, USER

_SESSION = "chat:serial:0:default_01"


class _Channel:
    name = "serial"

    def __init__(self):
        self.shown = []

    def emit(self, kind, text):
        self.shown.append(text)


class _Console:
    """Commands over a memory of its own."""

    def __init__(self, name):
        self.root = tmpdir(name)
        self.now = 1795986000
        self.open()

    def open(self, mode="full"):
        self.memory = Memory(self.root, clock=lambda: self.now, mode=mode)
        self.lt = self.memory.longterm
        self.channel = _Channel()
        config = Config(self.root + "/c.json")
        offline = object()
        self.agent = Agent(self.memory, Capabilities(), offline, offline, [self.channel], config)

    def say(self, text):
        del self.channel.shown[:]
        run(commands.run(self.agent, Event("serial", "0", "/memory " + text), self.channel))
        return "\n".join(self.channel.shown)

    def tell(self, message, content, tags=""):
        """A turn from which content was learned; its id."""
        self.memory.sessions.persist(_SESSION, [(USER, message, None)])
        turn = self.memory.sessions.turn_number(_SESSION)
        self.memory.sessions.persist(_SESSION, [(FINAL, "ok", None)], True)
        where = origin.member(_SESSION, turn, content, message)
        return self.lt.store(content, tags, origin=where)[1].id


def test_an_id_is_a_number_of_the_list_or_a_part_that_is_unique():
    c = _Console("mc_ids")
    cat = c.lt.store("The cat is called Pixel", "pet", id="cat-0001")[1].id
    c.lt.store("The dog is called Rex", "pet", id="dog-0002")
    c.lt.store("The bird is called Kiwi", "pet", id="bird-0002")
    for verb in ("why", "forget", "pin", "history", "share"):
        assert "type /memory list first" in c.say(verb + " 1"), verb  # nothing was listed yet
    listed = c.say("list").split("\n")
    assert listed[0].startswith("1  bird-0002  The bird is called Kiwi")
    assert listed[4].startswith("3  dog-0002")
    assert c.say("why 2").startswith("cat-0001")
    assert c.say("why cat-0001").startswith("cat-0001")
    assert c.say("why cat-").startswith("cat-0001")
    assert c.say("why 0001").startswith("cat-0001")
    assert "2 memories have such an id" in c.say("why 0002")
    assert "no number 999" in c.say("why 999")
    assert "no number 4" in c.say("forget 4")
    assert c.lt.get(cat) and c.lt.count() == 3


def test_a_number_whose_memory_is_gone_is_an_unknown_id():
    c = _Console("mc_gone")
    id = c.lt.store("The cat is called Pixel", "pet")[1].id
    c.say("list")
    c.lt.forget(id)
    said = "There is no memory with the id %s; /memory list shows them." % id
    for verb in ("why", "history", "forget", "pin", "unpin", "share", "unshare"):
        assert c.say(verb + " 1") == said, verb


def test_commands_that_stand_alone_refuse_more_words():
    c = _Console("mc_alone")
    for name in ("exit", "reset", "status"):
        del c.channel.shown[:]
        run(commands.run(c.agent, Event("serial", "0", "/%s now" % name), c.channel))
        assert c.channel.shown == ["Nothing goes behind /%s: type it alone." % name]
    assert not c.agent.leaving
    run(commands.run(c.agent, Event("serial", "0", "/exit "), c.channel))
    assert c.agent.leaving


def test_why_shows_the_words_and_when():
    c = _Console("mc_why")
    c.tell("hello", "User says hello")
    id = c.tell("My cat is called Pixel, by the way", "User's cat is called Pixel", "pet")
    inferred = c.tell("I sing in a choir", "User enjoys music", "hobby")
    c.open()
    shown = c.say("why " + id)
    assert "You said so in session default_01, turn 2, noted 2026-11-29 21:00." in shown
    assert '"My cat is called Pixel, by the way"' in shown
    assert "Inferred from what you said" in c.say("why " + inferred)
    plain = c.lt.store("Told by nobody", "x")[1].id
    assert "Where it came from is not known: manual, since 2026-11-29 21:00." in c.say(
        "why " + plain
    )
    c.memory.sessions.delete(_SESSION)
    assert "That message is no longer there." in c.say("why " + id)


def test_turns_and_sessions_are_called_the_same_everywhere():
    c = _Console("mc_called")
    id = c.tell("I keep an otter in the old bath upstairs", "User keeps an otter", "pet")
    run(commands.run(c.agent, Event("serial", "0", "/status"), c.channel))
    assert "session: default_01, 1 turn, " in "\n".join(c.channel.shown)
    c.tell("Its name is Fred", "The otter is called Fred", "pet")
    key = "chat:serial:0"
    shown = c.memory.names.command(key, "show 2", c.memory.sessions)
    assert shown.startswith("Session default_01, from turn 2:\n  you> Its name is Fred")
    assert "session default_01, turn 1, " in c.say("why " + id)
    run(commands.run(c.agent, Event("serial", "0", "/session list"), c.channel))
    assert "* default_01 (2 turns, " in c.channel.shown[-1]
    change = c.memory.sessions.condensing(_SESSION)
    change.write(change.cut(0, 1), session_condense.record("s"))
    assert "  session default_01, turn 1  I keep an otter in the old bath upstairs\n" in c.say(
        "find bath"
    )
    shown = c.memory.names.command(key, "show 1", c.memory.sessions)
    assert shown.startswith(
        "Session default_01, from turn 1:\n  you> I keep an otter in the old bath"
    )
    run(commands.run(c.agent, Event("serial", "0", "/status"), c.channel))
    assert "session: default_01, 2 turns, " in "\n".join(c.channel.shown)
    c.memory.names.new(key, "work")
    assert "session default_01, turn 1, " in c.say("why " + id)
    other = Event("tg", "7", "/memory why " + id)
    c.agent.config.set("memory.owner", "tg:7")  # besides the serial console
    assert c.say("why " + id) and "the owner's" not in c.channel.shown[-1]
    run(commands.run(c.agent, other, c.channel))
    assert "session default_01 of serial:0, turn 1, " in c.channel.shown[-2]


def test_history_shows_what_it_was_before():
    c = _Console("mc_history")
    id = c.lt.store("User lives in Bergen", "home")[1].id
    assert "It has not been anything else" in c.say("history " + id)
    c.now += 86400
    c.lt.update(id, "User lives in Oslo")
    for _ in range(2):
        shown = c.say("history " + id).split("\n")
        assert shown[0] == "2026-11-29 21:00  User lives in Bergen"
        assert shown[2] == "2026-11-30 21:00  User lives in Oslo (now)"
        c.lt.compact()


def test_forget_by_words_asks_when_several_fit_and_undo_brings_back():
    c = _Console("mc_forget")
    c.lt.store("The cat is called Pixel", "pet")
    c.lt.store("The cat eats tuna", "food")
    c.lt.store("The dog is called Rex", "pet")
    assert c.say("forget dog called") == (
        "Forgotten: The dog is called Rex (/memory undo brings it back)"
    )
    shown = c.say("forget cat")
    assert "Several fit: /memory forget NUMBER." in shown
    assert c.lt.count() == 2
    number = [line[0] for line in shown.split("\n") if "tuna" in line][0]
    assert "Forgotten: The cat eats tuna" in c.say("forget " + number)
    assert "Nothing remembered fits that; /memory list shows" in c.say("forget the weather")
    assert c.lt.count() == 1
    c.open()
    assert c.say("undo") == "Remembered again: The cat eats tuna"
    assert c.say("undo") == "Remembered again: The dog is called Rex"
    assert c.say("undo") == "Taken back: The dog is called Rex"
    c.lt.update(c.lt.find("cat tuna")[0].id, "The cat eats salmon")
    assert c.say("undo").endswith("The cat eats tuna (was: The cat eats salmon)")
    c.lt.compact()
    assert "no change to undo" in c.say("undo")


def test_pins_archive_and_stats():
    whole, limits.ITEMS = limits.ITEMS, 3
    try:
        c = _Console("mc_pins")
        first = c.lt.store("Fact number 0 alone", "x")[1].id
        assert c.say("pin " + first).endswith("Fact number 0 alone: pinned now")
        assert c.say("pin " + first).endswith("pinned already")
        for n in range(1, 6):
            c.now += 7200
            c.lt.store("Fact number %d alone" % n, "x")
        c.lt.compact()
        assert ", pinned" in c.say("list")
        shown = c.say("find number 2 alone")
        assert ", archived" in shown
        stats = c.say("stats")
        assert "memories: 3 of 3" in stats and "pinned: 1" in stats and "archived: 3" in stats
        id = [line for line in shown.split("\n") if "number 2" in line][0].split("  ")[1]
        assert c.say("why " + id).startswith(id)
        assert "archived: 3" in c.say("stats")  # asking why was no use of it
        assert "Forgotten: Fact number 2 alone" in c.say("forget number 2 alone")
        assert "number 2" not in c.say("find number 2 alone")
        assert c.say("unpin " + first).endswith("not pinned now")
    finally:
        limits.ITEMS = whole


def test_export_is_json_lines_or_markdown():
    c = _Console("mc_export")
    c.lt.store("The cat is called Pixel", "pet")
    c.lt.forget(c.lt.store("The dog is called Rex", "pet")[1].id)
    lines = [json.loads(line) for line in c.say("export").split("\n")]
    assert [line["content"] for line in lines] == ["The cat is called Pixel"]
    assert c.say("export markdown") == "- The cat is called Pixel (pet, 2026-11-29 21:00)"


def test_what_is_not_understood_is_explained():
    c = _Console("mc_use")
    for _ in range(2):
        assert c.say("fly") == "There is no /memory fly; /help lists what there is."
        assert c.say("f" * 99) == "There is no /memory %s…; /help lists what there is." % (
            40 * "f"
        )
        for verb in ("find", "why", "history", "forget", "pin", "unpin", "share", "unshare"):
            needs = {"find": "TEXT", "forget": "ID or TEXT"}.get(verb, "ID")
            missing = "Type /memory %s %s: the %s is missing." % (verb, needs, needs)
            assert c.say(verb) == missing
            long = "The %s is too long: type at most 400 characters." % needs
            assert c.say(verb + " " + "x" * 401) == long
        assert "it has no other form" in c.say("export xml")
        c.lt.store("The cat is called Pixel", "pet")
    for verb in ("why", "history", "pin", "unpin", "share", "unshare"):
        for id in ("mem-1-0001", "x" * 400):
            short = id if len(id) < 40 else id[:40] + "…"
            said = "There is no memory with the id %s; /memory list shows them." % short
            assert c.say(verb + " " + id) == said


def test_an_empty_store_is_said_to_be_empty():
    c = _Console("mc_empty")
    for line in ("", "list", "find tea", "forget tea", "export", "export markdown"):
        assert c.say(line) == "Nothing is remembered yet.", line
    assert c.say("stats").startswith("memories: 0 of ")
    assert c.say("undo").startswith("There is no change to undo")
    c.lt.store("The cat is called Pixel", "pet")
    nothing = "Nothing remembered fits that; /memory list shows what there is."
    assert c.say("find tea") == c.say("forget tea") == nothing
    c.open("lightweight")
    said = "Nothing is remembered yet: %s/memory/MEMORY.md is yours to write." % c.root
    assert c.say("list") == c.say("") == said
    write(c.root + "/memory/MEMORY.md", " \n\n")
    assert c.say("list") == said
    write(c.root + "/memory/MEMORY.md", "Likes tea\n")
    assert c.say("list") == "Likes tea"
    for line in ("list 3", "fly", "find tea", "forget", "stats"):
        assert c.say(line) == (
            "In lightweight mode there is only /memory list; edit MEMORY.md."
        ), line


def test_forget_finds_what_find_finds():
    c = _Console("mc_both")
    pizza, tea, home = "The best day has \U0001f355", "我喜欢喝绿茶", "This is my home"
    for content in (pizza, tea, home, "Dogs are feared"):
        c.lt.store(content)
    for text, content in (
        ("\U0001f355", pizza),
        ("茶", tea),
        ("my", home),
        ("dog", "Dogs are feared"),
        ("fear of dog", "Dogs are feared"),
    ):
        assert content in c.say("find " + text), text
        assert c.say("forget " + text).startswith("Forgotten: " + content), text
        c.say("undo")
    c.lt.store("This is my garden")
    shown = c.say("forget my")
    assert "garden" in shown and "home" in shown and "Several fit" in shown
    shown = c.say("forget the dog of the weather")
    assert "Dogs are feared" in shown and "Not all of that is in one of them" in shown
    assert c.lt.count() == 5
    assert c.say("forget 1").startswith("Forgotten: Dogs")
    write(c.memory.memory_dir + "/2026-11-20.md", "- saw an otter\n")
    assert c.say("forget otter").startswith("Only notes and messages fit that")


def test_find_looks_into_notes_too():
    c = _Console("mc_find")
    c.lt.store("The otter is called Fred")
    with open(c.memory.memory_dir + "/2026-11-20.md", "w") as f:
        f.write("- 08:15 saw an otter at the bridge\n")
    shown = c.say("find otters")
    assert "The otter is called Fred\n    [2026-11-29, memory]" in shown
    assert "2026-11-20  saw an otter at the bridge\n    [2026-11-20, note]" in shown
    numbers = {}
    for line in shown.split("\n"):
        if line[:1].isdigit():
            numbers["note" if "bridge" in line else "memory"] = line[0]
    assert c.say("forget " + numbers["note"]).endswith("is a note, not a memory.")
    assert c.say("forget " + numbers["memory"]).startswith("Forgotten: The otter")
    assert c.say("find walrus").startswith("Nothing remembered fits that")


def test_what_waits_for_its_compaction_is_archived_like_the_rest():
    whole, limits.ITEMS = limits.ITEMS, 3
    try:
        c = _Console("mc_waits")
        code = c.lt.store("The safe code is 4471", "safe")[1].id
        for n in range(3):
            c.lt.store("Fact number %d alone" % n, "x")
        assert "safe" not in c.say("list")
        assert "archived: 1" in c.say("stats")
        shown = c.say("find safe code")
        assert code in shown and "archived" in shown
        assert c.say("why " + code).startswith(code)
        assert "safe" not in c.say("list")  # asking why was no use of it
        assert "(now)" in c.say("history " + code)
        assert "The safe code is 4471" in c.say("list") and "archived: 1" in c.say("stats")
        c.lt.compact()
        assert "The safe code is 4471" in c.say("list")
        c.lt.store("Fact number 8 alone", "x")
        waits = [item.content for item in archive.waiting(c.lt)]
        assert len(waits) == 1 and "safe" not in waits[0]
        assert "Forgotten: " + waits[0] in c.say("forget " + waits[0])
        c.lt.store("Fact number 9 alone", "x")
        waits = [item.id for item in archive.waiting(c.lt)]
        assert c.say("pin " + waits[0]).endswith("pinned now")
        assert waits[0] in c.say("list")
    finally:
        limits.ITEMS = whole


def test_a_number_of_the_list_means_the_same_memory_after_it_was_shared():
    c = _Console("mc_sharenumber")
    c.lt.store("The bins go out on Monday", "bins")
    c.lt.store("The lift is broken", "house")
    c.say("list")
    for verb, said in (("share", "all users"), ("pin", "pinned now"), ("unshare", "yours alone")):
        for number in ("1", "2"):
            assert said in c.say(verb + " " + number)


def test_a_pin_goes_along_when_a_memory_is_shared():
    c = _Console("mc_sharepin")
    id = c.lt.store("The bins go out on Monday", "bins")[1].id
    c.say("pin " + id)
    assert "all users" in c.say("share " + id)
    for _ in range(2):
        assert "pinned: 1" in c.say("stats") and ", pinned" in c.say("list")
        c.open()
    assert "yours alone" in c.say("unshare " + id)
    assert "pinned: 1" in c.say("stats") and ", pinned" in c.say("list")
    c.say("undo")
    assert ", pinned" in c.say("list")
    c.lt.compact()
    assert "pinned: 1" in c.say("stats") and ", pinned" in c.say("list")


def test_words_that_mean_nothing_are_refused():
    c = _Console("mc_words")
    c.lt.store("The cat is called Pixel", "pet")
    for verb in ("undo", "list", "stats"):
        assert c.say(verb + " 3") == "Nothing goes behind /memory %s: type it alone." % verb
    assert c.lt.count() == 1


def test_a_forget_can_be_undone_although_a_compaction_is_due():
    whole, limits.DEAD_BYTES = limits.DEAD_BYTES, 900
    try:
        c = _Console("mc_hold")
        c.memory.rest()
        generation = c.lt.generation
        for n in range(40):
            c.lt.store("Fact number %d alone" % n, "x")
            said = c.say("forget number %d alone" % n)
            assert said.endswith("(/memory undo brings it back)")
            if c.lt.untidy:
                break
        assert c.lt.untidy and not c.memory.untidy()
        c.memory.rest()
        c.lt.idle()
        assert c.lt.generation == generation
        assert c.say("undo") == "Remembered again: Fact number %d alone" % n
        c.memory.rest()
        assert c.lt.generation == generation, "what was done before can be undone, too"
        assert c.say("undo").startswith("Taken back: Fact number %d alone" % n)
        if n:
            assert c.say("undo") == "Remembered again: Fact number %d alone" % (n - 1)
        c.lt.store("This ends the chain", "x")
        assert c.memory.untidy()
        c.memory.rest()
        assert c.lt.generation > generation and c.lt.count() == 1 + bool(n)
        for n in range(40, 99):  # nothing rests: past twice the threshold it is compacted
            c.lt.store("Fact number %d alone" % n, "x")
            said = c.say("forget number %d alone" % n)
            if "undo" not in said:
                break
        assert said.startswith("Forgotten: Fact number %d alone (for good" % n)
        assert "no change to undo" in c.say("undo")
    finally:
        limits.DEAD_BYTES = whole
