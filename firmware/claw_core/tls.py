"""TLS towards the model's server: verified with the CA files on the board, or loudly not."""

import os

from claw_core.http import HttpError
from claw_memory import platform
from micropython import const

CERTS = "/certs"  # folder of the CA files, each one certificate in DER form, *.der
_UNVERIFIED = const(
    "tls.verify is false: whoever controls the network between here and %s can read the key and "
    "the conversation; /config unset tls.verify makes it safe again."
)


class Trust:
    """Makes the ssl context for a host: what http.post wants as tls.

    http.post awaits ready() and then calls the object for the ssl context.

    config: settings (tls.verify). say: function that gets a sentence when nothing is verified.
    folder: where the CA files are, "" for CERTS.
    """

    def __init__(self, config, say=print, folder=""):
        self._config = config
        self._say = say
        self._folder = folder or CERTS

    async def ready(self):
        """Ask for the time when the clock is not set: no certificate can be checked before."""
        if self._config.get("tls.verify") and not platform.unix_time():
            from claw_core import clock

            await clock.sync(self._config, self._say, (0,))

    def __call__(self, host):
        """The ssl context for host. Raises HttpError "tls" with what to do.

        It is made anew for each request: kept, the CA certificates would take RAM from the chat.
        """
        # MicroPython's ssl and CPython's name the same things.
        import ssl

        context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
        if not self._config.get("tls.verify"):
            self._say(_UNVERIFIED % host)
            if hasattr(context, "check_hostname"):
                context.check_hostname = False  # pyright: ignore[reportAttributeAccessIssue]
            context.verify_mode = ssl.CERT_NONE
            return context
        if not platform.unix_time():
            raise HttpError(
                "The clock is not set, so the certificate of %s cannot be checked; wait until the "
                "board is online, or check time.server." % host,
                "tls",
            )
        context.verify_mode = ssl.CERT_REQUIRED
        if not self._load(context):
            raise HttpError(
                "There is no usable CA file in %s, so %s cannot be verified; install them with "
                "tools/flash.py." % (self._folder, host),
                "tls",
            )
        return context

    def _load(self, context):
        """Give context every CA file; return how many it took."""
        try:
            names = os.listdir(self._folder)
        except OSError:
            return 0
        count = 0
        for name in names:
            if name.endswith(".der"):
                try:
                    with open(self._folder + "/" + name, "rb") as file:
                        context.load_verify_locations(cadata=file.read())
                    count += 1
                except (OSError, ValueError):
                    self._say("The CA file %s/%s cannot be used." % (self._folder, name))
        return count
