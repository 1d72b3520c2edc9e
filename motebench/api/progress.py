"""How far a run is, for a Python program: one function is called with each step."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

from motebench.base.model import Case, Failure
from motebench.measuring.run.progress import Progress, RunState
from motebench.results.groups import Turn

if TYPE_CHECKING:
    from motebench.measuring.plan.plan import Plan


@dataclass(frozen=True, slots=True)
class Step:
    """Something happened in a run.

    kind: ``run`` (it begins), ``asking`` (what an implementation offers), ``planned``, ``building`` (firmware),
    ``checking`` (known answers), ``sampled``, ``metering`` (an instrument reads), ``failed`` or
    ``waiting`` (for a database that went away; then that it is back). what: in words. done,
    total: how many of them, in the unit of the kind: runs, implementations, scheme implementations, cases. share:
    estimate of the part of the run's work that is done, 0 to 1; None where it is not known.
    """

    kind: str
    what: str
    done: int = 0
    total: int = 0
    share: float | None = None


def _nothing(step: Step) -> None:
    del step


class Calls:
    """The observer of runs that calls ``function`` with each `Step`."""

    def __init__(self, function: Callable[[Step], object] | None) -> None:
        self._function = function or _nothing

    @contextmanager
    def run(self, turn: Turn | None, place: int, of: int) -> Iterator[Progress]:
        """See `motebench.measuring.request.Observer`."""
        self._function(Step("run", turn.name if turn else "", place - 1, of))
        yield self

    def asking(self, what: str, done: int, total: int) -> None:
        """See `motebench.measuring.run.progress.Progress`."""
        self._function(Step("asking", what, done, total))

    def planned(self, plan: Plan) -> None:
        """See `motebench.measuring.run.progress.Progress`."""
        self._function(Step("planned", f"{len(plan.cases)} cases", 0, len(plan.cases)))

    def building(self, what: str, done: int, total: int) -> None:
        """See `motebench.measuring.run.progress.Progress`."""
        self._function(Step("building", what, done, total))

    def checking(self, what: str, done: int, total: int) -> None:
        """See `motebench.measuring.run.progress.Progress`."""
        self._function(Step("checking", what, done, total))

    def sampled(self, case: Case, state: RunState) -> None:
        """See `motebench.measuring.run.progress.Progress`."""
        self._function(Step("sampled", str(case), state.finished, state.total, state.share))

    def metering(self, what: str, done: int, total: int) -> None:
        """See `motebench.measuring.run.progress.Progress`."""
        self._function(Step("metering", what, done, total))

    def failed(self, failure: Failure) -> None:
        """See `motebench.measuring.run.progress.Progress`."""
        what = f"{failure.scheme} {failure.implementation} {failure.operation or ''}".strip()
        self._function(Step("failed", f"{what}: {failure.kind.value}: {failure.message}"))

    def waiting(self, what: str) -> None:
        """See `motebench.measuring.run.progress.Progress`."""
        self._function(Step("waiting", what))
