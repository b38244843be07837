"""What an operation is: prepared, opened, carried out step by step, and looked at."""


class Op:
    """One operation: `steps` are carried out one after the other on what open() returns.

    setup() prepares the medium. view(opened) tells what a user of the store can read; it must be
    comparable and must not depend on how often the operation was tried. Once a step has returned,
    its effect has to survive. expect(views) may check the views before and after each step.
    between(opened), where there is one, leaves the half-way state that is allowed during a step.
    """

    name = ""
    steps = ()
    size = {"lfs2": 160 << 10, "fat": 160 << 10}  # bytes of the medium
    every_prefix = False  # cut programs of LittleFS2 after each byte
    kinds = ("lfs2", "fat")
    stride = 1  # every stride-th write is cut
    double_stride = 1  # every double_stride-th write of the boot after it
    quick_stride = 5  # the same in the quick mode
    quick_double = 11
    nth_stride = 1  # every so many-th write fails, where a medium fails at the Nth
    samples = 0  # cut at about so many points, and the boot after it not at all
    on_full_disk = True  # worth trying on one: opening and looking need no room
    on_locked_heap = False  # worth trying with one: durable.py alone
    quiet = False  # it returns normally even where its note of itself cannot be written
    repeat = True  # the step that was cut half-way can be carried out again
    clock = None  # an object with the time as its attribute now, where it matters
    derived = ()  # ends of names of files that may be there or not, with any content

    def setup(self, root):
        pass

    def open(self, root):
        return root

    def view(self, opened):
        raise NotImplementedError

    def expect(self, views):
        return True

    def left(self, image):
        """What must not be on the medium when all is done, and is; falsy when there is nothing."""
        return None

    between = None
