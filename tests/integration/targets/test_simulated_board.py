"""Simulated boards: the firmware's meters against known values, and runs from end to end."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from motebench.base.model import FailureKind
from motebench.catalog.devices import programmable
from motebench.targets.board.simulated import simulation, simulator
from motebench.targets.firmware.build import FirmwareParts, assemble
from motebench.targets.session import ProbeSession
from motebench.targets.wire.messages import Fill, Job, ProbeFailure
from motebench.targets.wire.stream import ProcessStream
from tests.integration.conftest import each_board, holds_probe, need_simulator, prefix_of

KNOWN = Path(__file__).parents[2] / "firmware" / "known.c"
UNCACHED = ("sam3x8e", "stm32f103")
"""Boards that keep no lines of flash but those that are read last."""
MODELLED = ("energy", "energy_per_byte", "power", "current")


@pytest.fixture(
    scope="module",
    params=each_board(name for name, device in programmable().items() if holds_probe(device)),
)
def device(request):
    """Devices that this machine can simulate, and whose flash holds the probe."""
    found = programmable()[request.param]
    need_simulator(found)
    return found


@pytest.fixture(scope="module")
def image(device):
    return assemble(device, FirmwareParts([(KNOWN, ())]), "Os")


@pytest.fixture
def aside(device):
    """Cycles of overhead that are allowed, with those of some lines that a slow flash reads
    once.
    """
    return 200 + (20 * 56 if device.id == "rp2040-xip" else 0)


@pytest.fixture
def board(device, image):
    session = ProbeSession(lambda: ProcessStream(simulation(device, image.path)))
    yield session
    session.close()


def cycles(board, size, batch=1):
    timing = board.measure(
        Job(scheme="known-loop", operation="digest", data=Fill(1, size)),
        batch=batch,
        count=2,
        warm=0,
        timeout=60,
    )
    assert timing.counts is not None and timing.counts[0] == timing.counts[1]
    return timing.counts[0] - board.hello.counter.overhead


@pytest.fixture
def turn(device, board):
    """Cycles of a turn of the loop: four, and more where flash without a cache waits again behind
    each branch.
    """
    if device.id not in UNCACHED:
        return 4
    taken, rest = divmod(cycles(board, 3) - cycles(board, 2), 256)
    assert rest == 0 and 4 < taken <= 16
    return taken


def test_cycles_are_those_of_a_loop_of_known_length(board, turn, aside):
    # What is around the loop is the same for every length.
    around = cycles(board, 1) - 256 * turn
    assert 0 < around < aside
    for size in (2, 3, 63, 64, 255):
        assert cycles(board, size) - size * 256 * turn == around


def test_cycles_are_exact_when_the_fast_timer_has_come_round_many_times(board, turn, aside):
    # 65,536 turns, 262,144 cycles or more, 200 times: a timer of 16 bits comes round 800 times, one
    # of 24 bits 3 times.
    once = cycles(board, 0)
    per_iteration = cycles(board, 0, batch=3) - cycles(board, 0, batch=2)
    assert cycles(board, 0, batch=200) == cycles(board, 0, batch=2) + 198 * per_iteration
    assert abs(once - per_iteration) < aside
    assert 65_536 * turn <= per_iteration < 65_536 * turn + 200


def test_time_is_cycles_at_the_clock_of_the_device(device, board):
    timing = board.measure(
        Job(scheme="known-loop", operation="digest", data=Fill(1, 100)),
        batch=1,
        count=1,
        warm=0,
        timeout=60,
    )
    assert board.hello.clock.hz == device.clock_hz
    assert (
        timing.ticks[0] - board.hello.clock.overhead
        == timing.counts[0] - board.hello.counter.overhead
    )


def test_stack_is_that_of_a_routine_of_known_depth(board):
    def stack(size):
        return board.memory(Job(scheme="known-deep", operation="digest", data=Fill(1, size))).stack

    around = stack(15) - 15  # a byte more is used: sixteen, so that nothing is rounded up
    assert 0 < around < 100
    for size in (31, 111, 399):
        assert stack(size) == size + around


def test_sizes_are_those_of_the_toolchain(device, image, board):
    said = subprocess.run(
        [f"{prefix_of(device)}size", str(image.path)], capture_output=True, text=True, check=True
    ).stdout
    text, data, bss = (int(word) for word in said.splitlines()[1].split()[:3])
    assert image.flash == text + data
    static = board.memory(Job(scheme="known-deep", operation="digest", data=Fill(1, 1))).static
    # Where some code runs from RAM, or all of it, `size` has its section under text.
    assert static == image.static_ram >= data + bss
    assert static - data - bss < (text if device.id == "rp2040" else 1000)


def test_too_long_a_program_says_by_how_many_bytes(device, tmp_path):
    def lacking(more):
        large = tmp_path / f"large-{more}.c"
        used = KNOWN.read_text().replace("job->out_len = 1;", "job->out_len = much[job->in_len];")
        size = device.ram_bytes + more
        large.write_text(f"#include <stdint.h>\nstatic volatile uint8_t much[{size}];\n" + used)
        with pytest.raises(ProbeFailure) as caught:
            assemble(device, FirmwareParts([(large, ())]), "Os")
        assert caught.value.kind is FailureKind.TOO_BIG
        return int(caught.value.message.split()[0]), caught.value.message

    (one, message), (other, _) = lacking(8), lacking(1000)
    assert f"{one} B of RAM are missing" in message
    assert other - one == 992


def test_refused_source_fails_with_the_compilers_words(device, tmp_path):
    wrong = tmp_path / "wrong.c"
    wrong.write_text("this is no C\n")
    with pytest.raises(ProbeFailure) as caught:
        assemble(device, FirmwareParts([(wrong, ())]), "Os")
    assert caught.value.kind is FailureKind.BUILD
    assert "wrong.c" in caught.value.message and "error" in caught.value.message


@pytest.mark.parametrize(
    "arguments",
    ["", "--mcu PART", "--mcu nobody --clock 1000000 ELF", "--mcu PART --clock 8000000 NUL"],
)
def test_simulator_refuses_what_it_cannot_run(device, image, arguments):
    stands_for = {"PART": device.mcu, "ELF": str(image.path), "NUL": "/dev/null"}
    words = [stands_for.get(word, word) for word in arguments.split()]
    program = simulator(device)
    done = subprocess.run(
        [program, *words], capture_output=True, text=True, timeout=1200, stdin=subprocess.DEVNULL
    )
    assert done.returncode == 2
    assert f"{program.name}:" in done.stderr


def test_run_repeats_itself_to_the_last_cycle(device, motebench):
    arguments = (
        "run",
        "--target",
        f"sim:{device.id}",
        "--implementation",
        "mote/xtea",
        "--scheme",
        "xtea-ecb",
    )
    arguments += (
        "--operation",
        "key-setup,encrypt,decrypt",
        "--size",
        "8,64",
        "--json",
        "--budget",
        "60s",
    )

    def numbers():
        done = motebench(*arguments)
        assert done.code == 0, done.err
        assert done.json["failures"] == []
        return {
            (row["operation"], row["input_bytes"], row["metric"]): (
                row["median"],
                row["ci_low"],
                row["ci_high"],
            )
            for row in done.json["measurements"]
            if row["metric"] in ("cycles", "time", "stack", "flash", "static_ram", "state")
        }, {row["evidence"] for row in done.json["measurements"] if row["metric"] not in MODELLED}

    first, evidence = numbers()
    # Energy is modelled where supply currents are known
    assert evidence - {"modelled"} == {"simulated"}
    assert len(first) == 5 * 6
    assert all(
        low == median == high
        for (_, _, metric), (median, low, high) in first.items()
        if metric == "cycles"
    )
    assert numbers()[0] == first


@pytest.mark.parametrize(("sampling", "rounds"), [("", 2), ("min_samples = 3\nmax_samples = 3", 2)])
def test_samples_are_numbered_as_if_each_were_a_round(
    device, motebench, tmp_path, sampling, rounds
):
    study = tmp_path / "study.toml"
    study.write_text(
        f'[sampling]\n{sampling}\n[[measure]]\nschemes = ["xtea-ecb"]\nimplementations = '
        '["mote/xtea"]\n'
        f'targets = ["sim:{device.id}"]\noperations = ["encrypt"]\nsizes = [8]\n'
    )
    done = motebench("run", str(study), "--json", "--quiet")
    assert done.code == 0, done.err
    shown = motebench("show", "--json", "--samples").json["measurements"]
    cycles = {row["metric"]: row for row in shown}["cycles"]
    assert cycles["rounds"] == list(range(rounds))
    assert cycles["values"] == [cycles["median"]] * rounds


def test_unknown_board_names_those_there_are(motebench):
    done = motebench(
        "run", "--target", "sim:atmega9", "--implementation", "mote/xtea", "--scheme", "xtea-ecb"
    )
    assert done.code == 2
    assert "sim:atmega2560" in done.err
