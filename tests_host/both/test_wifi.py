"""Wi-Fi and the clock on simulated hardware."""

import asyncio

import network
import ntptime
from bothlib import run, tmpdir

from claw_core import clock, wifi
from claw_core.config import Config
from claw_memory import limits


def config(name):
    settings = Config(tmpdir(name) + "/config.json")
    settings.set("wifi.ssid", "home")
    settings.set("wifi.password", "secret-pass")
    return settings


def until(condition, name, air):
    """Run wifi.run until condition(said, online) holds; returns what was said."""
    said = []
    online = []
    network.air.clear()
    network.air.update(air)
    network.WLAN(network.STA_IF).active(False)

    async def came_online():
        online.append(len(said))

    async def scene():
        task = asyncio.create_task(wifi.run(config(name), said.append, came_online))
        for _ in range(400):
            await asyncio.sleep_ms(10)
            if condition(said, online):
                break
        else:
            raise AssertionError(said)
        task.cancel()

    run(scene())
    assert "secret-pass" not in str(said)
    return said


def test_connects_and_comes_back_after_a_loss():
    before = limits.WIFI_LOOK, limits.WIFI_SECONDS, limits.WIFI_FIRST
    limits.WIFI_LOOK, limits.WIFI_SECONDS, limits.WIFI_FIRST = 0.02, 0.1, 0.02

    def scene(said, online):
        if len(online) == 1 and len(said) == 1:
            network.air.clear()
        if len(said) == 3 and not network.air:
            network.air["home"] = "secret-pass"
        return len(online) == 2

    said = until(scene, "wifi", {"home": "secret-pass"})
    assert "connected" in said[0] and "lost" in said[1] and "connected" in said[-1]
    assert "not on the air" in said[2]
    assert wifi.status().startswith("connected")
    said = until(lambda said, online: len(said) == 2, "wrong", {"home": "other"})
    assert "password is wrong" in said[0]
    assert wifi.status() == "not connected"
    limits.WIFI_LOOK, limits.WIFI_SECONDS, limits.WIFI_FIRST = before


def test_a_change_of_the_settings_counts_at_once():
    before = limits.WIFI_LOOK, limits.WIFI_SECONDS, limits.WIFI_FIRST
    limits.WIFI_LOOK, limits.WIFI_SECONDS, limits.WIFI_FIRST = 60, 60, 60
    network.air.clear()
    network.air.update({"home": "secret-pass", "cafe": ""})
    network.WLAN(network.STA_IF).active(False)
    settings = config("change")
    settings.set("wifi.ssid", "nowhere")
    said = []

    async def online():
        pass

    async def until(condition):
        for _ in range(400):
            await asyncio.sleep_ms(10)
            if condition():
                return
        raise AssertionError(said)

    async def scene():
        task = asyncio.create_task(wifi.run(settings, said.append, online))
        # in the middle of an attempt
        await asyncio.sleep_ms(20)
        assert wifi.outcome(settings) is None
        settings.set("wifi.ssid", "home")
        await until(lambda: wifi.outcome(settings) == "")
        # connected
        settings.unset("wifi.password")
        settings.set("wifi.ssid", "cafe")
        assert wifi.outcome(settings) is None
        await until(lambda: wifi.outcome(settings) == "")
        # in the pause after a failure
        settings.unset("wifi.ssid")
        await until(lambda: wifi.status() == "not connected")
        limits.WIFI_SECONDS = 0.1
        settings.set("wifi.ssid", "home")
        await until(lambda: wifi.outcome(settings))
        assert "password is wrong" in wifi.outcome(settings)
        settings.set("wifi.password", "secret-pass")
        await until(lambda: wifi.outcome(settings) == "")
        task.cancel()

    run(scene())
    assert [line.startswith("[Wi-Fi connected") for line in said] == [True, True, False, True]
    limits.WIFI_LOOK, limits.WIFI_SECONDS, limits.WIFI_FIRST = before


def test_the_clock_says_so_when_nobody_answers():
    calls = []

    def settime():
        calls.append(ntptime.host)
        if len(calls) < 3:
            raise OSError(110)

    original, ntptime.settime = ntptime.settime, settime
    before, limits.NTP_PAUSES = limits.NTP_PAUSES, (0, 0, 0)
    settings = config("clock")
    settings.set("time.server", "ntp.example")
    said = []
    run(clock.sync(settings, said.append))
    assert calls == ["ntp.example"] * 3 and said == []
    clock.platform, platform = NoClock, clock.platform
    del calls[:]
    limits.NTP_PAUSES = (0, 0)
    run(clock.sync(settings, said.append))
    assert len(said) == 1 and "ntp.example" in said[0]
    clock.platform = platform
    limits.NTP_PAUSES = before
    ntptime.settime = original


class NoClock:
    """A platform whose clock was never set."""

    @staticmethod
    def unix_time():
        return 0
