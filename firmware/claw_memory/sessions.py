"""The sessions of a directory: persist records, read them back; the rest is in session_more."""

from claw_memory import durable, jsonio, limits, platform, text
from claw_memory.errors import ClawError
from claw_memory.jsonscan import is_value
from claw_memory.session_log import CALLS, FINAL, RESULT, USER, SessionLog

__all__ = ("CALLS", "FINAL", "RESULT", "USER", "Sessions")

_ROLES = {USER: b'{"role":"user","content":', FINAL: b'{"role":"assistant","content":'}


def file_name(session_id):
    """Name of a session's data file (specification of ESP-Claw: safe part, FNV-1a of the id)."""
    data = session_id.encode()
    safe = bytearray()
    for c in data[:24] or b"default":
        safe.append(c if 48 <= c <= 57 or 65 <= c <= 90 or 97 <= c <= 122 or c in (45, 95) else 95)
    return "s_%s_%08x.log" % (str(safe, "utf-8"), text.fnv1a(data))


class Sessions:
    """dir: folder of the session files, created if missing.

    backend_format: 0 unknown, 1 openai_compatible, 2 anthropic_compatible; records are marked
    with it. max_message_chars: characters of a text record, 0 for the default. summarise:
    called as summarise(session_id, first, last) when a session stays over limits.SESSION_BYTES
    although its old tool records went; it returns a summary (str) of records first..last-1, True
    when put_summary() will follow later, or None. notice: called with sentences for the user.

    More methods are in session_more.py: history, info, delete, gate, put_summary, flush, close and
    others.
    """

    __getattr__ = platform.seldom("claw_memory.session_more")

    def __init__(self, dir, backend_format=1, max_message_chars=4096, summarise=None, notice=None):
        self.dir = dir
        self.format = backend_format
        self.max_chars = max_message_chars or limits.MESSAGE_CHARS
        self.summarise = summarise
        self.notice = notice or platform.ignore
        self._named = (None, "")  # session id and path asked for last
        self._logs = []  # open ones, the latest last
        self.waiting = ()  # session and record number of a summary that will come later
        self.untidy = ""  # session that is too large and whose turn had no RAM to make it smaller
        self.patience = 0  # bytes up to which a session may wait for its summary, see shrink()
        self.longterm = None  # a LongTerm; what it forgot is not shown from archives
        durable.make_dirs(dir)
        for sentence in durable.recover(dir, _is_ours):
            self.notice(sentence)

    def data_path(self, session_id):
        """Path of the session's data file; the index is path + .idx, the mark path + .blocked."""
        # Asked for several times a turn, and the hash is slow where integers are small.
        if self._named[0] != session_id:
            self._named = (session_id, self.dir.rstrip("/") + "/" + file_name(session_id))
        return self._named[1]

    def log(self, session_id):
        """The SessionLog of a session, for the modules that work on one."""
        path = self.data_path(session_id)
        for i in range(len(self._logs)):
            if self._logs[i].path == path:
                log = self._logs.pop(i)
                break
        else:
            while len(self._logs) >= limits.OPEN_SESSIONS:
                self._logs.pop(0).flush()
            log = SessionLog(path, self.notice)
        self._logs.append(log)
        return log

    def _forget(self, path):
        self._logs = [log for log in self._logs if log.path != path]

    def raw_record(self, kind, words, json):
        """JSON bytes (one line) of a record given to persist(). Raises InvalidArg."""
        if json is None:
            if not isinstance(words, (str, bytes)) or kind not in _ROLES:
                raise self.refusal("words")
            words = text.session_text(words, self.max_chars)
            return _ROLES[kind] + jsonio.literal_bytes(words) + b"}"
        if not isinstance(json, (str, bytes)):
            return jsonio.dumps(json).encode()
        raw = json.encode() if isinstance(json, str) else json
        if not is_value(raw):
            raise self.refusal("json")
        return jsonio.one_line(raw)

    def persist(self, session_id, records, completed=False):
        """Append records: a list of (type, text or None, JSON or None), all of them or none.

        JSON is raw (str or bytes, checked) or a value for jsonio.dumps; text is cut to
        max_message_chars and may be bytes. completed: the turn is finished, so that the index
        catches up and, over limits.SESSION_BYTES, the session is compacted. Raises InvalidArg
        before anything is read or written, Blocked, NoSpace, IOFailure, and ClawError for a path
        of more than limits.PATH_BYTES.
        """
        if not session_id or not records:
            raise self.refusal("none")
        for kind, _, _ in records:
            if kind not in (USER, FINAL, CALLS, RESULT):
                raise self.refusal("type")
        raws = [self.raw_record(*record) for record in records]
        kinds = [record[0] for record in records]
        log = self.log(session_id)
        path = log.path
        if not log.open:
            if platform.size(path + ".blocked") >= 0 or len(path.encode()) > limits.PATH_BYTES:
                self.admit(session_id, log)
            log.open = True
        end = log.size + sum([len(raw) + 1 for raw in raws])
        try:
            log.append(raws, kinds, self.format)
        except MemoryError:
            self._forget(path)  # what it knows may have fallen behind its file
            if platform.size(path) < end:
                raise
        raws = None
        if completed and not self._completed(session_id):
            self.untidy = session_id

    def _completed(self, session_id):
        # The records are stored; what fails here is tried again after the next turn.
        path = self.data_path(session_id)
        try:
            log = self.log(session_id)
            log.flush()
            if log.size > limits.SESSION_BYTES:
                from claw_memory import session_compact

                session_compact.shrink(self, session_id, log)
        except ClawError as e:
            self._forget(path)
            self.notice(str(e))
        except MemoryError:
            self._forget(path)
            return False
        return True

    def records(self, session_id, first=0, last=None):
        """Iterate (type, format, JSON bytes) of records first..last-1, one in RAM at a time."""
        if not session_id:
            return iter(())
        return self.log(session_id).records(first, last)

    def messages_raw(self, session_id, first=0, shape=None):
        """Iterate the messages from record first on as JSON bytes that an API accepts.

        shape: function that takes the iterator of the records and returns what to make of them.
        """
        from claw_memory import session_messages

        records = self.records(session_id, first)
        return session_messages.raw_messages(shape(records) if shape else records, self.format)

    def turn_start(self, session_id, budget):
        """Number of the record that starts the oldest turn from which on all fits budget bytes.

        Always a whole turn: the start of the latest one when even that does not fit.
        """
        return self.log(session_id).turn_start(budget)

    def turn_number(self, session_id):
        """Number of the latest turn: user messages count from 0 for the session's whole life."""
        log = self.log(session_id)
        return max(0, log.before() + log.turns() - 1)

    def prompt_start(self, session_id):
        """Number of the record from which on turns go into prompts; 0 unless some may not."""
        log = self.log(session_id)
        state = log.state()
        if not state or state.start <= state.dropped:
            return 0
        from claw_memory import session_condense

        return session_condense.prompt_start(log, state)


def _is_ours(name):
    return name.startswith("s_")
