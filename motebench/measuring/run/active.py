"""Cases as a run measures them: what it knows of each from its plan, and from what was measured before."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial

from motebench.base.model import Case, CaseResult, Evidence, Operation, Series
from motebench.base.units import MAIN
from motebench.measuring.plan.plan import Plan
from motebench.measuring.run.context import LaneContext
from motebench.measuring.run.cores_case import CoresCase
from motebench.measuring.run.file_case import FileCase, ScratchFolder
from motebench.measuring.run.timed_case import TimedCase
from motebench.measuring.verify.admission import remarks_on
from motebench.results import invocations
from motebench.stats import FEWEST_EQUAL, converged, repeats_exactly
from motebench.targets.base import Place, Session
from motebench.targets.session import pace, pace_note
from motebench.targets.wire.messages import Hello, Job, ProbeFailure

Active = TimedCase | FileCase
FEWEST_FOR_INTERVAL = 6
"""The median of fewer samples has no distribution-free 95 % interval."""


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
            at_once=min(_fewest_equal(place), policy.max_samples) if place.exact else 1,
            values=values,
            jit=plan.jit(case),
        )
        made.stolen = self._context.conditions[case.target].stolen(pinned=not (made.jit or case.cores))
        if case.cores:
            made.memory_samples = policy.memory_samples
        return made

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
        self, target: str, tolerance: float, session: Session, job: Job, hello: Hello, seconds: float
    ) -> str:
        """Compare the clock of a board with this machine's, once in a lane; a remark for readers, or an empty text.

        ``tolerance``: of the rate of its clock. ``seconds``: duration of one iteration of the job.
        """
        if target not in self._remarks_on_clocks:
            self._remarks_on_clocks[target] = ""
            # This time does not count against the budget, and the case is judged by its own requests.
            with self._context.budget.stopped(), suppress(ProbeFailure):
                timeout = self._plan.policy.timeout
                measured = pace(session, job, hello.clock.hz, seconds=seconds, timeout=timeout)
                self._remarks_on_clocks[target] = "" if measured is None else pace_note(measured, tolerance)
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
        (len(series[name].samples) for name in ("peak_rss", "stack") if name in series), default=0
    )
    for name, of_metric in series.items():
        item.numbers[name] = sum(sample.invocation is not None for sample in of_metric.samples)


def least(plan: Plan, case: Case, values: Sequence[float]) -> int:
    """Values that a case has before it can be finished."""
    if plan.jit(case):
        return plan.policy.invocations
    # What repeats exactly is known; a board that does not repeat is measured like anything that has noise.
    place = plan.targets[case.target].place
    repeats = place.exact and len(set(values)) == 1
    return _fewest_equal(place) if repeats else plan.policy.min_samples


def enough(plan: Plan, case: Case, values: Sequence[float]) -> bool:
    """Whether the median of these values is known as precisely as asked."""
    if len(values) < least(plan, case, values):
        return False
    simulated = plan.targets[case.target].place.evidence is Evidence.SIMULATED
    return (simulated and repeats_exactly(values)) or converged(values, plan.policy.precision)


def _fewest_equal(place: Place) -> int:
    """Equal readings that show that a place repeats this case: of a simulator two, of hardware an interval's worth."""
    return FEWEST_EQUAL if place.evidence is Evidence.SIMULATED else FEWEST_FOR_INTERVAL


def last_invocation(result: CaseResult) -> int:
    """The highest number of a process that gave samples; -1 if there is none."""
    numbers = (sample.invocation for series in result.series for sample in series.samples)
    return max((number for number in numbers if number is not None), default=-1)


def _main(series: Mapping[str, Series]) -> Series | None:
    """What the case is measured in, if there are samples."""
    return next((series[name] for name in MAIN if name in series), None)


def _values(case: Case, series: Series, warmup: Series | None) -> dict[int, float]:
    """Times in ns by round, or by invocation where processes gave several, of the samples that count."""
    quiet = tuple(item for item in series.samples if not item.disturbed or case.operation.random_work)
    times = replace(series, samples=quiet)
    by_round = {item.round: (item.raw - times.overhead) * times.scale / item.batch for item in times.samples}
    return invocations.values(times, by_round, invocations.observed(times, warmup)) or by_round
