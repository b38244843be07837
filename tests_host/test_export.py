"""/memory export: what the console prints is what tools/memory.py reads."""

from tests_host.boardlib import Board

from tests_host.flash_kit import tool

FACTS = ("my cat is called Pixel", 'my "Blue \\ Sky" is a boat', "我喜欢喝绿茶")


def test_what_the_console_exports_is_read_on_the_computer(tmp_path):
    with Board(firmware=True) as board:
        board.prompt()
        for fact in FACTS:
            board.ask("remember that " + fact if fact.isascii() else "请记住" + fact)
        shown = board.ask("/memory export")
    # as a terminal program writes it: the command, \r\n and the next prompt too
    (tmp_path / "log.jsonl").write_bytes(shown.encode())
    listed = tool("memory", "list", str(tmp_path / "log.jsonl")).stdout
    assert "3 memories" in listed, listed + shown
    for fact in FACTS:
        assert fact in listed, listed
    assert sum(line.startswith("{") for line in shown.splitlines()) == 3


def test_an_empty_store_exports_nothing(tmp_path):
    with Board(firmware=True) as board:
        board.prompt()
        shown = board.ask("/memory export")
    assert shown.split("\r\n")[1:-1] == ["Nothing is remembered yet."]
    (tmp_path / "log.jsonl").write_bytes(shown.encode())
    assert "0 memories" in tool("memory", "list", str(tmp_path / "log.jsonl")).stdout
