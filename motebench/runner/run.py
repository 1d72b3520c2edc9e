"""The run itself: check answers, then visit unfinished cases round by round until all is known or time is up."""

from __future__ import annotations

import random
import time
from collections import Counter
from collections.abc import Callable, Generator, Iterable, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from functools import partial
from typing import TypeVar

from motebench import invocations
from motebench.environment import describe
from motebench.model import Case, CaseResult, Evidence, Failure, FailureKind, Operation, Sample, Series
from motebench.runner.abreast import abreast, cores, one_by_one
from motebench.runner.admission import Verdict, admit, remarks_on
from motebench.runner.energy import Found, Meter
from motebench.runner.files import FileCase, Workspace
from motebench.runner.interrupt import Interrupt
from motebench.runner.invocation import Asked, Visit, invoke, processes
from motebench.runner.placement import Layout, Placement, Stolen, allowed_cores
from motebench.runner.plan import Plan, metered
from motebench.runner.pool import Pool, aside
from motebench.runner.progress import Progress, State
from motebench.runner.proof import Consensus
from motebench.runner.readings import Reading
from motebench.runner.visit import TimedCase
from motebench.stats import converged
from motebench.store import Store
from motebench.targets.board import nominal_clock
from motebench.targets.host import HostTarget
from motebench.targets.stream import end_programs
from motebench.verify import gate
from motebench.verify.checking import STEP_SECONDS
from motebench.wire.messages import ProbeFailure

_FEWEST_FOR_INTERVAL = 6
"""The median of fewer samples has no distribution-free 95 % interval."""

Active = TimedCase | FileCase

DISTURBED = frozenset(("time", "ticks"))
"""Metrics that go on while the process waits: processor time and cycles of the core do not."""


Firmware = tuple[str, str, str]
"""Target, implementation and scheme: what a board holds."""
T = TypeVar("T")
R = TypeVar("R")


@dataclass(frozen=True)
class Part:
    """Cases that are measured together. ``aside``: side by side, because the clock on the wall does not matter."""

    cases: list[Case]
    aside: bool = False


def _firmware(case: Case) -> Firmware:
    return case.target, case.provider, case.scheme


def _by_firmware(cases: Iterable[Case]) -> list[list[Case]]:
    groups: dict[Firmware, list[Case]] = {}
    for case in cases:
        groups.setdefault(_firmware(case), []).append(case)
    return list(groups.values())


@dataclass
class Outcome:
    """How a run ended."""

    finished: int
    failed: int
    interrupted: bool


class Runner:
    """Carries out a plan and writes what it sees to the store, sample by sample."""

    def __init__(
        self, plan: Plan, store: Store, run_id: int, seed: int, progress: Progress, meter: Meter | None = None
    ) -> None:
        self._plan = plan
        self._known = plan.question.workspace
        self._store = store
        self._run = run_id
        self._progress = progress
        self._meter = meter
        self._random = random.Random(seed)
        self._workspace = Workspace(plan.question.study.whole_file)
        self._consensus = Consensus()
        self._pool = Pool(plan.targets)
        self._interrupt = Interrupt()
        self._begun = time.monotonic()
        self._preparation = 0.0
        self._finished = 0
        self._failed = 0
        self._noted: set[str] = set()
        self._gone: set[Case] = set()
        self._invocations = 0
        self._placed = {name: target for name, target in plan.targets.items() if isinstance(target, HostTarget)}
        self._placement = Placement(plan.policy.cpu, allowed=allowed_cores()) if self._placed else Placement.nowhere()
        # What is pinned can lose its own core only; a virtual machine never is pinned, and may be on any.
        self._stolen, self._stolen_anywhere = Stolen(), Stolen()
        layout = Layout(seed)
        for target in self._placed.values():
            target.placing.layout = layout.environment

    def run(self, earlier: Mapping[Case, CaseResult], first_round: int) -> Outcome:
        """Measure every case that ``earlier`` does not show as finished or failed."""
        interrupted = False
        # A process that a run had before it was interrupted is gone: what comes now is of others.
        self._invocations = 1 + max((_last_invocation(result) for result in earlier.values()), default=-1)
        try:
            with self._interrupt.watched():
                active = self._activate(earlier)
                self._begun = time.monotonic()
                share, total = 0, len(active)
                for part in self._parts(active):
                    begun = time.monotonic()
                    self._gate(active, part)
                    self._begun += time.monotonic() - begun  # checking answers takes nothing of the budget
                    share += len(part.cases)  # what one part leaves of its time is the next one's
                    self._rounds(active, part, first_round, self._plan.budget * share / total)
                self._read_energy(earlier)
        except KeyboardInterrupt:
            interrupted = True
        finally:
            self._pool.close()
            self._workspace.close()
        for note in self._placement.notes():
            self._store.add_note(self._run, note)
        ended = {**describe(), **({"placement": self._placement.facts()} if self._placed else {})}
        self._store.set_environment_end(self._run, ended)
        self._store.finish_run(self._run, "interrupted" if interrupted else "finished")
        return Outcome(self._finished, self._failed, interrupted)

    def _read_energy(self, earlier: Mapping[Case, CaseResult]) -> None:
        """The energy of every case that gave times, where an instrument was asked for. Of one that fails here, the
        times stay."""
        meter = self._meter
        if meter is None:
            return
        there = metered(self._plan.targets)
        known = {case for case, result in earlier.items() if result.failure or _has_energy(result)} | self._gone
        cases = [
            case
            for case in self._plan.cases
            if case.target in there and case not in known and not case.operation.on_file
        ]
        # A board holds one firmware at a time: its cases one after the other.
        for number, case in enumerate(sorted(cases, key=_firmware)):
            self._interrupt.check()
            self._progress.metering(f"{case.scheme} {case.provider} {case.operation.value}", number, len(cases))
            with self._pool.round():
                self._keep_energy(case, self._energy(meter, case))

    def _energy(self, meter: Meter, case: Case) -> Found:
        try:
            session = self._pool.session(case.target, case.provider, case.scheme)
            item = self._make(case, None)
            if isinstance(item, TimedCase) and item.jit:
                item.warm_up(session, self._consensus)
        except ProbeFailure as failure:
            return Found([], [], (failure.kind, f"energy: {failure.message}"))
        return meter.measure(session, case, self._known.schemes[case.scheme])

    def _keep_energy(self, case: Case, found: Found) -> None:
        at = self._seconds()
        numbers: Counter[str] = Counter()
        samples = []
        for series, raw, batch in found.readings:
            samples.append((series, Sample(numbers[series.metric], raw, batch, 0, at)))
            numbers[series.metric] += 1
        if samples:
            self._store.add_samples(self._run, case, samples)
        for note in found.notes:
            self._store.add_note(self._run, note, case)
        if found.failure is not None:
            failure = Failure.of_case(case, *found.failure)
            self._store.add_failure(self._run, failure)
            self._progress.failed(failure)
            self._failed += 1

    def _activate(self, earlier: Mapping[Case, CaseResult]) -> dict[Case, Active]:
        active: dict[Case, Active] = {}
        for case in self._plan.cases:
            known = earlier.get(case)
            if known and (known.finished or known.failure):
                self._finished += known.finished
                self._failed += known.failure is not None
                continue
            active[case] = self._make(case, known)
        return active

    def _make(self, case: Case, known: CaseResult | None) -> Active:
        series = {item.metric: item for item in known.series} if known else {}
        timed = series.get("time")
        samples = timed.samples if timed else ()
        values = list(_values(case, timed, series.get("warmup_time")).values()) if timed else []
        if case.operation.on_file:
            copy = case.operation is Operation.COPY_FILE
            scheme = None if copy else self._known.schemes[case.scheme]
            offer = None if copy else self._plan.offers[case.target][case.provider][case.scheme]
            return FileCase(case, scheme, offer, Evidence.MEASURED, self._workspace, values, len(values))
        offer = self._plan.offers[case.target][case.provider][case.scheme]
        policy = self._plan.policy
        limits = (policy.batch, policy.timeout, policy.warmup)
        target = self._plan.targets[case.target]
        at_once = min(_FEWEST_FOR_INTERVAL, policy.max_samples) if target.exact else 1
        made = TimedCase(
            case, self._known.schemes[case.scheme], offer, target.evidence, *limits, target.exact, at_once, values
        )
        made.taken = len({item.invocation for item in samples} - {None}) or len(samples)
        made.clock_tolerance, remark = nominal_clock(target)
        made.notes += [remark] if remark else []
        code = self._known.code_of(case.provider)
        made.notes += [] if code is None else remarks_on(code, case.scheme)
        made.jit = self._plan.jit(case)
        if case.target in self._placed and not target.exact:
            made.stolen = (self._stolen_anywhere if made.jit else self._stolen).seconds
        if samples:
            made.batch = samples[-1].batch
        made.memory_samples = max(
            (len(series[name].samples) for name in ("peak_rss", "stack") if name in series), default=0
        )
        for name, item in series.items():
            made.numbers[name] = sum(sample.invocation is not None for sample in item.samples)
        return made

    def _place(self) -> None:
        """Choose the core of the next round."""
        if not self._placed:
            return
        core = self._placement.next_round()
        self._stolen.cores = None if core is None else (core,)
        for target in self._placed.values():
            target.placing.core = core

    def _parts(self, active: Iterable[Case]) -> list[Part]:
        """What is measured together, one part after the other.

        Simulated boards come first, side by side: they disturb nobody then, and need few samples. Each firmware of a
        board that holds one at a time is a part by itself. What depends on the time it is measured at is interleaved.
        """
        counted, measured = Part([], aside=True), Part([])
        alone: dict[Firmware, Part] = {}
        for case in active:
            target = self._plan.targets[case.target]
            if target.one_image:
                alone.setdefault(_firmware(case), Part([])).cases.append(case)
            else:
                (counted if aside(target) else measured).cases.append(case)
        return [part for part in (counted, *alone.values(), measured) if part.cases]

    def _each(self, part: Part, work: Callable[[T], R], items: Sequence[T]) -> Generator[R]:
        """``work`` of each item, in their order."""
        return abreast(work, items, cores(), self._hurry) if part.aside else one_by_one(work, items)

    def _hurry(self) -> None:
        """After Ctrl-C: a simulated board may compute for minutes, and its thread would wait for it."""
        if self._interrupt.came:
            end_programs()

    def _gate(self, active: dict[Case, Active], part: Part) -> None:
        """Known answers first: what fails them is a failure, and its cases are not timed."""
        groups = _by_firmware(case for case in part.cases if case.operation is not Operation.COPY_FILE)
        names = [f"{cases[0].scheme} {cases[0].provider}" for cases in groups]
        if names:
            self._progress.checking(names[0], 0, len(names))
        with self._pool.round(), closing(self._each(part, partial(self._admit, part), groups)) as results:
            for done, verdict in enumerate(results):
                self._interrupt.check()
                self._progress.checking(names[done], done + 1, len(names))
                for note in verdict.notes:
                    if note not in self._noted:
                        self._noted.add(note)
                        self._store.add_note(self._run, note)
                refused = verdict.refused
                if refused is not None:
                    for case in groups[done]:
                        self._fail(active, case, refused.kind, refused.message, refused.vector)

    def _admit(self, part: Part, cases: Sequence[Case]) -> Verdict:
        """Whether these cases, all of one firmware or probe, may be timed."""
        target, provider, scheme = _firmware(cases[0])
        if self._interrupt.came:
            return Verdict(None)
        code = self._known.code_of(provider)
        try:
            session = self._pool.session(target, provider, scheme if part.aside else "")
            limit = self._plan.policy.timeout
            if code is None:
                seconds = limit if self._plan.targets[target].exact else STEP_SECONDS
                return Verdict(gate(session, scheme, target=target, implementation=provider, seconds=seconds))
            seconds = min(STEP_SECONDS, limit)
            verdict = admit(code, session, scheme, target=target, implementation=provider, seconds=seconds)
            return Verdict(verdict.refused, (*code.remarks, *verdict.notes))
        except ProbeFailure as failure:
            return Verdict(Failure(scheme, provider, target, failure.kind, failure.message))

    def _rounds(self, active: dict[Case, Active], part: Part, first_round: int, limit: float) -> None:
        """Visit the cases of a part until each is finished, or ``limit`` seconds are charged."""
        number = first_round
        while order := [case for case in part.cases if case in active]:
            self._random.shuffle(order)
            position = {case: place for place, case in enumerate(order)}
            apart = self._plan.policy.runtime == "apart"
            groups = _by_firmware(order) if part.aside else processes(order, self._plan.jit, apart=apart)
            work = partial(self._visits, active, limit)
            most = 1
            if not part.aside:
                self._place()
            with self._pool.round(), closing(self._each(part, work, groups)) as results:
                for visits in results:
                    for visit in visits:
                        most = max(most, self._keep(active, visit, number, position[visit.case]))
                    self._interrupt.check()
            for case in order:
                if case in active:
                    self._finish_if_enough(active, case, out_of_time=self._ended(case, limit))
            number += most

    def _visits(self, active: Mapping[Case, Active], limit: float, cases: Sequence[Case]) -> Iterable[Visit]:
        """One visit of each case; nothing is stored yet."""
        if self._plan.jit(cases[0]):
            return self._invocation(active, limit, cases)
        visits = []
        for case in cases:
            # When time is up, only cases that have nothing yet are still visited.
            if self._interrupt.came or (self._charged() >= limit and active[case].taken):
                continue
            at = self._seconds()
            try:
                visits.append(Visit(case, at, self._read(active[case])))
            except ProbeFailure as failure:
                visits.append(Visit(case, at, failure))
        return visits

    def _invocation(self, active: Mapping[Case, Active], limit: float, cases: Sequence[Case]) -> Iterable[Visit]:
        """The visits of cases of one process with a just-in-time compiler, each when it is asked for."""

        def spent(seconds: float) -> None:
            self._preparation += seconds

        asked = Asked(
            gone=lambda item: self._interrupt.came or item.case not in active,
            late=lambda item: self._ended(item.case, limit) and bool(item.taken),
            now=self._seconds,
            spent=spent,
            random=self._random,
            memory_samples=self._plan.policy.memory_samples,
        )
        number = self._invocations
        self._invocations += 1
        items = [item for item in (active[case] for case in cases) if isinstance(item, TimedCase)]
        return invoke(items, number, self._pool, self._consensus, asked)

    def _keep(self, active: dict[Case, Active], visit: Visit, number: int, position: int) -> int:
        """Store what a visit gave. How many samples of a metric it has, which are numbered as one a round would be."""
        case, at, readings = visit.case, visit.at, visit.outcome
        item = active[case]
        if isinstance(readings, ProbeFailure):
            self._fail(active, case, readings.kind, readings.message)
            return 1
        taken: Counter[str] = Counter()
        samples = []
        # Samples of a process that gives several are numbered in their order, not by round.
        first = item.numbers if isinstance(item, TimedCase) and visit.invocation is not None else None
        for series, raw, batch in readings:
            place = taken[series.metric]
            begin = number if first is None else first[series.metric]
            mark = item.marks[place] if isinstance(item, TimedCase) and series.metric in DISTURBED else ""
            sample = Sample(begin + place, raw, batch, position, at, visit.invocation, mark)
            samples.append((series, sample))
            taken[series.metric] += 1
        if first is not None:
            first.update(taken)
            taken.clear()
        # One transaction for the visit: a sample is stored whole or not at all.
        self._store.add_samples(self._run, case, samples)
        self._progress.sampled(case, self._state(active))
        return max(taken.values(), default=1)

    def _read(self, item: Active) -> list[Reading]:
        if isinstance(item, FileCase):
            return item.visit(self._pool)
        readings = item.visit(self._pool, self._consensus)
        most = self._plan.policy.memory_samples
        if item.memory_samples < (min(most, 1) if item.exact else most):
            readings += item.memory(self._pool)
        return readings

    def _finish_if_enough(self, active: dict[Case, Active], case: Case, *, out_of_time: bool) -> None:
        policy, values = self._plan.policy, active[case].values
        jit, taken = self._plan.jit(case), active[case].taken
        enough = len(values) >= self._least(case, values) and converged(values, policy.precision)
        # Of invocations that were disturbed throughout, as many again are tried.
        most = 2 * policy.invocations if jit else policy.max_samples
        if not (enough or out_of_time or taken >= most or (jit and len(values) >= policy.invocations)):
            return
        item = active[case]
        notes = list(item.notes) if isinstance(item, TimedCase) else []
        if not enough:
            units = "invocations" if jit else "samples"
            why = f"the most {units} allowed were taken" if len(values) >= most else "the time was up"
            notes.append(f"{why} before the interval was as narrow as asked ({policy.precision:.3g})")
            if len(values) < _FEWEST_FOR_INTERVAL:
                notes.append(f"{len(values)} {units} are too few for an interval")
        self._store.finish_case(self._run, case, notes)
        del active[case]
        self._finished += 1

    def _least(self, case: Case, values: Sequence[float]) -> int:
        """Values that a case has before it can be finished."""
        if self._plan.jit(case):
            return self._plan.policy.invocations
        # What repeats exactly is known; a board that does not repeat is measured like anything that has noise.
        repeats = self._plan.targets[case.target].exact and len(set(values)) == 1
        return _FEWEST_FOR_INTERVAL if repeats else self._plan.policy.min_samples

    def _fail(
        self, active: dict[Case, Active], case: Case, kind: FailureKind, message: str, vector: str | None = None
    ) -> None:
        # Greetings and the like have time limits of their own.
        ours = kind is FailureKind.TIMEOUT and f"within {self._plan.policy.timeout:.3g} s" in message
        longer = "; --timeout allows more" if ours else ""
        failure = Failure.of_case(case, kind, message + longer, vector)
        self._store.fail_case(self._run, case, failure)
        self._progress.failed(failure)
        self._gone.add(case)
        del active[case]
        self._failed += 1

    def _state(self, active: Mapping[Case, Active]) -> State:
        total = len(self._plan.cases)
        begun = sum(min(1.0, len(item.values) / self._least(case, item.values)) for case, item in active.items())
        ended = self._finished + self._failed
        budget = self._plan.budget
        # The fewest samples are most of the work; how many more it takes nobody knows, but the budget ends it.
        share = 0.7 * (begun + ended) / total + 0.3 * max(ended / total, min(1.0, self._charged() / budget))
        return State(self._finished, total, share, self._seconds(), budget + self._plan.preparation)

    def _seconds(self) -> float:
        return time.monotonic() - self._begun

    def _ended(self, case: Case, limit: float) -> bool:
        """Whether the time of a case is up. Only a budget that was set takes away invocations, whose number is known
        before."""
        if self._plan.jit(case) and self._plan.policy.budget is None:
            return False
        return self._charged() >= limit

    def _charged(self) -> float:
        """Seconds that count against the budget: not those of processes with a just-in-time compiler, unless it was
        set."""
        beside = self._preparation if self._plan.policy.budget is None else 0.0
        return self._seconds() - beside


def _has_energy(result: CaseResult) -> bool:
    return any(series.metric == "energy" for series in result.series)


def _last_invocation(result: CaseResult) -> int:
    """The highest number of a process that gave samples; -1 if there is none."""
    numbers = (sample.invocation for series in result.series for sample in series.samples)
    return max((number for number in numbers if number is not None), default=-1)


def _values(case: Case, series: Series, warmup: Series | None) -> dict[int, float]:
    """Times in ns by round, or by invocation where processes gave several, of the samples that count."""
    quiet = tuple(item for item in series.samples if not item.disturbed or case.operation.random_work)
    times = replace(series, samples=quiet)
    by_round = {item.round: (item.raw - times.overhead) * times.scale / item.batch for item in times.samples}
    return invocations.values(times, by_round, invocations.observed(times, warmup)) or by_round


def earlier_results(results: Iterable[CaseResult]) -> dict[Case, CaseResult]:
    """What an interrupted run already holds, by case."""
    return {result.case: result for result in results}
