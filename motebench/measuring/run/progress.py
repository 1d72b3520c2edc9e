"""The events of a run. The run only reports them; the command line decides how to show them."""

from __future__ import annotations

from dataclasses import dataclass
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
