"""The run itself: check answers, visit unfinished cases until all are finished or time is up, read energy."""

from __future__ import annotations

import random
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from motebench.environment import describe
from motebench.model import Case, CaseResult
from motebench.runner.active import Activation, last_invocation
from motebench.runner.book import Book
from motebench.runner.budget import Budget
from motebench.runner.energy import Meter
from motebench.runner.energy_pass import EnergyPass
from motebench.runner.files import ScratchFolder
from motebench.runner.gate import Gate
from motebench.runner.interrupt import Interrupt
from motebench.runner.pacing import Pacing
from motebench.runner.plan import Plan
from motebench.runner.pool import Pool
from motebench.runner.progress import Progress
from motebench.runner.proof import Consensus
from motebench.runner.rounds import Rounds
from motebench.runner.schedule import parts
from motebench.store import Store
from motebench.targets.stream import end_probes


@dataclass
class Outcome:
    """The end of a run."""

    finished: int
    failed: int
    interrupted: bool


class Runner:
    """Carries out a plan and writes the results to the store, sample by sample."""

    def __init__(
        self, plan: Plan, store: Store, run_id: int, seed: int, progress: Progress, meter: Meter | None = None
    ) -> None:
        self._plan, self._progress, self._meter = plan, progress, meter
        self._random = random.Random(seed)
        self._conditions = {
            name: target.place.conditions(plan.policy.cpu, seed) for name, target in plan.targets.items()
        }
        self._scratch = ScratchFolder(plan.question.study.whole_file)
        self._pool, self._interrupt, self._consensus = Pool(plan.targets), Interrupt(), Consensus()
        self._budget = Budget(plan)
        pacing = Pacing(self._budget, plan.policy.timeout)
        self._activation = Activation(plan, self._conditions, self._scratch, pacing)
        self._book = Book(plan, store, run_id, progress, self._budget)

    def run(self, earlier: Mapping[Case, CaseResult], first_round: int) -> Outcome:
        """Measure every case that ``earlier`` does not show as finished or failed."""
        interrupted = False
        try:
            with self._interrupt.watched():
                self._measure(earlier, first_round)
        except KeyboardInterrupt:
            interrupted = True
        finally:
            self._pool.close()
            self._scratch.close()
        for conditions in self._conditions.values():
            for note in conditions.notes():
                self._book.note(note)
        self._book.close(self._environment(), interrupted=interrupted)
        return Outcome(self._book.finished, self._book.failed, interrupted)

    def _measure(self, earlier: Mapping[Case, CaseResult], first_round: int) -> None:
        plan, book, budget = self._plan, self._book, self._budget
        book.open(earlier, self._activation.activate)
        gate = Gate(plan, self._pool, book, self._progress, self._interrupt, self._hurry)
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
            self._random,
            first_invocation,
        )
        budget.begin()
        share, total = 0, len(book.active)
        for part in parts(book.active, lambda target: plan.targets[target].place.sharing):
            with budget.stopped():  # checking answers does not count against the budget
                gate.check(part)
            share += len(part.cases)  # each part gets the time that earlier parts left
            rounds.sample(part, first_round, plan.budget * share / total)
        if self._meter is not None:
            energy = EnergyPass(plan, self._pool, book, self._progress, self._consensus, self._activation)
            energy.read(self._meter, earlier, self._interrupt.check)

    def _hurry(self) -> None:
        """After Ctrl-C: a board may compute for minutes, and its thread would wait for it."""
        if self._interrupt.came:
            end_probes()

    def _environment(self) -> dict[str, Any]:
        """The environment at the end of the run: of this machine, and of every other place that reports its
        conditions."""
        found: dict[str, Any] = describe()
        for name, conditions in self._conditions.items():
            facts = conditions.facts()
            if not self._plan.targets[name].place.environment():
                found.update(facts)
            elif facts:
                found.setdefault("machines", {})[name] = facts
        return found


def earlier_results(results: Iterable[CaseResult]) -> dict[Case, CaseResult]:
    """The results of an interrupted run, by case."""
    return {result.case: result for result in results}
