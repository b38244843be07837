"""The exceptions of claw_memory: one type per failure that a caller can act on.

`code` is the lower-case name that tools put into their JSON errors.
"""


class ClawError(Exception):
    """Base of all errors raised on purpose; its text is one sentence for people."""

    code = "fail"


class InvalidArg(ClawError):
    """The caller passed something that can never work: nothing was read or written."""

    code = "invalid_arg"


class InvalidState(ClawError):
    """The call makes sense, but not now (closed memory, wrong mode)."""

    code = "invalid_state"


class Blocked(InvalidState):
    """The session is over its size limit and takes no more records."""

    code = "blocked"


class NotFound(ClawError):
    """No such session, item, alias or file."""

    code = "not_found"


class NoSpace(ClawError):
    """The file system is full; what was there before is unchanged."""

    code = "no_space"


class IOFailure(ClawError):
    """The file system refused a read or a write; what was there before is unchanged."""

    code = "io"


class Corrupt(ClawError):
    """A stored file cannot be understood and cannot be rebuilt."""

    code = "corrupt"
