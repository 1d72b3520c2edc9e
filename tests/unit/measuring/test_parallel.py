"""Several things at once: results come in order, and what was not begun is left when one fails or nobody wants it."""

from __future__ import annotations

import threading
import time
from contextlib import closing

import pytest

from motebench.base.process import in_parallel, one_by_one


@pytest.mark.parametrize("do", [lambda work, items: in_parallel(work, items, 3), one_by_one])
def test_results_come_in_the_order_of_the_items(do):
    def work(item):
        time.sleep(0.01 * (5 - item))
        return item * item

    assert list(do(work, range(5))) == [0, 1, 4, 9, 16]


def test_as_many_at_a_time_as_there_are_workers():
    meeting = threading.Barrier(3, timeout=120)
    assert len(list(in_parallel(lambda _: meeting.wait(), range(3), 3))) == 3


def test_what_was_not_begun_is_left_when_one_fails():
    begun = []

    def work(item):
        begun.append(item)
        time.sleep(0.02)
        if item == 0:
            raise ValueError("no")

    with pytest.raises(ValueError, match="no"):
        list(in_parallel(work, range(100), 2))
    assert len(begun) < 20


def test_what_was_not_begun_is_left_when_nobody_wants_it():
    begun = []

    def work(item):
        begun.append(item)
        time.sleep(0.02)

    with closing(in_parallel(work, range(100), 2)) as results:
        next(results)
    assert len(begun) < 20


def test_what_was_begun_is_hurried_when_nobody_wants_the_rest():
    hurried = threading.Event()

    def work(item):
        if item:
            assert hurried.wait(60), "nobody asked for an end"

    with closing(in_parallel(work, range(100), 2, hurried.set)) as results:
        next(results)
    assert hurried.is_set()


def test_nothing_is_hurried_where_all_is_done():
    def never():
        raise AssertionError("there was nothing to hurry")

    assert list(in_parallel(lambda item: item, range(10), 2, never)) == list(range(10))
