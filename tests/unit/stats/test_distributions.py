"""Distribution functions: those of scipy over wide ranges, and closed or exact forms where scipy
rounds.
"""

from __future__ import annotations

import math
from decimal import Decimal, getcontext
from fractions import Fraction
from itertools import product

import pytest
from scipy import integrate, special, stats

from motebench.stats.distributions import (
    binomial_cdf,
    binomial_quantile,
    f_quantile,
    gamma_tails,
    hypergeometric_tails,
    noncentral_student_tail,
    normal_cdf,
    normal_quantile,
    student_cdf,
    student_quantile,
)

NAN, INF = math.nan, math.inf
FREEDOM = (0.5, 1, 1.5, 2, 2.7, 3, 4, 5, 7.3, 10, 29, 31.5, 99, 333.3, 1e3, 1e4, 1e6, 1e8)
VALUES = (
    1e-5,
    0.01,
    0.3,
    0.7,
    1,
    1.2,
    1.5,
    1.732,
    2,
    2.5,
    3,
    5,
    7,
    10,
    15,
    20,
    30,
    37,
    50,
    100,
    1e3,
    1e6,
    1e20,
)
TAILS = (1e-300, 1e-200, 1e-100, 1e-30, 1e-15, 1e-10, 1e-5, 0.001, 0.005, 0.01, 0.025, 0.1, 0.3)
SHARES = (*TAILS, 0.7, 0.9, 0.975, 0.99, 0.995, 0.999, 1 - 1e-9, 1 - 1e-15)


def close(value: float, tolerance: float = 1e-10):
    return pytest.approx(value, rel=tolerance, abs=1e-300)


@pytest.mark.parametrize("freedom", FREEDOM)
def test_students_distribution_is_that_of_scipy_on_both_sides(freedom):
    for value in VALUES:
        assert student_cdf(freedom, -value) == close(special.stdtr(freedom, -value)), value
        assert student_cdf(freedom, value) == close(special.stdtr(freedom, value)), value


@pytest.mark.parametrize("value", [1e-12, 1e-9, *VALUES, 1e60, 1e100, 1e140])
def test_students_tail_of_one_and_two_degrees_is_the_closed_form(value):
    assert student_cdf(1, -value) == close(math.atan2(1, value) / math.pi, 1e-13)
    root = math.hypot(math.sqrt(2), value)
    assert student_cdf(2, -value) == close((1 / root) * (1 / (root + value)), 1e-13)


@pytest.mark.parametrize("freedom", FREEDOM)
def test_students_quantiles_are_those_of_scipy(freedom):
    assert len(SHARES[3:]) >= 5
    for share in SHARES[3:]:
        assert student_quantile(freedom, share) == close(special.stdtrit(freedom, share)), share
    # Stdtrit gives infinity and other wrong values there
    for share in TAILS[:3] if freedom > 2 else ():
        assert special.stdtr(freedom, student_quantile(freedom, share)) == close(share), share


@pytest.mark.parametrize("inside", [1e-16, 1e-12, 1e-6, 0.001])
def test_students_quantiles_next_to_the_middle_are_those_of_the_closed_form(inside):
    share = 0.5 + inside
    assert student_quantile(1, share) == close(math.tan(math.pi * (share - 0.5)), 1e-13)
    half = 2 * share - 1
    assert student_quantile(2, share) == close(half * math.sqrt(2 / (1 - half**2)), 1e-13)
    assert student_quantile(2, 1 - share) == close(-half * math.sqrt(2 / (1 - half**2)), 1e-9)


def test_infinite_freedom_is_the_normal_distribution():
    assert student_cdf(INF, -3.0) == normal_cdf(-3.0) and student_quantile(
        INF, 0.99
    ) == normal_quantile(0.99)
    assert student_cdf(1e15, -3.0) == close(normal_cdf(-3.0))
    assert noncentral_student_tail(INF, 2.0, 3.0) == normal_cdf(-1.0)


@pytest.mark.parametrize("share", [*SHARES, 0.49, 0.5])
def test_the_normal_distribution_is_that_of_scipy(share):
    value = float(special.ndtri(share))
    assert normal_quantile(share) == pytest.approx(value, rel=1e-13, abs=1e-300)
    assert normal_cdf(value) == close(special.ndtr(value))


@pytest.mark.parametrize("numerator", [1, 2, 3, 7, 15, 31.5, 100, 1e4])
def test_quantiles_of_f_are_those_of_scipy(numerator):
    assert len(SHARES[3:]) >= 5
    for denominator, share in product((1, 2, 3, 9, 15, 40, 400, 1e4), SHARES[3:]):
        value = f_quantile(numerator, denominator, share)
        if share < 0.5:
            assert special.fdtr(numerator, denominator, value) == close(share, 1e-9), (
                denominator,
                share,
            )
        else:
            assert special.fdtrc(numerator, denominator, value) == close(1 - share, 1e-9), (
                denominator,
                share,
            )


@pytest.mark.parametrize("freedom", [1, 2, 3, 4, 6.5, 10, 18, 38, 98, 400, 1998])
def test_the_noncentral_t_is_that_of_scipy(freedom):
    for centre, value in product(
        (0, 1e-3, 0.1, 0.5, 1, 2, 3, 5, 8, 12, 20, 30, 40), (0, 1e-3, 0.5, 1, 2.5, 5, 10, 31.8, 64)
    ):
        expected = float(stats.nct.sf(value, freedom, centre))
        if expected > 1e-12:  # scipy subtracts from 1
            assert noncentral_student_tail(freedom, centre, value) == pytest.approx(
                expected, rel=1e-10, abs=1e-14
            )


@pytest.mark.parametrize(
    ("freedom", "centre", "value"),
    [(3, 2, 40), (18, 3, 2.55), (98, 30, 60), (998, 3, 12), (4, 70, 3.7)],
)
def test_the_noncentral_t_is_what_its_definition_integrates_to(freedom, centre, value):
    def above(root: float) -> float:
        return special.ndtr(centre - value * root) * stats.chi.pdf(
            root * math.sqrt(freedom), freedom
        )

    whole, _ = integrate.quad(
        above, 0, 1 + 40 / math.sqrt(freedom), epsrel=1e-12, epsabs=0, limit=500
    )
    assert noncentral_student_tail(freedom, centre, value) == close(
        whole * math.sqrt(freedom), 1e-9
    )


@pytest.mark.parametrize("n", [1, 2, 7, 50, 1001, 2000])
def test_the_binomial_is_counted(n):
    below, counts = 0, {}
    for count in range(n + 1):
        below += math.comb(n, count)
        counts[count] = Fraction(below, 2**n)
    for count in {0, n // 9, n // 3, n // 2 - 1, n // 2, n // 2 + 9, n - 1, n} & counts.keys():
        assert binomial_cdf(n, count) == close(float(counts[count]), 1e-12)
    for share in (1e-9, 0.005, 0.025, 0.1, 0.6, 0.975):
        assert binomial_quantile(n, share) == min(
            count for count in counts if counts[count] >= Fraction(share)
        )
    assert (binomial_cdf(n, -1), binomial_cdf(n, n)) == (0, 1)


@pytest.mark.parametrize("n", [10_007, 100_000, 1_000_000])
def test_the_binomial_of_many_is_that_of_scipy(n):
    for share in (0.005, 0.025):
        count = binomial_quantile(n, share)
        assert count == stats.binom.ppf(share, n, 0.5)
        assert binomial_cdf(n, count) == close(stats.binom.cdf(count, n, 0.5))


DRAWS = [
    (total, int(total * share), int(total * part))
    for total in (60, 300, 2000)
    for share in (0.2, 0.5, 0.99)
    for part in (0.1, 0.5, 0.85)
]


@pytest.mark.parametrize(("total", "marked", "drawn"), DRAWS)
def test_the_hypergeometric_is_counted(total, marked, drawn):
    least, most = max(0, drawn + marked - total), min(drawn, marked)
    ways = {
        k: math.comb(marked, k) * math.comb(total - marked, drawn - k)
        for k in range(least, most + 1)
    }
    whole = math.comb(total, drawn)
    counts = {
        least,
        least + 1,
        marked * drawn // total,
        marked * drawn // total + 3,
        most - 1,
        most,
    } & ways.keys()
    assert counts >= {least, most}
    for count in counts:
        low, high = hypergeometric_tails(total, marked, drawn, count)
        assert low == close(float(Fraction(sum(ways[k] for k in ways if k <= count), whole)), 1e-11)
        assert high == close(
            float(Fraction(sum(ways[k] for k in ways if k >= count), whole)), 1e-11
        )


def test_the_hypergeometric_of_many_is_that_of_scipy():
    for shift in (-900, -300, -40, 0, 40, 300, 900):
        low, high = hypergeometric_tails(200_000, 190_000, 100_000, 95_000 + shift)
        assert low == pytest.approx(
            stats.hypergeom.cdf(95_000 + shift, 200_000, 190_000, 100_000), rel=1e-8
        )
        assert high == pytest.approx(
            stats.hypergeom.sf(94_999 + shift, 200_000, 190_000, 100_000), rel=1e-8
        )


def test_draws_that_leave_no_choice_are_certain():
    assert hypergeometric_tails(40, 40, 20, 20) == (1, 1) == hypergeometric_tails(40, 13, 40, 13)
    assert hypergeometric_tails(40, 0, 20, 0) == (1, 1)
    assert hypergeometric_tails(40, 30, 20, 9) == (0, 1) and hypergeometric_tails(
        40, 10, 20, 11
    ) == (1, 0)


@pytest.mark.parametrize("shape", [0.01, 0.5, 1, 3.3, 10, 44, 100])
def test_the_gamma_distribution_is_that_of_scipy(shape):
    for z in (-5, -2, -1, 0, 0.5, 1, 3, 6, 20, 35):
        value = shape + z * math.sqrt(shape)
        if value > 0:
            below, above = gamma_tails(shape, value)
            assert below == close(special.gammainc(shape, value)) and above == close(
                special.gammaincc(shape, value)
            )


@pytest.mark.parametrize(
    ("shape", "value"),
    [(10_000, 9_700), (10_000, 10_400), (4_000_000, 3_990_000), (4_000_000, 4_006_000)],
)
def test_the_gamma_distribution_of_a_large_shape_is_that_of_long_decimals(shape, value):
    getcontext().prec = 60
    a, x = Decimal(shape), Decimal(value)
    two_pi = Decimal("6.28318530717958647692528676655900576839433879875021164194989")
    log_factorial = (a + Decimal("0.5")) * a.ln() - a + two_pi.ln() / 2
    log_factorial += 1 / (12 * a) - 1 / (360 * a**3) + 1 / (1260 * a**5) - 1 / (1680 * a**7)
    term = whole = Decimal(1)
    at = shape
    while term > whole * Decimal("1e-30"):
        at += 1
        term *= x / at
        whole += term
    below = (a * x.ln() - x - log_factorial).exp() * whole
    assert gamma_tails(shape, float(value)) == (
        close(float(below), 1e-11),
        close(float(1 - below), 1e-11),
    )


def test_what_is_no_number_stays_none():
    for value in (
        student_cdf(NAN, 1.0),
        student_cdf(3, NAN),
        student_quantile(NAN, 0.9),
        student_quantile(3, NAN),
        student_quantile(3, 1.1),
        normal_cdf(NAN),
        normal_quantile(-0.1),
        f_quantile(NAN, 3, 0.9),
        f_quantile(2, 3, 2.0),
        noncentral_student_tail(NAN, 1, 1),
        noncentral_student_tail(3, NAN, 1),
        *gamma_tails(NAN, 1.0),
    ):
        assert math.isnan(value)


def test_the_ends_are_those_of_the_distribution():
    assert (student_cdf(3, -INF), student_cdf(3, 0.0), student_cdf(3, INF)) == (0, 0.5, 1)
    assert (student_quantile(3, 0.0), student_quantile(3, 0.5), student_quantile(3, 1.0)) == (
        -INF,
        0,
        INF,
    )
    assert (normal_quantile(0.0), normal_quantile(1.0)) == (-INF, INF)
    assert (f_quantile(2, 3, 0.0), f_quantile(2, 3, 1.0)) == (0, INF)
    assert gamma_tails(3, 0.0) == (0, 1) and gamma_tails(3, INF) == (1, 0)
    assert noncentral_student_tail(3, 1.0, INF) == 0
    assert noncentral_student_tail(3, 1.0, 0.0) == normal_cdf(1.0)


@pytest.mark.parametrize(("centre", "value"), [(-1.0, 1.0), (1.0, -1.0), (INF, 1.0)])
def test_the_noncentral_t_refuses_what_it_cannot_compute(centre, value):
    with pytest.raises(ValueError, match="at least 0"):
        noncentral_student_tail(3, centre, value)
