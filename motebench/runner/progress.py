"""What a run tells while it goes on. The run only calls; the command line decides how it looks."""

from __future__ import annotations

from typing import Protocol

from motebench.model import Case, Failure


class Progress(Protocol):
    """Receives the events of a run."""

    def checking(self, what: str, done: int, total: int) -> None:
        """Known answers of one scheme are about to be checked."""
        ...

    def sampled(self, case: Case, finished: int, total: int, seconds: float, budget: float) -> None:
        """A sample was stored."""
        ...

    def failed(self, failure: Failure) -> None:
        """A case failed; the run goes on."""
        ...


class Silent:
    """Says nothing."""

    def checking(self, what: str, done: int, total: int) -> None:
        """See `Progress`."""

    def sampled(self, case: Case, finished: int, total: int, seconds: float, budget: float) -> None:
        """See `Progress`."""

    def failed(self, failure: Failure) -> None:
        """See `Progress`."""
