"""Simulated boards: the firmware's meters against what is known, and runs from end to end."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from motebench.catalog.devices import devices
from motebench.firmware.build import assemble
from motebench.model import FailureKind
from motebench.paths import data_root
from motebench.targets.session import ProbeSession
from motebench.targets.simulated import simulator
from motebench.targets.stream import ProcessStream
from motebench.wire.messages import Fill, Job, ProbeFailure

KNOWN = Path(__file__).parents[1] / "firmware" / "known.c"
DEVICE = devices()["atmega2560"]


@pytest.fixture(scope="module", autouse=True)
def tools():
    """What simulated boards need; `make test` installs it where apt may."""
    if shutil.which("avr-gcc") is None or not (data_root() / "build" / "simulators" / "motebench-sim-avr").exists():
        pytest.skip("avr-gcc or libsimavr is not installed; motebench doctor names the line")


@pytest.fixture(scope="module")
def image(tools):
    return assemble(DEVICE, [(KNOWN, ())], "Os")


@pytest.fixture
def board(image):
    command = [str(simulator(DEVICE)), "--mcu", DEVICE.mcu, "--clock", str(DEVICE.clock_hz), str(image.path)]
    session = ProbeSession(lambda: ProcessStream(command))
    yield session
    session.close()


def cycles(board, size, batch=1):
    timing = board.measure(
        Job(scheme="known-loop", operation="digest", data=Fill(1, size)), batch=batch, count=2, warm=0, timeout=60
    )
    assert timing.counts is not None and timing.counts[0] == timing.counts[1]
    return timing.counts[0] - board.hello.counter.overhead


def test_cycles_are_those_of_a_loop_of_known_length(board):
    # _delay_loop_2 takes four cycles a round; what is around it is the same for every length.
    around = cycles(board, 1) - 1024
    assert 0 < around < 200
    for size in (2, 3, 63, 64, 255):
        assert cycles(board, size) - size * 1024 == around


def test_cycles_are_exact_when_the_fast_timer_has_come_round_many_times(board):
    # 262,144 cycles a round of the loop, 40 rounds: the 16-bit timer comes round 160 times.
    once = cycles(board, 0)
    per_iteration = cycles(board, 0, batch=2) - once
    assert cycles(board, 0, batch=40) == once + 39 * per_iteration
    assert 262_144 <= per_iteration < 262_144 + 200


def test_time_is_cycles_at_the_clock_of_the_device(board):
    timing = board.measure(
        Job(scheme="known-loop", operation="digest", data=Fill(1, 100)), batch=1, count=1, warm=0, timeout=60
    )
    assert board.hello.clock.hz == DEVICE.clock_hz
    assert timing.ticks[0] - board.hello.clock.overhead == timing.counts[0] - board.hello.counter.overhead


def test_stack_is_that_of_a_routine_of_known_depth(board):
    def stack(size):
        return board.memory(Job(scheme="known-deep", operation="digest", data=Fill(1, size))).stack

    around = stack(1) - 1
    assert 0 < around < 100
    for size in (10, 100, 400):
        assert stack(size) == size + around


def test_sizes_are_those_of_avr_size(image, board):
    said = subprocess.run(["avr-size", str(image.path)], capture_output=True, text=True, check=True).stdout
    text, data, bss = (int(word) for word in said.splitlines()[1].split()[:3])
    assert (image.flash, image.static_ram) == (text + data, data + bss)
    assert board.memory(Job(scheme="known-deep", operation="digest", data=Fill(1, 1))).static == data + bss


def test_too_long_a_program_says_by_how_many_bytes(tmp_path):
    large = tmp_path / "large.c"
    used = KNOWN.read_text().replace("job->out_len = 1;", "job->out_len = much[job->in_len];")
    large.write_text("#include <stdint.h>\nstatic volatile uint8_t much[9000];\n" + used)
    with pytest.raises(ProbeFailure) as caught:
        assemble(DEVICE, [(large, ())], "Os")
    assert caught.value.kind is FailureKind.TOO_BIG
    assert "B of RAM are missing" in caught.value.message


def test_refused_source_fails_with_the_compilers_words(tmp_path):
    wrong = tmp_path / "wrong.c"
    wrong.write_text("this is no C\n")
    with pytest.raises(ProbeFailure) as caught:
        assemble(DEVICE, [(wrong, ())], "Os")
    assert caught.value.kind is FailureKind.BUILD
    assert "wrong.c" in caught.value.message and "error" in caught.value.message


@pytest.mark.parametrize(
    "arguments",
    [[], ["--mcu", "atmega2560"], ["--mcu", "nobody", "--clock", "1000000", "ELF"], ["--mcu", "atmega2560", "--clock",
     "16000000", "/dev/null"]],
)  # fmt: skip
def test_simulator_refuses_what_it_cannot_run(image, arguments):
    words = [str(image.path) if word == "ELF" else word for word in arguments]
    done = subprocess.run(
        [simulator(DEVICE), *words], capture_output=True, text=True, timeout=20, stdin=subprocess.DEVNULL
    )
    assert done.returncode == 2
    assert "motebench-sim-avr:" in done.stderr


def test_run_repeats_itself_to_the_last_cycle(motebench):
    arguments = ("run", "--target", "sim:atmega2560", "--implementation", "mote/xtea", "--scheme", "xtea-ecb")
    arguments += ("--operation", "key-setup,encrypt,decrypt", "--size", "8,64", "--json", "--budget", "60s")

    def numbers():
        done = motebench(*arguments)
        assert done.code == 0, done.err
        assert done.json["failures"] == []
        return {
            (row["operation"], row["input_bytes"], row["metric"]): (row["median"], row["ci_low"], row["ci_high"])
            for row in done.json["measurements"]
            if row["metric"] in ("cycles", "time", "stack", "flash", "static_ram", "state")
        }, {row["evidence"] for row in done.json["measurements"]}

    first, evidence = numbers()
    assert evidence == {"simulated"}
    assert len(first) == 5 * 6
    assert all(low == median == high for (_, _, metric), (median, low, high) in first.items() if metric == "cycles")
    assert numbers()[0] == first


def test_unknown_board_names_those_there_are(motebench):
    done = motebench("run", "--target", "sim:atmega9", "--implementation", "mote/xtea", "--scheme", "xtea-ecb")
    assert done.code == 2
    assert "sim:atmega2560" in done.err
