"""Document of replications: verdicts on claims, and published tables beside results of ours."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from motebench.base.units import MAIN, format_size, metric
from motebench.documents.papers import (
    AspectEntry,
    BoundedEntry,
    ClaimEntry,
    ExponentEntry,
    JudgedComparisonEntry,
    JudgedEntry,
    PaperEntry,
    PaperRunEntry,
    PlannedPaperEntry,
    PlannedPartEntry,
    ReplicationAirEntry,
    ReplicationCellEntry,
    ReplicationEntry,
    ReplicationPlanEntry,
    ReplicationTableEntry,
    TauEntry,
)
from motebench.documents.result import Result
from motebench.publications.audit.auditing import audit_paper
from motebench.publications.papers.checks import AirtimeCheck
from motebench.publications.papers.claims import ClaimsFile, ShownTable
from motebench.publications.papers.looks import OpenClaim, OutlinedReplication
from motebench.publications.papers.outcomes import ClaimVerdict, JudgedClaim, seconds_on_air
from motebench.publications.papers.replicate import ClaimVerdicts, Replication
from motebench.publications.papers.values import ClaimValue, library
from motebench.results.presentation.provenance import own_words, provenance
from motebench.stats.shape import Bounded, kendall, scaling
from motebench.version import __version__

_REPETITIONS = "repetitions"
"""The line of the method that says how often each case was measured."""
_LOADS = re.compile(r", load [\d.]+ when the run (?:began|ended)")
Row = tuple[str, str, int]
"""Subject, operation, size."""


def document(replications: Sequence[Replication]) -> ReplicationEntry:
    """All papers as one document."""
    return ReplicationEntry(
        version=__version__, papers=tuple(_paper(paper) for paper in replications)
    )


def _paper(replication: Replication) -> PaperEntry:
    claims = replication.claims
    runs = tuple(
        _run(
            run, replication.abouts.get(run.run.name, ""), replication.waiting.get(run.run.name, ())
        )
        for run in replication.runs
    )
    tables = [
        *beside(claims, replication.published, replication.replicated, "paper"),
        *beside(claims, replication.published, replication.own, "own"),
    ]
    return PaperEntry(
        key=replication.paper.key,
        title=replication.paper.title,
        year=replication.paper.year,
        source=replication.paper.source,
        scale=replication.scale,
        numbers=claims.numbers,
        silent=claims.silent,
        method=tuple(_method(claims, runs)),
        runs=runs,
        problems=tuple(replication.problems),
        claims=tuple(_claim(judged) for judged in replication.told),
        tables=tuple(tables),
        air=tuple(on_air(claims, replication.replicated)),
        findings=tuple(audit_paper(replication.paper.key).findings),
        cite=_cite(replication, runs),
    )


def _run(run: Result, about: str, waiting: tuple[str, ...]) -> PaperRunEntry:
    times = [row for row in run.measurements if row.metric in MAIN]
    return PaperRunEntry(
        name=run.run.name,
        status=run.run.status,
        measurements=len(run.measurements),
        failures=len(run.failures),
        about=about,
        sizes=tuple(sorted({row.input_bytes for row in times if row.input_bytes})),
        fewest=min((row.n for row in times), default=0),
        most=max((row.n for row in times), default=0),
        disturbed=sum(row.disturbed for row in times),
        unquotable=sum(not row.quotable for row in run.measurements),
        waiting=waiting,
        provenance=provenance(run),
    )


def _method(claims: ClaimsFile, runs: Sequence[PaperRunEntry]) -> Iterator[AspectEntry]:
    """Lines of the method; that of the repetitions with the counts of these runs."""
    counted = "; ".join(filter(None, map(_counted, runs)))
    names = [line.what for line in claims.aspect]
    for line in claims.aspect:
        ours = (
            f"{line.ours}. Here {counted}" if counted and line.what == _REPETITIONS else line.ours
        )
        yield AspectEntry(what=line.what, paper=line.paper, ours=ours)
    if counted and _REPETITIONS not in names:
        yield AspectEntry(what=_REPETITIONS, paper="not stated", ours=counted)


def _counted(run: PaperRunEntry) -> str:
    """The values and sizes of a run; empty where it has no value."""
    if not run.most:
        return ""
    values = f"{run.fewest} to {run.most}" if run.fewest < run.most else f"{run.most}"
    sizes = f", {', '.join(map(format_size, run.sizes))}" if run.sizes else ""
    lost = f", {run.disturbed:,} disturbed readings that do not count" if run.disturbed else ""
    unquoted = f", {run.unquotable:,} measurements that are not quoted" if run.unquotable else ""
    return f"{run.about or run.name}: {values} values of each case{sizes}{lost}{unquoted}"


def _cite(replication: Replication, runs: Sequence[PaperRunEntry]) -> str:
    """The line that cites this replication, and the paper in it."""
    origins = [run.provenance for run in runs if run.provenance is not None]
    own = own_words(origins[0].motebench) if origins else f"motebench {__version__}"
    days = sorted({origin.started[:10] for origin in origins})
    dates = ", ".join(dict.fromkeys((days[0], days[-1]))) if days else ""
    machines = dict.fromkeys(
        _LOADS.sub("", text) for origin in origins for text in origin.machines.values()
    )
    scale = f", sizes of inputs: {replication.scale}" if replication.scale else ""
    measured = (
        f" Measured {dates.replace(', ', ' to ')} on {'; '.join(machines)}{scale}."
        if origins
        else ""
    )
    paper = (
        f"{replication.paper.title.rstrip('.')}, {replication.paper.source.rstrip('.')}, "
        f"{replication.paper.year}"
    )
    return f"The motebench developers, {own}. Replication of: {paper}.{measured}"


def _claim(verdicts: ClaimVerdicts) -> ClaimEntry:
    settled = "" if verdicts.claim.published else verdicts.claim.settled_by
    numbers = verdicts.claim.of_numbers_alone and not verdicts.claim.ours
    return ClaimEntry(
        id=verdicts.claim.id,
        statement=verdicts.claim.statement,
        quote=verdicts.claim.quote,
        where=verdicts.claim.where,
        reading=verdicts.claim.read,
        derived=verdicts.claim.derived,
        published=None if settled else _judged(verdicts.published),
        replicated=None
        if settled or numbers
        else _judged(verdicts.replicated, verdicts.lacking.get("paper")),
        own=None
        if settled or numbers or verdicts.own is None
        else _judged(verdicts.own, verdicts.lacking.get("own")),
        settled_by=settled,
        settled=_judged(verdicts.published) if settled else None,
    )


def _judged(judged: JudgedClaim, lacking: OpenClaim | None = None) -> JudgedEntry:
    return JudgedEntry(
        verdict=judged.verdict.value,
        reason=judged.reason,
        agree=judged.count(ClaimVerdict.HOLDS),
        contradict=judged.count(ClaimVerdict.FAILS),
        undecided=judged.count(ClaimVerdict.OPEN),
        comparisons=tuple(
            JudgedComparisonEntry(
                verdict=outcome.verdict.value, words=outcome.words, library=outcome.who
            )
            for outcome in judged.outcomes
        ),
        seconds_more=None if lacking is None else round(lacking.seconds, 1),
    )


def plan_document(outlines: Sequence[OutlinedReplication], extra: float) -> ReplicationPlanEntry:
    """Parts that replications would measure, and how long that takes."""
    return ReplicationPlanEntry(papers=tuple(_planned(outline, extra) for outline in outlines))


def _planned(outline: OutlinedReplication, extra: float) -> PlannedPaperEntry:
    return PlannedPaperEntry(
        key=outline.key,
        scale=outline.scale.name,
        parts=tuple(
            PlannedPartEntry(
                name=part.prepared.part.name,
                about=part.prepared.part.about,
                cases=len(part.plan.cases),
                samples=part.samples,
                seconds=round(part.seconds, 1),
            )
            for part in outline.parts
        ),
        unused=outline.unused,
        problems=outline.problems,
        slowdown=round(outline.slowdown, 2),
        seconds=round(outline.seconds, 1),
        seconds_extra=extra if outline.scale.small else 0.0,
    )


def entry(bounded: Bounded) -> BoundedEntry:
    """A value in a document."""
    return BoundedEntry(value=bounded.value, low=bounded.low, high=bounded.high)


def beside(
    claims: ClaimsFile, published: Sequence[ClaimValue], ours: Sequence[ClaimValue], method: str
) -> Iterator[ReplicationTableEntry]:
    """Tables that the paper shows, beside each library on each target that has its metric."""
    for shown in claims.shown:
        printed = [
            cell for cell in published if cell.source == shown.table and cell.metric == shown.metric
        ]
        for device in dict.fromkeys(cell.device for cell in printed):
            printed_cells = {
                (cell.subject, cell.operation, cell.size): cell
                for cell in printed
                if cell.device == device
            }
            for target, name, cells in _libraries(ours, shown):
                table = _table(shown, printed_cells, cells, device, target, name, method)
                if table.cells:
                    yield table


def _libraries(
    ours: Sequence[ClaimValue], shown: ShownTable
) -> Iterator[tuple[str, str, list[ClaimValue]]]:
    """Target, library and values of the metric of a table: of libraries that have several subjects,
    else of all.
    """
    metrics = MAIN if shown.metric == "time" else (shown.metric,)
    cells = [cell for cell in ours if cell.metric in metrics]
    for target in dict.fromkeys(cell.device for cell in cells):
        of_target = [cell for cell in cells if cell.device == target]
        groups: dict[str, list[ClaimValue]] = {}
        for cell in of_target:
            groups.setdefault(library(cell.implementation), []).append(cell)
        several = {
            name: group
            for name, group in groups.items()
            if len({cell.subject for cell in group}) > 1
        }
        for name, group in several.items():
            yield target, name, group
        if not several:
            yield target, ", ".join(groups), of_target


def _table(
    shown: ShownTable,
    published: Mapping[Row, ClaimValue],
    ours: Sequence[ClaimValue],
    device: str,
    target: str,
    name: str,
    method: str,
) -> ReplicationTableEntry:
    pairs = {
        row: (cell, mine)
        for row, cell in published.items()
        if (mine := _best(row, ours)) is not None
    }
    cells = []
    for (subject, operation, size), (cell, mine) in pairs.items():
        reference = pairs.get((shown.reference, operation, size))
        cells.append(
            ReplicationCellEntry(
                subject=subject,
                operation=operation,
                size=size,
                measured_size=mine.measured_size,
                printed=cell.printed,
                published=entry(cell.value),
                published_ratio=entry(cell.value.over(reference[0].value)) if reference else None,
                ours=entry(mine.value),
                ours_ratio=entry(mine.value.over(reference[1].value)) if reference else None,
                evidence=mine.evidence.value,
                implementation=mine.implementation,
            )
        )
    return ReplicationTableEntry(
        table=shown.table,
        metric=shown.metric if not cells else next(iter(pairs.values()))[1].metric,
        unit=metric(shown.metric).unit,
        device=device,
        target=target,
        library=name,
        method=method,
        reference=shown.reference,
        cells=tuple(cells),
        taus=tuple(_taus(pairs)),
        exponents=tuple(_exponents(pairs)),
    )


def _best(row: Row, ours: Sequence[ClaimValue]) -> ClaimValue | None:
    """The lowest of a library's implementations of a subject; a value of the whole firmware stands
    for every case.
    """
    subject, operation, size = row
    candidates = [
        cell
        for cell in ours
        if cell.subject == subject and cell.operation in (operation, "") and cell.size in (size, 0)
    ]
    return min(candidates, key=lambda cell: cell.value.value, default=None)


def _taus(pairs: Mapping[Row, tuple[ClaimValue, ClaimValue]]) -> Iterator[TauEntry]:
    for operation, size in dict.fromkeys((row[1], row[2]) for row in pairs):
        both = [pair for row, pair in pairs.items() if row[1:] == (operation, size)]
        correlation = (
            kendall([pair[0].value for pair in both], [pair[1].value for pair in both])
            if len(both) > 2
            else None
        )
        if correlation is not None:
            yield TauEntry(
                operation=operation,
                size=size,
                tau=correlation.tau,
                low=correlation.low,
                high=correlation.high,
                subjects=correlation.n,
                open=correlation.open,
            )


def _exponents(pairs: Mapping[Row, tuple[ClaimValue, ClaimValue]]) -> Iterator[ExponentEntry]:
    for subject, operation in dict.fromkeys(row[:2] for row in pairs):
        both = [
            pair
            for row, pair in pairs.items()
            if row[:2] == (subject, operation) and pair[1].measured_size
        ]
        sides = [
            scaling(
                [pair[side].measured_size for pair in both], [pair[side].value for pair in both]
            )
            for side in (0, 1)
        ]
        printed, ours = sides
        if printed is not None and ours is not None:
            yield ExponentEntry(
                subject=subject,
                operation=operation,
                published=entry(printed.exponent),
                ours=entry(ours.exponent),
            )


def on_air(claims: ClaimsFile, ours: Sequence[ClaimValue]) -> Iterator[ReplicationAirEntry]:
    """Computing against sending, for the checks that ask for it: each subject's fastest
    implementation.
    """
    for claim in claims.claim:
        for check in claim.check:
            if not isinstance(check, AirtimeCheck):
                continue
            rows = {
                (cell.subject, cell.operation, cell.size, cell.device): None
                for cell in ours
                if cell.metric == "time"
                and cell.operation in check.only.operations
                and cell.size in check.only.sizes
            }
            for subject, operation, size, device in rows:
                times = [cell for cell in ours if cell.metric == "time" and cell.device == device]
                best = _best((subject, operation, size), times)
                if best is None:
                    continue
                named = (
                    subject if operation in ("encrypt", "digest") else f"{subject} ({operation})"
                )
                for sf in check.sf:
                    air = seconds_on_air(check.radio, sf, check.bandwidth_khz, size) * 1e3
                    took = best.value.value / 1e6
                    yield ReplicationAirEntry(
                        subject=named,
                        implementation=best.implementation,
                        target=device,
                        size=size,
                        sf=sf,
                        time_ms=took,
                        on_air_ms=air,
                        ratio=took / air,
                        evidence=best.evidence.value,
                    )
