"""Distribution functions of the tests and intervals, in plain floats.

Those that rest on the beta and gamma functions have two parts, each accurate for tails down to
1e-300:

- A *kernel*, x^a (1 - x)^b / B(a, b) or x^a exp(-x) / Gamma(a + 1), by Loader's saddle-point form
  (C. Loader, *Fast and Accurate Computation of Binomial Probabilities*, 2000): no difference of
  large logarithms of the gamma function.
- The share on the smaller side: kernel times a continued fraction or series. Beta: DiDonato and
  Morris, Algorithm 708, ACM Transactions on Mathematical Software 18 (1992) 360-373, equation 9.
  Gamma: *NIST Digital Library of Mathematical Functions*, 8.7.1 and 8.9.2. Fractions by Lentz's
  method as modified by Thompson and Barnett, Journal of Computational Physics 64 (1986) 490-509.

Shares of the beta distribution are logarithms, and its argument is u = ln(x / (1 - x)): neither end
is rounded away, and both shares are log-concave in u, so that Newton's method finds every quantile.

An argument that is NaN gives NaN, and so does a share outside 0 to 1. ``freedom`` is greater than
0; infinite is the normal distribution. ``tests/unit/stats/test_distributions.py`` compares all with
scipy and with closed forms.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Iterable, Iterator
from functools import lru_cache
from statistics import NormalDist

_EPSILON = 2.0**-52
_TINY = 1e-300
"""Substitute for a denominator of 0 in a continued fraction."""
_MOST_TERMS = 1_000_000
_MOST_STEPS = 500
_NEAR = 1e-9
"""A step of Newton's method below which the next one would be lost in rounding: it converges
quadratically.
"""
_STIRLING_FROM = 15.0
_HALF_LOG_TWO_PI = 0.5 * math.log(2 * math.pi)
_FAR = 30.0
"""Limit of |u| from which x or 1 - x is lost in rounding beside 1."""
_STEEP = 50.0
"""Longest step of Newton's method."""
_LOST = -650.0
"""Terms of a mixture whose shares have smaller logarithms do not count."""
_OVERFLOW = math.log(sys.float_info.max)
_NORMAL = NormalDist()


def normal_cdf(value: float) -> float:
    """P(Z <= value)."""
    return 0.5 * math.erfc(-value / math.sqrt(2))


def normal_quantile(share: float) -> float:
    """The value below which that share lies."""
    return _NORMAL.inv_cdf(share) if 0 < share < 1 else _end(share)


def student_cdf(freedom: float, value: float) -> float:
    """P(T <= value) of Student's t."""
    tail = _student_tail(freedom, abs(value))
    return tail if value < 0 else 1 - tail


@lru_cache(maxsize=4096)
def student_quantile(freedom: float, share: float) -> float:
    """The value of Student's t below which that share lies."""
    if math.isnan(freedom) or not 0 < share < 1:
        return math.nan if math.isnan(freedom) else _end(share)
    if math.isinf(freedom):
        return normal_quantile(share)
    above, inside = min(share, 1 - share), abs(2 * share - 1)
    if inside == 0:
        return 0.0
    # T^2 / freedom are the odds of a beta variable.
    start = 2 * math.log(abs(normal_quantile(above))) - math.log(freedom)
    odds = _beta_quantile(0.5, freedom / 2, (inside, 2 * above), start)
    return math.copysign(_exp((odds + math.log(freedom)) / 2), share - 0.5)


@lru_cache(maxsize=256)
def f_quantile(numerator: float, denominator: float, share: float) -> float:
    """The value of F with these degrees of freedom, both finite, below which that share lies."""
    if math.isnan(numerator + denominator) or not 0 < share < 1:
        return math.nan if math.isnan(numerator + denominator) else max(_end(share), 0.0)
    a, b = numerator / 2, denominator / 2
    odds = _beta_quantile(a, b, (share, 1 - share), math.log(a / b))
    return _exp(odds) * denominator / numerator


def noncentral_student_tail(freedom: float, centre: float, value: float) -> float:
    """P(T > value) of the noncentral t; ``centre`` and ``value`` are at least 0, ``centre`` is
    finite.

    A mixture of beta distributions, with Poisson weights at whole and half numbers: R. V. Lenth,
    Algorithm AS 243, Applied Statistics 38 (1989) 185-189. Only terms that count are added up, as
    in Benton and Krishnamoorthy, Computational Statistics & Data Analysis 43 (2003) 249-267, but
    from the lowest: then all are positive, and nothing cancels.
    """
    if math.isnan(freedom + centre + value):
        return math.nan
    if not 0 <= centre < math.inf or value < 0:
        raise ValueError("noncentral t: centre and value must be at least 0, and the centre finite")
    if math.isinf(freedom) or value in (0, math.inf):
        return normal_cdf(centre - value)
    rate = centre * centre / 2
    if rate == 0:
        return _student_tail(freedom, value)
    odds = 2 * math.log(value) - math.log(freedom)
    first = max(0, math.floor(rate - 12 * math.sqrt(rate) - 10))
    while _log_beta(first + 0.5, freedom / 2, odds)[1] < _LOST:
        first += 1 + math.floor(math.sqrt(rate))
    return (_mixture(freedom, odds, rate, first) + _mixture(freedom, odds, rate, first + 0.5)) / 2


def binomial_cdf(n: int, count: int) -> float:
    """P(X <= count) of a binomial distribution with chances of 1/2."""
    if not 0 <= count < n:
        return 0.0 if count < 0 else 1.0
    return math.exp(_log_beta(n - count, count + 1, 0.0)[0])


def binomial_quantile(n: int, share: float) -> int:
    """The smallest count with P(X <= count) of at least ``share``, which lies between 0 and 1."""
    count = min(max(0, round((n - 1 + normal_quantile(share) * math.sqrt(n)) / 2)), n)
    while binomial_cdf(n, count) < share:
        count += 1
    while count and binomial_cdf(n, count - 1) >= share:
        count -= 1
    return count


def hypergeometric_tails(total: int, marked: int, drawn: int, count: int) -> tuple[float, float]:
    """P(X <= count) and P(X >= count) of the number of marked ones among those drawn, not put back.

    Point probabilities by Loader's form; their ratios give the tail on the lighter side.
    """
    least, most = max(0, drawn + marked - total), min(drawn, marked)
    if not least <= count <= most:
        return (0.0, 1.0) if count < least else (1.0, 0.0)
    chance = drawn / total
    point = math.exp(
        _log_binomial(marked, count, chance)
        + _log_binomial(total - marked, drawn - count, chance)
        - _log_binomial(total, drawn, chance)
    )
    low = count * total <= marked * drawn
    part, term = 1.0, 1.0
    for at in range(count, least, -1) if low else range(count, most):
        if low:
            term *= at * (total - marked - drawn + at) / ((marked - at + 1) * (drawn - at + 1))
        else:
            term *= (marked - at) * (drawn - at) / ((at + 1) * (total - marked - drawn + at + 1))
        part += term
        if term < _EPSILON / 16 * part:
            break
    tail = min(point * part, 1.0)
    rest = min(1 - tail + point, 1.0)
    return (tail, rest) if low else (rest, tail)


def gamma_tails(shape: float, value: float) -> tuple[float, float]:
    """P(G <= value) and P(G > value) of the gamma distribution of that shape and scale 1."""
    if math.isnan(shape + value):
        return math.nan, math.nan
    if value <= 0 or math.isinf(value):
        return (0.0, 1.0) if value <= 0 else (1.0, 0.0)
    kernel = math.exp(_log_poisson(shape, value))
    if value < shape + 1:
        part, term, at = 1.0, 1.0, shape
        while term > _EPSILON / 16 * part:
            at += 1
            term *= value / at
            part += term
        below = min(kernel * part, 1.0)
        return below, 1 - below
    terms = ((-n * (n - shape), value + 2 * n + 1 - shape) for n in range(1, _MOST_TERMS))
    fraction = _fraction(value + 1 - shape, terms)
    above = min(kernel * shape / fraction, 1.0)
    return 1 - above, above


def _exp(value: float) -> float:
    return math.exp(value) if value < _OVERFLOW else math.inf


def _end(share: float) -> float:
    """The quantile of a share that is not between 0 and 1."""
    return {0.0: -math.inf, 1.0: math.inf}.get(share, math.nan)


def _student_tail(freedom: float, value: float) -> float:
    """P(T > value), value at least 0."""
    if math.isinf(freedom) or value in (0, math.inf):
        return normal_cdf(-value)
    if math.isnan(freedom + value):
        return math.nan
    return math.exp(_log_beta(0.5, freedom / 2, 2 * math.log(value) - math.log(freedom))[1]) / 2


def _mixture(freedom: float, odds: float, rate: float, first: float) -> float:
    """The sum over first, first + 1, ... of the Poisson weight there times the share above of the
    beta variable.
    """
    b = freedom / 2
    x = _logistic(odds)
    weight = math.exp(_log_poisson(first, rate))
    _, above, kernel = _log_beta(first + 0.5, b, odds)
    share, step = math.exp(above), math.exp(kernel) / (first + 0.5)
    whole, at = 0.0, first
    while True:
        term = weight * share
        whole += term
        if at > rate and term <= _EPSILON / 16 * whole:
            return whole
        # The share above of (a + 1, b) is that of (a, b) and x^a (1 - x)^b / (a B(a, b)): DLMF
        # 8.17.20.
        share += step
        step *= x * (at + 0.5 + b) / (at + 1.5)
        at += 1
        weight *= rate / at


def _beta_quantile(a: float, b: float, shares: tuple[float, float], start: float) -> float:
    """The odds u of the beta distribution with these shares below and above, by Newton's method on
    the logarithm of the smaller one, a concave function."""
    below = shares[0] <= shares[1]
    target, sign = math.log(min(shares)), 1 if below else -1
    odds = start
    for _ in range(_MOST_STEPS):
        lower, upper, kernel = _log_beta(a, b, odds)
        share = lower if below else upper
        step = sign * (share - target) / max(math.exp(kernel - share), _TINY)
        odds -= max(-_STEEP, min(step, _STEEP))
        if abs(step) < _NEAR:
            break
    return odds


def _log_beta(a: float, b: float, odds: float) -> tuple[float, float, float]:
    """Logarithms of the shares below and above ``odds``, and of the kernel."""
    x, y = _logistic(odds), _logistic(-odds)
    kernel = _log_beta_kernel(a, b, odds)
    if a * y >= b * x:
        lower = kernel - math.log(_beta_fraction(a, b, x, y))
        return lower, _log_rest(lower), kernel
    upper = kernel - math.log(_beta_fraction(b, a, y, x))
    return _log_rest(upper), upper, kernel


def _logistic(odds: float) -> float:
    """x of u = ln(x / (1 - x))."""
    if odds >= 0:
        return 1 / (1 + math.exp(-odds))
    return math.exp(odds) / (1 + math.exp(odds)) if odds > -700 else 0.0


def _log_logistic(odds: float) -> float:
    return min(odds, 0.0) - math.log1p(math.exp(-abs(odds)))


def _log_rest(log_share: float) -> float:
    return math.log(-math.expm1(log_share)) if log_share < 0 else -math.inf


def _log_beta_kernel(a: float, b: float, odds: float) -> float:
    """ln(x^a (1 - x)^b / B(a, b))."""
    n = a + b
    constant, small, large = _log_beta_constants(a, b)
    if abs(odds) < _FAR:
        return constant - _deviance(a, n * _logistic(odds)) - _deviance(b, n * _logistic(-odds))
    # One of the deviances would be infinite.
    log_beta = small * math.log(n / small) + large * math.log1p(small / large)
    return constant + log_beta + a * _log_logistic(odds) + b * _log_logistic(-odds)


@lru_cache(maxsize=512)
def _log_beta_constants(a: float, b: float) -> tuple[float, float, float]:
    """Part of the kernel that does not depend on x, and the smaller and the larger of both
    parameters.
    """
    small, large = min(a, b), max(a, b)
    root = 0.5 * (math.log(small) - math.log1p(small / large)) - _HALF_LOG_TWO_PI
    return root + _stirling_error(a + b) - _stirling_error(a) - _stirling_error(b), small, large


def _beta_fraction(a: float, b: float, x: float, y: float) -> float:
    """The kernel divided by the share below x; x is at most a / (a + b), and y is 1 - x."""
    ahead = a * y - b * x + 1

    def terms() -> Iterator[tuple[float, float]]:
        for n in range(1, _MOST_TERMS):
            within = a + 2 * n - 1
            partial = n * (b - n) * x / within
            yield (
                (a + n - 1) * (a + b + n - 1) / within * partial * x,
                n + partial + (a + n) / (within + 2) * (ahead + n * (1 + y)),
            )

    return _fraction(a / (a + 1) * ahead, terms())


def _fraction(first: float, terms: Iterable[tuple[float, float]]) -> float:
    """first + n1/(d1 + n2/(d2 + ...)), where ``terms`` are pairs of a numerator and its
    denominator.
    """
    value = first or _TINY
    ratio, inverse = value, 0.0
    for numerator, denominator in terms:
        inverse = 1 / ((denominator + numerator * inverse) or _TINY)
        ratio = (denominator + numerator / ratio) or _TINY
        change = ratio * inverse
        value *= change
        if abs(change - 1) <= _EPSILON:
            return value
    raise ArithmeticError("a continued fraction does not converge")


def _log_poisson(count: float, mean: float) -> float:
    """ln(mean^count exp(-mean) / Gamma(count + 1))."""
    if count == 0:
        return -mean
    return (
        -_stirling_error(count) - _deviance(count, mean) - _HALF_LOG_TWO_PI - 0.5 * math.log(count)
    )


def _log_binomial(n: int, count: int, chance: float) -> float:
    """The logarithm of the probability of ``count`` of ``n``."""
    if count == 0:
        return n * math.log1p(-chance) if n else 0.0
    if count == n:
        return n * math.log(chance)
    rest = n - count
    deviances = _deviance(count, n * chance) + _deviance(rest, n * (1 - chance))
    errors = _stirling_error(n) - _stirling_error(count) - _stirling_error(rest)
    return errors - deviances - _HALF_LOG_TWO_PI - 0.5 * math.log(count * (rest / n))


def _deviance(x: float, mean: float) -> float:
    """x ln(x / mean) + mean - x, which is never negative."""
    if abs(x - mean) >= 0.1 * (x + mean):
        return x * math.log(x / mean) + mean - x
    v = (x - mean) / (x + mean)
    whole, power = (x - mean) * v, 2 * x * v
    for odd in range(3, 1000, 2):
        power *= v * v
        longer = whole + power / odd
        if longer == whole:
            break
        whole = longer
    return whole


def _stirling_error(z: float) -> float:
    """ln Gamma(z + 1) less Stirling's formula for it."""
    if z < _STIRLING_FROM:
        return math.lgamma(z + 1) - (z + 0.5) * math.log(z) + z - _HALF_LOG_TWO_PI
    square = z * z
    return (
        1 / 12 - (1 / 360 - (1 / 1260 - (1 / 1680 - 1 / 1188 / square) / square) / square) / square
    ) / z
