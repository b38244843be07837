"""Runs inside the MicroPython binary: fuzz cases on a file system in RAM.

Arguments: repository, kind of file system (lfs2, fat), seed, first case, number of cases.
"""

import gc
import sys


def main(repo, kind, seed, first, count):
    sys.path[:] = [repo + "/firmware", repo + "/tests_host/fuzz", repo + "/tests_host/both"] + [
        repo + "/tests_host/powercut",
        ".frozen",
    ]
    import vfs
    from device import Device

    import case

    system = vfs.VfsLfs2 if kind == "lfs2" else vfs.VfsFat
    device = Device(bytearray(b"\xff" * (2 << 20)), 4096 if kind == "lfs2" else 512)
    system.mkfs(device)
    vfs.mount(system(device), "/m")
    fuzzer = case.Fuzzer("/m", seed)
    failed = 0
    for number in range(first, first + count):
        done, error = fuzzer.run(number)
        device.sizes = []
        gc.collect()
        if error is not None:
            failed += 1
            print("FAILED case %d on %s: %s" % (number, kind, done))
            print("  again: python -m tests_host.fuzz --runtime micropython", end=" ")
            print("--fs %s --seed %d --case %d" % (kind, seed, number))
            sys.print_exception(error)
    print("cases=%d failed=%d" % (count, failed))
    if failed:
        sys.exit(1)


main(sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4]), int(sys.argv[5]))
