"""Offers from reference results of a simulated board, or from a stored run."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from motebench.advise.choice.model import Origin, Point, SchemeOffer
from motebench.advise.choice.policies import choice
from motebench.advise.choice.signing import with_signatures
from motebench.advise.choice.sizes import Floors
from motebench.advise.reference.table import Entry, Reference, file_of, references
from motebench.base.interval import Interval
from motebench.base.model import Evidence, Operation, Run
from motebench.base.naming import is_variant
from motebench.catalog.currents import device_of
from motebench.catalog.devices import Device
from motebench.catalog.policies import StandIn
from motebench.documents.choice import ReferenceOrigin, RunOrigin
from motebench.results import formulas
from motebench.results.results import rows
from motebench.results.row import MeasurementRow
from motebench.targets.machine.facts import host_of

_ONE = Interval.exact(1.0)
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
        *(Operation.ENCRYPT_MESSAGE, Operation.MAC, Operation.DIGEST, Operation.SIGN, Operation.VERIFY),
        *(Operation.KEYGEN, Operation.AGREE, Operation.ENCAPSULATE, Operation.DECAPSULATE),
    )
)


@dataclass(frozen=True, slots=True)
class Offers:
    """All offers for a device, with remarks."""

    offers: tuple[SchemeOffer, ...]
    notes: tuple[str, ...]


def of_device(
    device: Device, operations: Collection[str] | None = _OF_MESSAGES, schemes: Collection[str] | None = None
) -> Offers | None:
    """The reference results of a device, or of its stand-in; None if there are none.

    A device whose cycles are not proven stands in for itself, with bounds.

    ``operations``: those that are read, by default those of messages; None: all. ``schemes``: the same; None: all.
    """
    there = references()
    own = there.get(f"sim:{device.id}")
    stand_in = next((entry for entry in choice().stand_ins if entry.device == device.id), None)
    if own is not None and stand_in is None:
        found = _of_reference(own, device, None, operations, schemes)
        return Offers(tuple(with_signatures(own.target, found, device.clock_hz, _ONE)), (_provenance(own),))
    if stand_in is None or stand_in.target not in there:
        return None
    other = there[stand_in.target]
    note = (
        f"results of {stand_in.target} are used for {device.id} ({stand_in.words}): "
        f"{stand_in.statement}; from {stand_in.source}{', unverified' if stand_in.unverified else ''}"
    )
    offers = _of_reference(other, device, stand_in, operations, schemes)
    signed = with_signatures(other.target, offers, device.clock_hz, stand_in.time(Operation.SIGN))
    return Offers(tuple(signed), (note, _provenance(other)))


def _provenance(reference: Reference) -> str:
    built = reference.provenance.get("compiler", "an unknown compiler")
    flags = reference.provenance.get("flags")
    return f"reference results of {reference.target}: {built}{f', {flags}' if flags else ''}"


def _of_reference(
    reference: Reference,
    device: Device,
    stand_in: StandIn | None,
    operations: Collection[str] | None,
    schemes: Collection[str] | None,
) -> Iterable[SchemeOffer]:
    entries: dict[tuple[str, str], list[Entry]] = {}
    for entry in reference.entries.values():
        if schemes is not None and entry.scheme not in schemes:
            continue
        entries.setdefault((entry.scheme, entry.implementation), []).append(entry)
    floors = Floors((entry.scheme, entry.values) for entry in reference.entries.values())
    evidence = Evidence.MODELLED if stand_in else Evidence.SIMULATED
    for (scheme, implementation), of in entries.items():
        points = {
            (entry.operation, entry.input_bytes): Point(
                (stand_in.time(entry.operation) if stand_in else _ONE)
                * formulas.duration(entry.values["cycles"], device.clock_hz),
                {
                    name: value * (stand_in.size(name) if stand_in else _ONE)
                    for name, value in _of_entry(entry, floors).items()
                },
                _origin(reference, entry),
            )
            for entry in of
            if "cycles" in entry.values and (operations is None or entry.operation in operations)
        }
        failures = [f"{entry.failure}: {entry.message}" for entry in of if entry.failure]
        yield SchemeOffer(scheme, implementation, evidence, points, failures[0] if failures else None)


def _of_entry(entry: Entry, floors: Floors) -> dict[str, Interval]:
    return _memory(entry.scheme, {name: Interval.exact(value) for name, value in entry.values.items()}, floors)


def _origin(reference: Reference, entry: Entry) -> Origin:
    return ReferenceOrigin(
        file=f"catalog/reference/{file_of(reference.target).name}",
        target=reference.target,
        scheme=entry.scheme,
        implementation=entry.implementation,
        operation=entry.operation,
        input_bytes=entry.input_bytes,
        compiler=reference.provenance.get("compiler"),
        cycles=entry.values.get("cycles"),
    )


def _memory(scheme: str, known: Mapping[str, Interval], floors: Floors) -> dict[str, Interval]:
    """Bytes that an implementation in its mode adds, as far as they are known."""
    found = {name: value for name, value in known.items() if name in ("stack", "state", "ram")}
    return found | floors.added(scheme, known)


def of_run(run: Run, device: Device, place: str) -> Offers:
    """The offers of a stored run for a device: results of its boards, and of hosts, which the user declares to be the
    device.

    Variants, which leave instructions out on purpose, are not candidates. A host of another processor family is left
    out.
    """
    strange = stranger(run, device) is not None
    cases: dict[tuple[str, str, str], dict[tuple[str, int], dict[str, MeasurementRow]]] = {}
    for row in rows(run, device):
        case, of = row.case, device_of(row.case.target)
        if not case.bare or is_variant(case.implementation) or (of is not None and of.id != device.id):
            continue
        if strange and case.target == "host":
            continue
        points = cases.setdefault((case.scheme, case.implementation, case.target), {})
        points.setdefault((case.operation.value, case.input_bytes), {})[row.metric] = row
    floors = Floors(
        (scheme, {name: row.describe().median for name, row in metrics.items()})
        for (scheme, _, _), points in cases.items()
        for metrics in points.values()
    )
    offers, disturbed = [], 0
    for (scheme, implementation, target), points in cases.items():
        lost = [metrics["time"] for metrics in points.values() if "time" in metrics and not metrics["time"].quotable]
        timed = {key: metrics for key, metrics in points.items() if "time" in metrics and metrics["time"].quotable}
        found = {key: _point(metrics, run, target, place, floors) for key, metrics in timed.items()}
        if found:
            evidence = next(metrics["time"].evidence for metrics in timed.values())
            offers.append(SchemeOffer(scheme, implementation, evidence, found))
        elif lost:
            offers.append(SchemeOffer(scheme, implementation, lost[0].evidence, {}, f"disturbed: {lost[0].notes[-1]}"))
        disturbed += len(lost)
    damage = [note for note in run.info.notes if note.startswith("store: ")]
    notes = [f"run {run.info.id} ({run.info.name}) of {Path(place).name}, {run.info.started}", *damage]
    if disturbed:
        notes.append(
            f"{disturbed} times of that run are disturbed and count for nothing: measure again on a quiet machine"
        )
    return Offers(tuple(offers), tuple(notes))


def stranger(run: Run, device: Device) -> str | None:
    """The architecture of the run's host if its family differs from the device's; else None."""
    found = host_of(run.info.environment).get("architecture")
    families = {_family(str(found)), _family(device.architecture)}
    return found if len(families) == 2 and None not in families else None


def _family(architecture: str) -> str | None:
    """The processor family of an architecture (32-bit and 64-bit names give the same); None for an unknown name."""
    return next((name for name, pattern in _FAMILIES.items() if re.match(pattern, architecture.lower())), None)


def _point(metrics: Mapping[str, MeasurementRow], run: Run, target: str, place: str, floors: Floors) -> Point:
    time = metrics["time"]
    case = time.case
    origin = RunOrigin(
        store=place,
        run=run.info.id,
        run_name=run.info.name,
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
    return Point(_spread(time) * 1e-9, _memory(case.scheme, memory, floors), origin)


def _spread(row: MeasurementRow) -> Interval:
    """The median with its confidence interval; lowest and highest reading if there are too few for an interval."""
    found = row.describe()
    low = found.ci_low if found.ci_low is not None else found.min
    high = found.ci_high if found.ci_high is not None else found.max
    return Interval(max(low, 0.0), found.median, high)
