"""Wi-Fi: connects as the settings say and comes back after a loss, with bounded attempts."""

import asyncio

from claw_memory import limits

_online = None  # the interface once connect() has used it


def status():
    """The state in a few words, without switching the radio on."""
    if _online is None:
        return "off"
    if not _online.isconnected():
        return "not connected"
    return "connected, " + _online.ifconfig()[0]


def connected():
    """True while there is an address."""
    return _online is not None and _online.isconnected()


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
    pause = 5
    while True:
        if await _connect(wlan, config):
            say("[Wi-Fi connected, %s]" % wlan.ifconfig()[0])
            pause = 5
            await online()
            while wlan.isconnected():
                await asyncio.sleep(limits.WIFI_LOOK)
            say("[Wi-Fi lost]")
        else:
            say("[no Wi-Fi: %s; next try in %d s]" % (config.get("wifi.ssid"), pause))
            await asyncio.sleep(pause)
            pause = min(pause * 2, limits.WIFI_PAUSE)


async def _connect(wlan, config):
    try:
        if not wlan.isconnected():
            wlan.disconnect()
            wlan.connect(config.get("wifi.ssid"), config.get("wifi.password"))
        for _ in range(limits.WIFI_SECONDS * 5):
            if wlan.isconnected():
                return True
            await asyncio.sleep_ms(200)
        wlan.disconnect()
    except OSError:
        pass
    return False
