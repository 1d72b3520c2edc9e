"""Comparing two sets of samples: the arithmetic by brute force, the error rates by simulation with
fixed seeds.
"""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
from scipy import stats

from motebench.stats import (
    EQUIVALENT,
    MARGIN_UNPAIRED,
    Between,
    Outcome,
    compare_groups,
    compare_paired,
    compare_unpaired,
    dependence,
    geometric_mean,
    judged,
    judged_beside,
    pairs_for,
)
from motebench.stats.compare import benjamini_hochberg, holm
from motebench.stats.shift import rank_sum, signed_rank, units, without_trend

SAME = Outcome.NOT_DISTINGUISHABLE


def _signed_rank_cdf(n):
    """Distribution of T by trying every assignment of signs."""
    totals = [
        sum(r for r, sign in enumerate(signs, 1) if sign)
        for signs in itertools.product((0, 1), repeat=n)
    ]
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
    below, null = _signed_rank_cdf(n), signed_rank(n)
    cut = null.cut(alpha)
    # Cutting off k values on each side leaves the shift outside where at most k values are on one
    # side of it.
    assert null.reached(cut) == pytest.approx(1 - 2 * below(cut))
    if cut > 0:
        assert 2 * below(cut) <= alpha
    assert 2 * below(cut + 1) > alpha


@pytest.mark.parametrize(("n", "m"), [(3, 4), (5, 5), (6, 8), (7, 4)])
@pytest.mark.parametrize("alpha", [0.01, 0.05, 0.2])
def test_ranks_cut_off_by_the_u_test(n, m, alpha):
    below, null = _u_cdf(n, m), rank_sum(n, m)
    cut = null.cut(alpha)
    assert null.reached(cut) == pytest.approx(1 - 2 * below(cut))
    if cut > 0:
        assert 2 * below(cut) <= alpha
    assert 2 * below(cut + 1) > alpha


def test_the_normal_approximation_continues_what_is_counted():
    # Where counting ends, both must nearly agree, and never may the approximation cut off much
    # more.
    for n in (45, 50):
        mean, spread = n * (n + 1) / 4, math.sqrt(n * (n + 1) * (2 * n + 1) / 24)
        assert signed_rank(n).cut(0.01) == pytest.approx(mean - 2.5758 * spread, abs=6)
    assert rank_sum(26, 26).cut(0.01) > rank_sum(25, 25).cut(0.01)
    assert signed_rank(51).cut(0.01) > signed_rank(50).cut(0.01)
    assert signed_rank(51).reached(signed_rank(51).cut(0.01)) >= 0.99


@pytest.mark.parametrize(("n", "reached"), [(6, 1 - 2 / 64), (7, 1 - 2 / 128), (8, 1 - 2 / 256)])
def test_few_pairs_say_which_confidence_they_reach(n, reached):
    rng = np.random.default_rng(1)
    found = compare_paired(rng.lognormal(0, 0.1, n), rng.lognormal(0, 0.1, n))
    assert found.confidence == pytest.approx(reached)


def independent(rng, spread, *sizes, between=0.05):
    """Lognormal sets whose samples do not look as if they depended on each other."""
    while True:
        sides = [rng.lognormal(between * at, spread, size) for at, size in enumerate(sizes)]
        pairs = [np.log(sides[1] / sides[0])] if sizes[0] == sizes[1] else []
        if not any(dependence(values).dependent for values in (*map(np.log, sides), *pairs)):
            return sides


@pytest.mark.parametrize("n", [8, 9, 30, 61])
def test_paired_interval_is_that_of_the_walsh_averages(n):
    a, b = independent(np.random.default_rng(n), 0.1, n, n)
    found = compare_paired(a, b)
    logs = np.log(b / a)
    walsh = np.sort([(logs[i] + logs[j]) / 2 for i in range(n) for j in range(i + 1)])
    cut = signed_rank(n).cut(0.01)
    expected = np.exp([np.median(walsh), walsh[cut], walsh[-1 - cut]])
    assert [found.ratio, found.low, found.high] == pytest.approx(expected, rel=1e-10)
    assert (found.n_a, found.n_b) == (n, n)
    assert found.confidence >= 0.99


@pytest.mark.parametrize(("n", "m"), [(6, 8), (12, 9), (40, 31)])
def test_unpaired_interval_is_that_of_all_differences(n, m):
    a, b = independent(np.random.default_rng(n), 0.1, n, m)
    found = compare_unpaired(a, b)
    logs = np.sort(np.subtract.outer(np.log(b), np.log(a)).ravel())
    cut = rank_sum(n, m).cut(0.01)
    expected = np.exp([np.median(logs), logs[cut], logs[-1 - cut]])
    assert [found.ratio, found.low, found.high] == pytest.approx(expected, rel=1e-10)


@pytest.mark.parametrize(("n", "m"), [(8, 8), (20, 20), (60, 60)])
def test_p_and_interval_agree(n, m):
    rng = np.random.default_rng(n)
    for _ in range(30):
        for found in (
            compare_paired(*independent(rng, 0.1, n, m)),
            compare_unpaired(*independent(rng, 0.1, n, m)),
        ):
            margin = math.log1p(found.margin)
            outside = found.low > math.exp(margin) or found.high < math.exp(-margin)
            assert (found.p <= 0.01) == outside


def test_p_is_that_of_scipy():
    from scipy.stats import mannwhitneyu, wilcoxon

    a, b = independent(np.random.default_rng(11), 0.1, 14, 14)
    expected = wilcoxon(np.log(b / a)).pvalue
    assert compare_paired(a, b).p == pytest.approx(expected)
    expected = mannwhitneyu(b, a, method="exact").pvalue
    assert compare_unpaired(a, b, margin=0.0).p == pytest.approx(expected)
    a, b = independent(np.random.default_rng(12), 0.1, 80, 80)
    assert compare_paired(a, b).p == pytest.approx(
        wilcoxon(np.log(b / a), correction=True, method="approx").pvalue
    )


def test_welch_is_that_of_scipy():
    from scipy.stats import ttest_ind

    rng = np.random.default_rng(13)
    a, b = rng.lognormal(0, 0.01, 5), rng.lognormal(0.02, 0.02, 6)
    found = compare_groups(a, b)
    expected = ttest_ind(np.log(b), np.log(a), equal_var=False)
    interval = expected.confidence_interval(0.99)
    assert found.p == pytest.approx(expected.pvalue)
    assert [math.log(found.low), math.log(found.high)] == pytest.approx(
        [interval.low, interval.high]
    )


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
    assert (found.outcome, found.ratio, found.low, found.high, found.p) == (
        SAME,
        1.0,
        1.0,
        1.0,
        1.0,
    )
    assert found.equivalent
    # Most ratios are 1: the three that are not must not decide.
    found = compare_paired(values, [5.1, *values[1:4], 9.1, *values[5:7], 12.1])
    assert found.outcome is SAME
    assert found.low == 1.0
    assert compare_unpaired(values, values).outcome is SAME


def test_equal_readings_are_no_exact_numbers():
    """A coarse clock gives equal readings too: how sure they are depends on their number, as for
    all others.
    """
    confidence = {2: pytest.approx(2 / 3), 3: pytest.approx(0.9)}
    for compare in (compare_paired, compare_unpaired, compare_groups):
        for n in (2, 3):
            found = compare([100.0] * n, [101.0] * n, margin=0.0)
            assert (found.outcome, found.different) == (Outcome.TOO_FEW, False)
            # Sequences that short have no interval; that of the groups is far from what is asked
            # for.
            assert found.confidence == (confidence[n] if compare is compare_groups else None)
            assert found.needed > n
        assert compare([100.0] * 9, [100.0] * 9).outcome is SAME
        found = compare([100.0] * 9, [101.0] * 9, margin=0.0)
        assert (found.outcome, found.test != "exact") == (Outcome.HIGHER, True)
        assert found.p == pytest.approx(
            2 / (2**9 if compare is compare_paired else math.comb(18, 9))
        )
    assert compare_groups([100.0, 100.0], [101.0, 101.0], exact=True).confidence == 1.0


@pytest.mark.parametrize("n", [1, 2, 5])
def test_too_few_samples_give_a_ratio_and_no_verdict(n):
    for compare in (compare_paired, compare_unpaired):
        found = compare([1.0, 1.1, 1.0, 1.2, 1.0][:n], [2.0, 2.1, 2.0, 2.2, 2.0][:n])
        assert (found.outcome, found.low, found.p) == (Outcome.TOO_FEW, None, None)
        assert found.ratio == pytest.approx(2.0, rel=0.1)
        assert "at least 6 are needed" in found.note


def test_samples_that_could_never_decide_say_how_many_would():
    a, b = independent(np.random.default_rng(14), 0.01, 6, 6, between=0.05)
    found = compare_paired(a, b)
    assert (found.outcome, found.needed) == (Outcome.TOO_FEW, 8)
    assert "too few samples to decide: 6 and 6, at least 8 are needed" in found.note
    assert compare_unpaired(a, b).outcome is Outcome.HIGHER, "six against six can"
    # A gate over many cases asks for more.
    assert found.shift.needed(0.0001) == 15


def test_what_differs_tenfold_is_different_however_the_samples_hang_together():
    ramp = np.linspace(100, 101, 12)
    found = compare_paired(ramp, 10 * ramp[::-1])
    assert found.test == "t test with effective n"
    assert found.outcome is Outcome.HIGHER
    assert found.inflation > 1


def test_exact_numbers_are_compared_exactly():
    for compare in (compare_paired, compare_unpaired):
        found = compare([1000.0], [1001.0], exact=True)
        assert (found.outcome, found.test, found.p) == (Outcome.HIGHER, "exact", None)
        assert (found.low, found.ratio, found.high) == (1.001, 1.001, 1.001)
        assert (found.beyond(0.0), found.beyond(0.01)) == (0.0, 1.0)
        assert compare([1000.0, 1000.0], [1000.0, 1000.0], exact=True).outcome is SAME
        # (raw - overhead) * scale / batch does not always round alike.
        assert compare([0.3], [0.1 * 3], exact=True).outcome is SAME


def test_equivalence_is_shown_and_not_assumed():
    rng = np.random.default_rng(15)
    tight = independent(rng, 0.003, 20, 20, between=0.0)
    assert compare_paired(*tight).equivalent
    assert compare_groups(*(side[:6] for side in tight)).equivalent
    wide = independent(rng, 0.1, 20, 20, between=0.0)
    found = compare_paired(*wide)
    assert (found.outcome, found.equivalent) == (SAME, False)
    far = independent(rng, 0.001, 20, 20, between=EQUIVALENT * 1.2)
    assert not compare_paired(*far).equivalent


def test_a_limit_is_tested_on_its_side():
    a, b = independent(np.random.default_rng(16), 0.005, 20, 20, between=0.03)
    for found in (compare_paired(a, b), compare_unpaired(a, b), compare_groups(a, b)):
        assert found.beyond(0.01) < 0.001
        assert found.beyond(0.05) > 0.999
        assert found.beyond(0.01, upwards=False) > 0.999


# Families


def test_adjusted_p_by_hand():
    p = [0.01, 0.04, 0.03, 0.005]
    assert holm(p) == pytest.approx([0.03, 0.06, 0.06, 0.02])
    assert benjamini_hochberg(p) == pytest.approx([0.02, 0.04, 0.04, 0.02])
    assert (holm([]), benjamini_hochberg([])) == ([], [])
    assert holm([0.9, 0.8]) == benjamini_hochberg([1.0, 1.0]) == [1.0, 1.0]


def test_adjusted_p_are_those_of_scipy():
    from scipy.stats import false_discovery_control

    p = np.random.default_rng(17).uniform(0, 1, 100) ** 3
    assert benjamini_hochberg(p) == pytest.approx(false_discovery_control(p))


def test_of_many_comparisons_few_are_called_by_chance():
    rng = np.random.default_rng(18)
    verdicts = [
        compare_groups(rng.lognormal(0, 0.01, 6), rng.lognormal(0, 0.01, 6)) for _ in range(500)
    ]
    assert sum(verdict.different for verdict in verdicts) > 0, "one threshold for all calls some"
    stand = judged(verdicts)
    assert not any(verdict.different for verdict in stand)
    fallen = next(new for old, new in zip(verdicts, stand, strict=True) if old.different)
    assert "with this many comparisons" in fallen.note
    real = [
        compare_groups(rng.lognormal(0, 0.01, 6), rng.lognormal(0.2, 0.01, 6)) for _ in range(20)
    ]
    stand = judged(verdicts + real)
    assert all(verdict.different for verdict in stand[500:])


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
    """Samples of one case in a run of its own: the machine is a little faster or slower
    throughout.
    """
    return (
        100 * ratio * np.exp(rng.normal(0, between) + _wander(rng, n, within, 0.8) + _noise(rng, n))
    )


@pytest.mark.parametrize("n", [8, 12, 40, 150])
def test_within_a_run_equals_are_rarely_called_different(n):
    rng = np.random.default_rng(100 + n)
    wrong = sum(compare_paired(*_one_run(rng, n)).different for _ in range(1000))
    # Nominal is 1 %; 2.5 % is five standard errors above it, and half of what is tolerable.
    assert wrong <= 25


@pytest.mark.parametrize("n", [8, 12, 40, 150])
def test_between_single_runs_equals_are_rarely_called_different(n):
    rng = np.random.default_rng(200 + n)
    pairs = ((_one_case(rng, n), _one_case(rng, n)) for _ in range(1000))
    assert sum(compare_unpaired(a, b).different for a, b in pairs) <= 15


def test_between_single_runs_a_margin_is_needed():
    rng = np.random.default_rng(300)
    pairs = [(_one_case(rng, 40), _one_case(rng, 40)) for _ in range(300)]
    without = sum(compare_unpaired(a, b, margin=0).different for a, b in pairs)
    with_margin = sum(compare_unpaired(a, b, margin=MARGIN_UNPAIRED).different for a, b in pairs)
    assert with_margin < 0.01 * 300 < without


@pytest.mark.parametrize("offset", [0.003, 0.01, 0.03])
def test_several_runs_a_side_need_none(offset):
    """Each run is faster or slower as a whole; the run is what counts, and its median its value."""
    rng = np.random.default_rng(int(1e4 * offset))

    def group(ratio=1.0):
        return [np.median(_one_case(rng, 20, ratio, between=offset)) for _ in range(5)]

    trials = 600
    assert sum(compare_groups(group(), group()).different for _ in range(trials)) <= 0.02 * trials
    if offset <= 0.01:
        # As many runs as a spread of 1 % needs for a slowdown of 5 %.
        assert sum(compare_groups(group(), group(1.05)).different for _ in range(200)) >= 0.9 * 200


def _in_turn(rng, runs, ratio, drift, spread=0.003):
    """Values of runs in turn, A B B A ..., on a machine that slows down steadily, and the place of
    each.
    """
    sides = [[], []], [[], []]
    for place in range(2 * runs):
        side = place % 2 if place // 2 % 2 == 0 else 1 - place % 2
        log = drift * place / (2 * runs) + rng.normal(0, spread) + (math.log(ratio) if side else 0)
        sides[0][side].append(math.exp(log))
        sides[1][side].append(float(place))
    return sides


@pytest.mark.parametrize("drift", [0.0, 0.03, -0.1])
def test_a_steady_drift_neither_hides_nor_makes_a_slowdown(drift):
    rng = np.random.default_rng(900)
    called = {1.0: 0, 1.03: 0}
    for ratio in called:
        for _ in range(300):
            (a, b), places = _in_turn(rng, 5, ratio, drift)
            called[ratio] += compare_groups(a, b, places=places).outcome is Outcome.HIGHER
    assert called[1.0] <= 0.025 * 300
    assert called[1.03] >= 0.95 * 300


def test_a_trend_is_fitted_as_by_hand():
    # Two a side and one more: level 0, difference 0.2, slope 0.1 a place, without any noise.
    places = ([0.0, 3.0, 4.0], [1.0, 2.0])
    a, b = ([math.exp(0.1 * at + 0.2 * side) for at in places[side]] for side in (0, 1))
    found = compare_groups(a, b, places=places)
    assert math.log(found.ratio) == pytest.approx(0.2)
    assert found.outcome is Outcome.HIGHER
    # Three units have nothing left to judge a slope by.
    assert (
        compare_groups(a[:2], b, places=(places[0][:2], places[1])).test
        == "Welch's t test of units"
    )


@pytest.mark.parametrize("memory", [0.5, 0.9])
@pytest.mark.parametrize("n", [40, 100])
def test_noise_with_a_memory_does_not_make_a_difference(memory, n):
    """The log ratios of pairs themselves hang together, as where two cases are not disturbed
    alike.
    """
    rng = np.random.default_rng(700 + n)
    wrong = sum(
        compare_paired(
            np.exp(_wander(rng, n, 0.01, memory)), np.exp(_wander(rng, n, 0.01, memory))
        ).different
        for _ in range(600)
    )
    # Without reckoning with it: an eighth of all at 0.5, more than half at 0.9.
    assert wrong <= 0.04 * 600


@pytest.mark.parametrize(("n", "power"), [(12, 0.8), (40, 0.95)])
def test_three_percent_within_a_run_are_found(n, power):
    rng = np.random.default_rng(400 + n)
    found = sum(
        compare_paired(*_one_run(rng, n, 1.03, 0.01)).outcome is Outcome.HIGHER for _ in range(300)
    )
    assert found >= power * 300


def test_five_percent_between_single_runs_are_found():
    rng = np.random.default_rng(500)
    pairs = ((_one_case(rng, 40), _one_case(rng, 40, 1.05)) for _ in range(300))
    found = sum(compare_unpaired(a, b).outcome is Outcome.HIGHER for a, b in pairs)
    # Samples that depend on each other, as these do, cost more than the margin.
    assert found >= 0.8 * 300


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
    assert geometric_mean([1 / 0.9, 1 / 1.3]).ratio == pytest.approx(
        1 / geometric_mean([0.9, 1.3]).ratio
    )
    assert geometric_mean([1.1]).low is None
    assert geometric_mean([]) is None


# Two libraries that sign with ECDSA on a machine whose clock was slower for some rounds, in ns,
# round by round.
QUICK = [
    22963,
    24077,
    23643,
    23518,
    23121,
    22456,
    22540,
    21996,
    22987,
    23541,
    23551,
    22946,
    23041,
    22234,
    23040,
    24484,
    23600,
]
SLOW = [
    706360,
    700463,
    703148,
    700376,
    696164,
    720852,
    741662,
    694776,
    708358,
    771292,
    758270,
    767181,
    768663,
    695392,
    711139,
    702038,
    715274,
]


def test_what_differs_thirtyfold_differs_though_the_samples_depend_on_each_other():
    found = compare_paired(QUICK, SLOW)
    assert found.inflation > len(QUICK) / 2
    assert (found.test, found.outcome) == ("t test with effective n", Outcome.HIGHER)
    assert 1 < found.low < found.ratio < found.high
    assert found.beyond(10.0) < 0.01 < found.beyond(40.0)
    family = [found, *(compare_paired(QUICK, QUICK) for _ in range(50))]
    assert judged(family)[0].different


@pytest.mark.parametrize(("n", "family"), [(6, 1), (8, 2), (12, 21), (20, 200)])
@pytest.mark.parametrize("compare", [compare_paired, compare_unpaired])
def test_a_tenfold_difference_is_found_in_every_family(compare, n, family):
    rng = np.random.default_rng(n)
    for _ in range(5):
        verdicts = [compare(rng.lognormal(0, 0.1, n), 10 * rng.lognormal(0, 0.1, n))]
        verdicts += [
            compare(rng.lognormal(0, 0.1, n), rng.lognormal(0, 0.1, n)) for _ in range(family - 1)
        ]
        assert judged(verdicts)[0].outcome is Outcome.HIGHER


def test_one_more_comparison_is_judged_as_among_all():
    source = np.random.default_rng(7)
    drawn = [source.lognormal(shift, 0.02, 14) for shift in (0.0, 0.0, 0.01, 0.02, 0.05, 0.3)]
    exact = compare_paired([3.0, 3.0], [3.0, 3.0], exact=True)
    family = [compare_paired(a, b) for a, b in itertools.combinations(drawn, 2)] + [exact]
    for place, verdict in enumerate(family):
        others = family[:place] + family[place + 1 :]
        assert judged_beside(verdict, others) == judged([*others, verdict])[-1]


def test_a_family_that_is_too_large_for_its_samples_says_how_many_it_needs():
    a, b = independent(np.random.default_rng(30), 0.01, 12, 12, between=0.1)
    equals = [
        compare_paired(*independent(np.random.default_rng(at), 0.01, 12, 12, between=0.0))
        for at in range(20)
    ]
    alone = compare_paired(a, b)
    assert alone.different
    found = judged([alone, *equals])
    # 21 x 2 / 2^12 is more than 1 %, 21 x 2 / 2^13 is not.
    assert {(verdict.outcome, verdict.needed) for verdict in found} == {(Outcome.TOO_FEW, 13)}
    assert "among 21 comparisons: 12 and 12, at least 13 are needed" in found[0].note
    assert judged([alone] * 21)[0].different, "differences that are many need fewer samples"


@pytest.mark.parametrize("noise", ["normal", "heavy", "outliers"])
@pytest.mark.parametrize("n", [8, 12, 20, 40])
def test_power_is_nearly_that_of_the_rank_test(noise, n):
    from scipy.stats import mannwhitneyu, wilcoxon

    rng = np.random.default_rng(n)
    draws, counts = 400, np.zeros(4)
    for _ in range(draws):
        x = rng.standard_t(2, (2, n)) if noise == "heavy" else rng.standard_normal((2, n))
        if noise == "outliers":
            x = x + np.where(rng.random((2, n)) < 0.1, rng.exponential(10, (2, n)), 0)
        a, b = np.exp(0.01 * x[0]), 1.03 * np.exp(0.01 * x[1])
        counts += [
            compare_paired(a, b).different,
            wilcoxon(np.log(b / a)).pvalue <= 0.01,
            compare_unpaired(a, b, margin=0.0).different,
            mannwhitneyu(np.log(b), np.log(a), method="exact").pvalue <= 0.01,
        ]
    ours, plain = counts[::2] / draws, counts[1::2] / draws
    # What 5 % of independent series are taken for can cost no more than 5 points, and chance two.
    assert (ours >= plain - 0.07).all()


def test_no_interval_is_given_that_says_nothing():
    rng = np.random.default_rng(32)
    wild = np.exp(np.cumsum(rng.normal(0, 2, 12)))
    found = compare_paired(np.ones(12), wild)
    assert (found.low, found.high, found.confidence) == (None, None, None)
    assert "no interval" in found.note
    assert not found.different


@pytest.mark.parametrize(
    ("kind", "n", "most"), [("pink", 100, 0.12), ("step", 100, 0.25), ("memory", 100, 0.02)]
)
def test_slow_noise_makes_few_differences(kind, n, most):
    """The remaining share is stated in docs/explain/statistics.md."""
    rng = np.random.default_rng(33)
    draws = [
        {"pink": _pink, "step": _step, "memory": lambda r, m: _wander(r, m, 1.0, 0.9)}[kind]
        for _ in range(300)
    ]
    wrong = sum(compare_paired(np.exp(0.01 * draw(rng, n)), np.ones(n)).different for draw in draws)
    assert wrong <= most * 300


def _pink(rng, n):
    """1 / f noise: a window of a record eight times as long."""
    frequencies = np.arange(1, 4 * n + 1)
    waves = rng.standard_normal((2, frequencies.size)) / np.sqrt(frequencies)
    record = np.fft.irfft(np.concatenate(([0.0], waves[0] + 1j * waves[1])), 8 * n)
    return record[:n] / record.std()


def _step(rng, n):
    """One change of level by three standard deviations, anywhere; the truth is the middle."""
    before = np.arange(n) < rng.integers(1, n)
    return rng.standard_normal(n) + rng.choice((-1, 1)) * np.where(before, 1.5, -1.5)


# Equivalence


def _single_runs(rng, ratio, spread, n=30):
    """Two single runs, each as a whole faster or slower."""
    return [
        np.exp(math.log(level) + rng.normal(0, spread) + rng.normal(0, 0.003, n))
        for level in (1.0, ratio)
    ]


def test_single_runs_show_no_equivalence_without_the_spread_of_runs():
    rng = np.random.default_rng(40)
    assert not any(compare_unpaired(*_single_runs(rng, 1.0, 0.0)).equivalent for _ in range(20))
    assert compare_groups([1.0, 1.001, 0.999, 1.0, 1.001], [1.001, 1.0, 1.0, 0.999, 1.0]).equivalent
    assert not compare_groups(
        [1.0, 1.001, 0.999, 1.0], [1.001, 1.0, 1.0, 0.999], margin=0.02
    ).equivalent


@pytest.mark.parametrize("spread", [0.002, 0.004, 0.01])
def test_at_the_border_at_most_one_in_a_hundred_is_called_equivalent(spread):
    rng = np.random.default_rng(41)
    degrees, draws, called = 8, 600, {1.0: 0, 1 + EQUIVALENT: 0, 1.03: 0}
    for ratio in called:
        for _ in range(draws):
            estimated = math.sqrt(2) * spread * math.sqrt(rng.chisquare(degrees) / degrees)
            verdict = compare_unpaired(
                *_single_runs(rng, ratio, spread), between=Between(estimated, degrees)
            )
            called[ratio] += verdict.equivalent
    assert called[1 + EQUIVALENT] <= 0.01 * draws + 3 * math.sqrt(0.01 * draws)
    assert called[1.03] <= 0.01 * draws
    if spread == 0.002:
        assert called[1.0] >= 0.9 * draws


def test_equivalence_is_adjusted_in_the_family():
    rng = np.random.default_rng(42)
    wide = [compare_paired(*np.exp(0.01 * rng.standard_normal((2, 12)))) for _ in range(40)]
    near = max(
        (verdict for verdict in wide if verdict.equivalent),
        key=lambda verdict: verdict.p_equivalent,
    )
    apart = [
        compare_paired(np.ones(12), 1.1 * np.exp(0.01 * rng.standard_normal(12)))
        for _ in range(200)
    ]
    assert judged([near])[0].equivalent
    assert not judged([near, *apart])[0].equivalent
    border = [
        compare_paired(*np.exp([rng.normal(0, 0.004, 20), rng.normal(math.log(1.02), 0.004, 20)]))
        for _ in range(300)
    ]
    assert not any(verdict.equivalent for verdict in judged(border))


def test_what_moves_all_samples_alike_can_be_given():
    a, b = independent(np.random.default_rng(43), 0.003, 20, 20, between=0.03)
    assert compare_paired(a, b).different
    known = compare_paired(a, b, between=Between(0.02, 8))
    assert not known.different
    assert known.low < 1 < known.high


@pytest.mark.parametrize("family", [1, 2, 20, 21, 100, 1000])
def test_pairs_of_a_family_are_the_fewest_with_which_one_difference_can_be_called(family):
    needed = pairs_for(family)
    equal = [compare_paired([100.0, 101.0] * 10, [101.0, 100.0] * 10)] * (family - 1)
    for pairs, called in ((needed, True), (needed - 1, False)):
        # Slower in every pair, by too little for the test of gross differences.
        slower = [
            100.2 + 0.01 * (-1) ** number + 0.001 * (number * number % 5) for number in range(pairs)
        ]
        alone = compare_paired([100.0] * pairs, slower)
        assert alone.inflation == 1
        assert judged([alone, *equal])[0].different is called


def test_bounds_of_a_ratio_are_what_the_test_does_not_reject_and_few_samples_have_them() -> None:
    a, b = [1.0, 1.01, 0.99, 1.02, 0.98, 1.0, 1.03], [20.0, 20.3, 19.7, 20.5, 19.6, 20.1, 20.2]
    verdict = compare_paired(a, b)
    assert verdict.shift is not None
    low, high = verdict.bounds(1e-4)
    assert low is not None
    assert high is not None
    assert 1 < low < 20 < high
    assert (
        verdict.shift.above(math.log(low) - 1e-3)
        <= 5e-5
        < verdict.shift.above(math.log(low) + 1e-3)
    )
    assert (
        verdict.shift.below(math.log(high) + 1e-3)
        <= 5e-5
        < verdict.shift.below(math.log(high) - 1e-3)
    )
    wider = verdict.bounds(1e-6)
    assert wider[0] is not None
    assert 1 < wider[0] < low


def test_bounds_of_exact_numbers_are_the_ratio_and_of_too_few_are_nowhere() -> None:
    assert compare_paired([2.0, 2.0], [3.0, 3.0], exact=True).bounds(0.01) == (1.5, 1.5)
    assert compare_paired([1.0], [2.0]).bounds(0.01) == (None, None)


def _correlated(rng, n):
    """Logarithms of times with a correlation of 0.9 from one to the next."""
    out = np.empty(n)
    out[0] = rng.standard_normal()
    for at in range(1, n):
        out[at] = 0.9 * out[at - 1] + math.sqrt(1 - 0.81) * rng.standard_normal()
    return np.exp(0.01 * out)


@pytest.mark.parametrize("n", [8, 12, 20, 40])
def test_equal_code_is_called_different_no_more_often_than_is_said_of_dependent_samples(n):
    rng, draws = np.random.default_rng([8, n]), 250
    for compared in (compare_paired, lambda a, b: compare_unpaired(a, b, margin=0.0)):
        verdicts = [compared(_correlated(rng, n), _correlated(rng, n)) for _ in range(draws)]
        said = min(
            verdict.confidence_dependent
            for verdict in verdicts
            if verdict.confidence_dependent is not None
        )
        wrong = sum(verdict.different for verdict in verdicts) / draws
        assert wrong <= 1 - said + 3 * math.sqrt(said * (1 - said) / draws)


def test_units_are_independent_and_exact_numbers_are_sure():
    assert compare_groups([100.0, 101.0, 102.0], [110.0, 111.0, 112.5]).confidence_dependent is None
    assert compare_paired([5.0, 5.0], [6.0, 6.0], exact=True).confidence_dependent == 1.0


def test_what_is_not_distinguishable_keeps_its_note_in_a_family():
    source = np.random.default_rng(4)
    equal, other = (compare_paired(*source.lognormal(0, 0.1, (2, 30))) for _ in range(2))
    assert not equal.different
    assert judged([equal, other])[0].note == equal.note


def test_the_error_of_a_trend_that_is_taken_off_is_that_of_least_squares():
    source = np.random.default_rng(9)
    places = (np.arange(0.0, 14.0, 2), np.arange(1.0, 11.0, 2))
    a, b = (0.05 * at + source.normal(0, 0.01, at.size) for at in places)
    place = np.concatenate(places)
    side = np.repeat((0.0, 1.0), (a.size, b.size))
    model = np.column_stack((np.ones(place.size), side, place))
    values = np.concatenate((a, b))
    fitted, left, *_ = np.linalg.lstsq(model, values)
    freedom = values.size - 3
    error = np.sqrt(left[0] / freedom * np.linalg.inv(model.T @ model)[1, 1])
    shift = units(a, b, places)
    assert shift.estimate == pytest.approx(fitted[1])
    assert shift.above(0.0) == pytest.approx(stats.t.sf(fitted[1] / error, freedom))
    level, _, slope = fitted
    for kept, at, logs in zip(without_trend(a, b, places), places, (a, b), strict=True):
        assert kept == pytest.approx(logs - slope * (at - place.mean())), level
