"""The messages of a protocol over LoRaWAN class A: frames, time on air, receive windows, and when each may be sent.

Class A (TS001, section 3): the device receives only in two windows after each of its uplinks, and does not send again
before they are over. So every downlink frame needs an uplink before it, an empty one if there is nothing to send.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from motebench.advise.energy.budget import EnergyPart, settled_power
from motebench.advise.radio import lorawan
from motebench.advise.radio.airtime import fsk, lora
from motebench.advise.radio.delivery import Link
from motebench.base.errors import InputError
from motebench.catalog.currents import assumptions, radio_current, transmit_current
from motebench.catalog.protocols import Exchange, Sent
from motebench.catalog.quantities import State
from motebench.catalog.regions import LoraRate

EMPTY_BYTES = lorawan.HEADER_BYTES - 1
"""An uplink without a payload, which has no FPort."""
_BETWEEN_WINDOWS_S = 1
"""RX2 opens this long after RX1 (TS001, section 3.3)."""


@dataclass(frozen=True, slots=True)
class Carried:
    """A message in frames: their whole lengths, and their time on air, each sent once."""

    message: Sent
    frames: tuple[int, ...]
    time_ms: Fraction


@dataclass(frozen=True, slots=True)
class Flown:
    """An exchange over the air. Times in seconds; ``sent_s`` and ``listened_s`` count repeated transmissions.

    ``empty_uplinks``: uplinks that only open receive windows. ``air_s``: on air of all frames, both directions.
    ``windows_s``: delays of receive windows. ``duty_wait_s``: pauses that the duty cycle requires.
    """

    carried: tuple[Carried, ...]
    empty_uplinks: int
    sent_s: float
    listened_s: float
    air_s: float
    windows_s: float
    duty_wait_s: float
    warnings: tuple[str, ...] = ()

    @property
    def latency_s(self) -> float:
        """From the first bit to the last, without computing."""
        return self.air_s + self.windows_s + self.duty_wait_s

    @property
    def frames(self) -> int:
        """Frames of both directions, with empty ones."""
        return sum(len(each.frames) for each in self.carried) + self.empty_uplinks

    @property
    def downlinks(self) -> int:
        """Frames that the device receives."""
        return sum(len(each.frames) for each in self.carried if each.message.sender == "peer")

    def parts(self, link: Link) -> tuple[EnergyPart, ...]:
        """Transmitting and, if the radio's file has the current, receiving."""
        sending = EnergyPart(
            "transmit",
            self.sent_s,
            transmit_current(link.radio, settled_power(link.radio, link.region, link.power_dbm)),
        )
        drawn = radio_current(link.radio, State.RECEIVE)
        return (sending,) if drawn is None else (sending, EnergyPart("receive", self.listened_s, drawn))


@dataclass
class _Clock:
    """Time as it passes: when the next uplink may begin by the duty cycle, and what was sent and heard."""

    link: Link
    duty: float | None
    now: float = 0.0
    allowed: float = 0.0
    sent: float = 0.0
    listened: float = 0.0
    air: float = 0.0
    windows: float = 0.0
    waited: float = 0.0
    open: bool = False
    """Whether the windows after an uplink are still to come."""

    def uplink(self, air: float) -> None:
        """An uplink. Windows of the one before in which nothing came are over first."""
        self.close()
        self.waited += max(self.allowed - self.now, 0.0)
        self.now = max(self.now, self.allowed)
        if self.duty:
            self.allowed = self.now + air * self.link.transmissions / self.duty
        self.now += air
        self.air += air
        self.sent += air * self.link.transmissions
        self.open = True

    def downlink(self, air: float, wait: float) -> None:
        """A downlink in the first window."""
        self.windows += wait
        self.now += wait + air
        self.air += air
        self.listened += air
        self.open = False

    def close(self, *, last: bool = False) -> None:
        """Both windows pass without a frame. After the last message, their time is no latency."""
        if not self.open:
            return
        first, second = (
            float(each)
            for each in lorawan.windows(
                self.link.region, self.link.rate, assumptions().receive_window_symbols, self.link.rx2
            )
        )
        self.listened += (first + second) * self.link.transmissions
        if not last:
            passed = self.link.region.rx1_delay_s + _BETWEEN_WINDOWS_S + second
            self.now += passed
            self.windows += passed
        self.open = False


def fly(exchange: Exchange, link: Link) -> Flown:
    """The exchange over LoRaWAN. InputError for messages that no frame of the data rate can carry."""
    band = link.region.default_sub_band
    clock = _Clock(link, band.duty_cycle if band else None)
    wait = exchange.protocol.waits_s if exchange.protocol.waits_s is not None else float(link.region.rx1_delay_s)
    carried, empty = [], 0
    for message in exchange.messages:
        down = message.sender == "peer"
        once = _carry(exchange, message, link, down)
        times = {length: _air_s(link, length, down) for length in set(once.frames)}
        empty_s = _air_s(link, EMPTY_BYTES, False)
        for length in once.frames * message.times:
            if not down:
                clock.uplink(times[length])
                continue
            if not clock.open:
                clock.uplink(empty_s)
                empty += 1
            clock.downlink(times[length], wait)
        carried.append(replace(once, frames=once.frames * message.times, time_ms=once.time_ms * message.times))
    clock.close(last=True)
    return Flown(
        tuple(carried),
        empty,
        clock.sent,
        clock.listened,
        clock.air,
        clock.windows,
        clock.waited,
        _warnings(link, carried),
    )


def _carry(exchange: Exchange, message: Sent, link: Link, down: bool) -> Carried:
    length, longest = message.carried_bytes, _longest(link, down)
    if exchange.protocol.frames == "whole":
        if length > longest + lorawan.HEADER_BYTES:
            raise InputError(
                f"{exchange.protocol.id}: {message.name} has {length} bytes, and a frame of {link.region.name} "
                f"DR{link.rate.dr} has at most {longest + lorawan.HEADER_BYTES}",
                where="--dr", hint="take a higher data rate",
            )  # fmt: skip
        frames: tuple[int, ...] = (length,)
    else:
        frames = tuple(part + lorawan.HEADER_BYTES + link.fopts for part in lorawan.fragments(length, longest))
    times = {each: _air(link, each, down) for each in set(frames)}
    return Carried(message, frames, sum((times[each] * count for each, count in Counter(frames).items()), Fraction(0)))


def _longest(link: Link, down: bool) -> int:
    """The longest payload of a frame. Downlinks of some regions have other data rates, with other limits."""
    known = link.rate.rx1_payload_bytes if down else None
    return link.longest if known is None else known


def _air_s(link: Link, length: int, down: bool) -> float:
    return float(_air(link, length, down) / 1000)


def _air(link: Link, length: int, down: bool) -> Fraction:
    """Milliseconds of a frame. Downlinks come in the first window, and LoRa sends them without a CRC (TS001, 2.2.2)."""
    rate = link.rate
    if not down:
        return lorawan.on_air(link.region, rate, length, link.radio).time_ms
    first = rate.rx1
    if first is None and rate.bit_rate is not None:
        return fsk(rate.bit_rate, length, link.radio).time_ms
    if first is None and rate.sf is not None and rate.bandwidth_khz is not None:
        first = LoraRate(sf=rate.sf, bandwidth_khz=rate.bandwidth_khz)
    if first is None:
        raise AssertionError("the schema lets no such data rate through")
    modulation = replace(lorawan.modulation(first.sf, first.bandwidth_khz, link.region), crc=False)
    return lora(modulation, length, link.radio).time_ms


def _warnings(link: Link, carried: Sequence[Carried]) -> tuple[str, ...]:
    found = []
    dwell = link.region.dwell_time_ms
    for each in carried:
        if each.message.sender != "device" or dwell is None:
            continue
        longest = max(float(_air(link, length, False)) for length in each.frames)
        if longest > dwell:
            found.append(f"{each.message.name}: a frame of {longest:g} ms, and {link.region.name} allows {dwell} ms")
    lacking = link.rate.rx1 is not None and link.rate.rx1_payload_bytes is None
    if lacking and any(each.message.sender == "peer" for each in carried):
        found.append("fragments of downlinks are as long as those of uplinks; the region may allow longer ones")
    return tuple(found)
