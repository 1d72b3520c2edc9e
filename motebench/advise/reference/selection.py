"""The selection of reference results: tables, entries and units, by patterns."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase

from motebench.advise.reference.make import ReferenceUnit, targets, units
from motebench.advise.reference.table import Reference, ReferenceCase, references
from motebench.base.errors import InputError
from motebench.base.naming import chooses, split_list


@dataclass(frozen=True, slots=True)
class Selection:
    """Targets by name, implementations and schemes by pattern; entries may have several, separated by commas. Empty:
    all."""

    targets: Sequence[str] = ()
    implementations: Sequence[str] = ()
    schemes: Sequence[str] = ()

    def references(self) -> list[Reference]:
        """The stored tables. InputError for a target that has none."""
        there = references()
        names = split_list(self.targets) or list(there)
        for name in names:
            if name not in there:
                from motebench.base.naming import did_you_mean

                raise InputError(
                    f"there are no reference results for {name!r}", where="--target", valid=", ".join(there) or None,
                    hint=did_you_mean(name, there) or "motebench reference update",
                )  # fmt: skip
        return [there[name] for name in names]

    def entries(self) -> Iterator[tuple[str, ReferenceCase]]:
        """Target and entry, in the order of the tables."""
        patterns, schemes = split_list(self.implementations), split_list(self.schemes)
        for reference in self.references():
            for entry in reference.entries.values():
                if (not patterns or any(chooses(pattern, entry.implementation) for pattern in patterns)) and (
                    not schemes or any(fnmatchcase(entry.scheme, pattern) for pattern in schemes)
                ):
                    yield reference.target, entry

    def units(self) -> list[ReferenceUnit]:
        """The units to measure. InputError if no implementation matches."""
        patterns = split_list(self.implementations)
        wanted = units(split_list(self.targets) or targets())
        if patterns:
            wanted = [unit for unit in wanted if any(chooses(pattern, unit.implementation) for pattern in patterns)]
        if not wanted:
            raise InputError("no implementation matches", where="--implementation")
        return wanted
