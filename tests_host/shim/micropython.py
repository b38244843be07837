"""The module micropython for CPython. This file alone is what claw_memory needs there."""

_interrupt_char = 3


def const(value):
    """The value itself: only the compiler of MicroPython makes more of it."""
    return value


def _same(function):
    return function


native = viper = bytecode = _same


def kbd_intr(char):
    """Choose the character that interrupts, -1 for none; kbd_intr_char() tells the last choice."""
    global _interrupt_char
    _interrupt_char = char


def kbd_intr_char():
    """For tests: the character of the last kbd_intr (3 before any)."""
    return _interrupt_char


def schedule(function, argument):
    """Call function(argument); on CPython at once."""
    function(argument)


def opt_level(level=None):
    """The level of optimisation, which never changes here."""
    return 0 if level is None else None


def mem_info(verbose=None):
    """Print one line in the form of a board's."""
    import gc

    free = gc.mem_free() if hasattr(gc, "mem_free") else 0
    print("mem: simulated, free: %d" % free)


def qstr_info(verbose=None):
    """Print one line in the form of a board's."""
    print("qstr pool: simulated")


def stack_use():
    """Bytes of stack in use: unknown here, so 0."""
    return 0


def heap_lock():
    """Nothing to lock: CPython allocates as it likes."""
    return 0


def heap_unlock():
    """Counterpart of heap_lock."""
    return 0


def alloc_emergency_exception_buf(size):
    """Not needed on CPython."""
