"""Cases of a lane while it measures them: made active, checked for their precision, and
recorded."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial

from motebench.base.model import (
    Case,
    CaseResult,
    Evidence,
    Failure,
    FailureKind,
    Operation,
    Sample,
    Series,
)
from motebench.base.units import MAIN
from motebench.measuring.plan.plan import Plan
from motebench.measuring.run.context import LaneContext
from motebench.measuring.run.file_case import FileCase, ScratchFolder
from motebench.measuring.run.precision import CasePrecision, Precisions
from motebench.measuring.run.records import RunState
from motebench.measuring.run.timed_case import CoresCase, TimedCase
from motebench.measuring.verify.admission import remarks_on
from motebench.measuring.work.readings import CaseEnergy, Reading
from motebench.results import invocations
from motebench.stats import FEWEST_EQUAL, repeats_exactly
from motebench.stats.shift import CHANGING
from motebench.targets.base import Place, Session
from motebench.targets.code.folder import KEYED
from motebench.targets.session import pace, pace_note
from motebench.targets.wire.messages import Hello, Job, ProbeFailure

Active = TimedCase | FileCase
_KNOWN = 0.1
"""Share of the fewest samples that shows the pace."""
FEWEST_FOR_INTERVAL = 6
"""The median of fewer samples has no distribution-free 95 % interval."""
_ONCE = ("peak_rss", "stack", "hash_share")
"""Metrics that are read beside the times, in few visits or in one."""


class Activation:
    """Maker of a lane's active cases. ``scratch``: the files of whole-file cases."""

    def __init__(self, context: LaneContext, scratch: ScratchFolder) -> None:
        self._context, self._plan, self._scratch = context, context.plan, scratch
        self._remarks_on_clocks: dict[str, str] = {}

    def activate(self, case: Case, earlier: CaseResult | None) -> Active:
        """The case, with the samples that it has already."""
        series = {item.metric: item for item in earlier.series} if earlier else {}
        timed = _main(series)
        values = list(_values(case, timed, series.get("warmup_time")).values()) if timed else []
        if case.operation.on_file:
            return self._file(case, values)
        made = self._timed(case, values)
        self._describe(made)
        _resume(made, series)
        return made

    def _file(self, case: Case, values: list[float]) -> FileCase:
        if case.operation is Operation.COPY_FILE:
            return FileCase(case, None, None, Evidence.MEASURED, self._scratch, values, len(values))
        scheme = self._plan.question.workspace.schemes[case.scheme]
        offer = self._plan.offers[case.target][case.provider][case.scheme]
        return FileCase(case, scheme, offer, Evidence.MEASURED, self._scratch, values, len(values))

    def _timed(self, case: Case, values: list[float]) -> TimedCase:
        plan, policy, place = self._plan, self._plan.policy, self._context.place(case.target)
        made = (CoresCase if case.cores else TimedCase)(
            case,
            plan.question.workspace.schemes[case.scheme],
            plan.offers[case.target][case.provider][case.scheme],
            place.evidence,
            policy.batch,
            policy.timeout,
            policy.warmup,
            exact=place.exact,
            slow=self._slow(case),
            most=policy.max_samples,
            shares=policy.share is not None,
            at_once=min(_fewest_equal(place), policy.max_samples) if place.exact else 1,
            values=values,
            jit=plan.jit(case),
        )
        made.stolen = self._context.conditions[case.target].stolen(
            pinned=not (made.jit or case.cores)
        )
        if case.cores:
            made.memory_samples = policy.memory_samples
        return made

    def _slow(self, case: Case) -> bool:
        """True for keys and signatures of user code on a simulated board."""
        code = self._plan.question.workspace.code_of(case.provider)
        place = self._context.place(case.target)
        simulated = place.exact and place.evidence is Evidence.SIMULATED
        return code is not None and simulated and code.kind_of(case.scheme) in KEYED

    def _describe(self, item: TimedCase) -> None:
        """Notes on a case for readers, and the tolerance of its clock."""
        case, place = item.case, self._context.place(item.case.target)
        item.clock_tolerance, remark_on_clock = place.clock()
        if item.clock_tolerance:
            item.paced = partial(self._clock_compared, case.target, item.clock_tolerance)
        code = self._plan.question.workspace.code_of(case.provider)
        shared = place.cores_shared(case.cores) if case.cores else ""
        notes = (remark_on_clock, *([] if code is None else remarks_on(code, case.scheme)), shared)
        item.notes += filter(None, notes)

    def _clock_compared(
        self,
        target: str,
        tolerance: float,
        session: Session,
        job: Job,
        hello: Hello,
        seconds: float,
    ) -> str:
        """Compare the clock of a board with this machine's, once in a lane; a remark for readers,
        or an empty text.

        ``tolerance``: of the rate of its clock. ``seconds``: duration of one iteration of the job.
        """
        if target not in self._remarks_on_clocks:
            self._remarks_on_clocks[target] = ""
            # This time does not count against the budget, and the case is judged by its own
            # requests.
            with self._context.budget.stopped(), suppress(ProbeFailure):
                timeout = self._plan.policy.timeout
                measured = pace(session, job, hello.clock.hz, seconds=seconds, timeout=timeout)
                self._remarks_on_clocks[target] = (
                    "" if measured is None else pace_note(measured, tolerance)
                )
        return self._remarks_on_clocks[target]


def _resume(item: TimedCase, series: Mapping[str, Series]) -> None:
    """Count the samples that a case has already."""
    timed = _main(series)
    samples = timed.samples if timed else ()
    item.taken = len({sample.invocation for sample in samples} - {None}) or len(samples)
    if item.case.cores:
        return
    if samples:
        item.batch = samples[-1].batch
    item.memory_samples = max(
        (len(series[name].samples) for name in _ONCE if name in series), default=0
    )
    if "input_cycles" in series:
        others = series["input_cycles"]
        item.tell_spread([sample.raw - others.overhead for sample in others.samples])
    for name, of_metric in series.items():
        item.numbers[name] = sum(sample.invocation is not None for sample in of_metric.samples)


def least(plan: Plan, case: Case, values: Sequence[float]) -> int:
    """Values that a case has before it can be finished."""
    if plan.jit(case):
        return plan.policy.invocations
    # A value that repeats exactly is final; a board whose values differ is measured like a noisy
    # place.
    place = plan.targets[case.target].place
    repeats = place.exact and len(set(values)) == 1
    return _fewest_equal(place) if repeats else plan.policy.min_samples


def precision_of(
    plan: Plan, case: Case, values: Sequence[float], precisions: Precisions
) -> CasePrecision:
    """Precision of the median of these values, and whether more of them would help."""
    if len(values) < least(plan, case, values):
        return CasePrecision()
    simulated = plan.targets[case.target].place.evidence is Evidence.SIMULATED
    return (
        CasePrecision(reached=True)
        if simulated and repeats_exactly(values)
        else precisions.of(case, values)
    )


def _fewest_equal(place: Place) -> int:
    """Equal readings that show that a place repeats this case: of a simulator two, of hardware an
    interval's worth.
    """
    return FEWEST_EQUAL if place.evidence is Evidence.SIMULATED else FEWEST_FOR_INTERVAL


def last_invocation(result: CaseResult) -> int:
    """Highest number of a process that gave samples; -1 without samples."""
    numbers = (sample.invocation for series in result.series for sample in series.samples)
    return max((number for number in numbers if number is not None), default=-1)


def _main(series: Mapping[str, Series]) -> Series | None:
    """Series of the case's main metric, time or instructions; None without samples."""
    return next((series[name] for name in MAIN if name in series), None)


def _values(case: Case, series: Series, warmup: Series | None) -> dict[int, float]:
    """Times in ns by round, or by invocation where processes gave several, of the samples that
    count.
    """
    quiet = tuple(
        item for item in series.samples if not item.disturbed or case.operation.random_work
    )
    times = replace(series, samples=quiet)
    by_round = {
        item.round: (item.raw - times.overhead) * times.scale / item.batch for item in times.samples
    }
    return invocations.values(times, by_round, invocations.observed(times, warmup)) or by_round


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
    """Cases of a lane, and their records. One thread uses it. ``seconds``: the lane's budget."""

    def __init__(self, context: LaneContext, seconds: float) -> None:
        self._plan, self._records, self._progress = context.plan, context.records, context.progress
        self._budget, self._seconds = context.budget, seconds
        self.active: dict[Case, Active] = {}
        """Cases that are neither finished nor failed."""
        self.gone: set[Case] = set()
        """Cases that failed in this run."""
        self.changing: set[Case] = set()
        """Cases that are measured with inputs that change from call to call."""
        self.precisions = Precisions(context.plan.policy.precision)
        self.finished = 0
        self.failed = 0
        self._of_round: list[tuple[Case, str, int]] = []
        self._even: tuple[float, float] | None = None
        """Seconds, and the share of the fewest samples, from which on one reading takes as long as
        the next.
        """

    def open(
        self,
        earlier: Mapping[Case, CaseResult],
        activate: Callable[[Case, CaseResult | None], Active],
    ) -> None:
        """Load every case of the plan that ``earlier`` does not show as finished or failed."""
        for case in self._plan.cases:
            before = earlier.get(case)
            if before:
                if any(note.startswith(CHANGING) for note in before.notes):
                    self.changing.add(case)
                self.precisions.loops.load(before)
            if before and (before.finished or before.failure):
                self.finished += before.finished
                self.failed += before.failure is not None
            else:
                self.active[case] = activate(case, before)

    def note(self, text: str) -> None:
        """A note on the run."""
        self._records.note(text)

    def round_begins(self) -> None:
        """The next samples are of a new round."""
        self._of_round.clear()

    def mark_round(self, target: str, reason: str) -> None:
        """The times of this round on that target must not be quoted, for that reason. What was
        marked before keeps its mark."""
        entries = [entry for entry in self._of_round if entry[0].target == target]
        self._records.mark(entries, reason)

    def keep(self, visit: Visit, number: int, position: int) -> int:
        """Store the result of a visit. Returns the number of samples of a metric, which are
        numbered as if each round had one.

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
        first = (
            item.numbers if isinstance(item, TimedCase) and visit.invocation is not None else None
        )
        for series, raw, batch in readings:
            place = taken[series.metric]
            begin = number if first is None else first[series.metric]
            mark = (
                item.marks[place]
                if isinstance(item, TimedCase) and series.metric in DISTURBED
                else ""
            )
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
        self.precisions.loops.add(case, samples)
        self._progress.sampled(case, self._state())
        return max(taken.values(), default=1)

    def finish(self, case: Case, notes: list[str]) -> None:
        """Mark the case as finished."""
        if any(note.startswith(CHANGING) for note in notes):
            self.changing.add(case)
        self._records.finish(case, notes)
        del self.active[case]
        self.finished += 1

    def leave(self, case: Case) -> None:
        """Leave the case unchanged: another call takes its other samples."""
        del self.active[case]

    def fail(self, case: Case, kind: FailureKind, message: str, vector: str | None = None) -> None:
        """Mark the case as failed, with the reason."""
        # Greetings and similar requests have their own time limits.
        ours = (
            kind is FailureKind.TIMEOUT and f"within {self._plan.policy.timeout:.3g} s" in message
        )
        longer = "; --timeout allows more" if ours else ""
        failure = Failure.of_case(case, kind, message + longer, vector)
        self._records.fail(case, failure)
        self._progress.failed(failure)
        self.gone.add(case)
        del self.active[case]
        self.failed += 1

    def keep_energy(self, case: Case, energy: CaseEnergy) -> None:
        """Store the energy of a case. If it failed, the times stay."""
        at = self._budget.seconds()
        numbers: Counter[str] = Counter()
        samples = []
        for series, raw, batch in energy.readings:
            samples.append((series, Sample(numbers[series.metric], raw, batch, 0, at)))
            numbers[series.metric] += 1
        if samples:
            self._records.samples(case, samples)
        for note in energy.notes:
            self._records.note(note, case)
        if energy.failure is not None:
            failure = Failure.of_case(case, *energy.failure)
            self._records.failure(failure)
            self._progress.failed(failure)
            self.failed += 1

    def lose(self, message: str) -> None:
        """Fail every case that is left."""
        for case in list(self.active):
            self.fail(case, FailureKind.LOST, message)

    def _state(self) -> RunState:
        total, ended = len(self._plan.cases), self.finished + self.failed
        budget, seconds, fewest = self._seconds, self._budget.seconds(), self._fewest()
        # The fewest samples are most of the work. How many more are needed is unknown, but the
        # budget limits them.
        spent = min(1.0, self._budget.charged() / budget)
        share = 0.7 * fewest + 0.3 * max(ended / total, spent)
        if all(item.taken for item in self.active.values()):  # nothing but the budget is waited for
            share = max(share, spent)
        limit = budget + self._plan.preparation
        return RunState(
            self.finished, total, share, seconds, limit, self._rest(limit, seconds, fewest)
        )

    def _fewest(self) -> float:
        """The share of the fewest samples of all cases that is there."""
        begun = sum(
            min(1.0, len(item.values) / least(self._plan, case, item.values))
            for case, item in self.active.items()
        )
        return (begun + self.finished + self.failed) / max(len(self._plan.cases), 1)

    def _rest(self, limit: float, seconds: float, fewest: float) -> tuple[float, float] | None:
        """Seconds that are left: to the fewest samples, 0 before the pace is known, and to the
        limit.

        None where there is no limit: each case is read at least once, and simulated ones twice,
        however long that takes.
        """
        places = (target.place for target in self._plan.targets.values())
        read = all(item.taken for item in self.active.values())
        if limit <= seconds or not read or any(place.exact for place in places):
            return None
        policy = self._plan.policy
        if self._even is None and fewest >= policy.memory_samples / policy.min_samples:
            self._even = seconds, fewest  # the first rounds also read memory
        if self._even is None or fewest - self._even[1] < _KNOWN:
            return 0.0, limit - seconds
        pace = (seconds - self._even[0]) / (fewest - self._even[1])
        return min(pace * (1 - fewest), limit - seconds), limit - seconds
