"""The copy to the board, over the real mpremote: only what differs, safe at every interruption."""

import json

import pytest

from tests_host.flash_kit import FINISH, SimBoard, one_sentence, small_firmware, tool

import flash_copy
import flash_files
import joined
from flash_board import Board, BoardError, NoRoom

NEW = {"main.py": None, "claw_core/more.py": b"MORE = 1\n", "claw_core/old.py": None}
OLD = {"claw_core/old.py": b"OLD = 1\n" * 50}


@pytest.fixture(scope="module")
def boards(tmp_path_factory):
    """A function that gives the simulated board with one file system; started when first used."""
    started = {}

    def get(fs):
        if fs not in started:
            started[fs] = SimBoard(tmp_path_factory.mktemp(fs), fs, "1048576")
            started[fs].fat = fs != "lfs2"
        wipe(started[fs])
        return started[fs]

    yield get
    for board in started.values():
        board.close()


@pytest.fixture
def sim(boards):
    """A simulated board with LittleFS2, wiped."""
    return boards("lfs2")


@pytest.fixture(params=["lfs2", "fat"])
def both(request, boards):
    """A simulated board with LittleFS2, then one with FAT, wiped."""
    return boards(request.param)


@pytest.fixture
def folders(tmp_path):
    """Two versions of a small firmware: 1.0.0 and 1.1.0."""
    first = small_firmware(tmp_path / "first", "1.0.0", OLD)
    second = small_firmware(tmp_path / "second", "1.1.0", {"claw_core/more.py": b"MORE = 1\n"})
    return first, second


def wipe(sim):
    with connected(sim) as board:
        board.remove([path for path, _ in board.tree("")])


class connected:
    """A Board that is taken over, as a context."""

    def __init__(self, sim):
        self.board = Board(sim.port)

    def __enter__(self):
        self.board.enter(soft_reset=False)
        return self.board

    def __exit__(self, *_):
        self.board.close()


def install(sim, folder, step=None, source=False, kind=Board):
    """Install a folder; returns the plan that was carried out."""
    files = flash_files.firmware_files(folder, source)
    manifest = flash_files.manifest_bytes(files, "mpy", flash_files.version(folder))
    board = kind(sim.port)
    try:
        board.enter(soft_reset=False)
        the_plan = flash_copy.plan(board, files)
        flash_copy.install(board, files, the_plan, manifest, sim.fat, step or (lambda *_: None))
        return the_plan
    finally:
        board.close()


def files_on(sim):
    with connected(sim) as board:
        return {path: board.read_file(path, size) for path, size in board.tree("")}


def test_first_installation_then_nothing_to_do(both, folders):
    install(both, folders[0])
    files = flash_files.firmware_files(folders[0])
    there = files_on(both)
    manifest = json.loads(there.pop("/claw_manifest.json"))
    assert there == files
    assert manifest["version"] == "1.0.0" and set(manifest["files"]) == set(files)
    assert "hello from 1.0.0" in both.boot_text("you> ")
    with connected(both) as board:
        the_plan = flash_copy.plan(board, files)
        assert flash_copy.is_current(
            board, the_plan, flash_files.manifest_bytes(files, "mpy", "1.0.0")
        )


def test_update_writes_only_what_differs_and_removes_only_its_own(sim, folders):
    install(sim, folders[0])
    mine = {
        "/lib/mine.py": b"x = 1\n",
        "/claw_core/notes.txt": b"mine",
        "/config.json": b"{}",
        "/memory/memory_records.jsonl": b'{"id":"a"}\n',
        "/sessions/s_x.log": b"log",
    }
    with connected(sim) as board:
        for path, data in mine.items():
            board.write_file(path, data)
    the_plan = install(sim, folders[1])
    assert set(the_plan.write) == {
        "/claw_memory/__init__.mpy",
        "/claw_core/chat.mpy",
        "/claw_core/more.mpy",
    }
    assert the_plan.stale == ["/claw_core/old.mpy"]
    there = files_on(sim)
    for path, data in mine.items():
        assert there.pop(path) == data
    there.pop("/claw_manifest.json")
    assert there == flash_files.firmware_files(folders[1])
    assert "hello from 1.1.0" in sim.boot_text("you> ")


def test_from_compiled_to_source_and_back(sim, folders):
    install(sim, folders[0])
    the_plan = install(sim, folders[0], source=True)
    assert "/claw_core/chat.mpy" in the_plan.stale and "/claw_core/chat.py" in the_plan.write
    assert "/main.py" not in the_plan.write
    assert "hello from 1.0.0" in sim.boot_text("you> ")
    install(sim, folders[0])
    assert "/claw_core/chat.py" not in files_on(sim)


def test_file_put_by_hand_that_would_hide_ours(sim, folders):
    with connected(sim) as board:
        board.write_file("/claw_core/chat.py", b"NAME = 'mine'\n")
    with pytest.raises(BoardError, match="/claw_core/chat.py was put on the board by hand"):
        install(sim, folders[0])
    assert list(files_on(sim)) == ["/claw_core/chat.py"]


def test_file_put_by_hand_that_would_not_be_used(sim, tmp_path):
    name = joined.JOINED["claw_core"].split()[0]
    package = small_firmware(
        tmp_path / "package", "1.0.0", {"claw_core/more.py": b"", "claw_core/__init__.py": b""}
    )
    install(sim, package)  # two files are alike in this one
    with connected(sim) as board:
        board.write_file("/claw_core/%s.py" % name, b"NAME = 'mine'\n")
    with pytest.raises(BoardError, match="/claw_core/%s.py was put .* not be used" % name):
        install(sim, package)
    install(sim, package, source=True)


def test_own_main_is_kept_aside(sim, folders):
    with connected(sim) as board:
        board.write_file("/main.py", b"print('mine')\n")
    the_plan = install(sim, folders[0])
    assert files_on(sim)["/main.old.py"] == b"print('mine')\n"
    assert flash_copy.notes(the_plan) == ["Your own /main.py is kept as /main.old.py."]


def test_certificates_of_the_user_are_left_alone(sim, folders):
    with connected(sim) as board:
        board.write_file("/certs/root.der", b"the user's")
        board.write_file("/certs/own.der", b"also the user's")
    the_plan = install(sim, folders[0])
    assert the_plan.left_alone == ["/certs/root.der"]
    there = files_on(sim)
    assert there["/certs/root.der"] == b"the user's"
    assert there["/certs/own.der"] == b"also the user's"


def test_skills_are_updated_unless_the_user_edited_them(sim, folders):
    small_firmware(
        folders[0],
        "1.0.0",
        {
            "skills/memory.md": b"how to 1",
            "skills/old.md": b"old",
            "skills/mine.md": b"plain",
            "skills/gone.md": b"gone",
        },
    )
    install(sim, folders[0])
    with connected(sim) as board:
        board.write_file("/skills/mine.md", b"my own words")
        board.write_file("/skills/gone.md", b"edited, too")
        board.write_file("/skills/other.md", b"made by the agent")
    for version in ("1.1.0", "1.2.0"):
        skills = {"skills/memory.md": b"how to " + version.encode(), "skills/mine.md": b"plain 2"}
        small_firmware(folders[1], version, skills)
        assert install(sim, folders[1]).left_alone == ["/skills/mine.md"]
        there = {path: data for path, data in files_on(sim).items() if "/skills/" in path}
        assert there == {
            "/skills/memory.md": skills["skills/memory.md"],
            "/skills/mine.md": b"my own words",
            "/skills/gone.md": b"edited, too",
            "/skills/other.md": b"made by the agent",
        }


def test_certificates_of_ours_are_updated_and_removed(sim, folders):
    install(sim, folders[0])
    small_firmware(folders[1], "1.1.0", {"certs/root.der": b"renewed"})
    install(sim, folders[1])
    assert files_on(sim)["/certs/root.der"] == b"renewed"
    small_firmware(folders[1], "1.1.0", {"certs/root.der": None})
    install(sim, folders[1])
    assert "/certs/root.der" not in files_on(sim)


class Cut(Exception):
    """The power went."""


class CutInMove(Board):
    """A board that loses power after a number of files have moved into place."""

    moves = 0

    def move(self, pairs, copy, each=None):
        for pair in pairs:
            if self.moves == 0:
                raise Cut
            type(self).moves -= 1
            super().move([pair], copy, each)


def check_state(sim):
    """After a cut: the old or the new version runs whole, or exactly one line says what to do."""
    text = sim.boot_text(">>> ")
    whole = [v for v in ("1.0.0", "1.1.0") if "hello from %s with chat %s" % (v, v) in text]
    assert len(whole) + text.count(FINISH) == 1, text
    assert "Traceback" not in text and "Error" not in text, text
    return whole[0] if whole else "unfinished"


def test_interrupted_after_every_file(sim, folders):
    install(sim, folders[0])
    states = []
    for count in range(1, 50):
        seen = []

        def step(text, done, total, seen=seen, count=count):
            seen.append(text)
            if len(seen) == count and text != "done":
                raise Cut

        try:
            install(sim, folders[1], step)
        except (Cut, BoardError):
            states.append(check_state(sim))
            install(sim, folders[0])
            continue
        break
    assert seen[-1] == "done" and len(seen) == count > 6
    assert states[:2] == ["1.0.0", "1.0.0"] and "unfinished" in states
    assert check_state(sim) == "1.1.0"


def test_interrupted_after_every_move(both, folders):
    install(both, folders[0])
    states = []
    for count in range(50):
        CutInMove.moves = count
        try:
            install(both, folders[1], kind=CutInMove)
        except Cut:
            states.append(check_state(both))
            install(both, folders[0])
            continue
        break
    assert count == 5 and states == ["1.0.0"] + ["unfinished"] * 4
    assert check_state(both) == "1.1.0"
    expected = flash_files.firmware_files(folders[1])
    there = files_on(both)
    there.pop("/claw_manifest.json")
    assert there == expected


def test_interrupted_first_installation(sim, folders):
    for count in (0, 2, 8):
        wipe(sim)
        CutInMove.moves = count
        with pytest.raises(Cut):
            install(sim, folders[0], kind=CutInMove)
        text = sim.boot_text(">>> ")
        assert text.count(FINISH) == (1 if count > 1 else 0), text
        assert "Traceback" not in text
        install(sim, folders[0])
        assert "hello from 1.0.0" in sim.boot_text("you> ")


def test_cut_while_main_is_being_copied_on_fat(sim, folders):
    install(sim, folders[0])
    with connected(sim) as board:
        board.write_file("/update.part", b"{}")
        board.write_file("/main.py", b"")
    text = sim.boot_text(">>> ")
    assert text.count(FINISH) == 1 and "hello" not in text


def test_staged_files_are_not_sent_again(sim, folders):
    with pytest.raises(Cut):

        def step(text, done, total):
            if done * 2 > total:
                raise Cut

        install(sim, folders[0], step)
    with connected(sim) as board:
        the_plan = flash_copy.plan(board, flash_files.firmware_files(folders[0]))
        assert len(the_plan.staged) > 1
        other = flash_copy.plan(board, flash_files.firmware_files(folders[1]))
        assert other.leftovers
    install(sim, folders[1])
    assert not [path for path in files_on(sim) if path.startswith("/update")]


class Flaky(Board):
    """A board whose flash returns something else for the first `bad` files."""

    bad = 1

    def write_file(self, path, data, progress=None):
        digest = super().write_file(path, data, progress)
        if type(self).bad:
            type(self).bad -= 1
            return "0" * 64
        return digest


def test_hash_mismatch_is_repeated_once_then_reported(sim, folders):
    Flaky.bad = 1
    install(sim, folders[0], kind=Flaky)
    wipe(sim)
    Flaky.bad = 2
    with pytest.raises(BoardError, match="reads back different"):
        install(sim, folders[0], kind=Flaky)


class Decaying(Board):
    """A board on which an installed file changes by itself before it is verified."""

    def remove(self, paths):
        super().remove(paths)
        if self.hashes(["/main.py", "/update.part"]).keys() == {"/main.py", "/update.part"}:
            self.write_file("/claw_core/chat.mpy", b"worn")


def test_installed_file_that_differs_is_named_and_the_update_stays_open(sim, folders):
    with pytest.raises(BoardError, match="/claw_core/chat.mpy on the board differs"):
        install(sim, folders[0], kind=Decaying)
    assert sim.boot_text(">>> ").count(FINISH) == 1
    install(sim, folders[0])
    assert "hello from 1.0.0" in sim.boot_text("you> ")


def test_full_file_system_changes_nothing(both, folders):
    install(both, folders[0])
    before = files_on(both)
    import random

    big = random.Random(1).randbytes(1200000)
    small_firmware(folders[1], "1.1.0", {"defaults/big.md": big})
    with pytest.raises(NoRoom, match="nothing was changed"):
        install(both, folders[1])
    assert files_on(both) == before


class OptimistBoard(Board):
    """A board whose statvfs promises more room than there is."""

    def value(self, expression):
        return [super().value(expression)[0], 1 << 30]


def test_disk_full_in_the_middle_leaves_the_old_version_and_its_room(both, folders):
    install(both, folders[0])
    before = files_on(both)
    with connected(both) as board:
        board.run(
            "s = os.statvfs('/')\nb = bytes(1024)\nf = open('/own.bin', 'wb')\n"
            "for _ in range(s[0] * s[3] // 1024 - 12):\n f.write(b)\nf.close()"
        )
    small_firmware(folders[1], "1.1.0", {"defaults/a.md": b"a" * 60000})
    with pytest.raises(NoRoom, match="full: nothing was changed"):
        install(both, folders[1], kind=OptimistBoard)
    with connected(both) as board:
        board.remove(["/own.bin"])
    assert files_on(both) == before
    assert "hello from 1.0.0" in both.boot_text("you> ")


def test_command_installs_reports_and_starts(both, folders):
    process = tool("flash", "--port", both.port, "--folder", folders[0])
    assert process.returncode == 0, process.stderr
    kind = "FAT" if both.fat else "LittleFS2"
    for part in (
        "MicroPython 1.",
        "free heap",
        "file system %s" % kind,
        "verified on the board",
        "hello from 1.0.0",
        "Ready. Type: mpremote connect",
    ):
        assert part in process.stdout, process.stdout
    assert ("Warning: FAT" in process.stdout) == both.fat
    process = tool("flash", "--port", both.port, "--folder", folders[0])
    assert "nothing to write" in process.stdout and "Ready." in process.stdout


def test_command_erases_data_only_when_told(sim, folders):
    install(sim, folders[0])
    with connected(sim) as board:
        board.write_file("/memory/user.md", b"me")
        board.write_file("/sessions/chat_map/x.json", b"{}")
        board.write_file("/config.json", b"{}")
        board.write_file("/lib/own.py", b"")
    text = one_sentence(tool("flash", "--port", sim.port, "--folder", folders[0], "--erase-data"))
    assert "needs a yes" in text
    assert "/memory/user.md" in files_on(sim)
    assert tool("flash", "--port", sim.port, "--folder", folders[0]).returncode == 0
    assert "/memory/user.md" in files_on(sim)
    assert (
        tool(
            "flash", "--port", sim.port, "--folder", folders[0], "--erase-data", "--yes"
        ).returncode
        == 0
    )
    there = files_on(sim)
    assert not [p for p in there if p.startswith(("/memory", "/sessions", "/config"))]
    assert "/lib/own.py" in there and "/main.py" in there


def test_chat_that_does_not_start_is_reported(sim, folders):
    small_firmware(folders[0], extra={"main.py": b"import nothing_like_this\n"})
    text = one_sentence(tool("flash", "--port", sim.port, "--folder", folders[0]))
    assert "installed but the chat did not start" in text and "nothing_like_this" in text


def test_mpy_version_that_does_not_fit(sim, folders):
    import flash

    files = flash_files.firmware_files(folders[0])
    with connected(sim) as board:
        facts = board.facts()
    flash._check(facts, files)
    with pytest.raises(flash.Stop, match="mpy-cross"):
        flash._check(dict(facts, mpy=5), files)
    flash._check(dict(facts, mpy=5), flash_files.firmware_files(folders[0], source=True))
    with pytest.raises(flash.Stop, match="1.24 or newer"):
        flash._check(dict(facts, version=[1, 22, 0]), files)
    with pytest.raises(flash.Stop, match="This board is a"):
        flash._check(dict(facts, platform="rp2"), files)
    with pytest.raises(flash.Stop, match="ESP32C3"):
        flash._check(dict(facts, platform="esp32", machine="Module with ESP32C3"), files)
