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
from motebench.measuring.run.budget import Budget
from motebench.measuring.run.energy import Meter
from motebench.measuring.run.energy_pass import EnergyPass
from motebench.measuring.run.files import ScratchFolder
from motebench.measuring.run.gate import Gate
from motebench.measuring.run.interrupt import Interrupt
from motebench.measuring.run.pacing import Pacing
from motebench.measuring.run.pool import Pool
from motebench.measuring.run.progress import Progress
from motebench.measuring.run.records import Records
from motebench.measuring.run.rounds import Rounds
from motebench.measuring.work.proof import Consensus
from motebench.targets.wire.stream import end_probes


@dataclass(frozen=True)
class LaneTask:
    """What a lane has to do: a plan with its cases and targets alone.

    ``earlier``: what the run has of its cases. ``seconds``: its budget. ``meters``: by target.
    """

    plan: Plan
    earlier: Mapping[Case, CaseResult]
    first_round: int
    seed: int
    seconds: float
    meters: Mapping[str, Meter] = field(default_factory=dict)


class Lane:
    """Measures the cases of a lane that ``earlier`` does not show as finished or failed.

    ``threads``: simulated boards at once; None: one per processor.
    """

    def __init__(
        self,
        work: LaneTask,
        records: Records,
        progress: Progress,
        interrupt: Interrupt,
        consensus: Consensus,
        threads: int | None = None,
    ) -> None:
        plan = work.plan
        self._work, self._plan, self._records, self._progress = work, plan, records, progress
        self._interrupt, self._consensus, self._threads = interrupt, consensus, threads
        self._conditions = {
            name: target.place.conditions(plan.policy.cpu, work.seed) for name, target in plan.targets.items()
        }
        self._scratch = ScratchFolder(plan.question.study.whole_file)
        self._pool = Pool(plan.targets)
        self._budget = Budget(plan)
        pacing = Pacing(self._budget, plan.policy.timeout)
        self._activation = Activation(plan, self._conditions, self._scratch, pacing)
        self._book = Book(plan, records, progress, self._budget, work.seconds)

    @property
    def unfinished(self) -> list[Case]:
        """Cases that are neither finished nor failed."""
        return list(self._book.active)

    def run(self) -> None:
        """Measure. KeyboardInterrupt where the run is interrupted, after everything is closed."""
        interrupted = False
        try:
            self._measure()
        except KeyboardInterrupt:
            interrupted = True
        finally:
            self._pool.close()
            for note in self._scratch.notes():
                self._records.note(note)
            self._scratch.close()
        for name, conditions in self._conditions.items():
            for note in conditions.notes():
                apart = self._plan.targets[name].place.apart
                self._records.note(f"{name}: {note}" if apart else note)
            self._records.ended(name, conditions.facts())
        self._records.charged(self._budget.charged())
        if interrupted:
            raise KeyboardInterrupt

    def fail_rest(self, failure: Exception) -> None:
        """Every case that has not ended fails as lost."""
        self._book.lose(" ".join(str(failure).split())[:300])

    def _measure(self) -> None:
        plan, book, budget, earlier = self._plan, self._book, self._budget, self._work.earlier
        book.open(earlier, self._activation.activate)
        gate = Gate(plan, self._pool, book, self._progress, self._interrupt, self._hurry, self._threads)
        # The processes before an interruption are gone: new samples come from other processes.
        first_invocation = 1 + max((last_invocation(result) for result in earlier.values()), default=-1)
        rounds = Rounds(
            plan,
            self._pool,
            book,
            budget,
            self._consensus,
            self._conditions,
            self._interrupt,
            self._hurry,
            random.Random(self._work.seed),
            first_invocation,
            self._threads,
        )
        budget.begin()
        share, total = 0, len(book.active)
        for part in parts(book.active, lambda target: plan.targets[target].place.sharing):
            with budget.stopped():  # checking answers does not count against the budget
                gate.check(part)
            share += len(part.cases)  # each part gets the time that earlier parts left
            rounds.sample(part, self._work.first_round, self._work.seconds * share / total)
        if self._work.meters:
            energy = EnergyPass(plan, self._pool, book, self._progress, self._consensus, self._activation)
            energy.read(self._work.meters, earlier, self._interrupt.check)

    def _hurry(self) -> None:
        """After Ctrl-C: a board may compute for minutes, and its thread would wait for it."""
        if self._interrupt.came:
            end_probes()
