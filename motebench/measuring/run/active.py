"""Cases as a run measures them: what it knows of each from its plan, and from what was measured before."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial

from motebench.base.metrics import MAIN
from motebench.base.model import Case, CaseResult, Evidence, Operation, Series
from motebench.measuring.plan.plan import Plan
from motebench.measuring.run.cores import CoresCase
from motebench.measuring.run.files import FileCase, ScratchFolder
from motebench.measuring.run.pacing import Pacing
from motebench.measuring.run.visit import TimedCase
from motebench.measuring.verify.admission import remarks_on
from motebench.results import invocations
from motebench.stats import FEWEST_EQUAL, converged, repeats_exactly
from motebench.targets.base import Conditions, Place

Active = TimedCase | FileCase
FEWEST_FOR_INTERVAL = 6
"""The median of fewer samples has no distribution-free 95 % interval."""


class Activation:
    """Makes the active cases of one run. ``conditions``: of its places, by target."""

    def __init__(
        self, plan: Plan, conditions: Mapping[str, Conditions], scratch: ScratchFolder, pacing: Pacing
    ) -> None:
        self._plan, self._conditions, self._scratch, self._pacing = plan, conditions, scratch, pacing

    def activate(self, case: Case, known: CaseResult | None) -> Active:
        """The case, with what is known of it."""
        series = {item.metric: item for item in known.series} if known else {}
        timed = _main(series)
        values = list(_values(case, timed, series.get("warmup_time")).values()) if timed else []
        return self._file(case, values) if case.operation.on_file else self._timed(case, series, values)

    def _file(self, case: Case, values: list[float]) -> FileCase:
        if case.operation is Operation.COPY_FILE:
            return FileCase(case, None, None, Evidence.MEASURED, self._scratch, values, len(values))
        scheme = self._plan.question.workspace.schemes[case.scheme]
        offer = self._plan.offers[case.target][case.provider][case.scheme]
        return FileCase(case, scheme, offer, Evidence.MEASURED, self._scratch, values, len(values))

    def _timed(self, case: Case, series: Mapping[str, Series], values: list[float]) -> TimedCase:
        plan, known = self._plan, self._plan.question.workspace
        policy, place = plan.policy, plan.targets[case.target].place
        offer = plan.offers[case.target][case.provider][case.scheme]
        limits = (policy.batch, policy.timeout, policy.warmup)
        at_once = min(_fewest_equal(place), policy.max_samples) if place.exact else 1
        kind = CoresCase if case.cores else TimedCase
        made = kind(case, known.schemes[case.scheme], offer, place.evidence, *limits, place.exact, at_once, values)
        timed = _main(series)
        samples = timed.samples if timed else ()
        made.taken = len({item.invocation for item in samples} - {None}) or len(samples)
        made.clock_tolerance, remark = place.clock()
        made.notes += [remark] if remark else []
        if made.clock_tolerance:
            made.paced = partial(self._pacing.told, case.target, made.clock_tolerance)
        code = known.code_of(case.provider)
        made.notes += [] if code is None else remarks_on(code, case.scheme)
        made.jit = plan.jit(case)
        made.stolen = self._conditions[case.target].stolen(pinned=not (made.jit or case.cores))
        if case.cores:
            told = place.cores_shared(case.cores)
            made.notes += [told] if told else []
            made.memory_samples = policy.memory_samples
            return made
        if samples:
            made.batch = samples[-1].batch
        made.memory_samples = max(
            (len(series[name].samples) for name in ("peak_rss", "stack") if name in series), default=0
        )
        for name, item in series.items():
            made.numbers[name] = sum(sample.invocation is not None for sample in item.samples)
        return made


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
