"""A private certificate authority for tests: the CA file of the board, and servers' contexts."""

import datetime
import ssl

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

DAY = datetime.timedelta(days=1)


def _name(text):
    return x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, text)])


class PrivateCA:
    """One root. folder: pathlib folder for the files that ssl wants to read."""

    def __init__(self, folder, name="Test Root"):
        self.folder = folder
        self._key = ec.generate_private_key(ec.SECP256R1())
        self._name = _name(name)
        builder = self._builder(self._name, self._key, -1, 30)
        basic = x509.BasicConstraints(ca=True, path_length=None)
        builder = builder.add_extension(basic, critical=True)
        self.root = builder.sign(self._key, hashes.SHA256())

    def _builder(self, name, key, start, end):
        now = datetime.datetime.now(datetime.timezone.utc)
        return (
            x509.CertificateBuilder()
            .subject_name(name)
            .issuer_name(self._name)
            .public_key(key.public_key())
            .serial_number(x509.random_serial_number())
            .not_valid_before(now + start * DAY)
            .not_valid_after(now + end * DAY)
        )

    def der(self):
        """The root as the board keeps it."""
        return self.root.public_bytes(serialization.Encoding.DER)

    def server(self, host="localhost", start=-1, end=10):
        """The ssl context of a server called host; start and end of validity in days from now."""
        key = ec.generate_private_key(ec.SECP256R1())
        names = x509.SubjectAlternativeName([x509.DNSName(host)])
        builder = self._builder(_name(host), key, start, end)
        leaf = builder.add_extension(names, critical=False).sign(self._key, hashes.SHA256())
        path = self.folder / ("server%d.pem" % leaf.serial_number)
        path.write_bytes(
            leaf.public_bytes(serialization.Encoding.PEM)
            + key.private_bytes(
                serialization.Encoding.PEM,
                serialization.PrivateFormat.PKCS8,
                serialization.NoEncryption(),
            )
        )
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(path)
        return context
