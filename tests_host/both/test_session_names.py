"""session_names: chat maps, aliases and their limits, sub-agents, the session commands."""

from bothlib import exists, listdir, raises, read, tmpdir, write

from claw_memory import durable, jsonio, limits
from claw_memory.errors import Corrupt, InvalidArg, InvalidState, NoSpace, NotFound
from claw_memory.session_names import Names, chat_key, map_name
from claw_memory.sessions import FINAL, USER, Sessions

KEY = "chat:serial:0"


def make(name):
    root = tmpdir(name)
    return root, Names(root), Sessions(root)


def chat_map(root, key=KEY):
    return read(root + "/chat_map/" + map_name("chat", key))


def test_chat_keys():
    assert chat_key("serial", 0) == KEY == Names.chat_key("serial", 0)
    assert chat_key("web", "ab", 2) == "agent:2:chat:web:ab"
    assert len(chat_key("c", "x" * 152)) == 159
    raises(InvalidArg, chat_key, "c", "x" * 153)


def test_map_file_names_collapse_other_characters():
    assert map_name("chat", "chat:a::b").startswith("chat_chat_a_b_")
    assert map_name("chat", "chat:a:b:::").startswith("chat_chat_a_b_")
    name = map_name("chat", "chat:" + "x" * 60)
    assert name.startswith("chat_chat_" + "x" * 19 + "_") and len(name) == 5 + 24 + 1 + 8 + 5
    assert map_name("chat", "chat:\u6c49:1").startswith("chat_chat_1_")


def test_a_new_chat_gets_default_01_and_its_map_has_the_documented_form():
    root, names, _ = make("n_first")
    assert names.current(KEY) == "chat:serial:0:default_01"
    want = b'{"chat_key":"chat:serial:0","current_alias":"default_01","sessions":["default_01"]}'
    assert chat_map(root) == want
    assert Names(root).current(KEY) == "chat:serial:0:default_01"


def test_new_on_an_unknown_chat_creates_only_the_new_one():
    root, names, _ = make("n_new")
    assert names.new(KEY, "work") == KEY + ":work"
    assert names.list(KEY) == (["work"], "work")
    assert names.new(KEY) == KEY + ":default_01"
    assert names.new(KEY) == KEY + ":default_02"
    assert Names(root).list(KEY) == (["work", "default_01", "default_02"], "default_02")
    raises(InvalidArg, names.new, KEY, "work")
    for bad in ("a b", "x" * 33, "\u6c49", "a.b"):
        raises(InvalidArg, names.new, KEY, bad)
    assert len(names.list(KEY)[0]) == 3


def test_a_chat_has_at_most_32_sessions_and_ids_are_bounded():
    _, names, _ = make("n_limit")
    for _i in range(32):
        names.new(KEY)
    assert names.list(KEY)[1] == "default_32"
    raises(InvalidState, names.new, KEY)
    raises(InvalidState, names.new, KEY, "one_more")
    saved = limits.SESSION_ID_BYTES
    limits.SESSION_ID_BYTES = 19
    try:
        raises(InvalidArg, names.new, "chat:b:1", "a_long_name")
    finally:
        limits.SESSION_ID_BYTES = saved


def test_switch_and_delete_remove_history_before_the_name():
    root, names, sessions = make("n_switch")
    first = names.current(KEY)
    sessions.persist(first, [(USER, "hello", None)])
    names.new(KEY, "other")
    raises(NotFound, names.switch, KEY, "nothing")
    raises(NotFound, names.delete, KEY, "nothing", sessions)
    raises(InvalidState, names.delete, KEY, "other", sessions)
    assert names.switch(KEY, "default_01") == first
    names.switch(KEY, "other")
    names.delete(KEY, "default_01", sessions)
    raises(NotFound, sessions.history, first)
    assert Names(root).list(KEY) == (["other"], "other")


def test_the_current_session_can_be_deleted_when_no_other_one_holds_anything():
    root, names, sessions = make("n_only")
    first = names.current(KEY)
    sessions.persist(first, [(USER, "hello", None), (FINAL, "hi", None)], True)
    sessions.waiting = (first, 1, 0)
    said = names.command(KEY, "delete default_01", sessions)
    assert said == "The history of session default_01 is gone; it begins anew."
    assert listdir(root) == ["chat_map"] and sessions.waiting == ()
    raises(NotFound, sessions.history, first)
    assert Names(root).list(KEY) == (["default_01"], "default_01")
    sessions.persist(first, [(USER, "again", None)], True)
    assert [m["content"] for m in sessions.history(first)] == ["again"]
    names.new(KEY, "blank")
    names.switch(KEY, "default_01")
    assert names.delete(KEY, "default_01", sessions) == 0
    assert Names(root).list(KEY) == (["default_01", "blank"], "default_01")
    sessions.persist(KEY + ":blank", [(USER, "hello", None)])
    raises(InvalidState, names.delete, KEY, "default_01", sessions)


def test_a_full_disk_with_one_session_gets_room_by_deleting_it():
    for known in (True, False):
        root, names, sessions = make("n_full_one")
        if known:
            names.current(KEY)
        sessions.persist(KEY + ":default_01", [(USER, "hello", None)], True)

        def refuse(*args):
            raise NoSpace("full")

        kept = durable.replace, durable.append
        durable.replace = durable.append = refuse
        try:
            assert "* default_01 (1 turn" in names.command(KEY, "list", sessions)
            said = names.command(KEY, "delete default_01", sessions)
        finally:
            durable.replace, durable.append = kept
        assert said == "The history of session default_01 is gone; it begins anew.", said
        assert listdir(root) == ["chat_map"]
        assert names.current(KEY) == KEY + ":default_01"


def test_a_damaged_map_is_left_alone_and_the_chat_goes_on_under_its_key():
    root, names, sessions = make("n_damaged")
    names.current(KEY)
    path = root + "/chat_map/" + map_name("chat", KEY)
    for bad in (
        b"{",
        b"[]",
        b'{"chat_key":"x","current_alias":"a","sessions":["a"]}',
        b"1",
        b'{"Chat_Key":"chat:serial:0","current_alias":"a","sessions":["a"]}',
    ):
        write(path, bad)
        again = Names(root)
        assert again.current(KEY) == KEY
        raises(Corrupt, again.list, KEY)
        assert path in again.command(KEY, "list", sessions)
        assert read(path) == bad


def test_unknown_keys_of_a_map_survive():
    root, names, _ = make("n_keys")
    names.current(KEY)
    path = root + "/chat_map/" + map_name("chat", KEY)
    write(path, b'{"x":[1],"chat_key":"chat:serial:0","sessions":["a"],"current_alias":"a"}')
    Names(root).new(KEY, "b")
    want = b'{"chat_key":"chat:serial:0","current_alias":"b","sessions":["a","b"],"x":[1]}'
    assert read(path) == want


def test_a_full_disk_does_not_keep_a_new_chat_from_talking():
    root, names, _ = make("n_full")

    def refuse(path, chunks):
        raise NoSpace("full")

    kept = durable.replace
    durable.replace = refuse
    try:
        assert names.current(KEY) == KEY + ":default_01"
        raises(NoSpace, names.new, KEY, "b")
    finally:
        durable.replace = kept
    assert names.current(KEY) == KEY + ":default_01"
    assert not exists(root + "/chat_map/nothing")


def test_subagent_numbers_are_never_used_again():
    root, names, sessions = make("n_sub")
    parent = KEY + ":default_01"
    ids = [names.subagents(parent).new() for _ in range(16)]
    assert ids[0] == parent + ":subagent_01" and ids[15] == parent + ":subagent_16"
    raises(InvalidState, names.subagents(parent).new)
    sessions.persist(ids[15], [(USER, "x", None)])
    names.subagents(parent).delete(ids[15], sessions)
    raises(NotFound, sessions.history, ids[15])
    raises(NotFound, names.subagents(parent).delete, ids[15], sessions)
    again = Names(root).subagents(parent)
    assert again.new() == parent + ":subagent_17"
    assert len(again.list()) == 16
    data = read(root + "/subagent_map/" + map_name("subagents", parent))
    assert data.startswith(b'{"parent_session_id":"chat:serial:0:default_01","next_suffix":18,')
    assert jsonio.loads(data)["child_ids"][0] == ids[0]


def test_commands_answer_in_sentences():
    root, names, sessions = make("n_cmd")
    say = lambda line: names.command(KEY, line, sessions)  # noqa: E731
    assert "default_01 (empty)" in say("list")
    sessions.persist(names.current(KEY), [(USER, "hello", None)], True)
    text = say("list")
    assert "* default_01 (1 turn, 34 bytes, last used " in text, text
    assert say("new work") == "Started session work; it is the current one."
    assert "  default_01" in say("list") and "* work" in say("list")
    assert say("switch default_01") == "Session default_01 is the current one now."
    assert "no session x" in say("switch x")
    sessions.persist(KEY + ":work", [(USER, "hello", None)], True)
    assert "current session" in say("delete default_01")
    assert say("delete work") == "Session work and its history are gone."
    assert "default_01" in say("new default_01")
    long = "旺" * 100
    turn = [(USER, "hello", None), (FINAL, long, None)]
    sessions.persist(names.current(KEY), turn, True)
    text = say("show")
    assert text.startswith("The end of session default_01, from turn 1:\n"), text
    assert "\n  you> hello\n  claw> 旺" in text and text.endswith("旺…"), text
    assert len(text.encode()) < 400
    names.new(KEY, "blank")
    assert say("show") == "Session blank is empty."
    for line in ("new a/b c", "new \u00e4\u00f6\u00fc", "switch a b", "delete a b"):
        assert "1 to 32 of A-Z, a-z, 0-9, - and _, and no blanks" in say(line), line
    assert say("show x") == "show takes the number of a turn, from 1 on, or nothing."
    for line in ("", "list x", "switch", "delete", "rename a"):
        assert say(line).startswith("Use new [name]"), line
    assert listdir(root + "/chat_map") == [map_name("chat", KEY)]
