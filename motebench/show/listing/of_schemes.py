"""Rows of schemes: those of the catalog or of a paper, each with the implementations that offer it here."""

from __future__ import annotations

import logging

from motebench.documents.listing import PaperSchemeRow, SchemeRow
from motebench.show.listing.only import ListingFilter

_log = logging.getLogger("motebench")


def scheme_rows(only: ListingFilter) -> list[SchemeRow] | list[PaperSchemeRow]:
    """Schemes that fit, each with its security status of today and who offers it here; InputError for unknown names."""
    if only.paper:
        return _paper_schemes(only.paper)
    import datetime

    from motebench.catalog import label, match, schemes

    today = datetime.datetime.now(datetime.UTC).date()
    patterns = [*only.names, *([only.pattern] if only.pattern else [])]
    found = {scheme.name for pattern in patterns for scheme in match(pattern)}
    chosen = [scheme for scheme in schemes().values() if scheme.name in found or not patterns]
    wanted = only.implementation
    if wanted is not None:
        _known_implementation(wanted)
    offered = _offered(wanted)
    rows = []
    for scheme in chosen:
        here = offered.get(scheme.name, [])
        if (only.available and not here) or (wanted is not None and wanted not in here):
            continue
        rows.append(
            SchemeRow(
                scheme=scheme.name,
                kind=scheme.kind.value,
                key_bits=scheme.key_bytes * 8 or None,
                nonce_bits=scheme.nonce_bytes * 8 or None,
                status=label(scheme, today),
                implementations=tuple(here),
                aliases=tuple(scheme.aliases),
            )
        )
    return rows


def _paper_schemes(key: str) -> list[PaperSchemeRow]:
    """What a paper evaluates, with who can measure it here; a scheme that nobody can keeps its row."""
    from motebench.catalog import paper

    found = paper(key)
    offered = _offered()
    return [
        PaperSchemeRow(
            scheme=scheme,
            as_published=" ".join(part for part in (entry.algorithm, entry.mode) if part),
            implementations=tuple(offered.get(scheme, ())),
            used_by_the_paper=tuple(entry.used),
            note=entry.note or None,
        )
        for entry in found.evaluated
        for scheme in entry.schemes
    ]


def _offered(named: str | None = None) -> dict[str, list[str]]:
    """scheme -> implementations that offer it on some target here: the built ones, and the named one."""
    from motebench.base.naming import is_variant
    from motebench.targets.registry import EVERY, chosen_implementations, open_target, own_targets
    from motebench.targets.wire.messages import ProbeFailure

    offered: dict[str, list[str]] = {}
    asked = [EVERY, *([named] if named else [])]
    here = [
        (target, name) for target in map(open_target, own_targets()) for name in chosen_implementations(target, asked)
    ]
    for target, implementation in here:
        if is_variant(implementation):
            continue  # the same code with fewer instructions
        try:
            session = target.open(implementation)
        except ProbeFailure as failure:
            _log.warning("%s: %s", implementation, failure.message)
            continue
        try:
            for scheme in session.offers():
                offered.setdefault(scheme, []).append(implementation)
        except ProbeFailure as failure:
            _log.warning("%s: %s", implementation, failure.message)
        finally:
            session.close()
    return offered


def _known_implementation(name: str) -> None:
    from motebench.targets.registry import implementations_of, missing_implementation, open_target

    target = open_target("host")
    if name not in implementations_of(target, [name]):
        raise missing_implementation(name, target, where="--implementation")
