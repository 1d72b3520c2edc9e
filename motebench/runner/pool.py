"""Probe sessions of a run: opened when first needed, closed at the end of each round."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from threading import Lock

from motebench.model import FailureKind
from motebench.targets.base import Session, Target
from motebench.targets.place import Place, Sharing
from motebench.wire.messages import ProbeFailure

Key = tuple[str, str, str]
"""Target, implementation, and the scheme where each has a session of its own (else empty)."""


class Pool:
    """The sessions of one run."""

    def __init__(self, targets: Mapping[str, Target]) -> None:
        self._targets = targets
        self._sessions: dict[Key, Session] = {}
        self._refused: dict[Key, ProbeFailure] = {}
        self._lock = Lock()

    def session(self, target: str, implementation: str, scheme: str = "") -> Session:
        """The session of this round. A probe that could not be started is not tried again in it: ProbeFailure.

        Simulated boards have one for each scheme, so that they can be used in parallel, each by one thread.
        """
        with self._lock:
            return self._session(target, implementation, scheme)

    def _session(self, target: str, implementation: str, scheme: str) -> Session:
        there = self._targets.get(target)
        own = scheme if there is not None and there.place.sharing is Sharing.PARALLEL else ""
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
        """Where a target is."""
        return self._targets[target].place

    def fresh(self, target: str, implementation: str) -> Session:
        """A session of its own, which the caller closes."""
        if target not in self._targets:
            raise ProbeFailure(FailureKind.UNSUPPORTED, f"target {target!r} is not open")
        return self._targets[target].open(implementation)

    @contextmanager
    def round(self) -> Iterator[None]:
        """What is opened inside is closed at the end."""
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
