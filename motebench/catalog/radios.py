"""Radios, transceivers and modems, and the LoRaWAN regions and networks in which they send;
``docs/reference/catalog.md`` describes the keys. ``catalog/radios/<id>.toml``,
``catalog/lorawan/<id>.toml``, ``catalog/policies/lorawan-networks.toml``.
"""

from __future__ import annotations

from functools import cache
from typing import Annotated, Literal, Self

from pydantic import Field, model_validator

from motebench.base.errors import InputError
from motebench.base.files import toml
from motebench.base.naming import did_you_mean
from motebench.base.paths import catalog_dir
from motebench.catalog.quantities import (
    Bounds,
    Draw,
    Known,
    PositiveBounds,
    State,
    Supply,
    Voltage,
)
from motebench.catalog.schema import Count, Identifier, Record, Source, Text
from motebench.catalog.shelf import CatalogEntry, Shelf

SpreadingFactor = Annotated[int, Field(strict=True, ge=5, le=12)]
Kilohertz = Annotated[float, Field(gt=0)]


ModulationName = Literal["lora", "fsk", "ble", "ieee802154", "nbiot", "ltem", "wifi"]


class MessageFigure(Known):
    """Energy of a message that a network carries, as measured or from a data sheet.

    ``mode``: the setting of the link that it belongs to, and ``words``: what was measured.
    ``joules``: of a message of ``payload_bytes``, from waking up to sleeping again;
    ``joules_per_byte``: of each byte more. ``seconds``: how long the device is awake. ``idle_a``:
    mean current that keeps the connection between messages.
    """

    modulation: ModulationName
    mode: Identifier
    words: Text
    voltage: Voltage
    payload_bytes: Annotated[int, Field(strict=True, ge=0)]
    seconds: PositiveBounds
    joules: PositiveBounds
    joules_per_byte: Bounds
    idle_a: Bounds | None = None


class Radio(CatalogEntry):
    """Abilities and currents of a transceiver or modem.

    ``spreading_factors``, ``bandwidths_khz``: of LoRa. ``max_payload_bytes``: of LoRa and FSK.
    ``messages``: figures of modems. ``long_sync``: spreading factors whose preamble is 2 symbols
    longer (SF5 and SF6 of the SX126x family). ``min_preamble_symbols``: the fewest preamble symbols
    that can be programmed.
    ``includes_mcu``: the currents are those of a module whose processor runs meanwhile.
    """

    spreading_factors: tuple[SpreadingFactor, ...] = ()
    implicit_only: tuple[SpreadingFactor, ...] = ()
    long_sync: tuple[SpreadingFactor, ...] = ()
    bandwidths_khz: tuple[Kilohertz, ...] = ()
    min_preamble_symbols: Annotated[int, Field(strict=True, ge=1, le=65535)] = 6
    max_payload_bytes: Annotated[int, Field(strict=True, ge=1, le=255)] = 255
    modulations: tuple[ModulationName, ...] = ("lora",)
    includes_mcu: bool = False
    supply: Supply
    currents: tuple[Draw, ...]
    messages: tuple[MessageFigure, ...] = ()
    source: Source

    @model_validator(mode="after")
    def _complete(self) -> Self:
        if "lora" in self.modulations and not (self.spreading_factors and self.bandwidths_khz):
            raise ValueError("lora needs spreading_factors and bandwidths_khz")
        if any(figure.modulation not in self.modulations for figure in self.messages):
            raise ValueError("messages name a modulation that is not among modulations")
        return self

    def draw(self, state: State) -> Draw | None:
        """The current of a state; None if the file does not have it."""
        return next((draw for draw in self.currents if draw.state is state), None)

    @property
    def transmitting(self) -> list[Draw]:
        """Transmit currents by rising output power."""
        return sorted(
            (draw for draw in self.currents if draw.state is State.TRANSMIT),
            key=lambda d: d.power_dbm or 0,
        )


RADIOS = Shelf("radios", "radio", "radios", Radio)


# LoRaWAN regions and networks


Megahertz = Annotated[float, Field(gt=0)]


class LoraRate(Record):
    """A LoRa modulation."""

    sf: SpreadingFactor
    bandwidth_khz: Kilohertz


class DataRate(Record):
    """Uplink data rate: LoRa (``sf``, ``bandwidth_khz``) or FSK (``bit_rate``).

    ``max_payload_bytes``: longest application payload without MAC options and without repeaters (N
    of the tables). ``rx1``: modulation of the first receive window, where it is not that of the
    uplink. ``rx1_payload_bytes``: the longest payload there, if it is not that of the uplink.
    """

    dr: Annotated[int, Field(strict=True, ge=0, le=15)]
    sf: SpreadingFactor | None = None
    bandwidth_khz: Kilohertz | None = None
    bit_rate: Count | None = None
    max_payload_bytes: Annotated[int, Field(strict=True, ge=0, le=242)]
    rx1: LoraRate | None = None
    rx1_payload_bytes: Annotated[int, Field(strict=True, ge=0, le=242)] | None = None

    @model_validator(mode="after")
    def _one_modulation(self) -> Self:
        lora = (self.sf is not None, self.bandwidth_khz is not None)
        if any(lora) != all(lora) or all(lora) == (self.bit_rate is not None):
            raise ValueError("needs either sf and bandwidth_khz (LoRa) or bit_rate (FSK)")
        return self

    @property
    def words(self) -> str:
        """The modulation in its usual notation."""
        if self.bit_rate is not None:
            return f"FSK {self.bit_rate / 1000:g} kbit/s"
        return f"SF{self.sf}/{self.bandwidth_khz:g} kHz"


class SubBand(Known):
    """A part of the spectrum with its duty cycle: the share of any hour in which a device may
    transmit.
    """

    name: Text
    from_mhz: Megahertz
    to_mhz: Megahertz
    duty_cycle: Annotated[float, Field(gt=0, le=1)]
    max_erp_dbm: float | None = None


class Facts(Record):
    """The source of each group of facts of a region."""

    data_rates: Known
    payloads: Known
    receive_windows: Known
    dwell_time: Known | None = None


class Region(CatalogEntry):
    """A channel plan. ``default_channels_mhz``: the channels of a device that joins; they determine
    the sub-band.
    """

    default_channels_mhz: tuple[Megahertz, ...] = ()
    max_eirp_dbm: float
    dwell_time_ms: Count | None = None
    preamble_symbols: Count = 8
    rx1_delay_s: Count = 1
    rx2: LoraRate
    data_rates: tuple[DataRate, ...] = Field(min_length=1)
    sub_bands: tuple[SubBand, ...] = ()
    sources: Facts

    @model_validator(mode="after")
    def _consistent(self) -> Self:
        numbers = [rate.dr for rate in self.data_rates]
        if len(set(numbers)) != len(numbers):
            raise ValueError("two data rates have the same number")
        if self.dwell_time_ms is not None and self.sources.dwell_time is None:
            raise ValueError("dwell_time_ms is given without its source")
        return self

    @property
    def default_sub_band(self) -> SubBand | None:
        """The sub-band of the default channels; None without a duty cycle."""
        channel = self.default_channels_mhz[0] if self.default_channels_mhz else 0.0
        return next(
            (band for band in self.sub_bands if band.from_mhz <= channel <= band.to_mhz), None
        )


REGIONS = Shelf("lorawan", "LoRaWAN region", "regions", Region)


class Network(Record):
    """A network's own rules, in addition to the law."""

    id: Identifier
    name: Text
    uplink_s_per_day: Annotated[float, Field(gt=0)]
    downlinks_per_day: Count | None = None
    rx2: dict[Identifier, LoraRate] = Field(default_factory=dict)
    """The second receive window by region, where it is not the region's."""
    source: Source
    note: Text | None = None


class Networks(Record):
    """The rules of the networks in ``catalog/policies/lorawan-networks.toml``."""

    networks: tuple[Network, ...]


@cache
def networks() -> tuple[Network, ...]:
    """Networks whose rules are known."""
    return toml.validate(
        toml.load(catalog_dir() / "policies" / "lorawan-networks.toml"), Networks
    ).networks


def network(name: str, *, where: str | None = None) -> Network:
    """The network of that id, in upper or lower case. InputError that lists them."""
    entries = {entry.id: entry for entry in networks()}
    chosen = entries.get(name.strip().casefold())
    if chosen is None:
        raise InputError(
            f"unknown network {name!r}",
            where=where,
            valid=", ".join(entries),
            hint=did_you_mean(name, entries),
        )
    return chosen
