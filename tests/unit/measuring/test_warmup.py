"""Warming up: recorded times replayed, no clock asserted."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from motebench.measuring.run import timed_case
from motebench.stats.levels import BLOCK
from motebench.targets.wire.messages import Clock, Timing

CLOCK = Clock("test", 10**9, 1, 0.0)


class Fake:
    """Answers with the next time per operation (ns); remembers the batches it was asked for."""

    def __init__(self, times: Iterator[float]) -> None:
        self.times = times
        self.batches: list[int] = []

    def __call__(self, batch: int, count: int) -> Timing:
        self.batches.append(batch)
        ticks = int(next(self.times) * batch)
        return Timing((ticks,) * count, None, None, 0, 0, None)


@pytest.fixture(autouse=True)
def clock(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every look at the clock is a tenth of a second later."""
    now = iter(float(step) / 10 for step in range(10_000))
    monkeypatch.setattr(timed_case.time, "monotonic", lambda: next(now))


def falling(*first: float) -> Iterator[float]:
    yield from first
    while True:
        yield first[-1]


def test_it_ends_when_times_no_longer_change() -> None:
    fake = Fake(falling(1000.0, 500.0, 200.0, 100.0))
    done = timed_case.warm_up(fake, CLOCK, batch=1, batch_seconds=0.02, limit=60)
    assert done.steady
    assert len(done.blocks) == 6
    assert done.seconds == pytest.approx(100e-9, rel=0.02)


def test_every_batch_is_kept() -> None:
    done = timed_case.warm_up(
        Fake(falling(300.0, 100.0)), CLOCK, batch=7, batch_seconds=1e-3, limit=60
    )
    assert sum(len(timing.ticks) for timing, _ in done.blocks) == BLOCK * len(done.blocks)
    assert next(batch for _, batch in done.blocks) == 7


def test_the_batch_follows_the_time() -> None:
    fake = Fake(falling(1000.0, 100.0))
    timed_case.warm_up(fake, CLOCK, batch=1000, batch_seconds=1e-3, limit=60)
    assert fake.batches[-1] == pytest.approx(10_000, rel=0.01)


def test_times_that_never_settle_end_at_the_limit() -> None:
    def restless() -> Iterator[float]:
        while True:
            yield 100.0
            yield 200.0

    done = timed_case.warm_up(Fake(restless()), CLOCK, batch=1, batch_seconds=1e-3, limit=2)
    assert not done.steady
    assert len(done.blocks) == 20


def test_it_never_ends_before_a_compiler_has_begun() -> None:
    done = timed_case.warm_up(Fake(falling(100.0)), CLOCK, batch=1, batch_seconds=1e-3, limit=60)
    assert done.steady
    assert len(done.blocks) * BLOCK * 1e-3 >= timed_case.LEAST_SECONDS


def test_a_slow_beginning_is_no_work_of_warm_code() -> None:
    # The first block alone takes half a second, as interpreted code may.
    slow = Fake(falling(50_000_000.0, 100.0))
    done = timed_case.warm_up(slow, CLOCK, batch=1, batch_seconds=0.005, limit=60, least=0.3)
    assert done.steady
    assert len(done.blocks) == 6
