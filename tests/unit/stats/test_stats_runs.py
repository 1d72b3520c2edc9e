"""Several runs: how far they lie apart, what two single runs may claim, how many runs decide. Seeds
are fixed.
"""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy.stats import t

from motebench.stats import compare_groups, holm
from motebench.stats.runs import (
    MOST_RUNS,
    Between,
    RunSpread,
    detectable,
    power,
    runs_needed,
    spread,
)


def made(sd: float, cases: int, groups: int, runs: int, seed: int, shared: float = 0.0):
    """Run medians by case and group; ``shared``: standard deviation of what all cases of a run have
    in common.
    """
    rng = np.random.default_rng(seed)
    together = rng.normal(0, shared, (groups, runs))
    return {
        case: {
            f"g{g}": list(100 * np.exp(together[g] + rng.normal(0, sd, runs)))
            for g in range(groups)
        }
        for case in range(cases)
    }


def test_the_spread_is_that_of_the_runs_and_not_that_between_groups():
    found = spread({"x": {"a": [100, 101, 102, 103], "b": [200, 202, 204, 206]}})
    assert found is not None
    logs = np.log([100, 101, 102, 103])
    assert found.sd == pytest.approx(np.std(logs, ddof=1))
    assert (found.degrees, found.runs, found.groups, found.cases) == (6, 8, 2, 1)


def test_cases_add_no_degrees_of_freedom():
    one, many = spread(made(0.01, 1, 1, 5, 1)), spread(made(0.01, 50, 1, 5, 1))
    assert one is not None
    assert many is not None
    assert (one.degrees, many.degrees) == (4, 4)
    assert many.sd == pytest.approx(0.01, rel=0.15)


@pytest.mark.parametrize(
    "found", [{}, {"x": {"a": [1.0]}}, {"x": {"a": [1.0, 1.1, 1.2]}}, {"x": {"a": [0, 1, 2, 3, 4]}}]
)
def test_too_few_runs_have_no_spread(found):
    assert spread(found) is None


def test_a_few_outlying_cases_hardly_move_the_spread_and_keep_their_own():
    values = made(0.004, 30, 2, 5, 2)
    values["wild"] = {"g0": [100, 150, 80, 120, 100], "g1": [100, 90, 160, 120, 100]}
    calm, found = spread(made(0.004, 30, 2, 5, 2)), spread(values)
    assert calm is not None
    assert found is not None
    assert found.sd < 1.2 * calm.sd
    assert found.of("wild") > 0.2
    assert found.of("never seen") == found.sd


def test_the_margin_is_the_stated_formula():
    found = RunSpread(0.01, 4, 5, 1, 1, {"noisy": 0.02})
    assert found.margin() == pytest.approx(math.exp(t.ppf(0.995, 4) * math.sqrt(2) * 0.01) - 1)
    assert found.margin("noisy") == pytest.approx(
        math.exp(t.ppf(0.995, 4) * math.sqrt(2) * 0.02) - 1
    )
    assert found.margin(alpha=0.1) < found.margin()


@pytest.mark.parametrize("shared", [0.0, 0.008], ids=["cases apart", "cases together"])
@pytest.mark.parametrize("groups", [1, 3])
def test_two_single_runs_of_one_thing_exceed_the_margin_at_most_once_in_a_hundred(shared, groups):
    rng = np.random.default_rng(3)
    beyond = compared = 0
    for seed in range(1000):
        found = spread(made(0.004, 6, groups, 5, seed, shared))
        assert found is not None
        together = rng.normal(0, shared, 2)
        for case in range(6):
            a, b = together + rng.normal(0, 0.004, 2)
            beyond += abs(a - b) > math.log1p(found.margin(case))
            compared += 1
    assert beyond / compared < 0.012


def test_power_is_what_draws_show():
    rng = np.random.default_rng(4)
    for sd, shift, runs in ((0.01, 0.02, 5), (0.004, 0.0197, 5), (0.01, 0.0, 8), (0.01, 0.02, 12)):
        a, b = rng.normal(0, sd, (20_000, runs)), rng.normal(shift, sd, (20_000, runs))
        error = np.sqrt((a.var(axis=1, ddof=1) + b.var(axis=1, ddof=1)) / runs)
        seen = ((b.mean(axis=1) - a.mean(axis=1)) / error > t.ppf(0.99, 2 * runs - 2)).mean()
        assert power(sd, shift, runs) == pytest.approx(seen, abs=0.012)


@pytest.mark.parametrize(("sd", "runs"), [(0.003, 4), (0.005, 5), (0.01, 10), (0.015, 20)])
def test_runs_for_three_per_cent_where_one_is_allowed(sd, runs):
    shift = math.log(1.03 / 1.01)
    found = runs_needed(sd, shift)
    assert found == pytest.approx(runs, abs=1)
    # One more, for runs in turn
    assert power(sd, shift, found - 1) >= 0.95 > power(sd, shift, found - 2)
    least = detectable(sd, found)
    assert least is not None
    assert least <= shift < detectable(sd, found - 1)


def test_what_no_number_of_runs_decides():
    assert runs_needed(0.01, 0.0) is None
    assert runs_needed(0.05, 1e-5) is None
    assert runs_needed(0.0, 0.01) == 2
    assert detectable(0.01, 1) is None
    assert power(0.01, 1.0, MOST_RUNS) == 1.0


def test_what_two_single_runs_show_is_what_draws_show():
    found = Between(0.01, 6)
    shift = found.detectable(0.01, 0.95)
    rng = np.random.default_rng(8)
    estimated = 0.01 * np.sqrt(rng.chisquare(6, 4000) / 6)
    drawn = zip(estimated, rng.normal(shift, 0.01, 4000), strict=True)
    seen = [Between(sd, 6).above(value, 0.0) <= 0.01 for sd, value in drawn]
    assert np.mean(seen) == pytest.approx(0.95, abs=0.012)


# The gate, as `compare --fail-if-slower 1%` asks it of several runs a side

ALLOWED, CASES = math.log(1.01), 8


def called(sd: float, runs: int, planted: list[float], draws: int, seed: int):
    """Cases that are called slower than allowed, by draw and case. Half of the variance is the
    run's own.
    """
    rng = np.random.default_rng(seed)
    part = sd / math.sqrt(2)
    found = []
    for _ in range(draws):
        a, b = (
            rng.normal(0, part, (runs, 1)) + rng.normal(0, part, (runs, CASES)) for _ in range(2)
        )
        b = b + np.log1p(planted)
        p = [
            compare_groups(np.exp(a[:, case]), np.exp(b[:, case])).beyond(0.01)
            for case in range(CASES)
        ]
        found.append(
            [value <= 0.01 for value in holm([1.0 if value is None else value for value in p])]
        )
    return np.array(found)


@pytest.mark.parametrize(("sd", "runs"), [(0.003, 5), (0.015, 5), (0.015, 20)])
def test_a_gate_cries_wolf_at_most_once_in_a_hundred(sd, runs):
    # The hardest case that is no slowdown: every case exactly as much slower as is allowed.
    assert called(sd, runs, [0.01] * CASES, 600, 5).any(axis=1).mean() <= 0.01 + 2 * math.sqrt(
        0.01 * 0.99 / 600
    )
    assert called(sd, runs, [0.0] * CASES, 200, 6).any(axis=1).mean() <= 0.01


@pytest.mark.parametrize("sd", [0.003, 0.005, 0.01, 0.015])
def test_as_many_runs_as_asked_for_find_three_per_cent(sd):
    runs = runs_needed(sd, math.log(1.03) - ALLOWED, alpha=0.01 / CASES)
    assert runs is not None
    found = called(sd, runs, [0.0] * (CASES - 2) + [0.03, 0.1], 400, 7)
    assert found[:, -2].mean() >= 0.95 - 2 * math.sqrt(0.95 * 0.05 / 400)
    assert found[:, -1].all()
    assert found[:, :-2].any(axis=1).mean() <= 0.02


def test_runs_that_are_all_alike_differ_from_any_limit_below_them_and_from_no_other():
    alike = Between(0.0, 4)
    assert (alike.above(0.1, 0.0), alike.above(0.0, 0.0), alike.above(-0.1, 0.0)) == (0.0, 1.0, 1.0)


def test_the_unit_of_the_values_does_not_matter():
    values = [0.4, 0.5, 0.6, 0.55, 0.45]
    whole, tiny = (spread({"x": {"a": [scale * v for v in values]}}) for scale in (1e3, 1e-3))
    assert whole is not None
    assert tiny is not None
    assert tiny.sd == pytest.approx(whole.sd) == pytest.approx(np.std(np.log(values), ddof=1))
