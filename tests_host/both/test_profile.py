"""The files that shape the agent: whole up to the caps, cut visibly, and never in the way."""

# heap: 512K

from bothlib import exists, read, tmpdir, write
from claw_memory import durable, limits
from claw_memory.memory import Memory


def opened(name, **more):
    limits.PROFILE_BYTES = 8192
    limits.PROFILES_BYTES = 24576
    told = []
    return Memory(tmpdir(name), lambda: 1795953600, notice=told.append, **more), told


def prompt(memory, session="s"):
    return "".join(memory.context(session))


def test_every_file_is_shown_whole_in_its_order():
    memory, told = opened("pf_all")
    for name in ("user", "soul", "identity", "agents", "tools"):
        write(memory.memory_dir + "/" + name + ".md", "\n\n# %s\n\nwords of it\n \n" % name)
    text = prompt(memory)
    at = [text.find(name + ".md):\n") for name in ("user", "soul", "identity", "agents", "tools")]
    assert min(at) > 0 and at == sorted(at)
    assert "agents.md):\n# agents\n\nwords of it\n\n" in text
    assert "user.md):\n> # user\n> \n> words of it\n\n" in text
    assert told == []


def test_missing_empty_and_damaged_files_are_no_obstacle():
    memory, told = opened("pf_bad")
    for name, data in (("user", b""), ("soul", b" \n\t\n"), ("agents", b"\xff\xfe\x00\xe7\x8c")):
        write(memory.memory_dir + "/" + name + ".md", data)
    durable.make_dirs(memory.memory_dir + "/tools.md")
    text = prompt(memory)
    assert "user.md)" not in text and "soul.md)" not in text and "tools.md)" not in text
    assert "identity.md)" in text and told == []


def test_over_the_cap_a_file_is_cut_on_a_character_and_the_user_told_once():
    memory, told = opened("pf_cap")
    limits.PROFILE_BYTES = 1001
    write(memory.memory_dir + "/soul.md", "\u732b" * 400)
    write(memory.memory_dir + "/user.md", "x\n" * 600)
    text = prompt(memory)
    assert text.count("\u732b") == 333
    assert "\u732b\n[cut: only the first 1001 bytes of this file are shown]" in text
    assert "\n> x\n[cut: only the first 1001 bytes of this file are shown]" in text
    prompt(memory)
    prompt(memory)
    assert len(told) == 2 and "soul.md" in told[1] and "user.md" in told[0] and "1001" in told[0]


def test_all_files_together_are_capped_too():
    memory, told = opened("pf_total")
    limits.PROFILES_BYTES = 1500
    for name in ("user", "soul", "identity", "agents"):
        write(memory.memory_dir + "/" + name + ".md", name[0] * 600)
    text = prompt(memory)
    assert "u" * 600 in text and "s" * 600 in text and "i" * 300 in text
    assert "i" * 301 not in text and "aaaa" not in text
    assert "agents.md):\n\n[cut: only the first 0 bytes of this file are shown]" in text
    assert len(told) == 2


def test_a_file_at_the_cap_is_not_cut():
    memory, told = opened("pf_exact")
    write(memory.memory_dir + "/soul.md", "z" * limits.PROFILE_BYTES)
    assert "z" * limits.PROFILE_BYTES in prompt(memory) and told == []
    assert max([len(piece) for piece in memory.context()]) < 700, "in pieces"


def test_bootstrap_is_shown_until_the_first_conversation_is_over():
    memory, _ = opened("pf_boot")
    path = memory.memory_dir + "/bootstrap.md"
    done = memory.memory_dir + "/bootstrap.done.md"
    write(path, "Ask who you are.\n")
    for _ in range(3):
        assert "Ask who you are." in prompt(memory)
    memory.answered("another session")
    assert exists(path), "nobody answered the conversation that saw it"
    memory.answered("s")
    assert not exists(path) and read(done) == b"Ask who you are.\n"
    for _ in range(limits.BOOTSTRAP_TURNS - 1):
        assert "Ask who you are." in prompt(memory), "the conversation goes on"
        memory.answered("s")
    assert "Ask who you are." not in prompt(memory)
    again = Memory(memory.root, memory.clock)
    assert "Ask who you are." not in prompt(again) and exists(done)
    write(path, "Again.\n")
    assert "Again." in prompt(again)
    again.answered("s")
    assert read(done) == b"Again.\n"


def test_another_session_or_start_ends_the_first_conversation():
    memory, _ = opened("pf_boot_two")
    write(memory.memory_dir + "/bootstrap.md", "Ask.\n")
    assert "Ask." in prompt(memory)
    assert "Ask." in prompt(memory, "other"), "without an answer it has not happened"
    memory.answered("other")
    assert "Ask." in prompt(memory, "other")
    assert "Ask." not in prompt(memory, "s") and "Ask." not in prompt(memory, "other")


def test_guidance_comes_from_the_user_or_the_firmware_or_is_missed_once():
    memory, told = opened("pf_guide")
    assert "memory_recall" in prompt(memory) and told == []
    durable.make_dirs(memory.root + "/skills")
    write(memory.root + "/skills/memory.md", "Mine.\n")
    again = Memory(memory.root, memory.clock, notice=told.append)
    assert "Mine." in prompt(again) and "memory_recall" not in prompt(again)
    write(memory.root + "/skills/memory.md", "")
    again = Memory(memory.root, memory.clock, notice=told.append)
    assert "Mine." not in prompt(again) and "Labels of what you remember" in prompt(again)
    assert told == []
    write(memory.root + "/skills/memory.md", b"\xff\x00" + b"G" * 9000)
    again = Memory(memory.root, memory.clock, notice=told.append)
    assert prompt(again).count("G") in (4094, 4095) and len(told) == 1


def test_without_guidance_the_device_works_and_says_so_once():
    from claw_memory import guidance

    beside = guidance._beside
    guidance._beside = lambda: "/nowhere/"
    try:
        memory, told = opened("pf_no_guide")
    finally:
        guidance._beside = beside
    assert len(told) == 1 and "skills/memory.md is missing" in told[0]
    assert "Labels of what you remember:\n(none)\n" in prompt(memory)
    assert len(told) == 1


def test_lightweight_mode_has_its_own_guidance_and_quotes_memory_md():
    memory, _ = opened("pf_light", mode="lightweight")
    write(memory.memory_dir + "/MEMORY.md", "- a\r- b\n")
    text = prompt(memory)
    assert "MEMORY.md:\n> - a\n> - b\n" in text
    assert "files_edit" in text and "memory_recall" not in text
