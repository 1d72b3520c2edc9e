"""Offers from reference results of a simulated board, or from a stored run.

Signatures whose number of attempts is random (ML-DSA, ``catalog/signing/<device>.toml``): the
typical time is the mean with the attempts that are expected, which counts for energy and life. The
bounds are those of one signature: the first attempt fits, and the 99th percentile.

Flash and static RAM are those of the firmware with the probe, less those of a no-op cipher. It is
of the same kind, because the probe takes more for one kind than for another, and without a mode of
operation, because a device needs the mode.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from pydantic import Field

from motebench.advise.choice.candidate import Offers, Origin, Point, SchemeOffer
from motebench.advise.reference.selection import pace_of_core
from motebench.advise.reference.table import (
    Reference,
    ReferenceCase,
    file_of,
    name_of_table,
    references,
)
from motebench.base.files import toml
from motebench.base.model import Evidence, FailureKind, Kind, Operation, Run
from motebench.base.naming import is_variant, variant_marks
from motebench.base.paths import catalog_dir
from motebench.base.quantities import UNCHANGED, Interval
from motebench.catalog import schemes
from motebench.catalog.cores import CorePace, core_of
from motebench.catalog.currents import fewer_waits
from motebench.catalog.devices import Device, devices
from motebench.catalog.policies import CarriedResults, StandIn, choice
from motebench.catalog.proof import (
    PlaceBounds,
    bounds_over_places,
    device_of,
    one_place_words,
    unproven_words,
)
from motebench.catalog.quantities import PositiveBounds
from motebench.catalog.schema import Count, Record, Source, Text
from motebench.documents.choice import ReferenceOrigin, RunOrigin
from motebench.results import formulas

if TYPE_CHECKING:
    from motebench.results.row import MeasurementRow

_MESSAGE = 32
"""Bytes of the messages that were signed."""


class SigningAttempts(Record):
    """Mean number of attempts of the signed messages, and the number that the standard expects."""

    drawn: float = Field(gt=0)
    expected: float = Field(gt=0)


class Signature(Record):
    """Cycles of a signature: the mean with the expected attempts, each attempt, the part outside
    the attempts, and the 99th percentile.
    """

    scheme: Text
    implementation: Text
    mean_cycles: Count
    attempt_cycles: Count
    beside_cycles: Count
    p99_cycles: Count
    messages: Count
    attempts: SigningAttempts
    stack_bytes: PositiveBounds
    source: Source

    @property
    def cycles(self) -> Interval:
        """Cycles of one signature; the typical value is the mean."""
        return Interval(
            float(self.beside_cycles + self.attempt_cycles),
            float(self.mean_cycles),
            float(self.p99_cycles),
        )


class _SigningFile(Record):
    target: Text
    signatures: tuple[Signature, ...]


@cache
def _known() -> dict[tuple[str, str, str], tuple[Signature, str]]:
    by_case = {}
    for path in sorted((catalog_dir() / "signing").glob("*.toml")):
        file = toml.validate(toml.load(path), _SigningFile)
        for signature in file.signatures:
            by_case[file.target, signature.scheme, signature.implementation] = (
                signature,
                f"catalog/signing/{path.name}",
            )
    return by_case


def with_signatures(
    target: str,
    offers: Iterable[SchemeOffer],
    hz: float,
    factor: Interval,
    places: PlaceBounds | None = None,
    of_chip: Interval = UNCHANGED,
) -> Iterator[SchemeOffer]:
    """The offers with what is known of signatures on that board; of those that are signed already
    nothing changes.

    ``factor``: what times of the board are multiplied by, and ``of_chip``: the part of it that all
    code shares; ``places``: bounds over places of its code. Flash and state
    are those of the firmware that verifies, which also signs.
    """
    for offer in offers:
        signature, file = _known().get((target, offer.scheme, offer.implementation), (None, ""))
        checked = offer.points.get((Operation.VERIFY.value, _MESSAGE))
        if signature is None or checked is None or offer.sizes(Operation.SIGN):
            yield offer
            continue
        origin = ReferenceOrigin(
            file=file,
            target=target,
            scheme=offer.scheme,
            implementation=offer.implementation,
            operation=Operation.SIGN,
            input_bytes=_MESSAGE,
            compiler=None,
            cycles=signature.mean_cycles,
        )
        memory = {**checked.memory, "stack": signature.stack_bytes.interval}
        point = Point(signature.cycles * (1 / hz) * factor, memory, origin, places, of_chip)
        yield replace(offer, points={**offer.points, (Operation.SIGN.value, _MESSAGE): point})


WHOLE = ("flash", "static_ram")
"""Metrics of the whole firmware. With ``_net``: the increase over the firmware of a no-op cipher in
the same mode.
"""
_BARE = {Kind.CIPHER: Kind.STREAM, Kind.MAC: Kind.HASH}
"""Kinds whose no-op firmware always has a mode, and the kind whose probe is most similar to theirs
without it: a stream cipher has the interface of a block cipher in a mode, a hash that of a MAC.
"""
_OF_KEYS = (Kind.SIGNATURE, Kind.AGREEMENT, Kind.KEM)
"""Kinds whose probe is the same for all schemes."""
_ONLY_OF_HASHES = 320
"""Bytes of the probe for hashes that firmware of a MAC may be without: linked by hand, AES-CMAC of
Mbed TLS took 228 more on a SAMD21 than its firmware took more than that of a no-op hash."""


class Floors:
    """The sizes of no-op firmware of one board, by kind and mode."""

    def __init__(self, measured: Iterable[tuple[str, Mapping[str, float]]]) -> None:
        """``measured``: schemes with the values of their metrics."""
        self._sort = cache(_sort)
        self._empty: dict[tuple[str, Kind | None, str | None], float] = {}
        self._least: dict[str, float] = {}
        for scheme, values in measured:
            for name in WHOLE:
                if name not in values:
                    continue
                empty = values[name]
                if f"{name}_net" in values:
                    empty -= values[f"{name}_net"]
                    key = (name, *self._sort(scheme))
                    self._empty[key] = min(empty, self._empty.get(key, empty))
                self._least[name] = min(empty, self._least.get(name, empty))

    def added(self, scheme: str, memory: Mapping[str, Interval]) -> dict[str, Interval]:
        """Bytes of flash and static RAM by name, as far as they are known.

        With a mode of operation the lower bound is without the mode, and the typical and upper
        value with it and with what the probe may take more for this kind; of a MAC the upper value
        is more by what only the probe for hashes has. If no firmware without a mode was measured,
        the upper bound is the whole firmware.
        """
        return {name: self._added(name, scheme, memory) for name in WHOLE if name in memory}

    def _added(self, name: str, scheme: str, memory: Mapping[str, Interval]) -> Interval:
        whole, (kind, mode) = memory[name], self._sort(scheme)
        empty = self._empty.get((name, kind, mode))
        if empty is None:
            low = max(whole.low - self._least.get(name, whole.low), 0.0)
            return Interval(low, low, whole.high)
        net = Interval(*(max(end - empty, 0.0) for end in (whole.low, whole.typical, whole.high)))
        if kind is None or (mode is None and kind not in _BARE):
            return net
        bare = self._empty.get((name, _BARE.get(kind, kind), None))
        if bare is None:
            return Interval(net.low, net.typical, whole.high)
        most = max(whole.high - bare, net.high)
        beyond = _ONLY_OF_HASHES if kind is Kind.MAC and name == "flash" else 0
        return Interval(net.low, most, most + beyond)


def _sort(scheme: str) -> tuple[Kind | None, str | None]:
    """Kind and mode of a scheme; None for one that the catalog does not have."""
    entry = schemes().get(scheme)
    if entry is None:
        return None, None
    # A padding, a hash or a parameter set of public keys is no mode that the probe has code for.
    return entry.kind, None if entry.kind in _OF_KEYS else entry.mode


_FAMILIES = {
    "x86": r"x86|amd64|i[3-6]86",
    "arm": r"arm|aarch64",
    "avr": "avr",
    "risc-v": "riscv|rv(32|64)",
    "xtensa": "xtensa",
}
_OF_MESSAGES = frozenset(
    operation.value
    for operation in (
        *(
            Operation.ENCRYPT_MESSAGE,
            Operation.MAC,
            Operation.DIGEST,
            Operation.SIGN,
            Operation.VERIFY,
        ),
        *(Operation.KEYGEN, Operation.AGREE, Operation.ENCAPSULATE, Operation.DECAPSULATE),
    )
)


@dataclass(frozen=True, slots=True)
class _WantedResults:
    """Results that are read: of these operations and schemes, None: of all; with ``levels`` also
    those of other optimisation levels."""

    operations: Collection[str] | None
    schemes: Collection[str] | None
    levels: bool


def of_device(
    device: Device,
    operations: Collection[str] | None = _OF_MESSAGES,
    schemes: Collection[str] | None = None,
    *,
    levels: bool = False,
) -> Offers | None:
    """The reference results of a device, or of its stand-in; None if there are none.

    Its own come first; what does not fit the part beside the probe is answered from its stand-in,
    as a model. A device whose cycles are not proven stands in for itself, with bounds. What was not
    measured there is carried over from a board with the same core. Those of a Linux board are
    instructions of its processor with the pace of its core.

    ``operations``: those that are read, by default those of messages; None: all. ``schemes``: the
    same; None: all. ``levels``: also results at other optimisation levels (``mote/aes@O2``).
    """
    tables, selection = references(), _WantedResults(operations, schemes, levels)
    stand_in = next((entry for entry in choice().stand_ins if entry.device == device.id), None)
    results = _own_or_stand_in(device, stand_in, selection)
    carried = next((entry for entry in choice().same_cores if device.id in entry.devices), None)
    if carried is None or carried.target not in tables:
        return results or _of_processor(device, selection)
    present = {(offer.scheme, offer.implementation) for offer in results.offers} if results else ()
    more = tuple(
        replace(offer, carried=carried.target)
        for offer in _modelled(carried.beside(stand_in), device, selection)
        if offer.points and (offer.scheme, offer.implementation) not in present
    )
    if not more:
        return results
    notes = (
        f"not measured on {device.id}: {_note_of(carried, device)}",
        *_provenance(tables[carried.target]),
    )
    if results is None:
        return Offers(more, notes)
    return Offers((*results.offers, *more), (*results.notes, *notes[:1]))


def _own_or_stand_in(
    device: Device,
    stand_in: StandIn | None,
    selection: _WantedResults,
) -> Offers | None:
    """The results of the simulated board, of its stand-in, or of both; None without any."""
    tables = references()
    own = tables.get(f"sim:{device.id}")
    if own is not None and (stand_in is None or stand_in.target != own.target):
        places = bounds_over_places(own.target)
        referenced = _of_reference(own, device, None, selection)
        factor = fewer_waits(device)
        offers = tuple(with_signatures(own.target, referenced, device.clock_hz, factor, places))
        if stand_in is None or stand_in.target not in tables:
            return Offers(offers, _provenance(own))
        notes = (
            *_provenance(own),
            f"what does not fit {device.id} beside the probe: {_note_of(stand_in, device)}",
        )
        modelled = _modelled(stand_in, device, selection)
        return Offers(_filled(offers, modelled, _built(own)), notes)
    if stand_in is None or stand_in.target not in tables:
        return None
    notes = (_note_of(stand_in, device), *_provenance(tables[stand_in.target]))
    return Offers(_modelled(stand_in, device, selection), notes)


def _of_processor(device: Device, selection: _WantedResults) -> Offers | None:
    """The results of a Linux board; None for other devices."""
    core = core_of(device)
    pace = None if core is None else pace_of_core(core)
    if pace is None:
        return None
    counted = references()[pace.core.target]
    offers = tuple(_of_reference(counted, device, pace, selection))
    return Offers(offers, (f"{device.id}: {pace.words}", *_provenance(counted)))


def _modelled(
    stand_in: CarriedResults,
    device: Device,
    selection: _WantedResults,
) -> tuple[SchemeOffer, ...]:
    """Results of the stand-in with its factors, as those of the device."""
    other = references()[stand_in.target]
    offers = _of_reference(other, device, stand_in, selection)
    factor, shared = _factor(stand_in, Operation.SIGN, device), _of_chip(stand_in, Operation.SIGN)
    return tuple(with_signatures(other.target, offers, device.clock_hz, factor, of_chip=shared))


def _note_of(stand_in: CarriedResults, device: Device) -> str:
    return (
        f"results of {stand_in.target} are used for {device.id} ({stand_in.words}): "
        f"{stand_in.statement}; from "
        f"{stand_in.source}{', unverified' if stand_in.unverified else ''}"
    )


def _built(reference: Reference) -> dict[tuple[str, str], Interval]:
    """Flash, without the probe, of firmware that was built for the board but does not fit beside
    the probe.
    """
    floors = _floors_of(reference, "")
    built = {}
    for entry in reference.entries.values():
        missing = _TOO_LONG.fullmatch(entry.message) if entry.failure else None
        if missing is not None and missing[1] == "flash":
            whole = {"flash": Interval.exact(float(missing[2]))}
            built[entry.scheme, entry.implementation] = floors.added(entry.scheme, whole)["flash"]
    return built


def _with_flash(offer: SchemeOffer, flash: Interval | None) -> SchemeOffer:
    """The offer with the flash that its own firmware takes, where that is known."""
    if flash is None:
        return offer
    points = {
        key: replace(point, memory={**point.memory, "flash": flash})
        for key, point in offer.points.items()
    }
    return replace(offer, points=points)


def _filled(
    offers: Iterable[SchemeOffer],
    modelled: Iterable[SchemeOffer],
    built: Mapping[tuple[str, str], Interval],
) -> tuple[SchemeOffer, ...]:
    """The offers, and in place of what is too big beside the probe, or not there, the modelled
    ones.

    ``built``: flash that their own firmware takes.
    """
    filled = {(offer.scheme, offer.implementation): offer for offer in offers}
    for offer in modelled:
        key = (offer.scheme, offer.implementation)
        before = filled.setdefault(key, offer)
        if (
            not before.points
            and offer.points
            and (before.failure or "").startswith(FailureKind.TOO_BIG.value)
        ):
            filled[key] = _with_flash(offer, built.get(key))
    return tuple(filled.values())


def has_results(device: Device) -> bool:
    """True if the catalog has reference results for the device, its stand-in, a board with its
    core, or its processor."""
    core = core_of(device)
    targets = {
        f"sim:{device.id}",
        *(entry.target for entry in choice().stand_ins if entry.device == device.id),
        *(entry.target for entry in choice().same_cores if device.id in entry.devices),
        *([core.target] if core is not None else []),
    }
    return any(file_of(target).exists() for target in targets)


def has_own_results(device: Device) -> bool:
    """True if the catalog has reference results that were simulated for the device itself."""
    return file_of(f"sim:{device.id}").exists()


def devices_with_results() -> list[str]:
    """The ids of all devices with reference results."""
    return sorted(name for name, device in devices().items() if has_results(device))


def _provenance(reference: Reference) -> tuple[str, ...]:
    built = reference.provenance.get("compiler", "an unknown compiler")
    flags = reference.provenance.get("flags")
    made = f"reference results of {reference.target}: {built}{f', {flags}' if flags else ''}"
    return (made, *unproven_words([reference.target]), *one_place_words([reference.target]))


def _of_reference(
    reference: Reference,
    device: Device,
    stand_in: CarriedResults | CorePace | None,
    selection: _WantedResults,
) -> Iterable[SchemeOffer]:
    floors_of = cache(lambda level: _floors_of(reference, level))
    evidence = Evidence.MODELLED if stand_in else Evidence.SIMULATED
    # The factors of a stand-in contain what places of its code may do.
    places = None if stand_in else bounds_over_places(reference.target)
    measured_operations = {entry.operation for entry in reference.entries.values()}
    of_chip = {operation: _of_chip(stand_in, operation) for operation in measured_operations}
    factors = {operation: _factor(stand_in, operation, device) for operation in measured_operations}
    memory_of = cache(lambda level: _Memory(floors_of(level), stand_in).of)
    for (scheme, implementation), entries in _by_code(reference, selection).items():
        level = variant_marks(implementation)
        floors, memory = floors_of(level), memory_of(level)
        points = {
            (entry.operation, entry.input_bytes): Point(
                factors[entry.operation] * formulas.duration(work, device.clock_hz),
                memory(entry),
                _origin(reference, entry),
                places,
                of_chip[entry.operation],
            )
            for entry in entries
            if (work := _work(entry)) is not None
            and (selection.operations is None or entry.operation in selection.operations)
        }
        failures = [
            f"{entry.failure}: {_without_probe(entry, device, floors)}"
            for entry in entries
            if entry.failure and not _only_this_size(entry, points)
        ]
        yield SchemeOffer(
            scheme, implementation, evidence, points, failures[0] if failures else None
        )


def _floors_of(reference: Reference, level: str) -> Floors:
    """The sizes of no-op firmware at one optimisation level."""
    return Floors(
        (entry.scheme, entry.values)
        for entry in reference.entries.values()
        if variant_marks(entry.implementation) == level
    )


def _by_code(
    reference: Reference, selection: _WantedResults
) -> dict[tuple[str, str], list[ReferenceCase]]:
    """Cases of the selection, by scheme and implementation."""
    entries: dict[tuple[str, str], list[ReferenceCase]] = {}
    for entry in reference.entries.values():
        if selection.schemes is not None and entry.scheme not in selection.schemes:
            continue
        if selection.levels or not is_variant(entry.implementation):
            entries.setdefault((entry.scheme, entry.implementation), []).append(entry)
    return entries


def _only_this_size(entry: ReferenceCase, points: Collection[tuple[str, int]]) -> bool:
    """True if only a message of this length does not fit beside the probe and its buffers: the
    operation ran on other lengths, from which its cost follows.
    """
    return entry.failure == FailureKind.TOO_BIG and any(
        operation == entry.operation for operation, _ in points
    )


_SIZES = ("stack", "state", *WHOLE)
"""Metrics of results that are memory of the implementation."""
_TOO_LONG = re.compile(r"\d+ B of (RAM|flash) are missing: (\d+) B of \d+ B")
"""Message of the build on firmware that the part, or the simulated part, has no room for."""


def _without_probe(entry: ReferenceCase, device: Device, floors: Floors) -> str:
    """Message of a failure; for firmware that is too long, its size in the device without the
    probe.
    """
    match = _TOO_LONG.fullmatch(entry.message)
    if match is None:
        return entry.message
    name, size = (
        ("static_ram", device.ram_bytes) if match[1] == "RAM" else ("flash", device.flash_bytes)
    )
    low = floors.added(entry.scheme, {name: Interval.exact(float(match[2]))})[name].low
    memory = "static RAM" if match[1] == "RAM" else "flash"
    if low > size:
        return (
            f"{low:,.0f} B of {memory} without the probe, {low - size:,.0f} B more than the "
            f"{size:,} B of the device"
        )
    return (
        f"it was not measured, because the probe has no room beside it: {low:,.0f} B of {memory} "
        "without the probe"
    )


def _work(entry: ReferenceCase) -> int | None:
    """Cycles of a result, or instructions; None for a failure."""
    return entry.values.get("cycles", entry.values.get("instructions"))


class _Memory:
    """Memory of results, with the factors of a stand-in. Many results of one implementation take
    the same, which is computed once.
    """

    def __init__(self, floors: Floors, stand_in: CarriedResults | CorePace | None) -> None:
        self._floors = floors
        self._stand_in = stand_in if isinstance(stand_in, CarriedResults) else None
        self._known: dict[tuple[str | int | None, ...], Mapping[str, Interval]] = {}

    def of(self, entry: ReferenceCase) -> Mapping[str, Interval]:
        """Bytes by name."""
        key = (entry.scheme, *map(entry.values.get, _SIZES))
        if key not in self._known:
            sizes = {
                name: Interval.exact(float(entry.values[name]))
                for name in _SIZES
                if name in entry.values
            }
            added = _memory(entry.scheme, sizes, self._floors)
            factor = self._stand_in.size if self._stand_in is not None else None
            self._known[key] = (
                {name: size * factor(name) for name, size in added.items()} if factor else added
            )
        return self._known[key]


def _factor(stand_in: CarriedResults | CorePace | None, operation: str, device: Device) -> Interval:
    """The factor of the times of an operation, with the wait states of the device's flash."""
    if isinstance(stand_in, CorePace):
        return stand_in.clocks
    waiting = fewer_waits(device)
    return stand_in.time(operation) * waiting if stand_in else waiting


def _of_chip(stand_in: CarriedResults | CorePace | None, operation: str) -> Interval:
    """Factor of a stand-in's times that all code shares, without the effect of places of the code.
    The pace of a core differs from code to code.
    """
    if not isinstance(stand_in, CarriedResults):
        return UNCHANGED
    places = bounds_over_places(stand_in.target)
    return stand_in.of_chip(operation, places.factor if places is not None else UNCHANGED)


def _origin(reference: Reference, entry: ReferenceCase) -> Origin:
    return ReferenceOrigin(
        file=f"catalog/reference/{name_of_table(reference.target)}",
        target=reference.target,
        scheme=entry.scheme,
        implementation=entry.implementation,
        operation=entry.operation,
        input_bytes=entry.input_bytes,
        compiler=reference.provenance.get("compiler"),
        cycles=entry.values.get("cycles"),
    )


def _memory(scheme: str, memory: Mapping[str, Interval], floors: Floors) -> dict[str, Interval]:
    """Bytes that an implementation in its mode adds, as far as known."""
    kept_sizes = {
        name: value for name, value in memory.items() if name in ("stack", "state", "ram")
    }
    return kept_sizes | floors.added(scheme, memory)


def of_runs(runs: Sequence[Run], device: Device, place: str) -> Offers:
    """The offers of a stored run, or of a group of runs, for a device: results of its boards, and
    of hosts, which the user declares to be the device.

    Variants, which leave instructions out on purpose, are not candidates. A host of another
    processor family is left out.
    """
    cases = _cases(runs, device)
    floors = _floors(cases)
    offers, disturbed = [], 0
    for (scheme, implementation, target), points in cases.items():
        timed = {key: metrics for key, metrics in points.items() if "time" in metrics}
        quotable = {key: metrics for key, metrics in timed.items() if metrics["time"].quotable}
        lost = [metrics["time"] for metrics in timed.values() if not metrics["time"].quotable]
        if quotable:
            evidence = next(metrics["time"].evidence for metrics in quotable.values())
            costs = {
                key: _point(metrics, runs, target, place, floors)
                for key, metrics in quotable.items()
            }
            offers.append(SchemeOffer(scheme, implementation, evidence, costs))
        elif lost:
            offers.append(
                SchemeOffer(
                    scheme, implementation, lost[0].evidence, {}, f"disturbed: {lost[0].notes[-1]}"
                )
            )
        disturbed += len(lost)
    notes = _run_notes(runs, place)
    if disturbed:
        runs_named = "that run" if len(runs) == 1 else "these runs"
        notes.append(
            f"{disturbed} times of {runs_named} are disturbed and count for nothing: measure "
            "again on a quiet machine"
        )
    return Offers(tuple(offers), tuple(notes))


def _run_notes(runs: Sequence[Run], place: str) -> list[str]:
    """Origin of the numbers of runs, their unreadable parts, and boards whose cycles are not
    proven.
    """
    damage = [note for run in runs for note in run.info.notes if note.startswith("store: ")]
    unproven = unproven_words(
        dict.fromkeys(result.case.target for run in runs for result in run.results)
    )
    began, name = min(run.info.started for run in runs), name_of_runs(runs)
    which = (
        f"run {runs[0].info.id} ({name})"
        if len(runs) == 1
        else f"{len(runs)} runs ({name}), each one value,"
    )
    return [f"{which} of {Path(place).name}, {began}", *damage, *unproven]


def name_of_runs(runs: Sequence[Run]) -> str:
    """The name of the run, or of the groups that the runs are of."""
    from motebench.results.groups import group_of

    if len(runs) == 1:
        return runs[0].info.name
    return ", ".join(dict.fromkeys(group_of(run.info.settings) or run.info.name for run in runs))


_Metrics = dict[str, "MeasurementRow"]
_Case = tuple[str, str, str]
"""Scheme, implementation and target."""


def _floors(cases: Mapping[_Case, Mapping[tuple[str, int], _Metrics]]) -> Floors:
    return Floors(
        (scheme, {name: row.describe().median for name, row in metrics.items()})
        for (scheme, _, _), points in cases.items()
        for metrics in points.values()
    )


def _cases(runs: Sequence[Run], device: Device) -> dict[_Case, dict[tuple[str, int], _Metrics]]:
    """The results of runs that count for the device, by operation and input size."""
    from motebench.results.results import rows
    from motebench.results.together import rows_together

    strange = any(stranger(run, device) is not None for run in runs)
    cases: dict[_Case, dict[tuple[str, int], _Metrics]] = {}
    for row in rows(runs[0], device) if len(runs) == 1 else rows_together(runs, device):
        case, board = row.case, device_of(row.case.target)
        if (
            not case.bare
            or is_variant(case.implementation)
            or (board is not None and board.id != device.id)
        ):
            continue
        if strange and case.target == "host":
            continue
        points = cases.setdefault((case.scheme, case.implementation, case.target), {})
        points.setdefault((case.operation.value, case.input_bytes), {})[row.metric] = row
    return cases


def stranger(run: Run, device: Device) -> str | None:
    """The architecture of the run's host if its family differs from the device's; else None."""
    from motebench.targets.machine.facts import read_host

    architecture = read_host(run.info.environment).architecture
    families = {_family(str(architecture)), _family(device.architecture)}
    return architecture if len(families) == 2 and None not in families else None


def _family(architecture: str) -> str | None:
    """The processor family of an architecture (32-bit and 64-bit names give the same); None for an
    unknown name.
    """
    return next(
        (name for name, pattern in _FAMILIES.items() if re.match(pattern, architecture.lower())),
        None,
    )


def _point(
    metrics: Mapping[str, MeasurementRow],
    runs: Sequence[Run],
    target: str,
    place: str,
    floors: Floors,
) -> Point:
    time = metrics["time"]
    case = time.case
    origin = RunOrigin(
        store=place,
        run=runs[0].info.id,
        run_name=name_of_runs(runs),
        target=target,
        scheme=case.scheme,
        implementation=case.implementation,
        operation=case.operation,
        input_bytes=case.input_bytes,
        clock=time.source,
    )
    memory = {name: _spread(row) for name, row in metrics.items() if name != "time"}
    if "peak_rss_net" in memory and "stack" not in memory:
        memory["ram"] = memory["peak_rss_net"]
    return Point(_spread(time) * 1e-9, _memory(case.scheme, memory, floors), origin, _places(time))


def _places(time: MeasurementRow) -> PlaceBounds | None:
    """Bounds over the places of the code that the run measured; those of the board if it measured
    one place.
    """
    from motebench.results.places import ends
    from motebench.targets.settings import moved

    range_over_places = ends(time.places)
    usual = time.places.get(0, 0.0)
    if range_over_places is None or usual <= 0:
        return bounds_over_places(time.case.target) if moved(time.case.target) else None
    low, high = (end / usual for end in range_over_places)
    return PlaceBounds(
        Interval(low, 1.0, high), f"bounds: over {len(time.places)} places of the code"
    )


def _spread(row: MeasurementRow) -> Interval:
    """The median with its confidence interval; lowest and highest reading if there are too few for
    an interval.
    """
    described = row.describe()
    low = described.ci_low if described.ci_low is not None else described.min
    high = described.ci_high if described.ci_high is not None else described.max
    return Interval(max(low, 0.0), described.median, high)
