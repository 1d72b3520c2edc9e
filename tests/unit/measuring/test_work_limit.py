"""Limits of processor time: what counts, what is waiting, and what a board that is gone takes from
the others.
"""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any, cast

import pytest

from motebench.base.model import FailureKind
from motebench.measuring.plan.plan import Plan
from motebench.measuring.run import context
from motebench.measuring.run.context import Budget, WorkLimit
from motebench.targets.wire.messages import ProbeFailure

PLAN = cast("Plan", SimpleNamespace(policy=SimpleNamespace(budget=None), jit=lambda case: False))
CASE: Any = None


class Clocks:
    """Time that passes, and processor time, which only work takes."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.elapsed, self.worked = 100.0, 10.0
        monkeypatch.setattr(context, "_worked", lambda: self.worked)
        monkeypatch.setattr(context.time, "monotonic", lambda: self.elapsed)

    def work(self, seconds: float) -> None:
        self.elapsed += seconds
        self.worked += seconds

    def wait(self, seconds: float) -> None:
        self.elapsed += seconds


def test_work_counts_and_waiting_does_not(monkeypatch: pytest.MonkeyPatch) -> None:
    clocks, limit = Clocks(monkeypatch), WorkLimit(5.0)
    budget = Budget(PLAN, limit)
    clocks.work(50)
    budget.begin()
    clocks.wait(1000)
    clocks.work(4.5)
    assert not budget.over and limit.spent() == 4.5
    clocks.work(0.5)
    assert budget.over


def test_the_proof_of_answers_is_not_of_the_samples(monkeypatch: pytest.MonkeyPatch) -> None:
    clocks, limit = Clocks(monkeypatch), WorkLimit(5.0)
    budget = Budget(PLAN, limit)
    budget.begin()
    with budget.stopped():
        clocks.work(60)
    assert limit.spent() == 0 and budget.seconds() == 0


def test_a_place_apart_counts_what_its_readings_took(monkeypatch: pytest.MonkeyPatch) -> None:
    clocks, limit = Clocks(monkeypatch), WorkLimit(5.0)
    budget = Budget(PLAN, limit)
    budget.begin()
    begun = clocks.elapsed
    clocks.wait(3)
    budget.visited(begun, apart=True, failure=None)
    assert limit.spent() == 3
    begun = clocks.elapsed
    clocks.wait(3)
    budget.visited(begun, apart=False, failure=None)
    assert limit.spent() == 3, "a machine that only waits does not work"


@pytest.mark.parametrize(
    ("kind", "charged"), [(FailureKind.LOST, 2.0), (FailureKind.WRONG_ANSWER, 602.0)]
)
def test_the_wait_for_a_board_that_is_gone_is_not_the_time_of_the_others(
    monkeypatch: pytest.MonkeyPatch, kind: FailureKind, charged: float
) -> None:
    clocks, limit = Clocks(monkeypatch), WorkLimit(5.0)
    budget = Budget(PLAN, limit)
    budget.begin()
    clocks.wait(2)
    begun = clocks.elapsed
    clocks.wait(600)
    budget.visited(begun, apart=True, failure=ProbeFailure(kind, "gone"))
    assert budget.charged() == charged and limit.spent() == 0
    assert budget.ended(CASE, 300.0) is (charged > 300), (
        "cases of other boards of the lane keep their time"
    )


def test_without_a_limit_nothing_is_ever_over(monkeypatch: pytest.MonkeyPatch) -> None:
    clocks, budget = Clocks(monkeypatch), Budget(PLAN)
    budget.begin()
    clocks.work(1e9)
    assert not budget.over and not budget.strict


def test_a_limit_may_let_cases_finish_with_what_they_have(monkeypatch: pytest.MonkeyPatch) -> None:
    Clocks(monkeypatch)
    assert (
        Budget(PLAN, WorkLimit(0.0)).strict
        and not Budget(PLAN, WorkLimit(0.0, leaves=False)).strict
    )
