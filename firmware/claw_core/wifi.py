"""Wi-Fi: connects as the settings say and comes back after a loss, with bounded attempts."""

import asyncio

from claw_memory import limits, platform

_online = None  # the interface once connect() has used it


def status():
    """The state in a few words, without switching the radio on."""
    if _online is None:
        return "off"
    if not _online.isconnected():
        return "not connected"
    return "connected, " + _online.ifconfig()[0]


async def run(config, say, online):
    """Stay connected for ever. say(sentence) tells about changes.

    online: coroutine function that is called after each connection. The pause between attempts
    doubles up to limits.WIFI_PAUSE seconds.
    """
    global _online
    import network

    _online = wlan = network.WLAN(network.STA_IF)
    wlan.active(True)
    try:
        wlan.config(reconnects=limits.WIFI_RETRIES)
    except (ValueError, OSError):
        pass  # older firmware retries for ever by itself
    pause = limits.WIFI_FIRST
    while True:
        if await _connect(wlan, config):
            say("[Wi-Fi connected, %s]" % wlan.ifconfig()[0])
            pause = limits.WIFI_FIRST
            await online()
            while wlan.isconnected():
                await asyncio.sleep(limits.WIFI_LOOK)
            say("[Wi-Fi lost]")
        else:
            what = (config.get("wifi.ssid"), _why(network, wlan), pause)
            say("[no Wi-Fi at %s: %s; next try in %d s]" % what)
            wlan.disconnect()
            await asyncio.sleep(pause)
            pause = min(pause * 2, limits.WIFI_PAUSE)


async def _connect(wlan, config):
    try:
        if not wlan.isconnected():
            wlan.disconnect()
            wlan.connect(config.get("wifi.ssid"), config.get("wifi.password"))
        start = platform.ticks_ms()
        while platform.ticks_diff(platform.ticks_ms(), start) < limits.WIFI_SECONDS * 1000:
            if wlan.isconnected():
                return True
            await asyncio.sleep_ms(100)
    except OSError:
        pass
    return False


def _why(network, wlan):
    state = wlan.status()
    if state == network.STAT_NO_AP_FOUND:
        return "it is not on the air"
    if state == network.STAT_WRONG_PASSWORD:
        return "the password is wrong (/config set wifi.password)"
    return "no answer"
