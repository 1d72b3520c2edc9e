"""The run itself: its lanes, stage by stage, and the environment at its end."""

from __future__ import annotations

import time
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from motebench.base.model import Case, CaseResult
from motebench.measuring.plan.plan import Plan
from motebench.measuring.run.energy import Meter
from motebench.measuring.run.executing import Carrier, Executor, Here
from motebench.measuring.run.interrupt import Interrupt
from motebench.measuring.run.lane import LaneTask
from motebench.measuring.run.progress import Progress
from motebench.measuring.run.records import StoredRecords, WholeProgress
from motebench.measuring.work.proof import Consensus
from motebench.store import Store
from motebench.targets.machine import describe


@dataclass
class RunOutcome:
    """The end of a run."""

    finished: int
    failed: int
    interrupted: bool


class Runner:
    """Carries out a plan and writes the results to the store, sample by sample.

    ``meters``: what reads the power of a target, by target. ``carrier``: gives lanes to other processes. ``threads``:
    simulated boards at once; None: one per processor.
    """

    def __init__(
        self,
        plan: Plan,
        store: Store,
        run_id: int,
        seed: int,
        progress: Progress,
        meters: Mapping[str, Meter] | None = None,
        carrier: Carrier | None = None,
        threads: int | None = None,
    ) -> None:
        self._plan, self._store, self._run, self._seed = plan, store, run_id, seed
        self._progress, self._meters = progress, meters or {}
        self._interrupt = Interrupt()
        self._executor: Executor = Here(self._interrupt, Consensus(), carrier, threads)
        self._kept = StoredRecords(store, run_id)

    def run(self, earlier: Mapping[Case, CaseResult], first_round: int) -> RunOutcome:
        """Measure every case that ``earlier`` does not show as finished or failed."""
        kept, interrupted = self._kept, False
        known = [earlier[case] for case in self._plan.cases if case in earlier]
        kept.finished = sum(result.finished for result in known)
        kept.failed = sum(result.failure is not None for result in known)
        try:
            with self._interrupt.watched():
                self._measure(earlier, first_round)
        except KeyboardInterrupt:
            interrupted = True
        self._store.set_environment_end(self._run, self._environment())
        self._store.finish_run(self._run, "interrupted" if interrupted else "finished")
        for target in self._plan.targets.values():
            target.place.close()
        return RunOutcome(kept.finished, kept.failed, interrupted)

    def _measure(self, earlier: Mapping[Case, CaseResult], first_round: int) -> None:
        plan, kept = self._plan, self._kept
        stages = plan.stages
        weights = [max(len(lane.cases) for lane in stage) for stage in stages]
        begun, spent, first = time.monotonic(), 0.0, 0
        whole = WholeProgress(
            self._progress, len(plan.cases), plan.budget + plan.preparation, lambda: time.monotonic() - begun
        )
        for number, lanes in enumerate(stages):
            stage = self._executor.split(lanes)
            # Each stage gets the time that earlier ones left.
            seconds = plan.budget * sum(weights[: number + 1]) / sum(weights) - spent
            works = [
                LaneTask(
                    lane,
                    {case: earlier[case] for case in lane.cases if case in earlier},
                    first_round,
                    self._seed,
                    seconds,
                    {name: meter for name, meter in self._meters.items() if name in lane.targets},
                )
                for lane in stage
            ]
            alone = len(stages) == len(works) == 1
            told = [self._progress if alone else whole.lane(first + place) for place in range(len(works))]
            kept.seconds = 0.0
            self._executor.carry_out(works, kept, told)
            spent += kept.seconds
            for place, work in enumerate(works):
                whole.over(first + place, len(work.plan.cases))
            first += len(works)

    def _environment(self) -> dict[str, Any]:
        """The environment at the end of the run: of this machine, and of every other place that reports its
        conditions."""
        found: dict[str, Any] = describe()
        for name, facts in self._kept.facts.items():
            if not self._plan.targets[name].place.environment():
                found.update(facts)
            elif facts:
                found.setdefault("machines", {})[name] = facts
        return found


def earlier_results(results: Iterable[CaseResult]) -> dict[Case, CaseResult]:
    """The results of an interrupted run, by case."""
    return {result.case: result for result in results}
