"""Runs inside the MicroPython binary: one operation on one file system, as the driver asks.

Arguments: folder of the firmware, folder of this file, kind of file system, operation, mode (see
ops.py), planted fault or "-"; or: both folders, "list". Prints one line that the driver counts;
exits with 1 when something was lost or damaged.
"""

import sys


def main(firmware, here, kind, name="", mode="full", plant="-"):
    sys.path[:] = [firmware, here, ".frozen"]
    import cuts
    import engine
    import ops

    if kind == "list":
        print(ops.names())
        return
    op = ops.find(name)
    if plant != "-":
        import planted

        planted.plant(plant)
    if mode == "disk":
        import full_disk

        run = full_disk.FullDisk(op, kind)
    elif mode == "locked":
        import locked

        run = locked.Locked(op, kind)
    elif mode == "scarce":
        import scarce

        run = scarce.Scarce(op, kind)
    elif mode == "quick":
        run = cuts.Cuts(op, kind, op.quick_stride, op.quick_double, all_parts=False)
    else:
        run = cuts.Cuts(op, kind, op.stride, op.double_stride)
    run.planted = plant != "-"
    try:
        run.all()
    except engine.Noticed:
        pass
    counts = (run.words[0], run.cuts, run.words[1], run.double, run.lost, run.damaged)
    print("%s %s: " % (kind, name) + "%s=%d %s=%d lost=%d damaged=%d" % counts)
    if run.lost or run.damaged:
        sys.exit(1)


main(*sys.argv[1:])
