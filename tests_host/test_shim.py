"""The shim itself: CPython behaves as the board where the firmware relies on it."""

import _thread
import asyncio
import gc
import io
import os
import pathlib
import subprocess
import sys
import threading
import time

import esp32
import machine
import micropython
import neopixel
import network
import ntptime
import pytest
import vfs

REPO = pathlib.Path(__file__).resolve().parents[1]


@pytest.fixture
def board():
    machine.board.clear()
    network.air.clear()
    yield machine.board
    machine.board.clear()
    network.air.clear()


def test_const_and_interrupt_character():
    assert micropython.const(7) == 7
    micropython.kbd_intr(-1)
    assert micropython.kbd_intr_char() == -1
    micropython.kbd_intr(3)
    assert micropython.kbd_intr_char() == 3


def test_pins_are_seen_from_outside(board):
    led = machine.Pin(2, machine.Pin.OUT, value=1)
    assert board.pins[2].level == 1 and board.pins[2].mode == machine.Pin.OUT
    led.off()
    assert board.pins[2].level == 0
    edges = []
    button = machine.Pin(4, machine.Pin.IN, machine.Pin.PULL_UP)
    button.irq(lambda pin: edges.append(pin.value()), machine.Pin.IRQ_FALLING)
    board.pin(4).drive(0)
    board.pin(4).drive(1)
    assert edges == [0] and button.value() == 1
    with pytest.raises(ValueError):
        machine.Pin(49)


def test_adc_pwm_i2c_wdt(board):
    board.analog[1] = 65535
    assert machine.ADC(machine.Pin(1)).read() == 4095
    pwm = machine.PWM(machine.Pin(5), freq=1000, duty_u16=32768)
    assert board.pins[5].duty == 32768 and pwm.freq() == 1000 and pwm.duty() == 512
    with pytest.raises(ValueError):
        pwm.duty_u16(65536)
    board.i2c[0x3C] = bytearray(4)
    bus = machine.I2C(0, scl=machine.Pin(9), sda=machine.Pin(8))
    bus.writeto(0x3C, b"\x01\xaa\xbb")
    assert bus.scan() == [0x3C] and bus.readfrom_mem(0x3C, 0, 3) == b"\x00\xaa\xbb"
    with pytest.raises(OSError, match="19"):
        bus.readfrom(0x50, 1)
    dog = machine.WDT(timeout=1000)
    dog.feed()
    assert board.wdt == 1


def test_reset_ends_what_runs_and_tells_its_cause(board):
    assert machine.reset_cause() == machine.PWRON_RESET
    with pytest.raises(SystemExit):
        machine.reset()
    assert machine.reset_cause() == machine.HARD_RESET and board.resets == 1


def test_network_joins_only_what_is_on_the_air(board):
    network.air["home"] = "secret"
    wlan = network.WLAN(network.STA_IF)
    wlan.active(False)
    with pytest.raises(OSError):
        wlan.connect("home", "secret")
    wlan.active(True)
    wlan.connect("home", "wrong")
    assert wlan.status() == network.STAT_WRONG_PASSWORD and not wlan.isconnected()
    wlan.connect("other", "x")
    assert wlan.status() == network.STAT_NO_AP_FOUND
    wlan.connect("home", "secret")
    assert network.WLAN(network.STA_IF).isconnected() and wlan.ifconfig()[0] == "192.0.2.7"
    assert [row[0] for row in wlan.scan()] == [b"home"]
    del network.air["home"]
    assert not wlan.isconnected()
    wlan.active(False)


def test_nvs_and_partitions():
    store = esp32.NVS("claw")
    store.set_i32("n", -5)
    assert esp32.NVS("claw").get_i32("n") == -5
    store.set_blob("b", b"abc")
    buffer = bytearray(8)
    assert store.get_blob("b", buffer) == 3 and buffer[:3] == b"abc"
    store.erase_key("n")
    with pytest.raises(OSError):
        store.get_i32("n")
    assert esp32.Partition.find(esp32.Partition.TYPE_DATA, label="ffat") == []
    assert len(esp32.Partition.find(esp32.Partition.TYPE_DATA, label="vfs")) == 1


def test_ntptime_sets_the_clock_of_the_board(board, monkeypatch):
    with pytest.raises(OSError):
        ntptime.settime()
    for seconds in (0, 951782400, 1735689599, 1772323200, 4102444800):
        monkeypatch.setattr(ntptime, "answer", seconds)
        ntptime.settime()
        t = time.gmtime(seconds)
        assert machine.RTC().datetime() == (t[0], t[1], t[2], t[6], t[3], t[4], t[5], 0)


def test_neopixel_shows_after_write():
    strip = neopixel.NeoPixel(machine.Pin(48), 2)
    strip[0] = (1, 2, 3)
    assert strip.shown[0] == (0, 0, 0)
    strip.write()
    assert strip.shown[0] == (1, 2, 3) and len(strip) == 2


def test_old_names_are_the_new_modules():
    import uasyncio
    import ujson
    import urequests

    assert uasyncio.sleep_ms is asyncio.sleep_ms
    assert ujson.loads("[1]") == [1]
    with pytest.raises(OSError):
        urequests.get("http://127.0.0.1:9/", timeout=2)


def test_ticks_wrap_as_on_the_chip():
    start = time.ticks_ms()
    time.sleep_ms(15)
    assert 10 <= time.ticks_diff(time.ticks_ms(), start) < 5000
    near = (1 << 30) - 5
    assert time.ticks_add(near, 10) == 5
    assert time.ticks_diff(5, near) == 10
    assert time.ticks_diff(near, 5) == -10
    assert 0 <= time.ticks_us() < 1 << 30


def test_gc_and_stack_size():
    assert gc.mem_free() > 0 and gc.mem_alloc() > 0
    gc.threshold(4096)
    before = _thread.stack_size()
    _thread.stack_size(16384)
    assert _thread.stack_size(before) == 32768


async def test_sleep_ms_and_wait_for_ms():
    start = time.ticks_ms()
    await asyncio.sleep_ms(15)
    assert time.ticks_diff(time.ticks_ms(), start) >= 10
    assert await asyncio.wait_for_ms(asyncio.sleep(0, 5), 1000) == 5
    with pytest.raises(asyncio.TimeoutError):
        await asyncio.wait_for_ms(asyncio.sleep(5), 10)


async def test_thread_safe_flag_wakes_the_loop():
    flag = asyncio.ThreadSafeFlag()
    threading.Timer(0.02, flag.set).start()
    await asyncio.wait_for(flag.wait(), 5)
    with pytest.raises(asyncio.TimeoutError):
        await asyncio.wait_for_ms(flag.wait(), 20)
    flag.set()
    await asyncio.wait_for(flag.wait(), 5)
    flag.set()
    flag.clear()
    with pytest.raises(asyncio.TimeoutError):
        await asyncio.wait_for_ms(flag.wait(), 20)


async def test_thread_safe_flag_loses_nothing_between_threads():
    flag = asyncio.ThreadSafeFlag()
    done = []

    def work():
        for i in range(200):
            done.append(i)
            flag.set()

    thread = threading.Thread(target=work)
    thread.start()
    while not done or done[-1] != 199:
        await asyncio.wait_for(flag.wait(), 5)
    thread.join()


async def test_streams_over_files():
    read_end, write_end = os.pipe()
    with os.fdopen(read_end, "rb", 0) as source, os.fdopen(write_end, "wb", 0) as sink:
        reader = asyncio.StreamReader(source)
        writer = asyncio.StreamWriter(sink, {})
        with pytest.raises(asyncio.TimeoutError):
            await asyncio.wait_for_ms(reader.read(1), 20)
        writer.write(b"h\xc3\xa9\nrest")
        await writer.drain()
        assert await reader.read(1) == b"h"
        assert await reader.readline() == b"\xc3\xa9\n"
        sink.close()
        assert await reader.read(-1) == b"rest"
        assert await reader.read(1) == b""
    assert await asyncio.StreamReader(io.BytesIO(b"xy")).read(8) == b"xy"


async def test_streams_of_connections_stay_as_they_are():
    async def serve(reader, writer):
        writer.write(await reader.readexactly(3))
        await writer.drain()
        writer.close()

    server = await asyncio.start_server(serve, "127.0.0.1", 0)
    port = server.sockets[0].getsockname()[1]
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(b"abc")
    await writer.drain()
    assert await reader.read() == b"abc"
    writer.close()
    server.close()


def test_print_exception_and_ilistdir(tmp_path):
    out = io.StringIO()
    try:
        raise ValueError("what")
    except ValueError as e:
        sys.print_exception(e, out)
    assert out.getvalue().endswith("ValueError: what\n")
    (tmp_path / "d").mkdir()
    (tmp_path / "f").write_bytes(b"123")
    assert sorted(os.ilistdir(str(tmp_path))) == [("d", 0x4000, 0, 0), ("f", 0x8000, 0, 3)]


def test_a_mounted_fat_directory_is_what_platform_sees(tmp_path):
    from claw_memory import platform

    assert platform.fs_kind("/sd/x") == "posix"
    vfs.mount(vfs.VfsFat(tmp_path), "/sd")
    try:
        assert platform.fs_kind("/sd/x") == "fat" and platform.fs_kind("/sdx") == "posix"
        with open("/sd/File", "w", encoding="utf-8") as f:
            f.write("text")
        with open("/sd/FILE", "a") as f:
            f.write(" more")
        with open("/sd/file", encoding="utf-8") as f:
            assert f.read() == "text more"
        assert platform.size("/sd/file") == 9 and platform.free_bytes("/sd") > 0
        assert os.path.exists("/sd/fILe") and os.listdir("/sd") == ["File"]
        assert sorted(os.ilistdir("/sd"))[0][:2] == ("File", 0x8000)
        with pytest.raises(OSError):
            vfs.mount(vfs.VfsFat(tmp_path), "/sd")
    finally:
        vfs.umount("/sd")
    assert os.listdir(str(tmp_path)) == ["File"] and not os.path.exists("/sd/File")
    with pytest.raises(OSError):
        vfs.umount("/sd")


def test_claw_memory_needs_only_two_folders_on_the_path():
    code = (
        "import sys; sys.path[:0] = ['firmware', 'tests_host/shim']\n"
        "import claw_memory.platform, micropython\n"
        "assert 'machine' not in sys.modules and not hasattr(__import__('time'), 'ticks_ms')\n"
        "print(micropython.const(3))"
    )
    ran = subprocess.run(
        [sys.executable, "-c", code], cwd=REPO, capture_output=True, text=True, check=False
    )
    assert (ran.stdout, ran.stderr) == ("3\n", "")


def test_install_twice_changes_nothing():
    from tests_host import shim

    before = (open, asyncio.StreamReader, _thread.stack_size, time.ticks_ms, list(sys.path))
    shim.install()
    assert before == (open, asyncio.StreamReader, _thread.stack_size, time.ticks_ms, sys.path)
