"""Scopes: what one user stores is neither shown to nor compared with what another one stores."""

# heap: 1M

from bothlib import Lowered, listdir, raises, read, tmpdir, write

from claw_memory import archive, jsonio, limits, scope, text, tools, undo
from claw_memory.errors import InvalidArg, InvalidState, NotFound
from claw_memory.memory import Memory

T = 1795988618


def opened(name):
    memory = Memory(tmpdir(name), lambda: T)
    chats = [memory.of_chat(*chat) for chat in (("serial", "0"), ("tg", "ann"), ("tg", "bob"))]
    return [memory] + chats


def contents(memory):
    return sorted([item.content for item in memory.longterm.list()])


def ask(memory, name, **args):
    return jsonio.loads(tools.call(memory, name, args, "s:" + name, 1))


def test_the_end_of_an_id_tells_whose_it_is():
    ann = scope.of_chat("tg", "ann")
    assert scope.home(b"mem-1-0001") == b"" == scope.home(b"mem-1-0001.uABCDEF0123456789")
    for odd in (b"mem-1-0001.u0123456789abcde", b"mem-1-0001.x0123456789abcdef"):
        assert scope.home(odd) == b""
    assert scope.home(b"mem-1-0001.d") == b".d"
    assert scope.home(b"mem-1-0001.s0123456789abcdef") == b".s0123456789abcdef"
    assert ann.user == scope.number("tg:ann") == "022c3a5c1be0c8c1"
    assert ann.suffix == ".u" + ann.user
    assert scope.visible("a" + ann.suffix, ann) and not scope.visible("a" + ann.suffix)
    assert scope.visible("a") and scope.visible("a", scope.OWNER) and not scope.visible("a", ann)
    assert scope.visible("a.d") and scope.visible("a.d", ann)


def test_users_are_told_apart_by_more_than_32_bits():
    one, other = "265771544", "926635473"
    assert text.fnv1a(b"tg:" + one.encode()) == text.fnv1a(b"tg:" + other.encode())
    memory = Memory(tmpdir("sc_apart"), lambda: T)
    one, other = memory.of_chat("tg", one), memory.of_chat("tg", other)
    item = one.longterm.store("I like figs")[1]
    assert len(item.id) == len("mem-1795986000-0001") + 18 <= limits.ID_BYTES
    assert contents(one) == ["I like figs"] and contents(other) == []
    assert one.scope.folder("") != other.scope.folder("")


def test_who_owns_a_chat_is_fixed_by_code():
    assert scope.of_chat("serial", "0").user == ""
    assert scope.of_chat("tg", "7", owner="serial, tg:7").user == ""
    assert scope.of_chat("tg", "77", owner="serial, tg:7").user != ""
    assert scope.of_chat("serial", "0", owner="tg").user != ""
    assert scope.of_chat("tg", "ann").user != scope.of_chat("tg", "bob").user
    assert scope.of_chat("mail", "ann").user != scope.of_chat("tg", "ann").user
    raises(InvalidArg, scope.of_chat, "tg:1", "2")


def test_a_single_user_costs_nothing():
    memory = Memory(tmpdir("sc_one"), lambda: T)
    owner = memory.of_chat("serial", "0", "chat:serial:0:default_01")
    assert owner is memory and memory.view() is memory.longterm
    item = owner.longterm.store("I drink tea")[1]
    assert item.id == "mem-%d-%04d" % (T, T % 10000 + 1)
    assert not memory.longterm.table.scoped and memory.longterm.hidden() is None


def test_everyone_sees_their_own():
    memory, owner, ann, bob = opened("sc_own")
    for who, drink in ((owner, "tea"), (ann, "milk"), (bob, "cocoa")):
        changed, item = who.longterm.store("I drink " + drink, drink, drink)
        assert changed and item.id.endswith(who.scope.suffix if who.scope else "")
    for who, drink in ((owner, "tea"), (ann, "milk"), (bob, "cocoa")):
        assert contents(who) == ["I drink " + drink]
        assert who.longterm.catalog() == [drink] == who.longterm.catalog(True)
        assert who.longterm.count() == 1
        assert [item.content for item in who.longterm.find("drink")] == ["I drink " + drink]
        assert [item.content for item in who.longterm.recall()] == ["I drink " + drink]
        assert who.longterm.recall(["milk", "tea", "cocoa"])[0].content == "I drink " + drink
    memory.close()
    again = Memory(memory.root, lambda: T)
    assert contents(again) == ["I drink tea"]
    assert contents(again.of_chat("tg", "bob")) == ["I drink cocoa"]
    again.longterm.compact()
    assert contents(again) == ["I drink tea"]
    assert contents(again.of_chat("tg", "ann")) == ["I drink milk"]


def test_nothing_is_compared_with_what_others_know():
    _, owner, ann, bob = opened("sc_same")
    assert owner.longterm.store("My sister is called Zoe")[0]
    assert ann.longterm.store("My sister is called Zoe")[0]
    assert bob.longterm.store("My sister is called Zoe Miller")[0]
    assert ann.longterm.store("sister is called Zoe")[0] is False
    assert contents(ann) == ["My sister is called Zoe"] == contents(owner)
    owner.longterm.compact()
    assert contents(ann) == ["My sister is called Zoe"] == contents(owner)
    assert contents(bob) == ["My sister is called Zoe Miller"]


def test_ids_of_others_do_not_exist():
    memory, owner, ann, bob = opened("sc_ids")
    mine = owner.longterm.store("The code of the door is 4711", "door")[1].id
    hers = ann.longterm.store("I am allergic to nuts", "health")[1].id
    before = read(memory.longterm.records)
    for who, id in ((ann, mine), (bob, mine), (bob, hers), (owner, hers)):
        for call, args in (
            ("memory_update", {"content": "nothing"}),
            ("memory_forget", {}),
            ("memory_store", {"content": "something new"}),
        ):
            if id == mine and call == "memory_store":
                continue  # in a user's chat it is the user's own id, see below
            said = ask(who, call, memory_id=id, **args)
            assert said["ok"] is False and said["code"] == "not_found"
            missing = ask(who, call, memory_id=id[:5] + "x" + id[6:], **args)
            assert missing["message"][-9:] == said["message"][-9:]
            assert "4711" not in str(said) and "nuts" not in str(said)
        raises(NotFound, who.longterm.get, id)
    assert read(memory.longterm.records) == before
    said = ask(ann, "memory_store", content="I like figs", memory_id=mine)
    assert said["memory_id"] == mine + ann.scope.suffix
    assert owner.longterm.get(mine).content == "The code of the door is 4711"


def test_an_id_that_a_caller_gives_gets_the_suffix():
    _, owner, ann, bob = opened("sc_given")
    item = ann.longterm.store("I like figs", id="fruit")[1]
    assert item.id == "fruit" + ann.scope.suffix
    assert ann.longterm.store("I like dates", id="fruit")[0] is True
    assert ann.longterm.get("fruit").content == "I like dates"
    long = ann.longterm.store("I have a boat", id="x" * 60)[1]
    assert len(long.id) == limits.ID_BYTES and long.id.endswith(ann.scope.suffix)
    assert ann.longterm.get(long.id).content == "I have a boat"
    assert owner.longterm.store("The fruit is mine", id="fruit")[1].id == "fruit"
    for bad in ("a.d", "a.s0123456789abcdef", "a" + bob.scope.suffix):
        raises((NotFound, InvalidState), ann.longterm.store, "mine now", id=bad)
        raises(NotFound, owner.longterm.store, "mine now", id=bad)
    ann.longterm.forget("fruit")
    raises(InvalidArg, ann.longterm.store, "again", id="fruit")


def test_what_is_the_devices_is_read_by_all_and_changed_by_the_owner():
    memory, owner, ann, _ = opened("sc_device")
    shared = memory.seen_by(scope.EVERYBODY)
    id = shared.longterm.store("The kitchen is on the ground floor", "house")[1].id
    assert id.endswith(".d")
    owner = memory.of_chat("serial", "0")
    for who in (owner, ann):
        assert contents(who) == ["The kitchen is on the ground floor"]
        assert who.longterm.store("the kitchen is on the ground floor!")[0] is False
    raises(InvalidState, ann.longterm.forget, id)
    raises(InvalidState, ann.longterm.update, id, "The kitchen is in the cellar")
    raises(InvalidState, ann.longterm.store, "The kitchen is in the cellar", id=id)
    # What says more becomes one's own and is not told to everybody.
    for who in (owner, ann):
        text = "The kitchen is on the ground floor, the key under the mat of %s" % who.scope.user
        assert who.longterm.store(text)[1].id != id
        old = who.longterm.store("The kitchen moved upstairs", instead_of=id)[1]
        assert old.id != id
    assert memory.longterm.get(id).content == "The kitchen is on the ground floor"
    assert owner.longterm.update(id, "The kitchen is on the first floor")[0]
    assert ann.longterm.get(id).content == "The kitchen is on the first floor"
    owner.longterm.forget(id)
    raises(NotFound, ann.longterm.get, id)


def test_the_owner_shares_and_takes_back():
    from claw_memory import share

    memory, owner, ann, bob = opened("sc_share")
    item = owner.longterm.store("The bins go out on Monday", "house", "bins")[1]
    hers = ann.longterm.store("The bins go out on Monday")[1].id
    size = memory.longterm.size
    shared = share.share(owner, item.id)
    assert shared.id == item.id + ".d" and memory.longterm.size > size
    assert bob.longterm.get(shared.id).content == "The bins go out on Monday"
    assert bob.longterm.catalog() == ["house"] and ann.longterm.count() == 2
    raises(NotFound, memory.longterm.get, item.id)
    assert share.share(owner, shared.id).id == shared.id
    for who, id in ((ann, hers), (ann, shared.id), (bob, shared.id)):
        raises(InvalidState, share.share, who, id)
        raises(InvalidState, share.unshare, who, id)
    raises(NotFound, share.share, owner, hers)
    again = Memory(memory.root, lambda: T)
    assert contents(again.of_chat("tg", "bob")) == ["The bins go out on Monday"]
    back = share.unshare(again, shared.id)
    assert back.id != item.id and scope.home(back.id.encode()) == b""
    assert contents(again) == ["The bins go out on Monday"]
    assert contents(again.of_chat("tg", "bob")) == []
    again.longterm.compact()
    assert contents(again) == ["The bins go out on Monday"]
    assert again.longterm.get(back.id).tags == "house"


def test_what_is_a_sessions_stays_in_it():
    memory = Memory(tmpdir("sc_session"), lambda: T)
    one = scope.of_chat("tg", "ann", "chat:tg:ann:one")
    two = scope.of_chat("tg", "ann", "chat:tg:ann:two")
    id = memory.view(one.of_session()).store("We plan a party for Max")[1].id
    assert id[-18:-16] == ".s"
    assert memory.view(one).get(id).content == "We plan a party for Max"
    assert contents(memory.seen_by(two)) == [] == contents(memory)
    raises(NotFound, memory.view(two).get, id)
    assert memory.view(one).update(id, "We plan a party for Moritz")[0]
    assert memory.view(one).forget(id).id == id
    owner = scope.of_chat("serial", "0", "chat:serial:0:a")
    memory.view(owner.of_session()).store("Only in here")
    assert contents(memory.seen_by(owner)) == ["Only in here"] and contents(memory) == []


def everything(folder):
    return b"".join([read(folder + "/" + name) for name in listdir(folder) if "." in name])


def test_what_is_a_sessions_goes_with_it():
    root = tmpdir("sc_gone")
    memory = Memory(root, lambda: T)
    key = "chat:tg:ann"
    for name in ("one", "two"):
        memory.names.new(key, name)
    memory.sessions.persist(key + ":one", [(1, "hello", None)])
    one = scope.of_chat("tg", "ann", key + ":one")
    two = scope.of_chat("tg", "ann", key + ":two")
    own = memory.view(one.of_session())
    id = own.store("We plan a party for Max")[1].id
    own.update(id, "We plan a party for Moritz")
    own.store("The cake is a surprise")
    memory.view(two.of_session()).store("We plan a trip")
    with Lowered(ITEMS=4):
        for n in range(9):
            memory.longterm.store("Fact number %d alone" % n)
        memory.longterm.compact()
        assert [item.content for item in own.list()] == ["The cake is a surprise"]
        assert [item.content for item in archive.entries(own)] == ["We plan a party for Moritz"]
        for word in (b"party for Max", b"party for Moritz", b"cake"):
            assert word in everything(memory.memory_dir)
        said = memory.names.command(key, "delete one", memory.sessions)
        assert said == "Session one and its history are gone, with 2 memories of its own."
        for _ in range(2):
            view = memory.view(one)
            assert list(view.list()) == [] == list(archive.everything(view))
            assert b"party" not in everything(memory.memory_dir)
            raises(NotFound, undo.undo, view)
            memory = Memory(root, lambda: T)
        memory.longterm.compact()
        assert b"cake" not in everything(memory.memory_dir)
        assert contents(memory.seen_by(two)) == ["We plan a trip"]
    memory.names.new(key, "one")
    said = memory.names.command(key, "delete two", memory.sessions)
    assert said == "Session two and its history are gone, with 1 memory of its own."
    memory.names.new(key, "three")
    said = memory.names.command(key, "delete one", memory.sessions)
    assert said == "Session one and its history are gone."


def test_tools_show_labels_of_ones_own_only():
    _, owner, ann, bob = opened("sc_labels")
    owner.longterm.store("I owe money to the bank", "debt", "bank")
    ann.longterm.store("I drink milk", "drink", "milk")
    said = ask(ann, "memory_recall", summary_labels=["debt"])
    assert said["available_summary_labels"] == ["drink"]
    assert ask(bob, "memory_recall", summary_labels=["debt"])["available_summary_labels"] == []
    assert ask(bob, "memory_list")["items"] == [] == ask(bob, "memory_recall")["items"]
    (item,) = ask(ann, "memory_list")["items"]
    assert item["content"] == "I drink milk" and item["summary_ids"] == []
    catalog = "".join(ann.context())
    assert "\n> drink\n" in catalog and "debt" not in catalog
    assert "debt" not in "".join(bob.context())


def test_a_share_of_the_room_is_everybodys():
    memory, owner, ann, bob = opened("sc_room")
    clock = [T]
    memory.longterm.clock = lambda: clock[0]
    for number in range(4):
        owner.longterm.store("My number %d of the house" % number)
    ann.longterm.store("I am the only one with a harp")
    clock[0] += 999999
    limits.ITEMS, most = 12, limits.ITEMS
    try:
        for number in range(30):
            bob.longterm.store("Word %d of a long story" % number)
        for compacted in (False, True):
            if compacted:
                memory.longterm.compact()
            assert owner.longterm.count() == 4 and ann.longterm.count() == 1
            assert bob.longterm.count() == 7
            assert len(contents(bob)) == 7 and len(contents(ann)) == 1
    finally:
        limits.ITEMS = most


def test_files_for_people_tell_of_the_owner_only():
    memory, owner, ann, _ = opened("sc_files")
    owner.longterm.store("I drink tea", "tea", "tea")
    ann.longterm.store("I drink milk", "milk", "milk")
    memory.longterm.derive()
    shown = read(memory.longterm.markdown).decode()
    assert "tea" in shown and "milk" not in shown
    assert b'"milk"' in read(memory.longterm.index)


def test_a_user_has_a_profile_of_her_own():
    memory, owner, ann, bob = opened("sc_profile")
    write(memory.memory_dir + "/user.md", "The owner is Olga.")
    write(memory.memory_dir + "/soul.md", "Be kind.")
    folder = ann.scope.folder(memory.memory_dir)
    from claw_memory import durable

    durable.make_dirs(folder)
    write(folder + "/user.md", "This is Ann.")
    for who, name in ((owner, "Olga"), (ann, "Ann"), (bob, "")):
        said = "".join(who.profile.parts())
        assert name in said and "Agent Soul (%s/soul.md):\nBe kind.\n" % memory.memory_dir in said
        assert ("User Profile" in said) == bool(name)
        assert ("Olga" in said) == (who is owner)
    head = "User Profile (%s/user.md):\n> This is Ann." % memory.memory_dir
    assert "".join(ann.profile.parts()).startswith(head)


def test_what_others_forgot_or_still_know_does_not_show():
    from claw_memory import forgotten

    _, owner, ann, bob = opened("sc_forgot")
    for who in (owner, ann, bob):
        who.longterm.store("The wedding is in Lisbon")
    ann.longterm.forget(next(ann.longterm.list()).id)
    told = "we talked about the wedding in Lisbon"
    assert forgotten.hides(forgotten.texts(ann.longterm), told)
    assert not forgotten.hides(forgotten.texts(bob.longterm), told)
    assert not forgotten.hides(forgotten.texts(owner.longterm), told)
