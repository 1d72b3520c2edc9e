"""Parallel work whose results do not depend on when it is done: simulated boards count cycles."""

from __future__ import annotations

import os
from collections.abc import Callable, Generator, Iterable
from concurrent.futures import ThreadPoolExecutor, wait
from typing import TypeVar

T = TypeVar("T")
R = TypeVar("R")
_HURRY_SECONDS = 0.1


def cores() -> int:
    """Number of processors that this process may use."""
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
    """The same, one after the other, each on demand."""
    for item in items:
        yield work(item)


def each(
    work: Callable[[T], R],
    items: Iterable[T],
    *,
    parallel: bool,
    hurry: Callable[[], None],
    threads: int | None = None,
) -> Generator[R]:
    """``work`` of each item in order: in parallel, ``threads`` at a time (None: one per processor), or one by one."""
    return in_parallel(work, items, threads or cores(), hurry) if parallel else one_by_one(work, items)
