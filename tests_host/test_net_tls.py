"""https towards the model's server, with a private CA, in both runtimes."""

import pytest

from tests_host.model_server import ModelServer, text
from tests_host.net import both
from tests_host.private_ca import PrivateCA


class PlainServer(ModelServer):
    """Answers whatever comes as an http server does that does not understand it."""

    def _serve(self, link):
        link.recv(4096)
        link.sendall(b"HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n")
        link.close()

    def __enter__(self):
        self.url = self.url.replace("http://127.0.0.1", "https://localhost")
        return self


class SilentServer(PlainServer):
    """Waits for the rest of what it takes for a request, then closes."""

    patience = 0.1

    def _serve(self, link):
        link.recv(4096)
        self._stop.wait(self.patience)
        link.close()


@pytest.fixture(params=both.RUNTIMES)
def run(request, tmp_path):
    """Run a case of tls_cases against a server with this context and these CA files."""

    def go(case, tls, server=None, **files):
        folder = tmp_path / "certs"
        folder.mkdir(exist_ok=True)
        for name, data in files.items():
            (folder / (name + ".der")).write_bytes(data)
        with server or ModelServer([text("hello over TLS")], tls) as server:
            both.run(request.param, "tls_cases", case, "%s|%s" % (server.url, folder))
            return server.requests

    go.runtime = request.param
    both.cases("tls_cases").said.clear()
    return go


def test_a_known_ca_is_trusted_and_the_key_goes_to_it(run, tmp_path):
    ca, other = PrivateCA(tmp_path), PrivateCA(tmp_path, "Other Root")
    (request,) = run("case_verified", ca.server(), other=other.der(), root=ca.der())
    assert request.headers["authorization"].startswith("Bearer ")


def test_what_cannot_be_trusted_gets_no_byte_of_the_request(run, tmp_path):
    ca, other = PrivateCA(tmp_path), PrivateCA(tmp_path, "Other Root")
    root = ca.der()
    assert not run("case_wrong_name", ca.server("example.org"), root=root)
    assert not run("case_unknown_ca", other.server(), root=root)
    assert not run("case_expired", ca.server(start=-9, end=-2), root=root)
    assert not run("case_not_yet_valid", ca.server(start=2, end=9), root=root)
    assert not run("case_clock_not_set", ca.server(), root=root)


def test_a_server_without_tls_at_an_https_address(run, tmp_path):
    with PlainServer() as plain:
        run("case_no_tls_there", None, server=plain, root=PrivateCA(tmp_path).der())
    if run.runtime == "micropython":  # elsewhere it is part of connecting
        for case, patience in (("case_no_tls_there", 0.1), ("case_no_greeting", 3)):
            with SilentServer() as silent:
                silent.patience = patience
                run(case, None, server=silent, root=PrivateCA(tmp_path).der())


def test_without_ca_files(run, tmp_path):
    assert not run("case_no_ca_files", PrivateCA(tmp_path).server())


def test_a_damaged_ca_file_is_named_and_the_others_serve(run, tmp_path):
    ca = PrivateCA(tmp_path)
    run("case_bad_ca_file", ca.server(), bad=b"no certificate", root=ca.der())


def test_verification_can_be_switched_off_and_says_so(run, tmp_path):
    run("case_not_verified", PrivateCA(tmp_path).server())


def test_a_clock_that_is_not_set_is_set_first(run, tmp_path):
    ca = PrivateCA(tmp_path)
    run("case_clock_set_first", ca.server(), root=ca.der())


def test_one_more_attempt_when_memory_was_short(run, tmp_path):
    ca = PrivateCA(tmp_path)
    assert len(run("case_short_of_memory", ca.server(), root=ca.der())) == 1
