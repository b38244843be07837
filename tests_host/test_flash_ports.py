"""Finding the board's port, and telling the two sockets of an ESP32-S3 board apart."""

import types

from tests_host import flash_kit  # noqa: F401
import pytest

import flash_ports


def port(device, vid, pid=0):
    return types.SimpleNamespace(device=device, vid=vid, pid=pid)


BRIDGE = port("/dev/ttyUSB0", 0x10C4, 0xEA60)
OTHER_BRIDGE = port("/dev/ttyACM1", 0x1A86, 0x55D3)
NATIVE = port("/dev/ttyACM0", 0x303A, 0x1001)
RUNNING = port("/dev/ttyACM0", 0x303A, 0x4001)
MOUSE = port("/dev/ttyS9", 0x046D)
BUILT_IN = port("/dev/ttyS0", None, None)


def test_the_only_candidate_is_taken():
    for one in (BRIDGE, OTHER_BRIDGE, NATIVE, RUNNING):
        assert flash_ports.choose([BUILT_IN, MOUSE, one]) == one.device


def test_none_says_what_to_do():
    with pytest.raises(flash_ports.PortError, match="cable that carries data"):
        flash_ports.choose([BUILT_IN, MOUSE])


def test_both_sockets_of_one_board_are_explained():
    with pytest.raises(flash_ports.PortError) as caught:
        flash_ports.choose([NATIVE, BRIDGE])
    text = str(caught.value)
    assert "Use /dev/ttyUSB0" in text
    assert "/dev/ttyACM0  the chip's own USB" in text
    assert "/dev/ttyUSB0  a CP210x" in text


def test_two_boards_are_listed_without_a_guess():
    with pytest.raises(flash_ports.PortError) as caught:
        flash_ports.choose([BRIDGE, OTHER_BRIDGE])
    text = str(caught.value)
    assert "CH34x" in text and "CP210x" in text and "Use " not in text


def test_a_port_is_described():
    assert "MicroPython" in flash_ports.describe("/dev/ttyACM0", [RUNNING])
    assert flash_ports.describe("/dev/pts/3", [RUNNING]) == ""
