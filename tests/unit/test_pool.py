"""Probe sessions of a run: which are kept from round to round, and how many."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import cast

import pytest

from motebench.model import FailureKind
from motebench.runner.pool import MOST_KEPT, Pool
from motebench.targets.base import Session, Target
from motebench.wire.messages import ProbeFailure


@dataclass(eq=False)
class FakeSession:
    jit: bool
    closed: bool = False

    def close(self) -> None:
        self.closed = True


@dataclass
class FakeTarget:
    """Opens sessions; implementations named jit... are compiled while they run."""

    opened: list[FakeSession] = field(default_factory=list)
    exact: bool = False
    one_image: bool = False

    def open(self, implementation: str) -> FakeSession:
        if implementation == "broken":
            raise ProbeFailure(FailureKind.CRASH, "no Java")
        self.opened.append(FakeSession(implementation.startswith("jit")))
        return self.opened[-1]


def pool(target: FakeTarget, *, apart: bool = False) -> Pool:
    return Pool({"host": cast("Target", target)}, apart=apart)


def alive(target: FakeTarget) -> int:
    return sum(not session.closed for session in target.opened)


def test_only_a_compiling_probe_outlives_the_round() -> None:
    target = FakeTarget()
    sessions = pool(target)
    with sessions.round():
        first: Session = sessions.session("host", "jit", "aes")
        sessions.session("host", "plain", "aes")
    assert [session.closed for session in target.opened] == [False, True]
    with sessions.round():
        assert sessions.session("host", "jit", "sha256") is first
    sessions.close()
    assert alive(target) == 0


def test_apart_gives_each_scheme_a_process() -> None:
    target = FakeTarget()
    sessions = pool(target, apart=True)
    with sessions.round():
        sessions.session("host", "jit")  # as the known answers are asked
        assert sessions.session("host", "jit", "aes") is not sessions.session("host", "jit", "sha256")
        assert sessions.session("host", "plain", "aes") is sessions.session("host", "plain", "sha256")


def test_kept_processes_have_a_limit_and_the_oldest_goes() -> None:
    target = FakeTarget()
    sessions = pool(target, apart=True)
    sessions.session("host", "jit")
    used = sessions.session("host", "jit", "scheme 0")
    for number in range(1, MOST_KEPT + 5):
        sessions.session("host", "jit", f"scheme {number}")
        assert sessions.session("host", "jit", "scheme 0") is used
    assert alive(target) == MOST_KEPT
    assert target.opened[2].closed


def test_what_does_not_start_is_asked_once_a_round() -> None:
    sessions = pool(FakeTarget())
    with sessions.round():
        for _ in range(2):
            with pytest.raises(ProbeFailure, match="no Java"):
                sessions.session("host", "broken")
