import claw_caps
from bothlib import run, tmpdir
from claw_core.capability import CallContext, Capabilities
from claw_memory import jsonio
from claw_memory.memory import Memory


class Config:
    def __init__(self, zone=""):
        self.zone = zone

    def get(self, key):
        return self.zone if key == "time.zone" else None


class Board:
    def __init__(self, mode="full", now=1782907200, zone=""):
        self.memory = Memory(tmpdir("caps"), clock=lambda: now, mode=mode)
        self.caps = Capabilities()
        config = Config(zone)
        claw_caps.register_all(self.caps, self.memory, config)
        self.session = "chat:serial:0:default_01"
        self.ctx = CallContext(self.memory, config, self.session, 7, "serial", "0", None)

    def ask(self, tool, **args):
        text, failed = run(self.caps.call(tool, args, self.ctx))
        out = jsonio.loads(text)
        assert failed is not out["ok"]
        return out


def test_the_tools_array_is_valid_and_short():
    caps = Board().caps
    data = b"".join(caps.tools_chunks())
    tools = jsonio.loads(data)
    names = [t["function"]["name"] for t in tools]
    assert names == caps.names()
    assert len(names) == 14
    for tool in tools:
        schema = tool["function"]["parameters"]
        assert schema["type"] == "object"
        for key in schema.get("required", ()):
            assert key in schema["properties"]
        assert 10 < len(tool["function"]["description"]) < 100
    assert len(data) < 3600


def test_lightweight_mode_has_no_memory_tools_but_notes():
    assert Board("lightweight").caps.names() == [
        "memory_note",
        "session_command",
        "files_list",
        "files_read",
        "files_edit",
        "time_now",
        "system_info",
    ]


def test_only_the_clock_may_be_asked_again_and_again():
    caps = Board().caps
    assert [n for n in caps.names() if caps.exempt(n)] == ["time_now"]


def test_a_memory_from_store_to_forget():
    board = Board()
    out = board.ask(
        "memory_store", content="The cat is called Pixel", tags=["pet"], keywords="Pixel"
    )
    assert out["changed"] is True and out["summary"] == "pet"
    item = out["memory_id"]
    assert board.memory.stage.note(board.session) == "Memory update: [pet]"
    assert board.memory.stage.wrote_by_hand(7) is True
    assert board.ask("memory_store", content="the cat is called pixel")["changed"] is False
    assert board.memory.stage.note(board.session) == ""
    assert board.ask("memory_recall", summary_labels=["pet"])["items"][0]["id"] == item
    assert len(board.ask("memory_list")["items"]) == 1
    out = board.ask("memory_update", memory_id=item, content="The cat is called Nova")
    assert out["changed"] is True and out["memory_id"] == item
    assert board.ask("memory_forget", memory_id=item)["changed"] is True
    assert board.ask("memory_list")["items"] == []
    assert board.ask("memory_forget", memory_id=item)["ok"] is False


def test_sessions():
    board = Board()
    assert "default_01" in board.ask("session_command", command="list")["result"]
    board.ask("session_command", command="new work")
    said = board.ask("session_command", command="list")["result"]
    assert "work" in said and "default_01" in said
    assert board.memory.names.current("chat:serial:0") == "chat:serial:0:work"


def test_time_in_utc_and_in_the_zone_of_the_user():
    out = Board(zone="GMT0BST,M3.5.0/1,M10.5.0").ask("time_now")
    assert out["utc"] == "2026-07-01T12:00:00Z"
    assert out["local"] == "2026-07-01T13:00:00"
    assert out["zone"] == "BST" and out["weekday"] == "Wednesday" and out["unix"] == 1782907200
    assert Board().ask("time_now")["local"] == "2026-07-01T12:00:00"
    assert Board(zone="nonsense").ask("time_now")["ok"] is False


def test_an_unset_clock_is_said_plainly():
    out = Board(now=0).ask("time_now")
    assert out["set"] is False and "not set" in out["message"]
    assert "utc" not in out and "unix" not in out


def test_state_of_the_board():
    out = Board().ask("system_info")
    assert out["version"] and out["board"]
    assert out["uptime_s"] >= 0
    assert out["storage"]["kind"] in ("lfs2", "fat", "ffat", "posix")
    assert 0 < out["storage"]["free"] <= out["storage"]["total"]
