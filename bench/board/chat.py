"""One full turn of the real main.py, in a small heap: fed by a pipe, with a model on the loopback.

"where" is the image or folder; the file of that name plus ".url" holds the server's address
and, on a second line, its key: with a key the agent also learns in the background. The settings
lie in /config.json, as on a board; a folder of the host has them in RAM.
"""

import sys

import place
from out import report


class _Settings:
    pass


def main(kind, where):
    """Run the chat until its input ends; report the modules it had imported."""
    with open(where + ".url") as f:
        url, key = f.read().split("\n")
    root, _ = place.enter(kind, where, fresh=False)
    if root:
        env = sys.modules["claw_env"] = _Settings()
        env.SETTINGS = {"model.base_url": url, "model.name": "scripted", "memory.root": root}
        env.SETTINGS["model.key"] = key
    else:
        with open("/config.json", "w") as f:
            f.write('{"model.base_url":"%s","model.name":"scripted",' % url)
            f.write('"model.key":"%s"}' % key)
    from claw_memory import limits

    limits.SESSION_BYTES = 4 << 20
    __import__("boot")
    import main as firmware

    close = firmware.close

    def last(memory):
        names = [n for n in sys.modules if n.startswith("claw_") or n == "main"]
        report("modules", ",".join(sorted(names)))
        close(memory)

    firmware.close = last
    firmware.main()
