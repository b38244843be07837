"""The settings: a table of keys with type, default and range, kept in one JSON file."""

from claw_memory import durable, jsonio, limits, platform
from claw_memory.errors import ClawError, InvalidArg

# key, default, type, least or choices, most. Types: s text, x secret text, i integer, b boolean,
# c one of the choices. A pin is an integer from -1 (not set) to 48.
_TABLE = (
    ("model.provider", "auto", "c", ("auto", "offline", "openai")),
    ("model.base_url", "", "s"),
    ("model.name", "", "s"),
    ("model.key", "", "x"),
    ("model.max_tokens", 0, "i", 0, 1000000),
    ("model.history_bytes", 32768, "i", 1000, 1000000),
    ("model.timeout", limits.FIRST_SECONDS, "i", 1, 600),
    ("memory.root", "/", "s"),
    ("memory.mode", "full", "c", ("full", "lightweight")),
    ("memory.max_message_chars", limits.MESSAGE_CHARS, "i", 500, 4096),
    ("sd.slot", 2, "i", 1, 3),
    ("sd.sck", -1, "i", -1, 48),
    ("sd.miso", -1, "i", -1, 48),
    ("sd.mosi", -1, "i", -1, 48),
    ("sd.cs", -1, "i", -1, 48),
    ("wifi.ssid", "", "s"),
    ("wifi.password", "", "x"),
    ("time.zone", "UTC", "s"),
    ("time.server", "pool.ntp.org", "s"),
)


def is_secret(key):
    """True when the value of key must never be shown."""
    row = _row(key)
    return row is not None and row[2] == "x"


def _row(key):
    for row in _TABLE:
        if row[0] == key:
            return row
    return None


class Config:
    """The settings of one board. version grows with every change.

    path: the JSON file, one flat object; a missing file is no error. overrides: dict of text or
    values that win over the file and are never written. notice: function that gets a sentence
    about a file or values that cannot be used; a file that is no JSON object is kept aside as
    config.bad in the same folder.
    """

    def __init__(self, path, overrides=None, notice=None):
        self._path = path
        self._notice = notice or print
        self.version = 0
        self._file = self._load()
        self._overrides = {}
        bad = [k for k in self._file if _row(k) and _problem(_row(k), self._file[k])]
        self._refuse(path, bad)
        bad = []
        for key, value in (overrides or {}).items():
            row = _row(key)
            if row is not None and value != "":
                try:
                    self._overrides[key] = _from_text(row, str(value))
                except InvalidArg:
                    bad.append(key)
        self._refuse("the environment", bad)

    def get(self, key):
        """The value in force: override, file, else default. KeyError for an unknown key."""
        row = _row(key)
        if row is None:
            raise KeyError(key)
        if key in self._overrides:
            return self._overrides[key]
        value = self._file.get(key, row[1])
        return row[1] if _problem(row, value) else value

    def set(self, key, text):
        """Store text as the value of key; returns a sentence. InvalidArg names the key."""
        row = _known(key)
        value = _from_text(row, text)
        values = dict(self._file)
        values[key] = value
        self._store(values)
        return "%s is now %s.%s" % (key, _shown(row, value), self._hidden(key))

    def unset(self, key):
        """Go back to the default of key; returns a sentence."""
        if key not in self._file:
            row = _known(key)
            return "%s was not set; its default is %s." % (key, _shown(row, row[1]))
        values = dict(self._file)
        del values[key]
        self._store(values)
        row = _row(key)
        now = "removed" if row is None else "back to its default, " + _shown(row, row[1])
        return "%s is %s.%s" % (key, now, self._hidden(key))

    def show(self):
        """Yield one line per key, the secrets masked."""
        for row in _TABLE:
            key = row[0]
            note = ""
            if key in self._overrides:
                note = "  (from the environment)"
            elif key not in self._file:
                note = "  (default)"
            yield "%s = %s%s" % (key, _shown(row, self.get(key)), note)
        for key in sorted(self._file):
            if _row(key) is None:
                yield "%s = ****  (unknown key, kept)" % key

    def redact(self, text):
        """text with every secret in it replaced by ****."""
        for row in _TABLE:
            if row[2] == "x":
                for value in (self.get(row[0]), self._file.get(row[0])):
                    if isinstance(value, str) and value:
                        text = text.replace(value, "****")
        return text

    def _hidden(self, key):
        return " The environment's value stays in force." if key in self._overrides else ""

    def _store(self, values):
        body = []
        for key in sorted(values):
            body.append("%s:%s" % (jsonio.quote(key), jsonio.dumps(values[key])))
        durable.replace(self._path, (("{" + ",\n".join(body) + "}\n").encode(),))
        self._file = values
        self.version += 1

    def _load(self):
        folder, _, own = self._path.rpartition("/")
        # others may keep files beside this one
        stem = own.partition(".")[0]
        for sentence in durable.recover(folder or "/", lambda name: name.startswith(stem)):
            self._notice(sentence)
        size = platform.size(self._path)
        if not platform.exists(self._path):
            return {}
        try:
            if size <= limits.CONFIG_BYTES:
                with open(self._path, "rb") as file:
                    values = jsonio.loads(file.read())
                if isinstance(values, dict):
                    return values
        except (OSError, ValueError):
            pass
        self._keep_aside()
        return {}

    def _keep_aside(self):
        bad = self._path.rpartition(".")[0] + ".bad"
        text = "%s cannot be read, so defaults are used; " % self._path
        try:
            durable.replace(bad, _chunks(self._path))
            durable.remove(self._path)
            text += "it is kept as %s." % bad
        except (ClawError, OSError):
            text += "correct or delete it."
        self._notice(text)

    def _refuse(self, where, keys):
        if keys:
            text = "In %s these values cannot be used and are ignored: %s."
            self._notice(text % (where, ", ".join(sorted(keys))))


def _chunks(path):
    with open(path, "rb") as file:
        while True:
            data = file.read(512)
            if not data:
                return
            yield data


def _known(key):
    row = _row(key)
    if row is None:
        raise InvalidArg("There is no setting %s; /config show lists them." % key)
    return row


def _problem(row, value):
    # What is wrong with value for this row, "" when nothing is.
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


def _from_text(row, text):
    text = text.strip()
    value = text
    if row[2] == "i":
        try:
            value = int(text)
        except ValueError:
            value = None
    elif row[2] == "b":
        value = {"true": True, "on": True, "false": False, "off": False}.get(text.lower())
    problem = _problem(row, value)
    if problem:
        raise InvalidArg("%s must be %s." % (row[0], problem))
    return value


def _shown(row, value):
    if row[2] == "x":
        return "****" if value else "(not set)"
    if value is True or value is False:
        return "true" if value else "false"
    return str(value) if value != "" else "(empty)"
