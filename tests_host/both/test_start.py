"""What a start finds in the memory and tells before the chat."""

import os

from bothlib import exists, read, tmpdir, write

from claw_core import start
from claw_core.config import Config
from claw_memory.session_names import map_name
from claw_memory.sessions import FINAL, USER

KEY = "chat:serial:0"


def opened(root):
    """(Memory or None, what was told)."""
    told = []
    config = Config(root + "/config.json", {"memory.root": root}, told.append)
    return start.open_memory(config, told.append), told


def test_an_orderly_memory_is_not_worth_a_word():
    root = tmpdir("start")
    for _ in range(2):
        memory, told = opened(root)
        assert memory.names.current(KEY) == KEY + ":default_01"
        memory.longterm.store("I like tea")
        memory.close()
        assert told == []


def test_a_damaged_map_of_the_chat_is_told_at_the_start():
    root = tmpdir("start_map")
    memory, _ = opened(root)
    session = memory.names.current(KEY)
    memory.sessions.persist(session, [(USER, "hello", None)])
    memory.sessions.persist(session, [(FINAL, "hi", None)], True)
    memory.close()
    path = root + "/sessions/chat_map/" + map_name("chat", KEY)
    write(path, b'{"cur')
    memory, told = opened(root)
    assert len(told) == 1 and path in told[0] and "another conversation" in told[0], told
    assert memory.names.current(KEY) == KEY
    assert len(told) == 1 and read(path) == b'{"cur'
    memory.close()


def test_a_folder_in_the_place_of_the_memories_is_told_at_the_start():
    root = tmpdir("start_folder")
    memory, _ = opened(root)
    memory.close()
    path = root + "/memory/memory_records.jsonl"
    if exists(path):
        os.remove(path)
    os.mkdir(path)
    write(path + "/x", b"x")
    memory, told = opened(root)
    assert told == ["A folder was in the place of %s: it is called %s.bad now." % (path, path)]
    memory.longterm.store("I like tea")
    memory.close()
    memory, told = opened(root)
    assert told == [] and [item.content for item in memory.longterm.list()] == ["I like tea"]
    memory.close()
    assert read(path + ".bad/x") == b"x"
    os.remove(path)
    os.mkdir(path)
    memory, told = opened(root)
    assert memory is None
    assert told == [path + " is a folder, but has to be a file: give it another name."]


def test_a_host_can_have_the_question_asked_whatever_is_set():
    first = "This board is not set up: shall it ask for Wi-Fi and model? Type yes or no."
    stopped = "The set-up stopped at its step zone: shall it go on? Type yes or no."
    path = tmpdir("start_ask") + "/config.json"
    for values, host, question in (
        ("{}", {}, first),
        ('{"time.zone":"UTC+2"}', {}, ""),
        ('{"time.zone":"UTC+2"}', {"setup.next": "ask"}, first),
        ('{"setup.next":"done"}', {"setup.next": "ask"}, first),
        ('{"setup.next":"zone"}', {"setup.next": "ask"}, stopped),
        ('{"setup.next":"zone"}', {"setup.next": "done"}, ""),
    ):
        write(path, values)
        config = Config(path, host, print)
        assert start.offer(config) == question, (values, host)
    # what the question leads to goes on where it stopped
    config = Config(path, {"setup.next": "ask"}, print)
    assert start.offer(config) == stopped and config.get("setup.next") == "zone"


def test_a_file_in_the_place_of_a_folder_is_named():
    for name in ("/memory", "/sessions", "/sessions/chat_map"):
        root = tmpdir("start_file")
        if name.count("/") > 1:
            os.mkdir(root + "/sessions")
        write(root + name, b"x")
        memory, told = opened(root)
        why = "%s is a file, but has to be a folder: give it another name." % (root + name)
        assert len(told) == 1 and told[0].endswith(why), told
        assert memory is None
