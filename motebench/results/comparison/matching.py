"""Matches the cases of both sides, and decides whether they may be compared.

Cases are matched by scheme, operation, input size, target and file, and by implementation unless each side names one.
Within a run, samples are paired by round, unless a side has invocations. ``motebench.stats.compare`` computes the
verdicts.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import product
from statistics import median
from typing import Any

from motebench.base.errors import IncomparableError, InputError
from motebench.base.identity import CaseId
from motebench.base.metrics import MAIN, METRICS
from motebench.base.model import Evidence, Failure, Run
from motebench.base.naming import did_you_mean, probe_key
from motebench.results.comparison.deciding import Margins
from motebench.results.comparison.groups import Places, in_turn, members, places, spread_between, steady, summary
from motebench.results.comparison.model import Comparison, Pair, Side, Unmatched
from motebench.results.results import rows
from motebench.results.row import MeasurementRow
from motebench.stats import (
    ALPHA,
    GeometricMean,
    Spread,
    compare_groups,
    compare_paired,
    compare_unpaired,
    geometric_mean,
    judged,
)
from motebench.store import Store
from motebench.targets.machine import differences

DEFAULT_METRICS = MAIN
_EXACT = (Evidence.SIMULATED, Evidence.MODELLED)
"""Evidence of numbers without noise: every difference is real."""


def side(store: Store, reference: str) -> Side:
    """The side a user means by ``RUN``, ``RUN:IMPLEMENTATION``, or several runs: a group, a glob, a list with commas.

    InputError if there is no such thing.
    """
    name, colon, implementation = reference.partition(":")
    runs = members(store, name) if name else None
    whole = Side(runs[0], None, tuple(runs), name) if runs else Side(store.load_run(name or "latest"))
    if not colon:
        return whole
    known = whole.implementations
    if implementation not in known:
        raise InputError(
            f"run {whole.label} has no implementation {implementation!r}",
            where=reference,
            valid=", ".join(f"{whole.label}:{name}" for name in known),
        )
    return replace(whole, implementation=implementation)


def compare(
    a: Side,
    b: Side,
    *,
    metrics: Sequence[str] = DEFAULT_METRICS,
    across_environments: bool = False,
    alpha: float = ALPHA,
    margin: float | None = None,
    spreads: Mapping[str, Spread] | None = None,
) -> Comparison:
    """Compare B with A. ``spreads``: by metric, the spread of runs on this machine, if known.

    IncomparableError if the environments differ and that is not allowed; InputError if there is nothing to compare.
    """
    for name in metrics:
        if name not in METRICS:
            hint = did_you_mean(name, METRICS)
            raise InputError(f"unknown metric {name!r}", where="--metric", valid=", ".join(METRICS), hint=hint)
    a, b = _same_implementation(a, b)
    _alike(a, b)
    several = a.several
    shared = {_identity(run) for run in a.every} & {_identity(run) for run in b.every}
    same_run = bool(shared) and not several
    if shared and a.implementation == b.implementation:
        raise InputError(
            f"{a.label} and {b.label} are the same",
            valid=f"two runs, or two implementations: {', '.join(f'{a.run.info.name}:{n}' for n in a.implementations)}",
        )
    here = a.run.info.environment
    others = [run.info.environment for run in (*a.every[1:], *b.every)]
    found = tuple({item.name: item for there in others for item in differences(here, there)}.values())
    if found and not across_environments:
        raise IncomparableError(
            f"{a.label} and {b.label} come from different environments: {'; '.join(map(str, found))}",
            hint="add --across-environments to compare them anyway",
        )
    turns = several and in_turn(a.every, b.every)
    order = places(a.every, b.every) if turns else None
    spreads = {} if same_run or several else spreads or {}
    margins = Margins(margin, same_run or turns, spreads, alpha)
    left, right = _by_key(a, b.implementation), _by_key(b, a.implementation)
    pairs = []
    refused: list[Unmatched] = []
    for key, mine in left.items():
        for name in metrics:
            one, other = mine.get(name), right.get(key, {}).get(name)
            if one is None or other is None:
                continue
            reason = _why_not(one, other)
            if reason:
                refused.append(_unmatched(one, reason))
            else:
                told = margins.of(one, other)
                pair = _pair(one, other, paired=same_run, several=several, alpha=alpha, margin=told, order=order)
                pairs.append(replace(pair, between=margins.between(one, other)))
    only_a = [*_only(left, right, b), *refused, *_sometimes(left, right, b)]
    only_b = _only(right, left, a)
    if not pairs:
        raise _nothing(a, b, refused)
    verdicts = judged([pair.verdict for pair in pairs], alpha)
    pairs = [replace(pair, verdict=verdict) for pair, verdict in zip(pairs, verdicts, strict=True)]
    return Comparison(
        a,
        b,
        same_run,
        margins.general(metrics[0])[0],
        tuple(pairs),
        tuple(only_a),
        tuple(only_b),
        found,
        tuple(_software(a, b)),
        _means(pairs),
        _spreads(pairs, order) if several else spreads,
        margins.general(metrics[0])[1],
        turns,
    )


def _alike(a: Side, b: Side) -> None:
    """InputError if one side is one run and the other several: one run has no spread."""
    if a.several != b.several:
        one, other = (a, b) if b.several else (b, a)
        raise InputError(
            f"{one.label} is one run, but {other.label} is {len(other.every)} runs",
            valid="one run on each side, or several on each",
            hint="motebench run --runs 5 makes several",
        )


def _identity(run: Run) -> tuple[int, str, str]:
    """The identity of a run, unique over two stores."""
    return run.info.id, run.info.name, run.info.started


def _spreads(pairs: Sequence[Pair], order: Places | None) -> dict[str, Spread]:
    """By metric, the spread of the runs of both sides; of runs in turn, around the trend of the machine."""
    names = dict.fromkeys(pair.a.metric for pair in pairs)
    sides = [(p.a, p.b) if order is None else steady(p.a, p.b, order) for p in pairs]
    found = {
        name: spread_between([[rows[side] for rows in sides if rows[side].metric == name] for side in (0, 1)])
        for name in names
    }
    return {name: of for name, of in found.items() if of is not None}


def _same_implementation(a: Side, b: Side) -> tuple[Side, Side]:
    """If one side names an implementation, the other side means the same one."""
    if _identity(a.run) == _identity(b.run) or (a.implementation is None) == (b.implementation is None):
        return a, b
    wanted = a.implementation or b.implementation
    return replace(a, implementation=wanted), replace(b, implementation=wanted)


def _by_key(of: Side, other: str | None) -> dict[CaseId, dict[str, MeasurementRow]]:
    """Rows by matching key, then metric. If each side names one implementation, the key does not contain it."""
    both_named = of.implementation is not None and other is not None
    found: dict[CaseId, dict[str, MeasurementRow]] = {}
    for row in summary(of.runs) if of.several else rows(of.run):
        case = row.case
        if of.implementation not in (None, case.implementation):
            continue
        key = case.without("implementation") if both_named else case.id
        found.setdefault(key, {})[row.metric] = row
    return found


def _why_not(a: MeasurementRow, b: MeasurementRow) -> str | None:
    if a.evidence is not b.evidence:
        return f"{a.metric} is {a.evidence.value} on one side and {b.evidence.value} on the other"
    for row in (a, b):
        if not row.quotable:
            return f"{row.metric} of {row.case.implementation} is disturbed ({row.notes[-1]})"
    if a.metric in ("cycles", "instructions", "ticks") and a.source != b.source:
        return f"{a.metric} were counted by {a.source} on one side and by {b.source} on the other"
    return None


def _pair(
    a: MeasurementRow,
    b: MeasurementRow,
    *,
    paired: bool,
    several: bool,
    alpha: float,
    margin: float,
    order: Places | None = None,
) -> Pair:
    exact = a.evidence in _EXACT and not (a.evidence is Evidence.MODELLED and _noisy(a, b))
    if several:
        left, right = list(a.values.values()), list(b.values.values())
        at = None if order is None else ([order[0][n] for n in a.values], [order[1][n] for n in b.values])
        verdict = compare_groups(left, right, alpha=alpha, margin=margin, exact=exact, places=at)
    elif a.batches is not None or b.batches is not None:
        # Each invocation has its own process: no two of their values are a pair.
        left, right = list(a.values.values()), list(b.values.values())
        verdict = compare_groups(left, right, alpha=alpha, margin=margin, exact=exact)
    elif paired:
        rounds = [number for number in a.values if number in b.values]
        left, right = [a.values[number] for number in rounds], [b.values[number] for number in rounds]
        verdict = compare_paired(left, right, alpha=alpha, margin=margin, exact=exact)
    else:
        left, right = list(a.values.values()), list(b.values.values())
        verdict = compare_unpaired(left, right, alpha=alpha, margin=margin, exact=exact)
    return Pair(a, b, _median(left), _median(right), verdict)


def _noisy(*rows: MeasurementRow) -> bool:
    """Modelled numbers are as noisy as the times from which they are computed."""
    return any(len(set(row.values.values())) > 1 for row in rows)


def _median(values: Sequence[float]) -> float:
    return median(values) if values else math.nan


def _only(mine: Mapping[CaseId, Any], theirs: Mapping[CaseId, Any], other: Side) -> list[Unmatched]:
    """Cases measured on this side and not on the other, with the other side's reason."""
    failed = {failure.id: failure for failure in _failures(other)}
    found = []
    for key, by_metric in mine.items():
        if key in theirs:
            continue
        row = next(iter(by_metric.values()))
        label = other.implementation or row.case.implementation
        failure = failed.get(replace(key, implementation=label))
        reason = f"{failure.kind.value}: {failure.message}" if failure else f"not measured in {other.label}"
        found.append(_unmatched(row, reason, failed=failure is not None))
    return found


def _failures(of: Side) -> list[Failure]:
    return [
        failure
        for run in of.every
        for failure in (*run.failures, *(r.failure for r in run.results if r.failure is not None))
    ]


def _sometimes(mine: Mapping[CaseId, Any], theirs: Mapping[CaseId, Any], other: Side) -> list[Unmatched]:
    """Cases that gave numbers in some runs of the other side and failed in others."""
    failed = {failure.id: failure for failure in _failures(other)}
    found = []
    for key in mine:
        if key not in theirs or not other.several:
            continue
        row = next(iter(theirs[key].values()))
        failure = failed.get(replace(key, implementation=row.case.implementation))
        if failure is not None:
            reason = f"failed in some runs of {other.label}: {failure.kind.value}: {failure.message}"
            found.append(_unmatched(row, reason, failed=True))
    return found


def _unmatched(row: MeasurementRow, reason: str, *, failed: bool = False) -> Unmatched:
    return Unmatched(**row.case.identity(), reason=reason, failed=failed)


def _nothing(a: Side, b: Side, refused: Sequence[Unmatched]) -> InputError:
    if refused:
        return InputError(f"{a.label} and {b.label} cannot be compared: {refused[0].reason}")
    return InputError(
        f"{a.label} and {b.label} have no case in common",
        hint="cases must agree in scheme, operation, input size, target and file; two implementations of one run are "
        "compared as RUN:IMPLEMENTATION",
    )


def _software(a: Side, b: Side) -> list[dict[str, Any]]:
    """Differences between the probes: by pairs of labels of the sides, or by the same label in two runs."""
    asked = [{(r.case.implementation, r.case.target): r.case.provider for r in of.run.results} for of in (a, b)]
    targets = sorted({target for _, target in asked[0]} & {target for _, target in asked[1]})
    if a.implementation and b.implementation:
        labels = [(a.implementation, b.implementation)]
    else:
        labels = [(name, name) for name in a.implementations if name in b.implementations]
    out = []
    for (mine, other), target in product(labels, targets):
        left, right = (
            (side.run.info.environment.get("probes") or {}).get(probe_key(target, providers[name, target]), {})
            if (name, target) in providers
            else {}
            for side, providers, name in zip((a, b), asked, (mine, other), strict=True)
        )
        for what in ("version", "compiler", "flags"):
            if left.get(what) != right.get(what):
                found = {"implementation_a": mine, "implementation_b": other, "what": what}
                out.append({**found, "a": left.get(what), "b": right.get(what)})
    return [entry for number, entry in enumerate(out) if entry not in out[:number]]


def _means(pairs: Sequence[Pair]) -> dict[tuple[str, str], GeometricMean]:
    ratios: dict[tuple[str, str], list[float]] = {}
    for pair in pairs:
        if pair.verdict.ratio is not None:
            ratios.setdefault((pair.a.metric, pair.a.evidence.value), []).append(pair.verdict.ratio)
    return {key: mean for key, found in ratios.items() if (mean := geometric_mean(found)) is not None}
