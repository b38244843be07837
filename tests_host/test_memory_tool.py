"""tools/memory.py on folders: reading, searching, ESP-Claw cards, merging."""

import json
import shutil
import struct

import pytest

from tests_host.flash_kit import one_sentence, tool

import memory_backup
import memory_merge
import memory_store
from flash_console import Stop

from claw_memory import durable, itemline
from claw_memory.longterm import LongTerm
from claw_memory.sessions import FINAL, USER, Sessions


class Clock:
    """A clock that the test sets."""

    now = 1760000000

    def __call__(self):
        return self.now


def store_at(folder, facts=(), now=1760000000):
    """A store with facts [(content, tags)] stored one after the other; gives (store, LongTerm)."""
    durable.make_dirs(str(folder / "memory"))
    durable.make_dirs(str(folder / "sessions"))
    clock = Clock()
    clock.now = now
    lt = LongTerm(str(folder / "memory"), clock)
    for content, tags in facts:
        lt.store(content, tags=tags)
        clock.now += 60 if now else 0
    lt.close()
    return folder, lt, clock


def reopen(folder, now):
    clock = Clock()
    clock.now = now
    return LongTerm(str(folder / "memory"), clock)


def contents(path):
    return sorted(item.content for item in memory_store.read(path).values())


PETS = (("The cat is called Pixel", "pets"), ("Takes oat milk in coffee", "food"))


def test_list_and_search(tmp_path):
    folder, _, _ = store_at(tmp_path / "s", PETS + (("猫叫小白", "宠物"),))
    process = tool("memory", "list", folder)
    assert "The cat is called Pixel" in process.stdout and "3 memories." in process.stdout
    process = tool("memory", "search", folder / "memory", "oat", "tea")
    assert "Takes oat milk" in process.stdout and "Pixel" not in process.stdout
    assert "1 found." in process.stdout
    assert "猫叫小白" in tool("memory", "search", folder, "小白").stdout
    assert "0 found." in tool("memory", "search", folder, "dog").stdout


def test_forgotten_facts_and_damaged_lines_are_not_listed(tmp_path):
    folder, _, _ = store_at(tmp_path / "s", PETS)
    lt = reopen(folder, 1760001000)
    lt.forget(lt.find("cat")[0].id)
    lt.close()
    with open(folder / "memory" / memory_store.RECORDS, "ab") as file:
        file.write(b'{"id":"torn","con')
    assert contents(folder) == ["Takes oat milk in coffee"]


def test_export_of_the_console_is_read(tmp_path):
    folder, _, _ = store_at(tmp_path / "s", PETS)
    export = tmp_path / "export.jsonl"
    export.write_bytes((folder / "memory" / memory_store.RECORDS).read_bytes())
    assert contents(export) == contents(folder)


def test_errors_are_one_sentence(tmp_path):
    assert "holds no memories" in one_sentence(tool("memory", "list", tmp_path))
    assert "not a backup" in one_sentence(tool("memory", "restore", tmp_path, "--yes"))
    assert "does not exist" in one_sentence(tool("memory", "backup", "--port", "/dev/ttyUSB99"))
    store_at(tmp_path / "s", PETS)
    (tmp_path / "there").mkdir()
    assert "exists already" in one_sentence(
        tool("memory", "merge", tmp_path / "s", tmp_path / "s", tmp_path / "there")
    )


def test_damaged_backup_is_refused_and_named(tmp_path):
    folder, _, _ = store_at(tmp_path / "s", PETS)
    memory_backup.seal(folder, {"root": "/"})
    assert memory_backup.check(folder)["files"]
    path = folder / "memory" / memory_store.RECORDS
    data = path.read_bytes()
    path.write_bytes(data.replace(b"Pixel", b"Pixie"))
    with pytest.raises(Stop, match="memory_records.jsonl differs"):
        memory_backup.check(folder)
    path.unlink()
    with pytest.raises(Stop, match="memory_records.jsonl is missing"):
        memory_backup.check(folder)


def test_secrets_are_left_out_and_kept_on_the_board():
    settings = json.dumps({"model.key": "sk-1", "wifi.password": "pw", "model.name": "m"})
    assert json.loads(memory_backup.without_secrets(settings)) == {"model.name": "m"}
    assert memory_backup.without_secrets("damaged sk-1") == "{}"
    merged = json.loads(memory_backup.with_secrets_of('{"model.name": "n"}', settings))
    assert merged == {"model.name": "n", "model.key": "sk-1", "wifi.password": "pw"}
    own = memory_backup.with_secrets_of('{"model.key": "sk-2"}', settings)
    assert json.loads(own)["model.key"] == "sk-2"


# --- ESP-Claw ---


def c_index(path):
    """Entries of an index file as the C component validates and reads them."""
    data = path.read_bytes()
    assert struct.unpack_from("<4sHH", data) == (b"CHDX", 1, 10)
    return [struct.unpack_from("<IIBB", data, at) for at in range(8, len(data), 10)]


def test_to_esp_claw_and_back(tmp_path):
    folder, _, _ = store_at(tmp_path / "s", PETS)
    lt = reopen(folder, 1760001000)
    cat = lt.recall(["pets"])[0].id
    lt.update(cat, content="The cat is called Pixel and is black")
    lt.close()
    sessions = Sessions(str(folder / "sessions"))
    sessions.persist("chat:serial:0:default_01", [(USER, "hello", None)])
    sessions.persist("chat:serial:0:default_01", [(FINAL, "hi", None)])
    log = next((folder / "sessions").glob("*.log"))
    before = log.read_bytes()
    card = tmp_path / "card"
    process = tool("memory", "to-esp-claw", folder, card)
    assert process.returncode == 0, process.stderr
    assert "2 memories are on" in process.stdout
    assert log.read_bytes() == before
    records = (card / "memory" / memory_store.RECORDS).read_bytes().splitlines()
    assert len(records) == 2 and all(len(line) <= 1023 for line in records)
    by_id = {json.loads(line)["id"]: json.loads(line) for line in records}
    assert by_id[cat]["access_count"] == 1 and by_id[cat]["content"].endswith("is black")
    index = json.loads((card / "memory" / "memory_index.json").read_bytes())
    digest = (card / "memory" / "memory_digest.log").stat().st_size
    assert index["last_compact_digest_size"] == digest, "a recall would count twice there"
    there = card / "sessions" / log.name
    entries = c_index(there.with_name(log.name + ".idx"))
    assert sum(length for _, length, _, _ in entries) == len(before)
    assert [kind for _, _, kind, _ in entries] == [1, 2]
    back = tmp_path / "back"
    assert tool("memory", "from-esp-claw", card, back).returncode == 0
    assert contents(back) == contents(folder)
    assert memory_backup.check(back)["firmware"] == "ESP-Claw"


def test_card_that_is_in_use_is_not_overwritten(tmp_path):
    folder, _, _ = store_at(tmp_path / "s", PETS)
    card, _, _ = store_at(tmp_path / "card", (("Something else", "other"),))
    assert "is not empty" in one_sentence(tool("memory", "to-esp-claw", folder, card))
    assert contents(card) == ["Something else"]


# --- merge ---


def merged(tmp_path, first, second, name="merged"):
    notes = memory_merge.merge(first, second, tmp_path / name)
    assert not (tmp_path / (name + ".partial")).exists()
    return tmp_path / name, notes


def test_merge_is_the_union_without_doubles(tmp_path):
    a, _, _ = store_at(tmp_path / "a", PETS)
    b, _, _ = store_at(
        tmp_path / "b",
        (("the cat is called pixel.", "pets"), ("Runs on Sundays", "sport")),
        1760500000,
    )
    out, notes = merged(tmp_path, a, b)
    texts = contents(out)
    assert len(texts) == 3 and notes == []
    assert sum("pixel" in text.lower() for text in texts) == 1
    assert reopen(out, 1760900000).count() == 3


def test_merge_of_boards_without_a_clock_that_used_the_same_ids(tmp_path):
    a, _, _ = store_at(tmp_path / "a", PETS, now=0)
    b, _, _ = store_at(
        tmp_path / "b", (("Plays the piano", "music"), ("Born in Ulm", "life")), now=0
    )
    assert set(memory_store.read(a)) & set(memory_store.read(b))
    out, _ = merged(tmp_path, a, b)
    assert contents(out) == sorted(contents(a) + contents(b))


def test_merge_of_boards_that_stored_in_the_same_second(tmp_path):
    a, _, _ = store_at(tmp_path / "a", PETS)
    b, _, _ = store_at(tmp_path / "b", (("Plays the piano", "music"), ("Born in Ulm", "life")))
    assert set(memory_store.read(a)) == set(memory_store.read(b))
    out, _ = merged(tmp_path, a, b)
    assert contents(out) == sorted(contents(a) + contents(b))


def test_merge_takes_the_newer_wording_and_the_newer_forget(tmp_path):
    a, _, _ = store_at(tmp_path / "a", PETS + (("Lives in York", "home"),))
    b = tmp_path / "b"
    shutil.copytree(a, b)
    lt = reopen(b, 1760002000)
    lt.update(lt.find("cat")[0].id, content="The cat is called Pixel and is black")
    lt.forget(lt.find("oat milk")[0].id)
    lt.close()
    for number, (one, two) in enumerate(((a, b), (b, a))):
        out, _ = merged(tmp_path, one, two, "m%d" % number)
        assert contents(out) == ["Lives in York", "The cat is called Pixel and is black"]


def test_merge_keeps_a_wording_that_is_newer_than_the_forget(tmp_path):
    a, _, _ = store_at(tmp_path / "a", PETS)
    b = tmp_path / "b"
    shutil.copytree(a, b)
    lt = reopen(a, 1760002000)
    lt.forget(lt.find("cat")[0].id)
    lt.close()
    lt = reopen(b, 1760003000)
    lt.update(lt.find("cat")[0].id, content="The cat is called Dot now")
    lt.close()
    out, _ = merged(tmp_path, a, b)
    assert "The cat is called Dot now" in contents(out)


def test_merge_with_itself_changes_nothing(tmp_path):
    a, _, _ = store_at(tmp_path / "a", PETS)
    out, notes = merged(tmp_path, a, a)
    assert contents(out) == contents(a) and notes == []
    assert {k: v.access_count for k, v in memory_store.read(out).items()} == {
        k: v.access_count for k, v in memory_store.read(a).items()
    }


def test_merge_counts_recalls_once(tmp_path):
    a, _, _ = store_at(tmp_path / "a", PETS)
    lt = reopen(a, 1760002000)
    for _ in range(3):
        lt.recall(["pets"])
    lt.close()
    b, _, _ = store_at(tmp_path / "b", (("Runs on Sundays", "sport"),), 1760500000)
    out, _ = merged(tmp_path, a, b)
    counts = {item.content: item.access_count for item in memory_store.read(out).values()}
    assert counts == {
        "The cat is called Pixel": 3,
        "Takes oat milk in coffee": 0,
        "Runs on Sundays": 0,
    }
    lt = reopen(out, 1760900000)
    lt.compact()
    assert lt.recall(["pets"])[0].access_count == 3


def test_merge_beyond_the_cap_loses_nothing_and_says_so(tmp_path):
    a, _, _ = store_at(tmp_path / "a", [("Fact number %d of a" % n, "a") for n in range(90)])
    b, _, _ = store_at(
        tmp_path / "b", [("Fact number %d of b" % n, "b") for n in range(90)], 1760500000
    )
    out, notes = merged(tmp_path, a, b)
    assert contents(out) == sorted(contents(a) + contents(b))
    assert any("holds 180 facts" in note for note in notes)


def test_merge_of_an_export(tmp_path):
    a, _, _ = store_at(tmp_path / "a", PETS)
    export = tmp_path / "export.jsonl"
    item = itemline.Item()
    item.id, item.content = "mem-1-0001", "Runs on Sundays"
    export.write_bytes(itemline.record(item))
    out, _ = merged(tmp_path, a, export)
    assert contents(out) == sorted(contents(a) + ["Runs on Sundays"])


def test_merge_of_sessions(tmp_path):
    a, _, _ = store_at(tmp_path / "a")
    b, _, _ = store_at(tmp_path / "b")
    for folder, last in ((a, "from a"), (b, "from b")):
        sessions = Sessions(str(folder / "sessions"))
        sessions.persist("chat:serial:0:x", [(USER, "hello", None), (FINAL, "hi", None)], True)
        sessions.persist("chat:serial:0:x", [(USER, last, None), (FINAL, "ok", None)], True)
        sessions.persist("chat:only:%s" % last[-1], [(USER, "alone", None)])
        sessions.close()
        durable.make_dirs(str(folder / "sessions" / "chat_map"))
        (folder / "sessions" / "chat_map" / "chat_x.json").write_text(
            json.dumps(
                {
                    "chat_key": "chat:serial:0",
                    "current_alias": last[-1],
                    "sessions": ["x", last[-1]],
                }
            )
        )
    out, _ = merged(tmp_path, a, b)
    sessions = Sessions(str(out / "sessions"))
    said = [m["content"] for m in sessions.history("chat:serial:0:x")]
    assert said == ["hello", "hi", "from a", "ok", "from b", "ok"]
    assert sessions.count("chat:only:a") == 1 and sessions.count("chat:only:b") == 1
    table = json.loads((out / "sessions" / "chat_map" / "chat_x.json").read_text())
    assert table["sessions"] == ["x", "a", "b"] and table["current_alias"] == "a"


def test_merge_keeps_both_profiles_and_notes_of_a_day(tmp_path):
    a, _, _ = store_at(tmp_path / "a", PETS)
    b, _, _ = store_at(tmp_path / "b", PETS)
    (a / "memory" / "user.md").write_text("Likes tea\n")
    (b / "memory" / "user.md").write_text("Likes coffee\n")
    (a / "memory" / "2026-01-02.md").write_text("- one\n- two\n")
    (b / "memory" / "2026-01-02.md").write_text("- two\n- three\n")
    out, notes = merged(tmp_path, a, b)
    assert (out / "memory" / "user.md").read_text() == "Likes tea\n"
    assert (out / "memory" / "user.other.md").read_text() == "Likes coffee\n"
    assert any("user.md differs" in note for note in notes)
    assert (out / "memory" / "2026-01-02.md").read_text() == "- one\n- two\n- three\n"


def test_merge_changes_neither_source(tmp_path):
    a, _, _ = store_at(tmp_path / "a", PETS)
    b, _, _ = store_at(tmp_path / "b", (("Runs on Sundays", "sport"),))
    before = {p: p.read_bytes() for f in (a, b) for p in f.rglob("*") if p.is_file()}
    merged(tmp_path, a, b)
    assert {p: p.read_bytes() for f in (a, b) for p in f.rglob("*") if p.is_file()} == before
