"""Collaborators that the parts of a lane share: probe sessions, time, interruption; `LaneContext`
holds them.
"""

from __future__ import annotations

import os
import signal
import threading
import time
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from threading import Lock
from types import FrameType
from typing import TypeVar

from motebench.base import process
from motebench.base.model import Case, FailureKind
from motebench.base.process import ENDING, each
from motebench.measuring.plan.plan import Plan
from motebench.measuring.run.records import Progress, Records
from motebench.measuring.work.proof import Consensus
from motebench.targets.base import Conditions, Place, Session, Sharing, Target
from motebench.targets.wire.messages import ProbeFailure
from motebench.targets.wire.stream import end_probes

T = TypeVar("T")
R = TypeVar("R")
Key = tuple[str, str, str]
"""Target, implementation, and the scheme if each has its own session (else empty)."""


class Pool:
    """Probe sessions of a lane: opened when first needed, closed at the end of each round."""

    def __init__(self, targets: Mapping[str, Target]) -> None:
        self._targets = targets
        self._sessions: dict[Key, Session] = {}
        self._refused: dict[Key, ProbeFailure] = {}
        self._lock = Lock()

    def session(self, target: str, implementation: str, scheme: str = "") -> Session:
        """The session of this round. ProbeFailure if its probe failed to start earlier in the
        round; it is not tried again.

        Simulated boards have one session per scheme, so that several threads can use them in
        parallel.
        """
        with self._lock:
            return self._session(target, implementation, scheme)

    def _session(self, target: str, implementation: str, scheme: str) -> Session:
        entry = self._targets.get(target)
        own = scheme if entry is not None and entry.place.sharing is Sharing.PARALLEL else ""
        key = (target, implementation, own)
        if key in self._refused:
            raise self._refused[key]
        if key not in self._sessions:
            try:
                self._sessions[key] = self.fresh(target, implementation)
            except ProbeFailure as failure:
                self._refused[key] = failure
                raise
        return self._sessions[key]

    def place(self, target: str) -> Place:
        """The place of a target."""
        return self._targets[target].place

    def fresh(self, target: str, implementation: str) -> Session:
        """A separate session, which the caller closes."""
        if target not in self._targets:
            raise ProbeFailure(FailureKind.UNSUPPORTED, f"target {target!r} is not open")
        return self._targets[target].open(implementation)

    @contextmanager
    def round(self) -> Iterator[None]:
        """A context that closes the sessions opened within it."""
        try:
            yield
        finally:
            self._refused.clear()
            self.close()

    def close(self) -> None:
        """Close everything."""
        for session in self._sessions.values():
            session.close()
        self._sessions.clear()


class WorkLimit:
    """The most processor time that the samples of a run may take: of this process and of those that
    it started and that have ended. Of a place apart, whose processor is its own, the time of the
    visits that gave readings counts.

    Waiting counts nothing, for a busy machine or for a board that is gone. ``leaves``: a case that
    gets too few samples within the limit is left for another call; else it finishes with those that
    it has.
    """

    def __init__(self, seconds: float, *, leaves: bool = True) -> None:
        self._seconds, self.leaves = seconds, leaves
        self._begun: float | None = None
        self._apart = 0.0
        self._lock = Lock()

    def begin(self) -> None:
        """Sampling begins. Only the first call counts."""
        with self._lock:
            self._begun = _worked() if self._begun is None else self._begun

    def add_apart(self, seconds: float) -> None:
        """A place apart has worked so long."""
        with self._lock:
            self._apart += seconds

    def leave_out(self, seconds: float) -> None:
        """Leave out processor time, in seconds, that was spent on something else."""
        with self._lock:
            self._begun = None if self._begun is None else self._begun + seconds

    def spent(self) -> float:
        """Seconds of processor time."""
        return self._apart + (0.0 if self._begun is None else _worked() - self._begun)

    @property
    def over(self) -> bool:
        """True if no more may be taken."""
        return self.spent() >= self._seconds


def _worked() -> float:
    times = os.times()
    return times.user + times.system + times.children_user + times.children_system


class Budget:
    """Time of a lane that carries out ``plan``: seconds passed, and those that count; and its limit
    of processor time, if it has one."""

    def __init__(self, plan: Plan, limit: WorkLimit | None = None) -> None:
        self._plan, self._limit = plan, limit
        self._begun = time.monotonic()
        self._preparation = 0.0

    def begin(self) -> None:
        """Sampling begins."""
        self._begun = time.monotonic()
        if self._limit is not None:
            self._limit.begin()

    @property
    def strict(self) -> bool:
        """True if cases with too few samples are left for another call where the time is up."""
        return self._limit is not None and self._limit.leaves

    @property
    def over(self) -> bool:
        """True if the processor time is used up."""
        return self._limit is not None and self._limit.over

    def visited(self, begun: float, *, apart: bool, failure: ProbeFailure | None) -> None:
        """Record a visit that began at that time of the monotonic clock and has ended.

        Where something around the case failed, such as a board that is gone, its time is not that
        of the others.
        """
        seconds = time.monotonic() - begun
        if failure is not None and failure.kind.of_surroundings:
            self._begun += seconds
        elif apart and failure is None and self._limit is not None:
            self._limit.add_apart(seconds)

    @contextmanager
    def stopped(self) -> Iterator[None]:
        """The time inside this context does not count."""
        begun, worked = time.monotonic(), _worked()
        try:
            yield
        finally:
            self._begun += time.monotonic() - begun
            if self._limit is not None:
                self._limit.leave_out(_worked() - worked)

    def prepared(self, seconds: float) -> None:
        """The start or warm-up of a process with a just-in-time compiler took this long."""
        self._preparation += seconds

    def seconds(self) -> float:
        """Since sampling began."""
        return time.monotonic() - self._begun

    def charged(self) -> float:
        """Seconds that count against the budget: without those of processes with a just-in-time
        compiler, unless the user set a budget.
        """
        beside = self._preparation if self._plan.policy.budget is None else 0.0
        return self.seconds() - beside

    def ended(self, case: Case, limit: float) -> bool:
        """True if the time of a case is over, if it has ``limit`` seconds.

        Only a budget that the user set can reduce the number of invocations, which is fixed before.
        """
        if self._plan.jit(case) and self._plan.policy.budget is None:
            return False
        return self.charged() >= limit


_RAISE = (signal.default_int_handler, process.interrupt)
"""Handlers that raise KeyboardInterrupt."""


class Interrupt:
    """Remembers that Ctrl-C, or a signal that is treated like it, arrived.

    Python raises KeyboardInterrupt wherever the program is. In a finaliser or a callback it is
    printed and forgotten; `check` raises it again at a safe place.
    """

    def __init__(self) -> None:
        self._came = False

    @property
    def came(self) -> bool:
        """True if the signal came; for other threads, which get no signals."""
        return self._came

    def end(self) -> None:
        """The run ends as if a signal had arrived."""
        self._came = True

    @contextmanager
    def watched(self) -> Iterator[None]:
        """Within the context, each signal that raises KeyboardInterrupt is also recorded; ignored
        signals stay ignored."""
        main = threading.current_thread() is threading.main_thread()
        handlers = {number: signal.getsignal(number) for number in ENDING if main}
        raising = {number: handler for number, handler in handlers.items() if handler in _RAISE}
        for number in raising:
            signal.signal(number, self._note)
        try:
            yield
        finally:
            for number, handler in raising.items():
                signal.signal(number, handler)

    def check(self) -> None:
        """Raise KeyboardInterrupt if a signal arrived."""
        if self.came:
            raise KeyboardInterrupt

    def hurry(self) -> None:
        """End probes and compilers after Ctrl-C: a board may compute for minutes, and its thread
        would wait for it.
        """
        if self.came:
            end_probes()
            process.end_programs()

    def _note(self, number: int, frame: FrameType | None) -> None:
        self._came = True
        process.interrupt(number, frame)


@dataclass(frozen=True)
class LaneContext:
    """Plan of a lane, and the collaborators that all its parts share; made once for each lane.

    ``conditions``: of its places, by target. ``threads``: simulated boards at once; None: one per
    processor.
    """

    plan: Plan
    records: Records
    progress: Progress
    interrupt: Interrupt
    consensus: Consensus
    pool: Pool
    budget: Budget
    conditions: Mapping[str, Conditions]
    threads: int | None = None

    def each(self, work: Callable[[T], R], items: Iterable[T], *, parallel: bool) -> Generator[R]:
        """``work`` of each item, in their order; with ``parallel`` several at once."""
        return each(
            work, items, parallel=parallel, hurry=self.interrupt.hurry, threads=self.threads
        )

    def place(self, target: str) -> Place:
        """Place of a target."""
        return self.plan.targets[target].place
