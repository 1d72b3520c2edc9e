"""Work in parallel whose results do not depend on when it is done: simulated boards count for themselves."""

from __future__ import annotations

import os
from collections.abc import Callable, Generator, Iterable
from concurrent.futures import ThreadPoolExecutor, wait
from typing import TypeVar

T = TypeVar("T")
R = TypeVar("R")
_HURRY_SECONDS = 0.1


def cores() -> int:
    """How many processors this process may use."""
    return len(os.sched_getaffinity(0))


def in_parallel(
    work: Callable[[T], R], items: Iterable[T], workers: int, hurry: Callable[[], None] = lambda: None
) -> Generator[R]:
    """``work`` of each item, in the order of the items, so many at a time. What was not begun is left if one fails.

    Threads are enough: they wait for other processes. ``hurry`` is called again and again while, at an early end, what
    was begun is waited for.
    """
    with ThreadPoolExecutor(workers) as pool:
        futures = [pool.submit(work, item) for item in items]
        try:
            for future in futures:
                yield future.result()
        finally:
            pool.shutdown(wait=False, cancel_futures=True)
            while begun := [future for future in futures if not future.done()]:
                hurry()
                wait(begun, _HURRY_SECONDS)


def one_by_one(work: Callable[[T], R], items: Iterable[T]) -> Generator[R]:
    """The same, each when it is asked for."""
    for item in items:
        yield work(item)


def each(work: Callable[[T], R], items: Iterable[T], *, parallel: bool, hurry: Callable[[], None]) -> Generator[R]:
    """``work`` of each item, in their order: in parallel, one to a processor, or one by one."""
    return in_parallel(work, items, cores(), hurry) if parallel else one_by_one(work, items)
