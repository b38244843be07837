"""release.py: builds dist/ out of the last commit, and keeps package.json in step with the code.

dist/ holds the compiled firmware, the source archive and SHA256SUMS. The same commit gives the
same bytes. `release.py package` rewrites package.json instead.
"""

import argparse
import gzip
import hashlib
import io
import json
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
import zipfile
from pathlib import Path

import flash_files
from flash_console import Stop, say

REPO = flash_files.REPO
NAME = "claw_memory"


def main(arguments=None):
    """Run the command; returns the exit code. Every failure is one sentence on stderr."""
    parser = argparse.ArgumentParser(prog="release.py", description=__doc__.split("\n")[0])
    parser.add_argument("what", nargs="?", choices=("dist", "package"), default="dist")
    parser.add_argument("--to", metavar="DIR", default=str(REPO / "dist"))
    options = parser.parse_args(arguments)
    try:
        if options.what == "package":
            (REPO / "package.json").write_text(package_json(), encoding="utf-8")
            say("package.json lists %d files." % len(library_files()))
        else:
            for name, digest in build(Path(options.to)):
                say("%s  %s" % (digest, name))
        return 0
    except (Stop, flash_files.FilesError) as error:
        print(error, file=sys.stderr)
    return 1


def library_files():
    """What can be installed alone, below firmware/: claw_memory and the guidance in skills/."""
    firmware = flash_files.FIRMWARE
    files = [path for path in (firmware / NAME).rglob("*.py") if "__pycache__" not in path.parts]
    files += (firmware / "skills").glob("*.md")
    return sorted(path.relative_to(firmware).as_posix() for path in files)


def package_json():
    """What package.json must hold: where mip finds each file of claw_memory."""
    urls = ",\n".join("    %s" % json.dumps([name, "firmware/" + name])
                      for name in library_files())
    return '{\n  "urls": [\n%s\n  ],\n  "deps": [],\n  "version": "%s"\n}\n' % (
        urls, flash_files.version())


def build(target):
    """Build the release of the last commit in `target`; returns [(file name, SHA-256)].

    Raises Stop when there is no commit, or CHANGES.md does not tell about this version.
    """
    commit_time = int(_git("log", "-1", "--format=%ct"))
    archive = _git("archive", "--format=tar", "HEAD")
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder)
        with tarfile.open(fileobj=io.BytesIO(archive)) as tar:
            tar.extractall(source, filter="data")
        version = flash_files.version(source / "firmware")
        _check_changes(source, version)
        files = flash_files.firmware_files(source / "firmware")
    manifest = flash_files.manifest_bytes(files, "mpy", version)
    files[flash_files.MANIFEST] = manifest
    shutil.rmtree(target, ignore_errors=True)
    target.mkdir(parents=True)
    stem = "%s-%s" % (NAME, version)
    source_tar = _git("archive", "--format=tar", "--prefix=%s/" % stem, "HEAD")
    made = {stem + "-mpy.zip": _zip(files), stem + ".tar.gz": gzip.compress(
        source_tar, mtime=commit_time)}
    sums = []
    for name, data in sorted(made.items()):
        (target / name).write_bytes(data)
        sums.append((name, hashlib.sha256(data).hexdigest()))
    (target / "SHA256SUMS").write_text("".join("%s  %s\n" % (digest, name)
                                               for name, digest in sums))
    return sums


def _check_changes(source, version):
    path = source / "CHANGES.md"
    text = path.read_text(encoding="utf-8") if path.exists() else ""
    if not re.search(r"^## %s\b" % re.escape(version), text, re.M):
        raise Stop("CHANGES.md has no section for version %s: write it and commit." % version)


def _zip(files):
    """A zip archive with the layout of the board; the same files give the same bytes."""
    output = io.BytesIO()
    with zipfile.ZipFile(output, "w", zipfile.ZIP_DEFLATED) as archive:
        for path, data in sorted(files.items()):
            entry = zipfile.ZipInfo(path.lstrip("/"), (1980, 1, 1, 0, 0, 0))
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.external_attr = 0o644 << 16
            archive.writestr(entry, data)
    return output.getvalue()


def _git(*arguments):
    done = subprocess.run(["git", *arguments], cwd=REPO, stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, check=False)
    if done.returncode:
        raise Stop("A release is built out of a git commit: %s."
                   % done.stderr.decode("utf-8", "replace").strip().rstrip("."))
    return done.stdout


if __name__ == "__main__":
    sys.exit(main())
