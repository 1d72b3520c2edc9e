"""Several things at once: results come in order, and what was not begun is left when one fails or
nobody wants it.
"""

from __future__ import annotations

import threading
from contextlib import closing

import pytest

from motebench.base.process import in_parallel, one_by_one

LIMIT = 120.0
"""Seconds after which something is waited for in vain."""


@pytest.mark.parametrize("do", [lambda work, items: in_parallel(work, items, 3), one_by_one])
def test_results_come_in_the_order_of_the_items(do):
    assert list(do(lambda item: item * item, range(5))) == [0, 1, 4, 9, 16]


def test_a_result_that_is_there_early_waits_for_its_turn():
    """Of two at a time, the first is done only after the second."""
    second = threading.Event()

    def work(item):
        if item == 1:
            second.set()
        assert second.wait(LIMIT)
        return item

    assert list(in_parallel(work, range(2), 2)) == [0, 1]


def test_as_many_at_a_time_as_there_are_workers():
    meeting = threading.Barrier(3, timeout=LIMIT)
    assert len(list(in_parallel(lambda _: meeting.wait(), range(3), 3))) == 3


def test_what_was_not_begun_is_left_when_one_fails():
    begun, ended = [], threading.Event()

    def work(item):
        begun.append(item)
        if item == 0:
            raise ValueError("no")
        assert ended.wait(LIMIT)

    with pytest.raises(ValueError, match="no"):
        list(in_parallel(work, range(100), 2, ended.set))
    assert len(begun) <= 3, "the one that fails, and what two threads can hold"


def test_what_was_not_begun_is_left_when_nobody_wants_it():
    begun, ended = [], threading.Event()

    def work(item):
        begun.append(item)
        if item:
            assert ended.wait(LIMIT)

    with closing(in_parallel(work, range(100), 2, ended.set)) as results:
        next(results)
    assert len(begun) <= 3, "the first, and what two threads can hold"


def test_what_was_begun_is_hurried_when_nobody_wants_the_rest():
    hurried = threading.Event()

    def work(item):
        if item:
            assert hurried.wait(LIMIT), "nobody asked for an end"

    with closing(in_parallel(work, range(100), 2, hurried.set)) as results:
        next(results)
    assert hurried.is_set()


def test_nothing_is_hurried_where_all_is_done():
    def never():
        raise AssertionError("there was nothing to hurry")

    assert list(in_parallel(lambda item: item, range(10), 2, never)) == list(range(10))
