"""The charge of a LoRaWAN message: sending its frames, and listening after each."""

from __future__ import annotations

from motebench.advise.energy.budget import EnergyPart, receive_windows, transmission
from motebench.advise.radio import lorawan
from motebench.advise.radio.delivery import Delivery, Link
from motebench.base.errors import InputError
from motebench.catalog.currents import permitted_power
from motebench.catalog.radios import Radio
from motebench.catalog.regions import Region
from motebench.catalog.regions import network as find_network


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
