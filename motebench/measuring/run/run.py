"""A run: its stages one after the other, the lanes of a stage all at once, and the environment at its end.

A single lane is carried out in the thread of the run, several in a thread each.
"""

from __future__ import annotations

import queue
import time
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Any, Protocol

from motebench.base.errors import MotebenchError
from motebench.base.model import Case, CaseResult
from motebench.measuring.plan.plan import Plan
from motebench.measuring.run.context import Interrupt
from motebench.measuring.run.lane import Lane, LaneTask
from motebench.measuring.run.progress import Progress, WholeProgress
from motebench.measuring.run.records import ForwardedRecords, LaneEntry, Records, StoredRecords
from motebench.measuring.work.proof import Consensus
from motebench.measuring.work.readings import Meter
from motebench.store import Store
from motebench.targets.machine import describe
from motebench.targets.wire.stream import end_probes

_LOOK_SECONDS = 0.2


@dataclass(frozen=True, slots=True)
class BegunRun:
    """A run in the store that is about to be measured.

    seed: of the random orders. earlier: the results that it has. first_round: number of the next round.
    """

    id: int
    seed: int
    earlier: Mapping[Case, CaseResult] = field(default_factory=dict)
    first_round: int = 0


class Carrier(Protocol):
    """Has lanes carried out by other processes."""

    def split(self, plan: Plan) -> list[Plan]:
        """A lane, by what may be measured apart."""
        ...

    def takes(self, plan: Plan) -> bool:
        """Whether a lane is for other processes."""
        ...

    def carry(self, work: LaneTask, send: Callable[[LaneEntry], None], interrupt: Interrupt) -> None:
        """Have it carried out; ``send`` gets its entries, each once and in order. KeyboardInterrupt where the run is
        interrupted."""
        ...


@dataclass(frozen=True)
class RunMeans:
    """Means of a run beside its targets.

    ``meters``: power meters, by target. ``carrier``: gives lanes to other processes. ``threads``:
    simulated boards at once; None: one per processor.
    """

    meters: Mapping[str, Meter] = field(default_factory=dict)
    carrier: Carrier | None = None
    threads: int | None = None


class Runner:
    """Carries out a plan and writes the results to the store, sample by sample."""

    def __init__(
        self, plan: Plan, begun: BegunRun, store: Store, progress: Progress, means: RunMeans | None = None
    ) -> None:
        self._plan, self._begun, self._store = plan, begun, store
        self._progress, self._means = progress, means or RunMeans()
        self._interrupt = Interrupt()
        self._lanes = _Lanes(self._interrupt, self._means)
        self._records = StoredRecords(store, begun.id)

    def run(self) -> bool:
        """Measure every case that has not finished or failed earlier. Whether the run was interrupted."""
        interrupted = False
        try:
            with self._interrupt.watched():
                self._measure()
        except KeyboardInterrupt:
            interrupted = True
        self._store.set_environment_end(self._begun.id, self._environment())
        self._store.finish_run(self._begun.id, "interrupted" if interrupted else "finished")
        for target in self._plan.targets.values():
            target.place.close()
        return interrupted

    def _measure(self) -> None:
        """Carry out the stages; each gets the time that earlier ones left."""
        plan, records = self._plan, self._records
        weights = [max(len(lane.cases) for lane in stage) for stage in plan.stages]
        start, spent, first = time.monotonic(), 0.0, 0
        whole = WholeProgress(
            self._progress, len(plan.cases), plan.budget + plan.preparation, lambda: time.monotonic() - start
        )
        for number, stage in enumerate(plan.stages):
            seconds = plan.budget * sum(weights[: number + 1]) / sum(weights) - spent
            tasks = [self._task(lane, seconds) for lane in self._lanes.split(stage)]
            alone = len(plan.stages) == len(tasks) == 1
            listeners = [self._progress if alone else whole.lane(first + place) for place in range(len(tasks))]
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
        )

    def _environment(self) -> dict[str, Any]:
        """Environment at the end of the run: of this machine, and of every other place that reports its
        conditions."""
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
        """The lanes of a stage, as they are carried out."""
        return [part for lane in stage for part in (self._carrier.split(lane) if self._carrier else [lane])]

    def carry_out(self, tasks: Sequence[LaneTask], records: Records, progress: Sequence[Progress]) -> None:
        """Return when all have ended. KeyboardInterrupt, after all have ended, where the run is interrupted.

        Only the calling thread touches ``records`` and ``progress``: one listener for each lane.
        """
        if len(tasks) == 1 and not self._carried(tasks[0]):
            Lane(tasks[0], records, progress[0], self._interrupt, self._consensus, self._threads).run()
            return
        entries: queue.SimpleQueue[tuple[int, LaneEntry]] = queue.SimpleQueue()
        with ThreadPoolExecutor(len(tasks), thread_name_prefix="lane") as pool:
            futures = [pool.submit(self._lane, task, number, entries) for number, task in enumerate(tasks)]
            interrupted = False
            while True:
                ended = all(future.done() for future in futures)
                try:
                    _take(entries, records, progress, wait=not ended)
                except KeyboardInterrupt:
                    interrupted = True
                except BaseException:
                    self._interrupt.end()
                    end_probes()
                    raise
                if ended and entries.empty():
                    break
                self._interrupt.hurry()
        if self._interrupt.came or interrupted:
            raise KeyboardInterrupt
        for future in futures:
            future.result()

    def _lane(self, task: LaneTask, number: int, entries: queue.SimpleQueue[tuple[int, LaneEntry]]) -> None:
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
    entries: queue.SimpleQueue[tuple[int, LaneEntry]], records: Records, progress: Sequence[Progress], *, wait: bool
) -> None:
    try:
        number, entry = entries.get(timeout=_LOOK_SECONDS) if wait else entries.get_nowait()
    except queue.Empty:
        return
    entry.apply(records, progress[number])
