"""The program around the simulated AVR: options, messages, exit statuses, and that boards do not
disturb each other.
"""

from __future__ import annotations

import struct
import subprocess
from pathlib import Path

import pytest

from motebench.base.paths import data_root

PROGRAM = data_root() / "build" / "simulators" / "motebench-sim-avr"
ENDLESS = [0xCFFF]
ASLEEP = [0xE001, 0x9300, 0x0050, 0x9588]  # SLPCTRL: SLEEP sleeps; interrupts are off
OVERRUN = [0x938F, 0xCFFE]  # PUSH, again
NOWHERE = [0x9100, 0x3000, 0x9300, 0x5000]  # a load from RAM, a store to the flash


def image(code: list[int], machine: int = 83) -> bytes:
    """ELF file of these words of flash, without symbols."""
    text = struct.pack(f"<{len(code)}H", *code)
    header = (
        b"\x7fELF\1\1\1"
        + bytes(9)
        + struct.pack("<HHIIIIIHHHHHH", 2, machine, 1, 0, 52, 0, 0, 52, 32, 1, 40, 0, 0)
    )
    return header + struct.pack("<8I", 1, 84, 0, 0, len(text), len(text), 5, 2) + text


def with_symbols(code: list[int], symbols: dict[str, tuple[int, int, int]]) -> bytes:
    """The same with symbols of the code: name to address, size, and kind (2 is a function, 0 a
    label).
    """
    whole = image(code)
    text = whole[84:]
    names, table = b"\0", bytes(16)
    for name, (address, size, kind) in symbols.items():
        table += struct.pack("<IIIBBH", len(names), address, size, 0x10 | kind, 0, 1)
        names += name.encode() + b"\0"
    at_names = 84 + len(text) + len(table)
    sections = bytes(40)
    sections += struct.pack("<10I", 0, 1, 6, 0, 84, len(text), 0, 0, 2, 0)
    sections += struct.pack("<10I", 0, 2, 0, 0, 84 + len(text), len(table), 3, 0, 4, 16)
    sections += struct.pack("<10I", 0, 3, 0, 0, at_names, len(names), 0, 0, 1, 0)
    header = (
        whole[:32]
        + struct.pack("<I", at_names + len(names))
        + whole[36:48]
        + struct.pack("<HH", 4, 0)
    )
    return header + whole[52:] + table + names + sections


def run(
    tmp_path: Path, content: bytes, *options: str, mcu: str = "atmega4809", clock: str = "16000000"
):
    if not PROGRAM.exists():
        pytest.skip(f"{PROGRAM.name} is not built: make setup")
    path = tmp_path / "firmware.elf"
    path.write_bytes(content)
    command = [PROGRAM, "--mcu", mcu, "--clock", clock, *options, path]
    return subprocess.run(command, input=b"", capture_output=True, timeout=1200, check=False)


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


@pytest.mark.parametrize(
    ("mcu", "most"), [("atmega328p", 0x10000), ("atmega4809", 0x20000), ("attiny3217", 0x20000)]
)
def test_flash_can_be_larger_than_the_part_has_up_to_what_its_code_reaches(tmp_path, mcu, most):
    last = image([0x940C, most // 2 - 1] + [0] * (most // 2 - 3) + ENDLESS)
    far = run(tmp_path, last, "--flash", str(most), "--budget", "9", mcu=mcu)
    assert far.returncode == 4 and f"0x{most - 2:05x}".encode() in far.stderr
    for wrong in (most + 2, most - 1, 1024):
        assert run(tmp_path, image(ENDLESS), "--flash", str(wrong), mcu=mcu).returncode == 2


def test_a_tinyavr_shows_its_flash_from_0x8000_on_and_no_further_than_it_has(tmp_path):
    load = [0x9100, 0x8002, 0xCFFF]  # LDS r16, and an endless loop
    for mcu in ("attiny1614", "attiny3217", "attiny3227"):
        assert run(tmp_path, image(load), "--budget", "100", mcu=mcu).returncode == 4
    beyond = [0x9100, 0xC000, 0xCFFF]
    assert run(tmp_path, image(beyond), "--budget", "100", mcu="attiny3217").returncode == 4
    # 16 KiB end at 0xC000
    small = run(tmp_path, image(beyond), "--budget", "100", mcu="attiny1614")
    assert small.returncode == 3 and b"nothing is at 0xc000 of the data space" in small.stderr


@pytest.mark.parametrize(
    ("mcu", "call", "push"), [("atmega4809", 2, 1), ("attiny3227", 2, 1), ("atmega328p", 3, 2)]
)
def test_the_profile_adds_up(tmp_path, mcu, call, push):
    # LDI r16, 100; DEC r16; BRNE; RCALL second; no instruction. second: PUSH r16; POP r16; RET
    code = [0xE604, 0x950A, 0xF7F1, 0xD001, 0x9404, 0x930F, 0x910F, 0x9508]
    symbols = {"first": (0, 10, 2), "__ctors_end": (10, 0, 0), "second": (10, 0, 0)}
    done = run(
        tmp_path, with_symbols(code, symbols), "--profile", str(tmp_path / "profile"), mcu=mcu
    )
    assert done.returncode == 3
    head, *lines = [line.split("\t") for line in (tmp_path / "profile").read_text().splitlines()]
    assert head == ["function", "address", "instructions", "cycles"]
    first = 1 + 100 + 99 * 2 + 1 + call
    assert lines == [
        ["first", "0x00000", "202", str(first)],
        ["second", "0x0000a", "3", str(push + 2 + 4)],
    ]
    assert f"after {first + push + 2 + 4} cycles".encode() in done.stderr


@pytest.mark.parametrize(("mcu", "call"), [("atmega4809", 2), ("atmega328p", 3)])
def test_cycles_are_counted_by_path_of_calls(tmp_path, mcu, call):
    """``first`` calls ``second``, which calls ``third`` and jumps to it; then calls ``third``."""
    # RCALL second; RCALL third; no instruction. second: RCALL third; RJMP third. third: RET
    code = [0xD002, 0xD003, 0x9404, 0xD001, 0xC000, 0x9508]
    symbols = {"first": (0, 6, 2), "sec;ond": (6, 4, 2), "third": (10, 2, 2)}
    path = tmp_path / "calls"
    done = run(tmp_path, with_symbols(code, symbols), "--calls", str(path), mcu=mcu)
    assert done.returncode == 3
    assert sorted(path.read_text().splitlines()) == [
        f"first {2 * call}",
        f"first;sec_ond {call + 2}",
        "first;sec_ond;third 4",
        "first;third 8",
    ]


def test_the_depth_of_the_stack_is_reported_after_each_end(tmp_path):
    deep = [0x930F] * 5 + ASLEEP  # PUSH
    assert b"stack: 5 bytes" in run(tmp_path, image(deep), "--stack").stderr
    # RCALL
    assert (
        b"stack: 2 bytes"
        in run(tmp_path, image([0xD000, 0xCFFF]), "--stack", "--budget", "50").stderr
    )
    assert b"stack" not in run(tmp_path, image(deep)).stderr


@pytest.mark.parametrize(
    "arguments",
    [["--profile"], ["--stack"], ["--mcu", "attiny3217", "--clock", "20000001", "file"]],
    ids=str,
)
def test_wrong_usage_is_told(arguments):
    done = subprocess.run(
        [PROGRAM, *arguments],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        timeout=1200,
        check=False,
    )
    assert done.returncode == 2 and b"usage: motebench-sim-avr" in done.stderr


def test_a_profile_that_cannot_be_written_is_told(tmp_path):
    done = run(tmp_path, image(ENDLESS), "--profile", str(tmp_path), "--budget", "100")
    assert done.returncode == 4 and b"the profile cannot be written to" in done.stderr
