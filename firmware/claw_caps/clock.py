"""The clock for the model: UTC and the user's own time, by the rule in time.zone."""

from claw_core import zone
from claw_memory import jsonio

_DAYS = "Monday Tuesday Wednesday Thursday Friday Saturday Sunday"
_UNSET = "the clock of the board is not set, so date and time are unknown until it is online"


def time_now(args, ctx):
    """The time in UTC and in the zone of the config; says plainly when the clock is not set."""
    now = ctx.memory.clock()
    if not now:
        return jsonio.dumps(jsonio.obj("ok", True, "set", False, "message", _UNSET))
    east, name = zone.offset(ctx.config.get("time.zone") or "", now)
    local = zone.date(now + east)
    out = jsonio.obj("ok", True, "local", _iso(local), "weekday", _DAYS.split()[local[6]])
    out["zone"] = name
    out["utc"] = _iso(zone.date(now)) + "Z"
    out["unix"] = now
    return jsonio.dumps(out)


def _iso(date):
    return "%04d-%02d-%02dT%02d:%02d:%02d" % date[:6]
