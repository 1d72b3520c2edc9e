"""The documents of ``motebench energy`` and ``motebench battery``: modelled energy."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Literal

from motebench.base.interval import Interval
from motebench.base.shapes import Count, Must

ENERGY: Literal["motebench-energy-1"] = "motebench-energy-1"
BATTERY: Literal["motebench-battery-1"] = "motebench-battery-1"

Positive = Annotated[float, Must(minimum=0)]
PARTS = ("sleep", "cipher", "transmit", "receive")
_Parts = Must(propertyNames={"enum": list(PARTS)})


@dataclass(frozen=True, slots=True, kw_only=True)
class PaperEnergyEntry:
    """The result of a published formula for the same operation."""

    paper: str
    """Key of the paper."""
    called: str
    """The paper's name for the value."""
    value: float
    unit: str
    wrong: str
    """Why it is not the quantity that the paper names."""


@dataclass(frozen=True, slots=True, kw_only=True)
class EnergyEntry:
    """What `motebench energy --json` prints."""

    schema: Literal["motebench-energy-1"] = ENERGY
    evidence: Literal["modelled"] = "modelled"
    time_s: Positive
    voltage_v: Positive
    current_a: Interval
    power_w: Interval
    energy_j: Interval
    energy_wh: Interval
    charge_mah: Interval
    charge_at_v: Positive
    """The voltage for charge_mah."""
    energy_per_byte_j: Interval | None
    """Null without an input size."""
    notes: tuple[str, ...]
    papers: tuple[PaperEnergyEntry, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class BatteryEntry:
    """What `motebench battery --json` prints."""

    schema: Literal["motebench-battery-1"] = BATTERY
    evidence: Literal["modelled"] = "modelled"
    battery: str
    every_s: Positive
    messages_per_day: Positive
    sent_bytes: Count | None
    """Bytes of a message with those that its cipher adds; null without a radio, like the next four keys."""
    frames: Count | None
    time_on_air_ms: Positive | None
    """Of all frames of a message, each sent once."""
    power_dbm: float | None
    message: str | None
    """The scheme that protects messages; null without one."""
    life_years: Interval
    mean_current_a: Interval
    charge_per_message_c: Annotated[Mapping[str, Interval], _Parts]
    """By part: sleep (from one message to the next), cipher, transmit, receive."""
    shares: Annotated[Mapping[str, float], _Parts]
    """Shares of the charge by part; their sum is 1."""
    energy_per_message_j: Annotated[Mapping[str, Interval], _Parts]
    """Energy by part, if its voltage is known."""
    warnings: tuple[str, ...]
    notes: tuple[str, ...]
