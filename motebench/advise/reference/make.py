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
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Protocol

from motebench.advise.reference.selection import Selection, result_of
from motebench.advise.reference.table import (
    METRICS_KEPT,
    Key,
    Reference,
    ReferenceCase,
    flow_key,
    flows,
    references,
    write,
    write_flows,
)
from motebench.base.errors import InputError, MotebenchError, SetupError
from motebench.base.model import FailureKind, Operation, Run
from motebench.base.naming import SIMULATED, chooses, is_variant, split_list
from motebench.base.paths import data_root, setup_line, studies_dir
from motebench.base.process import TemporaryFolder, cores
from motebench.catalog.devices import programmable
from motebench.catalog.policies import claim
from motebench.documents.known import (
    ChangeEntry,
    FlowResult,
    ReferenceCheckEntry,
    ReferenceResult,
)
from motebench.documents.leak import FlowCaseEntry, FlowFindingEntry, FlowKind
from motebench.measuring.leak.examination import LeakRequest
from motebench.measuring.leak.flow import FlowRequest, follow
from motebench.measuring.request import Start, carry_out
from motebench.measuring.study.load import from_file
from motebench.measuring.study.model import Group, Sampling, Study
from motebench.measuring.study.question import Question
from motebench.results.results import rows
from motebench.targets.board.board import firmware_providers
from motebench.targets.code.workspace import Workspace
from motebench.targets.firmware import FirmwareRole
from motebench.targets.firmware.architecture import architecture
from motebench.targets.firmware.build import digest
from motebench.targets.firmware.forms import flashable
from motebench.targets.registry import open_target
from motebench.targets.wire.messages import ProbeFailure
from motebench.targets.wire.stream import end_probes
from motebench.version import __version__, built_from, commit

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
            try:
                for future in as_completed(waiting):
                    yield waiting[future], future.result()
            finally:  # whoever stops waiting does not wait for the units that have not begun
                pool.shutdown(cancel_futures=True)


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


# Flow of secrets

FLOW_TARGETS = (
    "sim:cortex-m3-nows",
    "sim:nrf52840",
    "sim:samd21g18a",
    "sim:rp2350-hazard3",
    "sim:rp2350-m33",
    "sim:atmega4809",
    "sim:atmega2560",
)
"""A board for each core whose simulator follows secrets."""
_STEPS = frozenset(
    operation.value for operation in (Operation.KEY_SETUP, Operation.ENCRYPT, Operation.DECRYPT)
)
"""Operations that whole messages contain."""
_ADDRESSES = (FlowKind.LOAD, FlowKind.STORE)
_FEW_INPUTS, _MUCH_WORK, _MOST_WORK = 2, 2e6, 5e8
"""Inputs for each secret where an operation takes more cycles than the second number. One that
takes more than the third is not followed.
"""


@dataclass(frozen=True, slots=True)
class FlowUnit:
    """A scheme of an implementation, whose secrets are followed on a target through operations with
    a message of that size. ``cycles``: of the longest of them.
    """

    target: str
    implementation: str
    scheme: str
    operations: tuple[str, ...]
    input_bytes: int
    cycles: int


def flow_units(selection: Selection) -> list[FlowUnit]:
    """Units of the reference results of these targets, but for variants, `verify` and long work:
    claims of constant time first, one scheme of each implementation before the second.
    InputError if nothing matches.
    """
    names = split_list(selection.targets) or FLOW_TARGETS
    chosen = replace(selection, targets=names)
    by_code: dict[tuple[str, str, str], list[ReferenceCase]] = {}
    for target, entry in chosen.of(chosen.references()):
        if entry.failure or entry.operation == Operation.VERIFY.value:
            continue
        if target.startswith(SIMULATED) and not is_variant(entry.implementation):
            key = (target, entry.implementation, entry.scheme)
            by_code.setdefault(key, []).append(entry)
    flow = [_flow_unit(key, entries) for key, entries in by_code.items()]
    ordered: list[tuple[tuple[bool, int, bool, int], FlowUnit]] = []
    seen: Counter[tuple[str, str]] = Counter()
    for unit in sorted(flow, key=lambda unit: (unit.cycles, unit.scheme)):
        if unit.cycles <= _MOST_WORK:
            code = (unit.target, unit.implementation)
            unclaimed, library = claim(code[1]) is None, not code[1].startswith("mote/")
            ordered.append(((unclaimed, seen[code], library, unit.cycles), unit))
            seen[code] += 1
    if not ordered:
        raise InputError("no implementation matches", where="--implementation")
    return [unit for _, unit in sorted(ordered, key=lambda item: item[0])]


def _flow_unit(key: tuple[str, str, str], entries: Sequence[ReferenceCase]) -> FlowUnit:
    least: dict[str, ReferenceCase] = {}
    for entry in sorted(entries, key=lambda item: item.input_bytes):
        least.setdefault(entry.operation, entry)
    whole = {name: entry for name, entry in least.items() if name not in _STEPS} or least
    return FlowUnit(
        *key,
        operations=tuple(sorted(whole)),
        input_bytes=max(entry.input_bytes for entry in whole.values()),
        cycles=max(entry.values["cycles"] for entry in whole.values()),
    )


def follow_unit(unit: FlowUnit, code: str) -> tuple[FlowResult, ...]:
    """Results of a unit, made now. ``code``: see `flow_code`."""
    workspace = Workspace()
    few = unit.cycles > _MUCH_WORK
    request = LeakRequest(
        target=unit.target,
        implementation=unit.implementation,
        schemes=(unit.scheme,),
        operations=unit.operations,
        size=str(unit.input_bytes or 16),
        samples=_FEW_INPUTS if few else None,
        seed=1,
    )
    wheel = built_from()
    base = FlowResult(
        scheme=unit.scheme,
        implementation=unit.implementation,
        operation="",
        commit=(commit() or (wheel.commit if wheel else ""))[:8],
        code=code,
    )
    try:
        document = follow(workspace, FlowRequest(request, checked=True), lambda *_: None)
    except MotebenchError as error:
        return (replace(base, failure=" ".join(str(error).split())[:160]),)
    base = replace(base, compiler=document.compiler, flags=document.flags)
    return (
        *(_flow_result(base, case) for case in document.cases),
        *(
            replace(
                base,
                operation=failure.operation or "",
                input_bytes=failure.input_bytes or 0,
                failure=" ".join(f"{failure.kind}: {failure.message}".split())[:160],
            )
            for failure in document.failures
        ),
    )


def _flow_result(base: FlowResult, case: FlowCaseEntry) -> FlowResult:
    errors = [finding for finding in case.findings if finding.error]
    declared = dict.fromkeys(public.at.function or "?" for public in case.declassified)
    assert case.coverage is not None  # of a simulated board
    return replace(
        base,
        operation=case.operation,
        input_bytes=case.input_bytes,
        errors=len(errors) + case.findings_lost,
        addresses=sum(finding.kind in _ADDRESSES for finding in errors),
        notes=len(case.findings) - len(errors),
        inputs=case.inputs,
        lines=case.coverage.lines,
        ran=case.coverage.ran,
        first=_finding_words(case.findings[0]) if case.findings else "",
        public=" ".join(declared),
    )


def _finding_words(finding: FlowFindingEntry) -> str:
    """A finding in short: function, kind, and place without its folder."""
    place = finding.at
    line = "" if place.file is None else f" at {Path(place.file).name}:{place.line}"
    return f"{place.function or place.address}, {finding.kind}{line}"


def flow_code(unit: FlowUnit) -> str:
    """Digest of what decides the results: the machine code with its marks, and the sources of its
    simulator. Empty if the code cannot be built.
    """
    device = programmable()[unit.target.removeprefix(SIMULATED)]
    provider = firmware_providers(device)[unit.implementation]
    try:
        image = provider.image(device, unit.scheme, FirmwareRole(marks=True))
        code = flashable(device, image, "binary").read_bytes().replace(image.identity, b"")
    except ProbeFailure:
        return ""
    return digest((code, _simulator_digest(device.architecture))).hex()[:12]


@cache
def _simulator_digest(name: str) -> bytes:
    own = architecture(name).simulator.program.rpartition("-")[2]
    folders = (own, "common", "shadow")
    return digest(
        path.read_bytes()
        for folder in folders
        for path in sorted((data_root() / "simulators" / folder).rglob("*.[ch]"))
        if "tests" not in path.parts
    )


def update_flows(selection: Selection, report: Said) -> Iterator[FlowUnit]:
    """Follow the secrets of what is selected, unless the same code was followed by the same
    simulator, and store each result at once. The units that were followed.
    """
    chosen = flow_units(selection)
    for number, unit in enumerate(chosen, 1):
        stored = dict(flows(unit.target))
        key = (unit.scheme, unit.implementation)
        code = flow_code(unit)
        earlier = stored.get(key, ())
        if {result.code for result in earlier} == {code} and not any(map(_again, earlier)):
            continue
        report(f"{number} of {len(chosen)}: {unit.scheme} {unit.implementation} on {unit.target}")
        stored[key] = follow_unit(unit, code)
        write_flows(unit.target, (result for results in stored.values() for result in results))
        yield unit


def _again(result: FlowResult) -> bool:
    """True if another attempt may give a result: a busy machine builds nothing in time."""
    return not result.code or result.failure.startswith(f"{FailureKind.BUILD.value}:")


def flow_changes(units: Sequence[FlowUnit], report: Said) -> Iterator[FlowUnit]:
    """Units whose results differ from the stored ones; the commit may differ."""
    for number, unit in enumerate(units, 1):
        report(f"{number} of {len(units)}: {unit.scheme} {unit.implementation} on {unit.target}")
        stored = flows(unit.target).get((unit.scheme, unit.implementation), ())
        made = [replace(result, commit="") for result in follow_unit(unit, flow_code(unit))]
        if sorted(made, key=flow_key) != sorted(
            (replace(result, commit="") for result in stored), key=flow_key
        ):
            yield unit


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
