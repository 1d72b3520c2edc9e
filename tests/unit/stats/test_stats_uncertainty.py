"""Types A and B by hand, and how often the interval covers the truth of instruments whose errors
are known.
"""

from __future__ import annotations

import math

import numpy as np
import pytest

from motebench.stats.uncertainty import combine, expanded


def test_by_hand():
    """1, 2, 3: s = 1, type A 1/sqrt(3), t of 2 degrees of freedom 4.302653; type B 0.5 and
    1.959964: sqrt(2.484137^2 + 0.979982^2) = 2.670450."""
    found = expanded([1.0, 2.0, 3.0], 0.5)
    assert (found.mean, found.type_b) == (2.0, 0.5)
    assert found.type_a == pytest.approx(1 / math.sqrt(3))
    assert found.standard == pytest.approx(math.sqrt(1 / 3 + 1 / 4))
    assert (found.high - 2, 2 - found.low) == (pytest.approx(2.670450, rel=1e-6),) * 2
    assert str(found) == "type A 28.87% x 4.3, type B 25.00% x 1.96, in quadrature"


def test_without_type_b_it_is_student_s_interval():
    """0 to 9 in an order that says nothing: s = 3.027650, t of 9 degrees of freedom 2.262157."""
    found = expanded([3.0, 9.0, 1.0, 7.0, 0.0, 5.0, 8.0, 2.0, 6.0, 4.0], 0.0)
    assert found.high - 4.5 == pytest.approx(2.262157 * 3.027650 / math.sqrt(10), rel=1e-6)


def test_batches_that_drift_are_worth_less():
    """0 to 9 in order: each depends on the one before, so type A is larger than s / sqrt(n)."""
    drifting = expanded([float(number) for number in range(10)], 0.0)
    assert drifting.type_a > 2 * 3.027650 / math.sqrt(10)


def test_without_spread_it_is_the_normal_factor():
    found = expanded([5.0] * 10, 0.1)
    assert found.type_a == 0 and found.high - 5 == pytest.approx(1.959964 * 0.1, rel=1e-6)


def test_one_value_has_no_spread():
    assert expanded([1.0], 0.1) is None
    with pytest.raises(ValueError, match="no spread"):
        combine([[1.0]], 0.1)


def test_rows_are_each_as_by_themselves():
    table = np.random.default_rng(3).normal(5, 1, (4, 10))
    rows = combine(table, [0.0, 0.1, 1.0, 10.0])
    for number, type_b in enumerate((0.0, 0.1, 1.0, 10.0)):
        alone = expanded(table[number], type_b)
        assert rows["low"][number] == pytest.approx(alone.low)


@pytest.mark.parametrize("n", [2, 3, 5, 10])
@pytest.mark.parametrize("gain", [0.0, 0.001, 0.003, 0.01, 0.03])
@pytest.mark.parametrize("offset", [0.0, 0.01])
def test_the_interval_covers_the_truth_as_often_as_it_says(n, gain, offset):
    """20,000 instruments with gain and offset anywhere within their limits, and noise of 1 % a
    batch.

    Of Student's interval by itself coverage is 95 %, which 20,000 draws show to within 0.5 %.
    """
    draws, truth, rng = 20_000, 2.0, np.random.default_rng(11)
    gains, offsets = rng.uniform(-gain, gain, (draws, 1)), rng.uniform(-offset, offset, (draws, 1))
    read = truth * (1 + gains) + offsets + rng.normal(0, 0.01 * truth, (draws, n))
    found = combine(read, math.hypot(gain * truth, offset) / math.sqrt(3))
    covered = np.mean((found["low"] <= truth) & (truth <= found["high"]))
    assert covered >= 0.95 - 3 * math.sqrt(0.95 * 0.05 / draws)
