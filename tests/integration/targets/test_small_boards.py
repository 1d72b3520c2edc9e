"""Boards with too little memory: the message tells by how much; a stack overflow never gives a
number.
"""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from motebench.base.model import FailureKind
from motebench.catalog import schemes
from motebench.catalog.devices import programmable
from motebench.targets.board.simulated import simulation
from motebench.targets.firmware import build, empty, flash_of
from motebench.targets.firmware.build import FirmwareParts, assemble
from motebench.targets.session import ProbeSession
from motebench.targets.wire.messages import Fill, Job, ProbeFailure
from motebench.targets.wire.stream import ProcessStream, SimulatorStream
from tests.integration.conftest import need_simulator

KNOWN = Path(__file__).parents[2] / "firmware" / "known.c"


@pytest.fixture(scope="module", params=["atmega2560", "atmega328p"])
def device(request):
    found = programmable()[request.param]
    need_simulator(found)
    return found


@pytest.fixture
def board(device):
    image = assemble(device, FirmwareParts([(KNOWN, ())]), "Os")
    session = ProbeSession(lambda: ProcessStream(simulation(device, image.path)))
    yield session
    session.close()


def job(scheme, size):
    return Job(scheme=scheme, operation="digest", data=Fill(1, size))


def measure(board, size):
    return board.measure(job("known-loop", size), batch=1, count=1, warm=0, timeout=60)


def missing(board, size):
    with pytest.raises(ProbeFailure) as caught:
        measure(board, size)
    assert caught.value.kind is FailureKind.TOO_BIG
    said, _, number = caught.value.message.partition(": ")
    assert said == "bytes of RAM that are missing"
    return int(number)


def test_the_probe_leaves_most_of_the_memory_to_messages(device, board):
    static = board.memory(job("known-loop", 1)).static
    assert static < 256
    assert board.hello.max_frame > device.ram_bytes - 700


def test_what_does_not_fit_says_to_the_byte_what_is_missing(board):
    size = board.hello.max_data
    fits = size - missing(board, size)
    assert 0 < fits < size
    assert measure(board, fits).length == 1
    assert missing(board, fits + 1) == 1
    assert missing(board, fits + (size - fits) // 2) == (size - fits) // 2


def test_what_is_longer_than_any_message_is_refused(board):
    with pytest.raises(ProbeFailure) as caught:
        measure(board, board.hello.max_data + 1)
    assert caught.value.kind is FailureKind.TOO_BIG


def test_a_stack_that_runs_over_is_a_failure_and_the_board_goes_on(board):
    size = board.hello.max_data
    fits = size - missing(board, size)
    # known-deep writes as many bytes of stack as its input has, so the second half of them has no
    # room.
    for part in (0.7, 0.8, 0.9):
        for ask in (board.memory, lambda what: board.compute(what, timeout=120)):
            with pytest.raises(ProbeFailure) as caught:
                ask(job("known-deep", int(fits * part)))
            assert caught.value.kind is FailureKind.TOO_BIG
            assert "the stack ran over its end" in caught.value.message
    assert board.memory(job("known-deep", fits // 4)).stack > fits // 4
    assert measure(board, 1).length == 1


def test_net_sizes_are_those_beyond_an_empty_firmware(device, motebench):
    def of(image):
        said = subprocess.run(
            ["avr-size", str(image.path)], capture_output=True, text=True, check=True
        ).stdout
        text, data, bss = (int(word) for word in said.splitlines()[1].split()[:3])
        return text + data, data + bss

    scheme = schemes()["xtea-cbc"]
    whole, nothing = build(device, "mote/xtea", scheme, "O2"), empty(device, scheme, "O2")
    arguments = (
        "--implementation",
        "mote/xtea@O2",
        "--scheme",
        "xtea-cbc",
        "--operation",
        "encrypt",
        "--size",
        "16",
    )
    done = motebench("run", "--target", f"sim:{device.id}", *arguments, "--json", "--budget", "60s")
    found = {row["metric"]: int(row["median"]) for row in done.json["measurements"]}
    assert (found["flash"], found["static_ram"]) == of(whole)
    expected = tuple(a - b for a, b in zip(of(whole), of(nothing), strict=True))
    assert (found["flash_net"], found["static_ram_net"]) == expected
    # XTEA is a few hundred bytes of code; its descriptor is no larger than that of the empty
    # cipher.
    assert 200 < found["flash_net"] < 2000 and abs(found["static_ram_net"]) < 16


def test_another_compiler_is_another_firmware(device, tmp_path, monkeypatch):
    for name in ("gcc", "size", "objcopy"):
        tool = tmp_path / f"mine-{name}"
        version = (
            'case "$1" in --version) echo "mine-gcc 99"; exit;; esac\n' if name == "gcc" else ""
        )
        tool.write_text(f'#!/bin/sh\n{version}exec {shutil.which(f"avr-{name}")} "$@"\n')
        tool.chmod(0o755)
    usual = assemble(device, FirmwareParts([(KNOWN, ())]), "Os")
    monkeypatch.setenv("MOTEBENCH_AVR_TOOLS", f"{tmp_path}/mine-")
    other = assemble(device, FirmwareParts([(KNOWN, ())]), "Os")
    assert other.compiler == "mine-gcc 99" != usual.compiler
    assert other.path != usual.path and other.identity != usual.identity
    assert (other.flash, other.static_ram) == (
        usual.flash + len("mine-gcc 99") - len(usual.compiler),
        usual.static_ram,
    )
    monkeypatch.setenv("MOTEBENCH_AVR_TOOLS", "/nowhere/avr-")
    with pytest.raises(ProbeFailure) as caught:
        assemble(device, FirmwareParts([(KNOWN, ())]), "Os")
    assert caught.value.kind is FailureKind.BUILD
    assert "MOTEBENCH_AVR_TOOLS" in caught.value.message


def test_a_state_that_does_not_fit_is_too_big_and_says_so_before_timing(motebench):
    arguments = (
        "--implementation",
        "mote/blowfish",
        "--scheme",
        "blowfish-128-ecb",
        "--operation",
        "encrypt",
    )
    done = motebench("run", "--target", "sim:atmega328p", *arguments, "--json", "--budget", "30s")
    assert done.json["measurements"] == []
    assert done.json["failures"]
    for failure in done.json["failures"]:
        assert failure["kind"] == "too-big"
        assert "bytes of RAM that are missing: " in failure["message"]
        # The state of Blowfish, four S-boxes and 18 subkeys, is more than twice the memory of the
        # part.
        assert int(failure["message"].rsplit(": ", 1)[1]) > 4 * 1024 + 72 - 2048


@pytest.mark.parametrize("bytes_of_stack", [1750, 2500])
def test_a_stack_that_jumps_over_all_memory_is_too_big(tmp_path, bytes_of_stack):
    # Only the last of them is written: neither paint nor request show it. 2,500 bytes are more than
    # the part has.
    found = programmable()["atmega328p"]
    hole = tmp_path / "hole.c"
    used = KNOWN.read_text()
    loop = "    for (size_t i = 0; i <= n; i++)\n        load[i] = (uint8_t)i;\n    return load[n];"
    assert loop in used and "volatile uint8_t load[n + 1];" in used
    last = f"load[{bytes_of_stack - 1}]"
    used = used.replace(loop, f"    {last} = (uint8_t)n;\n    return {last};")
    hole.write_text(
        used.replace("volatile uint8_t load[n + 1];", f"volatile uint8_t load[{bytes_of_stack}];")
    )
    image = assemble(found, FirmwareParts([(hole, ())]), "Os")
    session = ProbeSession(lambda: SimulatorStream(simulation(found, image.path)))
    try:
        with pytest.raises(ProbeFailure) as caught:
            session.compute(job("known-deep", 1), timeout=120)
        assert caught.value.kind is FailureKind.TOO_BIG
        said = re.fullmatch(
            r"the stack overwrote static data: (\d+) bytes of RAM are missing, at 0x\w+",
            caught.value.message,
        )
        assert said is not None
        # It begins at the end of memory, and static data are at its begin.
        assert 0 <= int(said[1]) - (bytes_of_stack + image.static_ram - found.ram_bytes) < 200
        assert measure(session, 1).length == 1  # a new board
    finally:
        session.close()


def crashing(tmp_path, part, bytes_of_stack, where="0xff"):
    """A session on a board whose known-deep takes so much stack for a while, and then jumps to
    where no code is.
    """
    source = tmp_path / "crashing.c"
    used = KNOWN.read_text()
    loop = "    for (size_t i = 0; i <= n; i++)\n        load[i] = (uint8_t)i;\n    return load[n];"
    assert loop in used and "volatile uint8_t load[n + 1];" in used
    there = f"ldi r30, {where}\\n\\tldi r31, {where}\\n\\tijmp"
    jump = f'    load[0] = (uint8_t)n;\n    loop(100);\n    __asm__ volatile("{there}");'
    used = used.replace(loop, f"{jump}\n    return load[0];")
    source.write_text(
        used.replace("volatile uint8_t load[n + 1];", f"volatile uint8_t load[{bytes_of_stack}];")
    )
    image = assemble(part, FirmwareParts([(source, ())]), "Os")
    return ProbeSession(lambda: SimulatorStream(simulation(part, image.path)))


@pytest.mark.parametrize(
    ("bytes_of_stack", "kind"), [(1350, FailureKind.TOO_BIG), (300, FailureKind.CRASH)]
)
def test_a_crash_after_the_stack_came_into_the_job_is_too_big(tmp_path, bytes_of_stack, kind):
    session = crashing(tmp_path, programmable()["atmega328p"], bytes_of_stack)
    try:
        with pytest.raises(ProbeFailure) as caught:
            session.compute(job("known-deep", 400), timeout=120)
        assert caught.value.kind is kind
        said = re.fullmatch(
            r"the stack overwrote data of the job: at least (\d+) bytes of RAM are missing, at "
            r"0x\w+",
            caught.value.message,
        )
        assert (said is not None) is (kind is FailureKind.TOO_BIG)
        if said is not None:  # a byte more of stack is a byte more that is missing
            first = int(said[1])
            session.close()
            session = crashing(tmp_path, programmable()["atmega328p"], bytes_of_stack + 10)
            with pytest.raises(ProbeFailure, match=f"at least {first + 10} bytes"):
                session.compute(job("known-deep", 400), timeout=120)
    finally:
        session.close()


def test_a_board_that_forgets_its_job_after_the_stack_came_into_it_is_too_big(tmp_path):
    # It starts again, and waits
    session = crashing(tmp_path, programmable()["atmega328p"], 1350, where="0")
    try:
        with pytest.raises(ProbeFailure, match="the stack overwrote data of the job") as caught:
            session.compute(job("known-deep", 400), timeout=7200)
        assert caught.value.kind is FailureKind.TOO_BIG
    finally:
        session.close()


def test_setting_the_key_of_a_mac_has_room_for_what_comes_after_it(device, motebench):
    arguments = (
        "--implementation",
        "mote/sha-256",
        "--scheme",
        "hmac-sha256",
        "--operation",
        "key-setup,mac",
    )
    done = motebench(
        "run",
        "--target",
        f"sim:{device.id}",
        *arguments,
        "--size",
        "16",
        "--json",
        "--budget",
        "60s",
    )
    assert done.json["failures"] == []
    assert {row["operation"] for row in done.json["measurements"]} == {"key-setup", "mac"}


@pytest.mark.usefixtures("device")
def test_more_flash_than_the_part_has_changes_no_cycle():
    part = programmable()["atmega328p"]
    image = build(part, "mote/xtea", schemes()["xtea-ecb"], "Os")
    assert image.flash <= flash_of(part)
    readings = []
    for more in ([], ["--flash", "65536"]):
        command = simulation(part, image.path)
        session = ProbeSession(lambda words=[command[0], *more, *command[1:]]: ProcessStream(words))
        try:
            asked = Job(scheme="xtea-ecb", operation="encrypt", key=bytes(16), data=Fill(1, 64))
            readings.append(session.measure(asked, batch=3, count=2, warm=0, timeout=60).counts)
        finally:
            session.close()
    assert readings[0] == readings[1]


@pytest.mark.usefixtures("device")
def test_what_fits_without_the_probe_is_measured_with_more_flash(motebench):
    asked = (
        "--implementation",
        "mote/cast-128",
        "--scheme",
        "cast-128-ecb",
        "--operation",
        "encrypt",
        "--size",
        "16",
    )
    found = {}
    for name in ("atmega328p", "atmega2560"):
        result = motebench("run", "--target", f"sim:{name}", *asked, "--json")
        assert result.code == 0, result.err
        found[name] = {row["metric"]: row["median"] for row in result.json["measurements"]}
    small, large = found["atmega328p"], found["atmega2560"]
    assert small["flash"] > 32768 > small["flash_net"] > 8192
    # A call and a return take one cycle more each where the program counter has 22 bits; nothing
    # else differs.
    assert 0 < large["cycles"] - small["cycles"] < small["cycles"] / 50


@pytest.mark.usefixtures("device")
@pytest.mark.parametrize("flash", ["32768", "65537"])
def test_the_simulator_refuses_an_impossible_flash(flash):
    part = programmable()["atmega328p"]
    image = build(part, "mote/xtea", schemes()["xtea-ecb"], "Os")
    command = simulation(part, image.path)
    words = [command[0], "--flash", flash, *command[1:]]
    done = subprocess.run(
        words, capture_output=True, text=True, timeout=1200, stdin=subprocess.DEVNULL
    )
    assert done.returncode == 2 and "--flash must be larger" in done.stderr
