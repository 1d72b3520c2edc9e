"""Collaborators that the parts of a lane share: probe sessions, time, interruption; `LaneContext` holds them."""

from __future__ import annotations

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
        """The session of this round. ProbeFailure if its probe failed to start earlier in the round; it is not tried
        again.

        Simulated boards have one session per scheme, so that several threads can use them in parallel.
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


class Budget:
    """Time of a lane that carries out ``plan``: seconds passed, and those that count."""

    def __init__(self, plan: Plan) -> None:
        self._plan = plan
        self._begun = time.monotonic()
        self._preparation = 0.0

    def begin(self) -> None:
        """Sampling begins."""
        self._begun = time.monotonic()

    @contextmanager
    def stopped(self) -> Iterator[None]:
        """The time inside this context does not count."""
        begun = time.monotonic()
        try:
            yield
        finally:
            self._begun += time.monotonic() - begun

    def prepared(self, seconds: float) -> None:
        """The start or warm-up of a process with a just-in-time compiler took this long."""
        self._preparation += seconds

    def seconds(self) -> float:
        """Since sampling began."""
        return time.monotonic() - self._begun

    def charged(self) -> float:
        """Seconds that count against the budget: without those of processes with a just-in-time compiler, unless the
        user set a budget."""
        beside = self._preparation if self._plan.policy.budget is None else 0.0
        return self.seconds() - beside

    def ended(self, case: Case, limit: float) -> bool:
        """Whether the time of a case is over, if it has ``limit`` seconds.

        Only a budget that the user set can reduce the number of invocations, which is fixed before.
        """
        if self._plan.jit(case) and self._plan.policy.budget is None:
            return False
        return self.charged() >= limit


_RAISE = (signal.default_int_handler, process.interrupt)
"""Handlers that raise KeyboardInterrupt."""


class Interrupt:
    """Remembers that Ctrl-C, or a signal that is treated like it, arrived.

    Python raises KeyboardInterrupt wherever the program is. In a finaliser or a callback it is printed and forgotten;
    `check` raises it again at a safe place.
    """

    def __init__(self) -> None:
        self._came = False

    @property
    def came(self) -> bool:
        """For other threads, which get no signals."""
        return self._came

    def end(self) -> None:
        """The run ends as if a signal had arrived."""
        self._came = True

    @contextmanager
    def watched(self) -> Iterator[None]:
        """Within the context, each signal that raises KeyboardInterrupt is also recorded; ignored signals
        stay ignored."""
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
        """End probes and compilers after Ctrl-C: a board may compute for minutes, and its thread would wait for it."""
        if self.came:
            end_probes()
            process.end_programs()

    def _note(self, number: int, frame: FrameType | None) -> None:
        self._came = True
        process.interrupt(number, frame)


@dataclass(frozen=True)
class LaneContext:
    """Plan of a lane, and the collaborators that all its parts share; made once for each lane.

    ``conditions``: of its places, by target. ``threads``: simulated boards at once; None: one per processor.
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
        return each(work, items, parallel=parallel, hurry=self.interrupt.hurry, threads=self.threads)

    def place(self, target: str) -> Place:
        """Place of a target."""
        return self.plan.targets[target].place
