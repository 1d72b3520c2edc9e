"""Probe sessions of a run: how long they live."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import cast

import pytest

from motebench.base.model import FailureKind
from motebench.measuring.run.context import Pool
from motebench.targets.base import Place, Session, Sharing, Target
from motebench.targets.wire.messages import ProbeFailure


@dataclass(eq=False)
class FakeSession:
    closed: bool = False

    def close(self) -> None:
        self.closed = True


@dataclass
class FakeTarget:
    """Opens sessions; the implementation named broken does not start."""

    opened: list[FakeSession] = field(default_factory=list)
    place: Place = field(default_factory=Place)
    tried: int = 0

    def open(self, implementation: str) -> FakeSession:
        self.tried += 1
        if implementation == "broken":
            raise ProbeFailure(FailureKind.CRASH, "no Java")
        self.opened.append(FakeSession())
        return self.opened[-1]


def pool(target: FakeTarget) -> Pool:
    return Pool({"host": cast("Target", target)})


def test_no_probe_outlives_the_round() -> None:
    target = FakeTarget()
    sessions = pool(target)
    with sessions.round():
        first: Session = sessions.session("host", "plain", "aes")
        assert sessions.session("host", "plain", "sha256") is first
        sessions.session("host", "other", "aes")
    assert [session.closed for session in target.opened] == [True, True]
    with sessions.round():
        assert sessions.session("host", "plain", "aes") is not first


def test_simulated_boards_have_one_for_each_scheme() -> None:
    place = Place()
    place.sharing = Sharing.PARALLEL
    sessions = pool(FakeTarget(place=place))
    with sessions.round():
        assert sessions.session("host", "plain", "aes") is not sessions.session(
            "host", "plain", "sha256"
        )


def test_what_does_not_start_is_asked_once_a_round() -> None:
    target = FakeTarget()
    sessions = pool(target)
    with sessions.round():
        for _ in range(2):
            with pytest.raises(ProbeFailure, match="no Java"):
                sessions.session("host", "broken")
    assert target.tried == 1
    with sessions.round(), pytest.raises(ProbeFailure):
        sessions.session("host", "broken")
    assert target.tried == 2
