"""`network` of the simulated board: a station that finds the networks of board_sim.wifi.

Sockets are those of the host and work whether the station is connected or not.
"""

import time

import board_sim
from micropython import const

_IDLE = const(1000)
_CONNECTING = const(1001)
_GOT_IP = const(1010)
_BEACON_TIMEOUT = const(200)
_NO_AP_FOUND = const(201)
_WRONG_PASSWORD = const(202)
# What a chip has in its ROM takes no RAM: here it does when somebody asks for it.
_VALUES = const(
    " STA_IF 0 AP_IF 1 STAT_IDLE 1000 STAT_CONNECTING 1001 STAT_GOT_IP 1010 STAT_BEACON_TIMEOUT"
    " 200 STAT_NO_AP_FOUND 201 STAT_WRONG_PASSWORD 202 STAT_ASSOC_FAIL 203"
    " STAT_HANDSHAKE_TIMEOUT 204 "
)

_JOIN_MS = 300  # a real station needs one to five seconds
_names = {"hostname": "mpy-esp32s3", "country": "XX"}


def __getattr__(name):
    found = _VALUES.find(" %s " % name)
    if found < 0:
        raise AttributeError(name)
    return int(_VALUES[found + len(name) + 1 :].split(None, 1)[0])


def power_on(settings):
    """Both interfaces are off at power-on."""
    for interface in WLAN._all:
        interface._off()


def hostname(name=None):
    """Name of the board on the network; with name set it."""
    if name is None:
        return _names["hostname"]
    _names["hostname"] = name


def country(code=None):
    """Two-letter country code; with code set it."""
    if code is None:
        return _names["country"]
    _names["country"] = code


class WLAN:
    """The Wi-Fi interface STA_IF or AP_IF; there is one object of each."""

    IF_STA = 0
    IF_AP = 1
    SEC_OPEN = 0
    SEC_WPA2 = 3
    PM_NONE = 0
    PM_PERFORMANCE = 1
    PM_POWERSAVE = 2
    _all = []

    def __new__(cls, interface=0):
        return cls._all[interface]

    def _off(self):
        self._active = False
        self._ssid = ""
        self._since = 0
        self._state = _IDLE

    def active(self, on=None):
        """Whether the interface is on; with on switch it."""
        if on is None:
            return self._active
        if on:
            self._active = True
        else:
            self._off()
        return self._active

    def connect(self, ssid=None, key=None, *, bssid=None):
        """Begin to join a network."""
        if not self._active:
            raise OSError("Wifi Internal Error")
        if ssid is not None:
            self._ssid, self._key = ssid, key or ""
        self._since = time.ticks_ms()
        self._state = _CONNECTING

    def disconnect(self):
        """Leave the network."""
        self._state = _IDLE

    def _step(self):
        nets = board_sim.wifi["networks"]
        known = board_sim.wifi["up"] and self._ssid in nets
        if self._state == _GOT_IP and not known:
            self._state = _BEACON_TIMEOUT
        elif self._state in (_CONNECTING, _BEACON_TIMEOUT, _NO_AP_FOUND):
            if time.ticks_diff(time.ticks_ms(), self._since) < _JOIN_MS:
                return
            if not known:
                self._state = _NO_AP_FOUND
            elif nets[self._ssid] != self._key:
                self._state = _WRONG_PASSWORD
            else:
                self._state = _GOT_IP

    def isconnected(self):
        """True with an address."""
        self._step()
        return self._state == _GOT_IP

    def status(self, what=None):
        """One of the STAT_ constants, or the 'rssi' in dBm."""
        self._step()
        return -50 if what == "rssi" else self._state

    def scan(self):
        """List of (ssid, bssid, channel, rssi, security, hidden)."""
        if not self._active:
            raise OSError("STA must be active")
        nets = board_sim.wifi["networks"] if board_sim.wifi["up"] else {}
        return [
            (name.encode(), b"\x02\0\0\0\0\x01", 1, -50, 3 if nets[name] else 0, False)
            for name in sorted(nets)
        ]

    def ifconfig(self, value=None):
        """(address, mask, gateway, name server)."""
        if self.isconnected():
            return ("192.168.4.2", "255.255.255.0", "192.168.4.1", "192.168.4.1")
        return ("0.0.0.0", "0.0.0.0", "0.0.0.0", "0.0.0.0")

    def ipconfig(self, name=None, **_):
        """The address as ('addr4', 'gw4', 'has_dhcp4')."""
        addr = self.ifconfig()
        return {"addr4": (addr[0], addr[1]), "gw4": addr[2], "has_dhcp4": True}[name]

    def config(self, name=None, **settings):
        """One setting by name, or set some."""
        if name is None:
            self._config.update(settings)
        elif name == "mac":
            return b"\x02\0\0\0\0\x02"
        elif name in ("ssid", "essid"):
            return self._ssid
        elif name in self._config:
            return self._config[name]
        else:
            raise ValueError("unknown config param")


def _interface():
    interface = object.__new__(WLAN)
    interface._config = {"reconnects": -1, "pm": 1, "txpower": 20, "channel": 1}
    interface._off()
    return interface


WLAN._all.append(_interface())
WLAN._all.append(_interface())
