"""A selection of the stored reference results, its document, and the pace of a core that follows
from them. Nothing here measures, so it is quick to import."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from fnmatch import fnmatchcase
from typing import Any

from motebench.advise.reference.table import (
    METRICS_KEPT,
    Reference,
    ReferenceCase,
    flows,
    followed_targets,
    of_schemes,
    references,
)
from motebench.base.errors import InputError
from motebench.base.naming import chooses, split_list
from motebench.catalog.cores import CorePace, LinuxCore, PublishedSpeed, cores
from motebench.catalog.proof import one_place_words, unproven, unproven_words
from motebench.documents.known import FlowResultEntry, ReferenceEntry, ReferenceResultEntry


@dataclass(frozen=True, slots=True)
class Selection:
    """Targets by name, implementations and schemes by pattern; entries may have several, separated
    by commas. Empty: all."""

    targets: Sequence[str] = ()
    implementations: Sequence[str] = ()
    schemes: Sequence[str] = ()

    def references(self) -> list[Reference]:
        """The stored tables with the schemes that are selected. InputError for a target that has
        none."""
        present = references()
        names = split_list(self.targets) or list(present)
        for name in names:
            if name not in present:
                from motebench.base.naming import did_you_mean

                raise InputError(
                    f"there are no reference results for {name!r}",
                    where="--target",
                    valid=", ".join(present) or None,
                    hint=did_you_mean(name, present) or "motebench reference update",
                )
        patterns = tuple(split_list(self.schemes))
        return [of_schemes(name, patterns) for name in names]

    def of(self, tables: Sequence[Reference]) -> Iterator[tuple[str, ReferenceCase]]:
        """Target and entry of those of `references` that are selected, in the order of the
        tables.
        """
        patterns = split_list(self.implementations)
        for reference in tables:
            for entry in reference.entries.values():
                if not patterns or any(
                    chooses(pattern, entry.implementation) for pattern in patterns
                ):
                    yield reference.target, entry


def kept(selection: Selection) -> ReferenceEntry:
    """Stored results that the selection contains. InputError for a target that has none."""
    tables = selection.references()
    entries = tuple(
        ReferenceResultEntry(target=target, proven=unproven(target) is None, **result_of(entry))
        for target, entry in selection.of(tables)
    )
    targets = list(dict.fromkeys(entry.target for entry in entries))
    return ReferenceEntry(
        provenance={reference.target: dict(reference.provenance) for reference in tables},
        entries=entries,
        notes=(*unproven_words(targets), *one_place_words(targets), *_pace_words(targets)),
    )


def followed(selection: Selection) -> ReferenceEntry:
    """Stored results of following secrets that the selection contains. InputError for a target that
    has none.
    """
    names = followed_targets()
    chosen = split_list(selection.targets) or names
    for name in chosen:
        if name not in names:
            raise InputError(
                f"no secrets were followed on {name!r}", where="--target", valid=", ".join(names)
            )
    schemes = tuple(split_list(selection.schemes))
    patterns = tuple(split_list(selection.implementations))
    entries = tuple(
        FlowResultEntry(target=name, **asdict(result))
        for name in chosen
        for (scheme, implementation), results in flows(name).items()
        if not schemes or any(fnmatchcase(scheme, pattern) for pattern in schemes)
        if not patterns or any(chooses(pattern, implementation) for pattern in patterns)
        for result in results
    )
    return ReferenceEntry(provenance={}, entries=(), secret_flow=entries)


def _pace_words(targets: Sequence[str]) -> list[str]:
    """A sentence on each core whose instructions are counted."""
    paces = [pace_of_core(core) for core in cores().values() if core.target in targets]
    return [f"{pace.core.target}: {pace.words}." for pace in paces if pace is not None]


def pace_of_core(core: LinuxCore) -> CorePace | None:
    """The cycles that a core takes for an instruction; None without results of its processor."""
    if core.target not in references():
        return None
    names = tuple({speed.scheme for speed in core.speeds})
    counted = of_schemes(core.target, names)
    return core.pace(lambda speed: instructions_of(speed, counted))


def instructions_of(speed: PublishedSpeed, counted: Reference) -> float | None:
    """The counted instructions of a published speed, for a byte or of the operation; None if there
    is no result of them."""
    counts = {
        entry.input_bytes: entry.values["instructions"]
        for entry in counted.entries.values()
        if (entry.scheme, entry.implementation, entry.operation)
        == (speed.scheme, speed.implementation, speed.operation)
        and "instructions" in entry.values
    }
    sizes = sorted(counts)
    if not speed.per_byte:
        return float(counts[sizes[0]]) if sizes else None
    if len(sizes) < 2:
        return None
    return (counts[sizes[-1]] - counts[sizes[-2]]) / (sizes[-1] - sizes[-2])


def result_of(entry: ReferenceCase) -> dict[str, Any]:
    """The fields that a document has of a case."""
    return {
        "scheme": entry.scheme,
        "implementation": entry.implementation,
        "operation": entry.operation,
        "input_bytes": entry.input_bytes,
        **{name: entry.values.get(name) for name in METRICS_KEPT},
        "failure": f"{entry.failure}: {entry.message}" if entry.failure else None,
    }
