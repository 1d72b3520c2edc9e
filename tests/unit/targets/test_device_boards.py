"""Boards of one device that are reached in different ways: their files, their targets, and UF2
files.
"""

from __future__ import annotations

import struct

import pytest
from pydantic import ValidationError

from motebench.base.errors import InputError
from motebench.catalog.devices import Serial, Upload, devices
from motebench.catalog.proof import device_of
from motebench.targets.board import serial_board
from motebench.targets.board.serial_board import SerialBoard, parse_address
from motebench.targets.firmware.forms import uf2_of
from motebench.targets.settings import BoardSettings, changed, parse

NRF = devices()["nrf52840"]


def test_a_board_changes_how_a_device_is_reached_and_nothing_else():
    board = NRF.on("nano-33-ble")
    assert (board.boot_loader_bytes, board.serial.pins) == (0x10000, (35, 42))
    assert board.serial.upload.command[0] == "bossac"
    assert (board.id, board.clock_hz, board.serial.baud) == (NRF.id, NRF.clock_hz, NRF.serial.baud)
    assert NRF.boot_loader_bytes == 0 and NRF.serial.upload.command[0] == "openocd"
    with pytest.raises(KeyError):
        NRF.on("uno")


def test_what_boot_loaders_leave_of_flash_is_that_of_their_cores():
    # Upload.maximum_size of boards.txt
    room = {
        each.id: NRF.flash_bytes - each.flash_begin_bytes - each.boot_loader_bytes
        for each in NRF.other_boards
    }
    assert room == {"nano-33-ble": 983040, "rak4631": 815104, "feather-nrf52840": 815104}


def test_a_simulated_board_is_named_by_a_setting():
    device, settings = parse("sim:nrf52840+board=rak4631")
    assert (device, settings) == (NRF.on("rak4631"), BoardSettings(board="rak4631"))
    assert settings.name(device) == "sim:nrf52840+board=rak4631"
    assert changed(["sim:nrf52840+board=rak4631"], None, True) == (
        "sim:nrf52840+no-cache+board=rak4631",
    )
    for wrong in ("sim:nrf52840+board=uno", "sim:rp2040+board=rak4631"):
        with pytest.raises(InputError) as caught:
            parse(wrong)
        assert ("board=nano-33-ble" in (caught.value.valid or "")) == ("nrf52840" in wrong)


def test_a_real_board_is_named_with_or_without_its_device():
    for name in ("serial:/dev/a,board=rak4631", "serial:/dev/a,nrf52840,board=rak4631"):
        assert parse_address(name).device == NRF.on("rak4631")
    assert parse_address("serial:/dev/a,nrf52840").device == NRF
    with pytest.raises(InputError, match="carries nrf52840, not rp2040"):
        parse_address("serial:/dev/a,rp2040,board=rak4631")
    with pytest.raises(InputError) as caught:
        parse_address("serial:/dev/a,board=uno")
    assert "board=nano-33-ble" in (caught.value.valid or "")


def test_energy_and_choices_know_the_device_by_its_board():
    for name in (
        "sim:nrf52840+board=rak4631",
        "serial:/dev/a,board=rak4631",
        "serial:/dev/a,nrf52840",
    ):
        assert device_of(name) == NRF
    assert device_of("serial:/dev/a,board=uno") is None


def test_usb_ids_that_two_boards_share_identify_neither(monkeypatch):
    def said(usb, name="serial:/dev/a"):
        monkeypatch.setattr(serial_board, "usb_of", lambda path: {"usb": usb})
        return SerialBoard(parse_address(name))._said()

    assert said("2341:805a") == NRF.on("nano-33-ble")
    assert said("239a:8029") is None
    assert said("239a:8029", "serial:/dev/a,board=rak4631") == NRF.on("rak4631")
    with pytest.raises(InputError, match="carries nrf52840, not rp2040"):
        said("2341:805a", "serial:/dev/a,rp2040")


def test_a_file_with_one_board_twice_or_no_way_to_install_is_refused():
    with pytest.raises(ValidationError, match="the same id"):
        Serial.model_validate({**NRF.serial.model_dump(), "boards": NRF.serial.boards[:1] * 2})
    with pytest.raises(ValidationError, match="package or install"):
        Upload(command=("x",), format="uf2")


def test_uf2_has_whole_pages_at_their_addresses():
    lines = (
        ":0200000420FFDB",  # what follows is at 0x20FF0000
        ":04FFFE000102030400",
        ":020000022000DC",  # or at 0x00020000
        ":02600000AABB00",
        ":0400000320000000D9",
        ":00000001FF",
    )
    data = uf2_of("\n".join(lines), 0xADA52840)
    blocks = [data[at : at + 512] for at in range(0, len(data), 512)]
    heads = [struct.unpack("<8I", block[:32]) for block in blocks]
    begin = (0x0A324655, 0x9E5D5157, 0x2000)
    assert heads == [
        (*begin, address, 256, number, 3, 0xADA52840)
        for number, address in enumerate((0x00026000, 0x20FFFF00, 0x21000000))
    ]
    assert blocks[0][32:288] == b"\xaa\xbb" + bytes(254)
    assert blocks[1][32:288] == bytes(254) + b"\x01\x02" and blocks[2][32:34] == b"\x03\x04"
    assert all(struct.unpack("<I", block[-4:]) == (0x0AB16F30,) for block in blocks)
