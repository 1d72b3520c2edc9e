"""Lanes of a run: the cases of one place's hardware, from known answers to energy.

Known answers come first. A scheme that fails them is a failure, and its cases are not timed. Then
come rounds: the unfinished cases are visited, in a new random order each time, until each has
enough samples. The energy of each case is read in a last pass, if there is an instrument.

An *invocation* is a fresh process with a just-in-time compiler: all its cases are warmed up, in
random order, and then measured in another one. By then the compiler has seen all of them, as in an
application that uses several.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field, replace
from functools import partial
from random import Random

from motebench.base.model import Case, CaseResult, Failure, FailureKind, Operation
from motebench.base.naming import unplaced
from motebench.measuring.plan.cases import LanePart, by_started, parts, processes, started
from motebench.measuring.plan.plan import Plan
from motebench.measuring.run.book import (
    FEWEST_FOR_INTERVAL,
    Activation,
    Active,
    Book,
    Visit,
    last_invocation,
    least,
    precision_of,
)
from motebench.measuring.run.context import Budget, Interrupt, LaneContext, Pool, WorkLimit
from motebench.measuring.run.file_case import FileCase, ScratchFolder
from motebench.measuring.run.records import Progress, Records
from motebench.measuring.run.timed_case import TimedCase
from motebench.measuring.verify import gate
from motebench.measuring.verify.admission import AdmissionVerdict, admit
from motebench.measuring.verify.checking import STEP_SECONDS
from motebench.measuring.work.proof import Consensus
from motebench.measuring.work.readings import CaseEnergy, Meter, Reading
from motebench.results.slow_phases import STUCK
from motebench.targets.code.folder import KEYED
from motebench.targets.wire.messages import ProbeFailure


@dataclass(frozen=True)
class InvocationContext:
    """Questions of an invocation to the run it belongs to.

    ``gone``: the case has failed, or the run is interrupted; ``late``: the time that was set is up,
    and the case has a value; ``spent``: takes the seconds that went into the process.
    """

    gone: Callable[[TimedCase], bool]
    late: Callable[[TimedCase], bool]
    now: Callable[[], float]
    spent: Callable[[float], None]
    random: Random
    memory_samples: int

    def wants(self, item: TimedCase) -> bool:
        """True if the case is still to be visited."""
        return not (self.gone(item) or self.late(item))


def invoke(
    items: Sequence[TimedCase],
    number: int,
    pool: Pool,
    consensus: Consensus,
    context: InvocationContext,
) -> Iterator[Visit]:
    """Visits of the items in the process with that number, each when it is complete."""
    items = [item for item in items if context.wants(item)]
    if not items:
        return
    first = items[0].case
    at, begun = context.now(), time.monotonic()
    try:
        session = pool.fresh(first.target, first.provider)
    except ProbeFailure as failure:
        yield from (Visit(item.case, at, failure) for item in items)
        return
    context.spent(time.monotonic() - begun)
    warm, measured = [], []
    try:
        for item in items:
            if context.wants(item):
                visit = _visit(item, context, partial(item.warm_up, session, consensus))
                if isinstance(visit.outcome, ProbeFailure):
                    yield visit
                else:
                    warm.append(item)
        context.random.shuffle(warm)
        alone = len(items) == 1
        for item in warm:
            if context.wants(item):
                measured.append(item)
                yield _visit(
                    item, context, partial(item.invoked, session, consensus, alone=alone), number
                )
    finally:
        session.close()
    for item in measured:
        if item.memory_samples < context.memory_samples and not context.gone(item):
            yield _visit(item, context, partial(item.memory, pool))


def _visit(
    item: TimedCase,
    context: InvocationContext,
    work: Callable[[], list[Reading]],
    number: int | None = None,
) -> Visit:
    at, begun = context.now(), time.monotonic()
    try:
        return Visit(item.case, at, work(), number)
    except ProbeFailure as failure:
        return Visit(item.case, at, failure)
    finally:
        context.spent(time.monotonic() - begun)


class Rounds:
    """Samples the parts of a lane. ``first_invocation``: number of the first process with a
    just-in-time compiler."""

    def __init__(
        self, context: LaneContext, book: Book, random: Random, first_invocation: int
    ) -> None:
        self._context, self._plan, self._book, self._random = context, context.plan, book, random
        self._next_invocation = first_invocation

    def sample(self, part: LanePart, first_round: int, limit: float) -> None:
        """Visit the cases of a part until each is finished, or ``limit`` seconds are charged."""
        active, number = self._book.active, first_round
        while order := [case for case in part.cases if case in active]:
            if self._context.budget.over:
                for case in order:
                    self._finish_if_enough(case, out_of_time=True)
                return
            self._random.shuffle(order)
            number += self._round(part, order, number, limit)
            for case in order:
                if case in active:
                    out_of_time = self._context.budget.ended(case, limit)
                    self._finish_if_enough(case, out_of_time=out_of_time)

    def _round(self, part: LanePart, order: Sequence[Case], number: int, limit: float) -> int:
        """Visit these cases in their order. The most samples of a case, each of which counts as a
        round."""
        apart = self._plan.policy.runtime == "apart"
        groups = (
            by_started(order) if part.parallel else processes(order, self._plan.jit, apart=apart)
        )
        watched = [] if part.parallel else [*{case.target: None for case in order}]
        for target in watched:
            self._context.conditions[target].next_round()
        counts = {case: len(self._book.active[case].values) for case in order}
        self._book.round_begins()
        results = self._context.each(partial(self._visits, limit), groups, parallel=part.parallel)
        with self._context.pool.round(), closing(results) as visits:
            try:
                return self._keep(
                    visits, part, {case: place for place, case in enumerate(order)}, number
                )
            finally:  # what is stored of a round is marked even if the run is interrupted in it
                self._look_back(watched, counts)

    def _keep(
        self,
        groups: Iterable[Iterable[Visit]],
        part: LanePart,
        position: Mapping[Case, int],
        number: int,
    ) -> int:
        """Store visits when they are complete; return the most samples of a case, at least 1."""
        most = 1
        for visits in groups:
            for visit in visits:
                if isinstance(visit.outcome, ProbeFailure):
                    # a probe that an interruption ended has not failed
                    self._context.interrupt.check()
                most = max(most, self._book.keep(visit, number, position[visit.case]))
                if part.parallel and visit.case in self._book.active:
                    self._finish_if_enough(visit.case, out_of_time=False)
            self._context.interrupt.check()
        return most

    def _look_back(self, targets: Sequence[str], counts: Mapping[Case, int]) -> None:
        """Mark a round during which something slowed the clock of its place: its samples do not
        count.

        ``counts``: number of values that each case had before.
        """
        for target in targets:
            reason = self._context.conditions[target].round_ended()
            if reason:
                self._book.mark_round(target, reason)
                for case, count in counts.items():
                    if (
                        case.target == target
                        and case in self._book.active
                        and not case.operation.random_work
                    ):
                        del self._book.active[case].values[count:]

    def _visits(self, limit: float, cases: Sequence[Case]) -> Iterable[Visit]:
        """One visit of each case; nothing is stored yet."""
        if self._plan.jit(cases[0]):
            return self._invocation(limit, cases)
        visits, active, budget = [], self._book.active, self._context.budget
        for case in cases:
            # When time is up, only cases that have nothing yet are still visited.
            late = budget.charged() >= limit and active[case].taken
            if self._context.interrupt.came or budget.over or late:
                continue
            at, begun, lost = budget.seconds(), time.monotonic(), None
            try:
                visits.append(Visit(case, at, self._read(active[case])))
            except ProbeFailure as failure:
                lost = failure
                visits.append(Visit(case, at, failure))
            budget.visited(begun, apart=bool(self._context.place(case.target).apart), failure=lost)
        return visits

    def _invocation(self, limit: float, cases: Sequence[Case]) -> Iterable[Visit]:
        """Visits of cases of one process with a just-in-time compiler, each on demand."""
        budget = self._context.budget
        questions = InvocationContext(
            gone=lambda item: (
                self._context.interrupt.came or budget.over or item.case not in self._book.active
            ),
            late=lambda item: budget.ended(item.case, limit) and bool(item.taken),
            now=budget.seconds,
            spent=budget.prepared,
            random=self._random,
            memory_samples=self._plan.policy.memory_samples,
        )
        number = self._next_invocation
        self._next_invocation += 1
        items = [
            item
            for item in (self._book.active[case] for case in cases)
            if isinstance(item, TimedCase)
        ]
        return invoke(items, number, self._context.pool, self._context.consensus, questions)

    def _read(self, item: Active) -> list[Reading]:
        pool = self._context.pool
        if isinstance(item, FileCase):
            return item.visit(pool)
        readings = item.visit(pool, self._context.consensus)
        most = self._plan.policy.memory_samples
        if item.memory_samples < (min(most, 1) if item.exact else most):
            readings += item.memory(pool)
        return readings

    def _finish_if_enough(self, case: Case, *, out_of_time: bool) -> None:
        item, policy = self._book.active[case], self._plan.policy
        values, jit = item.values, self._plan.jit(case)
        precision = precision_of(self._plan, case, values, self._book.precisions)
        # Of invocations that were disturbed throughout, as many again are tried.
        most = 2 * policy.invocations if jit else policy.max_samples
        ended = out_of_time or item.taken >= most or (jit and len(values) >= policy.invocations)
        if not (precision.reached or ended or (precision.stuck and not jit)):
            return
        if out_of_time and item.taken < most and self._waits(case, values):
            self._book.leave(case)
            return
        notes = list(item.notes) if isinstance(item, TimedCase) else []
        if not precision.reached:
            notes += _short_of(
                policy.precision, len(values), most, jit=jit, stuck="" if ended else precision.stuck
            )
        self._book.finish(case, notes)

    def _waits(self, case: Case, values: Sequence[float]) -> bool:
        """True if a case whose time is up is left for another call: it has too few values."""
        return self._context.budget.strict and len(values) < least(self._plan, case, values)


def _short_of(precision: float, count: int, most: int, *, jit: bool, stuck: str) -> list[str]:
    """Notes on a case that ended before it reached the requested precision."""
    units = "invocations" if jit else "samples"
    if stuck:
        return [f"{STUCK} {stuck}; ±{100 * precision:.3g} % was asked for"]
    why = f"the largest number of {units} was reached" if count >= most else "the time was up"
    notes = [f"{why} before the interval was narrow enough ({precision:.3g})"]
    if count < FEWEST_FOR_INTERVAL:
        notes.append(f"{count} {units} are too few for an interval")
    return notes


class EnergyPass:
    """Reads the energy of every case that gave times, after the rounds."""

    def __init__(self, context: LaneContext, book: Book, activation: Activation) -> None:
        self._context, self._book, self._activation = context, book, activation

    def read(self, meters: Mapping[str, Meter], earlier: Mapping[Case, CaseResult]) -> None:
        """``meters``: by target. ``earlier``: results that the run had before it was resumed."""
        context = self._context
        ended = {
            case for case, result in earlier.items() if result.failure or _has_energy(result)
        } | self._book.gone
        cases = [
            case
            for case in context.plan.cases
            if case.target in meters
            and case not in ended
            and not (case.operation.on_file or case.cores)
        ]
        # A board has one firmware at a time: its cases are measured one after the other.
        for number, case in enumerate(sorted(cases, key=started)):
            context.interrupt.check()
            context.progress.metering(
                f"{case.scheme} {case.provider} {case.operation.value}", number, len(cases)
            )
            with context.pool.round():
                energy = self._energy(meters[case.target], case)
                context.interrupt.check()  # a probe that an interruption ended has not failed
                self._book.keep_energy(case, energy)

    def _energy(self, meter: Meter, case: Case) -> CaseEnergy:
        context = self._context
        if case in self._book.changing:
            return CaseEnergy(
                [], ["no energy: it would be that of the same input, which takes another time"]
            )
        try:
            session = context.pool.session(case.target, case.provider, case.scheme)
            item = self._activation.activate(case, None)
            if isinstance(item, TimedCase) and item.jit:
                item.warm_up(session, context.consensus)
        except ProbeFailure as failure:
            return CaseEnergy([], [], (failure.kind, f"energy: {failure.message}"))
        return meter.measure(session, case, context.plan.question.workspace.schemes[case.scheme])


def _has_energy(result: CaseResult) -> bool:
    return any(series.metric == "energy" for series in result.series)


def _checked(cases: Iterable[Case]) -> list[list[Case]]:
    """Cases in groups that share one check; a plain copy has no known answers."""
    return by_started(case for case in cases if case.operation is not Operation.COPY_FILE)


def _at_usual_place(groups: Sequence[Sequence[Case]]) -> dict[int, int]:
    """The group of the same code at the usual place, for each group with its code elsewhere that
    follows it."""
    places: dict[tuple[str, str, str], int] = {}
    usual_places = {}
    for place, cases in enumerate(groups):
        target, provider, scheme = started(cases[0])
        places[target, provider, scheme] = place
        usual = places.get((unplaced(target), provider, scheme), place)
        if usual != place:
            usual_places[place] = usual
    return usual_places


def _named(cases: Sequence[Case]) -> str:
    """Name of a group of cases for readers."""
    return f"{cases[0].scheme} {cases[0].provider}"


class Gate:
    """Checks the answers of each part of a lane."""

    def __init__(self, context: LaneContext, book: Book) -> None:
        self._context, self._plan, self._pool, self._book = (
            context,
            context.plan,
            context.pool,
            book,
        )
        self._total = len(_checked(book.active))
        self._built = self._done = 0

    def check(self, part: LanePart) -> None:
        """Fail the cases of the part that must not be timed. Firmware is built before, which is
        most of the work."""
        groups = _checked(part.cases)
        with self._pool.round():
            unbuilt = self._build_all(part, groups)
            self._admit_all(part, groups, unbuilt)
        if groups:
            self._tell_checking(groups[-1])

    def _build_all(self, part: LanePart, groups: Sequence[Sequence[Case]]) -> dict[int, Failure]:
        """Failures of the groups whose firmware cannot be built, by their place."""
        unbuilt: dict[int, Failure] = {}
        if not groups or not self._firmware(groups[0]):
            return unbuilt
        builds = self._context.each(partial(self._build, part), groups, parallel=part.parallel)
        with closing(builds) as results:
            self._tell_building(groups[0])
            for place, failure in enumerate(results):
                self._context.interrupt.check()
                self._built += 1
                if place + 1 < len(groups):
                    self._tell_building(groups[place + 1])
                if failure is not None:
                    unbuilt[place] = failure
        return unbuilt

    def _admit_all(
        self, part: LanePart, groups: Sequence[Sequence[Case]], unbuilt: Mapping[int, Failure]
    ) -> None:
        """Check known answers of each group that was built. Code at another place has the verdict
        of the default place: it is the same code, and the output of each timed operation must equal
        that of the default place.
        """
        usual = _at_usual_place(groups)
        admitted = [
            cases
            for place, cases in enumerate(groups)
            if place not in unbuilt and place not in usual
        ]
        answers = self._context.each(partial(self._admit, part), admitted, parallel=part.parallel)
        verdicts: list[AdmissionVerdict] = []
        with closing(answers) as results:
            for place, cases in enumerate(groups):
                self._tell_checking(cases)
                if place in unbuilt:
                    verdicts.append(AdmissionVerdict(unbuilt[place]))
                elif place in usual:
                    verdicts.append(replace(verdicts[usual[place]], notes=()))
                else:
                    verdicts.append(next(results))
                self._context.interrupt.check()
                self._done += 1
                self._keep(verdicts[place], cases)

    def _tell_building(self, cases: Sequence[Case]) -> None:
        self._context.progress.building(_named(cases), self._built, self._total)

    def _tell_checking(self, cases: Sequence[Case]) -> None:
        self._context.progress.checking(_named(cases), self._done, self._total)

    def _keep(self, verdict: AdmissionVerdict, cases: Sequence[Case]) -> None:
        for note in verdict.notes:
            self._book.note(note)
        refused = verdict.refused
        if refused is not None:
            for case in cases:
                self._book.fail(case, refused.kind, refused.message, refused.vector)
            return
        for case in cases:
            if case.input_bytes % verdict.step or case.aad_bytes % verdict.step:
                self._book.fail(case, FailureKind.CRASH, verdict.others)

    def _firmware(self, cases: Sequence[Case]) -> bool:
        """True if something has to be built for each scheme."""
        return self._plan.targets[cases[0].target].place.device is not None

    def _build(self, part: LanePart, cases: Sequence[Case]) -> Failure | None:
        """Build the firmware of these cases and start it; return the failure, if any."""
        name, provider, scheme = started(cases[0])
        if self._context.interrupt.came:
            return None
        try:
            _ = self._pool.session(name, provider, scheme if part.parallel else "").hello_of(scheme)
        except ProbeFailure as failure:
            return Failure(scheme, provider, name, failure.kind, failure.message)
        return None

    def _admit(self, part: LanePart, cases: Sequence[Case]) -> AdmissionVerdict:
        """Check whether these cases, which need the same program, may be timed."""
        name, provider, scheme = started(cases[0])
        if self._context.interrupt.came:
            return AdmissionVerdict(None)
        code = self._plan.question.workspace.code_of(provider)
        target = self._plan.targets[name]
        try:
            session = self._pool.session(name, provider, scheme if part.parallel else "")
            limit = self._plan.policy.timeout
            if code is None:
                seconds = limit if target.place.exact else STEP_SECONDS
                return AdmissionVerdict(
                    gate(session, scheme, target=name, implementation=provider, seconds=seconds)
                )
            slow = code.kind_of(scheme) in KEYED and target.place.exact
            seconds = limit if slow else min(STEP_SECONDS, limit)
            verdict = admit(
                code, session, scheme, target=target, implementation=provider, seconds=seconds
            )
            return replace(verdict, notes=(*code.remarks, *verdict.notes))
        except ProbeFailure as failure:
            return AdmissionVerdict(Failure(scheme, provider, name, failure.kind, failure.message))


@dataclass(frozen=True)
class LaneTask:
    """Task of a lane: a plan with its cases and targets alone.

    ``earlier``: results that the run has of its cases. ``seconds``: its budget. ``meters``: by
    target.
    """

    plan: Plan
    earlier: Mapping[Case, CaseResult]
    first_round: int
    seed: int
    seconds: float
    meters: Mapping[str, Meter] = field(default_factory=dict)
    limit: WorkLimit | None = None


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
            name: target.place.conditions(plan.policy.cpu, task.seed)
            for name, target in plan.targets.items()
        }
        self._context = LaneContext(
            plan,
            records,
            progress,
            interrupt,
            consensus,
            Pool(plan.targets),
            Budget(plan, task.limit),
            conditions,
            threads,
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
        """The way of each part of the lane: known answers, then samples; and at last the energy of
        all cases."""
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
        """Number of the next process: those before an interruption are gone, new samples come from
        other ones."""
        return 1 + max(
            (last_invocation(result) for result in self._task.earlier.values()), default=-1
        )

    def _record_conditions(self) -> None:
        """Record the conditions at the end, and the time that was spent."""
        context = self._context
        for name, conditions in context.conditions.items():
            apart = context.place(name).apart
            for note in conditions.notes():
                context.records.note(f"{name}: {note}" if apart else note)
            context.records.ended(name, conditions.facts())
        context.records.charged(context.budget.charged())
