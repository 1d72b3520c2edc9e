"""Rows of listings: of the catalog (algorithms, schemes, papers, devices, radios, regions,
batteries, protocols), of study files, of this machine (implementations, targets) and of the runs in
a store."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import Path
from typing import TYPE_CHECKING, Any

from motebench.base.errors import InputError
from motebench.documents.listing import (
    AlgorithmRow,
    BatteryRow,
    DeviceRow,
    ImplementationRow,
    PaperRow,
    PaperSchemeRow,
    ProtocolRow,
    RadioRow,
    RegionRow,
    RunRow,
    SchemeRow,
    StudyRow,
    TargetRow,
)

if TYPE_CHECKING:
    from motebench.base.model import RunInfo, Scheme
    from motebench.catalog.quantities import Draw
    from motebench.store import Store
    from motebench.targets.base import Target
    from motebench.targets.host.introductions import Introductions


_log = logging.getLogger("motebench")
_UNBUILT = "not built yet: naming it builds it"


@dataclass(frozen=True, slots=True)
class ListingFilter:
    """Filter of a listing, and the places that are searched.

    names: names or globs, one of which the first value of a row fits; of schemes, aliases too.
    pattern: schemes that fit. implementation: schemes that this one offers. paper: schemes that it
    evaluates. available: schemes that some implementation offers here. own: a folder with own
    catalog files. store: of runs. target, tag, since: of runs, and ``pattern``: runs that measured
    such a scheme.
    """

    names: tuple[str, ...] = ()
    pattern: str | None = None
    implementation: str | None = None
    paper: str | None = None
    available: bool = False
    own: Path | None = None
    store: str = ""
    target: str | None = None
    tag: str | None = None
    since: str | None = None


def algorithm_rows(only: ListingFilter) -> list[AlgorithmRow]:
    """Algorithms of the catalog, each with its security status of today."""
    del only
    import datetime

    from motebench.catalog import algorithms

    today = datetime.datetime.now(datetime.UTC).date()
    rows = []
    for algorithm in algorithms().values():
        status = algorithm.status_on(today)
        rows.append(
            AlgorithmRow(
                algorithm=algorithm.id,
                name=algorithm.name,
                kind=algorithm.kind.value,
                structure=algorithm.structure.value if algorithm.structure else None,
                block_bits=tuple(algorithm.block_bits or ()),
                year=algorithm.year,
                status=status.label if status else None,
            )
        )
    return rows


def paper_rows(only: ListingFilter) -> list[PaperRow]:
    """Papers of the catalog."""
    del only
    from motebench.catalog import papers

    return [
        PaperRow(
            paper=item.key,
            year=item.year,
            platform=item.platform,
            library=item.library,
            title=item.title,
        )
        for item in papers().values()
    ]


def device_rows(only: ListingFilter) -> list[DeviceRow]:
    """Devices of the catalog and of own files, each with its first active current."""
    from motebench.base.units import format_size
    from motebench.catalog.devices import devices
    from motebench.catalog.quantities import State

    rows = []
    for device in devices(only.own).values():
        draw = next(iter(device.draws(State.ACTIVE)), None)
        rows.append(
            DeviceRow(
                device=device.id,
                name=device.name,
                architecture=device.architecture,
                clock_mhz=device.clock_hz / 1e6,
                flash=format_size(device.flash_bytes) if device.flash_bytes else None,
                ram=format_size(device.ram_bytes),
                active=_drawn(draw) if draw else None,
                firmware="yes" if device.mcu else None,
            )
        )
    return rows


def _drawn(draw: Draw) -> str:
    from motebench.base.units import format_value

    clock = f", {draw.clock_hz / 1e6:g} MHz" if draw.clock_hz else ""
    return f"{draw.of} {format_value(draw.typical, 'A')} at {draw.voltage:g} V{clock}"


def _range(values: Sequence[float]) -> str:
    return f"{min(values):g} to {max(values):g}" if values else ""


def radio_rows(only: ListingFilter) -> list[RadioRow]:
    """Radios of the catalog and of own files."""
    from motebench.catalog.radios import RADIOS

    return [
        RadioRow(
            radio=radio.id,
            name=radio.name,
            modulations=radio.modulations,
            spreading_factors=_range(radio.spreading_factors),
            bandwidths_khz=_range(radio.bandwidths_khz),
            transmit_dbm=tuple(f"{draw.power_dbm:g}" for draw in radio.transmitting),
        )
        for radio in RADIOS.all(only.own).values()
    ]


def region_rows(only: ListingFilter) -> list[RegionRow]:
    """LoRaWAN regions of the catalog and of own files."""
    from motebench.catalog.radios import REGIONS

    return [
        RegionRow(
            region=region.id,
            name=region.name,
            data_rates=tuple(f"DR{rate.dr} {rate.words}" for rate in region.data_rates),
            duty_cycle=f"{region.default_sub_band.duty_cycle * 100:g} %"
            if region.default_sub_band
            else None,
            dwell_time_ms=region.dwell_time_ms,
        )
        for region in REGIONS.all(only.own).values()
    ]


def battery_rows(only: ListingFilter) -> list[BatteryRow]:
    """Batteries of the catalog and of own files."""
    from motebench.catalog.parts import BATTERIES

    return [
        BatteryRow(
            battery=battery.id,
            name=battery.name,
            voltage_v=battery.voltage,
            capacity_mah=round(battery.capacity.typical * 1000, 6),
            lost_per_year=f"{battery.self_discharge.typical * 100:g} %",
        )
        for battery in BATTERIES.all(only.own).values()
    ]


def protocol_rows(only: ListingFilter) -> list[ProtocolRow]:
    """Protocols of the catalog and of own files, with their profiles."""
    from motebench.catalog.protocols import every

    return [
        ProtocolRow(
            protocol=named.id,
            name=named.name,
            purpose=named.protocol.purpose,
            file=named.protocol.id,
            settings=", ".join(f"{name}={value}" for name, value in named.settings.items()),
        )
        for named in every(only.own).values()
    ]


def study_rows(only: ListingFilter) -> list[StudyRow]:
    """The study files that come with motebench."""
    del only
    from motebench.base.files import toml
    from motebench.base.paths import studies_dir
    from motebench.measuring.study.model import Study

    rows = []
    for path in sorted(studies_dir().glob("*.toml")):
        study = toml.validate(toml.load(path), Study)
        rows.append(
            StudyRow(
                study=path.stem, title=study.title, description=" ".join(study.description.split())
            )
        )
    return rows


def run_rows(only: ListingFilter) -> list[RunRow]:
    """Runs of a store; unusable ones are reported and left out. StoreError if the store cannot be
    read.
    """
    from motebench.results.keeping import tags_of
    from motebench.store import Store

    with Store.open(only.store, create=False) as store:
        infos, unusable = store.survey()
        infos = _fitting_runs(store, infos, only)
        for problem in unusable:
            _log.warning("%s: this run cannot be used", problem)
        return [
            RunRow(
                run=info.id,
                name=info.name,
                study=_text(info.settings.get("study")),
                started=info.started,
                finished=info.finished,
                status=info.status,
                kind=info.kind,
                command=_text(info.settings.get("command")),
                tags=tuple(tags_of(info)),
            )
            for info in infos
        ]


def _fitting_runs(store: Store, infos: list[RunInfo], only: ListingFilter) -> list[RunInfo]:
    """The runs that began since, that have the tag, and that have cases of the scheme and the
    target.
    """
    from motebench.results.keeping import tags_of

    if only.since is not None:
        import datetime

        from motebench.results.keeping import began_before, moment

        since = moment(only.since, datetime.datetime.now(datetime.UTC), where="--since")
        infos = [info for info in infos if not began_before(info, since)]
    if only.tag is not None:
        tags = {tag for info in infos for tag in tags_of(info)}
        if only.tag not in tags:
            valid = ", ".join(sorted(tags)) or "`motebench runs tag RUN TAG` marks a run"
            raise InputError(f"no run has the tag {only.tag!r}", where="--tag", valid=valid)
        infos = [info for info in infos if only.tag in tags_of(info)]
    if only.pattern is None and only.target is None:
        return infos
    measured = store.measured()
    fitting = _measured_entries(measured, only)
    return [info for info in infos if measured.get(info.id, set()) & fitting]


def _measured_entries(
    measured: dict[int, set[tuple[str, str]]], only: ListingFilter
) -> set[tuple[str, str]]:
    """The schemes with targets that fit. InputError for a scheme or a target that is nowhere."""
    everything = {entry for entries in measured.values() for entry in entries}
    schemes = _of_stored({scheme for scheme, _ in everything}, only.pattern)
    targets = {
        target
        for _, target in everything
        if only.target is None or fnmatchcase(target, only.target)
    }
    if only.target is not None and not targets:
        measured_targets = ", ".join(sorted({target for _, target in everything}))
        raise InputError(
            f"no run measured on {only.target!r}", where="--target", valid=measured_targets or None
        )
    return {entry for entry in everything if entry[0] in schemes and entry[1] in targets}


def _of_stored(schemes: set[str], pattern: str | None) -> set[str]:
    """Schemes that fit; those of user code are not in the catalog. InputError for an unknown
    name.
    """
    if pattern is None:
        return schemes
    matching = {scheme for scheme in schemes if fnmatchcase(scheme, pattern)}
    if matching:
        return matching
    from motebench.catalog import match

    return schemes & {scheme.name for scheme in match(pattern, "--scheme")}


def _text(value: object) -> str | None:
    return value if isinstance(value, str) else None


def implementation_rows(only: ListingFilter) -> list[ImplementationRow]:
    """Implementations of this machine by the answers of their probes; for those that are not built,
    the reason."""
    del only
    from motebench.targets.host.introductions import Introductions
    from motebench.targets.registry import open_target, own_targets

    rows: list[ImplementationRow] = []
    introductions = Introductions()
    for name in own_targets():
        target = open_target(name)
        ready = target.ready()
        rows += [_answered(target, implementation, introductions) for implementation in ready]
        unbuilt = {item: _UNBUILT for item in target.implementations() if item not in ready}
        if name == "host":
            unbuilt |= _unbuildable({*ready, *unbuilt})
        rows += [_row(item, name, problem=problem) for item, problem in sorted(unbuilt.items())]
    introductions.keep()
    return rows


def _unbuildable(others: set[str]) -> dict[str, str]:
    """Implementations of this host whose probes need something that is not installed, with that
    need.
    """
    from motebench.targets.setup.building import known, lacking

    problems = {name: lacking(name) for name in known() if name not in others}
    return {name: problem for name, problem in problems.items() if problem}


def _row(implementation: str, target: str, **more: Any) -> ImplementationRow:
    values = {"version": None, "schemes": None, "probe": None, "problem": None}
    return ImplementationRow(implementation=implementation, target=target, **{**values, **more})


def _answered(
    target: Target, implementation: str, introductions: Introductions
) -> ImplementationRow:
    """Row of a probe by its own answer, or the reason why it gave none."""
    from motebench.targets.wire.messages import ProbeFailure

    try:
        introduction = introductions.of(target, implementation)
    except ProbeFailure as failure:
        return _row(implementation, target.name, problem=failure.message)
    return _row(
        implementation,
        target.name,
        version=introduction.version,
        schemes=len(introduction.operations),
        probe=introduction.probe,
    )


def target_rows(only: ListingFilter) -> list[TargetRow]:
    """Targets, each with the implementations it can run with its default compiler."""
    del only
    from motebench.targets.registry import open_target, target_names

    return [
        TargetRow(
            target=name,
            meaning=meaning,
            implementations=_by_usual(open_target(name).implementations()),
        )
        for name, meaning in target_names().items()
    ]


def _by_usual(implementations: list[str]) -> tuple[str, ...]:
    """Implementations without those by other compilers, each of which could stand behind every
    name.
    """
    from motebench.base.naming import COMPILER

    return tuple(name for name in implementations if COMPILER not in name)


def scheme_rows(only: ListingFilter) -> list[SchemeRow] | list[PaperSchemeRow]:
    """Schemes that fit, each with its security status of today and who offers it here; InputError
    for unknown names.
    """
    if only.paper:
        return _paper_schemes(only.paper)
    import datetime

    from motebench.catalog import label

    today = datetime.datetime.now(datetime.UTC).date()
    chosen = _fitting_schemes(only)
    if only.implementation is not None:
        _known_implementation(only.implementation)
    offered = _offered(only.implementation)
    rows = []
    for scheme in chosen:
        here = offered.get(scheme.name, [])
        if (only.available and not here) or (
            only.implementation is not None and only.implementation not in here
        ):
            continue
        rows.append(
            SchemeRow(
                scheme=scheme.name,
                kind=scheme.kind.value,
                key_bits=scheme.key_bytes * 8 or None,
                nonce_bits=scheme.nonce_bytes * 8 or None,
                status=label(scheme, today),
                implementations=tuple(here),
                aliases=tuple(scheme.aliases),
            )
        )
    return rows


def _fitting_schemes(only: ListingFilter) -> list[Scheme]:
    """The schemes that names and pattern choose; all without any."""
    from motebench.catalog import match, schemes

    patterns = [*only.names, *([only.pattern] if only.pattern else [])]
    names = {scheme.name for pattern in patterns for scheme in match(pattern)}
    return [scheme for scheme in schemes().values() if scheme.name in names or not patterns]


def _paper_schemes(key: str) -> list[PaperSchemeRow]:
    """Schemes that a paper evaluates, with the implementations that can measure them here; a scheme
    without one keeps its row.
    """
    from motebench.catalog import paper

    entry_of_paper = paper(key, "--paper")
    offered = _offered()
    return [
        PaperSchemeRow(
            scheme=scheme,
            as_published=" ".join(part for part in (entry.algorithm, entry.mode) if part),
            implementations=tuple(offered.get(scheme, ())),
            used_by_the_paper=tuple(entry.used),
            note=entry.note or None,
        )
        for entry in entry_of_paper.evaluated
        for scheme in entry.schemes
    ]


def _offered(named: str | None = None) -> dict[str, list[str]]:
    """scheme -> implementations that offer it on some target here: the built ones, and the named
    one, which is built unless its declaration says all."""
    from motebench.base.naming import is_variant
    from motebench.catalog import schemes
    from motebench.targets.host.introductions import Introductions
    from motebench.targets.registry import EVERY, chosen_implementations, open_target, own_targets
    from motebench.targets.setup.declared import declarations
    from motebench.targets.wire.messages import ProbeFailure

    introductions = Introductions()
    offered: dict[str, list[str]] = {}
    declaration = (
        declarations().get(named) if named and named not in open_target("host").ready() else None
    )
    if named and declaration is not None and declaration.exact:
        offered = {
            scheme.name: [named] for scheme in schemes().values() if declaration.allows(scheme)
        }
        named = None
    patterns = [EVERY, *([named] if named else [])]
    here = [
        (target, name)
        for target in map(open_target, own_targets())
        for name in chosen_implementations(target, patterns)
    ]
    for target, implementation in here:
        if is_variant(implementation):
            continue  # the same code with fewer instructions
        try:
            introduction = introductions.of(target, implementation)
        except ProbeFailure as failure:
            _log.warning("%s: %s", implementation, failure.message)
            continue
        for scheme in introduction.operations:
            offered.setdefault(scheme, []).append(implementation)
    introductions.keep()
    return offered


def _known_implementation(name: str) -> None:
    from motebench.targets.registry import implementations_of, missing_implementation, open_target

    target = open_target("host")
    if name not in implementations_of(target, [name]):
        raise missing_implementation(name, target, where="--implementation")
