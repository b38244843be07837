"""Simulated ntptime: a test sets `answer` (seconds since the epoch) or leaves it None: no net."""

host = "pool.ntp.org"
timeout = 1
answer = None


def time():
    """Seconds since the board's epoch; OSError(ETIMEDOUT) without an answer."""
    if answer is None:
        raise OSError(110)
    return answer


def settime():
    """Put the time into the RTC of the simulated board; OSError without an answer."""
    import machine

    seconds = time()
    days, rest = divmod(seconds, 86400)
    machine.RTC().datetime(_date(days) + ((days + 3) % 7,) + _clock(rest) + (0,))


def _clock(rest):
    return (rest // 3600, rest // 60 % 60, rest % 60)


def _date(days):
    # Days since 1970 to a date; years are counted from March so that the leap day is the last.
    z = days + 719468
    era = z // 146097
    doe = z - era * 146097
    yoe = (doe - doe // 1460 + doe // 36524 - doe // 146096) // 365
    doy = doe - (365 * yoe + yoe // 4 - yoe // 100)
    mp = (5 * doy + 2) // 153
    month = mp + 3 if mp < 10 else mp - 9
    return (yoe + era * 400 + (month <= 2), month, doy - (153 * mp + 2) // 5 + 1)
