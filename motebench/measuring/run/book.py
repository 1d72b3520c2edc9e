"""The unfinished cases of a lane, what is recorded of them, and what is reported as progress."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from motebench.base.model import Case, CaseResult, Failure, FailureKind, Sample
from motebench.measuring.run.active import Active, least
from motebench.measuring.run.context import LaneContext
from motebench.measuring.run.progress import RunState
from motebench.measuring.run.timed_case import TimedCase
from motebench.measuring.work.readings import CaseEnergy, Reading
from motebench.targets.wire.messages import ProbeFailure

DISTURBED = frozenset(("time", "ticks"))
"""Metrics that continue while the process waits; processor time and cycles of the core do not."""
SLOWED = DISTURBED | {"cpu_time", "user_time", "system_time"}
"""Metrics that a slower clock changes; cycles of the core stay the same."""


@dataclass(frozen=True)
class Visit:
    """Result of one visit of a case, and when it began, in seconds of the run.

    ``invocation`` numbers the process; None if each round has its own process.
    """

    case: Case
    at: float
    outcome: list[Reading] | ProbeFailure
    invocation: int | None = None


class Book:
    """Cases of a lane, and what is recorded of them. One thread uses it. ``seconds``: the lane's budget."""

    def __init__(self, context: LaneContext, seconds: float) -> None:
        self._plan, self._records, self._progress = context.plan, context.records, context.progress
        self._budget, self._seconds = context.budget, seconds
        self.active: dict[Case, Active] = {}
        """Cases that are neither finished nor failed."""
        self.gone: set[Case] = set()
        """Cases that failed in this run."""
        self.finished = 0
        self.failed = 0
        self._of_round: list[tuple[Case, str, int]] = []

    def open(self, earlier: Mapping[Case, CaseResult], activate: Callable[[Case, CaseResult | None], Active]) -> None:
        """Load every case of the plan that ``earlier`` does not show as finished or failed."""
        for case in self._plan.cases:
            known = earlier.get(case)
            if known and (known.finished or known.failure):
                self.finished += known.finished
                self.failed += known.failure is not None
            else:
                self.active[case] = activate(case, known)

    def note(self, text: str) -> None:
        """A note on the run."""
        self._records.note(text)

    def round_begins(self) -> None:
        """The next samples are of a new round."""
        self._of_round.clear()

    def mark_round(self, target: str, reason: str) -> None:
        """The times of this round on that target must not be quoted, for that reason. What was marked before keeps its
        mark."""
        found = [each for each in self._of_round if each[0].target == target]
        self._records.mark(found, reason)

    def keep(self, visit: Visit, number: int, position: int) -> int:
        """Store the result of a visit. Returns the number of samples of a metric, which are numbered as if each round
        had one.

        ``number``: of the round. ``position``: of the visit in it.
        """
        case, readings = visit.case, visit.outcome
        item = self.active[case]
        if isinstance(readings, ProbeFailure):
            self.fail(case, readings.kind, readings.message)
            return 1
        taken: Counter[str] = Counter()
        samples = []
        # Samples of a process that gives several are numbered in order, not by round.
        first = item.numbers if isinstance(item, TimedCase) and visit.invocation is not None else None
        for series, raw, batch in readings:
            place = taken[series.metric]
            begin = number if first is None else first[series.metric]
            mark = item.marks[place] if isinstance(item, TimedCase) and series.metric in DISTURBED else ""
            sample = Sample(begin + place, raw, batch, position, visit.at, visit.invocation, mark)
            samples.append((series, sample))
            if series.metric in SLOWED:
                self._of_round.append((case, series.metric, sample.round))
            taken[series.metric] += 1
        if first is not None:
            first.update(taken)
            taken.clear()
        # One transaction for the visit: a sample is stored whole or not at all.
        self._records.samples(case, samples)
        self._progress.sampled(case, self._state())
        return max(taken.values(), default=1)

    def finish(self, case: Case, notes: list[str]) -> None:
        """Mark the case as finished."""
        self._records.finish(case, notes)
        del self.active[case]
        self.finished += 1

    def fail(self, case: Case, kind: FailureKind, message: str, vector: str | None = None) -> None:
        """Mark the case as failed, with the reason."""
        # Greetings and similar requests have their own time limits.
        ours = kind is FailureKind.TIMEOUT and f"within {self._plan.policy.timeout:.3g} s" in message
        longer = "; --timeout allows more" if ours else ""
        failure = Failure.of_case(case, kind, message + longer, vector)
        self._records.fail(case, failure)
        self._progress.failed(failure)
        self.gone.add(case)
        del self.active[case]
        self.failed += 1

    def keep_energy(self, case: Case, found: CaseEnergy) -> None:
        """Store the energy of a case. If it failed, the times stay."""
        at = self._budget.seconds()
        numbers: Counter[str] = Counter()
        samples = []
        for series, raw, batch in found.readings:
            samples.append((series, Sample(numbers[series.metric], raw, batch, 0, at)))
            numbers[series.metric] += 1
        if samples:
            self._records.samples(case, samples)
        for note in found.notes:
            self._records.note(note, case)
        if found.failure is not None:
            failure = Failure.of_case(case, *found.failure)
            self._records.failure(failure)
            self._progress.failed(failure)
            self.failed += 1

    def lose(self, message: str) -> None:
        """Fail every case that is left."""
        for case in list(self.active):
            self.fail(case, FailureKind.LOST, message)

    def _state(self) -> RunState:
        total = len(self._plan.cases)
        begun = sum(
            min(1.0, len(item.values) / least(self._plan, case, item.values)) for case, item in self.active.items()
        )
        ended = self.finished + self.failed
        budget = self._seconds
        # The fewest samples are most of the work. How many more are needed is unknown, but the budget limits them.
        spent = min(1.0, self._budget.charged() / budget)
        share = 0.7 * (begun + ended) / total + 0.3 * max(ended / total, spent)
        if all(item.taken for item in self.active.values()):  # nothing but the budget is waited for
            share = max(share, spent)
        return RunState(self.finished, total, share, self._budget.seconds(), budget + self._plan.preparation)
