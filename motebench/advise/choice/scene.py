"""The inputs that all candidates share: device, message, radio, battery, and time on air by length of the message."""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace

from motebench.advise.choice.candidate import Broken, OnAir
from motebench.advise.energy.budget import EnergyPart, parts
from motebench.advise.radio import lorawan
from motebench.advise.radio.delivery import Delivery, Link, deliver, download
from motebench.base.errors import InputError
from motebench.catalog.batteries import Battery
from motebench.catalog.currents import Drawn, radio_current
from motebench.catalog.devices import Device
from motebench.catalog.quantities import State


@dataclass(frozen=True, slots=True)
class Scene:
    """The question without limits and order. ``sleeping``: the current of device and radio during sleep.

    ``sends``, ``receives``: whether the device sends messages, and whether something comes to it. ``known``: lengths on
    air that were computed before.
    """

    device: Device
    message_bytes: int
    every_s: float | None = None
    link: Link | None = None
    battery: Battery | None = None
    active: Drawn | None = None
    sleeping: tuple[Drawn, ...] = ()
    sends: bool = True
    receives: bool = False
    known: dict[tuple[int, int], OnAir] = field(default_factory=dict, compare=False, repr=False)

    def on_air(self, length: int, received: int = 0) -> OnAir:
        """A message of ``length`` bytes, without header, and ``received`` bytes that come to the device; without a
        radio they take nothing."""
        found = self.known.get((length, received))
        if found is None:
            found = self.known[length, received] = self._on_air(length, received)
        return found

    def _on_air(self, length: int, received: int) -> OnAir:
        if self.link is None:
            return _NOTHING
        sent = _on_air(self.link, length, self.every_s) if self.sends else _NOTHING
        return _with_received(sent, self.link, received) if self.receives else sent

    def parts(self) -> tuple[EnergyPart, ...]:
        """The parts that every message has on air, for their currents."""
        return self.on_air(self.message_bytes if self.sends else 0, int(self.receives)).parts

    def least_intervals(self, length: int) -> tuple[float, float]:
        """Seconds from one message of ``length`` bytes to the next, at least: by the duty cycle and by the network's
        rule; 0 without such a limit."""
        if self.link is None or not self.sends:
            return 0.0, 0.0
        sent = deliver(self.link, length)
        band = self.link.region.default_sub_band is not None and sent.fits
        return sent.least_interval_s if band else 0.0, sent.fair_interval_s if sent.fits else 0.0

    def plausible(self) -> None:
        """InputError if not even the bare message can be sent."""
        if not self.sends:
            return
        for broken in self.on_air(self.message_bytes).broken:
            raise InputError(
                f"even a message without a cipher breaks a limit: {broken.words}",
                where=broken.option.split()[0],
                hint=_hint(broken),
            )


_MINUTES = 120.0
"""Seconds from which minutes are easier to read."""
_NOTHING = OnAir(0, 0.0, (), ())
_HINTS = {
    "payload": "--fragment, a higher data rate, or a shorter message",
    "dwell-time": "a higher data rate",
}


def _hint(broken: Broken) -> str:
    if broken.option == "--every" and broken.value is not None:
        return f"--every above {math.ceil(broken.value)}s, a higher data rate, or a shorter message"
    return _HINTS[broken.limit]


def _spelt(seconds: float) -> str:
    return f"{seconds:.1f} s" if seconds < _MINUTES else f"{seconds:,.0f} s ({seconds / 60:.3g} min)"


def _on_air(link: Link, length: int, every_s: float | None) -> OnAir:
    sent = deliver(link, length)
    where = f"{link.region.name} DR{link.rate.dr} ({link.rate.words})"
    if not sent.fits:
        words = f"{length} bytes to send, and {where} takes {link.longest} in a frame"
        taking = [rate.dr for rate in link.region.data_rates if lorawan.longest_payload(rate) >= length]
        option = f"--fragment or --dr {taking[0]}" if taking else "--fragment"
        return OnAir(0, 0.0, (), (Broken("payload", words, link.longest, length, "B", option),))
    return OnAir(len(sent.frames), sent.seconds, parts(sent), tuple(_limits(sent, every_s, where)))


def _with_received(sent: OnAir, link: Link, received: int) -> OnAir:
    """The same, and what comes to the device, for which its radio listens exactly as long as it lasts."""
    down = download(link, received)
    if not down.frames:
        where = f"{link.region.name} DR{link.rate.dr} ({link.rate.words})"
        words = f"{received} bytes to receive, and {where} takes {link.longest} in a frame"
        return replace(sent, broken=(*sent.broken, Broken("payload", words, link.longest, received, "B", "--fragment")))
    drawn = radio_current(link.radio, State.RECEIVE)
    heard = (EnergyPart("download", down.seconds, drawn),) if drawn is not None and received else ()
    return replace(sent, parts=(*sent.parts, *heard), received_seconds=down.seconds if received else 0.0)


def _limits(sent: Delivery, every_s: float | None, where: str) -> list[Broken]:
    found = []
    dwell, longest_ms, least = sent.link.region.dwell_time_ms, sent.longest_frame_ms, sent.least_interval_s
    if dwell is not None and sent.over_dwell_time:
        words = f"{longest_ms:g} ms on air, and {where} allows {dwell} ms a frame"
        found.append(Broken("dwell-time", words, dwell, longest_ms, "ms", "--dr"))
    band = sent.link.region.default_sub_band
    if band and every_s is not None and least > every_s:
        by = f"the duty cycle of {band.name} MHz"
        words = f"one message each {_spelt(least)} at most by {by}, but --every is {every_s:g} s"
        found.append(Broken("duty-cycle", words, every_s, least, "s", "--every"))
    network, fair = sent.link.network, sent.fair_interval_s
    if network is not None and every_s is not None and fair > every_s:
        words = (
            f"one message each {_spelt(fair)} at most by {network.name}, {network.uplink_s_per_day:g} s on air a day, "
            f"but --every is {every_s:g} s"
        )
        found.append(Broken("fair-use", words, every_s, fair, "s", "--every"))
    return found
