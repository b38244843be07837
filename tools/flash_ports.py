"""Finds the serial port of the board and tells the two USB sockets of an ESP32-S3 apart."""

from serial.tools import list_ports

# (vendor id, product id or None for any): what is behind the socket.
_NATIVE = {
    (0x303A, 0x1001): "the chip's own USB (socket marked USB)",
    (0x303A, 0x4001): "MicroPython over the chip's own USB (socket marked USB)",
}
_BRIDGES = {
    0x10C4: "a CP210x USB-UART bridge (socket marked UART or COM)",
    0x1A86: "a CH34x USB-UART bridge (socket marked UART or COM)",
    0x0403: "an FTDI USB-UART bridge (socket marked UART or COM)",
}


class PortError(Exception):
    """No single port can be chosen; the text says what to do."""


class Candidate:
    """One port that may be a board: device name, kind "native" or "bridge", text for people."""

    def __init__(self, device, kind, text):
        self.device = device
        self.kind = kind
        self.text = text


def candidates(ports=None):
    """The ports that may be boards, bridges first. ports: as from pyserial, for tests."""
    found = []
    for port in list_ports.comports() if ports is None else ports:
        if port.vid is None:
            continue
        native = _NATIVE.get((port.vid, port.pid))
        bridge = _BRIDGES.get(port.vid)
        if native or port.vid == 0x303A:
            found.append(Candidate(port.device, "native", native or "an Espressif USB device"))
        elif bridge:
            found.append(Candidate(port.device, "bridge", bridge))
    found.sort(key=lambda c: (c.kind != "bridge", c.device))
    return found


def choose(ports=None):
    """The device name of the only candidate.

    Raises PortError when there is none, or several: its text then lists them and says which to
    use.
    """
    found = candidates(ports)
    if len(found) == 1:
        return found[0].device
    if not found:
        raise PortError("No board was found: plug it in with a USB cable that carries data (many "
                        "only charge), or name the port with --port.")
    lines = ["Several ports may be the board; name one with --port:"]
    lines += ["  %s  %s" % (c.device, c.text) for c in found]
    kinds = [c.kind for c in found]
    if "bridge" in kinds and "native" in kinds:
        lines.append("An ESP32-S3 board with both its sockets plugged in shows up as two ports. "
                     "Use %s: the UART bridge stays connected while the chip restarts, its own "
                     "USB drops out each time." % found[0].device)
    raise PortError("\n".join(lines))


def describe(device, ports=None):
    """What is behind `device`, as text for people, or "" when it is not known."""
    return next((c.text for c in candidates(ports) if c.device == device), "")
