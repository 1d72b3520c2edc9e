"""Comparing two sets of samples: the arithmetic by brute force, the error rates by simulation with fixed seeds."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest

from motebench.stats import MARGIN_UNPAIRED, Outcome, compare_paired, compare_unpaired, geometric_mean
from motebench.stats.ranks import signed_rank_tail, u_tail

SAME = Outcome.NOT_DISTINGUISHABLE


def _signed_rank_cdf(n):
    """Distribution of T by trying every assignment of signs."""
    totals = [sum(r for r, sign in enumerate(signs, 1) if sign) for signs in itertools.product((0, 1), repeat=n)]
    return lambda k: sum(total <= k for total in totals) / 2**n


def _u_cdf(n, m):
    """Distribution of U by trying every order of n and m."""
    counts = []
    for places in itertools.combinations(range(n + m), n):
        counts.append(sum(place - i for i, place in enumerate(places)))
    return lambda k: sum(count <= k for count in counts) / len(counts)


@pytest.mark.parametrize("n", [3, 6, 8, 11])
@pytest.mark.parametrize("alpha", [0.01, 0.05, 0.2])
def test_ranks_cut_off_by_the_signed_rank_test(n, alpha):
    below, tail = _signed_rank_cdf(n), signed_rank_tail(n, alpha)
    assert 2 * below(tail) > alpha
    assert tail == 0 or 2 * below(tail - 1) <= alpha


@pytest.mark.parametrize(("n", "m"), [(3, 4), (5, 5), (6, 8), (7, 4)])
@pytest.mark.parametrize("alpha", [0.01, 0.05, 0.2])
def test_ranks_cut_off_by_the_u_test(n, m, alpha):
    below, tail = _u_cdf(n, m), u_tail(n, m, alpha)
    assert 2 * below(tail) > alpha
    assert tail == 0 or 2 * below(tail - 1) <= alpha


def test_the_normal_approximation_continues_what_is_counted():
    # Where counting ends, both must nearly agree, and never may the approximation cut off much more.
    for n in (45, 50):
        mean, spread = n * (n + 1) / 4, math.sqrt(n * (n + 1) * (2 * n + 1) / 24)
        assert signed_rank_tail(n, 0.01) == pytest.approx(mean - 2.5758 * spread, abs=6)
    assert u_tail(26, 26, 0.01) > u_tail(25, 25, 0.01)
    assert signed_rank_tail(51, 0.01) > signed_rank_tail(50, 0.01)


@pytest.mark.parametrize("n", [8, 9, 30, 61])
def test_paired_interval_is_that_of_the_walsh_averages(n):
    rng = np.random.default_rng(n)
    a, b = rng.lognormal(0, 0.1, n), rng.lognormal(0.05, 0.1, n)
    found = compare_paired(a, b)
    logs = np.log(b / a)
    walsh = np.sort([(logs[i] + logs[j]) / 2 for i in range(n) for j in range(i + 1)])
    tail = signed_rank_tail(n, 0.01)
    expected = np.exp([np.median(walsh), walsh[tail], walsh[-1 - tail]])
    assert [found.ratio, found.low, found.high] == pytest.approx(expected, rel=1e-10)
    assert (found.n_a, found.n_b, found.confidence) == (n, n, 0.99)


@pytest.mark.parametrize(("n", "m"), [(6, 8), (12, 9), (40, 31)])
def test_unpaired_interval_is_that_of_all_differences(n, m):
    rng = np.random.default_rng(n)
    a, b = rng.lognormal(0, 0.1, n), rng.lognormal(0.05, 0.1, m)
    found = compare_unpaired(a, b)
    logs = np.sort(np.subtract.outer(np.log(b), np.log(a)).ravel())
    tail = u_tail(n, m, 0.01)
    expected = np.exp([np.median(logs), logs[tail], logs[-1 - tail]])
    assert [found.ratio, found.low, found.high] == pytest.approx(expected, rel=1e-10)


@pytest.mark.parametrize("compare", [compare_paired, compare_unpaired])
def test_turning_the_sides_around_turns_the_answer_around(compare):
    rng = np.random.default_rng(8)
    a, b = rng.lognormal(0, 0.05, 25), rng.lognormal(0.2, 0.05, 25)
    one, other = compare(a, b), compare(b, a)
    assert (one.outcome, other.outcome) == (Outcome.HIGHER, Outcome.LOWER)
    assert one.ratio == pytest.approx(1 / other.ratio)
    assert one.low == pytest.approx(1 / other.high)
    assert one.p == pytest.approx(other.p)


def test_equal_samples_and_zero_differences_are_no_difference():
    values = [5.0, 6.0, 7.0, 8.0, 9.0, 10.0, 11.0, 12.0]
    found = compare_paired(values, values)
    assert (found.outcome, found.ratio, found.low, found.high, found.p) == (SAME, 1.0, 1.0, 1.0, 1.0)
    # Most ratios are 1: the three that are not must not decide.
    found = compare_paired(values, [*values[:5], 10.1, 11.1, 12.1])
    assert found.outcome is SAME
    assert found.low == 1.0
    assert compare_unpaired(values, values).outcome is SAME


def test_constant_samples_that_are_measured_still_need_enough_of_them():
    assert compare_paired([100.0] * 8, [101.0] * 8).outcome is Outcome.HIGHER
    assert compare_paired([100.0] * 7, [101.0] * 7).outcome is SAME
    assert compare_unpaired([100.0] * 8, [103.0] * 8).outcome is Outcome.HIGHER
    assert compare_unpaired([100.0] * 8, [101.0] * 8).outcome is SAME, "within the margin between runs"


@pytest.mark.parametrize("n", [1, 2, 5])
def test_too_few_samples_give_a_ratio_and_no_verdict(n):
    for compare in (compare_paired, compare_unpaired):
        found = compare([1.0] * n, [2.0] * n)
        assert (found.outcome, found.ratio, found.low, found.p) == (SAME, 2.0, None, None)
        assert "too few samples" in found.note


def test_exact_numbers_are_compared_exactly():
    for compare in (compare_paired, compare_unpaired):
        found = compare([1000.0], [1001.0], exact=True)
        assert (found.outcome, found.test, found.p) == (Outcome.HIGHER, "exact", None)
        assert (found.low, found.ratio, found.high) == (1.001, 1.001, 1.001)
        assert compare([1000.0, 1000.0], [1000.0, 1000.0], exact=True).outcome is SAME
        # (raw - overhead) * scale / batch does not always round alike.
        assert compare([0.3], [0.1 * 3], exact=True).outcome is SAME


@pytest.mark.parametrize("bad", [0.0, -1.0])
def test_values_that_have_no_ratio(bad):
    found = compare_paired([1.0] * 10, [bad] * 10)
    assert (found.outcome, found.ratio, found.low) == (SAME, None, None)
    assert "no ratio" in found.note
    assert compare_unpaired([], [1.0]).note == "no samples on one side"


def test_pairs_must_be_pairs():
    with pytest.raises(ValueError, match="pairs"):
        compare_paired([1.0], [1.0, 2.0])


def test_long_runs_need_no_table_of_all_pairs():
    rng = np.random.default_rng(9)
    a, b = rng.lognormal(0, 0.1, 30_000), rng.lognormal(0.03, 0.1, 30_000)
    for found in (compare_paired(a, b), compare_unpaired(a, b)):
        assert found.outcome is Outcome.HIGHER
        assert found.low < math.exp(0.03) < found.high
        assert found.high / found.low < 1.01


# Machines: heavy tails upwards (interrupts, neighbours), and a speed that wanders.


def _wander(rng, n, spread, memory=0.95):
    steps = rng.normal(0, spread * math.sqrt(1 - memory**2), n)
    out = np.empty(n)
    out[0] = rng.normal(0, spread)
    for i in range(1, n):
        out[i] = memory * out[i - 1] + steps[i]
    return out


def _noise(rng, n):
    return 0.004 * np.abs(rng.standard_t(2, n)).clip(0, 50)


def _one_run(rng, n, ratio=1.0, spread=0.02):
    """Samples of two cases in one run: adjacent in time, in random order."""
    drift = _wander(rng, 2 * n, spread).reshape(n, 2)
    first = rng.integers(0, 2, n)
    rounds = np.arange(n)
    a = np.exp(drift[rounds, first] + _noise(rng, n))
    b = np.exp(drift[rounds, 1 - first] + _noise(rng, n))
    return 100 * a, 100 * ratio * b


def _one_case(rng, n, ratio=1.0, between=0.004, within=0.004):
    """Samples of one case in a run of its own: the machine is a little faster or slower throughout."""
    return 100 * ratio * np.exp(rng.normal(0, between) + _wander(rng, n, within, 0.8) + _noise(rng, n))


@pytest.mark.parametrize("n", [8, 12, 40, 150])
def test_within_a_run_equals_are_rarely_called_different(n):
    rng = np.random.default_rng(100 + n)
    wrong = sum(compare_paired(*_one_run(rng, n)).outcome is not SAME for _ in range(1000))
    # Nominal is 1 %; 2.5 % is five standard errors above it, and half of what is tolerable.
    assert wrong <= 25


@pytest.mark.parametrize("n", [8, 12, 40, 150])
def test_between_runs_equals_are_rarely_called_different(n):
    rng = np.random.default_rng(200 + n)
    pairs = ((_one_case(rng, n), _one_case(rng, n)) for _ in range(1000))
    wrong = sum(compare_unpaired(a, b).outcome is not SAME for a, b in pairs)
    assert wrong <= 50


def test_between_runs_the_margin_is_needed():
    rng = np.random.default_rng(300)
    pairs = [(_one_case(rng, 40), _one_case(rng, 40)) for _ in range(300)]
    without = sum(compare_unpaired(a, b, margin=0).outcome is not SAME for a, b in pairs)
    with_margin = sum(compare_unpaired(a, b, margin=MARGIN_UNPAIRED).outcome is not SAME for a, b in pairs)
    assert with_margin < 0.05 * 300 < without


@pytest.mark.parametrize(("n", "power"), [(12, 0.9), (40, 0.99)])
def test_three_percent_within_a_run_are_found(n, power):
    rng = np.random.default_rng(400 + n)
    found = sum(compare_paired(*_one_run(rng, n, 1.03, 0.01)).outcome is Outcome.HIGHER for _ in range(300))
    assert found >= power * 300


def test_three_percent_between_runs_are_found():
    rng = np.random.default_rng(500)
    pairs = ((_one_case(rng, 40), _one_case(rng, 40, 1.03)) for _ in range(300))
    found = sum(compare_unpaired(a, b).outcome is Outcome.HIGHER for a, b in pairs)
    assert found >= 0.85 * 300


@pytest.mark.parametrize("n", [8, 30])
def test_the_interval_of_the_ratio_covers(n):
    rng = np.random.default_rng(600 + n)
    covered = 0
    for _ in range(1000):
        found = compare_paired(*_one_run(rng, n, 1.2))
        covered += found.low <= 1.2 <= found.high
    assert covered >= 975


def test_geometric_mean():
    found = geometric_mean([0.5, 2.0, 1.0])
    assert found.ratio == pytest.approx(1.0)
    assert found.cases == 3
    # t(0.975, 2) = 4.3027; the standard deviation of (-ln 2, ln 2, 0) is ln 2.
    assert found.high == pytest.approx(math.exp(4.302653 * math.log(2) / math.sqrt(3)))
    assert found.low == pytest.approx(1 / found.high)
    assert geometric_mean([1 / 0.9, 1 / 1.3]).ratio == pytest.approx(1 / geometric_mean([0.9, 1.3]).ratio)
    assert geometric_mean([1.1]).low is None
    assert geometric_mean([]) is None
