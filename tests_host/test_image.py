"""Flash images: what make chat writes into them and what it never touches."""

import os

from tests_host import boardlib
import pytest
from tests_host.boardlib import BANNER, Board

image = boardlib.image


@pytest.fixture(params=["lfs2", "fat"])
def fs(request):
    return request.param


def make_firmware(folder, files):
    for path, text in files.items():
        target = folder / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text)
    return image.compile_firmware(str(folder), str(folder.parent / "mpy"))


FIRMWARE = {
    "boot.py": "print('boot 1')\n",
    "main.py": "import claw_memory.one\n",
    "claw_memory/__init__.py": "",
    "claw_memory/one.py": "print('one 1')\n",
    "claw_memory/two.py": "print('two')\n",
    "defaults/soul.md": "I am soul.\n",
    "README.md": "not for the board\n",
}


def test_only_what_differs_is_written_and_only_firmware_is_removed(tmp_path, fs):
    path = str(tmp_path / "flash.img")
    files = make_firmware(tmp_path / "firmware", FIRMWARE)
    assert sorted(files) == [
        "/boot.py",
        "/claw_memory/__init__.mpy",
        "/claw_memory/one.mpy",
        "/claw_memory/two.mpy",
        "/defaults/soul.md",
        "/main.py",
    ]
    assert image.update_image(path, fs, files) == (6, 0)
    assert image.update_image(path, fs, files) == (0, 0)

    own = {"/memory/m.jsonl": "{}", "/sessions/s.log": "x", "/config.json": "{}", "/lib/l.py": ""}
    with Board(own, image_file=path, fs=fs) as board:
        assert board.expect(BANNER).startswith("boot 1\r\none 1\r\n")

    (tmp_path / "firmware/claw_memory/two.py").unlink()
    changed = dict(FIRMWARE, **{"claw_memory/one.py": "print('one 2')\n"})
    del changed["claw_memory/two.py"]
    files = make_firmware(tmp_path / "firmware", changed)
    written, removed = image.update_image(path, fs, files)
    assert removed == 1 and written >= 1
    with Board(image_file=path, fs=fs) as board:
        assert board.expect(BANNER).startswith("boot 1\r\none 2\r\n")
        names = board.repl(
            "import os; [os.listdir(d) for d in ('/claw_memory', '/memory', '/lib')]"
        )
        assert "two" not in names and "m.jsonl" in names and "l.py" in names
        assert "config.json" in board.repl("os.listdir('/')")


def test_file_changed_on_the_board_is_put_right(tmp_path, fs):
    path = str(tmp_path / "flash.img")
    files = make_firmware(tmp_path / "firmware", FIRMWARE)
    image.update_image(path, fs, files)
    with Board(image_file=path, fs=fs) as board:
        board.expect(BANNER)
        board.repl("f = open('/boot.py', 'w'); n = f.write('bad 1 bad 1 bad1'); f.close()")
    assert image.update_image(path, fs, files) == (1, 0)


def test_names_are_given_again_only_when_something_changed(tmp_path, monkeypatch):
    make_firmware(tmp_path / "firmware", FIRMWARE)

    def made(texts):
        raise LookupError

    monkeypatch.setattr(image.slim, "made", made)
    compiled = make_firmware(tmp_path / "firmware", FIRMWARE)["/claw_memory/one.mpy"]
    for changed in (
        {"claw_memory/one.py": "print('one 2')\n"},
        {"claw_memory/one.py": "print('one 1')\n", "claw_memory/three.py": ""},
    ):
        with pytest.raises(LookupError):
            make_firmware(tmp_path / "firmware", changed)
    (tmp_path / "firmware/claw_memory/three.py").unlink()
    make_firmware(tmp_path / "firmware", {})
    os.remove(compiled)
    with pytest.raises(LookupError):
        make_firmware(tmp_path / "firmware", {})
    monkeypatch.undo()
    make_firmware(tmp_path / "firmware", {})
    assert os.path.exists(compiled)
    monkeypatch.setattr(image.slim, "made", made)
    monkeypatch.setattr(image.slim.short_names, "__file__", __file__)
    with pytest.raises(LookupError):
        make_firmware(tmp_path / "firmware", {})


def test_firmware_that_does_not_compile_is_named(tmp_path):
    with pytest.raises(image.ImageError) as wrong:
        make_firmware(tmp_path / "firmware", {"boot.py": "", "claw_memory/bad.py": "x = (\n"})
    text = str(wrong.value)
    assert text.startswith("firmware/claw_memory/bad.py does not compile: ")
    assert "SyntaxError" in text and "\n" not in text


def test_full_image_is_reported_in_one_sentence_and_keeps_its_files(tmp_path, fs):
    path = str(tmp_path / "flash.img")
    image.make_image(path, 256 * 1024)
    files = make_firmware(tmp_path / "firmware", FIRMWARE)
    image.update_image(path, fs, files)
    big = tmp_path / "big"
    big.write_bytes(os.urandom(300 * 1024))
    with pytest.raises(image.ImageError) as full:
        image.update_image(path, fs, dict(files, **{"/big": str(big)}))
    assert str(full.value) == "The image %s was not updated: it is full." % path
    with Board(image_file=path, fs=fs) as board:
        assert "one 1\r\n" in board.expect(BANNER)


def test_something_else_is_not_taken_for_an_image(tmp_path):
    small = tmp_path / "small.img"
    small.write_text("notes\n")
    with pytest.raises(image.ImageError, match="is no flash image"):
        image.update_image(str(small), "lfs2", {})
    assert small.read_text() == "notes\n"
    other = tmp_path / "other.img"
    other.write_bytes(b"something" * 100000)
    with pytest.raises(image.ImageError, match="holds no lfs2 file system"):
        image.update_image(str(other), "lfs2", {})
    assert other.read_bytes() == b"something" * 100000


def test_write_protected_image_is_left_alone(tmp_path, fs):
    path = str(tmp_path / "flash.img")
    files = make_firmware(tmp_path / "firmware", FIRMWARE)
    image.update_image(path, fs, files)
    os.chmod(path, 0o444)
    assert image.update_image(path, fs, files) == (0, 0)
    (tmp_path / "firmware/boot.py").write_text("print('boot 22')\n")
    with pytest.raises(image.ImageError, match="it is write-protected"):
        image.update_image(path, fs, files)


def test_a_skill_is_updated_unless_it_was_edited(tmp_path, fs):
    path = str(tmp_path / "flash.img")
    skills = {"skills/memory.md": "how to 1\n", "skills/mine.md": "plain\n"}
    files = make_firmware(tmp_path / "firmware", dict(FIRMWARE, **skills))
    assert image.update_image(path, fs, files) == (8, 0)
    with Board({"/skills/mine.md": "my own words\n"}, image_file=path, fs=fs) as board:
        board.expect(BANNER)
    skills = {"skills/memory.md": "how to 2\n", "skills/mine.md": "plain 2\n"}
    files = make_firmware(tmp_path / "firmware", skills)
    assert image.update_image(path, fs, files) == (1, 0)
    assert image.update_image(path, fs, files) == (0, 0)
    show = "for n in ('memory', 'mine'): print(open('/skills/%s.md' % n).read())\n"
    files = make_firmware(tmp_path / "firmware", {"main.py": show})
    image.update_image(path, fs, files)
    with Board(image_file=path, fs=fs) as board:
        said = board.expect(BANNER)
        assert "how to 2" in said and "my own words" in said and "plain" not in said
