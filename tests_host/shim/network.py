"""Simulated network module: a WLAN that knows the networks a test puts into `air`."""

STA_IF = 0
AP_IF = 1
AUTH_OPEN = 0
AUTH_WPA2_PSK = 3
STAT_IDLE = 1000
STAT_CONNECTING = 1001
STAT_GOT_IP = 1010
STAT_NO_AP_FOUND = 201
STAT_WRONG_PASSWORD = 202

# What is on the air: ssid (str) -> password (str, empty for an open network).
air = {}
_hostname = "mpy-esp32s3"


def hostname(name=None):
    """Name of the board in the network, or set it."""
    global _hostname
    if name is not None:
        _hostname = name
    return _hostname


def country(code=None):
    """Accepted and without effect."""
    return code or "XX"


class WLAN:
    """One interface; connect() succeeds at once when `air` has the network and the password."""

    IF_STA = STA_IF
    IF_AP = AP_IF
    PM_NONE = 0
    PM_PERFORMANCE = 1
    PM_POWERSAVE = 2
    _shared = {}

    def __init__(self, interface_id=STA_IF):
        self._state = self._shared.setdefault(
            interface_id, {"active": False, "status": STAT_IDLE, "ssid": "", "config": {}}
        )

    def active(self, on=None):
        """Whether the interface is up, or switch it; switching off disconnects."""
        if on is not None:
            self._state["active"] = bool(on)
            if not on:
                self.disconnect()
        return self._state["active"]

    def connect(self, ssid=None, key=None, bssid=None):
        """Join a network; OSError when the interface is down. status() tells how it went."""
        if not self._state["active"]:
            raise OSError("Wifi Not Started")
        if ssid not in air:
            self._state["status"] = STAT_NO_AP_FOUND
        elif air[ssid] != (key or ""):
            self._state["status"] = STAT_WRONG_PASSWORD
        else:
            self._state["status"] = STAT_GOT_IP
            self._state["ssid"] = ssid

    def disconnect(self):
        """Leave the network."""
        self._state["status"] = STAT_IDLE
        self._state["ssid"] = ""

    def isconnected(self):
        """True while joined, and while the network is still on the air."""
        return self._state["status"] == STAT_GOT_IP and self._state["ssid"] in air

    def status(self, what=None):
        """One of the STAT_ constants, or the signal strength in dBm for 'rssi'."""
        return -55 if what == "rssi" else self._state["status"]

    def scan(self):
        """[(ssid, bssid, channel, rssi, security, hidden)] of what is on the air."""
        return [
            (ssid.encode(), b"\x02\0\0\0\0\x02", 6, -55, AUTH_WPA2_PSK if key else 0, False)
            for ssid, key in air.items()
        ]

    def ifconfig(self, config=None):
        """(address, mask, gateway, name server); zeros while not connected."""
        if self.isconnected():
            return ("192.0.2.7", "255.255.255.0", "192.0.2.1", "192.0.2.1")
        return ("0.0.0.0", "0.0.0.0", "0.0.0.0", "0.0.0.0")

    def ipconfig(self, *names, **settings):
        """('address', 'mask') for 'addr4'."""
        return self.ifconfig()[:2] if names else None

    def config(self, *names, **settings):
        """Keep settings, or tell one by its name."""
        self._state["config"].update(settings)
        if not names:
            return None
        if names[0] == "mac":
            return b"\x02\x00\x00\x00\x00\x01"
        return self._state["ssid"] if names[0] in ("ssid", "essid") else self._state["config"].get(
            names[0]
        )  # fmt: skip
