"""Maturity of implementations: one file for each library, ``catalog/libraries/<id>.toml``;
``docs/reference/catalog.md`` describes the keys."""

from __future__ import annotations

from enum import IntEnum
from fnmatch import fnmatchcase
from functools import cache
from typing import Literal

from pydantic import Field

from motebench.base.naming import plain
from motebench.catalog.quantities import Known
from motebench.catalog.schema import Identifier, IsoDate, Text
from motebench.catalog.shelf import CatalogEntry, Shelf


class Maturity(IntEnum):
    """Degree to which an implementation can be trusted with a product; less is better."""

    REVIEWED = 0
    """Maintained, and reviewed by others or certified."""
    MAINTAINED = 1
    """Maintained."""
    OUTDATED = 2
    """The measured branch gets no corrections any more; the supported branch was measured, too."""
    UNMAINTAINED = 3
    """Made for products, without a maintained release."""
    UNKNOWN = 4
    """No file has information."""
    RESEARCH = 5
    """The code is not for products."""


class Release(Known):
    """A release with its date."""

    version: Text
    date: IsoDate


class Maintained(Known):
    """True if releases with corrections still come."""

    now: bool
    statement: Text


class Statement(Known):
    """Review, certificate or defect: its content, its date, and its author."""

    date: IsoDate | None = None
    statement: Text


class Library(CatalogEntry):
    """Facts on a library. ``implementations``: patterns of its names here. ``purpose``: the use
    that its makers intend.

    ``contains``: other libraries by id whose code is in some of its implementations, by pattern; a
    pattern of schemes may follow (``micro-ecc/* ecdsa-*``).
    ``supported``: id of the same library's supported branch, if this one gets no corrections.
    """

    implementations: tuple[Text, ...] = Field(min_length=1)
    contains: dict[Text, Identifier] = Field(default_factory=dict)
    supported: Identifier | None = None
    licence: Text
    purpose: Literal["product", "research"]
    release: Release | None = None
    maintained: Maintained
    reviews: tuple[Statement, ...] = ()
    certificates: tuple[Statement, ...] = ()
    defects: tuple[Statement, ...] = ()

    @property
    def maturity(self) -> Maturity:
        """Place of the entry in the order of maturity."""
        if self.purpose == "research":
            return Maturity.RESEARCH
        if not self.maintained.now:
            return Maturity.UNMAINTAINED
        return Maturity.REVIEWED if self.reviews or self.certificates else Maturity.MAINTAINED

    @property
    def words(self) -> tuple[str, ...]:
        """Facts of the library for readers: licence, release, maintenance, reviews and defects."""
        released = (
            [f"release {self.release.version} of {self.release.date}"] if self.release else []
        )
        more = [entry.statement for entry in (*self.reviews, *self.certificates, *self.defects)]
        return (
            f"{self.name}: {'; '.join((self.licence, *released))}",
            self.maintained.statement,
            *more,
        )


LIBRARIES = Shelf("libraries", "library", "libraries", Library)


@cache
def library_of(implementation: str) -> Library | None:
    """The facts on an implementation; None if no file has any. InputError for a bad file."""
    name = plain(implementation)
    for library in LIBRARIES.all().values():
        if any(fnmatchcase(name, pattern) for pattern in library.implementations):
            return library
    return None


@cache
def weakest_of(implementation: str, scheme: str) -> Library | None:
    """The least mature library whose code is in an implementation of a scheme; None if no file says
    anything. InputError for a library that another one contains and that has no file."""
    library, name = library_of(implementation), plain(implementation)
    if library is None:
        return None
    inside = []
    for patterns, other in library.contains.items():
        names, _, schemes = patterns.partition(" ")
        if fnmatchcase(name, names) and fnmatchcase(scheme, schemes or "*"):
            inside.append(LIBRARIES.find(other))
    return max(library, *inside, key=lambda library: library.maturity) if inside else library


def maturity_of(implementation: str, scheme: str) -> Maturity:
    """Maturity of an implementation of a scheme: that of its least mature part."""
    library = weakest_of(implementation, scheme)
    return Maturity.UNKNOWN if library is None else library.maturity
