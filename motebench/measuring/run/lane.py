"""One lane of a run: the cases of one place's hardware, from known answers to energy."""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import dataclass, field

from motebench.base.model import Case, CaseResult
from motebench.measuring.plan.plan import Plan
from motebench.measuring.plan.schedule import parts
from motebench.measuring.run.active import Activation, last_invocation
from motebench.measuring.run.book import Book
from motebench.measuring.run.context import Budget, Interrupt, LaneContext, Pool
from motebench.measuring.run.energy import EnergyPass
from motebench.measuring.run.file_case import ScratchFolder
from motebench.measuring.run.gate import Gate
from motebench.measuring.run.progress import Progress
from motebench.measuring.run.records import Records
from motebench.measuring.run.rounds import Rounds
from motebench.measuring.work.proof import Consensus
from motebench.measuring.work.readings import Meter


@dataclass(frozen=True)
class LaneTask:
    """Task of a lane: a plan with its cases and targets alone.

    ``earlier``: results that the run has of its cases. ``seconds``: its budget. ``meters``: by target.
    """

    plan: Plan
    earlier: Mapping[Case, CaseResult]
    first_round: int
    seed: int
    seconds: float
    meters: Mapping[str, Meter] = field(default_factory=dict)


class Lane:
    """Measures the cases of a lane that have not ended before.

    ``threads``: simulated boards at once; None: one per processor.
    """

    def __init__(
        self,
        task: LaneTask,
        records: Records,
        progress: Progress,
        interrupt: Interrupt,
        consensus: Consensus,
        threads: int | None = None,
    ) -> None:
        plan = task.plan
        conditions = {
            name: target.place.conditions(plan.policy.cpu, task.seed) for name, target in plan.targets.items()
        }
        self._context = LaneContext(
            plan, records, progress, interrupt, consensus, Pool(plan.targets), Budget(plan), conditions, threads
        )
        self._task = task
        self._scratch = ScratchFolder(plan.question.study.whole_file)
        self._activation = Activation(self._context, self._scratch)
        self._book = Book(self._context, task.seconds)

    def run(self) -> None:
        """Measure. KeyboardInterrupt where the run is interrupted, after everything is closed."""
        interrupted = False
        try:
            self._measure()
        except KeyboardInterrupt:
            interrupted = True
        finally:
            self._context.pool.close()
            for note in self._scratch.notes():
                self._context.records.note(note)
            self._scratch.close()
        self._record_conditions()
        if interrupted:
            raise KeyboardInterrupt

    def fail_rest(self, failure: Exception) -> None:
        """Every case that has not ended fails as lost."""
        self._book.lose(" ".join(str(failure).split())[:300])

    def _measure(self) -> None:
        """The way of each part of the lane: known answers, then samples; and at last the energy of all cases."""
        context, book, task = self._context, self._book, self._task
        book.open(task.earlier, self._activation.activate)
        gate = Gate(context, book)
        rounds = Rounds(context, book, random.Random(task.seed), self._first_invocation())
        context.budget.begin()
        share, total = 0, len(book.active)
        for part in parts(book.active, lambda target: context.place(target).sharing):
            with context.budget.stopped():  # checking answers does not count against the budget
                gate.check(part)
            share += len(part.cases)  # each part gets the time that earlier parts left
            rounds.sample(part, task.first_round, task.seconds * share / total)
        if task.meters:
            EnergyPass(context, book, self._activation).read(task.meters, task.earlier)

    def _first_invocation(self) -> int:
        """Number of the next process: those before an interruption are gone, new samples come from other ones."""
        return 1 + max((last_invocation(result) for result in self._task.earlier.values()), default=-1)

    def _record_conditions(self) -> None:
        """Record the conditions at the end, and the time that was spent."""
        context = self._context
        for name, conditions in context.conditions.items():
            apart = context.place(name).apart
            for note in conditions.notes():
                context.records.note(f"{name}: {note}" if apart else note)
            context.records.ended(name, conditions.facts())
        context.records.charged(context.budget.charged())
