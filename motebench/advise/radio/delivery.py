"""From a message to LoRaWAN frames, their time on air and the region's limits. Everything else uses this
computation."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from motebench.advise.radio import lorawan
from motebench.advise.radio.lorawan import Uplink
from motebench.base.errors import InputError
from motebench.base.units import DAY_S
from motebench.catalog.radios import Radio
from motebench.catalog.regions import DataRate, LoraRate, Network, Region


@dataclass(frozen=True, slots=True)
class Link:
    """LoRaWAN uplinks of one device.

    power_dbm: output power; None: not settled, for questions that need no energy. transmissions: how often each frame
    is sent on average, 1 or more. fragment: messages that are too long for a frame are sent in several. fopts: bytes
    of MAC options in each frame. network: whose own rules hold beside the region's; None: of no known one.
    """

    radio: Radio
    region: Region
    rate: DataRate
    power_dbm: float | None = None
    transmissions: float = 1.0
    fragment: bool = False
    fopts: int = 0
    network: Network | None = None

    @property
    def rx2(self) -> LoraRate:
        """Modulation of the second receive window."""
        region = self.region
        return region.rx2 if self.network is None else self.network.rx2.get(region.id, region.rx2)

    @property
    def longest(self) -> int:
        """Application bytes that fit into one frame."""
        return lorawan.longest_payload(self.rate, self.fopts)


@dataclass(frozen=True, slots=True)
class Delivery:
    """An application payload of ``length`` bytes as frames. ``frames`` is empty if it does not fit into one."""

    link: Link
    length: int
    frames: tuple[Uplink, ...]
    time_ms: Fraction
    """Time on air of all frames, each sent once."""

    @property
    def fits(self) -> bool:
        """Whether frames of this data rate can carry it."""
        return bool(self.frames)

    @property
    def seconds(self) -> float:
        """Time on air of all frames, each sent once."""
        return float(self.time_ms / 1000)

    @property
    def longest_frame_ms(self) -> float:
        """Time on air of the longest frame, which a dwell time limits."""
        return float(max((frame.airtime.time_ms for frame in self.frames), default=Fraction(0)))

    @property
    def over_dwell_time(self) -> bool:
        """Whether a frame is longer on air than the region allows."""
        dwell = self.link.region.dwell_time_ms
        return dwell is not None and self.longest_frame_ms > dwell

    @property
    def least_interval_s(self) -> float:
        """Seconds from one message to the next that the duty cycle requires, including repeated transmissions; 0
        without a duty cycle."""
        band = self.link.region.default_sub_band
        return self.seconds * self.link.transmissions / band.duty_cycle if band else 0.0

    @property
    def fair_interval_s(self) -> float:
        """Seconds from one message to the next that the network's rule per day requires; 0 without one."""
        network = self.link.network
        return DAY_S * self.seconds * self.link.transmissions / network.uplink_s_per_day if network else 0.0

    def check(self) -> None:
        """InputError if the payload does not fit into a frame, or a frame is on air for too long."""
        if not self.fits:
            lorawan.check_length(self.link.region, self.link.rate, self.length, self.link.fopts)
        for frame in self.frames:
            lorawan.check_dwell_time(self.link.region, frame.airtime)

    def check_interval(self, every_s: float) -> None:
        """InputError if a message every ``every_s`` seconds breaks the duty cycle."""
        network = self.link.network
        if network is not None and every_s < self.fair_interval_s:
            raise InputError(
                f"a message every {every_s:g} s is more than {network.name} allows, {network.uplink_s_per_day:g} s on "
                "air a day",
                where="--every",
                valid=f"at least {self.fair_interval_s:.1f} s",
                hint="take a longer interval, a higher data rate, a shorter message or fewer transmissions",
            )
        band = self.link.region.default_sub_band
        if band is None or every_s >= self.least_interval_s:
            return
        raise InputError(
            f"a message every {every_s:g} s breaks the duty cycle of {self.link.region.name}, {band.name} MHz",
            where="--every",
            valid=f"at least {self.least_interval_s:.1f} s",
            hint="take a longer interval, a higher data rate, a shorter message or fewer transmissions",
        )


@dataclass(frozen=True, slots=True)
class Download:
    """A payload of ``length`` bytes that comes to the device. ``frames`` is 0 if it does not fit into one.

    Requests, acknowledgements and the network's own duty cycle are left out, so the time is a lower bound.
    """

    length: int
    frames: int
    seconds: float


def download(link: Link, length: int) -> Download:
    """Downlink frames at the link's data rate: as uplinks, but without a CRC (TS001, section 4)."""
    if length > link.longest and not link.fragment:
        return Download(length, 0, 0.0)
    parts = lorawan.fragments(length, link.longest)
    times = {part: lorawan.downlink(link.region, link.rate, part, link.radio).time_ms for part in set(parts)}
    return Download(length, len(parts), float(sum((times[part] for part in parts), Fraction(0)) / 1000))


def deliver(link: Link, length: int) -> Delivery:
    """The frames for a payload of ``length`` bytes; `Delivery.check` says whether they are allowed.

    InputError if it must be fragmented and the data rate leaves no room for a fragment.
    """
    longest = link.longest
    if length < 0 or (length > longest and not link.fragment):
        return Delivery(link, length, (), Fraction(0))
    parts: Sequence[int] = lorawan.fragments(length, longest)
    frames = {part: lorawan.frame(link.region, link.rate, part, link.radio, link.fopts) for part in set(parts)}
    time_ms = sum((frames[part].airtime.time_ms * count for part, count in Counter(parts).items()), Fraction(0))
    return Delivery(link, length, tuple(frames[part] for part in parts), time_ms)
