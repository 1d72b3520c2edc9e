"""Named profiles: a scheme with a shorter tag, as protocols call it; ``catalog/policies/profiles.toml``."""

from __future__ import annotations

from functools import cache
from typing import Annotated

from pydantic import Field

from motebench.base.files import toml
from motebench.base.paths import catalog_dir
from motebench.catalog.schema import Count, Identifier, IsoDate, Record, Source, Text


class ProfileNote(Record):
    """What a document says of a profile, since when."""

    date: IsoDate
    statement: Text
    source: Source


class Profile(Record):
    """A scheme with a tag of ``tag_bytes``, and the names that protocols have for it."""

    id: Identifier
    scheme: Identifier
    tag_bytes: Count
    names: tuple[Text, ...] = Field(min_length=1)
    notes: tuple[ProfileNote, ...] = ()

    @property
    def words(self) -> list[str]:
        """Its names, and what is said of it, as lines."""
        said = [f"{note.statement} ({note.source}, {note.date})" for note in self.notes]
        return [f"{self.scheme} with a tag of {self.tag_bytes} bytes is {'; '.join(self.names)}", *said]


class Profiles(Record):
    """``catalog/policies/profiles.toml``."""

    profiles: Annotated[tuple[Profile, ...], Field(min_length=1)]


@cache
def profiles() -> dict[str, Profile]:
    """Every profile by name."""
    found = toml.validate(toml.load(catalog_dir() / "policies" / "profiles.toml"), Profiles)
    return {profile.id: profile for profile in found.profiles}


def profile_of(scheme: str, tag_bytes: int) -> Profile | None:
    """The profile of a scheme with that tag; None if it has no name."""
    return next((one for one in profiles().values() if (one.scheme, one.tag_bytes) == (scheme, tag_bytes)), None)
