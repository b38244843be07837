"""Firmware images: what may be written to a board and what is refused, and why."""

from tests_host import flash_kit  # noqa: F401
import pytest
from tests_host.flash_kit import esp_image, micropython_image

import flash_image


def check(tmp_path, data, name="firmware.bin"):
    path = tmp_path / name
    path.write_bytes(data)
    return flash_image.read_image(path)


def refusal(tmp_path, data, name="firmware.bin"):
    with pytest.raises(flash_image.ImageError) as caught:
        check(tmp_path, data, name)
    text = str(caught.value)
    assert text.startswith(name) and text.endswith("."), text
    return text


def test_micropython_for_s3_is_accepted(tmp_path):
    image = check(tmp_path, micropython_image())
    assert image.chip.name == "ESP32-S3" and image.chip.offset == 0
    assert image.version == (1, 26) and image.version_text == "1.26.1"
    assert image.flash_needed == 8 << 20


def test_micropython_for_esp32_is_accepted(tmp_path):
    image = check(tmp_path, micropython_image(chip_id=0, base=0x1000, version="1.27.0-preview.5"))
    assert image.chip.name == "ESP32" and image.chip.offset == 0x1000
    assert image.version == (1, 27)


def test_image_without_appended_hash_is_checked_by_its_checksum(tmp_path):
    loader = esp_image(9, body=b"x" * 100, hashed=False)
    data = loader + micropython_image()[len(loader) :]
    assert check(tmp_path, data).version == (1, 26)
    broken = bytearray(data)
    broken[60] ^= 1
    assert "damaged" in refusal(tmp_path, bytes(broken))


@pytest.mark.parametrize("cut", [0x10000 + 40, 0x10000 + 3000, -40, -1])
def test_part_of_a_download_is_refused(tmp_path, cut):
    text = refusal(tmp_path, micropython_image()[:cut])
    assert "download" in text or "not MicroPython" in text


def test_flipped_bit_is_refused(tmp_path):
    data = bytearray(micropython_image())
    data[0x10000 + 5000] ^= 4
    assert "damaged" in refusal(tmp_path, bytes(data))


def test_other_files_are_refused(tmp_path):
    assert "not an ESP firmware image" in refusal(tmp_path, b"")
    assert "not an ESP firmware image" in refusal(tmp_path, b"hello" * 100)
    assert ".uf2" in refusal(tmp_path, b"UF2\n" + bytes(600), "board.uf2")


def test_other_chip_is_named(tmp_path):
    assert "ESP32-C3" in refusal(tmp_path, micropython_image(chip_id=5))


def test_other_program_is_named_and_the_right_file_given(tmp_path):
    text = refusal(tmp_path, micropython_image(project="blink"))
    assert '"blink"' in text and "ESP32_GENERIC_S3-" in text and "micropython.org/download" in text
    assert "not MicroPython" in refusal(tmp_path, micropython_image(banner=False))


def test_app_without_boot_loader_is_refused(tmp_path):
    app = micropython_image()[0x10000:]
    assert "only the app part" in refusal(tmp_path, app, "micropython.bin")


def test_old_micropython_is_refused(tmp_path):
    text = refusal(tmp_path, micropython_image(version="1.23.0"))
    assert "1.23.0" in text and "1.24" in text


def test_missing_file_is_one_sentence(tmp_path):
    with pytest.raises(flash_image.ImageError) as caught:
        flash_image.read_image(tmp_path / "none.bin")
    assert "does not exist" in str(caught.value)


def test_the_file_to_get_depends_on_flash_and_psram():
    s3, plain = flash_image.CHIPS
    assert s3.firmware_file(16, 8).startswith("ESP32_GENERIC_S3-SPIRAM_OCT-2")
    assert s3.firmware_file(8, 2).startswith("ESP32_GENERIC_S3-2")
    assert s3.firmware_file(4, 0).startswith("ESP32_GENERIC_S3-FLASH_4M-2")
    assert plain.firmware_file(4, 4).startswith("ESP32_GENERIC-SPIRAM-2")
    assert flash_image.chip_by_name("ESP32-S3") is s3
    assert flash_image.chip_by_name("ESP32-C6") is None


def test_xor_of_all_bytes():
    for body in (b"", b"\x01", b"\x01\x02\x04", flash_kit.micropython_image()[:3001]):
        expected = 0
        for byte in body:
            expected ^= byte
        assert flash_image.xor_bytes(body) == expected
