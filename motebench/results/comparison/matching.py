"""Matching of the cases of both sides, and the decision whether they may be compared.

Cases are matched by scheme, operation, input size, target and file, and by implementation unless
each side names one. Within a run, samples are paired by round, unless a side has invocations.
``motebench.stats.compare`` computes the verdicts.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from itertools import product
from statistics import median
from typing import Any

from motebench.base.errors import IncomparableError, InputError
from motebench.base.identity import CaseId
from motebench.base.model import Evidence, Failure, Run
from motebench.base.naming import did_you_mean, plain, probe_key, split_list
from motebench.base.shapes import part
from motebench.base.units import MAIN, METRICS, Better
from motebench.documents.comparison import SoftwareEntry
from motebench.results.comparison.model import Comparison, Margins, Pair, Side, Unmatched
from motebench.results.document import result
from motebench.results.places import over_places
from motebench.results.presentation.provenance import revision, revision_words
from motebench.results.results import only_measurements, rows
from motebench.results.row import MeasurementRow
from motebench.results.selection import ResultFilter, metrics_named
from motebench.results.slow_phases import LOOP, moves
from motebench.results.together import (
    Places,
    in_turn,
    known_spread,
    members,
    places,
    spread_between,
    steady,
    summary,
    together,
)
from motebench.results.verdicts import RunVerdicts, without_noise
from motebench.stats import (
    ALPHA,
    Between,
    GeometricMean,
    RunSpread,
    compare_groups,
    compare_paired,
    compare_unpaired,
    geometric_mean,
    judged,
)
from motebench.stats.phases import machine_margin
from motebench.store import Store
from motebench.store.checking import LATEST
from motebench.targets.machine import Difference, differences

DEFAULT_METRICS = MAIN
_OWN = "motebench"
RATIO = "ratio"
"""Orders pairs by how much better B is."""


def side(store: Store, reference: str) -> Side:
    """The side a user means by ``RUN``, ``RUN:IMPLEMENTATION``, or several runs: a group, a glob, a
    list with commas.

    InputError if there is no such thing.
    """
    name, colon, implementation = reference.partition(":")
    runs = members(store, name) if name else None
    whole = (
        Side(runs[0], None, tuple(runs), name) if runs else Side(store.load_run(name or "latest"))
    )
    if not colon:
        return whole
    implementations = whole.implementations
    if implementation not in implementations:
        raise InputError(
            f"run {whole.label} has no implementation {implementation!r}",
            where=reference,
            valid=", ".join(f"{whole.label}:{name}" for name in implementations),
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
    spreads: Mapping[str, RunSpread] | None = None,
) -> Comparison:
    """Compare B with A. ``spreads``: by metric, the spread of runs on this machine, if known.

    IncomparableError if the environments differ and that is not allowed; InputError if there is
    nothing to compare.
    """
    for run in (*a.every, *b.every):
        only_measurements(run.info)
    check_metrics(metrics)
    a, b = _same_implementation(a, b)
    _alike(a, b)
    same_run = _of_same_run(a, b)
    differing = _environments(a, b, allowed=across_environments)
    turns = a.several and in_turn(a.every, b.every)
    order = places(a.every, b.every) if turns else None
    spreads = {} if same_run or a.several else spreads or {}
    margins = Margins(margin, same_run or turns, spreads, alpha)
    pairing = _Pairing(metrics, margins, same_run, a.several, alpha, order, _same_loops(a, b))
    left, right = _by_key(a, b.implementation), _by_key(b, a.implementation)
    pairs, refused = pairing.pairs(left, right)
    if not pairs:
        raise _nothing(a, b, refused, metrics if left.keys() & right.keys() else ())
    pairs = _of_run(a, pairs) if _of_same_runs(a, b) and not margin else one_family(pairs, alpha)
    return Comparison(
        a,
        b,
        same_run,
        margins.general(metrics[0])[0],
        tuple(pairs),
        (*_only(left, right, b), *refused, *_sometimes(left, right, b)),
        tuple(_only(right, left, a)),
        differing,
        tuple(_software(a, b)),
        _means(pairs),
        _spreads(pairs, order) if a.several else spreads,
        margins.general(metrics[0])[1],
        turns,
        alpha,
    )


def one_family(pairs: Sequence[Pair], alpha: float = ALPHA) -> list[Pair]:
    """Pairs with verdicts of one family, as they stand in one table."""
    verdicts = judged([pair.verdict for pair in pairs], alpha)
    return [replace(pair, verdict=verdict) for pair, verdict in zip(pairs, verdicts, strict=True)]


def _of_run(side: Side, pairs: Sequence[Pair]) -> list[Pair]:
    """Pairs with the verdicts of their run or group, whose family is that of all tables and
    sentences on it.
    """
    whole = together({side.label: side.every}) if side.several else result(side.run, samples=True)
    verdicts = RunVerdicts(whole.measurements, of_runs=bool(whole.run.runs))
    judged = []
    for pair in pairs:
        of_run = verdicts.of_cases(pair.a.metric, pair.a.evidence, pair.a.case.id, pair.b.case.id)
        verdict = pair.verdict if of_run is None else replace(of_run, shift=pair.verdict.shift)
        judged.append(replace(pair, verdict=verdict))
    return judged


def check_metrics(metrics: Sequence[str]) -> None:
    """InputError for a name that is no metric."""
    for name in metrics:
        if name not in METRICS:
            hint = did_you_mean(name, METRICS)
            raise InputError(
                f"unknown metric {name!r}", where="--metric", valid=", ".join(METRICS), hint=hint
            )


def _of_same_run(a: Side, b: Side) -> bool:
    """True if both sides are of one run. InputError if they are the same."""
    shared = {_identity(run) for run in a.every} & {_identity(run) for run in b.every}
    if shared and a.implementation == b.implementation:
        others = sorted(
            {result.case.implementation for run in a.every for result in run.results}
            - {a.implementation}
        )
        listed = ", ".join(f"{a.run.info.name}:{name}" for name in others)
        raise InputError(
            f"{a.label} and {b.label} are the same",
            valid=f"two runs, or two implementations: {listed}".rstrip(": "),
        )
    return bool(shared) and not a.several


def _of_same_runs(a: Side, b: Side) -> bool:
    """True if both sides are of one run, or of one group."""
    return {_identity(run) for run in a.every} == {_identity(run) for run in b.every}


def _environments(a: Side, b: Side, *, allowed: bool) -> tuple[Difference, ...]:
    """Differences between the environments of all runs. IncomparableError if there are any and they
    are not allowed.
    """
    here = a.run.info.environment
    others = [run.info.environment for run in (*a.every[1:], *b.every)]
    differing = tuple(
        {
            item.name: item for environment in others for item in differences(here, environment)
        }.values()
    )
    if differing and not allowed:
        raise IncomparableError(
            f"{a.label} and {b.label} come from different environments: "
            f"{'; '.join(map(str, differing))}",
            hint="add --across-environments to compare them anyway",
        )
    return differing


_RowsByKey = dict[CaseId, dict[str, MeasurementRow]]
"""Rows by the case that both sides have, then by metric."""


@dataclass(frozen=True)
class _Pairing:
    """Rules of pairing cases of two sides: metrics, margins, and the independent units."""

    metrics: Sequence[str]
    margins: Margins
    same_run: bool
    several: bool
    alpha: float
    order: Places | None
    same_loops: frozenset[tuple[str, str]] = frozenset()
    """Implementations and targets whose loops are the same program on both sides."""

    def pairs(self, left: _RowsByKey, right: _RowsByKey) -> tuple[list[Pair], list[Unmatched]]:
        """Pairs of all cases that both sides have, and those that cannot be compared with the
        reason.
        """
        pairs: list[Pair] = []
        refused: list[Unmatched] = []
        for key, mine in left.items():
            for name in self.metrics:
                row, other = mine.get(name), right.get(key, {}).get(name)
                if row is None or other is None:
                    continue
                reason = _why_not(row, other)
                if reason:
                    refused.append(_unmatched(row, reason))
                else:
                    machine = self._machine(row, other, mine, right[key])
                    pairs.append(self._pair(row, other, machine))
        return pairs, refused

    def _machine(
        self,
        first: MeasurementRow,
        second: MeasurementRow,
        mine: Mapping[str, MeasurementRow],
        theirs: Mapping[str, MeasurementRow],
    ) -> float:
        """The difference that the machine may have made. Pairs of one round share its speed, and
        groups of runs show by themselves how far it moves."""
        if (
            self.same_run
            or self.several
            or not moves(first.metric)
            or first.evidence is not Evidence.MEASURED
        ):
            return 0.0
        probes = {(row.case.implementation, row.case.target) for row in (first, second)}
        loops = [list(rows[LOOP].values.values()) for rows in (mine, theirs) if LOOP in rows]
        same = len(probes) == 1 and probes <= self.same_loops and len(loops) == len((mine, theirs))
        return machine_margin(
            first.phases, second.phases, (loops[0], loops[1]) if same else ((), ())
        )

    def _pair(self, first: MeasurementRow, second: MeasurementRow, machine: float) -> Pair:
        margin = self.margins.of(first, second, machine)
        between = self.margins.between(first, second)
        return replace(
            # Nothing is equivalent where the machine is known to have moved.
            self._compared(first, second, margin, None if machine else between),
            between=between,
            machine=machine,
        )

    def _compared(
        self, a: MeasurementRow, b: MeasurementRow, margin: float, between: Between | None
    ) -> Pair:
        alpha, exact = self.alpha, _exact(a, b)
        left, right = list(a.values.values()), list(b.values.values())
        if self.several:
            at = (
                None
                if self.order is None
                else ([self.order[0][n] for n in a.values], [self.order[1][n] for n in b.values])
            )
            verdict = compare_groups(
                left, right, alpha=alpha, margin=margin, exact=exact, places=at
            )
        elif a.batches is not None or b.batches is not None:
            # Each invocation has its own process: no two of their values are a pair.
            verdict = compare_groups(left, right, alpha=alpha, margin=margin, exact=exact)
        elif self.same_run:
            rounds = [number for number in a.values if number in b.values]
            left, right = (
                [a.values[number] for number in rounds],
                [b.values[number] for number in rounds],
            )
            verdict = compare_paired(left, right, alpha=alpha, margin=margin, exact=exact)
        else:
            verdict = compare_unpaired(
                left, right, alpha=alpha, margin=margin, exact=exact, between=between
            )
        same_code = a.case.implementation == b.case.implementation
        verdict = over_places(verdict, a.at_places, b.at_places, same_code=same_code)
        return Pair(a, b, _median(left), _median(right), verdict, between)


def _alike(a: Side, b: Side) -> None:
    """InputError if one side is one run and the other several: one run has no spread."""
    if a.several != b.several:
        single, other = (a, b) if b.several else (b, a)
        raise InputError(
            f"{single.label} is one run, but {other.label} is {len(other.every)} runs",
            valid="one run on each side, or several on each",
            hint="motebench run --runs 5 makes several",
        )


def _identity(run: Run) -> tuple[int, str, str]:
    """The identity of a run, unique over two stores."""
    return run.info.id, run.info.name, run.info.started


def _spreads(pairs: Sequence[Pair], order: Places | None) -> dict[str, RunSpread]:
    """Spread of the runs of both sides by metric; of runs in turn, around the trend of the
    machine.
    """
    names = dict.fromkeys(pair.a.metric for pair in pairs)
    sides = [(p.a, p.b) if order is None else steady(p.a, p.b, order) for p in pairs]
    spreads = {
        name: spread_between(
            [[rows[side] for rows in sides if rows[side].metric == name] for side in (0, 1)]
        )
        for name in names
    }
    return {name: run_spread for name, run_spread in spreads.items() if run_spread is not None}


def _same_implementation(a: Side, b: Side) -> tuple[Side, Side]:
    """Both sides with the same implementation, if one side names it."""
    if _identity(a.run) == _identity(b.run) or (a.implementation is None) == (
        b.implementation is None
    ):
        return a, b
    implementation = a.implementation or b.implementation
    return replace(a, implementation=implementation), replace(b, implementation=implementation)


def _by_key(side: Side, other: str | None) -> _RowsByKey:
    """Rows by matching key, then metric. If each side names one implementation, the key does not
    contain it.
    """
    both_named = side.implementation is not None and other is not None
    rows_by_key: dict[CaseId, dict[str, MeasurementRow]] = {}
    for row in summary(side.runs) if side.several else rows(side.run):
        case = row.case
        if side.implementation not in (None, case.implementation) or not side.chosen.keeps(case.id):
            continue
        key = case.without("implementation") if both_named else case.id
        rows_by_key.setdefault(key, {})[row.metric] = row
    return rows_by_key


def _why_not(a: MeasurementRow, b: MeasurementRow) -> str | None:
    if a.evidence is not b.evidence:
        return f"{a.metric} is {a.evidence.value} on one side and {b.evidence.value} on the other"
    for row in (a, b):
        if not row.quotable:
            return f"{row.metric} of {row.case.implementation} is disturbed ({row.notes[-1]})"
    if a.metric in ("cycles", "instructions", "ticks") and a.source != b.source:
        return f"{a.metric} were counted by {a.source} on one side and by {b.source} on the other"
    return None


def _exact(a: MeasurementRow, b: MeasurementRow) -> bool:
    sides = ((row.case.target, row.evidence, tuple(row.values.values())) for row in (a, b))
    return without_noise(a.metric, *sides)


def _median(values: Sequence[float]) -> float:
    return median(values) if values else math.nan


def _only(mine: Mapping[CaseId, Any], theirs: Mapping[CaseId, Any], other: Side) -> list[Unmatched]:
    """Cases measured on this side and not on the other, with the other side's reason."""
    failed = {failure.id: failure for failure in _failures(other)}
    unmatched = []
    for key, by_metric in mine.items():
        if key in theirs:
            continue
        row = next(iter(by_metric.values()))
        label = other.implementation or row.case.implementation
        failure = failed.get(replace(key, implementation=label))
        reason = (
            f"{failure.kind.value}: {failure.message}"
            if failure
            else f"not measured in {other.label}"
        )
        unmatched.append(_unmatched(row, reason, failed=failure is not None))
    return unmatched


def _failures(side: Side) -> list[Failure]:
    return [
        failure
        for run in side.every
        for failure in (*run.failures, *(r.failure for r in run.results if r.failure is not None))
    ]


def _sometimes(
    mine: Mapping[CaseId, Any], theirs: Mapping[CaseId, Any], other: Side
) -> list[Unmatched]:
    """Cases that gave numbers in some runs of the other side and failed in others."""
    failed = {failure.id: failure for failure in _failures(other)}
    unmatched = []
    for key in mine:
        if key not in theirs or not other.several:
            continue
        row = next(iter(theirs[key].values()))
        failure = failed.get(replace(key, implementation=row.case.implementation))
        if failure is not None:
            reason = (
                f"failed in some runs of {other.label}: {failure.kind.value}: {failure.message}"
            )
            unmatched.append(_unmatched(row, reason, failed=True))
    return unmatched


def _unmatched(row: MeasurementRow, reason: str, *, failed: bool = False) -> Unmatched:
    return Unmatched(**row.case.identity(), reason=reason, failed=failed)


def _nothing(a: Side, b: Side, refused: Sequence[Unmatched], metrics: Sequence[str]) -> InputError:
    """InputError for sides without comparable cases. ``metrics``: the requested ones, if there are
    common cases.
    """
    if refused:
        return InputError(f"{a.label} and {b.label} cannot be compared: {refused[0].reason}")
    if metrics:
        return InputError(
            f"no case of both {a.label} and {b.label} has {' or '.join(metrics)}",
            where="--metric",
            hint="motebench show lists the metrics of a run",
        )
    return InputError(
        f"{a.label} and {b.label} have no case in common",
        hint="cases must agree in scheme, operation, input size, target and file; two "
        "implementations of one run are "
        "compared as RUN:IMPLEMENTATION",
    )


def _software(a: Side, b: Side) -> list[SoftwareEntry]:
    """Differences between the probes: by pairs of labels of the sides, or by the same label in two
    runs.
    """
    providers_a, providers_b = _providers(a), _providers(b)
    targets = sorted({target for _, target in providers_a} & {target for _, target in providers_b})
    if a.implementation and b.implementation:
        labels = [(a.implementation, b.implementation)]
    else:
        labels = [(name, name) for name in a.implementations if name in b.implementations]
    entries: dict[SoftwareEntry, None] = {}
    for (mine, other), target in product(labels, targets):
        left, right = _probe(a, providers_a, mine, target), _probe(b, providers_b, other, target)
        for fact in ("version", "compiler", "flags"):
            if left.get(fact) != right.get(fact):
                of_a, of_b = (
                    None if value is None else str(value)
                    for value in (left.get(fact), right.get(fact))
                )
                entries[
                    SoftwareEntry(
                        implementation_a=mine, implementation_b=other, what=fact, a=of_a, b=of_b
                    )
                ] = None
    for mine, other in [*labels, (_OWN, _OWN)]:
        of_a, of_b = _commit(a, mine), _commit(b, other)
        if of_a != of_b:
            entries[
                SoftwareEntry(
                    implementation_a=mine, implementation_b=other, what="commit", a=of_a, b=of_b
                )
            ] = None
    return list(entries)


def _commit(side: Side, name: str) -> str | None:
    """The commit of user code or of motebench in words, as the run kept it; None for other
    implementations, and where it did not."""
    environment = side.run.info.environment
    facts = (
        part(environment, _OWN)
        if name == _OWN
        else part(part(part(environment, "code"), plain(name)), "revision")
    )
    return revision_words(revision(facts)) if facts else None


def _same_loops(a: Side, b: Side) -> frozenset[tuple[str, str]]:
    """Implementations and targets of both sides whose probes were built in the same way, so that
    their loops can be compared, too.
    """
    providers_a, providers_b = _providers(a), _providers(b)

    def built(
        side: Side, providers: Mapping[tuple[str, str], str], key: tuple[str, str]
    ) -> tuple[Any, ...]:
        facts = _probe(side, providers, *key)
        return tuple(facts.get(fact) for fact in ("probe", "compiler", "flags"))

    both = providers_a.keys() & providers_b.keys()
    return frozenset(
        key for key in both if built(a, providers_a, key) == built(b, providers_b, key)
    )


def _providers(side: Side) -> dict[tuple[str, str], str]:
    """The implementation that was started, by the label and the target of a case."""
    results = side.run.results
    return {
        (result.case.implementation, result.case.target): result.case.provider for result in results
    }


def _probe(
    side: Side, providers: Mapping[tuple[str, str], str], name: str, target: str
) -> Mapping[str, object]:
    """Facts that a run keeps of a probe; empty for an unknown probe."""
    if (name, target) not in providers:
        return {}
    return part(
        part(side.run.info.environment, "probes"), probe_key(target, providers[name, target])
    )


def _means(pairs: Sequence[Pair]) -> dict[tuple[str, str], GeometricMean]:
    ratios: dict[tuple[str, str], list[float]] = {}
    for pair in pairs:
        if pair.verdict.ratio is not None:
            ratios.setdefault((pair.a.metric, pair.a.evidence.value), []).append(pair.verdict.ratio)
    return {
        key: mean for key, of_key in ratios.items() if (mean := geometric_mean(of_key)) is not None
    }


def compare_stored(
    names: tuple[str, str],
    *,
    run: str,
    stores: tuple[str, str],
    selection: ResultFilter,
    margin: float | None,
    across: bool,
    alpha: float = ALPHA,
) -> Comparison:
    """The comparison of what two names mean, each in its store: runs, groups of runs, or
    implementations of ``run``, where ``latest`` is the newest run that has them.

    selection: the cases and metrics that are compared, in its order: of a metric, or of ``ratio``.
    margin: the relative difference that is not called; None: from runs of one thing here, where
    there are such. InputError for a name that means nothing; IncomparableError for two
    environments, unless ``across``.
    """
    metrics = wanted_metrics(selection)
    order = _order_of(selection, metrics)
    with ExitStack() as stack:
        opened = {
            place: stack.enter_context(Store.open(place, create=False))
            for place in dict.fromkeys(stores)
        }
        references = list(zip(names, stores, strict=True))
        within = {
            place: _within(opened[place], [name for name, at in references if at == place], run)
            for place in opened
        }
        a, b = _chosen_of(
            selection, *(_side(opened[place], name, within[place]) for name, place in references)
        )
        alone = margin is None and not (a.several or b.several or a.run.info == b.run.info)
        spreads = (
            known_spread(list(opened.values()), a.run.info.environment, metrics) if alone else {}
        )
        comparison = compare(
            a,
            b,
            metrics=metrics,
            across_environments=across,
            alpha=alpha,
            margin=margin,
            spreads=spreads,
        )
        return replace(comparison, pairs=tuple(sorted(comparison.pairs, key=order)))


def wanted_metrics(selection: ResultFilter) -> tuple[str, ...]:
    """The metrics that are compared."""
    entries = split_list(selection.metrics)
    metric_names = [metrics_named(word, METRICS) or [word] for word in entries]
    return tuple(dict.fromkeys(name for names in metric_names for name in names)) or DEFAULT_METRICS


def _order_of(selection: ResultFilter, metrics: Sequence[str]) -> Callable[[Pair], float]:
    """A key that sorts pairs. InputError for a metric that is not compared."""
    word = selection.sort
    if word is None:
        return _as_they_come
    if word == RATIO:
        return _by_ratio
    names = metrics_named(word, metrics)
    if len(names) != 1:
        raise InputError(
            f"{word!r} is not compared",
            where="sort" if selection.python else "--sort",
            valid=", ".join((RATIO, *metrics)),
            hint=did_you_mean(word, (RATIO, *metrics)),
        )
    return lambda pair: _by_median(pair, names[0])


def _as_they_come(pair: Pair) -> float:
    del pair
    return 0.0


def _by_ratio(pair: Pair) -> float:
    """The best of B first."""
    ratio = pair.verdict.ratio
    if ratio is None:
        return math.inf
    return -ratio if pair.a.better == Better.HIGHER else ratio


def _by_median(pair: Pair, name: str) -> float:
    """The best of A by a metric first."""
    if pair.a.metric != name:
        return math.inf
    return -pair.median_a if pair.a.better == Better.HIGHER else pair.median_a


def _chosen_of(selection: ResultFilter, a: Side, b: Side) -> tuple[Side, Side]:
    """Both sides with their chosen cases. InputError for a name that fits no case of either."""
    cases = replace(selection, metrics=(), sort=None)
    if not cases:
        return a, b
    measured = [
        *(result.case.id for side in (a, b) for run in side.every for result in run.results)
    ]
    measured += [failure.id for side in (a, b) for failure in _failures(side)]
    chosen = cases.among(measured, ())
    return replace(a, chosen=chosen), replace(b, chosen=chosen)


def _side(store: Store, name: str, run: str) -> Side:
    """The side of a run, or else of an implementation of ``run``."""
    try:
        return side(store, name)
    except InputError as error:
        within = side(store, run)
        if name in within.implementations:
            return side(store, f"{within.name or within.run.info.name}:{name}")
        elsewhere = store.newest_with([name])
        raise InputError(
            f"{name!r} is neither a run, nor a group of runs, nor an implementation of run "
            f"{within.label}",
            valid=f"{error.valid or 'a run'}; or one of {', '.join(within.implementations)}",
            hint=f"{name} is in run {elsewhere}: add --run {elsewhere}, or write {elsewhere}:{name}"
            if elsewhere
            else did_you_mean(
                name, [*within.implementations, *(info.name for info in store.runs())]
            )
            or "motebench list runs",
        ) from None


def _within(store: Store, names: Sequence[str], run: str) -> str:
    """The run that names of implementations are looked up in: of ``latest`` the newest that has all
    of them.
    """
    alone = [name for name in names if ":" not in name and not _is_run(store, name)]
    if run.lower() not in LATEST or not alone:
        return run
    newest = {name: store.newest_with([name]) for name in alone}
    measured = [name for name in alone if newest[name] is not None]
    together = store.newest_with(measured) if measured else None
    if measured and together is None:
        raise InputError(
            f"no run has both {measured[0]!r} and {measured[1]!r}",
            valid="two implementations of one run, or RUN:IMPLEMENTATION twice",
            hint="write " + " and ".join(f"{newest[name]}:{name}" for name in measured),
        )
    return run if together is None else str(together)


def _is_run(store: Store, name: str) -> bool:
    try:
        return members(store, name) is not None or bool(store.find(name))
    except InputError:
        return False
