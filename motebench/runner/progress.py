"""What a run tells while it goes on. The run only calls; the command line decides how it looks."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from motebench.model import Case, Failure


@dataclass(frozen=True, slots=True)
class State:
    """How far a run is: cases finished of all, an estimate of the share of the work that is done (0 to 1), seconds of
    sampling so far and at most.
    """

    finished: int
    total: int
    share: float
    seconds: float
    budget: float


class Progress(Protocol):
    """Receives the events of a run."""

    def checking(self, what: str, done: int, total: int) -> None:
        """Known answers of one scheme are about to be checked."""
        ...

    def sampled(self, case: Case, state: State) -> None:
        """A sample of ``case`` was stored."""
        ...

    def metering(self, what: str, done: int, total: int) -> None:
        """An instrument is about to read while one case runs."""
        ...

    def failed(self, failure: Failure) -> None:
        """A case failed; the run goes on."""
        ...


class Silent:
    """Says nothing."""

    def checking(self, what: str, done: int, total: int) -> None:
        """See `Progress`."""

    def sampled(self, case: Case, state: State) -> None:
        """See `Progress`."""

    def metering(self, what: str, done: int, total: int) -> None:
        """See `Progress`."""

    def failed(self, failure: Failure) -> None:
        """See `Progress`."""
