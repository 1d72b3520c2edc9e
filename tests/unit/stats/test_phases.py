"""Slow phases of a machine: found where they are, and only there."""

from __future__ import annotations

import math

import numpy as np
import pytest

from motebench.stats.phases import (
    STEADY_MACHINE,
    LoopReadings,
    MachineCourse,
    SlowPhases,
    machine_margin,
    moved,
    slow_variance,
    widened,
)

LOOP = 14_000.0
NOISE = 0.005


def loops(speed: np.ndarray, seed: int) -> list[float]:
    rng = np.random.default_rng(seed)
    return list(LOOP * np.exp(speed + NOISE * rng.standard_normal(speed.size)))


def course(speed: np.ndarray, seed: int = 1, cases: int = 4) -> MachineCourse:
    """Cases that are read in turn on a machine whose speed moves."""
    read = loops(speed, seed)
    return MachineCourse(
        {
            case: LoopReadings("probe", range(case, speed.size, cases), read[case::cases])
            for case in range(cases)
        }
    )


def test_a_steady_machine_has_no_phases_but_by_chance() -> None:
    found = [
        course(np.zeros(n), seed).during(0).variance
        for n in (32, 48, 160, 400)
        for seed in range(100)
    ]
    assert sum(variance > 0 for variance in found) <= 0.03 * len(found)
    assert max(found) < 0.005**2


def test_a_step_widens_to_the_other_level_and_is_counted() -> None:
    speed = np.where(np.arange(160) < 128, 0.0, 0.12)
    found = course(speed).during(0)
    assert (found.readings, found.slow) == (40, 8)
    assert found.slower == pytest.approx(math.expm1(0.12), abs=0.01)
    # Read mostly at the quick level: the interval reaches the slow one.
    assert 1.96 * math.sqrt(found.variance) == pytest.approx(0.12 * 1.96 / math.sqrt(3), rel=0.1)


def test_a_case_outside_of_the_slow_phase_is_not_widened() -> None:
    read = loops(np.where(np.arange(200) < 100, 0.0, 0.1), 3)
    found = MachineCourse(
        {
            "early": LoopReadings("probe", range(100), read[:100]),
            "late": LoopReadings("probe", range(100, 200), read[100:]),
        }
    )
    assert found.during("early") == SlowPhases(100)
    assert found.during("late") == SlowPhases(100)


def test_an_interruption_is_no_phase() -> None:
    speed = np.zeros(160)
    speed[[20, 70, 71, 130]] = 3.0
    assert course(speed).during(0).variance < 0.002**2


def test_programs_and_cases_have_loops_of_their_own_length() -> None:
    read = loops(np.zeros(160), 5)
    longer = [4 * value for value in read[80:]]
    # A case after which the loop is slower, and that ends early
    beside = [1.03 * value for value in read[:40]]
    found = MachineCourse(
        {
            "a": LoopReadings("C", range(0, 160, 2), read[:80]),
            "python": LoopReadings("Python", range(1, 161, 2), longer),
            "b": LoopReadings("C", range(40), beside),
        }
    )
    assert all(found.during(case).variance < 0.004**2 for case in ("a", "python", "b"))


@pytest.mark.parametrize(
    "readings", [{}, {"a": LoopReadings("C", (), ())}, {"a": LoopReadings("C", (0.0,), (5.0,))}]
)
def test_few_readings_say_nothing(readings: dict) -> None:
    found = MachineCourse(readings)
    assert found.during("b") == STEADY_MACHINE
    assert found.during("a").variance == 0


def test_readings_that_repeat_exactly_have_no_phases() -> None:
    assert slow_variance(np.zeros(100), 0.0) == 0.0


def test_flicker_is_found_with_about_its_variance() -> None:
    rng = np.random.default_rng(7)
    found = []
    for _ in range(100):
        waves = np.fft.rfft(rng.standard_normal(4096))
        waves[0] = 0
        waves[1:] /= np.sqrt(np.arange(1, waves.size))
        speed = np.fft.irfft(waves, 4096)
        speed *= 0.02 / speed.std()
        whole = course(speed[1000:1400], seed=int(rng.integers(1000))).during(0)
        found.append(math.sqrt(whole.variance))
    assert 0.005 < np.median(found) < 0.03


def test_a_widened_interval_adds_in_quadrature_on_each_side() -> None:
    low, high = widened(math.exp(-0.03), 1.0, math.exp(0.01), (0.04 / 1.959964) ** 2)
    assert math.log(low) == pytest.approx(-0.05)
    assert math.log(high) == pytest.approx(math.hypot(0.01, 0.04))
    assert widened(9.0, 10.0, 12.0, 0.0) == pytest.approx((9.0, 12.0))


def test_the_loop_between_two_runs_counts_where_it_certainly_moved() -> None:
    here, there = loops(np.zeros(20), 1), loops(np.full(20, 0.1), 2)
    assert moved(here, there) == pytest.approx(0.1**2 / 3, rel=0.1)
    assert moved(here, loops(np.zeros(20), 3)) == 0.0
    assert moved(here[:3], there) == 0.0
    assert machine_margin(STEADY_MACHINE, STEADY_MACHINE, (here, there)) > 0.1
    assert machine_margin(STEADY_MACHINE, STEADY_MACHINE, ([], [])) == 0.0
    assert machine_margin(SlowPhases(variance=0.01**2), STEADY_MACHINE, ([], [])) == pytest.approx(
        0.026, abs=0.001
    )
