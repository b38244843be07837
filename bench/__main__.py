"""`make bench`: every figure of the table, with the rivals' beside it; writes build/bench.json.

    python -m bench [GROUP ...]

Groups: bytes, wear, ratios, search, code, heap; all of them without an argument.
"""

import json
import sys
import time

from bench import host, table

RATIOS = ("appends", "recall", "opening", "last_messages", "compaction")


def measure_bytes(found):
    """Bytes of the long-term store."""
    found.update(host.board("bytes_longterm"))
    for name, value in host.board("bytes_longterm", "fat").items():
        found[name + "_fat"] = value


def measure_wear(found):
    """Bytes of the sessions, and what the flash feels of them."""
    found.update(host.board("bytes_session"))
    for name, value in host.board("bytes_session", "fat").items():
        found[name + "_fat"] = value


def measure_ratios(found):
    """Times, each against its floor: the better of two runs."""
    for group in RATIOS:
        for kind in ("lfs2", "posix"):
            best = {}
            for _ in range(2):
                with host.scratch() as folder:
                    host.new_image(folder / "image", kind)
                    place = "%s:%s" % (group, folder / "image")
                    run = host.board("ratios", kind, place, "2M")
                for name in run:
                    best[name] = min(run[name], best.get(name, run[name]))
            for name, value in best.items():
                found[name + ("" if kind == "lfs2" else "_posix")] = value
    found["append_floor"] = found["append_floor_1000"]


def measure_search(found):
    """How well search finds, and what that takes."""
    with host.scratch() as folder:
        host.new_image(folder / "image", "lfs2")
        found.update(host.board("search", "lfs2", folder / "image", "8M"))


def measure_code(found):
    """What a turn imports."""
    with host.scratch() as folder:
        for round_, key, name in (
            (host.RECALL, "", "mpy"),
            (host.ROUND, "key", "mpy_learning"),
            (host.ROUND, "", "mpy_store"),
        ):
            turn = host.Turn(folder, "lfs2", 100, round_, key)
            if not turn.run(1024):
                raise SystemExit("The turn failed:\n" + turn.output)
            sizes = host.module_sizes(turn.modules)
            found[name + "_bytes"] = sum(sizes.values())
            found[name + "_modules"] = sizes
            found[name + "_heap"] = turn.used
            found[name + "_import"] = host.smallest(
                lambda heap, names=turn.modules: host.imports(folder, names, heap), 96, 512
            )
        found["heap_import"] = found.pop("mpy_import")


def measure_heap(found):
    """The smallest heaps for full turns."""
    with host.scratch() as folder:
        turn = host.Turn(folder, "lfs2", 1000, host.ROUND, "key")
        found["heap_turn_learning"] = host.smallest(turn.run, 160, 640)
    for kind, count in (("lfs2", 1000), ("posix", 1000), ("lfs2", 10000)):
        name = "heap_turn_%d%s" % (count, "" if kind == "lfs2" else "_" + kind)
        with host.scratch() as folder:
            turn = host.Turn(folder, kind, count, host.ROUND)
            found[name] = host.smallest(turn.run, 160, 640)


def main(wanted):
    """Measure, print the table, write the file."""
    groups = ("bytes", "wear", "ratios", "search", "code", "heap")
    if not set(wanted) <= set(groups):
        raise SystemExit(__doc__)
    start = time.monotonic()
    host.build()
    path = host.REPO / "build/bench.json"
    found = json.loads(path.read_text()) if wanted and path.exists() else {}
    for group in wanted or groups:
        print("measuring: %s" % group, flush=True)
        globals()["measure_" + group](found)
    found["seconds"] = round(time.monotonic() - start)
    path.write_text(json.dumps(found, indent=1, sort_keys=True) + "\n")
    baselines = json.loads((host.REPO / "bench/baselines.json").read_text())
    print("\n".join(table.lines(found, baselines)))
    print("%d seconds; all figures: build/bench.json" % found["seconds"])


if __name__ == "__main__":
    main(sys.argv[1:])
