"""Forgetting for good: a cut leaves everything or nothing that tells it, and can be carried on."""

from claw_memory import durable, erase
from claw_memory.sessions import CALLS, RESULT, USER

from ops_memory import _CALL, _ID, _OTHER, _RESULT, Items, read, turn

_WORDS = (b"Quetzalina", b"quetzalina", b"7731")


def _nothing(memory, say):
    return iter(())


def carry_out(steps):
    for _ in steps:
        pass


def silent(sentence):
    pass


def erased(memory):
    """Erase the memory, unless that is done or has to be carried on."""
    if erase.pending(memory):
        carry_out(erase.resume(memory, silent))
    elif any(item.id == "code" for item in memory.longterm.list()):
        carry_out(erase.run(memory, "code", silent))


def texts_erased(memory):
    """Likewise, without overwriting the medium."""
    # At each start: that may have taken the module that was there out of RAM (erase.MODULES).
    from claw_memory import erase_flash

    erase_flash.steps = _nothing
    erased(memory)


class EraseTexts(Items):
    """Every cut while texts are removed: the next start removes the rest of them."""

    name = "erase_texts"
    derived = Items.derived + ("erase.job",)
    double_stride = 29
    quick_stride = 13
    quick_double = 101
    on_full_disk = False
    steps = (texts_erased, texts_erased)

    def fill(self, memory):
        Items.fill(self, memory)
        memory.longterm.store("Quetzalina knows the code 12345", id="code")
        memory.longterm.update("code", "Quetzalina knows the code 67731")
        turn(memory, _ID, "Did Quetzalina call?", 1)
        turn(memory, _ID, "The weather is fine")
        memory.sessions.persist(_OTHER, [(USER, "quetzalina again", None)])
        memory.sessions.persist(
            _OTHER, [(CALLS, None, _CALL % 3), (RESULT, None, _RESULT % (3, "67731"))]
        )
        notes = memory.memory_dir + "/2026-11-29.md"
        durable.append(notes, b"- tea\n- Quetzalina at ten\n- cake\n")

    def view(self, memory):
        said = [bytes(raw) for s in (_ID, _OTHER) for _, _, raw in memory.sessions.records(s)]
        return [
            Items.view(self, memory),
            said,
            read(memory.memory_dir + "/2026-11-29.md"),
            any(word in read(memory.longterm.records) for word in _WORDS),
        ]

    def expect(self, views):
        return [tells(view) for view in views] == [True, False, False] and all(
            len(view[1]) == 15 and b"cake" in view[2] for view in views
        )


def tells(view):
    return any(word in str(view).encode() for word in _WORDS)


class EraseMedium(EraseTexts):
    """A sample of cuts of all of it: carried on, no word is left on the medium."""

    name = "erase_medium"
    samples = 24
    steps = (erased, erased)

    def left(self, image):
        return [word for word in _WORDS if image.find(word) >= 0]


OPS = (EraseTexts, EraseMedium)
