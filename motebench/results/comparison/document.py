"""The comparison as one JSON document: ``motebench/documents/comparison.py``, explained in
``docs/reference/results.md``."""

from __future__ import annotations

from collections.abc import Sequence

from motebench.base.model import Run
from motebench.documents.comparison import (
    ComparisonEntry,
    DifferenceEntry,
    MeanEntry,
    OfRun,
    OnlyEntry,
    PairEntry,
    SideEntry,
    SpreadEntry,
)
from motebench.results.comparison.model import (
    Comparison,
    Open,
    Pair,
    Side,
    Unmatched,
    found_by,
    left_open,
)
from motebench.stats.compare import BENJAMINI_HOCHBERG, HOLM


def document(comparison: Comparison, allowed: float | None = None) -> ComparisonEntry:
    """The comparison as `motebench compare --json` prints it. ``allowed`` is the threshold of
    ``--fail-if-slower``.
    """
    slower = None if allowed is None else comparison.slower_than(allowed)
    left = [] if allowed is None else left_open(comparison, allowed)
    return ComparisonEntry(
        a=_side(comparison.a),
        b=_side(comparison.b),
        paired=comparison.paired,
        unit="run" if comparison.of_runs else "sample",
        in_turn=comparison.in_turn,
        margin=comparison.margin,
        margin_source=comparison.margin_source,
        spreads=_spreads(comparison),
        environment_differences=tuple(
            DifferenceEntry(fact=item.name, a=item.left, b=item.right)
            for item in comparison.environment
        ),
        software_differences=comparison.software,
        adjustment=BENJAMINI_HOCHBERG,
        comparisons=tuple(_pair(pair, slower, left) for pair in comparison.pairs),
        geometric_means=_means(comparison),
        only_in_a=tuple(map(only_entry, comparison.only_in_a)),
        only_in_b=tuple(map(only_entry, comparison.only_in_b)),
        fail_if_slower=allowed,
        slower=None if slower is None else len(slower),
        slower_adjustment=None if slower is None else HOLM,
        slower_undecided=None if slower is None else len(comparison.undecided()),
        left_open=None if slower is None else len(left),
        found_from=None if allowed is None else found_by(comparison, allowed),
    )


def _side(side: Side) -> SideEntry:
    info = side.run.info
    return SideEntry(
        run=info.id,
        name=side.name or info.name,
        implementation=side.implementation,
        started=info.started,
        runs=tuple(map(_of_run, side.every)),
    )


def _of_run(run: Run) -> OfRun:
    return OfRun(
        run=run.info.id, name=run.info.name, started=run.info.started, notes=run.info.notes
    )


def _spreads(comparison: Comparison) -> tuple[SpreadEntry, ...]:
    return tuple(
        SpreadEntry(
            metric=name,
            sd=spread.sd,
            degrees_of_freedom=spread.degrees,
            runs=spread.runs,
            groups=spread.groups,
            cases=spread.cases,
        )
        for name, spread in comparison.spreads.items()
    )


def _means(comparison: Comparison) -> tuple[MeanEntry, ...]:
    return tuple(
        MeanEntry(
            metric=name,
            evidence=evidence,
            ratio=mean.ratio,
            ci_low=mean.low,
            ci_high=mean.high,
            confidence=mean.confidence,
            cases=mean.cases,
            method=mean.method,
        )
        for (name, evidence), mean in comparison.means.items()
    )


def pair_entry(pair: Pair) -> PairEntry:
    """A pair without a threshold."""
    return _pair(pair, None, ())


def _pair(pair: Pair, slower: Sequence[Pair] | None, left: Sequence[Open]) -> PairEntry:
    verdict = pair.verdict
    return PairEntry(
        **pair.a.case.identity(),
        implementation_a=pair.a.case.implementation,
        implementation_b=pair.b.case.implementation,
        metric=pair.a.metric,
        unit=pair.a.unit,
        better=pair.a.better,
        evidence=pair.a.evidence,
        n_a=verdict.n_a,
        n_b=verdict.n_b,
        median_a=pair.median_a,
        median_b=pair.median_b,
        ratio=verdict.ratio,
        ci_low=verdict.low,
        ci_high=verdict.high,
        confidence=verdict.confidence,
        confidence_dependent=verdict.confidence_dependent,
        places_low=verdict.span and verdict.span[0],
        places_high=verdict.span and verdict.span[1],
        proven=pair.proven,
        margin=verdict.margin,
        p=verdict.p,
        p_adjusted=verdict.adjusted,
        test=verdict.test,
        verdict=pair.word,
        equivalent=verdict.equivalent,
        needed=verdict.needed,
        inflation=verdict.inflation,
        note=verdict.note,
        slower_than_allowed=None if slower is None else any(pair is other for other in slower),
        left_open=None if slower is None else any(pair is item.pair for item in left),
        more_runs=next((item.more for item in left if item.pair is pair), None),
    )


def only_entry(item: Unmatched) -> OnlyEntry:
    """A case that was not compared."""
    return OnlyEntry(**item.identity(), reason=item.reason)
