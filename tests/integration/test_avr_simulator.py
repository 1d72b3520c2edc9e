"""The program around the simulated AVR: options, messages, exit statuses, and that boards do not disturb each other."""

from __future__ import annotations

import struct
import subprocess
from pathlib import Path

import pytest

from motebench.paths import data_root

PROGRAM = data_root() / "build" / "simulators" / "motebench-sim-avr"
ENDLESS = [0xCFFF]
ASLEEP = [0xE001, 0x9300, 0x0050, 0x9588]  # SLPCTRL: SLEEP sleeps; interrupts are off
OVERRUN = [0x938F, 0xCFFE]  # PUSH, again
NOWHERE = [0x9100, 0x3000, 0x9300, 0x5000]  # a load from RAM, a store to the flash


def image(code: list[int], machine: int = 83) -> bytes:
    """An ELF file of these words of flash, without symbols."""
    text = struct.pack(f"<{len(code)}H", *code)
    header = (
        b"\x7fELF\1\1\1" + bytes(9) + struct.pack("<HHIIIIIHHHHHH", 2, machine, 1, 0, 52, 0, 0, 52, 32, 1, 40, 0, 0)
    )
    return header + struct.pack("<8I", 1, 84, 0, 0, len(text), len(text), 5, 2) + text


def run(tmp_path: Path, content: bytes, *options: str, mcu: str = "atmega4809", clock: str = "16000000"):
    if not PROGRAM.exists():
        pytest.skip(f"{PROGRAM.name} is not built: make setup")
    path = tmp_path / "firmware.elf"
    path.write_bytes(content)
    command = [PROGRAM, "--mcu", mcu, "--clock", clock, *options, path]
    return subprocess.run(command, input=b"", capture_output=True, timeout=60, check=False)


@pytest.mark.parametrize(
    ("code", "status", "words"),
    [
        (ENDLESS, 4, b"the budget of cycles is used up"),
        (ASLEEP, 3, b"the core waits with interrupts off"),
        ([0x9404], 3, b"no instruction is at address 0x00000"),
        ([0x940C, 0x2000], 3, b"no instruction is at address"),
        (NOWHERE, 3, b"nothing is at 0x5000 of the data space"),
        (OVERRUN, 8, b"the stack overwrote static data: 1 bytes of RAM are missing"),
    ],
    ids=["endless", "asleep", "no-instruction", "outside", "flash-written", "stack"],
)
def test_every_end_has_its_status_and_message(tmp_path, code, status, words):
    done = run(tmp_path, image(code), "--budget", "100000")
    assert done.returncode == status and words in done.stderr and done.stdout == b""


@pytest.mark.parametrize(
    ("content", "options", "words"),
    [
        (b"", {}, b"not an ELF file"),
        (image(ENDLESS, machine=40), {}, b"another machine than an AVR"),
        (image(ENDLESS)[:90], {}, None),
        (image(ENDLESS)[:60], {}, b"outside the file"),
        (image(ENDLESS), {"mcu": "atmega9999"}, b"unknown part: atmega9999"),
        (image(ENDLESS), {"clock": "48000000"}, b"the clock is too fast"),
        (image(ENDLESS), {"clock": "fast"}, b"unknown option or invalid value: --clock"),
    ],
    ids=["empty", "machine", "whole", "cut", "part", "clock", "number"],
)
def test_wrong_files_and_options_are_named(tmp_path, content, options, words):
    done = run(tmp_path, content, "--budget", "1000", **options)
    if words is None:
        assert done.returncode == 4
    else:
        assert done.returncode == 2 and words in done.stderr


def test_flash_can_be_larger_only_where_it_is_not_mapped(tmp_path):
    assert run(tmp_path, image(ENDLESS), "--flash", "65536").returncode == 2
    far = run(
        tmp_path,
        image([0x940C, 0x4000] + [0] * 0x3FFE + ENDLESS),
        "--flash",
        "65536",
        "--budget",
        "9",
        mcu="atmega328p",
    )
    assert far.returncode == 4 and b"0x08000" in far.stderr
