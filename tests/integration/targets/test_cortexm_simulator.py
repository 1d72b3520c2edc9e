"""The program around the simulated Cortex-M: options, messages, exit statuses, files that are no
programs.
"""

from __future__ import annotations

import random
import subprocess
import time
from pathlib import Path

import pytest
from elf_images import BASE, Image

from motebench.base.paths import data_root

PROGRAM = data_root() / "build" / "simulators" / "motebench-sim-cortexm"
ENDLESS = [0xE7FE]
NOP = 0xBF00
# r7 = SERCOM5: enabled, TXEN and RXEN; then every byte that comes goes back, incremented.
ECHO = [
    # LDR r7; MOVS, LSLS, STR CTRLB; MOVS, STR CTRLA
    *(
        0x4F0B,
        0x2003,
        0x0400,
        0x6078,
        0x2002,
        0x6038,
    ),
    *(0x7E39, 0x0749, 0xD5FC),  # wait: LDRB INTFLAG; LSLS; BPL wait
    *(0x8D3A, 0x3201, 0x853A, 0xE7F8),  # LDRH DATA; ADDS; STRH DATA; B wait
    *(NOP,) * 11,
    *(0x1C00, 0x4200),
]


def run(
    tmp_path: Path, image: Image | bytes, *options: str, stdin: bytes = b"", mcu: str = "samd21g18a"
):
    path = tmp_path / "firmware.elf"
    path.write_bytes(image if isinstance(image, bytes) else image.elf())
    command = [PROGRAM, "--mcu", mcu, "--clock", "48000000", *options, path]
    return subprocess.run(command, input=stdin, capture_output=True, timeout=1200, check=False)


def test_input_comes_back_and_the_end_of_the_input_ends_the_run(tmp_path):
    done = run(tmp_path, Image(ECHO), stdin=b"HAL")
    assert (done.returncode, done.stdout, done.stderr) == (0, b"IBM", b"")


def test_cycles_do_not_depend_on_how_input_arrives(tmp_path):
    image = Image(ECHO, {"all": (BASE + 64, 48, 2)})
    at_once = run(tmp_path, image, "--profile", str(tmp_path / "at-once"), stdin=b"abcdef")
    command = [
        PROGRAM,
        "--mcu",
        "samd21g18a",
        "--clock",
        "1",
        "--profile",
        tmp_path / "slow",
        tmp_path / "firmware.elf",
    ]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0
    ) as slow:
        assert slow.stdin is not None and slow.stdout is not None
        for byte in b"abcdef":
            slow.stdin.write(bytes([byte]))
            assert slow.stdout.read(1) == bytes([byte + 1])
        slow.stdin.close()
    assert (tmp_path / "slow").read_text() == (tmp_path / "at-once").read_text()
    assert at_once.returncode == 0


def test_it_waits_without_computing(tmp_path):
    path = tmp_path / "firmware.elf"
    path.write_bytes(Image(ECHO).elf())
    command = [PROGRAM, "--mcu", "samd21g18a", "--clock", "48000000", path]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0
    ) as process:
        assert process.stdin is not None and process.stdout is not None
        process.stdin.write(b"a")
        assert process.stdout.read(1) == b"b"
        before = Path(f"/proc/{process.pid}/stat").read_text().split()[13]
        time.sleep(0.5)
        # Of 50 ticks
        assert int(Path(f"/proc/{process.pid}/stat").read_text().split()[13]) - int(before) <= 10
        process.stdin.close()


@pytest.mark.parametrize(
    ("code", "status", "words"),
    [
        (ENDLESS, 3, "lock-up"),
        ([0xBF30], 3, "lock-up"),  # WFI
        ([0x2001, 0x6800], 5, "unaligned access"),
        ([0xDE00], 6, "undefined instruction"),
        ([0x2005, 0x0700, 0x6800], 7, "bus error"),  # LDR from 0x50000000
        ([0x2000, 0x6000], 7, "bus error"),  # STR to flash
        ([0xB0FF] * 40, 8, "stack overflow"),  # SUB SP
    ],
)
def test_faults_name_kind_address_and_function(tmp_path, code, status, words):
    image = Image([NOP, *code], {"victim": (BASE + 64, 200, 2), "__bss_end__": (0x20000400, 0, 0)})
    done = run(tmp_path, image)
    assert done.returncode == status
    assert words in done.stderr.decode() and "in victim after" in done.stderr.decode()
    assert done.stderr.count(b"\n") == 1 and b"at address 0x000020" in done.stderr


def test_a_budget_ends_the_run(tmp_path):
    done = run(tmp_path, Image([NOP, 0xE7FD]), "--budget", "100000")
    assert done.returncode == 4
    assert b"budget of 100000 cycles" in done.stderr


def test_the_profile_adds_up(tmp_path):
    loop = [0x2064, 0x3801, 0xD1FD]  # MOVS r0, #100; SUBS; BNE
    symbols = {"first": (BASE + 64, 6, 2), "second": (BASE + 70, 2, 2)}
    done = run(tmp_path, Image([*loop, 0xDE00], symbols), "--profile", str(tmp_path / "profile"))
    assert done.returncode == 6
    head, *lines = [line.split("\t") for line in (tmp_path / "profile").read_text().splitlines()]
    assert head == ["function", "address", "instructions", "cycles", "misses"]
    assert lines[0][:4] == ["first", "0x00002040", "201", str(1 + 100 + 99 * 2 + 1)]


def test_cycles_are_counted_by_path_of_calls_also_of_recursion(tmp_path):
    """``first`` calls ``second``, which calls itself until r0 is 0."""
    first = [0x2002, 0xF000, 0xF801, 0xDE00]  # MOVS r0, #2; BL second
    # PUSH {lr}; SUBS r0, #1; BMI end; BL second; end: POP {pc}
    second = [0xB500, 0x3801, 0xD401, 0xF7FF, 0xFFFB, 0xBD00]
    symbols = {"first": (BASE + 64, 8, 2), "second": (BASE + 72, 12, 2)}
    path = tmp_path / "calls"
    done = run(tmp_path, Image([*first, *second], symbols), "--calls", str(path))
    assert done.returncode == 6
    counted = dict(line.rsplit(" ", 1) for line in path.read_text().splitlines())
    assert set(counted) == {
        "first",
        "first;second",
        "first;second;second",
        "first;second;second;second",
    }
    outer, inner = counted["first;second"], counted["first;second;second;second"]
    assert counted["first;second;second"] == outer
    # Without BL, and with a branch that is taken
    assert 0 < int(inner) < int(outer)


def test_wait_states_and_cache_can_be_set_from_outside(tmp_path):
    straight = Image([NOP] * 400 + [0xDE00])

    def cycles(*options: str, mcu: str = "samd21g18a") -> int:
        return int(run(tmp_path, straight, *options, mcu=mcu).stderr.split()[-2])

    assert cycles() == 400  # the firmware has set none
    # Two vectors, and a line for each four instructions and ahead
    assert cycles("--wait-states", "1") == 2 + 400 + 101
    assert cycles("--wait-states", "1", "--no-cache") == 2 + 400 + 200  # a word for each two
    assert cycles("--wait-states", "1", mcu="cortex-m0-nows") == 400


@pytest.mark.parametrize(
    # KiB of RAM before the word that is loaded, bytes of static data
    (
        "core",
        "kib",
        "static",
        "more",
    ),
    [
        ("cortex-m4-nows", 1, 0x400, 1),
        ("cortex-m4-nows", 1, 0x404, 0),
        ("cortex-m3-nows", 1, 0x400, 0),
        ("cortex-m3-nows", 239, 0x400, 0),
        ("cortex-m3-nows", 240, 0x400, 1),
    ],
)
def test_a_load_from_far_ram_takes_a_cycle_more(tmp_path, core, kib, static, more):
    # r0 = 0x20000000 + KiB; MOVS r1, #rounds; LDR r2, [r0]; SUBS r1, #1; BNE to the load; UDF
    def cycles(rounds: int, *options: str) -> int:
        loop = [
            0x2020,
            0x0600,
            0x2300 | kib,
            0x029B,
            0x18C0,
            0x2100 | rounds,
            0x6802,
            0x3901,
            0xD1FC,
            0xDE00,
        ]
        image = Image(loop, {"__bss_end__": (0x20000000 + static, 0, 0)})
        return int(run(tmp_path, image, *options, mcu=core).stderr.split()[-2])

    assert cycles(200) - cycles(100) == 100 * (2 + 1 + 2)
    assert cycles(100, "--far-ram") - cycles(100) == 100 * more


def test_far_ram_is_refused_of_a_part_that_has_none(tmp_path):
    done = run(tmp_path, Image([NOP]), "--far-ram")
    assert done.returncode == 2
    assert b"there is no far RAM on this part: samd21g18a" in done.stderr


def test_stack_is_reported(tmp_path):
    done = run(tmp_path, Image([0xB082, 0xB5F0, 0xE7FE]), "--stack")  # SUB SP, #8; PUSH of five
    assert b"stack: 28 bytes" in done.stderr


@pytest.mark.parametrize(
    "arguments",
    [
        [],
        ["--mcu", "samd21g18a"],
        ["--mcu", "nothing", "--clock", "1", "file"],
        ["--mcu", "samd21g18a", "--clock", "fast", "file"],
        ["--mcu", "samd21g18a", "--clock", "48000001", "file"],
        ["--mcu", "samd21g18a", "--clock", "1", "--wait-states", "16", "file"],
        ["--mcu", "samd21g18a", "--clock", "1", "--budget", "-1", "file"],
        ["--mcu", "samd21g18a", "--clock", "1", "--unknown", "1", "file"],
        ["--mcu", "samd21g18a", "--clock", "1", "/nonexistent/file"],
        ["--mcu", "samd21g18a", "--clock", "1", "file", "--profile"],
    ],
)
def test_wrong_usage_is_told(arguments):
    done = subprocess.run(
        [PROGRAM, *arguments],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        timeout=1200,
        check=False,
    )
    assert done.returncode == 2
    assert b"usage: motebench-sim-cortexm" in done.stderr


@pytest.mark.parametrize(
    ("damage", "words"),
    [
        (lambda file: b"", "not an ELF file"),
        (lambda file: b"MZ" + file[2:], "not an ELF file"),
        (lambda file: Image(ENDLESS, machine=83).elf(), "another machine"),
        (lambda file: file[:4] + b"\2" + file[5:], "another machine"),
        (lambda file: file[:16] + b"\1" + file[17:], "not a linked program"),
        (lambda file: file[:60], "lies outside the file"),
        (lambda file: file[:-1], "lies outside the file"),
        (lambda file: Image(ENDLESS, base=0x3FFF0).elf(), "outside flash and RAM"),
        (lambda file: Image(ENDLESS, base=0x08000000).elf(), "outside flash and RAM"),
        (lambda file: file[:44] + b"\0\0" + file[46:], "nothing to load"),
    ],
)
def test_files_that_are_no_programs(tmp_path, damage, words):
    done = run(tmp_path, damage(Image(ENDLESS, {"main": (BASE, 2, 2)}).elf()))
    assert done.returncode == 2
    assert words in done.stderr.decode()


def test_damaged_files_never_crash_it(tmp_path):
    whole = Image(ECHO, {"main": (BASE + 64, 40, 2)}).elf()
    numbers = random.Random(7)
    for _ in range(60):
        file = bytearray(whole)
        for _ in range(numbers.randint(1, 6)):
            file[numbers.randrange(len(file))] = numbers.randrange(256)
        done = run(
            tmp_path,
            bytes(file[: numbers.randrange(1, len(file) + 1)]),
            "--budget",
            "100000",
            stdin=b"abc",
        )
        assert done.returncode in range(9), done.stderr


@pytest.mark.parametrize(
    ("options", "status"), [((), 7), (("--large-ram",), 6), (("--large-ram", "--far-ram"), 6)]
)
def test_large_ram_is_there_only_when_it_is_asked_for(tmp_path, options, status):
    # r0 = 0x200ffffc, the last word of 1 MiB; LDR r1, [r0]; UDF
    code = [0x2001, 0x0240, 0x3001, 0x0500, 0x3804, 0x6801, 0xDE00]
    image = Image(code, {"__bss_end__": (0x20000400, 0, 0)})
    assert run(tmp_path, image, *options, mcu="cortex-m4-nows").returncode == status


def test_large_ram_is_refused_of_a_part_that_has_none(tmp_path):
    done = run(tmp_path, Image([NOP]), "--large-ram", mcu="cortex-m3-nows")
    assert done.returncode == 2
    assert b"there is no large RAM on this part: cortex-m3-nows" in done.stderr
