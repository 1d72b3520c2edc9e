"""Probe sessions of a run: opened when first needed, closed at the end of each round."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from threading import Lock

from motebench.base.model import FailureKind
from motebench.targets.base import Place, Session, Sharing, Target
from motebench.targets.wire.messages import ProbeFailure

Key = tuple[str, str, str]
"""Target, implementation, and the scheme if each has its own session (else empty)."""


class Pool:
    """The sessions of one run."""

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
