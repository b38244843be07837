"""The world around the simulated board, for tests to read and change over the REPL.

`pins` maps a GPIO number to [mode, level, pull], `adc` a GPIO number to a level from 0 to 65535,
`pwm` a GPIO number to (frequency in Hz, duty from 0 to 65535), `i2c` lists the addresses that
answer, `pixels` maps a GPIO number to the colours last written, `wifi` holds "networks" (name ->
password) and "up" (False: out of range). Initial values come from the --world option.
"""

pins = {}
adc = {}
pwm = {}
i2c = []
pixels = {}
wifi = {"networks": {"ClawNet": "clawclawclaw", "Cafe": ""}, "up": True}

_control = None


def power_on(settings):
    """Take over the initial values and open the line to the supervisor."""
    global _control
    world = settings["world"]
    for name, value in world.get("adc", {}).items():
        adc[int(name)] = value
    i2c.extend(world.get("i2c", ()))
    wifi.update(world.get("wifi", {}))
    _control = open(settings["control"], "wb")


def tell(*words):
    """Send one line to the supervisor."""
    _control.write((" ".join(str(w) for w in words) + "\n").encode())
