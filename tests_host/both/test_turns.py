"""Turn numbers: they count the user messages of a session for ever, across compactions."""

from bothlib import exists, read, tmpdir, write

from claw_memory import durable, limits, session_state
from claw_memory.sessions import CALLS, FINAL, RESULT, USER, Sessions

CALL = '{"role":"assistant","content":null,"tool_calls":[{"id":"c","type":"function"}]}'
ANSWER = '[{"role":"tool","tool_call_id":"c","content":"%s"}]' % ("x" * 400)


def turn(sessions, text, tools=True):
    sessions.persist("a", [(USER, text, None)])
    number = sessions.turn_number("a")
    if tools:
        sessions.persist("a", [(CALLS, None, CALL), (RESULT, None, ANSWER)])
    sessions.persist("a", [(FINAL, "answer to " + text, None)], completed=True)
    return number


def lowered(size, fn):
    saved = limits.SESSION_BYTES
    limits.SESSION_BYTES = size
    try:
        return fn()
    finally:
        limits.SESSION_BYTES = saved


def test_turns_count_user_messages_from_zero():
    root = tmpdir("turns")
    sessions = Sessions(root)
    assert sessions.turn_number("a") == 0
    assert [turn(sessions, "m%d" % n) for n in range(40)] == list(range(40))
    # what is not indexed yet, a restart, another session in between
    assert Sessions(root).turn_number("a") == 39
    sessions.persist("b", [(USER, "other", None)])
    assert sessions.turn_number("b") == 0 and sessions.turn_number("a") == 39
    # a batch of several user records
    sessions.persist("a", [(USER, "x", None), (USER, "y", None)])
    assert sessions.turn_number("a") == 41
    durable.remove(sessions.data_path("a") + ".idx")
    assert Sessions(root).turn_number("a") == 41
    assert not exists(sessions.data_path("a") + ".state")


def test_turns_are_counted_once_and_then_followed():
    root = tmpdir("turns_once")
    sessions = Sessions(root)
    turn(sessions, "m")
    log = sessions.log("a")
    sessions.turn_number("a")
    log.block = None  # the entries are not looked at again
    assert [turn(sessions, "m%d" % n) for n in range(5)] == [1, 2, 3, 4, 5]


def test_numbers_go_on_after_old_tool_records_went():
    root = tmpdir("turns_tools")
    sessions = Sessions(root)
    numbers = lowered(4000, lambda: [turn(sessions, "m%d" % n) for n in range(20)])
    assert numbers == list(range(20))
    assert sessions.count("a") < 4 * 20  # it was compacted


def test_numbers_go_on_behind_turns_that_left_the_log():
    root = tmpdir("turns_dropped")
    sessions = Sessions(root)
    for n in range(6):
        turn(sessions, "m%d" % n, False)
    log = sessions.log("a")
    state = session_state.State()
    state.dropped = 10
    session_state.save(log, state)
    assert sessions.turn_number("a") == 15
    state = state.copy()
    state.summary = True  # the first record stands for the ten
    session_state.save(log, state)
    for opened in (sessions, Sessions(root)):
        assert opened.turn_number("a") == 14
        assert opened.info("a")[0] == 15
    assert turn(sessions, "more") == 15
    assert read(sessions.data_path("a") + ".state").startswith(
        b'{"flushed":null,"start":0,"tries":0,"dropped":10,"summary":true,"head":[256,'
    )
    # another program rewrote the log: numbers are not used again, the rest is not trusted
    state.start, state.flushed = 12, 11
    session_state.save(log, state)
    path = sessions.data_path("a")
    write(path, read(path)[len('{"role":"user","content":"m0"}\n') :])
    durable.remove(path + ".idx")
    found = session_state.load(path)
    assert (found.dropped, found.start, found.flushed, found.summary) == (10, 10, None, False)


def test_never_is_not_turn_zero():
    root = tmpdir("turns_never")
    sessions = Sessions(root)
    turn(sessions, "m")
    log = sessions.log("a")
    state = session_state.State()
    for flushed in (None, 0, 7):
        state.flushed = flushed
        session_state.save(log, state)
        assert session_state.load(log.path).flushed == flushed
        assert (session_state.load(log.path).flushed is None) == (flushed is None)


def test_a_damaged_state_says_nothing():
    root = tmpdir("turns_damaged")
    sessions = Sessions(root)
    turn(sessions, "m")
    path = sessions.data_path("a")
    good = b'{"flushed":1,"start":2,"tries":0,"dropped":3,"summary":true,"head":[1,2]}'
    for data in (b"", b"{", b"[]", b"null", good.replace(b"3", b'"x"'), good.replace(b"1,2", b"")):
        write(path + ".state", data)
        assert session_state.load(path).dropped == 0
        assert Sessions(root).turn_number("a") == 0
    write(path + ".state", b"{}" + b" " * limits.STATE_BYTES)
    assert Sessions(root).turn_number("a") == 0


def test_the_state_goes_with_its_session():
    root = tmpdir("turns_delete")
    sessions = Sessions(root)
    turn(sessions, "m")
    state = session_state.State()
    state.dropped = 5
    session_state.save(sessions.log("a"), state)
    write(sessions.data_path("a") + ".archive", b"")
    sessions.delete("a")
    path = sessions.data_path("a")
    assert not exists(path + ".state") and not exists(path + ".archive")
    # one that a cut deletion left behind counts for no new session
    write(path + ".state", b'{"flushed":1,"start":2,"tries":0,"dropped":3,"summary":true}')
    write(path + ".archive", b"{}")
    assert turn(Sessions(root), "new") == 0
    assert not exists(path + ".state") and not exists(path + ".archive")
