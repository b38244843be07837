"""The wizard's steps for the board: the time zone, and the pins that the model may use."""

from claw_core import zone as zones
from claw_memory import platform
from claw_memory.errors import InvalidArg

_ZONES = (
    ("UTC", "UTC"),
    ("London, Lisbon", "GMT0BST,M3.5.0/1,M10.5.0"),
    ("Berlin, Paris, Madrid", "CET-1CEST,M3.5.0,M10.5.0/3"),
    ("Athens, Helsinki, Kyiv", "EET-2EEST,M3.5.0/3,M10.5.0/4"),
    ("India", "IST-5:30"),
    ("China, Singapore", "CST-8"),
    ("Japan, Korea", "JST-9"),
    ("Sydney, Melbourne", "AEST-10AEDT,M10.1.0,M4.1.0/3"),
    ("New York, Toronto", "EST5EDT,M3.2.0,M11.1.0"),
    ("Chicago", "CST6CDT,M3.2.0,M11.1.0"),
    ("Denver", "MST7MDT,M3.2.0,M11.1.0"),
    ("Los Angeles, Vancouver", "PST8PDT,M3.2.0,M11.1.0"),
)


async def zone(dialog):
    """Choose the time zone, or type a rule."""
    dialog.rows([row[0] for row in _ZONES])

    def check(text):
        if text.isdigit():
            if not 1 <= int(text) <= len(_ZONES):
                raise InvalidArg("Choose a number from 1 to %d." % len(_ZONES))
            text = _ZONES[int(text) - 1][1]
        zones.offset(text, 0)
        return text

    await dialog.setting(
        "time.zone",
        "Time zone (%s): a number, or a rule such as UTC+2." % dialog.now("time.zone"),
        check,
    )
    unix = platform.unix_time()
    if unix:
        east, _ = zones.offset(dialog.config.get("time.zone"), unix)
        dialog.say("The time is %04d-%02d-%02d %02d:%02d." % zones.date(unix + east)[:5])


async def pins(dialog):
    """Name the pins that the model may use."""
    question = "Pins that the model may use (%s): a list such as 4-7, 15."
    if await dialog.setting("gpio.pins", question % dialog.now("gpio.pins")):
        dialog.say("The pins count from the next restart (/reset).")
