"""Readings with the same input and with changing ones: when they differ, on planted samples."""

from __future__ import annotations

import random

import pytest

from motebench.stats.shift import differ, look_different, repeated


def noisy(median: float, spread: float, count: int, seed: int) -> list[float]:
    source = random.Random(seed)
    return [median * (1 + spread * source.gauss(0, 1)) for _ in range(count)]


def test_code_that_remembers_its_input_differs_whatever_the_noise() -> None:
    same, changing = noisy(22, 0.3, 12, 1), noisy(1290, 0.3, 12, 2)
    assert look_different(same[:3], changing[:3]) == 1 and differ(same, changing)
    spoilt = [*same[:-1], 5000.0]  # one batch that lost the processor
    assert differ(spoilt, changing)


def test_a_part_that_is_remembered_differs_if_it_is_more_than_the_scatter() -> None:
    assert differ(noisy(100, 0.01, 10, 3), noisy(112, 0.01, 10, 4))
    assert not differ(noisy(100, 0.3, 10, 3), noisy(112, 0.3, 10, 4))


def test_an_input_that_takes_longer_than_others_differs_too() -> None:
    same, changing = noisy(100, 0.01, 10, 5), noisy(60, 0.01, 10, 6)
    assert look_different(same[:3], changing[:3]) == -1 and differ(same, changing)


@pytest.mark.parametrize("spread", [0.0, 0.01, 0.1, 0.5])
def test_equal_code_is_hardly_ever_called_different(spread: float) -> None:
    called = sum(
        differ(noisy(100, spread, 12, seed), noisy(100, spread, 12, -1 - seed))
        for seed in range(2000)
    )
    assert called <= 8, "one in a thousand is allowed, of those that look different"


def test_a_small_difference_is_none_however_certain() -> None:
    assert not differ([100.0] * 10, [104.0] * 10) and differ([100.0] * 10, [106.0] * 10)
    assert look_different([100.0, 100.0], [104.0, 104.0]) == 0


def test_readings_that_are_not_there_say_nothing() -> None:
    assert not differ([], [1.0]) and not differ([1.0], []) and not repeated([], 1.0)


def test_differences_of_a_board_count_if_they_repeat() -> None:
    assert repeated([14665, 14665, 14665], 1105)
    assert repeated([14665, 14700, 14650], 1105)
    assert not repeated([0, 0, 0], 12677)
    assert not repeated([14665, 0, 14665], 1105), "one that is not there"
    assert not repeated([100, 900, 500], 1000), "they scatter as much"
    assert not repeated([40, 40, 40], 12677), "a longer request"
    assert not repeated([-500, -500], 1000)
