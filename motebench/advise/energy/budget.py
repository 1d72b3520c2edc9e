"""The cost of one message: cipher, transmission, receive windows, in coulombs and joules with bounds.

`link` and `parts` are those of a LoRaWAN message: sending its frames, and listening after each.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from motebench.advise.radio import lorawan
from motebench.advise.radio.delivery import Delivery, Link
from motebench.base.errors import InputError
from motebench.base.quantities import Interval
from motebench.catalog.currents import Drawn, assumptions, permitted_power, radio_current, transmit_current
from motebench.catalog.quantities import State
from motebench.catalog.radios import Radio
from motebench.catalog.regions import DataRate, LoraRate, Region
from motebench.catalog.regions import network as find_network
from motebench.results import formulas

SURE = Interval.exact(1.0)
"""Bounds of a time that has none."""


@dataclass(frozen=True, slots=True)
class EnergyPart:
    """One part of a message's cost: how long (s), with which current, how often.

    ``stretch``: bounds of the time, as factors.
    """

    name: str
    seconds: float
    drawn: Drawn
    times: float = 1.0
    stretch: Interval = SURE

    @property
    def charge_c(self) -> Interval:
        """Coulombs a message."""
        return self.drawn.amps * self.stretch * formulas.charge(self.seconds * self.times, 1.0)

    @property
    def energy_j(self) -> Interval:
        """Joules a message."""
        return self.drawn.amps * self.stretch * formulas.energy(self.seconds * self.times, self.drawn.volts, 1.0)


def cipher(seconds: float, drawn: Drawn, stretch: Interval = SURE) -> EnergyPart:
    """The processor's work for a message. ``stretch``: bounds of the time, as factors."""
    return EnergyPart("cipher", seconds, drawn, stretch=stretch)


def transmission(airtime_s: float, radio: Radio, power_dbm: float, transmissions: float = 1.0) -> EnergyPart:
    """All frames of a message on air. ``transmissions`` counts how often each is sent on average."""
    if transmissions < 1:
        raise InputError(f"{transmissions:g} transmissions per message are not possible", valid="1 or more")
    return EnergyPart("transmit", airtime_s, transmit_current(radio, power_dbm), transmissions)


def receive_windows(
    region: Region,
    rate: DataRate,
    radio: Radio,
    frames: int = 1,
    transmissions: float = 1.0,
    rx2: LoraRate | None = None,
) -> EnergyPart | None:
    """The two windows after each frame, in which nothing arrives; None if the radio's file has no receive current.

    ``rx2``: modulation of the second one, if it is not the region's.
    """
    drawn = radio_current(radio, State.RECEIVE)
    if drawn is None:
        return None
    opened = lorawan.windows(region, rate, assumptions().receive_window_symbols, rx2)
    return EnergyPart("receive", float(sum(opened)) * frames, drawn, transmissions)


def notes(parts: Sequence[EnergyPart]) -> list[str]:
    """Notes on the currents of all parts, each once."""
    return list(dict.fromkeys(note for part in parts for note in part.drawn.notes))


def link(
    radio: Radio,
    region: Region,
    dr: int,
    *,
    power_dbm: float | None = None,
    transmissions: float = 1.0,
    fragment: bool = False,
    network: str | None = None,
) -> Link:
    """The link with its output power: by default the highest in the radio's file that the region allows.

    ``network``: its id in ``catalog/policies/lorawan-networks.toml``. InputError for a data rate that the region does
    not have, for an unknown network, and for fewer than one transmission.
    """
    if transmissions < 1:
        raise InputError(
            f"{transmissions:g} transmissions per message are not possible", where="--transmissions", valid="1 or more"
        )
    rate = lorawan.data_rate(region, dr)
    rules = None if network is None else find_network(network, where="--network")
    power = settled_power(radio, region, power_dbm)
    return Link(radio, region, rate, power, transmissions, fragment, network=rules)


def settled_power(radio: Radio, region: Region, power_dbm: float | None) -> float:
    """The output power (dBm): the given one, else the highest in the radio's file that the region allows."""
    return permitted_power(radio, region) if power_dbm is None else power_dbm


def parts(delivery: Delivery) -> tuple[EnergyPart, ...]:
    """The parts of the delivery: transmitting and, if the radio's file has the current, the receive windows."""
    at = delivery.link
    power = settled_power(at.radio, at.region, at.power_dbm)
    sending = transmission(delivery.seconds, at.radio, power, at.transmissions)
    listening = receive_windows(at.region, at.rate, at.radio, len(delivery.frames), at.transmissions, at.rx2)
    return (sending, *([listening] if listening else []))
