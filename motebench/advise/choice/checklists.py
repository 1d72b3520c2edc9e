"""Checklists: what provisions of a standard or a law say on cryptography, and which of them a choice answers.

``catalog/checklists/<id>.toml``. A choice answers a provision as far as it goes; what remains is for people.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from typing import Literal

from pydantic import Field

from motebench.advise.choice.candidate import Candidate
from motebench.advise.choice.question import Chosen, Need
from motebench.base.errors import InputError
from motebench.base.files import toml
from motebench.base.naming import did_you_mean
from motebench.base.paths import catalog_dir
from motebench.catalog.libraries import Maturity
from motebench.catalog.schema import Identifier, IsoDate, Record, Source, Text
from motebench.documents.choice import ProvisionEntry

_CONFIDENTIAL = (Need.AEAD, Need.ENCRYPTION)
_PROTECTED = (Need.AEAD, Need.MAC, Need.SIGNATURE)
Rule = Literal["status", "protected", "confidential", "reviewed", "update", "lifetime"]


class Provision(Record):
    """One provision. ``answered_by``: what of a choice answers it; None: nothing does. ``remains``: what it leaves."""

    clause: Text
    level: Literal["mandatory", "recommended"]
    requirement: Text
    answered_by: Rule | None = None
    remains: Text


class Checklist(Record):
    """One file of ``catalog/checklists``. ``unverified``: its author did not see the provisions in the document."""

    id: Identifier
    name: Text
    date: IsoDate
    source: Source
    unverified: bool = False
    provisions: tuple[Provision, ...] = Field(min_length=1)


@cache
def checklists() -> Mapping[str, Checklist]:
    """Every checklist by id."""
    paths = sorted((catalog_dir() / "checklists").glob("*.toml"))
    return {found.id: found for found in (toml.validate(toml.load(path), Checklist) for path in paths)}


def checklist(name: str) -> Checklist:
    """The checklist of that name. InputError that lists the known ones."""
    known = checklists()
    found = known.get(name.strip().casefold())
    if found is None:
        raise InputError(
            f"unknown checklist {name!r}", where="--checklist", valid=", ".join(known), hint=did_you_mean(name, known)
        )
    return found


def checked(name: str, chosen: Chosen) -> Iterator[ProvisionEntry]:
    """Each provision with what the first candidate answers of it; everything is open without one."""
    first = chosen.first
    asked = checklist(name)
    for provision in asked.provisions:
        words = _answered(provision.answered_by, chosen, first) if first is not None else None
        yield ProvisionEntry(
            clause=provision.clause,
            level=provision.level,
            requirement=provision.requirement,
            answer=words,
            remains=provision.remains,
            unverified=asked.unverified,
        )


def _answered(rule: Rule | None, chosen: Chosen, first: Candidate) -> str | None:
    """What the candidate answers; None if it leaves the provision open."""
    demands, standing = chosen.question.demands, first.standing
    sound = "; ".join(standing.words) if standing.tier == 0 else None
    if rule == "reviewed":
        return "; ".join(standing.made_by) if standing.maturity is Maturity.REVIEWED else None
    if rule == "lifetime":
        return None if demands.until is None else f"no verdict that is announced until {demands.until} excludes it"
    fits = {
        "status": True,
        "protected": demands.need in _PROTECTED,
        "confidential": demands.need in _CONFIDENTIAL,
        "update": demands.need is Need.UPDATE,
    }
    return sound if rule is not None and fits[rule] else None
