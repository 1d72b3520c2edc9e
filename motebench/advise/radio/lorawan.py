"""LoRaWAN messages: the bytes that the protocol adds, frames with their time on air, and the limits
of a region.

Frame format and header lengths: LoRa Alliance TS001 (LoRaWAN L2 1.0.4), section 4. Limits come from
the region's file.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from motebench.advise.radio.airtime import Airtime, Modulation, fsk, lora
from motebench.advise.radio.link import (
    NOT_CARRIED,
    EnergyPart,
    LeastInterval,
    RadioLink,
    Transfer,
)
from motebench.base.errors import InputError
from motebench.base.units import DAY_S
from motebench.catalog.currents import (
    assumptions,
    permitted_power,
    radio_current,
    transmit_current,
)
from motebench.catalog.quantities import State
from motebench.catalog.radios import DataRate, LoraRate, Network, Radio, Region, SubBand
from motebench.catalog.radios import network as find_network

HEADER_BYTES = 1 + 7 + 1 + 4
"""MHDR, FHDR without FOpts (DevAddr 4, FCtrl 1, FCnt 2), FPort and MIC, around an application
payload.
"""
MAX_FOPTS = 15
FRAGMENT_HEADER_BYTES = 1
"""Per fragment: window and fragment number of SCHC over LoRaWAN (RFC 9011, 5.6.2); its rule number
is the FPort.
"""
FRAGMENT_CHECK_BYTES = 4
"""Bytes of the check sequence over the whole message, in the last fragment (RFC 9011, 5.6.2)."""
_HOUR_MS = 3_600_000
_DAY_MS = 86_400_000


@dataclass(frozen=True, slots=True)
class Uplink:
    """One frame on air: its application payload, its length with everything around it, and its
    time.
    """

    app_payload_bytes: int
    phy_payload_bytes: int
    airtime: Airtime


@dataclass(frozen=True, slots=True)
class Rate:
    """Limit on the rate of messages: by law in a sub-band, or by a network's rule, which has no
    ``duty_cycle`` and ``per_hour``. ``pause_ms``: after each message; None if not even one per day
    is allowed."""

    name: str
    duty_cycle: float | None
    per_hour: int | None
    per_day: int
    pause_ms: Fraction | None


def data_rate(region: Region, number: int) -> DataRate:
    """The data rate of that number. InputError that lists the data rates of the region."""
    rate_found = next((rate for rate in region.data_rates if rate.dr == number), None)
    if rate_found is None:
        valid = ", ".join(f"{rate.dr} ({rate.words})" for rate in region.data_rates)
        raise InputError(
            f"{region.name} has no uplink data rate DR{number}", where="--dr", valid=valid
        )
    return rate_found


def longest_payload(rate: DataRate, fopts: int = 0) -> int:
    """Application bytes that fit into one frame in addition to ``fopts`` bytes of MAC options."""
    if not 0 <= fopts <= MAX_FOPTS:
        raise InputError(
            f"{fopts} bytes of FOpts are out of range",
            where="--fopts",
            valid=f"0 to {MAX_FOPTS} bytes",
        )
    return max(rate.max_payload_bytes - fopts, 0)


def uplink(
    region: Region, rate: DataRate, app_payload: int, radio: Radio, fopts: int = 0
) -> Uplink:
    """The frame that carries an application payload. InputError if it is longer than the data rate
    allows.
    """
    check_length(region, rate, app_payload, fopts)
    sent = frame(region, rate, app_payload, radio, fopts)
    check_dwell_time(region, sent.airtime)
    return sent


def frame(region: Region, rate: DataRate, app_payload: int, radio: Radio, fopts: int = 0) -> Uplink:
    """The same without the limits of the region."""
    length = app_payload + HEADER_BYTES + fopts
    return Uplink(app_payload, length, on_air(region, rate, length, radio))


def check_length(region: Region, rate: DataRate, app_payload: int, fopts: int = 0) -> None:
    """InputError for an application payload that does not fit into one frame."""
    longest = longest_payload(rate, fopts)
    if app_payload < 0:
        raise InputError(
            f"a payload of {app_payload} bytes is out of range",
            where="--app-payload",
            valid=f"0 to {longest} bytes",
        )
    if app_payload > longest:
        raise InputError(
            f"{app_payload} bytes do not fit into one frame of {region.name} DR{rate.dr} "
            f"({rate.words})",
            where="--app-payload",
            valid=f"at most {longest} bytes" + (f" beside {fopts} bytes of FOpts" if fopts else ""),
            hint="add --fragment to split it, or take a higher data rate",
        )


def check_dwell_time(region: Region, airtime: Airtime) -> None:
    """InputError for a frame that is longer on air than the region allows."""
    if region.dwell_time_ms is not None and airtime.time_ms > region.dwell_time_ms:
        raise InputError(
            f"{float(airtime.time_ms):g} ms on air is longer than {region.name} allows",
            where="--dr",
            valid=f"at most {region.dwell_time_ms} ms",
            hint="take a higher data rate, or a shorter payload",
        )


def on_air(region: Region, rate: DataRate, phy_payload: int, radio: Radio) -> Airtime:
    """Time on air of an uplink of that length, including its header: explicit header, CRC on,
    coding rate 4/5.
    """
    if rate.bit_rate is not None:
        return fsk(rate.bit_rate, phy_payload, radio)
    if rate.sf is None or rate.bandwidth_khz is None:
        raise AssertionError("the schema admits no such data rate")
    return lora(modulation(rate.sf, rate.bandwidth_khz, region), phy_payload, radio)


def downlink(region: Region, rate: DataRate, app_payload: int, radio: Radio) -> Airtime:
    """Time on air of a frame to the device at that data rate, with an application payload: it has
    no CRC.
    """
    length = app_payload + HEADER_BYTES
    if rate.sf is None or rate.bandwidth_khz is None:
        return on_air(region, rate, length, radio)
    return lora(replace(modulation(rate.sf, rate.bandwidth_khz, region), crc=False), length, radio)


def modulation(sf: int, bandwidth_khz: float, region: Region) -> Modulation:
    """An uplink's LoRa setting in that region."""
    return Modulation(sf, Fraction(str(bandwidth_khz)), preamble=region.preamble_symbols)


def windows(
    region: Region, rate: DataRate, symbols: int, rx2: LoraRate | None = None
) -> tuple[Fraction, ...]:
    """Seconds that the two receive windows of class A stay open if nothing arrives.

    Each listens for ``symbols`` symbols of its modulation, in which it would detect a preamble. An
    FSK window is as long as its 5 bytes of preamble and 3 of sync word. ``rx2``: modulation of the
    second window, if not the region's.
    """
    first = rate.rx1
    if first is None and rate.sf is not None and rate.bandwidth_khz is not None:
        first = LoraRate(sf=rate.sf, bandwidth_khz=rate.bandwidth_khz)
    opened = (
        Fraction(8 * 8, rate.bit_rate)
        if first is None and rate.bit_rate
        else _listening(first, region, symbols)
    )
    return opened, _listening(rx2 or region.rx2, region, symbols)


def _listening(rate: LoraRate | None, region: Region, symbols: int) -> Fraction:
    return (
        symbols * modulation(rate.sf, rate.bandwidth_khz, region).symbol_s if rate else Fraction(0)
    )


def fragments(app_payload: int, longest: int) -> list[int]:
    """Lengths of the application payloads that carry a message in fragments, including headers and
    the check.

    A message that fits is sent as it is. InputError if the data rate leaves no room for a fragment.
    """
    if app_payload <= longest:
        return [app_payload]
    room = longest - FRAGMENT_HEADER_BYTES
    if room <= FRAGMENT_CHECK_BYTES:
        raise InputError(
            f"frames of at most {longest} bytes leave no room for data in a fragment",
            where="--fragment",
            valid=f"a data rate with at least {FRAGMENT_HEADER_BYTES + FRAGMENT_CHECK_BYTES + 1} "
            "bytes",
        )
    count = math.ceil((app_payload + FRAGMENT_CHECK_BYTES) / room)
    whole = [longest] * (count - 1)
    return [*whole, app_payload + FRAGMENT_CHECK_BYTES - room * (count - 1) + FRAGMENT_HEADER_BYTES]


def sub_band(region: Region, name: str | None) -> SubBand | None:
    """Sub-band of that name, by default that of the default channels. InputError that lists the
    sub-bands.
    """
    if name is None:
        return region.default_sub_band
    chosen = next((band for band in region.sub_bands if band.name == name), None)
    if chosen is None:
        names = (
            ", ".join(band.name for band in region.sub_bands)
            or f"none: {region.name} has no duty cycle"
        )
        raise InputError(f"{region.name} has no sub-band {name!r}", where="--sub-band", valid=names)
    return chosen


def by_law(band: SubBand, airtime_ms: Fraction) -> Rate:
    """The limit by the duty cycle of a sub-band: that share of any hour on air, and the pause after
    each message.
    """
    duty = Fraction(str(band.duty_cycle))
    hour = math.floor(duty * _HOUR_MS / airtime_ms)
    return Rate(band.name, band.duty_cycle, hour, hour * 24, airtime_ms / duty - airtime_ms)


def by_network(network: Network, airtime_ms: Fraction) -> Rate:
    """The limit by a network's own rule per day."""
    day = math.floor(Fraction(str(network.uplink_s_per_day)) * 1000 / airtime_ms)
    return Rate(network.name, None, None, day, Fraction(_DAY_MS, day) - airtime_ms if day else None)


# From a message to its frames: everything else uses this computation


@dataclass(frozen=True, slots=True, kw_only=True)
class LorawanLink(RadioLink):
    """LoRaWAN uplinks of one device.

    fopts: bytes of MAC options in each frame. network: whose own rules hold beside the region's;
    None: of no known one.
    """

    region: Region
    rate: DataRate
    fopts: int = 0
    network: Network | None = None

    @property
    def name(self) -> str:
        """Protocol, region and data rate."""
        return f"LoRaWAN {self.region.id.upper()} DR{self.rate.dr}"

    @property
    def place(self) -> str:
        """Region and data rate with its modulation."""
        return f"{self.region.name} DR{self.rate.dr} ({self.rate.words})"

    @property
    def rx2(self) -> LoraRate:
        """Modulation of the second receive window."""
        region = self.region
        return region.rx2 if self.network is None else self.network.rx2.get(region.id, region.rx2)

    @property
    def longest(self) -> int:
        """Application bytes that fit into one frame."""
        return longest_payload(self.rate, self.fopts)

    @property
    def counted(self) -> bool:
        """Every frame has a counter (FCnt)."""
        return True

    def send(self, length: int) -> Transfer:
        """Uplinks, and the windows after each in which nothing arrives."""
        sent = deliver(self, length)
        if not sent.fits:
            return replace(NOT_CARRIED, length=length)
        return Transfer(
            length,
            len(sent.frames),
            sum(frame.phy_payload_bytes for frame in sent.frames),
            sent.seconds,
            sent.longest_frame_ms / 1000,
            parts(sent),
        )

    def receive(self, length: int) -> Transfer:
        """Downlink frames at the link's data rate: as uplinks, but without a CRC (TS001, section
        4). The radio listens exactly as long as they last.

        Requests, acknowledgements and the network's own duty cycle are left out, so the time is a
        lower bound.
        """
        if length > self.longest and not self.fragment:
            return replace(NOT_CARRIED, length=length)
        pieces = fragments(length, self.longest)
        times = {
            part: downlink(self.region, self.rate, part, self.radio).time_ms for part in set(pieces)
        }
        seconds = float(sum((times[part] for part in pieces), Fraction(0)) / 1000)
        drawn = radio_current(self.radio, State.RECEIVE)
        heard = (EnergyPart("download", seconds, drawn),) if drawn is not None and length else ()
        return Transfer(
            length,
            len(pieces),
            length + HEADER_BYTES * len(pieces),
            seconds if length else 0.0,
            float(max(times.values())) / 1000,
            heard,
        )

    @property
    def band(self) -> SubBand | None:
        """The sub-band of the default channels."""
        return self.region.default_sub_band

    @property
    def dwell_time_ms(self) -> int | None:
        """The region's limit on a frame."""
        return self.region.dwell_time_ms

    def paces(self, sent: Transfer) -> tuple[LeastInterval, ...]:
        """Duty cycle of the default sub-band, and the network's rule a day."""
        paces, network = RadioLink.paces(self, sent), self.network
        if network is None or not sent.fits:
            return paces
        rule = f"{network.name}, {network.uplink_s_per_day:g} s on air a day"
        spent = sent.seconds * self.transmissions
        return (*paces, LeastInterval("fair-use", rule, DAY_S * spent / network.uplink_s_per_day))

    def faster(self) -> tuple[tuple[str, RadioLink], ...]:
        """The data rates above this one."""
        rates = sorted(self.region.data_rates, key=lambda rate: rate.dr)
        return tuple(
            (f"--dr {rate.dr}", replace(self, rate=rate))
            for rate in rates
            if rate.dr > self.rate.dr
        )

    @property
    def left_out(self) -> str:
        """Remark on parts that the model of received payloads ignores."""
        return "the uplinks that open a window in class A, and repeated fragments are left out"


def link(
    radio: Radio,
    region: Region,
    dr: int,
    *,
    power_dbm: float | None = None,
    transmissions: float = 1.0,
    fragment: bool = False,
    network: str | None = None,
) -> LorawanLink:
    """The link with its output power: by default the highest in the radio's file that the region
    allows.

    ``network``: its id in ``catalog/policies/lorawan-networks.toml``. InputError for a data rate
    that the region does not have, for an unknown network, and for fewer than one transmission.
    """
    rate = data_rate(region, dr)
    rules = None if network is None else find_network(network, where="--network")
    return LorawanLink(
        radio=radio,
        region=region,
        rate=rate,
        power_dbm=settled_power(radio, region, power_dbm),
        transmissions=transmissions,
        fragment=fragment,
        network=rules,
    )


def settled_power(radio: Radio, region: Region, power_dbm: float | None) -> float:
    """The output power (dBm): the given one, else the highest in the radio's file that the region
    allows.
    """
    return permitted_power(radio, region) if power_dbm is None else power_dbm


def transmission(
    airtime_s: float, radio: Radio, power_dbm: float, transmissions: float = 1.0
) -> EnergyPart:
    """All frames of a message on air. ``transmissions`` counts how often each is sent on
    average.
    """
    return EnergyPart("transmit", airtime_s, transmit_current(radio, power_dbm), transmissions)


def receive_windows(
    region: Region,
    rate: DataRate,
    radio: Radio,
    frames: int = 1,
    transmissions: float = 1.0,
    rx2: LoraRate | None = None,
) -> EnergyPart | None:
    """The two windows after each frame, in which nothing arrives; None if the radio's file has no
    receive current.

    ``rx2``: modulation of the second one, if it is not the region's.
    """
    drawn = radio_current(radio, State.RECEIVE)
    if drawn is None:
        return None
    opened = windows(region, rate, assumptions().receive_window_symbols, rx2)
    return EnergyPart("receive", float(sum(opened)) * frames, drawn, transmissions)


def parts(delivery: Delivery) -> tuple[EnergyPart, ...]:
    """The parts of the delivery: transmitting and, if the radio's file has the current, the receive
    windows.
    """
    at = delivery.link
    power = settled_power(at.radio, at.region, at.power_dbm)
    sending = transmission(delivery.seconds, at.radio, power, at.transmissions)
    listening = receive_windows(
        at.region, at.rate, at.radio, len(delivery.frames), at.transmissions, at.rx2
    )
    return (sending, *([listening] if listening else []))


@dataclass(frozen=True, slots=True)
class Delivery:
    """An application payload of ``length`` bytes as frames. ``frames`` is empty if it does not fit
    into one.
    """

    link: LorawanLink
    length: int
    frames: tuple[Uplink, ...]
    time_ms: Fraction
    """Time on air of all frames, each sent once."""

    @property
    def fits(self) -> bool:
        """True if frames of this data rate can carry it."""
        return bool(self.frames)

    @property
    def seconds(self) -> float:
        """Time on air of all frames, each sent once."""
        return float(self.time_ms / 1000)

    @property
    def longest_frame_ms(self) -> float:
        """Time on air of the longest frame, which a dwell time limits."""
        return float(max((frame.airtime.time_ms for frame in self.frames), default=Fraction(0)))

    def check(self) -> None:
        """InputError if the payload does not fit into a frame, or a frame is on air for too
        long.
        """
        if not self.fits:
            check_length(self.link.region, self.link.rate, self.length, self.link.fopts)
        for frame in self.frames:
            check_dwell_time(self.link.region, frame.airtime)


def deliver(link: LorawanLink, length: int) -> Delivery:
    """The frames for a payload of ``length`` bytes; `Delivery.check` says whether they are allowed.

    InputError if it must be fragmented and the data rate leaves no room for a fragment.
    """
    longest = link.longest
    if length < 0 or (length > longest and not link.fragment):
        return Delivery(link, length, (), Fraction(0))
    pieces: Sequence[int] = fragments(length, longest)
    frames = {
        part: frame(link.region, link.rate, part, link.radio, link.fopts) for part in set(pieces)
    }
    time_ms = sum(
        (frames[part].airtime.time_ms * count for part, count in Counter(pieces).items()),
        Fraction(0),
    )
    return Delivery(link, length, tuple(frames[part] for part in pieces), time_ms)
