"""What all candidates share: device, message, radio, battery, and what each length of message costs on air."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from fractions import Fraction

from motebench.catalog.batteries import Battery
from motebench.catalog.devices import Device
from motebench.catalog.radios import Radio
from motebench.catalog.regions import DataRate, Region
from motebench.choice.model import Broken
from motebench.energy.budget import Part, receive_windows, transmission
from motebench.energy.currents import Drawn, permitted_power
from motebench.errors import InputError
from motebench.radio import lorawan


@dataclass(frozen=True, slots=True)
class Link:
    """LoRaWAN: where, how fast, how loud, how often each frame."""

    radio: Radio
    region: Region
    rate: DataRate
    power_dbm: float
    transmissions: float = 1.0
    fragment: bool = False


@dataclass(frozen=True, slots=True)
class OnAir:
    """A message of one length on air: frames, seconds, what it draws, and which limits of the radio it breaks."""

    frames: int
    seconds: float
    parts: tuple[Part, ...]
    broken: tuple[Broken, ...]


@dataclass(frozen=True, slots=True)
class Scene:
    """The question, apart from limits and order. ``sleeping``: what flows all the time, of device and radio.

    ``known``: lengths on air that were computed before.
    """

    device: Device
    message_bytes: int
    every_s: float | None = None
    link: Link | None = None
    battery: Battery | None = None
    active: Drawn | None = None
    sleeping: tuple[Drawn, ...] = ()
    known: dict[int, OnAir] = field(default_factory=dict, compare=False, repr=False)

    def on_air(self, length: int) -> OnAir:
        """A message of ``length`` bytes, header not included; without a radio it takes nothing."""
        found = self.known.get(length)
        if found is None:
            found = self.known[length] = _on_air(self.link, length, self.every_s) if self.link else _NOTHING
        return found

    def plausible(self) -> None:
        """InputError where not even the bare message can be sent."""
        for broken in self.on_air(self.message_bytes).broken:
            raise InputError(
                f"even without a cipher: {broken.words}", where=broken.option.split()[0], hint=_HINTS[broken.limit]
            )


_NOTHING = OnAir(0, 0.0, (), ())
_HINTS = {
    "payload": "--fragment, a higher data rate, or a shorter message",
    "dwell-time": "a higher data rate",
    "duty-cycle": "a higher data rate, a shorter message, or fewer of them",
}


def link(
    radio: Radio, region: Region, dr: int, *, power_dbm: float | None, transmissions: float, fragment: bool
) -> Link:
    """The link with its output power: by default the highest in the radio's file that the region allows."""
    if transmissions < 1:
        raise InputError(
            f"{transmissions:g} transmissions a message are not possible", where="--transmissions", valid="1 and more"
        )
    rate = lorawan.data_rate(region, dr)
    power = permitted_power(radio, region) if power_dbm is None else power_dbm
    return Link(radio, region, rate, power, transmissions, fragment)


def _on_air(link: Link, length: int, every_s: float | None) -> OnAir:
    longest = lorawan.longest_payload(link.rate)
    where = f"{link.region.name} DR{link.rate.dr} ({link.rate.words})"
    if length > longest and not link.fragment:
        words = f"{length} bytes to send, and {where} takes {longest} in a frame"
        taking = [rate.dr for rate in link.region.data_rates if lorawan.longest_payload(rate) >= length]
        option = f"--fragment or --dr {taking[0]}" if taking else "--fragment"
        return OnAir(0, 0.0, (), (Broken("payload", words, longest, length, "B", option),))
    frames = lorawan.fragments(length, longest)
    times = {
        frame: lorawan.on_air(link.region, link.rate, frame + lorawan.HEADER_BYTES, link.radio).time_ms
        for frame in set(frames)
    }
    whole = float(sum((times[frame] * count for frame, count in Counter(frames).items()), Fraction(0)) / 1000)
    sending = transmission(whole, link.radio, link.power_dbm, link.transmissions)
    listening = receive_windows(link.region, link.rate, link.radio, len(frames), link.transmissions)
    return OnAir(
        len(frames),
        whole,
        (sending, *([listening] if listening else [])),
        tuple(_limits(link, float(max(times.values())), whole * link.transmissions, every_s, where)),
    )


def _limits(link: Link, longest_ms: float, on_air_s: float, every_s: float | None, where: str) -> list[Broken]:
    found = []
    dwell = link.region.dwell_time_ms
    if dwell is not None and longest_ms > dwell:
        words = f"{longest_ms:g} ms on air, and {where} allows {dwell} ms a frame"
        found.append(Broken("dwell-time", words, dwell, longest_ms, "ms", "--dr"))
    band = link.region.default_sub_band
    if band and every_s is not None and on_air_s / band.duty_cycle > every_s:
        least = on_air_s / band.duty_cycle
        words = f"one message each {least:.1f} s at most by the duty cycle of {band.name} MHz, asked is {every_s:g} s"
        found.append(Broken("duty-cycle", words, every_s, least, "s", "--every"))
    return found
