"""Checks known answers on the implementations of targets, and makes the document of the results."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from motebench.base.errors import ExitCode, InputError, SetupError
from motebench.base.model import FailureKind, Scheme
from motebench.base.naming import chooses, split_list
from motebench.base.paths import setup_line
from motebench.catalog import Schemes
from motebench.catalog.vectors import Vector, load, schemes_with_vectors, vectors_for
from motebench.documents.checks import CountsEntry, FailedEntry, VerificationEntry, VerifiedEntry
from motebench.measuring.verify import AnswerOutcome, Counts, Summary, check, summarize, unanswered
from motebench.measuring.verify.admission import known_answers
from motebench.targets.base import Session, Target
from motebench.targets.code.workspace import Workspace
from motebench.targets.registry import (
    EVERY,
    chosen_implementations,
    implementations_of,
    missing_implementation,
    open_target,
)
from motebench.targets.wire.messages import Offer, ProbeFailure


def verify(
    workspace: Workspace,
    targets: Sequence[str],
    implementations: Sequence[str],
    patterns: Sequence[str],
    file: Path | None,
    seconds: float | None = None,
) -> VerificationEntry:
    """The document of a verification: counts and failures by target and implementation.

    A computation may take ``seconds``; None: the usual time limit.
    """
    names = _scheme_names(workspace.schemes, patterns)
    given = _grouped(load(file), names) if file else None
    if given is not None and not given:
        raise InputError("the file contains no vector of a requested scheme", where=str(file))
    rows, schemes = [], _asked_schemes(workspace, names, given)
    for name in targets or ("host",):
        target = open_target(name, where="--target", code=workspace.code)
        try:
            for implementation in _chosen(target, implementations, schemes):
                rows.append(
                    _one(
                        workspace,
                        target,
                        implementation,
                        names,
                        given,
                        seconds,
                        named=bool(patterns),
                    )
                )
        finally:
            target.place.close()
    if not rows:
        named = ", ".join(sorted(scheme.name for scheme in schemes or ())[:5])
        raise InputError(
            f"nothing that is selected on {', '.join(targets or ('host',))} offers "
            f"{named or 'a scheme with known answers'}",
            where="--implementation" if implementations else "--scheme",
            hint="`motebench describe SCHEME` says which implementations offer it",
        )
    return VerificationEntry(vectors=str(file) if file else "catalog", implementations=tuple(rows))


def exit_code(document: VerificationEntry) -> ExitCode:
    """OK, FAILURES if something failed, USAGE if nothing could be checked."""
    rows = document.implementations
    if any(row.failed or row.problem for row in rows):
        return ExitCode.FAILURES
    if not any(row.passed or row.partly for row in rows):
        return ExitCode.USAGE
    return ExitCode.OK


def _scheme_names(schemes: Schemes, patterns: Sequence[str]) -> set[str] | None:
    parts = split_list(patterns)
    return (
        {scheme.name for part in parts for scheme in schemes.match(part, "--scheme")}
        if parts
        else None
    )


def _grouped(vectors: Sequence[Vector], schemes: set[str] | None) -> dict[str, list[Vector]]:
    grouped: dict[str, list[Vector]] = {}
    for vector in vectors:
        if schemes is None or vector.scheme in schemes:
            grouped.setdefault(vector.scheme, []).append(vector)
    return grouped


def _asked_schemes(
    workspace: Workspace, schemes: set[str] | None, given: dict[str, list[Vector]] | None
) -> list[Scheme] | None:
    """Schemes whose known answers are checked; None: all that an implementation offers, or ones
    that are in no catalog.
    """
    names = schemes if given is None else set(given)
    if names is None or not names <= set(workspace.schemes):
        return None
    return [workspace.schemes[name] for name in names]


def _chosen(target: Target, patterns: Sequence[str], schemes: list[Scheme] | None) -> list[str]:
    """The implementations that are checked: those that may offer one of the schemes, if these are
    known.
    """
    parts = split_list(patterns)
    available = implementations_of(target, parts)
    if not available:
        raise SetupError(
            f"no implementation is built for target {target.name!r}",
            hint=f"{setup_line()}; motebench doctor",
        )
    for part in parts:
        if not any(chooses(part, name) for name in available):
            raise missing_implementation(part, target, where="--implementation")
    return chosen_implementations(target, parts or [EVERY], schemes)


def _one(
    workspace: Workspace,
    target: Target,
    implementation: str,
    schemes: set[str] | None,
    given: dict[str, list[Vector]] | None,
    seconds: float | None,
    *,
    named: bool,
) -> VerifiedEntry:
    version, problem = None, None
    outcomes: list[AnswerOutcome] = []
    session: Session | None = None
    try:
        session = target.open(implementation)
        offers = session.offers()
        for scheme, vectors in _asked(
            workspace, implementation, schemes, given, offers, named=named
        ):
            outcomes += check(session, scheme, vectors, seconds=seconds)
        version = _version(session, summarize(implementation, outcomes))
    except ProbeFailure as failure:
        problem = f"{failure.kind.value}: {failure.message}"
        if not outcomes:  # it never sent its list of schemes
            by_scheme = _asked(workspace, implementation, schemes, given, {}, named=named)
            outcomes = unanswered(
                (vector for _, vectors in by_scheme for vector in vectors), failure
            )
    finally:
        if session is not None:
            session.close()
    return _row(target.name, summarize(implementation, outcomes), version, problem)


def _asked(
    workspace: Workspace,
    implementation: str,
    schemes: set[str] | None,
    given: dict[str, list[Vector]] | None,
    offers: Mapping[str, Offer],
    *,
    named: bool,
) -> Iterator[tuple[str, Sequence[Vector]]]:
    """Known answers for an implementation, by scheme: those of the file, else of its code, else of
    the catalog.
    """
    if given is not None:
        yield from given.items()
    elif code := workspace.code_of(implementation):
        for scheme in code.schemes.values():
            yield scheme, known_answers(code, scheme)
    else:
        with_vectors = schemes_with_vectors()
        for scheme in workspace.schemes:
            chosen = scheme in schemes if schemes is not None else scheme in offers
            if chosen and scheme in with_vectors and (scheme in offers or named):
                yield scheme, vectors_for(scheme)


def _version(session: Session, summary: Summary) -> str | None:
    """Version from the first session; None without a session, which the failures explain."""
    for scheme, counts in summary.schemes.items():
        if counts.passed or counts.partly:
            return session.hello_of(scheme).version
    return None if summary.total.failed else session.hello.version


def _row(target: str, summary: Summary, version: str | None, problem: str | None) -> VerifiedEntry:
    total = summary.total
    return VerifiedEntry(
        implementation=summary.implementation,
        target=target,
        version=version,
        **_counts(total),
        acceptable=total.acceptable,
        problem=problem,
        schemes={
            scheme or "(none)": CountsEntry(**_counts(counts))
            for scheme, counts in summary.schemes.items()
        },
        failures=tuple(map(_failed, summary.failures)),
        reasons=summary.reasons,
    )


def _counts(counts: Counts) -> dict[str, int]:
    return {
        "passed": counts.passed,
        "partly": counts.partly,
        "failed": counts.failed,
        "not_applicable": counts.not_applicable,
    }


def _failed(item: AnswerOutcome) -> FailedEntry:
    return FailedEntry(
        scheme=item.vector.scheme,
        operation=item.vector.operation,
        vector=item.vector.id,
        source=item.vector.source,
        comment=item.vector.comment,
        kind=item.kind or FailureKind.WRONG_ANSWER,
        detail=item.detail,
        expected=item.expected,
        got=item.got,
    )
