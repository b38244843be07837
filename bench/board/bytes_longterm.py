"""Bytes that the long-term store writes and reads, and what LittleFS2 makes of them."""

import meter
import place
from out import report


def main(kind, where):
    """Report all figures of this group."""
    meter.install()
    root, device = place.enter(kind, where, size=4 << 20)
    from claw_memory import durable
    from claw_memory.longterm import LongTerm
    from material import Clock, fact, fill

    clock = Clock()
    durable.make_dirs(root + "/memory")

    def opened():
        return LongTerm(root + "/memory", clock)

    def written(work):
        meter.reset()
        work()
        return meter.written

    lt = opened()
    fill(lt, 0, 10)
    costs = [written(lambda n=n: lt.store(*fact(n))) for n in range(10, 125)]
    report("store_max", max(costs))
    report("store_first_10", sum(costs[:10]) // 10)
    report("store_last_10", sum(costs[-10:]) // 10)
    fill(lt, 125, 127)
    lt.close()
    meter.reset()
    lt = opened()
    report("boot_written", meter.written)
    report("boot_read", meter.read)
    lt.close()
    report("boot_closed_written", meter.written)
    lt = opened()
    fill(lt, 127, 128)
    lt.recall((), 8)
    meter.reset()
    lt.recall((), 8)
    report("recall_read", meter.read)
    report("recall_written", meter.written)
    meter.reset()
    lt.recall(("label03",), 8)
    report("recall_label_read", meter.read)

    def churn(work):
        meter.reset()
        device.reset()
        worst = 0
        for n in range(640):
            before = meter.written
            work(n)
            lt.idle()
            worst = max(worst, meter.written - before)
        return meter.written // 640, worst, device.programmed // 640, device.erases / 640

    ids = [item.id for item in lt.list()]

    def change(n):
        lt.update(ids[n * 37 % len(ids)], content=fact(5000 + n)[0])

    for name, work in (("update", change), ("store", lambda n: lt.store(*fact(1000 + n)))):
        mean, worst, programmed, erases = churn(work)
        report(name + "_cap_mean", mean)
        report(name + "_cap_worst", worst)
        report(name + "_cap_programmed", programmed)
        report(name + "_cap_erases", "%.2f" % erases)
    for name, work in (("recall", lambda: lt.recall((), 8)), ("derive", lt.derive)):
        device.reset()
        meter.reset()
        for _ in range(20):
            work()
        report(name + "_written_mean", meter.written // 20)
        report(name + "_programmed", device.programmed // 20)
        report(name + "_erases", "%.2f" % (device.erases / 20))
    lt.close()
    report("items", lt.count())
