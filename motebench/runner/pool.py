"""Probe sessions of a run: opened when first needed, closed at the end of each round.

A probe whose speed depends on how long it has run (a just-in-time compiler) is kept until the end of the run instead.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from threading import Lock

from motebench.model import FailureKind
from motebench.targets.base import Session, Target
from motebench.wire.messages import ProbeFailure

MOST_KEPT = 24
"""Probes that are kept running at once; a virtual machine takes some 100 MB. The one unused for longest is ended."""

Key = tuple[str, str, str]
"""Target, implementation, and the scheme where each has a process of its own (else empty)."""


def aside(target: Target) -> bool:
    """Its boards can be used side by side: each counts for itself, and there are as many as asked for."""
    return target.exact and not target.one_image


class Pool:
    """The sessions of one run. ``apart``: a process of its own for each scheme of a probe that is kept running."""

    def __init__(self, targets: Mapping[str, Target], *, apart: bool = False) -> None:
        self._targets = targets
        self._apart = apart
        self._sessions: dict[Key, Session] = {}
        self._refused: dict[Key, ProbeFailure] = {}
        self._jit: set[tuple[str, str]] = set()
        self._lock = Lock()

    def session(self, target: str, implementation: str, scheme: str = "") -> Session:
        """The session of this round. A probe that could not be started is not tried again in it: ProbeFailure.

        Simulated boards have one for each scheme, so that they can be used side by side, each by one thread.
        """
        with self._lock:
            return self._session(target, implementation, scheme)

    def _session(self, target: str, implementation: str, scheme: str) -> Session:
        apart = self._apart and (target, implementation) in self._jit
        own = scheme if apart or (target in self._targets and aside(self._targets[target])) else ""
        key = (target, implementation, own)
        if key in self._refused:
            raise self._refused[key]
        if key in self._sessions:
            self._sessions[key] = self._sessions.pop(key)  # the last used is the last of the dictionary
        else:
            self._make_room()
            try:
                session = self.fresh(target, implementation)
            except ProbeFailure as failure:
                self._refused[key] = failure
                raise
            self._sessions[key] = session
            if session.jit:
                self._jit.add((target, implementation))
        return self._sessions[key]

    def _make_room(self) -> None:
        kept = [key for key, session in self._sessions.items() if session.jit]
        if len(kept) >= MOST_KEPT:
            self._sessions.pop(kept[0]).close()

    def fresh(self, target: str, implementation: str) -> Session:
        """A session of its own, which the caller closes."""
        if target not in self._targets:
            raise ProbeFailure(FailureKind.UNSUPPORTED, f"target {target!r} is not open")
        return self._targets[target].open(implementation)

    @contextmanager
    def round(self) -> Iterator[None]:
        """What is opened inside is closed at the end, but for probes that are kept running."""
        try:
            yield
        finally:
            self._refused.clear()
            for key in [key for key, session in self._sessions.items() if not session.jit]:
                self._sessions.pop(key).close()

    def close(self) -> None:
        """Close everything."""
        for session in self._sessions.values():
            session.close()
        self._sessions.clear()
