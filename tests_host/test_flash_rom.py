"""The real esptool against a simulated boot loader: identify, erase, write, verify, failures."""

import subprocess
import sys
import time

import pytest

from tests_host.flash_kit import (
    TOOLS,
    SimBoard,
    boot_loader,
    micropython_image,
    one_sentence,
    small_firmware,
    tool,
)

import flash_rom


@pytest.fixture(scope="module")
def s3():
    with boot_loader() as (port, _):
        yield port


@pytest.fixture
def image(tmp_path):
    path = tmp_path / "ESP32_GENERIC_S3.bin"
    path.write_bytes(micropython_image(vfs_end=4 << 20))
    return path


def flash(tmp_path, *arguments):
    return tool("flash", "--folder", small_firmware(tmp_path / "firmware"), *arguments)


def test_identify(s3):
    info = flash_rom.identify(s3)
    assert (info.name, info.flash_mb, info.psram_mb) == ("ESP32-S3", 4, 0)


def test_write_verify_and_erase(image, tmp_path):
    other = tmp_path / "other.bin"
    other.write_bytes(image.read_bytes()[:-1] + b"!")
    blank = tmp_path / "blank.bin"
    blank.write_bytes(b"\xff" * image.stat().st_size)
    with boot_loader() as (port, _):
        seen = []
        flash_rom.write(port, "esp32s3", 0, image, seen.append)
        assert seen == sorted(seen) and len(seen) > 3 and seen[-1] == 100
        # The simulated chip restarts three seconds after a write.
        time.sleep(3.5)
        flash_rom.verify(port, "esp32s3", 0, image)
        for wrong in (other, blank):
            with pytest.raises(flash_rom.RomError, match="differs from the file"):
                flash_rom.verify(port, "esp32s3", 0, wrong)
        flash_rom.erase(port, "esp32s3")
        flash_rom.verify(port, "esp32s3", 0, blank)


def test_wrong_chip_is_refused_before_anything_is_written(image, tmp_path):
    with boot_loader("esp32c3") as (port, _):
        text = one_sentence(
            flash(tmp_path, "--port", port, "--firmware", image, "--erase-data", "--yes")
        )
        assert "ESP32-C3" in text and "ESP32-S3" in text


def test_image_of_another_chip_is_refused_before_anything_is_written(image, tmp_path):
    with boot_loader("esp32") as (port, _):
        process = flash(tmp_path, "--port", port, "--firmware", image)
        text = one_sentence(process)
        assert "is for the ESP32-S3" in text and "ESP32_GENERIC-" in text
        assert "Writing" not in process.stdout and "Erasing" not in process.stdout


def test_image_too_large_for_the_flash_is_refused(s3, tmp_path):
    path = tmp_path / "large.bin"
    path.write_bytes(micropython_image(vfs_end=8 << 20))
    process = flash(tmp_path, "--port", s3, "--firmware", path)
    text = one_sentence(process)
    assert "needs 8 MB" in text and "FLASH_4M" in text and "Writing" not in process.stdout


def test_bad_image_is_refused_before_the_port_is_touched(tmp_path):
    path = tmp_path / "notes.txt"
    path.write_text("not firmware")
    text = one_sentence(flash(tmp_path, "--port", "/dev/does-not-exist", "--firmware", path))
    assert text.startswith("notes.txt is not an ESP firmware image")


def test_port_missing(image, tmp_path):
    text = one_sentence(flash(tmp_path, "--port", "/dev/ttyUSB99", "--firmware", image))
    assert text.startswith("/dev/ttyUSB99 does not exist")
    text = one_sentence(flash(tmp_path, "--port", "/dev/ttyUSB99"))
    assert text.startswith("/dev/ttyUSB99 does not exist")


def test_not_a_serial_port():
    with pytest.raises(flash_rom.RomError, match="not a serial port"):
        flash_rom.identify("/dev/null")


def test_unplugged_half_way(tmp_path):
    path = tmp_path / "big.bin"
    path.write_bytes(micropython_image(vfs_end=4 << 20, size=1000000))
    with boot_loader() as (port, process):

        def pull_the_plug(percent):
            if percent > 20:
                process.kill()

        with pytest.raises(flash_rom.RomError) as caught:
            flash_rom.write(port, "esp32s3", 0, path, pull_the_plug)
        assert "went away while trying to write the firmware" in str(caught.value)


def test_from_a_blank_chip_to_the_chat_with_one_command(image, tmp_path):
    """The port leads to the boot loader first, then (as after the reset) to MicroPython."""
    port = tmp_path / "port"
    (tmp_path / "sim").mkdir()
    with boot_loader() as (rom, _), SimBoard(tmp_path / "sim") as sim:
        port.symlink_to(rom)
        command = [
            sys.executable,
            str(TOOLS / "flash.py"),
            "--port",
            str(port),
            "--firmware",
            str(image),
            "--folder",
            str(small_firmware(tmp_path / "firmware")),
        ]
        process = subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        )
        seen = ""
        while "written and verified" not in seen:
            line = process.stdout.readline()
            assert line, seen + process.stderr.read()
            seen += line
        port.unlink()
        port.symlink_to(sim.port)
        rest, errors = process.communicate(timeout=60)
    assert process.returncode == 0, errors
    assert "ESP32-S3, flash 4 MB, PSRAM none reported" in seen
    assert "Erasing" not in seen, "an update keeps the memory"
    assert "hello from 1.0.0" in rest and "Ready." in rest


def test_board_without_micropython_is_told_which_file_to_get(s3, tmp_path):
    text = one_sentence(flash(tmp_path, "--port", s3))
    assert "ESP32_GENERIC_S3-FLASH_4M" in text and "micropython.org/download" in text
    assert "--firmware" in text
