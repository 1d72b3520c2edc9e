"""RP2350 by its Cortex-M33 cores: where code and data lie, cycles beside the core alone, its
upload. What both kinds of its cores share is tested in test_boards_reached.py.
"""

from __future__ import annotations

import re
import struct
import subprocess

import pytest

from motebench.base.model import FailureKind
from motebench.catalog.devices import devices
from motebench.targets.board.serial_board import upload
from motebench.targets.board.simulated import simulation
from motebench.targets.firmware.forms import flashable
from motebench.targets.wire.messages import Fill, Job, ProbeFailure
from tests.integration.conftest import need_simulator
from tests.support.board_counts import cycles, firmware, large, message
from tests.support.serial_bridge import counts_behind_a_port, programmer

PICO2, HAZARD3, CORE = (
    devices()[name] for name in ("rp2350-m33", "rp2350-hazard3", "cortex-m33-nows")
)
CODE, DATA, END = 0x20000000, 0x20040000, 0x20080000
"""SRAM0 to 3; SRAM4 to 7; behind them."""


@pytest.fixture(scope="module", autouse=True)
def tools():
    """Tools that simulated boards need; `make test` installs them where apt may."""
    need_simulator(CORE)


def test_code_is_in_the_first_half_of_sram_and_everything_that_it_loads_in_the_second():
    image = firmware(PICO2, "mote/aes-fast", "aes-128-ecb")
    said = subprocess.run(
        ["arm-none-eabi-nm", image.path], capture_output=True, text=True, check=True
    ).stdout
    symbols = re.findall(r"^(\w+) ([a-zA-Z]) (\S+)$", said, re.MULTILINE)
    for at, kind, name in symbols:
        address = int(at, 16)
        if kind in "tT" or name in ("vectors", "image_def"):
            assert CODE <= address < DATA, name
        elif kind in "rRdDbB":
            assert DATA <= address <= END, name
    names = {name for _, _, name in symbols}
    assert {"mote_ecb", "memcpy", "mb_answer", "mb_time_batch", "mb_chip_coarse"} <= names


def test_the_image_begins_with_its_vectors_as_the_boot_rom_expects_of_arm():
    data = flashable(PICO2, firmware(PICO2, "mote/xtea", "xtea-ecb"), "uf2").read_bytes()
    stack, reset = struct.unpack("<2I", data[32:40])
    assert stack == END and reset % 2 == 1 and CODE <= reset < DATA


@pytest.mark.parametrize(
    ("implementation", "scheme", "operation"),
    [
        ("mote/aes-fast", "aes-128-eax", "encrypt-message"),
        ("mote/ascon", "ascon-aead128", "encrypt-message"),
        ("mote/chacha20-poly1305", "chacha20-poly1305", "encrypt-message"),
        ("mote/sha-256", "sha256", "digest"),
    ],
)
def test_code_in_sram_takes_the_cycles_of_the_core_alone(implementation, scheme, operation):
    jobs = [message(scheme, operation, size) for size in (0, 1, 100, 333)]
    assert cycles(PICO2, firmware(PICO2, implementation, scheme), *jobs) == cycles(
        CORE, firmware(CORE, implementation, scheme), *jobs
    )


def test_constants_that_do_not_fit_the_second_half_are_told_to_the_byte(tmp_path):
    with pytest.raises(ProbeFailure) as caught:
        large(PICO2, tmp_path)
    assert caught.value.kind is FailureKind.TOO_BIG
    assert "are missing" in caught.value.message


def test_firmware_of_the_other_core_is_not_started():
    image = firmware(PICO2, "mote/xtea", "xtea-ecb")
    done = subprocess.run(
        simulation(HAZARD3, image.path), stdin=subprocess.DEVNULL, capture_output=True, text=True
    )
    assert done.returncode == 2 and "another machine" in done.stderr


def test_a_board_behind_a_port_counts_what_it_counts_without_one(tmp_path):
    image = firmware(PICO2, "mote/xtea", "xtea-ecb")
    job = Job("xtea-ecb", "encrypt", key=bytes(16), data=Fill(1, 64))
    expected = cycles(PICO2, image, job)
    counts, uploads = counts_behind_a_port(PICO2, image, job, "picotool", tmp_path)
    assert counts == expected * 2
    assert uploads == 1


def test_picotool_loads_the_image_and_starts_it(tmp_path, monkeypatch):
    image = firmware(PICO2, "mote/xtea", "xtea-ecb")
    log = programmer(tmp_path, "picotool", tmp_path / "holds")
    monkeypatch.setenv("PATH", f"{tmp_path}:/usr/bin:/bin")
    port = tmp_path / "port"
    port.touch()
    upload(PICO2, image, str(port))
    assert log.read_text().split() == ["load", "-x", str(image.path.with_suffix(".uf2"))]
