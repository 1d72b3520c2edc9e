"""Runs: begun or taken up again in the store; stages one after the other, the lanes of a stage all
at once.

A single lane is carried out in the thread of the run, several in a thread each.
"""

from __future__ import annotations

import queue
import time
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass, field
from typing import Any, Protocol

from motebench.base.errors import IncomparableError, InputError, MotebenchError, StoreError
from motebench.base.model import Case, CaseResult, Failure, Run
from motebench.base.naming import probe_key
from motebench.measuring.plan.plan import Plan
from motebench.measuring.run.context import Interrupt, WorkLimit
from motebench.measuring.run.lane import Lane, LaneTask
from motebench.measuring.run.records import (
    ForwardedRecords,
    LaneEntry,
    Progress,
    Records,
    StoredRecords,
    WholeProgress,
)
from motebench.measuring.study.load import from_text
from motebench.measuring.study.model import SamplingPolicy, policy_from
from motebench.measuring.study.question import Question, with_placements
from motebench.measuring.work.proof import Consensus
from motebench.measuring.work.readings import Meter
from motebench.store import Store
from motebench.targets.base import Target
from motebench.targets.code.building import UserCode
from motebench.targets.machine import describe, differences
from motebench.targets.revision import code_revision, own_revision, pinned_facts
from motebench.targets.wire.messages import Hello
from motebench.version import __version__

_LOOK_SECONDS = 0.2


@dataclass(frozen=True, slots=True)
class BegunRun:
    """A run in the store that is about to be measured.

    seed: of the random orders. earlier: the results that it has. first_round: number of the next
    round.
    """

    id: int
    seed: int
    earlier: Mapping[Case, CaseResult] = field(default_factory=dict)
    first_round: int = 0


class Carrier(Protocol):
    """Executor of lanes in other processes."""

    def split(self, plan: Plan) -> list[Plan]:
        """Parts of a lane that may be measured apart."""
        ...

    def takes(self, plan: Plan) -> bool:
        """True if a lane is for other processes."""
        ...

    def carry(
        self, work: LaneTask, send: Callable[[LaneEntry], None], interrupt: Interrupt
    ) -> None:
        """Have it carried out; ``send`` gets its entries, each once and in order. KeyboardInterrupt
        where the run is interrupted."""
        ...


@dataclass(frozen=True)
class RunMeans:
    """Instruments, workers and limits of a run.

    ``meters``: power meters, by target. ``carrier``: gives lanes to other processes. ``threads``:
    simulated boards at once; None: one per processor. ``limit``: of the processor time of the
    samples. ``interrupt``: ends it.
    """

    meters: Mapping[str, Meter] = field(default_factory=dict)
    carrier: Carrier | None = None
    threads: int | None = None
    limit: WorkLimit | None = None
    interrupt: Interrupt = field(default_factory=Interrupt)


class Runner:
    """Carries out a plan and writes the results to the store, sample by sample."""

    def __init__(
        self,
        plan: Plan,
        begun: BegunRun,
        store: Store,
        progress: Progress,
        means: RunMeans | None = None,
    ) -> None:
        self._plan, self._begun, self._store = plan, begun, store
        self._progress, self._means = progress, means or RunMeans()
        self._interrupt = self._means.interrupt
        self._lanes = _Lanes(self._interrupt, self._means)
        self._records = StoredRecords(store, begun.id)

    def run(self) -> bool:
        """Measure every case that has not finished or failed earlier. Whether the run was
        interrupted.
        """
        interrupted = False
        try:
            with self._interrupt.watched():
                self._measure()
        except KeyboardInterrupt:
            interrupted = True
        self._store.set_environment_end(self._begun.id, self._environment())
        left = self._means.limit is not None and bool(self._store.unfinished(self._begun.id))
        self._store.finish_run(self._begun.id, "interrupted" if interrupted or left else "finished")
        return interrupted

    def _measure(self) -> None:
        """Carry out the stages; each gets the time that earlier ones left."""
        plan, records = self._plan, self._records
        weights = [max(len(lane.cases) for lane in stage) for stage in plan.stages]
        start, spent, first = time.monotonic(), 0.0, 0
        whole = WholeProgress(
            self._progress,
            len(plan.cases),
            plan.budget + plan.preparation,
            lambda: time.monotonic() - start,
        )
        for number, stage in enumerate(plan.stages):
            seconds = plan.budget * sum(weights[: number + 1]) / sum(weights) - spent
            tasks = [self._task(lane, seconds) for lane in self._lanes.split(stage)]
            alone = len(plan.stages) == len(tasks) == 1
            listeners = [
                self._progress if alone else whole.lane(first + place)
                for place in range(len(tasks))
            ]
            records.seconds = 0.0
            self._lanes.carry_out(tasks, records, listeners)
            spent += records.seconds
            for place, task in enumerate(tasks):
                whole.over(first + place, len(task.plan.cases))
            first += len(tasks)

    def _task(self, lane: Plan, seconds: float) -> LaneTask:
        begun = self._begun
        return LaneTask(
            lane,
            {case: begun.earlier[case] for case in lane.cases if case in begun.earlier},
            begun.first_round,
            begun.seed,
            seconds,
            {name: meter for name, meter in self._means.meters.items() if name in lane.targets},
            self._means.limit,
        )

    def _environment(self) -> dict[str, Any]:
        """Environment at the end of the run: of this machine, and of every other place that reports
        its conditions."""
        environment: dict[str, Any] = describe()
        for name, facts in self._records.facts.items():
            if not self._plan.targets[name].place.environment():
                environment.update(facts)
            elif facts:
                environment.setdefault("machines", {})[name] = facts
        return environment


class _Lanes:
    """Carries out the lanes of a stage, and gives those to a carrier that it takes."""

    def __init__(self, interrupt: Interrupt, means: RunMeans) -> None:
        self._interrupt, self._consensus = interrupt, Consensus()
        self._carrier, self._threads = means.carrier, means.threads

    def split(self, stage: Sequence[Plan]) -> list[Plan]:
        """Lanes of a stage, split as they are executed."""
        return [
            part
            for lane in stage
            for part in (self._carrier.split(lane) if self._carrier else [lane])
        ]

    def carry_out(
        self, tasks: Sequence[LaneTask], records: Records, progress: Sequence[Progress]
    ) -> None:
        """Return when all have ended. KeyboardInterrupt, after all have ended, where the run is
        interrupted.

        Only the calling thread touches ``records`` and ``progress``: one listener for each lane.
        """
        if len(tasks) == 1 and not self._carried(tasks[0]):
            Lane(
                tasks[0], records, progress[0], self._interrupt, self._consensus, self._threads
            ).run()
            return
        entries: queue.SimpleQueue[tuple[int, LaneEntry]] = queue.SimpleQueue()
        with ThreadPoolExecutor(len(tasks), thread_name_prefix="lane") as pool:
            futures = [
                pool.submit(self._lane, task, number, entries) for number, task in enumerate(tasks)
            ]
            interrupted = False
            while True:
                ended = all(future.done() for future in futures)
                try:
                    _take(entries, records, progress, wait=not ended)
                except KeyboardInterrupt:
                    interrupted = True
                except BaseException:
                    self._interrupt.end()
                    self._interrupt.hurry()
                    raise
                if ended and entries.empty():
                    break
                self._interrupt.hurry()
        if self._interrupt.came or interrupted:
            raise KeyboardInterrupt
        for future in futures:
            future.result()

    def _lane(
        self, task: LaneTask, number: int, entries: queue.SimpleQueue[tuple[int, LaneEntry]]
    ) -> None:
        """A board that fails costs its own cases."""

        def send(entry: LaneEntry) -> None:
            entries.put((number, entry))

        if self._carrier is not None and self._carried(task):
            try:
                self._carrier.carry(task, send, self._interrupt)
            except KeyboardInterrupt:
                if not self._interrupt.came:
                    raise
            return
        sink = ForwardedRecords(send)
        lane = Lane(task, sink, sink, self._interrupt, self._consensus, self._threads)
        try:
            lane.run()
        except KeyboardInterrupt:
            if not self._interrupt.came:
                raise
        except MotebenchError as error:
            lane.fail_rest(error)

    def _carried(self, task: LaneTask) -> bool:
        return self._carrier is not None and self._carrier.takes(task.plan)


def _take(
    entries: queue.SimpleQueue[tuple[int, LaneEntry]],
    records: Records,
    progress: Sequence[Progress],
    *,
    wait: bool,
) -> None:
    try:
        number, entry = entries.get(timeout=_LOOK_SECONDS) if wait else entries.get_nowait()
    except queue.Empty:
        return
    entry.apply(records, progress[number])


# A run in the store


def begin_run(
    store: Store,
    plan: Plan,
    name: str | None,
    seed: int,
    belongs: Mapping[str, object] | None = None,
) -> BegunRun:
    """A new run in the store, with its cases, all to be measured. ``belongs``: settings of the
    group and the collection that it belongs to.
    """
    run_id = store.create_run(
        name=name,
        study_text=plan.question.text,
        settings={**settings_of(plan), **(belongs or {})},
        environment=environment_of(plan),
        seed=seed,
        version=__version__,
        cases=plan.cases,
    )
    for failure in plan.failures:
        store.add_failure(run_id, failure)
    return BegunRun(run_id, seed)


def settings_of(plan: Plan) -> dict[str, Any]:
    """Settings of a new run, from its plan: the question, the policy, the combinations that
    patterns left out.
    """
    question = plan.question
    return {
        **({"command": question.command} if question.command else {}),
        **({"boards": dict(question.boards)} if question.boards else {}),
        "study": question.study.title,
        "file": question.name,
        "policy": plan.policy.plain(),
        "budget_seconds": plan.budget,
        "question": question.study.model_dump_json(),
        "skipped": [asdict(item) for item in plan.skipped],
    }


def environment_of(plan: Plan) -> dict[str, Any]:
    """The environment that a run of the plan is made in."""
    return environment_at(plan.targets, plan.hellos, plan.question.workspace.code)


def environment_at(
    targets: Mapping[str, Target],
    hellos: Mapping[str, Mapping[str, Hello]],
    code: Mapping[str, UserCode],
) -> dict[str, Any]:
    """The environment at these targets: this machine, the probes by target and implementation,
    boards and user code.
    """
    environment = {**describe(), "motebench": own_revision()}
    environment["probes"] = {
        probe_key(target, name): {
            "probe": hello.probe,
            "version": hello.version,
            "compiler": hello.compiler,
            "flags": hello.flags,
            "architecture": hello.arch,
            "cpu_features": hello.cpu_features,
            "clock": asdict(hello.clock),
            "counter": asdict(hello.counter) if hello.counter else None,
            "cpu": asdict(hello.cpu) if hello.cpu else None,
            "loop": hello.loop,
            **pinned_facts(target, name, hello.version),
        }
        for target, hellos_there in hellos.items()
        for name, hello in hellos_there.items()
    }
    for name, target in targets.items():
        if facts := target.place.environment():
            kind = "machines" if target.place.device is None else "boards"
            environment.setdefault(kind, {})[name] = facts
    if codes := {
        name: {**own.facts(), "revision": code_revision(own.folder)} for name, own in code.items()
    }:
        environment["code"] = codes
    return environment


def asked_of(run: Run) -> tuple[Question, SamplingPolicy]:
    """The question and the policy that a stored run keeps. StoreError if they cannot be read."""
    text, stored = run.info.settings.get("question"), run.info.settings.get("policy")
    try:
        if not isinstance(text, str) or not isinstance(stored, dict):
            raise ValueError("its study or its settings are missing")
        policy = policy_from(stored)
        # Its places are targets of its own already.
        question = with_placements(from_text(text, run.info.name), 1, "--resume")
    except (ValueError, RecursionError) as error:
        raise StoreError(
            f"run {run.info.name} cannot be resumed: {' '.join(str(error).split())[:300]}",
            where="--store",
            hint="start a new run",
        ) from None
    return question, policy


def plan_of_rest(run: Run, policy: SamplingPolicy, plan: Plan) -> Plan:
    """The plan of a stored run: its own cases and policy, with the targets and offers of a plan
    made now.
    """
    gone = [
        result.case
        for result in run.results
        if not _there(plan, result.case) and not result.finished
    ]
    if gone:
        raise InputError(
            f"run {run.info.name} has {len(gone)} unfinished cases that cannot be measured here "
            f"now, for example {gone[0]}",
            hint="motebench doctor shows what is installed; or start a new run with what is "
            "available",
        )
    cases = tuple(result.case for result in run.results)
    return Plan(plan.question, policy, cases, (), (), plan.targets, plan.offers, plan.hellos)


def _there(plan: Plan, case: Case) -> bool:
    offered = plan.offers.get(case.target, {}).get(case.provider)
    return offered is not None and (case.operation.value == "copy-file" or case.scheme in offered)


def same_machine(run: Run, plan: Plan) -> None:
    """Samples of two machines, or of two versions of a library, must not be mixed in one case."""
    now = environment_of(plan)
    changes = [str(item) for item in differences(run.info.environment, now)]
    before = run.info.environment.get("probes") or {}
    for name, probe in now["probes"].items():
        was = before.get(name, {})
        changes += [
            f"{name} {key}: {was.get(key)} -> {probe[key]}"
            for key in ("version", "compiler", "flags")
            if was.get(key) != probe[key]
        ]
    if changes:
        raise IncomparableError(
            f"run {run.info.name} was measured in a different environment: {'; '.join(changes)}",
            hint="start a new run",
        )


def same_processes(run: Run, plan: Plan) -> None:
    """IncomparableError for samples of a process without a stored number, as earlier versions took
    them: they cannot be assigned to their process.
    """
    for result in run.results:
        samples = next((series.samples for series in result.series if series.metric == "time"), ())
        if (
            plan.jit(result.case)
            and not result.finished
            and any(sample.invocation is None for sample in samples)
        ):
            raise IncomparableError(
                f"run {run.info.name} was started by an earlier version, which measured "
                f"{result.case.implementation} in one process",
                hint="start a new run",
            )


def to_retry(run: Run) -> list[Failure]:
    """Failures of a run whose cases may succeed when they are tried again
    (`FailureKind.of_surroundings`).

    A case that an instrument could not meter counts where it has no energy at all.
    """
    failures = [result.failure for result in run.results if result.failure is not None]
    metered = {
        result.case.id
        for result in run.results
        if any(series.metric == "energy" for series in result.series)
    }
    timed = {result.case.id for result in run.results if result.finished} - metered
    failures += [failure for failure in run.failures if failure.id in timed]
    return [failure for failure in failures if failure.kind.of_surroundings]


def tried_again(store: Store, run: Run) -> Run:
    """The run without the failures that are tried again, in the store too."""
    again = to_retry(run)
    if not again:
        return run
    store.forget_failures(run.info.id, again)
    return store.load_run(run.info.id)
