"""One process after the other: what is visited in which, and in what order."""

from __future__ import annotations

from dataclasses import dataclass, field
from random import Random
from typing import Any, cast

import pytest

from motebench.base.model import Case, FailureKind, Operation
from motebench.measuring.plan.cases import processes
from motebench.measuring.run.lane import InvocationContext, invoke
from motebench.targets.wire.messages import ProbeFailure


def case(scheme: str, implementation: str = "jit", size: int = 64) -> Case:
    return Case(
        scheme,
        implementation,
        Operation.DIGEST,
        size,
        "host",
        implementation.partition("=")[2] or "jit",
    )


@dataclass(eq=False)
class Session:
    number: int
    closed: bool = False

    def close(self) -> None:
        self.closed = True


@dataclass
class Pool:
    broken: bool = False
    opened: list[Session] = field(default_factory=list)

    def fresh(self, target: str, implementation: str) -> Session:
        if self.broken:
            raise ProbeFailure(FailureKind.CRASH, "no Java")
        self.opened.append(Session(len(self.opened)))
        return self.opened[-1]


@dataclass(eq=False)
class Item:
    """Fake TimedCase; writes its requests into ``log``."""

    case: Case
    log: list[str]
    values: list[float] = field(default_factory=list)
    memory_samples: int = 0
    fails: str = ""

    def _do(self, what: str, session: Session | None) -> list[Any]:
        self.log.append(f"{what} {self.case.scheme}")
        if session is not None:
            assert not session.closed
        if self.fails == what:
            raise ProbeFailure(FailureKind.CRASH, f"died in {what}")
        return []

    def warm_up(self, session: Session, _: object) -> list[Any]:
        return self._do("warm", session)

    def invoked(self, session: Session, _: object, *, alone: bool) -> list[Any]:
        self.values.append(1.0)
        return self._do("alone" if alone else "sample", session)

    def memory(self, pool: Pool) -> list[Any]:
        self.memory_samples += 1
        assert all(session.closed for session in pool.opened), "the measured process has ended"
        return self._do("memory", None)


@dataclass
class Run:
    items: list[Item]
    pool: Pool = field(default_factory=Pool)
    late: bool = False
    spent: float = 0.0
    failed: set[Case] = field(default_factory=set)

    def visits(self, number: int = 7) -> list[Any]:
        def spent(seconds: float) -> None:
            self.spent += seconds

        asked = InvocationContext(
            gone=lambda item: item.case in self.failed,
            late=lambda item: self.late and bool(item.values),
            now=lambda: 1.0,
            spent=spent,
            random=Random(1),
            memory_samples=1,
        )
        out = []
        for visit in invoke(
            cast("Any", self.items), number, cast("Any", self.pool), cast("Any", None), asked
        ):
            out.append(visit)
            if isinstance(visit.outcome, ProbeFailure):
                self.failed.add(visit.case)
        return out


def items(*schemes: str) -> tuple[list[str], list[Item]]:
    log: list[str] = []
    return log, [Item(case(scheme), log) for scheme in schemes]


def test_all_are_warm_before_the_first_is_measured_and_memory_has_processes_of_its_own() -> None:
    log, asked = items("a", "b", "c")
    run = Run(asked)
    visits = run.visits()
    assert [line.split()[0] for line in log] == ["warm"] * 3 + ["sample"] * 3 + ["memory"] * 3
    assert [visit.invocation for visit in visits] == [7, 7, 7, None, None, None]
    assert len(run.pool.opened) == 1 and run.pool.opened[0].closed
    assert run.spent > 0


def test_memory_is_read_as_often_as_asked_over_all_invocations() -> None:
    log, asked = items("a")
    run = Run(asked)
    run.visits()
    run.visits()
    assert log == ["warm a", "alone a", "memory a", "warm a", "alone a"]
    assert len(run.pool.opened) == 2, "each invocation is a process of its own"


@pytest.mark.parametrize("when", ["warm", "sample", "memory"])
def test_a_case_that_fails_costs_itself_only(when: str) -> None:
    log, asked = items("a", "b", "c")
    asked[1].fails = when
    visits = Run(asked).visits()
    failures = [visit for visit in visits if isinstance(visit.outcome, ProbeFailure)]
    assert [visit.case.scheme for visit in failures] == ["b"]
    assert {"sample a", "sample c", "memory a", "memory c"} <= set(log)
    assert ("memory b" in log) == (when == "memory")


def test_a_process_that_does_not_start_fails_its_cases() -> None:
    _, asked = items("a", "b")
    visits = Run(asked, Pool(broken=True)).visits()
    assert [str(visit.outcome) for visit in visits] == ["no Java", "no Java"]


def test_when_the_time_is_up_only_cases_without_a_value_are_visited() -> None:
    log, asked = items("a", "b")
    asked[0].values.append(1.0)
    run = Run(asked, late=True)
    run.visits()
    assert log[:2] == ["warm b", "alone b"]
    log.clear()
    assert run.visits() == [] and log == [] and len(run.pool.opened) == 1, (
        "no process is started for nothing"
    )


def test_what_shares_a_process() -> None:
    plain, a, b = case("a", "plain"), case("a"), case("b")
    other, twin = case("a", "x=jit"), case("b", "y=jit")
    found = processes([a, plain, other, b, twin], lambda of: of is not plain, apart=False)
    assert found == [[a, b], [plain], [other], [twin]], "names are processes of their own"
    assert processes([a, b, case("a", size=16)], lambda _: True, apart=True) == [
        [a, case("a", size=16)],
        [b],
    ]
