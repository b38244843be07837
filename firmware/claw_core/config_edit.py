"""Changing and showing the settings, and what a damaged file needs: seldom, so apart."""

from claw_core.config_load import problem, row_of, unusable
from claw_core.secrets import keys
from claw_memory import durable, jsonio, limits
from claw_memory.errors import ClawError, InvalidArg


def set(config, key, text):
    """Store text as the value of key; returns a sentence. InvalidArg names the key."""
    row = _known(key)
    value = from_text(row, text)
    if key in config.checks:
        config.checks[key](value)
    if key == "watchdog.seconds" and value in range(1, limits.WATCHDOG_LEAST):
        least = limits.WATCHDOG_LEAST
        raise InvalidArg("%s must be 0, which is off, or at least %d." % (key, least))
    values = dict(config.values)
    values[key] = value
    _store(config, values)
    return "%s is now %s.%s" % (key, _shown(row, value), _overridden(config, key))


def unset(config, key):
    """Go back to the default of key; returns a sentence."""
    if key not in config.values:
        row = _known(key)
        return "%s was not set; its default is %s." % (key, _shown(row, row[1]))
    values = dict(config.values)
    del values[key]
    _store(config, values)
    row = row_of(key)
    now = "removed" if row is None else "back to its default, " + _shown(row, row[1])
    return "%s is %s.%s" % (key, now, _overridden(config, key))


def show(config):
    """Iterate one line per key, the secrets masked."""
    for key in keys():
        row = row_of(key)
        note = ""
        if key in config.overrides:
            note = "  (from the environment)"
        elif key not in config.values:
            note = "  (default)"
        elif key in config.bad:
            note = "  (default; what the file says cannot be used)"
        yield "%s = %s%s" % (key, _shown(row, config.get(key)), note)
    for key in sorted(config.values):
        if row_of(key) is None:
            yield "%s = ****  (unknown key, kept)" % key


def usable(overrides):
    """(dict of the overrides that can be used, list of the keys of those that cannot)."""
    good = {}
    bad = []
    for key, value in overrides.items():
        row = row_of(key)
        if row is not None and value != "":
            try:
                good[key] = from_text(row, str(value))
            except InvalidArg:
                bad.append(key)
    return good, bad


def keep_aside(path):
    """Rename an unreadable settings file to .bad; returns the sentence about it."""
    bad = path.rpartition(".")[0] + ".bad"
    text = "%s cannot be read, so defaults are used; " % path
    try:
        durable.replace(bad, _chunks(path))
        durable.remove(path)
        return text + "it is kept as %s." % bad
    except (ClawError, OSError):
        return text + "correct or delete it."


def from_text(row, text):
    """The value that a person or the environment means by text; InvalidArg names the key."""
    text = text.strip()
    value = text
    if row[2] == "i":
        try:
            value = int(text)
        except ValueError:
            value = None
    elif row[2] == "b":
        value = {"true": True, "on": True, "false": False, "off": False}.get(text.lower())
    wanted = problem(row, value)
    if wanted:
        raise InvalidArg("%s must be %s." % (row[0], wanted))
    return value


def _known(key):
    row = row_of(key)
    if row is None:
        raise InvalidArg("There is no setting %s; /config show lists them." % key)
    return row


def _overridden(config, key):
    return " The environment's value stays in force." if key in config.overrides else ""


def _store(config, values):
    body = []
    for key in sorted(values):
        body.append("%s:%s" % (jsonio.literal(key), jsonio.dumps(values[key])))
    durable.replace(config.path, (("{" + ",\n".join(body) + "}\n").encode(),))
    config.values = values
    config.bad = unusable(values)
    config.version += 1


def _chunks(path):
    with open(path, "rb") as file:
        while True:
            data = file.read(512)
            if not data:
                return
            yield data


def _shown(row, value):
    if row[2] == "x":
        return "****" if value else "(not set)"
    if value is True or value is False:
        return "true" if value else "false"
    if row[0] == "model.base_url":
        value = address(value)
    return str(value) if value != "" else "(empty)"


def address(url):
    """url as it may be shown: without a name and password, or a query, which may hold a key."""
    head, mark, rest = url.partition("://")
    if not mark:
        head, rest = "", url
    name, slash, path = rest.partition("/")
    if "@" in name:
        name = "****" + name[name.rfind("@") :]
    shown, query, _ = (head + mark + name + slash + path).partition("?")
    return shown + (query and "?****")
