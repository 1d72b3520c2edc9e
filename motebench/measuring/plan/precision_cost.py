"""Price of a precision, estimated from the spread of the same cases in an earlier run on this
machine: the only estimate that exists before measuring.

More readings narrow an interval as their square root, as far as slow phases of the machine let
them.
"""

from __future__ import annotations

import math
import os
from dataclasses import dataclass
from pathlib import Path
from statistics import median

from motebench.base.model import CaseResult, Operation, Run, RunKind, Series
from motebench.base.units import MAIN
from motebench.measuring.plan.plan import Plan, PrecisionCost, PrecisionCosts
from motebench.measuring.run.precision import LoopBook, printed_width
from motebench.measuring.study.model import UNTIMED_SECONDS, policy_from
from motebench.results.results import undisturbed, values_of
from motebench.stats import describe
from motebench.targets.machine import describe as describe_machine
from motebench.targets.machine import differences

ASKED = (0.05, 0.02, 0.01)
"""Precisions whose cost is printed beside that of the plan."""
_FEWEST = 12
"""Samples of a case from which its spread is known."""
_OF_ONE = 1.96 * math.sqrt(math.pi / 2) * 1.4826
"""Half an interval of 95 % of the median of n readings is this many median absolute deviations,
divided by the root of n: the median of normal readings has sqrt(pi / 2) times the standard error of
their mean, and their standard deviation is 1.4826 MAD (Huber, Robust Statistics, 1981, 5.1)."""


def asked_precisions(plan: Plan) -> list[float]:
    """Precisions of `ASKED` and that of the plan, the coarsest first."""
    return sorted({*ASKED, plan.policy.precision}, reverse=True)


def has_price(plan: Plan) -> bool:
    """True if a precision costs time: not where numbers are exact, nor where the number of
    processes or passes is fixed.
    """
    return bool(plan.cases) and not any(
        plan.targets[case.target].place.exact
        or plan.jit(case)
        or case.operation.on_file
        or case.cores
        or case.operation is Operation.KEYGEN
        for case in plan.cases
    )


def known_run(store: str | os.PathLike[str], plan: Plan) -> Run | None:
    """The newest run of a store with the implementations of the plan, if it has every case with
    enough samples, and was made on this machine. StoreError if the store cannot be used."""
    from motebench.store import Store

    if "://" not in str(store) and not Path(store).exists():
        return None
    with Store.open(store, create=False) as opened:
        run_id = opened.newest_with({case.implementation for case in plan.cases})
        if run_id is None:
            return None
        run = opened.load_run(run_id)
    if run.info.kind is not RunKind.MEASUREMENT or differences(
        run.info.environment, describe_machine()
    ):
        return None
    results = {result.case: result for result in run.results}
    return (
        run
        if all(case in results and len(_values(results[case])) >= _FEWEST for case in plan.cases)
        else None
    )


def costs_of(plan: Plan, run: Run) -> PrecisionCosts | None:
    """Price of each precision by the spread in that run; None if its readings do not show how long
    one takes.
    """
    results = {result.case: result for result in run.results}
    seconds = _seconds_of_one(run)
    if seconds is None:
        return None
    try:
        batch = policy_from(run.info.settings.get("policy") or {}).batch
    except (ValueError, TypeError):
        return None
    seconds *= (plan.policy.batch + UNTIMED_SECONDS) / (batch + UNTIMED_SECONDS)
    loops = LoopBook()
    for result in run.results:
        loops.load(result)
    spreads = [_spread(results[case], loops) for case in plan.cases]
    return PrecisionCosts(
        run.info.name,
        tuple(_cost(plan, spreads, precision, seconds) for precision in asked_precisions(plan)),
    )


@dataclass(frozen=True, slots=True)
class _Spread:
    """Half the width of the interval by one sample, from which the width of n independent ones
    follows; its part that more samples do not narrow; and the factor by which dependence raises its
    variance.
    """

    width: float
    lasting: float
    inflation: float

    def needed(self, precision: float, inflation: float) -> float:
        """Independent samples that give this precision, times ``inflation``; infinite if none
        do.
        """
        if self.width == 0:
            return 0.0
        left = precision**2 - self.lasting**2
        return inflation * self.width**2 / left if left > 0 else math.inf


def _cost(plan: Plan, spreads: list[_Spread], precision: float, seconds: float) -> PrecisionCost:
    inflation = median(spread.inflation for spread in spreads)  # that of one case is known badly
    needed = [
        max(plan.policy.min_samples, spread.needed(precision, inflation)) for spread in spreads
    ]
    if max(needed) > plan.policy.max_samples:
        return PrecisionCost(precision, None, None)
    samples = sum(map(math.ceil, needed))
    return PrecisionCost(precision, samples, samples * seconds)


def _spread(result: CaseResult, loops: LoopBook) -> _Spread:
    stats = describe(_values(result))
    narrow, whole = printed_width(stats, 0.0), printed_width(stats, loops.variance(result.case))
    lasting = math.sqrt(max(whole**2 - narrow**2, 0.0)) if math.isfinite(whole) else 0.0
    width = _OF_ONE * stats.mad / stats.median if stats.median > 0 else math.inf
    return _Spread(width, lasting, stats.dependence.inflation)


def _timed(result: CaseResult) -> Series | None:
    by_metric = {series.metric: series for series in result.series}
    return next((by_metric[name] for name in MAIN if name in by_metric), None)


def _values(result: CaseResult) -> list[float]:
    series = _timed(result)
    return (
        []
        if series is None
        else list(values_of(undisturbed(result.case, series).series)[0].values())
    )


def _seconds_of_one(run: Run) -> float | None:
    """Seconds of a run for each of its samples, overhead included."""
    series = [timed for result in run.results if (timed := _timed(result)) is not None]
    times = [sample.at for entry in series for sample in entry.samples]
    passed = max(times, default=0.0) - min(times, default=0.0)
    return passed / len(times) if passed > 0 else None
