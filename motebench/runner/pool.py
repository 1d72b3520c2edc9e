"""Probe sessions of a round: one per target and implementation, opened when first needed."""

from __future__ import annotations

from collections.abc import Mapping
from types import TracebackType

from motebench.model import FailureKind
from motebench.targets.base import Session, Target
from motebench.wire.messages import ProbeFailure


class Pool:
    """A context in which sessions are opened once and closed together."""

    def __init__(self, targets: Mapping[str, Target]) -> None:
        self._targets = targets
        self._sessions: dict[tuple[str, str], Session] = {}
        self._refused: dict[tuple[str, str], ProbeFailure] = {}

    def session(self, target: str, implementation: str) -> Session:
        """The session of this round. A probe that could not be started is not tried again: ProbeFailure."""
        key = (target, implementation)
        if key in self._refused:
            raise self._refused[key]
        if key not in self._sessions:
            try:
                self._sessions[key] = self._targets[target].open(implementation)
            except ProbeFailure as failure:
                self._refused[key] = failure
                raise
        return self._sessions[key]

    def fresh(self, target: str, implementation: str) -> Session:
        """A session of its own, which the caller closes."""
        if target not in self._targets:
            raise ProbeFailure(FailureKind.UNSUPPORTED, f"target {target!r} is not open")
        return self._targets[target].open(implementation)

    def __enter__(self) -> Pool:
        return self

    def __exit__(self, *_: type[BaseException] | BaseException | TracebackType | None) -> None:
        for session in self._sessions.values():
            session.close()
        self._sessions.clear()
