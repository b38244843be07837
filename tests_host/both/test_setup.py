"""The wizard's steps over a scripted channel: choices, what is kept, what is refused."""

import asyncio
import sys

import network
from bothlib import raises, run, tmpdir

from claw_core import provider, setup, setup_board, setup_wifi, wifi, zone
from claw_core.config import Config
from claw_core.events import Event
from claw_core.model import ModelError, Reply
from claw_memory import limits, platform
from claw_memory.errors import InvalidArg, NoSpace


class Channel:
    """Answers the questions in order and keeps what was shown; "hidden" marks unseen answers."""

    name = "serial"

    def __init__(self, answers):
        self.answers = list(answers)
        self.shown = []
        self.hidden = []

    def emit(self, kind, text):
        """Keep it."""
        self.shown.append(("! " if kind == "error" else "") + text)

    async def ask(self, hidden=False):
        """The next answer."""
        answer = self.answers.pop(0)
        if hidden:
            self.hidden.append(answer)
        return answer

    def text(self):
        """All that was shown."""
        return "\n".join(self.shown)


class Agent:
    """What the wizard needs of an agent. connected: the names of the providers it was given."""

    def __init__(self, name):
        self.config = Config(tmpdir(name) + "/config.json")
        self.offline = Provider("offline", ())
        self.connected = []

    def connect(self, provider):
        """Keep its name."""
        self.connected.append(provider.name)

    def report(self, channel, sentence):
        """Show an error."""
        channel.emit("error", self.config.redact(sentence))


class Provider:
    """Raises or returns one thing after the other, and reads the request as a provider does."""

    def __init__(self, name, replies):
        self.name = name
        self.replies = list(replies)

    async def ask(self, request, sink):
        """See claw_core.model."""
        assert request.stream and "".join(request.system())
        assert len(list(request.messages())) == 1
        assert list(request.tools()) == [] and list(request.tool_rows()) == []
        reply = self.replies.pop(0)
        if isinstance(reply, Exception):
            raise reply
        if isinstance(reply, str):
            sink.text(reply)
            return Reply()
        return reply


def start(agent, what, channel):
    """The coroutine of /setup."""
    return setup.run(agent, Event("serial", "0", "/setup " + what), channel)


def wizard(agent, what, answers, replies=None):
    """Run the wizard; returns the channel. Every answer must have been asked for.

    replies: what the model server does, one after the other.
    """
    channel = Channel(answers)
    make = provider.make
    if replies is not None:
        scripted = Provider("scripted", replies)
        provider.make = lambda *_: scripted
    try:
        run(start(agent, what, channel))
    finally:
        provider.make = make
    assert channel.answers == [], channel.text()
    return channel


def test_zones_by_number_and_by_rule():
    agent = Agent("zone")
    said = wizard(agent, "zone", ["99", "0", "Berlin?", "20", "3"]).text()
    assert said.count("! Choose a number from 1 to 12.") == 3
    assert '! time.zone "Berlin?" is neither' in said
    assert agent.config.get("time.zone") == "CET-1CEST,M3.5.0,M10.5.0/3"
    said = wizard(agent, "zone", [""]).text()
    assert "now: CET-1CEST" in said and "The time is 20" in said
    wizard(agent, "zone", ["UTC+5:30"])
    assert Config(agent.config.path).get("time.zone") == "UTC+5:30"
    wizard(agent, "zone", ["-"])
    assert agent.config.values == {}
    for _, rule in setup_board._ZONES:
        zone.offset(rule, 1800000000)


def test_pins_are_checked_as_the_board_wants():
    agent = Agent("pins")

    def check(text):
        if "99" in text:
            raise InvalidArg("pin 99 is none")

    agent.config.checks["gpio.pins"] = check
    said = wizard(agent, "pins", ["99", "4-6, 15"]).text()
    assert "! pin 99 is none" in said and "next restart" in said
    assert agent.config.get("gpio.pins") == "4-6, 15"
    assert "next restart" not in wizard(agent, "pins", [""]).text()
    wizard(agent, "pins", ["-"])
    assert agent.config.get("gpio.pins") == ""


def test_a_flash_that_is_full_is_told_and_asked_again():
    agent = Agent("full")
    keep = agent.config.set
    errors = [NoSpace("The file system is full: delete something.")]

    def full(key, text):
        if errors:
            raise errors.pop()
        return keep(key, text)

    agent.config.set = full
    said = wizard(agent, "zone", ["7", "7"]).text()
    assert "! The file system is full" in said and "time.zone is now JST-9." in said


def test_steps_that_do_not_exist_are_refused():
    agent = Agent("steps")
    e = raises(InvalidArg, wizard, agent, "wlan", [])
    assert "/setup wifi" in str(e) and "test, pins" in str(e)
    assert agent.config.values == {}

    class Mute:
        """A channel that cannot ask."""

    e = raises(InvalidArg, run, start(agent, "", Mute()))
    assert "serial console" in str(e)


def test_declined_once_is_declined_for_good():
    agent = Agent("declined")
    assert "/setup" in wizard(agent, "no", []).text()
    assert Config(agent.config.path).get("setup.next") == "done"


def test_a_model_server_step_by_step():
    url = "http://192.168.1.5:11434/v1"
    agent = Agent("server")
    channel = wizard(agent, "provider", ["9", "x", "3", "ftp://x/v1", "http://a b/v1", url])
    said = channel.text()
    assert said.count("! Choose a number from 1 to 4.") == 2
    assert said.count("! The address must look like http://host:port/path.") == 2
    assert "http is not encrypted" in said
    config = agent.config
    assert (config.get("model.provider"), config.get("model.base_url")) == ("openai", url)
    wizard(agent, "name", ["qwen3"])
    channel = wizard(agent, "key", ["sk-very-secret"])
    assert channel.hidden == ["sk-very-secret"] and "sk-very" not in channel.text()
    assert "192.168.1.5" in channel.text() and "needs none" in channel.text()
    assert config.get("model.name") == "qwen3" and config.get("model.key") == "sk-very-secret"
    assert agent.connected == ["openai"] * 3
    said = wizard(agent, "test", [""], ["Hello."]).text()
    assert "Asking qwen3 at 192.168.1.5…\nHello.\nThe model answers." in said
    # Enter keeps all of it
    before = dict(config.values)
    for step, answers in (("provider", [""]), ("name", [""]), ("key", [""]), ("test", ["-"])):
        channel = wizard(agent, step, answers)
    assert config.values == before
    assert "now: " + url in wizard(agent, "provider", ["3", ""]).text()
    assert config.values == before
    wizard(agent, "key", ["-"])
    assert config.get("model.key") == ""


def test_known_servers_by_their_usual_address():
    agent = Agent("known")
    config = agent.config
    wizard(agent, "provider", ["1", ""])
    assert config.get("model.base_url") == "https://api.openai.com/v1"
    wizard(agent, "provider", ["2", ""])
    assert config.get("model.base_url") == "https://api.anthropic.com/v1"
    assert config.get("model.provider") == "anthropic"
    wizard(agent, "provider", ["1", "openrouter.ai/api/v1"])
    assert config.get("model.base_url") == "https://openrouter.ai/api/v1"
    assert config.get("model.provider") == "openai"
    # a server of the own network has no usual address: nothing typed changes nothing
    assert "nothing changed" in wizard(agent, "provider", ["3", ""]).text()
    assert config.get("model.base_url") == "https://openrouter.ai/api/v1"
    wizard(agent, "provider", ["4"])
    assert config.get("model.provider") == "offline"
    assert agent.connected == ["openai", "anthropic", "openai", "offline"]
    # nothing to ask about a model that is on the board
    for step in ("name", "key", "test"):
        wizard(agent, step, [])


def test_a_failed_test_is_told_and_can_be_repeated_corrected_or_left():
    errors = [
        ModelError("Nothing answers at 10.0.0.1:80 (refused).", "unreachable"),
        ModelError("The key sk-abc was refused.", "auth"),
        Reply(),
        Reply(text="Hi.", cut="it broke off"),
        Reply(text="Hi there."),
    ]
    agent = Agent("failed")
    for key, value in (("base_url", "http://10.0.0.1/v1"), ("key", "sk-abc"), ("name", "m")):
        agent.config.set("model." + key, value)
    said = wizard(agent, "test", ["", "2", "2", "2", "2"], errors).text()
    assert "! Nothing answers at 10.0.0.1:80" in said
    assert "! The key **** was refused." in said and "sk-abc" not in said
    assert "! The model gave an empty answer." in said
    assert "! it broke off" in said
    assert said.endswith("Hi there.\nThe model answers.")
    wizard(agent, "test", ["", ""], errors)
    # back to where the model runs, then all up to the test again
    said = wizard(agent, "test", ["", "1", "", "", "", "-"], errors).text()
    assert "The model runs at" in said and "Name of the model" in said and "Key for" in said


def test_it_goes_on_where_it_stopped():
    class Gone(Exception):
        """The power."""

    class Cut(Channel):
        async def ask(self, hidden=False):
            if not self.answers:
                raise Gone
            return await Channel.ask(self, hidden)

    network.air.clear()
    agent = Agent("half")
    answers = ["", "7", "4", ""]  # Wi-Fi, time zone, offline model, pins
    steps = ["wifi", "zone", "provider", "pins", "done"]
    for count in range(4):
        agent = Agent("half%d" % count)
        raises(Gone, run, start(agent, "", Cut(answers[:count])))
        again = Agent("other")
        again.config = Config(agent.config.path)
        assert again.config.get("setup.next") == steps[count]
        wizard(again, "next", answers[count:])
        assert again.config.get("setup.next") == "done"
        assert again.config.get("time.zone") == "JST-9"
        assert again.config.get("model.provider") == "offline"
        # a repetition that is left half-way leaves nothing to go on with
        raises(Gone, run, start(again, "", Cut(["", ""])))
        assert again.config.get("setup.next") == "done"


def on_air(agent, answers, air):
    """The Wi-Fi step with the task that keeps the board connected; returns the channel."""
    network.air.clear()
    network.air.update(air)
    network.WLAN(network.STA_IF).active(False)
    wifi._ended = wifi._NEVER
    channel = Channel(answers)

    async def online():
        pass

    async def scene():
        async def stay():
            while not agent.config.get("wifi.ssid"):
                await asyncio.sleep_ms(5)
            await wifi.run(agent.config, lambda text: channel.emit("info", text), online)

        task = asyncio.create_task(stay())
        await start(agent, "wifi", channel)
        task.cancel()

    before = limits.WIFI_SECONDS, limits.WIFI_FIRST, limits.WIFI_LOOK
    limits.WIFI_SECONDS, limits.WIFI_FIRST, limits.WIFI_LOOK = 2, 0.02, 0.02
    run(scene())
    limits.WIFI_SECONDS, limits.WIFI_FIRST, limits.WIFI_LOOK = before
    assert channel.answers == [], channel.text()
    return channel


def test_wifi_by_number_and_by_name():
    agent = Agent("wifi")
    air = {"home": "right-one", "cafe": ""}
    channel = on_air(agent, ["2", "wrong-one", "1", "2", "right-one"], air)
    said = channel.text()
    assert " 1  cafe  (open)\n 2  home" in said
    assert "the password is wrong" in said and "Wi-Fi connected" in said
    assert channel.hidden == ["wrong-one", "right-one"]
    assert "wrong-one" not in said and "right-one" not in said
    again = Config(agent.config.path)
    assert (again.get("wifi.ssid"), again.get("wifi.password")) == ("home", "right-one")
    # Enter keeps the password of the same network
    assert on_air(agent, ["home", ""], air).hidden == [""]
    assert agent.config.get("wifi.password") == "right-one"
    # an open network has none, nobody is asked
    channel = on_air(agent, ["1"], air)
    assert channel.hidden == [] and "Wi-Fi connected" in channel.text()
    assert (agent.config.get("wifi.ssid"), agent.config.get("wifi.password")) == ("cafe", "")
    # a hidden network by its name; going on without it
    channel = on_air(agent, ["cellar", "", ""], air)
    assert "it is not on the air" in channel.text()
    assert agent.config.get("wifi.ssid") == "cellar"
    on_air(agent, [""], air)
    assert agent.config.get("wifi.ssid") == "cellar"
    on_air(agent, ["-"], air)
    assert "wifi.ssid" not in agent.config.values


class Radio:
    """A network module whose radio finds rows, after raising as often as told."""

    STA_IF = 0
    rows = []
    failures = 0
    disconnected = 0

    def WLAN(self, _):
        """This."""
        return self

    def active(self, _):
        """On."""

    def disconnect(self):
        """Count it."""
        self.disconnected += 1

    def scan(self):
        """Fail, or list."""
        if self.failures:
            self.failures -= 1
            raise OSError("Wifi Internal State Error")
        return self.rows


def scan(radio):
    """What the wizard lists with this radio, and the channel."""
    channel = Channel(())
    sys.modules["network"] = radio
    try:
        return setup_wifi._scan(setup.Dialog(Agent("radio"), channel)), channel
    finally:
        sys.modules["network"] = network


def test_networks_the_strongest_first_each_once():
    radio = Radio()
    names = ((b"weak", -90, 3), (b"", -10, 3), (b"near", -40, 0), (b"weak", -50, 3))
    names += (("咖啡".encode(), -60, 4), (b"bad\xff", -95, 3), (b"\x00\x00", -20, 0))
    radio.rows = [(name, b"123456", 1, rssi, closed, False) for name, rssi, closed in names]
    found, _ = scan(radio)
    assert found == [("near", False), ("weak", True), ("咖啡", True), ("bad", True)]
    radio.rows = [(b"n%d" % i, b"123456", 1, -i, 3, False) for i in range(50)]
    found, _ = scan(radio)
    assert len(found) == limits.NETWORKS and found[0] == ("n0", True)


def test_a_radio_that_does_not_scan_is_no_end():
    radio = Radio()
    radio.rows = [(b"home", b"123456", 1, -40, 3, False)]
    radio.failures = 1
    assert scan(radio)[0] == [("home", True)] and radio.disconnected == 1
    radio.failures = 2
    found, channel = scan(radio)
    assert found == [] and "! No networks can be listed" in channel.text()
    radio.rows = []
    assert "No network is on the air here." in scan(radio)[1].text()


def test_the_clock_is_waited_for_before_a_certificate_is_checked():
    looks = []

    def unix_time():
        looks.append(1)
        return 0 if len(looks) < 4 else 1800000000

    agent = Agent("clock")
    agent.config.set("model.base_url", "https://models.example/v1")
    agent.config.set("wifi.ssid", "home")
    before = limits.SETUP_CLOCK_SECONDS, platform.unix_time
    for seconds, count in ((20, 4), (-1, 2)):
        del looks[:]
        limits.SETUP_CLOCK_SECONDS, platform.unix_time = seconds, unix_time
        try:
            said = wizard(agent, "test", [""], ["Hello."]).text()
        finally:
            limits.SETUP_CLOCK_SECONDS, platform.unix_time = before
        assert "Waiting for the time from pool.ntp.org…" in said
        assert len(looks) == count and "The model answers." in said


def test_the_modules_of_the_steps_are_given_back():
    agent = Agent("freed")
    wizard(agent, "pins", [""])
    raises(InvalidArg, wizard, agent, "x", [])
    assert "claw_core.setup_board" not in sys.modules
    assert not hasattr(sys.modules["claw_core"], "setup_board")
    wizard(agent, "zone", [""])
