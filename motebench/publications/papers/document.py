"""The document of replications."""

from __future__ import annotations

from collections.abc import Sequence

from motebench.documents.replication import (
    AspectEntry,
    ClaimEntry,
    JudgedEntry,
    NoticedEntry,
    PaperEntry,
    PaperRunEntry,
    ReplicationEntry,
)
from motebench.publications.audit.auditing import audit_paper
from motebench.publications.papers.replicate import ClaimVerdicts, Replication
from motebench.publications.papers.tables import beside, on_air
from motebench.publications.papers.verdict import ClaimVerdict, JudgedClaim
from motebench.version import __version__


def document(found: Sequence[Replication]) -> ReplicationEntry:
    """All papers as one document."""
    return ReplicationEntry(version=__version__, papers=tuple(_paper(one) for one in found))


def _paper(found: Replication) -> PaperEntry:
    claims = found.claims
    tables = [
        *beside(claims, found.published, found.replicated, "paper"),
        *beside(claims, found.published, found.own, "own"),
    ]
    return PaperEntry(
        key=found.paper.key,
        title=found.paper.title,
        year=found.paper.year,
        source=found.paper.source,
        scale=found.scale,
        numbers=claims.numbers,
        silent=claims.silent,
        method=tuple(AspectEntry(what=line.what, paper=line.paper, ours=line.ours) for line in claims.aspect),
        runs=tuple(
            PaperRunEntry(
                name=run.run.name,
                status=run.run.status,
                measurements=len(run.measurements),
                failures=len(run.failures),
            )
            for run in found.runs
        ),
        problems=tuple(found.problems),
        claims=tuple(_claim(told) for told in found.told),
        tables=tuple(tables),
        air=tuple(on_air(claims, found.replicated)),
        findings=tuple(
            NoticedEntry(weight=each.weight, certainty=each.certainty, where=each.where, what=each.what)
            for each in audit_paper(found.paper.key).findings
        ),
    )


def _claim(told: ClaimVerdicts) -> ClaimEntry:
    return ClaimEntry(
        id=told.claim.id,
        statement=told.claim.statement,
        quote=told.claim.quote,
        where=told.claim.where,
        reading=told.claim.read,
        published=_judged(told.published),
        replicated=_judged(told.replicated),
        own=_judged(told.own) if told.own is not None else None,
    )


def _judged(judged: JudgedClaim) -> JudgedEntry:
    return JudgedEntry(
        verdict=judged.verdict.value,
        reason=judged.reason,
        agree=judged.count(ClaimVerdict.HOLDS),
        contradict=judged.count(ClaimVerdict.FAILS),
        undecided=judged.count(ClaimVerdict.OPEN),
    )
