"""What there is, as rows: of the catalog, on this machine, in a store."""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from motebench.catalog.quantities import Draw
    from motebench.targets.base import Target

Rows = list[dict[str, Any]]
_log = logging.getLogger("motebench")


@dataclass(frozen=True, slots=True)
class Only:
    """What is left out, and where it is looked for.

    pattern: schemes that fit. implementation: schemes that this one offers. paper: schemes that it evaluates.
    available: schemes that some implementation offers here. own: a folder with own catalog files. store: of runs.
    """

    pattern: str | None = None
    implementation: str | None = None
    paper: str | None = None
    available: bool = False
    own: Path | None = None
    store: str = ""


def listing(what: str, only: Only) -> Rows:
    """Rows of one kind of `KINDS`. InputError or StoreError for what there is not; KeyError for another kind."""
    return KINDS[what](only)


def _algorithms(only: Only) -> Rows:
    del only
    import datetime

    from motebench.catalog import algorithms

    today = datetime.datetime.now(datetime.UTC).date()
    rows = []
    for algorithm in algorithms().values():
        status = algorithm.status_on(today)
        rows.append(
            {
                "algorithm": algorithm.id,
                "name": algorithm.name,
                "kind": algorithm.kind.value,
                "structure": algorithm.structure.value if algorithm.structure else None,
                "block_bits": list(algorithm.block_bits or ()),
                "year": algorithm.year,
                "status": status.label if status else None,
            }
        )
    return rows


def _offered(named: str | None = None) -> dict[str, list[str]]:
    """scheme -> implementations that offer it on some target here: those that are built, and the one that is named."""
    from motebench.naming import is_variant
    from motebench.targets.choosing import EVERY, chosen
    from motebench.targets.registry import open_target, own_targets
    from motebench.wire.messages import ProbeFailure

    offered: dict[str, list[str]] = {}
    asked = [EVERY, *([named] if named else [])]
    here = [(target, name) for target in map(open_target, own_targets()) for name in chosen(target, asked)]
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


def _papers(only: Only) -> Rows:
    del only
    from motebench.catalog import papers

    return [
        {"paper": item.key, "year": item.year, "platform": item.platform, "library": item.library, "title": item.title}
        for item in papers().values()
    ]


def _paper_schemes(key: str) -> Rows:
    """What a paper evaluates, with who can measure it here; a scheme that nobody can keeps its row."""
    from motebench.catalog import paper

    found = paper(key)
    offered = _offered()
    return [
        {
            "scheme": scheme,
            "as_published": " ".join(part for part in (entry.algorithm, entry.mode) if part),
            "implementations": offered.get(scheme, []),
            "used_by_the_paper": list(entry.used),
            "note": entry.note or None,
        }
        for entry in found.evaluated
        for scheme in entry.schemes
    ]


def _schemes(only: Only) -> Rows:
    if only.paper:
        return _paper_schemes(only.paper)
    import datetime

    from motebench.catalog import label, match, schemes

    today = datetime.datetime.now(datetime.UTC).date()
    chosen = match(only.pattern) if only.pattern else list(schemes().values())
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
            {
                "scheme": scheme.name,
                "kind": scheme.kind.value,
                "key_bits": scheme.key_bytes * 8 or None,
                "nonce_bits": scheme.nonce_bytes * 8 or None,
                "status": label(scheme, today),
                "implementations": here,
                "aliases": list(scheme.aliases),
            }
        )
    return rows


def _known_implementation(name: str) -> None:
    from motebench.targets.choosing import none_such, there
    from motebench.targets.registry import open_target

    target = open_target("host")
    if name not in there(target, [name]):
        raise none_such(name, target, where="--implementation")


def _implementations(only: Only) -> Rows:
    del only
    from motebench.targets.registry import open_target, own_targets

    rows: Rows = []
    for name in own_targets():
        target = open_target(name)
        ready = target.ready()
        rows += [_answered(target, implementation) for implementation in ready]
        unbuilt = {item: _UNBUILT for item in target.implementations() if item not in ready}
        if name == "host":
            unbuilt |= _unbuildable({*ready, *unbuilt})
        rows += [_row(item, name, problem=problem) for item, problem in sorted(unbuilt.items())]
    return rows


_UNBUILT = "not built yet: it is when you name it"


def _unbuildable(others: set[str]) -> dict[str, str]:
    """Implementations of this host whose probes need what is not here, and what that is."""
    from motebench.targets.building import known, lacking

    found = {name: lacking(name) for name in known() if name not in others}
    return {name: problem for name, problem in found.items() if problem}


def _row(implementation: str, target: str, **more: Any) -> dict[str, Any]:
    values = {"version": None, "schemes": None, "probe": None, "problem": None}
    return {"implementation": implementation, "target": target, **values, **more}


def _answered(target: Target, implementation: str) -> dict[str, Any]:
    """What a probe says of itself, or why it does not."""
    from motebench.wire.messages import ProbeFailure

    try:
        session = target.open(implementation)
        try:
            hello, offers = session.hello, session.offers()
        finally:
            session.close()
    except ProbeFailure as failure:
        return _row(implementation, target.name, problem=failure.message)
    return _row(implementation, target.name, version=hello.version, schemes=len(offers), probe=hello.probe)


def _targets(only: Only) -> Rows:
    del only
    from motebench.targets.registry import open_target, target_names

    return [
        {"target": name, "meaning": meaning, "implementations": _by_usual(open_target(name).implementations())}
        for name, meaning in target_names().items()
    ]


def _by_usual(implementations: list[str]) -> list[str]:
    """Without those by other compilers, each of which could stand behind every name."""
    from motebench.naming import COMPILER

    return [name for name in implementations if COMPILER not in name]


def _studies(only: Only) -> Rows:
    del only
    from motebench import toml
    from motebench.paths import studies_dir
    from motebench.study.model import Study

    rows = []
    for path in sorted(studies_dir().glob("*.toml")):
        study = toml.validate(toml.load(path), Study)
        rows.append({"study": path.stem, "title": study.title, "description": " ".join(study.description.split())})
    return rows


def _runs(only: Only) -> Rows:
    from motebench.store import Store

    with Store.open(only.store, create=False) as store:
        found, unusable = store.survey()
        for problem in unusable:
            _log.warning("%s: this run cannot be used", problem)
        return [
            {
                "run": info.id,
                "name": info.name,
                "study": info.settings.get("study"),
                "started": info.started,
                "finished": info.finished,
                "status": info.status,
            }
            for info in found
        ]


def _devices(only: Only) -> Rows:
    from motebench.catalog.devices import devices
    from motebench.catalog.quantities import State
    from motebench.units import format_size

    rows = []
    for device in devices(only.own).values():
        draw = next(iter(device.draws(State.ACTIVE)), None)
        rows.append(
            {
                "device": device.id,
                "name": device.name,
                "architecture": device.architecture,
                "clock_mhz": device.clock_hz / 1e6,
                "flash": format_size(device.flash_bytes) if device.flash_bytes else None,
                "ram": format_size(device.ram_bytes),
                "active": _drawn(draw) if draw else None,
                "firmware": "yes" if device.mcu else None,
            }
        )
    return rows


def _drawn(draw: Draw) -> str:
    from motebench.units import format_value

    clock = f", {draw.clock_hz / 1e6:g} MHz" if draw.clock_hz else ""
    return f"{draw.of} {format_value(draw.typical, 'A')} at {draw.voltage:g} V{clock}"


def _radios(only: Only) -> Rows:
    from motebench.catalog.radios import RADIOS

    return [
        {
            "radio": radio.id,
            "name": radio.name,
            "spreading_factors": f"{min(radio.spreading_factors)} to {max(radio.spreading_factors)}",
            "bandwidths_khz": f"{min(radio.bandwidths_khz):g} to {max(radio.bandwidths_khz):g}",
            "transmit_dbm": [f"{draw.power_dbm:g}" for draw in radio.transmitting],
        }
        for radio in RADIOS.all(only.own).values()
    ]


def _regions(only: Only) -> Rows:
    from motebench.catalog.regions import REGIONS

    return [
        {
            "region": region.id,
            "name": region.name,
            "data_rates": [f"DR{rate.dr} {rate.words}" for rate in region.data_rates],
            "duty_cycle": f"{region.default_sub_band.duty_cycle * 100:g} %" if region.default_sub_band else None,
            "dwell_time_ms": region.dwell_time_ms,
        }
        for region in REGIONS.all(only.own).values()
    ]


def _batteries(only: Only) -> Rows:
    from motebench.catalog.batteries import BATTERIES

    return [
        {
            "battery": battery.id,
            "name": battery.name,
            "voltage_v": battery.voltage,
            "capacity_mah": round(battery.capacity.typical * 1000, 6),
            "lost_per_year": f"{battery.self_discharge.typical * 100:g} %",
        }
        for battery in BATTERIES.all(only.own).values()
    ]


KINDS: Mapping[str, Callable[[Only], Rows]] = MappingProxyType(
    {
        "algorithms": _algorithms,
        "schemes": _schemes,
        "implementations": _implementations,
        "targets": _targets,
        "studies": _studies,
        "runs": _runs,
        "papers": _papers,
        "devices": _devices,
        "radios": _radios,
        "regions": _regions,
        "batteries": _batteries,
    }
)
