"""Rows of the catalog: algorithms, papers, devices, radios, regions, batteries, protocols; and of the study files."""

from __future__ import annotations

from typing import TYPE_CHECKING

from motebench.documents.listing import (
    AlgorithmRow,
    BatteryRow,
    DeviceRow,
    PaperRow,
    ProtocolRow,
    RadioRow,
    RegionRow,
    StudyRow,
)
from motebench.show.listing.only import ListingFilter

if TYPE_CHECKING:
    from motebench.catalog.quantities import Draw


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
        PaperRow(paper=item.key, year=item.year, platform=item.platform, library=item.library, title=item.title)
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


def radio_rows(only: ListingFilter) -> list[RadioRow]:
    """Radios of the catalog and of own files."""
    from motebench.catalog.radios import RADIOS

    return [
        RadioRow(
            radio=radio.id,
            name=radio.name,
            spreading_factors=f"{min(radio.spreading_factors)} to {max(radio.spreading_factors)}",
            bandwidths_khz=f"{min(radio.bandwidths_khz):g} to {max(radio.bandwidths_khz):g}",
            transmit_dbm=tuple(f"{draw.power_dbm:g}" for draw in radio.transmitting),
        )
        for radio in RADIOS.all(only.own).values()
    ]


def region_rows(only: ListingFilter) -> list[RegionRow]:
    """LoRaWAN regions of the catalog and of own files."""
    from motebench.catalog.regions import REGIONS

    return [
        RegionRow(
            region=region.id,
            name=region.name,
            data_rates=tuple(f"DR{rate.dr} {rate.words}" for rate in region.data_rates),
            duty_cycle=f"{region.default_sub_band.duty_cycle * 100:g} %" if region.default_sub_band else None,
            dwell_time_ms=region.dwell_time_ms,
        )
        for region in REGIONS.all(only.own).values()
    ]


def battery_rows(only: ListingFilter) -> list[BatteryRow]:
    """Batteries of the catalog and of own files."""
    from motebench.catalog.batteries import BATTERIES

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
        rows.append(StudyRow(study=path.stem, title=study.title, description=" ".join(study.description.split())))
    return rows
