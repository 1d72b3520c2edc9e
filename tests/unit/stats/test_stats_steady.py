"""Sample at which a warm-up became steady."""

from __future__ import annotations

import pytest

from motebench.stats import agree, steady_from


def blocks(*medians: float) -> list[float]:
    return [value for each in medians for value in [each] * 10]


@pytest.mark.parametrize(
    ("medians", "expected"),
    [
        ([100.0, 100.0], False),
        ([100.0, 102.0, 103.0], True),
        ([100.0, 102.0, 103.5], False),
        ([900.0, 100.0, 101.0, 102.0], True),
        ([100.0, 100.0, 100.0, 104.0], False),
    ],
)
def test_the_last_three_blocks_must_be_within_three_percent(
    medians: list[float], expected: bool
) -> None:
    assert agree(medians) == expected


def test_the_steady_state_begins_with_the_earliest_block_that_agrees_with_all_after_it() -> None:
    assert steady_from(blocks(900, 400, 100, 101, 102)) == 20
    assert steady_from(blocks(900, 101, 100, 101, 102, 100)) == 10
    assert steady_from(blocks(100, 100, 100)) == 0
    # Fast for a while, slow again, then fast for good.
    assert steady_from(blocks(100, 100, 300, 100, 100, 100)) == 30


def test_what_did_not_get_steady_begins_nowhere() -> None:
    assert steady_from(blocks(100, 90, 80)) is None
    assert steady_from([100.0] * 29) is None
    assert steady_from([]) is None


def test_single_slow_batches_do_not_matter() -> None:
    times = blocks(900, 100, 100, 100)
    times[15] = times[25] = 5000.0
    assert steady_from(times) == 10
