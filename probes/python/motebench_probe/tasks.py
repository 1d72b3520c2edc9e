"""Operations made ready: the functions that timed loops call, with nothing else between two
iterations.
"""

from __future__ import annotations

import os
from itertools import cycle, islice, repeat
from mmap import mmap

from motebench_probe.errors import WRONG_ANSWER, Failure, Rejected

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    Result = tuple[bytes, bytes]
    """The output, and the second one: a tag; secret or public key of a KEM."""


_LINE, _LINES = 64, 64


def plain(out: bytes) -> Result:
    """The result of a step that returns its output."""
    return out, b""


def nothing(_: object) -> Result:
    """Empty result of a step."""
    return b"", b""


class Task:
    """Repeatable task. ``step()`` is one iteration; ``finish`` makes the outputs from its last
    result.
    """

    __slots__ = ("_finish", "_last", "_step")

    def __init__(self, step: Callable[[], Any], finish: Callable[[Any], Result] = plain) -> None:
        self._step = step
        self._finish = finish
        self._last: Any = None

    def start(self) -> None:
        """Put the input back and begin a new message; never timed."""

    def run(self, n: int) -> None:
        """Do it ``n`` times."""
        step, last = self._step, None
        for _ in repeat(None, n):
            last = step()
        self._last = last

    def result(self) -> Result:
        """Output of the last iteration."""
        return self._finish(self._last)


def verified(wrong: type[Exception], verify: Callable[..., object], *given: object) -> bytes:
    """Empty output, if the library accepts a signature; its exception ``wrong`` means that the
    signature is rejected.
    """
    try:
        verify(*given)
    except wrong:
        raise Rejected from None
    return b""


def _refuse() -> bytes:
    raise Rejected


def refused() -> Task:
    """The task for an input that was rejected when it was decoded, before the clock ran."""
    return Task(_refuse)


class Rejecting(Task):
    """Task whose every step must reject a tag or padding. It wraps another task, whose run ends at
    the rejection.
    """

    __slots__ = ("_task",)

    def __init__(self, task: Task) -> None:
        super().__init__(bytes)
        self._task = task

    def start(self) -> None:
        """Put the input back and begin a new message; never timed."""
        self._task.start()

    def run(self, n: int) -> None:
        """Do it ``n`` times."""
        try:
            self._task.run(n)
        except Rejected:
            return
        raise Failure(WRONG_ANSWER, "reject: accepted a tag or padding that must be rejected")

    def result(self) -> Result:
        """Empty: unverified output is withheld."""
        return nothing(None)


class Turning(Task):
    """Tasks of one operation that take turns, one for each iteration. The output is that of the
    last one.
    """

    __slots__ = ("_next", "_tasks")

    def __init__(self, tasks: list[Task]) -> None:
        super().__init__(bytes)
        self._tasks = tasks
        self._next = cycle(tasks)

    def start(self) -> None:
        """Put the input back and begin a new message; never timed."""
        for task in self._tasks:
            task.start()

    def run(self, n: int) -> None:
        """Do it ``n`` times."""
        for task in islice(self._next, n):
            task.run(1)


def layout() -> int:
    """Offset of a buffer in its first page, in bytes: a line of 64 bytes that MOTEBENCH_LAYOUT
    gives, 0 without it.
    """
    number = os.environ.get("MOTEBENCH_LAYOUT", "")
    return int(number) % _LINES * _LINE if number.isdecimal() else 0


class InPlace(Task):
    """``begin(buffer)`` begins a message and returns the step that works on the buffer in place."""

    __slots__ = ("_begin", "_buffer", "_data")

    def __init__(
        self, begin: Callable[[memoryview], Callable[[], Any]], data: bytes, slack: int = 0
    ) -> None:
        super().__init__(lambda: None)
        self._begin = begin
        self._data = data
        # In a map of its own, which begins at a page, so that every length is equally well aligned.
        begin_at = layout()
        self._buffer = memoryview(mmap(-1, begin_at + len(data) + slack + 1))[
            begin_at : begin_at + len(data) + slack
        ]

    def start(self) -> None:
        """Put the input back and begin a new message; never timed."""
        self._buffer[: len(self._data)] = self._data
        self._step = self._begin(self._buffer)

    def result(self) -> Result:
        """Output of the last iteration."""
        return bytes(self._buffer[: len(self._data)]), b""


class Chained(Task):
    """Task like `InPlace` for libraries that always return new bytes: each iteration takes the
    previous result.
    """

    __slots__ = ("_begin", "_data", "_next")

    def __init__(self, begin: Callable[[], Callable[[bytes], bytes]], data: bytes) -> None:
        super().__init__(lambda: None)
        self._begin = begin
        self._data = data
        self._next: Callable[[bytes], bytes] = bytes

    def start(self) -> None:
        """Put the input back and begin a new message; never timed."""
        self._last = self._data
        self._next = self._begin()

    def run(self, n: int) -> None:
        """Do it ``n`` times."""
        step = self._next
        data: bytes = self._last
        for _ in repeat(None, n):
            data = step(data)
        self._last = data


class Stream:
    """Message in pieces. ``update`` returns output for a piece, ``final`` the rest; ``tag()`` is
    called after it.
    """

    __slots__ = ("final", "tag", "update")

    def __init__(
        self,
        update: Callable[[bytes], Any],
        final: Callable[[], bytes],
        tag: Callable[[], bytes] = bytes,
    ) -> None:
        self.update = update
        self.final = final
        self.tag = tag


def swallowing(update: Callable[[bytes], Any]) -> Callable[[bytes], bytes]:
    """The update of a stream that puts out nothing before its end."""

    def silent(piece: bytes) -> bytes:
        update(piece)
        return b""

    return silent
