"""Time of simulated boards: what else the machine does must not make them late."""

from __future__ import annotations

import os
import sys
import threading
import time

import pytest

from motebench.base.model import FailureKind
from motebench.targets.board.serial_board import SerialStream
from motebench.targets.wire import stream
from motebench.targets.wire.channel import Channel
from motebench.targets.wire.messages import ProbeFailure
from motebench.targets.wire.stream import SimulatorStream

SLEEPS = [sys.executable, "-c", "import time; time.sleep(600)"]


@pytest.fixture
def simulator():
    opened = SimulatorStream(SLEEPS)
    yield opened
    opened.close()


def test_time_passes_as_the_simulator_works_and_slowly_while_it_does_not(
    simulator, monkeypatch
) -> None:
    begun = simulator._begun
    clock = {"wall": begun, "worked": 0.0}
    monkeypatch.setattr(stream.time, "monotonic", lambda: clock["wall"])
    monkeypatch.setattr(stream, "_processor_seconds", lambda pid: clock["worked"])
    seen = []
    # It works all the time; gets a third of a processor; hangs without working; is gone.
    for wall, worked in ((100.0, 100.0), (400.0, 200.0), (500.0, 200.0), (500.0, 0.0)):
        clock.update(wall=begun + wall, worked=worked)
        seen.append(simulator.now())
    assert seen == pytest.approx([100.0, 240.0, 260.0, 260.0])


def test_processor_time_is_that_of_the_process() -> None:
    before = time.process_time()
    assert stream._processor_seconds(0) == 0.0  # there is no such process
    assert stream._processor_seconds(os.getpid()) > before / 2 > 0


def test_a_simulator_that_never_answers_is_a_timeout(simulator) -> None:
    with pytest.raises(ProbeFailure) as caught:
        Channel(simulator).ask({"do": "hello", "proto": 2}, 0.05)
    assert caught.value.kind is FailureKind.TIMEOUT


def test_a_simulator_that_waits_for_input_is_given_up_long_before_its_time_limit(
    simulator, monkeypatch
) -> None:
    looks = []

    def silent(descriptor: int, event: int, seconds: float) -> bool:
        looks.append(seconds)
        return event == stream.select.POLLOUT

    monkeypatch.setattr(stream, "ready", silent)
    monkeypatch.setattr(stream, "_sleeps", lambda pid: len(looks) != 5)  # once it is seen to work
    with pytest.raises(ProbeFailure, match="waits for another request") as caught:
        Channel(simulator).ask({"do": "hello", "proto": 2}, 7200)
    assert caught.value.kind is FailureKind.TIMEOUT
    assert len(looks) > 20 and max(looks) <= 0.5


def test_a_process_that_sleeps_is_told_from_one_that_works() -> None:
    assert not stream._sleeps(os.getpid())  # it is reading this
    assert not stream._sleeps(0)


def test_ending_all_programs_ends_the_wait_for_an_answer(simulator) -> None:
    asked = threading.Event()

    def end() -> None:
        asked.wait(60)
        stream.end_probes()

    ending = threading.Thread(target=end)
    ending.start()
    asked.set()
    with pytest.raises(ProbeFailure) as caught:
        Channel(simulator).ask({"do": "hello", "proto": 2}, 600)
    ending.join()
    assert caught.value.kind is FailureKind.CRASH
    assert "SIGKILL" in caught.value.message


class Port:
    """A serial port that is open, on a pseudo-terminal."""

    baudrate, is_open = 115200, True

    def __init__(self) -> None:
        self._board, self._line = os.openpty()

    def fileno(self) -> int:
        return self._line

    def close(self) -> None:
        for descriptor in (self._board, self._line):
            os.close(descriptor)


def test_ending_all_probes_ends_the_wait_for_a_board(monkeypatch) -> None:
    line = SerialStream("/dev/a-port", Port(), 0.0)  # type: ignore[arg-type]
    waiting = threading.Event()
    real = line.now

    def now() -> float:
        waiting.set()
        return real()

    monkeypatch.setattr(line, "now", now)

    def end() -> None:
        waiting.wait(60)
        stream.end_probes()

    ending = threading.Thread(target=end)
    ending.start()
    try:
        with pytest.raises(ProbeFailure, match="the run was ended") as caught:
            Channel(line).ask({"do": "hello", "proto": 2}, 600)
        assert caught.value.kind is FailureKind.LOST
    finally:
        ending.join()
        line.close()
