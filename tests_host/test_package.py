"""claw_memory as a package for mip, and what `make release` builds."""

import functools
import hashlib
import http.server
import json
import re
import subprocess
import sys
import tarfile
import threading
import zipfile

import pytest

from tests_host.flash_kit import REPO, SimBoard, tool

import flash_files
import release
from flash_board import Board


class QuietHandler(http.server.SimpleHTTPRequestHandler):
    """Serves the repository without a line for each request."""

    def log_message(self, *_):
        pass


@pytest.fixture(scope="module")
def index():
    """Address of a local server that stands for the place where the repository is published."""
    handler = functools.partial(QuietHandler, directory=str(REPO))
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield "http://127.0.0.1:%d" % server.server_port
    server.shutdown()
    server.server_close()


def test_package_lists_every_file_of_the_library():
    text = (REPO / "package.json").read_text(encoding="utf-8")
    assert text == release.package_json(), "run: python tools/release.py package"
    urls = json.loads(text)["urls"]
    assert len(urls) > 20 and ["skills/memory.md", "firmware/skills/memory.md"] in urls
    for target, url in urls:
        assert target.startswith(("claw_memory/", "skills/")) and (REPO / url).is_file()


def library_example():
    text = (REPO / "README.md").read_text(encoding="utf-8")
    return re.search(r"## As a library.*?```python\n(.*?)```", text, re.S).group(1)


def test_mip_installs_the_library_and_the_example_of_the_readme_runs(index, tmp_path):
    with SimBoard(tmp_path) as sim:
        done = subprocess.run(
            [
                sys.executable,
                "-m",
                "mpremote",
                "connect",
                sim.port,
                "mip",
                "install",
                index + "/package.json",
            ],
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            timeout=120,
            check=False,
        )
        assert done.returncode == 0, done.stdout
        board = Board(sim.port)
        try:
            board.enter()
            found = {path for path, _ in board.tree("")}
            listed = json.loads((REPO / "package.json").read_text())["urls"]
            assert found == {"/lib/" + target for target, _ in listed}
            text = board.run(library_example())
        finally:
            board.close()
    assert text.splitlines()[0] == "The cat is called Pixel"
    assert "my cat is called Pixel" in text and "Noted." in text


def test_example_runs_on_cpython(tmp_path):
    code = library_example().replace("/tmp/claw", str(tmp_path / "claw"))
    paths = [str(REPO / "firmware"), str(REPO / "tests_host" / "shim")]
    code = "import sys; sys.path[:0] = %r\n%s" % (paths, code)
    done = subprocess.run(
        [sys.executable, "-c", code],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout
    assert done.stdout.splitlines()[0] == "The cat is called Pixel"


def test_version_is_the_same_everywhere():
    version = flash_files.version()
    assert re.match(r"\d+\.\d+\.\d+$", version)
    assert json.loads((REPO / "package.json").read_text())["version"] == version
    found = re.search(r'^version = "(.*)"$', (REPO / "pyproject.toml").read_text(), re.M)
    assert found is None or found.group(1) == version
    assert ("## " + version) in (REPO / "CHANGES.md").read_text()


@pytest.fixture(scope="module")
def dist(tmp_path_factory):
    """The release of the last commit."""
    target = tmp_path_factory.mktemp("release") / "dist"
    process = tool("release", "--to", target)
    assert process.returncode == 0, process.stderr
    return target


def test_release_holds_what_the_checksums_say(dist):
    lines = (dist / "SHA256SUMS").read_text().splitlines()
    names = {line.split("  ")[1]: line.split("  ")[0] for line in lines}
    assert set(names) == {path.name for path in dist.iterdir()} - {"SHA256SUMS"}
    for name, digest in names.items():
        assert hashlib.sha256((dist / name).read_bytes()).hexdigest() == digest


def test_release_is_the_same_each_time(dist, tmp_path):
    again = release.build(tmp_path / "again")
    assert again == [
        tuple(reversed(line.split("  ")))
        for line in (dist / "SHA256SUMS").read_text().splitlines()
    ]


def test_released_firmware_can_be_installed(dist, tmp_path):
    with zipfile.ZipFile(next(dist.glob("*-mpy.zip"))) as archive:
        archive.extractall(tmp_path)
    files = flash_files.firmware_files(tmp_path)
    manifest = json.loads((tmp_path / "claw_manifest.json").read_text())
    assert {path: flash_files.sha256(data) for path, data in files.items()} == manifest["files"]
    assert "/main.py" in files and "/claw_memory/__init__.mpy" in files
    assert [path for path in files if path.endswith(".py")] == ["/boot.py", "/main.py"]
    assert flash_files.version(tmp_path) == manifest["version"]


def test_source_archive_is_the_project(dist):
    with tarfile.open(next(dist.glob("*.tar.gz"))) as archive:
        names = archive.getnames()
    stem = names[0].split("/")[0]
    assert stem + "/firmware/main.py" in names and stem + "/README.md" in names
    assert not [name for name in names if "/build/" in name or "/.venv/" in name]


def test_release_without_a_change_note_is_refused(tmp_path):
    (tmp_path / "CHANGES.md").write_text("## 0.0.9\n")
    with pytest.raises(release.Stop, match="no section for version 0.1.0"):
        release._check_changes(tmp_path, "0.1.0")


def test_firmware_files_are_those_of_the_image_builder(tmp_path):
    import image

    built = {
        path: read_bytes(source)
        for path, source in image.compile_firmware(build=str(tmp_path)).items()
    }
    assert flash_files.firmware_files() == built


def read_bytes(path):
    with open(path, "rb") as file:
        return file.read()
