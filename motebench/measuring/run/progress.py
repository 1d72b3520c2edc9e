"""Events of a run, of one lane or of several together; the command line decides how to show them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Protocol

from motebench.base.model import Case, Failure
from motebench.measuring.plan.plan import Plan


@dataclass(frozen=True, slots=True)
class RunState:
    """How far a run is: cases finished of all, an estimate of the share of the work that is done (0 to 1), seconds of
    sampling so far and at most.
    """

    finished: int
    total: int
    share: float
    seconds: float
    budget: float


class Progress(Protocol):
    """Receives the events of a run. ``done`` of ``total`` are complete when it is called, and ``what`` comes next."""

    def asking(self, what: str, done: int, total: int) -> None:
        """An implementation is about to be asked what it offers; of a board its first firmware is built for that."""
        ...

    def planned(self, plan: Plan) -> None:
        """It is known what will be measured."""
        ...

    def building(self, what: str, done: int, total: int) -> None:
        """The firmware of one scheme is about to be built and started."""
        ...

    def checking(self, what: str, done: int, total: int) -> None:
        """Known answers of one scheme are about to be checked."""
        ...

    def sampled(self, case: Case, state: RunState) -> None:
        """A sample of ``case`` was stored."""
        ...

    def metering(self, what: str, done: int, total: int) -> None:
        """An instrument is about to read while one case runs."""
        ...

    def failed(self, failure: Failure) -> None:
        """A case failed; the run continues."""
        ...

    def waiting(self, what: str) -> None:
        """The run waits for something that went away, or goes on since it is back: one sentence."""
        ...


class Silent:
    """Ignores all events."""

    def asking(self, what: str, done: int, total: int) -> None:
        """See `Progress`."""

    def planned(self, plan: Plan) -> None:
        """See `Progress`."""

    def building(self, what: str, done: int, total: int) -> None:
        """See `Progress`."""

    def checking(self, what: str, done: int, total: int) -> None:
        """See `Progress`."""

    def sampled(self, case: Case, state: RunState) -> None:
        """See `Progress`."""

    def metering(self, what: str, done: int, total: int) -> None:
        """See `Progress`."""

    def failed(self, failure: Failure) -> None:
        """See `Progress`."""

    def waiting(self, what: str) -> None:
        """See `Progress`."""


class LaneProgress:
    """Progress of one of several lanes, as part of the whole."""

    def __init__(self, whole: WholeProgress, lane: int) -> None:
        self._whole, self._lane = whole, lane

    def __getattr__(self, name: str) -> Callable[..., None]:
        return lambda *arguments: getattr(self._whole, name)(self._lane, *arguments)


class WholeProgress:
    """The progress of several lanes as that of one run of ``total`` cases and at most ``budget`` seconds.

    ``now``: seconds of the run so far.
    """

    def __init__(self, progress: Progress, total: int, budget: float, now: Callable[[], float]) -> None:
        self._progress, self._total, self._budget, self._now = progress, total, budget, now
        self._states: dict[int, RunState] = {}
        self._steps: dict[tuple[str, int], tuple[int, int]] = {}

    def lane(self, number: int) -> Progress:
        """What a lane reports to."""
        return LaneProgress(self, number)

    def over(self, number: int, total: int) -> None:
        """A lane of so many cases has ended."""
        self._states[number] = replace(self._states.get(number, RunState(0, total, 1.0, 0.0, 0.0)), share=1.0)

    def sampled(self, lane: int, case: Case, state: RunState) -> None:
        """See `Progress`."""
        self._states[lane] = state
        finished = sum(each.finished for each in self._states.values())
        done = sum(each.share * each.total for each in self._states.values())
        share = min(1.0, done / max(self._total, 1))
        self._progress.sampled(case, RunState(finished, self._total, share, self._now(), self._budget))

    def failed(self, lane: int, failure: Failure) -> None:
        """See `Progress`."""
        del lane
        self._progress.failed(failure)

    def building(self, lane: int, what: str, done: int, total: int) -> None:
        """See `Progress`."""
        self._progress.building(what, *self._step("building", lane, done, total))

    def checking(self, lane: int, what: str, done: int, total: int) -> None:
        """See `Progress`."""
        self._progress.checking(what, *self._step("checking", lane, done, total))

    def metering(self, lane: int, what: str, done: int, total: int) -> None:
        """See `Progress`."""
        self._progress.metering(what, *self._step("metering", lane, done, total))

    def _step(self, phase: str, lane: int, done: int, total: int) -> tuple[int, int]:
        self._steps[phase, lane] = (done, total)
        counts = [count for (name, _), count in self._steps.items() if name == phase]
        return sum(count[0] for count in counts), sum(count[1] for count in counts)
