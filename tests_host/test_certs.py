"""The roots that the tools put on a board."""

import hashlib
import os
import ssl
import subprocess
import sys

import pytest
from tests_host.boardlib import REPL, REPO, Board
from cryptography import x509

sys.path.insert(0, str(REPO / "tools"))

import certs  # noqa: E402
import flash_files  # noqa: E402

from tests_host.both.__main__ import tool  # noqa: E402


def test_each_root_is_the_one_that_the_table_and_the_readme_name():
    readme = (REPO / "README.md").read_text(encoding="utf-8")
    files = certs.roots()
    assert set(files) == {"/certs/%s.der" % stem for stem in certs.ROOTS}
    for stem, (name, digest) in certs.ROOTS.items():
        data = files["/certs/%s.der" % stem]
        root = x509.load_der_x509_certificate(data)
        assert hashlib.sha256(data).hexdigest() == digest
        assert name in root.subject.rfc4514_string() and root.subject == root.issuer
        assert name in readme, name


def test_a_bundle_without_one_of_them_is_an_error_that_names_it():
    pem = [ssl.DER_cert_to_PEM_cert(data) for data in certs.roots().values()]
    assert certs.roots("".join(pem)) == certs.roots()
    with pytest.raises(certs.CertsError, match="no %s any more" % certs.ROOTS["isrg_x1"][0]):
        certs.roots("".join(pem[1:]))


def test_the_command_writes_them(tmp_path):
    command = [sys.executable, str(REPO / "tools" / "certs.py"), "--to", str(tmp_path)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert done.stdout.startswith("%d roots" % len(certs.ROOTS))
    assert {
        "/certs/" + name: (tmp_path / name).read_bytes() for name in os.listdir(tmp_path)
    } == certs.roots()


def test_they_are_part_of_what_is_installed_beside_those_of_the_folder(tmp_path):
    (tmp_path / "main.py").write_text("")
    assert list(flash_files.firmware_files(tmp_path)) == ["/main.py"]
    for folder, name, text in (("claw_core", "tls.py", ""), ("certs", "isrg_x1.der", "own")):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / name).write_text(text)
    files = flash_files.firmware_files(tmp_path)
    assert set(certs.roots()) < set(files)
    assert files["/certs/isrg_x1.der"] == b"own"


def test_micropython_loads_every_one_of_them(tmp_path):
    certs.write(tmp_path)
    script = (
        "import sys; sys.path.insert(0, %r)\n"
        "from claw_core.tls import Trust\n"
        "class Config:\n"
        "    def get(self, key):\n"
        "        return True\n"
        "said = []\n"
        "trust = Trust(Config(), said.append, %r)\n"
        "import ssl\n"
        "print(trust._load(ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)), said)\n"
        % (str(REPO / "firmware"), str(tmp_path))
    )
    done = subprocess.run([tool("micropython"), "-c", script], capture_output=True, check=True)
    assert done.stdout.decode().strip() == "%d []" % len(certs.ROOTS)


def test_they_lie_on_the_simulated_board():
    with Board(firmware=True) as board:
        board.prompt()
        board.send("\x03")
        board.expect(REPL)
        assert str(sorted("%s.der" % stem for stem in certs.ROOTS)) in board.repl(
            "import os; print(sorted(os.listdir('/certs')))"
        )
