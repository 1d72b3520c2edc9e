"""Leak tests in a store, of a made-up implementation whose times are known. No probe runs."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from unittest import mock

from motebench.base.model import Evidence, Failure, FailureKind, Operation, Run
from motebench.catalog import schemes
from motebench.measuring.leak import examination
from motebench.measuring.leak.checking import LeakQuestion, cases_of
from motebench.measuring.leak.examination import LeakPlan, LeakRequest, LeakState, carry_out
from motebench.measuring.leak.inputs import data_of
from motebench.store import Store
from motebench.targets.code.workspace import Workspace
from motebench.targets.wire.messages import Clock, Hello, Job, Offer, ProbeAnswer, Timing

CLOCK = Clock("made up", 1_000_000_000, 1, 7.0)
HELLO = Hello(
    "probe",
    "toy",
    "toy 1.2",
    "cc 9",
    "-O2",
    "none",
    CLOCK,
    CLOCK,
    None,
    1 << 16,
    1 << 16,
    frozenset(),
)
SCHEMES = ("aes-128-ecb", "xtea-ecb")
OPERATIONS = (Operation.KEY_SETUP, Operation.ENCRYPT)
Cost = Callable[[Job], float]


def weight(data: bytes) -> int:
    """Number of bits that are 1."""
    return sum(byte.bit_count() for byte in data)


def constant(job: Job) -> float:
    """The time of every job."""
    del job
    return 100.0


def keyed(job: Job) -> float:
    """A time that depends on the key."""
    return 100.0 + weight(job.key)


class ToySession:
    """A probe that takes as long as ``cost`` says of a job, as a session."""

    def __init__(self, cost: Cost) -> None:
        self.cost = cost

    def offers(self) -> dict[str, Offer]:
        """Two block ciphers."""
        operations = frozenset(operation.value for operation in OPERATIONS)
        return {
            name: Offer(name, operations, (16, 16), (0, 0), (0, 0), 8, False) for name in SCHEMES
        }

    def hello_of(self, scheme: str) -> Hello:
        """The greeting of the toy probe, the same for every scheme."""
        del scheme
        return HELLO

    def compute(self, job: Job, **_: Any) -> ProbeAnswer:
        """The message itself."""
        return ProbeAnswer(False, data_of(job))

    def measure(self, job: Job, **_: Any) -> Timing:
        """One reading."""
        ticks = round(CLOCK.overhead + self.cost(job))
        return Timing(ticks=(ticks,), counts=(ticks,), cpu=None, crc=0, length=0, out=None)


class Heard:
    """`LeakProgress` that keeps its reports."""

    def __init__(self) -> None:
        self.checked: list[str] = []
        self.states: list[LeakState] = []

    def asking(self, what: str, done: int, total: int) -> None:
        """Report that the implementation is being asked for its identity; a board first gets
        firmware for that.
        """

    def checking(self, scheme: str, done: int, total: int) -> None:
        """Known answers of a scheme are about to be checked; of a board its firmware is built for
        that.
        """
        del done, total
        self.checked.append(scheme)

    def reading(self, state: LeakState) -> None:
        """Readings are about to be taken."""
        self.states.append(state)


def plan_of(
    cost: Cost, *, exact: bool = True, samples: int = 20, names: Sequence[str] = SCHEMES
) -> LeakPlan:
    """A plan for the toy: on a board, whose cycles are exact, or on a host."""
    place = SimpleNamespace(
        exact=exact,
        evidence=Evidence.SIMULATED if exact else Evidence.MEASURED,
        device=None,
        environment=dict,
    )
    target: Any = SimpleNamespace(name="sim:toy" if exact else "host", place=place)
    session: Any = ToySession(cost)
    question = LeakQuestion("toy", [schemes()[name] for name in names], [], 16, samples, 1)
    return LeakPlan(
        target, session, question, Workspace(), tuple(cases_of(target, session.offers(), question))
    )


@contextmanager
def admitted(*but: str) -> Iterator[None]:
    """Within the context, known answers are right of all schemes but these."""

    def refusal(target: Any, session: Any, question: LeakQuestion, scheme: str) -> Failure | None:
        del session
        if scheme not in but:
            return None
        return Failure(
            scheme,
            question.implementation,
            target.name,
            FailureKind.WRONG_ANSWER,
            "wrong",
            vector="tc 7",
        )

    with mock.patch.object(examination, "not_admitted", refusal):
        yield


def stored(
    place: Path,
    plan: LeakPlan,
    *,
    name: str | None = None,
    but: Sequence[str] = (),
    heard: Heard | None = None,
) -> Run:
    """The run of a plan, in the store at that place."""
    request = LeakRequest(
        plan.target.name, "toy", (), (), "16", None, 1, name, "motebench leak --implementation toy"
    )
    environment = {"host": {"cpu_model": "a processor"}, **probes_of(plan)}
    with admitted(*but), Store.open(place, create=True) as store:
        return carry_out(store, plan, request, environment, heard or Heard())


def probes_of(plan: LeakPlan) -> dict[str, Any]:
    """The probes of the plan's own environment."""
    return {"probes": plan.environment()["probes"]}
