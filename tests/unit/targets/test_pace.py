"""Clocks of probes compared with this machine's, which is a virtual one here."""

from __future__ import annotations

import random

import pytest

from motebench.base.model import FailureKind
from motebench.targets.host.machine import Machine, Program
from motebench.targets.session import LEAST_DEVIATION, check_in_time, pace, pace_note
from motebench.targets.wire.messages import Job, ProbeFailure, Timing
from tests.unit.targets.test_session import JOB, FakeStream, ok

HZ = 16_000_000
ITERATION = 1e-4
"""Seconds at the nominal rate."""


class Board:
    """Fake board with a clock that runs at ``rate`` of its nominal pace; the line adds up to
    ``delay`` seconds.
    """

    def __init__(
        self, rate: float, delay: float = 0.0, seed: int = 1, iteration: float = ITERATION
    ) -> None:
        self.rate, self.delay, self.random, self.iteration = (
            rate,
            delay,
            random.Random(seed),
            iteration,
        )
        self.asked: list[int] = []

    def measure(self, job: Job, *, batch: int, count: int, warm: int, timeout: float) -> Timing:
        self.asked.append(batch)
        ticks = round(self.iteration * batch * HZ)
        took = (ticks + 3200) / HZ / self.rate + 2e-3 + self.random.random() * self.delay
        return Timing(
            (ticks,), None, None, 0, 0, None, before=1600, after=1600, span=(5.0, 5.0 + took)
        )


def found(board: Board, timeout: float = 300.0) -> float | None:
    return pace(board, JOB, HZ, seconds=board.iteration, timeout=timeout)  # type: ignore[arg-type]


@pytest.mark.parametrize("rate", [0.5, 0.9, 0.96, 1.0, 1.005, 1.04, 1.25])
@pytest.mark.parametrize("seed", range(5))
def test_the_pace_of_a_board_is_found_through_the_delays_of_a_line(rate: float, seed: int) -> None:
    seen = found(Board(rate, delay=10e-3, seed=seed))
    assert seen == pytest.approx(rate, abs=0.012)
    assert bool(pace_note(seen, 0.005)) == (abs(rate - 1) > LEAST_DEVIATION)


def test_a_busy_machine_is_not_taken_for_a_slow_board() -> None:
    class Delayed(Board):
        def measure(self, job: Job, **how) -> Timing:
            timing = super().measure(job, **how)
            late = 0.2 if len(self.asked) <= 4 else 0.0
            return Timing(
                timing.ticks,
                None,
                None,
                0,
                0,
                None,
                before=1600,
                after=1600,
                span=(5.0, (timing.span or (0, 0))[1] + late * (len(self.asked) % 2 == 0)),
            )

    assert found(Delayed(1.0)) == pytest.approx(1.0, abs=0.01)


def test_what_takes_long_is_asked_once_and_what_takes_too_long_never() -> None:
    slow = Board(1.0, iteration=20.0)
    assert found(slow) == pytest.approx(1.0, abs=0.01)
    assert slow.asked == [1]
    assert found(slow, timeout=60.0) is None
    assert slow.asked == [1]


def test_the_remark_says_how_far() -> None:
    assert pace_note(1.019, 0.005) == pace_note(0.981, 0.005) == pace_note(1.05, 0.03) == ""
    assert "it counted 2 s in 1 s of this machine" in pace_note(2.0, 0.005)


def timing(seconds: float, passed: float | None) -> Timing:
    span = None if passed is None else (1.0, 1.0 + passed)
    return Timing((round(seconds * 1e9) // 2,) * 2, None, None, 0, 0, None, span=span)


def test_batches_cannot_take_longer_than_their_request() -> None:
    for passed in (None, 1.0, 1.1, 50.0):
        check_in_time(timing(1.0, passed), 10**9)
    for passed in (0.0, 0.5, 0.98):
        with pytest.raises(ProbeFailure, match="1 s for a request") as caught:
            check_in_time(timing(1.0, passed), 10**9)
        assert caught.value.kind is FailureKind.LOST


class Lying(FakeStream):
    """Fake board that reports ``says`` seconds for each batch; ``takes`` seconds pass by the clock
    of this machine.
    """

    def __init__(self, says: float, takes: float) -> None:
        self.t, self.takes = 0.0, takes
        super().__init__(lambda request: ok(request, ticks=[round(says * 1e9)], crc=1, len=16))

    def now(self) -> float:
        return self.t

    def receive(self, deadline: float) -> bytes | None:
        self.t += self.takes
        return super().receive(deadline)


@pytest.mark.parametrize(
    ("says", "alone", "refused"), [(0.9, False, False), (1.2, False, True), (1.2, True, False)]
)
def test_a_program_that_says_more_time_than_there_was_gives_no_number(says, alone, refused) -> None:
    """Of user code the watch looks closer, and says that the answer is wrong."""

    class Here(Machine):
        def connect(self, program: Program) -> Lying:
            return Lying(says, 1.0)

    probe = Here().start(Program(("x",), isolated=alone))
    if not refused:
        assert probe.measure(JOB, batch=1, count=1, warm=0, timeout=60).ticks == (
            round(says * 1e9),
        )
        return
    with pytest.raises(ProbeFailure) as caught:
        probe.measure(JOB, batch=1, count=1, warm=0, timeout=60)
    assert caught.value.kind is FailureKind.LOST
    assert probe.generation == 2  # the next request goes to a fresh process
