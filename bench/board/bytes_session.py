"""Bytes that a session append reads and writes; wear of whole turns against a plain log."""

import meter
import place
from out import report

_ID = "console:bench"
CALL = '{"role":"assistant","content":null,"tool_calls":[{"id":"call_%d","type":"function",'
CALL += '"function":{"name":"memory_recall","arguments":"{\\"summary_labels\\":[\\"pet\\"]}"}}]}'
RESULT = '{"role":"tool","tool_call_id":"call_%d","content":"{\\"ok\\":true,\\"items\\":[%s]}"}'
_TURNS = 200


def main(kind, where):
    """Report all figures of this group."""
    meter.install()
    root, device = place.enter(kind, where, size=4 << 20)
    from claw_memory import limits, platform
    from claw_memory.sessions import CALLS, FINAL, USER, Sessions
    from claw_memory.sessions import RESULT as ANSWER
    from material import message, talk

    limits.SESSION_BYTES = 4 << 20
    for count in (10, 1000):
        sessions = Sessions(root + "/s%d" % count)
        talk(sessions, _ID, 0, count)
        meter.reset()
        sessions.persist(_ID, [(USER, message(1), None)])
        report("append_read_%d" % count, meter.read)
        report("append_written_%d" % count, meter.written)
        meter.reset()
        sessions.persist(_ID, [(FINAL, message(2), None)], completed=True)
        report("final_read_%d" % count, meter.read)
        sessions.close()
        meter.reset()
        sessions = Sessions(root + "/s%d" % count)
        sessions.persist(_ID, [(USER, message(1), None)])
        report("append_first_read_%d" % count, meter.read)
        sessions.close()
    for tools in (0, 1):
        sessions = Sessions(root + "/wear%d" % tools)
        turns = []
        for n in range(_TURNS):
            turn = [[(USER, message(n, 80), None)]]
            if tools:
                note = "fact" * 100
                turn.append([(CALLS, None, CALL % n), (ANSWER, None, RESULT % (n, note))])
            turn.append([(FINAL, message(n, 400), None)])
            turns.append(turn)
        device.reset()
        sizes = []
        path = sessions.data_path(_ID)
        for turn in turns:
            for records in turn:
                before = max(0, platform.size(path))
                sessions.persist(_ID, records, completed=records is turn[-1])
                sizes.append(platform.size(path) - before)
        ours = device.programmed, device.erases, device.programs
        device.reset()
        meter.uninstall()
        for size in sizes:
            with open(root + "/plain%d" % tools, "ab") as f:
                f.write(b"x" * size)
        meter.install()
        plain = device.programmed, device.erases, device.programs
        name = "wear_tools" if tools else "wear_plain"
        report(name + "_programmed", "%.3f" % (ours[0] / plain[0]))
        report(name + "_erases", "%.3f" % (ours[1] / max(1, plain[1])))
        report(name + "_turn_programmed", ours[0] // _TURNS)
        report(name + "_turn_erases", "%.2f" % (ours[1] / _TURNS))
        report(name + "_turn_log", sum(sizes) // _TURNS)
        if tools:
            # The log of these turns is over the limit: the next completed turn compacts it.
            limits.SESSION_BYTES = 153600
            device.reset()
            sessions.persist(_ID, [(FINAL, message(0), None)], completed=True)
            report("session_compaction_programmed", device.programmed)
            report("session_compaction_erases", device.erases)
        sessions.close()
