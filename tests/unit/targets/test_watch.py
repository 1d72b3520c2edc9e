"""The clock of a probe seen from outside, from recorded readings: no clock is read here."""

from __future__ import annotations

import pytest

from motebench.base.model import FailureKind
from motebench.targets.code.guards import ClockCheck
from motebench.targets.wire.messages import ProbeFailure, Timing


def timing(said: float, passed: float | None = None) -> Timing:
    """A request that took ``said`` seconds by the probe's clock of 1 GHz, 2 ms of it in a batch."""
    span = None if passed is None else (10.0, 10.0 + passed)
    beside = round(said * 1e9) - 2_000_000
    return Timing(
        (2_000_000,),
        None,
        None,
        0,
        0,
        None,
        before=beside // 2,
        after=beside - beside // 2,
        span=span,
    )


def test_an_honest_clock_on_a_busy_machine_is_believed():
    watch = ClockCheck()
    for _ in range(1000):  # waits of any length, in the readings and outside of them
        watch.see(timing(7e-3, 7.2e-3), hz=10**9, worked=7.1e-3, sent=100)
        watch.see(timing(2.0, 9.0), hz=10**9, worked=5e-3, sent=100)
    assert watch.unsaid < 1


@pytest.mark.parametrize("pace", [0.0, 0.5, 0.8])
def test_a_clock_that_is_slow_is_found_after_some_requests(pace):
    watch = ClockCheck()
    with pytest.raises(ProbeFailure, match="the code changes the clock") as caught:
        for _ in range(200):
            watch.see(timing(2e-3 + 5e-3 * pace, 7.1e-3), hz=10**9, worked=7.0e-3, sent=100)
    assert caught.value.kind is FailureKind.WRONG_ANSWER


def test_a_clock_that_is_ahead_of_time_is_found_at_once():
    with pytest.raises(ProbeFailure, match=r"reports 1 s for a request that took 0.01 s"):
        ClockCheck().see(timing(1.0, 0.01), hz=10**9, worked=None, sent=0)


def test_long_requests_may_take_long_to_send():
    watch = ClockCheck()
    watch.see(timing(10e-3), hz=10**9, worked=80e-3, sent=1 << 20)
    with pytest.raises(ProbeFailure):
        watch.see(timing(10e-3), hz=10**9, worked=800e-3, sent=1 << 20)


def test_what_the_system_does_not_tell_is_not_compared():
    watch = ClockCheck()
    watch.see(timing(1.0), hz=10**9, worked=None, sent=0)
    unsaid = Timing((10**12,), None, None, 0, 0, None, span=(0.0, 0.1))
    watch.see(unsaid, hz=10**9, worked=100.0, sent=0)
    assert watch.unsaid == 0
    # The same, as soon as there is something to compare with
    for told in (
        timing(1.0, 0.1),
        timing(1.0),
    ):
        with pytest.raises(ProbeFailure):
            watch.see(told, hz=10**9, worked=100.0, sent=0)
