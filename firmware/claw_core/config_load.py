"""How the settings get from the file into a Config, and what becomes of those that are wrong."""

from claw_core import config
from claw_memory import durable, jsonio, limits, platform


def load(settings, overrides):
    """Fill the Config settings from its file and from overrides."""
    settings.values = values = _values(settings)
    settings.bad = unusable(values)
    _refuse(settings, settings.path, settings.bad)
    if overrides:
        from claw_core import config_edit

        settings.overrides, bad = config_edit.usable(overrides)
        _refuse(settings, "the environment", bad)


def unusable(values):
    """The keys of the values of a file that are none for their setting."""
    return [key for key in values if row_of(key) and problem(row_of(key), values[key])]


def row_of(key):
    """(key, default, type, least, most) or (key, default, type, choices); None: unknown key."""
    try:
        name, kind, *rest = config.words_of(key)
    except KeyError:
        return None
    if kind == "i":
        return (name, config.default(key), kind, int(rest[1]), int(rest[2]))
    return (name, config.default(key), kind, tuple(rest[1:]))


def problem(row, value):
    """What a value for this row must be, "" when it is that."""
    kind = row[2]
    if kind == "b":
        return "" if value is True or value is False else "true or false"
    if kind == "i":
        good = isinstance(value, int) and value is not True and value is not False
        return "" if good and row[3] <= value <= row[4] else "a number from %d to %d" % row[3:]
    if kind == "c":
        return "" if value in row[3] else "one of " + ", ".join(row[3])
    good = isinstance(value, str) and len(value) <= limits.SETTING_CHARS
    return "" if good else "text of at most %d characters" % limits.SETTING_CHARS


def _values(settings):
    path = settings.path
    folder, _, own = path.rpartition("/")
    # others may keep files beside this one
    stem = own.partition(".")[0]
    for sentence in durable.recover(folder or "/", lambda name: name.startswith(stem)):
        settings.notice(sentence)
    size = platform.size(path)
    if not platform.exists(path):
        return {}
    try:
        if size <= limits.CONFIG_BYTES:
            with open(path, "rb") as file:
                values = jsonio.loads(file.read())
            if isinstance(values, dict):
                return values
    except (OSError, ValueError):
        pass
    from claw_core import config_edit

    settings.notice(config_edit.keep_aside(path))
    return {}


def _refuse(settings, where, keys):
    if keys:
        text = "In %s these values cannot be used and are ignored: %s."
        settings.notice(text % (where, ", ".join(sorted(keys))))
