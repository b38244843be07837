"""Time zones: from a rule text and unix time to local date and time, without any tables.

A rule is "" or "UTC", an offset east of UTC such as "+2", "+05:30" or "UTC+8" (read as people
write it), or a POSIX TZ text with or without daylight saving, such as "CST-8" or
"GMT0BST,M3.5.0/1,M10.5.0", whose offsets count west. Day forms other than Mm.w.d are not known.
"""

from claw_memory.errors import InvalidArg

_DAY = 86400


def date(unix):
    """(year, month, day, hour, minute, second, weekday) of unix seconds, Monday being 0."""
    days, left = divmod(unix, _DAY)
    # counted from 1 March of year 0, so that leap days come last in a year
    z = days + 719468
    era, doe = divmod(z, 146097)
    yoe = (doe - doe // 1460 + doe // 36524 - doe // 146096) // 365
    doy = doe - (365 * yoe + yoe // 4 - yoe // 100)
    mp = (5 * doy + 2) // 153
    month = mp + 3 if mp < 10 else mp - 9
    year = yoe + era * 400 + (month <= 2)
    hour, left = divmod(left, 3600)
    return (
        year,
        month,
        doy - (153 * mp + 2) // 5 + 1,
        hour,
        left // 60,
        left % 60,
        (days + 3) % 7,
    )


def unix(year, month, day):
    """Unix seconds of the start of a day in UTC."""
    y = year - (month <= 2)
    era, yoe = divmod(y, 400)
    doy = (153 * (month + (-3 if month > 2 else 9)) + 2) // 5 + day - 1
    return (era * 146097 + yoe * 365 + yoe // 4 - yoe // 100 + doy - 719468) * _DAY


def offset(rule, now):
    """(seconds east of UTC, name of the zone) at unix time now; InvalidArg for a bad rule."""
    rule = rule.strip()
    name, at = _name(rule, 0)
    if not name or (name in ("UTC", "GMT") and rule[at : at + 1] in ("", "+", "-")):
        east, end = _hms(rule, at) if at < len(rule) else (0, at)
        if end < len(rule):
            _bad(rule)
        return east, (name or "UTC") + rule[at:]
    west, at = _hms(rule, at)
    if at == len(rule):
        return -west, name
    summer, at = _name(rule, at)
    if not summer:
        _bad(rule)
    extra = 3600
    if at < len(rule) and rule[at] != ",":
        moved, at = _hms(rule, at)
        extra = west - moved
    parts = rule[at:].split(",")
    if len(parts) != 3 or parts[0]:
        _bad(rule)
    local = now - west
    year = date(local)[0]
    start = _change(rule, parts[1], year)
    end = _change(rule, parts[2], year) - extra
    inside = start <= local < end if start < end else not end <= local < start
    return (extra - west, summer) if inside else (-west, name)


def _bad(rule):
    raise InvalidArg(
        'time.zone "%s" is neither like UTC+2 nor like GMT0BST,M3.5.0/1,M10.5.0' % rule
    )


def _name(rule, at):
    start = at
    if rule[at : at + 1] == "<":
        end = rule.find(">", at)
        if end < 0:
            _bad(rule)
        return rule[at + 1 : end], end + 1
    while at < len(rule) and rule[at].isalpha():
        at += 1
    return rule[start:at], at


def _hms(rule, at):
    # [+-]h[h][:mm[:ss]] from rule[at] as (seconds, index after it)
    sign = 1
    if rule[at : at + 1] in ("+", "-"):
        sign = -1 if rule[at] == "-" else 1
        at += 1
    total = 0
    for unit in (3600, 60, 1):
        start = at
        while at < len(rule) and at < start + 2 and "0" <= rule[at] <= "9":
            at += 1
        if start == at:
            _bad(rule)
        total += int(rule[start:at]) * unit
        if rule[at : at + 1] != ":":
            break
        at += 1
    if total > 24 * 3600:
        _bad(rule)
    return sign * total, at


def _change(rule, text, year):
    # Standard-time seconds at which the clocks change by a rule Mm.w.d[/time] in this year.
    day, slash, hour = text.partition("/")
    try:
        month, week, weekday = [int(n) for n in day[1:].split(".")]
    except ValueError:
        _bad(rule)
    if day[:1] != "M" or not (1 <= month <= 12 and 1 <= week <= 5 and 0 <= weekday <= 6):
        _bad(rule)
    first = unix(year, month, 1)
    # POSIX counts Sunday as 0, date() Monday as 0
    at = first + (weekday - 1 - date(first)[6]) % 7 * _DAY + (week - 1) * 7 * _DAY
    if date(at)[1] != month:
        at -= 7 * _DAY
    seconds, end = _hms(hour, 0) if slash else (7200, 0)
    if end != len(hour):
        _bad(rule)
    return at + seconds
