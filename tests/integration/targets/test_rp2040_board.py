"""RP2040: its second stage, code in SRAM beside the core alone, code in flash behind the cache, and
its upload.
"""

from __future__ import annotations

import re
import struct
import subprocess
from concurrent.futures import ThreadPoolExecutor

import pytest

from motebench.base.model import FailureKind
from motebench.catalog.devices import devices
from motebench.targets.board.serial_board import upload
from motebench.targets.board.simulated import simulation
from motebench.targets.firmware.build import FirmwareParts, assemble
from motebench.targets.firmware.forms import flashable
from motebench.targets.settings import BoardSettings
from motebench.targets.wire.messages import Fill, Job, ProbeFailure
from tests.integration.conftest import need_simulator
from tests.support.board_counts import KNOWN, cycles, firmware, large, message, rounds
from tests.support.serial_bridge import counts_behind_a_port, programmer

SRAM, XIP, CORE = (devices()[name] for name in ("rp2040", "rp2040-xip", "cortex-m0-nows"))
MISS = 2 * (8 + 4 + 16)
"""Cycles of a miss: half the core's clock, address and mode, wait, two words on four lines."""
LINE = 8
STAGE = 256


@pytest.fixture(scope="module", autouse=True)
def tools():
    """Tools that simulated boards need; `make test` installs them where apt may."""
    need_simulator(CORE)


def crc(data):
    """CRC-32 as the boot ROM reckons it: RP2040 data sheet, 2.8.1.3.1."""
    value = 0xFFFFFFFF
    for byte in data:
        value ^= byte << 24
        for _ in range(8):
            value = (value << 1 ^ (0x04C11DB7 if value >> 31 else 0)) & 0xFFFFFFFF
    return value


def flash(device, image, tmp_path):
    """The image for the flash chip."""
    path = tmp_path / "flash.bin"
    command = ["arm-none-eabi-objcopy", "-O", "binary", str(image.path), str(path)]
    subprocess.run(command, check=True)
    return path.read_bytes()


@pytest.mark.parametrize("device", [SRAM, XIP], ids=lambda device: device.id)
def test_the_second_stage_has_the_crc_that_the_boot_rom_asks_for(device, tmp_path):
    data = flash(device, firmware(device, "mote/xtea", "xtea-ecb"), tmp_path)
    assert struct.unpack("<I", data[STAGE - 4 : STAGE]) == (crc(data[: STAGE - 4]),)


def test_another_second_stage_is_not_started(tmp_path):
    image = firmware(SRAM, "mote/xtea", "xtea-ecb")
    damaged = tmp_path / "damaged.elf"
    file = bytearray(image.path.read_bytes())
    stage = flash(SRAM, image, tmp_path)[:STAGE]
    file[file.index(stage)] ^= 1
    damaged.write_bytes(file)
    done = subprocess.run(
        simulation(SRAM, damaged), stdin=subprocess.DEVNULL, capture_output=True, text=True
    )
    assert done.returncode == 3
    assert "CRC of the first 256 bytes" in done.stderr


def test_code_is_in_sram_or_in_flash_and_the_image_in_flash_begins_with_the_second_stage(tmp_path):
    for device, first in ((SRAM, 0x20000100), (XIP, 0x10000300)):
        image = firmware(device, "mote/aes-small", "aes-128-ecb")
        said = subprocess.run(
            ["arm-none-eabi-nm", image.path], capture_output=True, text=True, check=True
        ).stdout
        address = {
            name: int(at, 16)
            for at, name in re.findall(r"^(\w+) [tTrR] (\S+)$", said, re.MULTILINE)
        }
        assert address["mb_boot"] == 0x10000000
        assert (
            first < address["mote_ecb"] < address["memcpy"] < address["mb_answer"] < first + 0x8000
        )
        assert min(at for at in address.values() if at >= first) == first
        assert address["mb_time_batch"] >= 0x20000000
    sram, xip = firmware(SRAM, "mote/xtea", "xtea-ecb"), firmware(XIP, "mote/xtea", "xtea-ecb")
    assert sram.static_ram - sram.flash < 1024 < sram.static_ram - xip.static_ram  # code takes RAM


MESSAGES = [
    ("mote/aes-fast", "aes-128-eax", "encrypt-message"),
    ("mote/aes-sbox", "aes-256-ccm", "encrypt-message"),
    ("mote/ascon", "ascon-aead128", "encrypt-message"),
    ("mote/chacha20-poly1305", "chacha20-poly1305", "encrypt-message"),
    ("mote/speck", "speck-64-128-eax", "encrypt-message"),
    ("mote/sha-256", "sha256", "digest"),
]


@pytest.mark.parametrize(("implementation", "scheme", "operation"), MESSAGES)
def test_code_in_sram_takes_the_cycles_of_the_core_alone(implementation, scheme, operation):
    jobs = [message(scheme, operation, size) for size in (0, 1, 100, 333)]
    assert cycles(SRAM, firmware(SRAM, implementation, scheme), *jobs) == cycles(
        CORE, firmware(CORE, implementation, scheme), *jobs
    )


def loop(device):
    return assemble(device, FirmwareParts([(KNOWN, ())]), "Os")


def test_a_loop_in_the_cache_costs_the_core_alone():
    one, many = cycles(XIP, loop(XIP), rounds(1), rounds(200))
    assert many - one == 4 * 256 * 199
    core, _ = cycles(CORE, loop(CORE), rounds(1), rounds(200))
    assert (one - core) % MISS == 0 and one > core


def test_without_the_cache_each_word_is_read_from_the_flash_chip_in_every_round():
    # SUBS, NOP and BNE are two words; the word behind BNE is not fetched, for BNE stands in the
    # lower half.
    image = loop(XIP)
    one, many = cycles(XIP, image, rounds(100), rounds(200), settings=BoardSettings(no_cache=True))
    word = 2 * (8 + 4 + 8)
    assert many - one == 100 * 256 * (4 + 2 * word)


def test_code_in_flash_waits_for_each_line_once_and_then_no_more(tmp_path):
    implementation, scheme, operation = MESSAGES[0]
    jobs = [message(scheme, operation, size) for size in (100, 333)]
    found = cycles(XIP, firmware(XIP, implementation, scheme), *jobs)
    core = cycles(CORE, firmware(CORE, implementation, scheme), *jobs)
    waits = [one - other for one, other in zip(found, core, strict=True)]
    assert all(wait > 0 and wait % MISS == 0 for wait in waits)
    assert waits[1] - waits[0] < 40 * MISS < waits[0]  # a longer message runs the same code


@pytest.mark.parametrize("device", [SRAM, XIP], ids=lambda device: device.id)
def test_two_boards_at_once_count_the_same_twice(device):
    implementation, scheme, operation = MESSAGES[0]
    image, job = firmware(device, implementation, scheme), message(scheme, operation, 333)
    for _ in range(2):
        with ThreadPoolExecutor(2) as pool:
            one, other = pool.map(lambda _: cycles(device, image, job), range(2))
        assert one == other == cycles(device, image, job)


def test_firmware_larger_than_sram_says_what_is_missing(tmp_path):
    with pytest.raises(ProbeFailure) as caught:
        large(SRAM, tmp_path)
    assert caught.value.kind is FailureKind.TOO_BIG
    assert "B of RAM are missing" in caught.value.message
    assert large(XIP, tmp_path).flash > 270000


def test_a_board_behind_a_port_counts_what_it_counts_without_one(tmp_path):
    image = firmware(SRAM, "mote/xtea", "xtea-ecb")
    job = Job("xtea-ecb", "encrypt", key=bytes(16), data=Fill(1, 64))
    expected = cycles(SRAM, image, job)
    counts, uploads = counts_behind_a_port(SRAM, image, job, "openocd", tmp_path)
    assert counts == expected * 2
    assert uploads == 1


def test_openocd_gets_the_bytes_of_flash_at_their_addresses(tmp_path, monkeypatch):
    image = firmware(SRAM, "mote/xtea", "xtea-ecb")
    assert SRAM.serial is not None
    lines = flashable(SRAM, image, SRAM.serial.upload.format).read_text().split()
    assert lines[0] == ":020000041000EA"  # what follows is at 0x10000000
    log = programmer(tmp_path, "openocd", tmp_path / "holds")
    monkeypatch.setenv("PATH", f"{tmp_path}:/usr/bin:/bin")
    port = tmp_path / "port"
    port.touch()
    upload(SRAM, image, str(port))
    assert f"program {{{image.path.with_suffix('.hex')}}} verify reset exit" in log.read_text()
