"""The wizard's step for Wi-Fi: what is on the air, the password, and whether it connects."""

import asyncio

from claw_memory import limits, platform, text


async def wifi(dialog):
    """Choose a network until the board is on it or the user goes on without."""
    config = dialog.config
    while True:
        ssid = config.get("wifi.ssid")
        nets = _scan(dialog)
        dialog.rows([name + ("" if closed else "  (open)") for name, closed in nets])
        name = await dialog.ask("Wi-Fi (%s): a number or a name." % dialog.now("wifi.ssid"))
        if not name:
            return
        if name == "-":
            dialog.keep("wifi.ssid", "")
            dialog.keep("wifi.password", "")
            return
        closed = True
        if name.isdigit() and 1 <= int(name) <= len(nets):
            name, closed = nets[int(name) - 1]
        password = "-"
        if closed:
            password = await _password(dialog, name, name == ssid)
        # without a pause between the two, so that nothing is tried with only one of them
        if password:
            dialog.keep("wifi.password", "" if password == "-" else password)
        dialog.keep("wifi.ssid", name)
        dialog.say("Connecting to %s…" % name)
        if await _connected(config):
            return
        if await dialog.ask("1 chooses again; Enter goes on, and the board keeps trying.") != "1":
            return


def _scan(dialog):
    # [(name, whether it wants a password)], the strongest first
    import network

    wlan = network.WLAN(network.STA_IF)
    wlan.active(True)
    dialog.say("Looking for networks…")
    try:
        found = wlan.scan()
    except OSError:
        # the radio does not scan while it connects
        wlan.disconnect()
        try:
            found = wlan.scan()
        except OSError as e:
            dialog.sorry("No networks can be listed (%s); type the name." % e)
            return []
    best = {}
    for row in found:
        name = text.clean_bytes(row[0]).strip("\x00 ")
        if name and (name not in best or best[name][0] < row[3]):
            best[name] = (row[3], bool(row[4]))
    names = sorted(best, key=lambda name: (-best[name][0], name))
    if not names:
        dialog.say("No network is on the air here.")
    return [(name, best[name][1]) for name in names[: limits.NETWORKS]]


async def _password(dialog, name, same):
    # What to store: "" for the present one, "-" for none.
    if same and dialog.config.get("wifi.password"):
        enter = "Enter keeps the present one"
        nothing = ""
    else:
        enter = "Enter when there is none"
        nothing = "-"
    question = "Password of %s; it is not shown. %s." % (name, enter)
    return await dialog.ask(question, True) or nothing


async def _connected(config):
    # Wait for the end of an attempt; claw_core.wifi makes it and says how it went.
    from claw_core.wifi import outcome

    start = platform.ticks_ms()
    while platform.ticks_diff(platform.ticks_ms(), start) < 2 * limits.WIFI_SECONDS * 1000:
        why = outcome(config)
        if why is not None:
            return not why
        await asyncio.sleep_ms(50)
    return False
