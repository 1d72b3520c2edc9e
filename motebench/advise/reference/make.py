"""Reference results: selected, made, checked against the stored ones, stored, and as documents.

A selection names targets, implementations and schemes by pattern. Its units (one implementation on
one target) are measured again by processes of this machine or of a fleet.
"""

from __future__ import annotations

import math
import multiprocessing
import os
import random
import threading
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Protocol

from motebench.advise.reference.selection import Selection, result_of
from motebench.advise.reference.table import (
    METRICS_KEPT,
    Key,
    Reference,
    ReferenceCase,
    references,
    write,
)
from motebench.base.errors import InputError, SetupError
from motebench.base.model import FailureKind, Run
from motebench.base.naming import chooses, is_variant, split_list
from motebench.base.paths import data_root, setup_line, studies_dir
from motebench.base.process import TemporaryFolder, cores
from motebench.documents.known import (
    ChangeEntry,
    ReferenceCheckEntry,
    ReferenceResult,
)
from motebench.measuring.request import Start, carry_out
from motebench.measuring.study.load import from_file
from motebench.measuring.study.model import Group, Sampling, Study
from motebench.measuring.study.question import Question
from motebench.results.results import rows
from motebench.targets.registry import open_target
from motebench.targets.wire.stream import end_probes
from motebench.version import __version__

STUDY = "reference.toml"
_TWICE = Sampling.model_validate(
    {"min_samples": 2, "max_samples": 2, "memory_samples": 1, "seed": 1, "timeout": "120min"}
)
"""Two boards have to agree to the last cycle. A slow machine gives the same results: an RSA
signature of a simulated AVR takes it minutes."""

_INSTRUCTIONS_APART = 0.002
"""Share by which counts of one case may lie apart: the place of memory and random blinding move
those of whole libraries."""

_CASE_CYCLES = 1e6
"""Work around a case, in cycles that the simulators compute in the same time."""

Said = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class ReferenceUnit:
    """The unit of work: one implementation on one target."""

    target: str
    implementation: str


@dataclass(frozen=True, slots=True)
class Made:
    """The results of a unit, and remarks on the firmware."""

    unit: ReferenceUnit
    entries: tuple[ReferenceCase, ...]
    provenance: dict[str, str]


@dataclass(frozen=True, slots=True)
class Change:
    """A case whose results differ from the stored ones; None means that the case is missing on that
    side.
    """

    target: str
    key: Key
    kept: ReferenceCase | None
    now: ReferenceCase | None


def targets() -> list[str]:
    """The targets that have reference results."""
    return sorted({target for group in _study().measure for target in group.targets})


def units(names: Iterable[str]) -> list[ReferenceUnit]:
    """Implementations of these targets, each as a unit. SetupError if a target has none on this
    machine.
    """
    made_units = []
    for name in names:
        if name not in targets():
            raise InputError(
                f"there are no reference results for {name!r}",
                where="--target",
                valid=", ".join(targets()),
            )
        implementations = [
            entry for entry in open_target(name).implementations() if _groups(name, entry)
        ]
        if not implementations:
            raise SetupError(
                f"no implementation is built for target {name!r}",
                hint=f"{setup_line()}; motebench doctor",
            )
        made_units += [ReferenceUnit(name, implementation) for implementation in implementations]
    return made_units


def _groups(target: str, implementation: str) -> list[Group]:
    """The groups of the study that ask for an implementation on a target. A group that names none
    asks for all but variants.
    """
    return [
        group
        for group in _study().measure
        if target in group.targets
        and any(chooses(pattern, implementation) for pattern in group.implementations or ("*",))
    ]


class Workers(Protocol):
    """Processes that measure units, each once: those of this machine, or of a fleet."""

    def each(
        self, work: Callable[[ReferenceUnit], Made], units: Sequence[ReferenceUnit]
    ) -> Iterator[tuple[ReferenceUnit, Made]]:
        """Results of ``work`` for each unit, in the order of completion."""
        ...


@dataclass(frozen=True)
class Processes:
    """Number of processes of this machine at once; None: one per processor."""

    count: int | None = None

    def each(
        self, work: Callable[[ReferenceUnit], Made], units: Sequence[ReferenceUnit]
    ) -> Iterator[tuple[ReferenceUnit, Made]]:
        """Results of ``work`` for each unit, in the order of completion."""
        jobs = min(self.count or cores(), len(units)) or 1
        # Each process starts fresh instead of forking: a run handles signals in the main thread of
        # its own process.
        fresh = multiprocessing.get_context("spawn")
        with ProcessPoolExecutor(jobs, mp_context=fresh, initializer=_end_with_parent) as pool:
            waiting = {pool.submit(work, unit): unit for unit in units}
            for future in as_completed(waiting):
                yield waiting[future], future.result()


def _end_with_parent() -> None:
    """End this process when its parent is killed, which would use its results."""

    def wait() -> None:
        parent = multiprocessing.parent_process()
        if parent is not None:
            parent.join()
            end_probes()
            os._exit(1)

    threading.Thread(target=wait, daemon=True).start()


def make(
    units: Sequence[ReferenceUnit], report: Said, workers: Workers | None = None
) -> Iterator[Made]:
    """Measure every unit, several at a time, those that take longest first; ``report`` is called
    with progress messages."""
    measured = (workers or Processes()).each(_measure, longest_first(units))
    for done, (unit, made) in enumerate(measured, 1):
        report(f"{done} of {len(units)}: {unit.implementation} on {unit.target}")
        yield made


def longest_first(units: Sequence[ReferenceUnit]) -> list[ReferenceUnit]:
    """The units by the work that their stored results show: the last one to begin should not be a
    long one. Units without stored results come first, because their work is unknown."""
    work: dict[ReferenceUnit, float] = {}
    for target in {unit.target for unit in units}:
        for entry in _stored(target):
            unit = ReferenceUnit(target, entry.implementation)
            work[unit] = work.get(unit, 0.0) + _CASE_CYCLES + entry.values.get("cycles", 0)
    return sorted(units, key=lambda unit: -work.get(unit, math.inf))


def _stored(target: str) -> Iterable[ReferenceCase]:
    try:
        return references()[target].entries.values()
    except (InputError, KeyError):  # a table that cannot be read may be what is made anew
        return ()


def sample(units: Sequence[ReferenceUnit], count: int, seed: int) -> list[ReferenceUnit]:
    """Some of the units, chosen at random but always the same for a seed."""
    return random.Random(seed).sample(
        sorted(units, key=lambda unit: (unit.target, unit.implementation)), count
    )


def changes(reference: Reference, made: Made) -> list[Change]:
    """Differences between the results of a unit and the stored ones."""
    now = {entry.key: entry for entry in made.entries}
    earlier = {
        key: entry for key, entry in reference.entries.items() if key[1] == made.unit.implementation
    }
    differing = []
    for key in sorted({*now, *earlier}):
        before, after = earlier.get(key), now.get(key)
        if before is not None and after is not None and _same(before, after):
            continue
        differing.append(Change(made.unit.target, key, before, after))
    return differing


def _same(before: ReferenceCase, after: ReferenceCase) -> bool:
    """True if two results agree: to the last cycle and byte; counted instructions nearly."""
    return (
        before.failure == after.failure
        and before.values.keys() == after.values.keys()
        and all(_agree(name, [value, after.values[name]]) for name, value in before.values.items())
    )


def _agree(metric: str, values: Collection[int]) -> bool:
    """True if readings of a metric agree."""
    most = _INSTRUCTIONS_APART * min(values) if metric == "instructions" else 0
    return max(values) - min(values) <= most


@cache
def _study() -> Study:
    return from_file(studies_dir() / STUDY).study


def _measure(unit: ReferenceUnit) -> Made:
    study = _study()
    groups = [
        group.model_copy(
            update={
                "targets": (unit.target,),
                "implementations": (unit.implementation,),
                "placements": 1,
            }
        )
        for group in _groups(unit.target, unit.implementation)
    ]
    question = Question(
        study.model_copy(update={"measure": tuple(groups), "sampling": _TWICE}), "", "reference"
    )
    with TemporaryFolder() as folder:
        try:
            (run,) = carry_out(
                folder / "run.db", Start(question, "reference", seed=1, threads=1)
            ).runs
        except InputError:  # the implementation has none of the requested schemes
            return Made(unit, (), {})
    probe = next(iter(run.info.environment["probes"].values()), None)
    provenance = {"motebench": __version__}
    if probe is not None:
        provenance |= {"compiler": probe["compiler"], "flags": probe["flags"]}
    return Made(unit, tuple(_entries(unit, run)), provenance)


def _entries(unit: ReferenceUnit, run: Run) -> Iterator[ReferenceCase]:
    by_key: dict[Key, dict[str, int]] = {}
    unsteady: dict[Key, str] = {}
    for row in rows(run):
        case = row.case
        if row.metric in METRICS_KEPT and case.bare:  # the files have no column for other inputs
            values = {round(value) for value in row.values.values()}
            key = (case.scheme, unit.implementation, case.operation.value, case.input_bytes)
            by_key.setdefault(key, {})[row.metric] = round(row.values[min(row.values)])
            if not _agree(row.metric, values):
                unsteady[key] = (
                    f"two boards differ in {row.metric}: {', '.join(map(str, sorted(values)))}"
                )
    for key, metrics in by_key.items():
        reason = unsteady.get(key)
        yield (
            ReferenceCase(*key, {}, FailureKind.ERROR.value, reason)
            if reason
            else ReferenceCase(*key, metrics)
        )
    yield from _failed(unit, run)


def _failed(unit: ReferenceUnit, run: Run) -> Iterator[ReferenceCase]:
    """Failures; only one if a whole scheme failed, for example because its firmware does not fit.

    A scheme that is not offered is not a failure.
    """
    met = [failure for failure in run.failures if failure.kind is not FailureKind.UNSUPPORTED]
    met += [
        result.failure for result in run.results if result.failure is not None and result.case.bare
    ]
    measured = {result.case.scheme for result in run.results if result.failure is None}
    first_failures: dict[Key, ReferenceCase] = {}
    for failure in met:
        whole = failure.scheme not in measured
        name, size = ("", 0) if whole else (failure.operation or "", failure.input_bytes or 0)
        message = " ".join(failure.message.replace(f"{data_root()}/", "").split())[:200]
        entry = ReferenceCase(
            failure.scheme, unit.implementation, name, size, {}, failure.kind.value, message
        )
        first_failures.setdefault(entry.key, entry)
    yield from first_failures.values()


def units_of(selection: Selection) -> list[ReferenceUnit]:
    """The units to measure. InputError if no implementation matches."""
    patterns = split_list(selection.implementations)
    chosen = units(split_list(selection.targets) or targets())
    if patterns:
        chosen = [
            unit
            for unit in chosen
            if any(chooses(pattern, unit.implementation) for pattern in patterns)
        ]
    if not chosen:
        raise InputError("no implementation matches", where="--implementation")
    return chosen


def check(
    selection: Selection,
    units: Sequence[ReferenceUnit],
    report: Said,
    workers: Workers | None = None,
) -> list[Change]:
    """Measure ``units`` again; the cases that differ from the stored ones. ``report`` is called
    with progress messages."""
    by_target = {reference.target: reference for reference in selection.references()}
    return [
        change
        for made in make(units, report, workers)
        for change in changes(by_target[made.unit.target], made)
    ]


def update(
    selection: Selection, report: Said, workers: Workers | None = None
) -> Iterator[tuple[str, Path, int]]:
    """Measure everything that is selected and store it; target, file and number of cases of each
    written table.
    """
    made: dict[str, list[Made]] = {}
    for item in make(units_of(selection), report, workers):
        made.setdefault(item.unit.target, []).append(item)
    for target, items in made.items():
        path = _keep(target, items, replaced=not selection.implementations)
        yield target, path, len(references()[target].entries)


def _keep(target: str, items: Sequence[Made], *, replaced: bool) -> Path:
    """Write the table of a target. If only some cases were selected, the others stay; otherwise a
    table that cannot be read is simply ``replaced``."""
    new = {item.unit.implementation for item in items}
    old = None if replaced else references().get(target)
    others = (
        [entry for entry in old.entries.values() if entry.implementation not in new] if old else []
    )
    # Firmware that does not fit says nothing about the compiler, and a variant not of the others.
    provenances = [
        item.provenance
        for item in items
        if item.entries and not is_variant(item.unit.implementation)
    ] + ([dict(old.provenance)] if old else [])
    provenance = next(
        (entry_of for entry_of in provenances if "compiler" in entry_of),
        provenances[0] if provenances else {},
    )
    return write(
        target, provenance, [*others, *(entry for item in items for entry in item.entries)]
    )


# Documents


def checked(units: Sequence[ReferenceUnit], changes: Sequence[Change]) -> ReferenceCheckEntry:
    """The cases that were measured again, and those that differ."""
    return ReferenceCheckEntry(
        checked=tuple((unit.target, unit.implementation) for unit in units),
        changes=tuple(
            ChangeEntry(target=change.target, kept=_side(change.kept), now=_side(change.now))
            for change in changes
        ),
    )


def _side(entry: ReferenceCase | None) -> ReferenceResult | None:
    return None if entry is None else ReferenceResult(**result_of(entry))
