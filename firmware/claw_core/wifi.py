"""Wi-Fi: connects as the settings say and comes back after a loss, with bounded attempts."""

import asyncio

from claw_memory import limits, platform

_online = None  # the interface once run() has used it
_NEVER = ("", "", None)
_ended = _NEVER  # name, password, and why the last attempt failed ("": it did not)


def status():
    """The state in a few words, without switching the radio on."""
    if _online is None:
        return "off"
    if not _online.isconnected():
        return "not connected"
    return "connected, " + _online.ifconfig()[0]


def outcome(config):
    """How the last attempt with these settings ended: "" connected, else why not, None not yet."""
    return _ended[2] if _ended[:2] == _wanted(config) else None


async def run(config, say, online):
    """Stay connected for ever, as the settings say at that time. say(sentence) tells of changes.

    online: coroutine function that is called after each connection. The pause between attempts
    doubles up to limits.WIFI_PAUSE seconds.
    """
    global _online, _ended
    import network

    _online = wlan = network.WLAN(network.STA_IF)
    wlan.active(True)
    try:
        wlan.config(reconnects=limits.WIFI_RETRIES)
    except (ValueError, OSError):
        pass  # older firmware retries for ever by itself
    pause = limits.WIFI_FIRST
    while True:
        wanted = _wanted(config)
        why = await _connect(network, wlan, config, wanted)
        if _wanted(config) == wanted:
            _ended = wanted + (why,)
            if why:
                say("[no Wi-Fi at %s: %s; next try in %d s]" % (wanted[0], why, pause))
                wlan.disconnect()
                await _rest(config, wanted, pause)
                pause = min(pause * 2, limits.WIFI_PAUSE)
                continue
            say("[Wi-Fi connected, %s]" % wlan.ifconfig()[0])
            await online()
            while wlan.isconnected() and _wanted(config) == wanted:
                await _rest(config, wanted, limits.WIFI_LOOK)
            _ended = _NEVER
            if _wanted(config) == wanted:
                say("[Wi-Fi lost]")
        pause = limits.WIFI_FIRST
        if _wanted(config) != wanted:
            wlan.disconnect()
            while not config.get("wifi.ssid"):
                await asyncio.sleep(1)


def _wanted(config):
    return config.get("wifi.ssid"), config.get("wifi.password")


async def _rest(config, wanted, seconds):
    # Sleep, but not on when the settings change.
    while seconds > 0 and _wanted(config) == wanted:
        await asyncio.sleep(min(seconds, 1))
        seconds -= 1


async def _connect(network, wlan, config, wanted):
    # Why it did not work, "" when it did. Ends early when the settings change.
    try:
        if not wlan.isconnected():
            wlan.disconnect()
            wlan.connect(wanted[0], wanted[1])
        start = platform.ticks_ms()
        while platform.ticks_diff(platform.ticks_ms(), start) < limits.WIFI_SECONDS * 1000:
            if wlan.isconnected():
                return ""
            if _wanted(config) != wanted:
                break
            await asyncio.sleep_ms(100)
    except OSError:
        pass
    return _why(network, wlan)


def _why(network, wlan):
    state = wlan.status()
    if state == network.STAT_NO_AP_FOUND:
        return "it is not on the air"
    if state == network.STAT_WRONG_PASSWORD:
        return "the password is wrong (/config set wifi.password)"
    return "no answer"
