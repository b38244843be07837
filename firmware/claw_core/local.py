"""Local time by the rule in time.zone, worked out once in a quarter of an hour to spare RAM."""

from claw_memory import platform
from claw_memory.errors import InvalidArg


def east(config):
    """A function that tells for unix seconds how many seconds local time is ahead of UTC.

    The clocks of all zones are changed at a full quarter of an hour. A rule that cannot be
    understood counts as UTC.
    """
    known = [None, 0]

    def ahead(now):
        rule = config.get("time.zone")
        if rule in ("", "UTC"):
            return 0
        if known[0] != (now // 900, rule):
            from claw_core import zone

            try:
                known[1] = zone.offset(rule, now)[0]
            except InvalidArg:
                known[1] = 0
            known[0] = (now // 900, rule)
            zone = None
            platform.unload("claw_core", "zone")
        return known[1]

    return ahead
