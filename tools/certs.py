"""certs.py: the roots that https on the board trusts, out of the pinned package certifi.

    python tools/certs.py [--to DIR]

writes each as a .der file, as flash.py and the simulated board install them in /certs. They are
chosen by their SHA-256, so that no other certificate can take the place of one of them.
"""

import argparse
import hashlib
import re
import ssl
import sys
from pathlib import Path

BUILD = Path(__file__).resolve().parent.parent / "build" / "certs"

# file: (what the root is called, SHA-256 of the certificate in DER form)
ROOTS = {
    "isrg_x1": ("ISRG Root X1",
                "96bcec06264976f37460779acf28c5a7cfe8a3c0aae11a8ffcee05c0bddf08c6"),
    "isrg_x2": ("ISRG Root X2",
                "69729b8e15a86efc177a57afb7171dfc64add28c2fca8cf1507e34453ccb1470"),
    "gts_r1": ("GTS Root R1",
               "d947432abde7b7fa90fc2e6b59101b1280e0e1c7e4e40fa3c6887fff57a7f4cf"),
    "gts_r4": ("GTS Root R4",
               "349dfa4058c5e263123b398ae795573c4e1313c83fe68f93556cd5e8031b3c7d"),
    "digicert_g2": ("DigiCert Global Root G2",
                    "cb3ccbb76031e5e0138f8dd39a23f9de47ffc35e43c1144cea27d46a5ab1cb5f"),
    "digicert_g3": ("DigiCert Global Root G3",
                    "31ad6648f8104138c738f39ea4320133393e3a18cc02296ef97c2ac9ef6731d0"),
    "amazon_1": ("Amazon Root CA 1",
                 "8ecde6884f3d87b1125ba31ac3fcb13d7016de7f57cc904fe1cb97c6ae98196e"),
    "globalsign_r3": ("GlobalSign Root CA - R3",
                      "cbb522d7b7f127ad6a0113865bdf1cd4102e7d0759af635a7cf4720dc963c53b"),
    "globalsign_r6": ("GlobalSign Root CA - R6",
                      "2cabeafe37d06ca22aba7391c0033d25982952c453647349763a3ab5ad6ccf69"),
    "usertrust_rsa": ("USERTrust RSA Certification Authority",
                      "e793c9b02fd8aa13e21c31228accb08119643b749c898964b1746d46c3d4cbd2"),
    "usertrust_ecc": ("USERTrust ECC Certification Authority",
                      "4ff460d54b9c86dabfbcfc5712e0400d2bed3fbc4d4fbdaa86e06adcd2a9ad7a"),
    "ssl_com_ecc": ("SSL.com TLS ECC Root CA 2022",
                    "c32ffd9f46f936d16c3673990959434b9ad60aafbb9e7cf33654f144cc1ba143"),
}


class CertsError(Exception):
    """The roots cannot be had; one sentence for people."""


def is_needed(firmware):
    """True for a folder of firmware sources whose client speaks https."""
    return (Path(firmware) / "claw_core" / "tls.py").exists()


def roots(bundle=None):
    """{path on the board: bytes in DER form} of all ROOTS. Raises CertsError.

    bundle: PEM text to look in instead of that of certifi.
    """
    if bundle is None:
        try:
            import certifi
        except ImportError:
            raise CertsError("The package certifi is missing: run make venv.") from None
        bundle = Path(certifi.where()).read_text(encoding="ascii", errors="replace")
    found = {}
    blocks = re.findall("-----BEGIN CERTIFICATE-----.+?-----END CERTIFICATE-----", bundle, re.S)
    for block in blocks:
        der = ssl.PEM_cert_to_DER_cert(block)
        found[hashlib.sha256(der).hexdigest()] = der
    missing = [name for name, digest in ROOTS.values() if digest not in found]
    if missing:
        raise CertsError("certifi has no %s any more: update the table in tools/certs.py."
                         % ", ".join(missing))
    return {"/certs/%s.der" % stem: found[digest] for stem, (_, digest) in ROOTS.items()}


def write(folder=BUILD):
    """Write the roots into folder; returns {path on the board: path on this machine}."""
    folder = Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    files = {}
    for path, data in roots().items():
        target = folder / path.rpartition("/")[2]
        if not target.exists() or target.read_bytes() != data:
            target.write_bytes(data)
        files[path] = str(target)
    return files


def main(arguments=None):
    """Run the command; returns the exit code."""
    parser = argparse.ArgumentParser(prog="certs.py", description=__doc__.split("\n")[0])
    parser.add_argument("--to", metavar="DIR", default=str(BUILD))
    options = parser.parse_args(arguments)
    try:
        files = write(options.to)
    except (CertsError, OSError) as error:
        print(error, file=sys.stderr)
        return 1
    print("%d roots in %s" % (len(files), options.to))
    return 0


if __name__ == "__main__":
    sys.exit(main())
