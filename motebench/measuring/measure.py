"""The way of a question: planned, proved, measured, stored. Open this file first: `measure` is the
whole of it.

| step | in detail |
| --- | --- |
| a study file or options become a question | `study.load` |
| its targets are opened, and asked what they offer | `plan.plan`, `plan.offers` |
| the question becomes cases | `plan.plan`, `plan.cases` |
| a run is begun: question, environment and cases are stored | `run.run` |
| each lane of the run: known answers, then samples, then energy | `run.lane` |
| every sample is stored as it is taken | `run.records`, `store` |
| stored samples become values with intervals | `results` |
| tables, reports, exports | `show`, `cli` |

`motebench.measuring.request` makes such tasks of what users ask for: one run, a group of runs, the
rest of either.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

from motebench.base.model import Run
from motebench.measuring.instruments.metering import PowerMeter
from motebench.measuring.plan.offers import RemoteTargets
from motebench.measuring.plan.plan import FoundTargets, Plan, find_targets, make_plan, metered
from motebench.measuring.run.context import Interrupt, WorkLimit
from motebench.measuring.run.records import Progress
from motebench.measuring.run.run import (
    BegunRun,
    Carrier,
    RunMeans,
    Runner,
    asked_of,
    begin_run,
    plan_of_rest,
    same_machine,
    same_processes,
    tried_again,
)
from motebench.measuring.study.model import SamplingPolicy
from motebench.measuring.study.question import Question
from motebench.results.groups import GROUP, GroupSession, Turn
from motebench.store import Store


def measure(
    place: Store | str | os.PathLike[str],
    task: RunTask,
    progress: Progress,
    workers: RemoteWorkers | None = None,
    interrupt: Interrupt | None = None,
) -> RunEnd:
    """Make or finish one run, and store every sample when it is taken.

    place: a store, or the path or SQLAlchemy URL of one, which is made if there is none. What can
    be refused is refused before anything is written. workers: other processes that measure. Ctrl-C,
    or `interrupt`, ends the run in order, and `RunEnd.interrupted` says so; before the run has
    begun it is a KeyboardInterrupt. Errors: `base.errors`.
    """
    question = task.question  # a study with resolved names
    targets = task.found or find_targets(
        question, probes=task.probes, asking=progress.asking, remote=workers
    )
    try:
        return _measured(place, task, targets, progress, workers, interrupt)
    finally:
        targets.close()


def _measured(
    place: Store | str | os.PathLike[str],
    task: RunTask,
    targets: FoundTargets,
    progress: Progress,
    workers: RemoteWorkers | None,
    interrupt: Interrupt | None,
) -> RunEnd:
    """The run on targets that were asked."""
    plan = task.plan(targets)
    means = RunMeans(
        meters_of(plan.policy, metered(plan.targets)),
        workers,
        task.threads,
        task.limit,
        interrupt or Interrupt(),
    )
    with _opened(place) as store:
        begun = task.begin(store, plan, progress)
        runner = Runner(plan, begun, store, progress, means)
        # Lanes are measured in parallel. A lane proves a part of its cases with known answers,
        # samples it, and so with each part; at last it reads energy. What it finds is stored at
        # once.
        interrupted = runner.run()
        return RunEnd(store.load_run(begun.id), interrupted)


@dataclass(frozen=True, slots=True)
class RunEnd:
    """Stored run, from which `motebench.results` computes values, and True if Ctrl-C ended it."""

    run: Run
    interrupted: bool


class RemoteWorkers(RemoteTargets, Carrier, Protocol):
    """Processes that measure elsewhere: a `motebench.measuring.fleet.crew.Crew`."""


class RunTask(Protocol):
    """A `NewRun`, or the `RestOfRun`."""

    @property
    def question(self) -> Question:
        """The question that the run answers."""
        ...

    @property
    def probes(self) -> Sequence[Path] | None:
        """Folders of the host's probes, instead of the usual ones."""
        ...

    @property
    def threads(self) -> int | None:
        """Simulated boards at once; None: one per processor."""
        ...

    @property
    def found(self) -> FoundTargets | None:
        """Targets, if they were asked before; None otherwise."""
        ...

    @property
    def limit(self) -> WorkLimit | None:
        """The limit of the processor time of the samples."""
        ...

    def plan(self, targets: FoundTargets) -> Plan:
        """The plan of the run. Errors where it cannot be measured."""
        ...

    def begin(self, store: Store, plan: Plan, progress: Progress) -> BegunRun:
        """The run in the store, ready to be measured."""
        ...


@dataclass(frozen=True, slots=True)
class NewRun:
    """A run to make. ``group``: the session of runs that it belongs to, and its turn.
    ``collection``: as in `motebench.measuring.request.Start`. See `RunTask`.
    """

    question: Question
    name: str | None
    seed: int
    group: tuple[GroupSession, Turn] | None = None
    probes: Sequence[Path] | None = None
    threads: int | None = None
    found: FoundTargets | None = None
    limit: WorkLimit | None = None
    collection: Mapping[str, object] = field(default_factory=dict)

    def plan(self, targets: FoundTargets) -> Plan:
        """The plan, its instruments checked."""
        plan = make_plan(targets)
        for target, meter in meters_of(plan.policy, metered(plan.targets)).items():
            if target not in targets.remote:  # else the instrument is there, too
                meter.check()
        return plan

    def settings(self) -> dict[str, object]:
        """Settings that the run keeps of its group and its collection."""
        group = {} if self.group is None else {GROUP: self.group[0].settings(self.group[1])}
        return {**group, **({"collection": dict(self.collection)} if self.collection else {})}

    def begin(self, store: Store, plan: Plan, progress: Progress) -> BegunRun:
        """A run without samples."""
        progress.planned(plan)
        store.tell(progress.waiting)
        return begin_run(store, plan, self.name, self.seed, self.settings())


@dataclass(frozen=True, slots=True)
class RestOfRun:
    """Cases that a stored run lacks. See `RunTask`."""

    run: Run
    question: Question
    policy: SamplingPolicy
    probes: Sequence[Path] | None = None
    threads: int | None = None
    found: FoundTargets | None = None
    limit: WorkLimit | None = None

    @classmethod
    def of(
        cls, run: Run, probes: Sequence[Path] | None = None, limit: WorkLimit | None = None
    ) -> RestOfRun:
        """Rest of that run. StoreError if the run does not contain its question."""
        question, policy = asked_of(run)
        return cls(run, question, policy, probes, limit=limit)

    def plan(self, targets: FoundTargets) -> Plan:
        """The run's own cases. IncomparableError where its samples must not be mixed with new
        ones.
        """
        plan = plan_of_rest(self.run, self.policy, make_plan(targets))
        same_machine(self.run, plan)
        same_processes(self.run, plan)
        return plan

    def begin(self, store: Store, plan: Plan, progress: Progress) -> BegunRun:
        """Run with its results so far. Finished cases stay unchanged; cases that failed for reasons
        outside the implementation are tried again.
        """
        del plan
        store.tell(progress.waiting)
        run = tried_again(store, self.run)
        first_round = store.next_round(run.info.id)
        # A fresh order for what is left: repeating the first rounds' order would favour whoever
        # went first then.
        seed = run.info.seed + first_round
        return BegunRun(
            run.info.id, seed, {result.case: result for result in run.results}, first_round
        )


def meters_of(policy: SamplingPolicy, targets: Sequence[str]) -> dict[str, PowerMeter]:
    """Power meters by target, where a policy asks for them. ``targets``: those that have power to
    read.
    """
    names = policy.instruments or ({targets[0]: policy.instrument} if policy.instrument else {})
    return {
        target: PowerMeter(name, policy.voltage, policy.energy) for target, name in names.items()
    }


def _opened(place: Store | str | os.PathLike[str]) -> AbstractContextManager[Store]:
    return nullcontext(place) if isinstance(place, Store) else Store.open(place, create=True)
