"""The steps of a protocol: what its operations take on a device, and its messages over LoRaWAN
class A.

Computing: results of the most mature implementation that has the operation. Radio: frames, time on
air, receive windows, and when each may be sent. Class A (TS001, section 3): the device receives
only in two windows after each of its uplinks, and does not send again before they are over. So
every downlink frame needs an uplink before it, an empty one if there is nothing to send.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from fnmatch import fnmatchcase
from fractions import Fraction

from motebench.advise.choice import modelled
from motebench.advise.choice.candidate import Cost, Offers, SchemeOffer
from motebench.advise.choice.estimates import cost, cost_at, over_places
from motebench.advise.choice.measured import of_device
from motebench.advise.choice.question import Need
from motebench.advise.radio import lorawan
from motebench.advise.radio.airtime import fsk, lora
from motebench.advise.radio.link import EnergyPart, RadioLink
from motebench.advise.radio.lorawan import LorawanLink, settled_power
from motebench.base.errors import InputError
from motebench.base.model import Evidence, Operation
from motebench.base.quantities import Interval, total
from motebench.catalog import algorithm_of, schemes
from motebench.catalog.currents import assumptions, radio_current, transmit_current
from motebench.catalog.devices import Device
from motebench.catalog.libraries import Maturity, maturity_of
from motebench.catalog.parts import Element
from motebench.catalog.protocols import Computed, Exchange, Sent
from motebench.catalog.quantities import State
from motebench.catalog.radios import LoraRate

_BY_LENGTH = (
    Operation.DIGEST,
    Operation.MAC,
    Operation.ENCRYPT,
    Operation.DECRYPT,
    Operation.ENCRYPT_MESSAGE,
    Operation.DECRYPT_MESSAGE,
)
"""Operations whose time depends on the length of their input."""
_HMAC = "hmac-"
_MESSAGES = (Operation.ENCRYPT_MESSAGE.value,)
_CHIPS = ("hardware/", "element/")
"""Prefixes of the names of engines and secure elements."""
_BLOCK = 16
_PIECE = 1024
"""Bytes of long messages for which engines are modelled; beyond, they are extrapolated."""
_NO_RESULT = "no result on this device"


@dataclass(frozen=True, slots=True)
class Timed:
    """Operations with their time: ``seconds`` of all ``count`` of them; None without a result, and
    ``note`` says why."""

    work: Computed
    seconds: Interval | None
    implementation: str | None = None
    note: str = ""


@dataclass(frozen=True, slots=True)
class DeviceResults:
    """Results of a device, and which implementations may be used."""

    offers: tuple[SchemeOffer, ...]
    notes: tuple[str, ...] = ()
    patterns: tuple[str, ...] = ()
    research: bool = False

    @classmethod
    def of(
        cls,
        device: Device,
        work: Sequence[Computed],
        patterns: Sequence[str] = (),
        *,
        research: bool = False,
        element: Element | None = None,
    ) -> DeviceResults:
        """Reference results of a device for these operations, if it has any; and the modelled ones
        of its engines and of a secure element.
        """
        names = {computed.scheme for computed in work} | {
            part.scheme for computed in work for part in _by_hashing(computed)
        }
        results = of_device(device, None, names) or Offers(
            (), (f"no reference results for {device.id}",)
        )
        engines = modelled.of_engines(device, Need.AEAD, None, results.offers, _PIECE)
        offers = (
            *results.offers,
            *(engine_offer for offer in engines.offers for engine_offer in _of_engine(offer)),
        )
        beside = (
            modelled.operations(element, device, results.offers)
            if element is not None
            else Offers((), ())
        )
        return cls(
            (*offers, *beside.offers),
            (*results.notes, *engines.notes, *beside.notes),
            tuple(patterns),
            research,
        )

    def timed(self, work: Sequence[Computed]) -> list[Timed]:
        """Operations with their times. All operations of a scheme are those of one
        implementation.
        """
        own = [*work, *(part for computed in work for part in _by_hashing(computed))]
        chosen = {
            name: self._choose(name, [computed for computed in own if computed.scheme == name])
            for name in _schemes(own)
        }
        return [self._timed(computed, chosen) for computed in work]

    def _timed(self, computed: Computed, chosen: Mapping[str, SchemeOffer | None]) -> Timed:
        offer = chosen[computed.scheme]
        if offer is None:
            parts = [self._timed(part, chosen) for part in _by_hashing(computed)]
            times = [part.seconds for part in parts if part.seconds is not None]
            if times and len(times) == len(parts):
                return Timed(
                    computed,
                    total(times) * computed.count,
                    parts[0].implementation,
                    "from results of the hash function",
                )
            return Timed(computed, None, note=self._why(computed.scheme))
        own_cost = _cost(offer, computed)
        if own_cost is None:
            return Timed(
                computed, None, offer.implementation, f"{_NO_RESULT} for {computed.operation.value}"
            )
        return Timed(
            computed, own_cost.seconds * computed.count, offer.implementation, own_cost.note
        )

    def _choose(self, scheme: str, work: Sequence[Computed]) -> SchemeOffer | None:
        """The offer with the most results; of several, an engine of the device, the most mature
        one, the fastest.
        """
        ranked = []
        for offer in self.only(scheme):
            costs = [(_cost(offer, computed), computed.count) for computed in work]
            seconds = [
                own_cost.seconds.typical * count
                for own_cost, count in costs
                if own_cost is not None
            ]
            if seconds:
                missing = len(costs) - len(seconds)
                name, soft = offer.implementation, not offer.implementation.startswith(_CHIPS)
                ranked.append((missing, soft, maturity_of(name, scheme), sum(seconds), name, offer))
        return min(ranked, key=lambda entry: entry[:5])[-1] if ranked else None

    def only(self, scheme: str) -> Iterable[SchemeOffer]:
        """The offers of a scheme that may be used."""
        for offer in self.offers:
            if offer.scheme != scheme or not offer.points:
                continue
            named = any(fnmatchcase(offer.implementation, pattern) for pattern in self.patterns)
            if named or (
                not self.patterns
                and (self.research or maturity_of(offer.implementation, scheme) < Maturity.RESEARCH)
            ):
                yield offer

    def _why(self, scheme: str) -> str:
        others = [
            offer.implementation for offer in self.offers if offer.scheme == scheme and offer.points
        ]
        if not others:
            return _NO_RESULT
        names = ", ".join(others[:3])
        return (
            f"only of {names}: --include research"
            if not self.patterns
            else f"not of these; of {names}"
        )


def _of_engine(offer: SchemeOffer) -> Iterable[SchemeOffer]:
    """Results of an engine, also for decryption, which takes as long, and for single blocks, which
    are those of CTR. Its key is set with each message, so setting it takes no time of its own.
    """
    encrypting = {
        size: point for (operation, size), point in offer.points.items() if operation in _MESSAGES
    }
    if not encrypting:
        return
    (first, *_) = encrypting.values()
    ready = {(Operation.KEY_SETUP.value, 0): replace(first, seconds=Interval.exact(0.0))}
    decrypting = {
        (Operation.DECRYPT_MESSAGE.value, size): point for size, point in encrypting.items()
    }
    yield replace(offer, points={**offer.points, **decrypting, **ready})
    if offer.scheme.endswith("-ctr") and _BLOCK in encrypting:
        points = {(Operation.ENCRYPT.value, _BLOCK): encrypting[_BLOCK], **ready}
        yield replace(offer, scheme=f"{offer.scheme.removesuffix('-ctr')}-ecb", points=points)


def compute_time(timed: Sequence[Timed]) -> tuple[Interval, bool]:
    """Sum of the known times, and True if it is complete; else it is a lower bound."""
    times = [entry.seconds for entry in timed if entry.seconds is not None]
    return total(times), len(times) == len(timed)


def _schemes(work: Sequence[Computed]) -> dict[str, None]:
    return dict.fromkeys(computed.scheme for computed in work)


def _by_hashing(computed: Computed) -> tuple[Computed, ...]:
    """HMAC under a key that is set, as digests that compress as often: of the message, and of a
    digest (RFC 2104, section 4). Empty for other operations."""
    base = (
        schemes().get(computed.scheme.removeprefix(_HMAC))
        if computed.scheme.startswith(_HMAC)
        else None
    )
    if base is None or computed.operation is not Operation.MAC:
        return ()
    return tuple(
        replace(computed, scheme=base.name, operation=Operation.DIGEST, bytes=length, count=1)
        for length in (computed.bytes, base.tag_bytes)
    )


def _cost(offer: SchemeOffer, computed: Computed) -> Cost | None:
    """One operation; None without a result."""
    operation = computed.operation
    if operation not in _BY_LENGTH:
        return _fixed(offer, computed)
    own_cost = _sized(offer, operation, computed.bytes)
    if own_cost is None or not computed.aad:
        return own_cost
    more = _sized(offer, operation, computed.bytes + computed.aad)
    if more is None:
        return own_cost
    seconds = Interval(
        own_cost.seconds.low,
        (own_cost.seconds.typical + more.seconds.typical) / 2,
        more.seconds.high,
    )
    return replace(
        own_cost,
        seconds=seconds,
        evidence=Evidence.MODELLED,
        note="additional data: at most as if encrypted",
    )


def _fixed(offer: SchemeOffer, computed: Computed) -> Cost | None:
    """Cost of an operation whose input has one length. A key of a Diffie-Hellman agreement without
    a result takes at most about an agreement: a multiplication of the base point, for which tables
    may help.
    """
    sizes = offer.sizes(computed.operation)
    if sizes:
        return cost_at(offer, computed.operation.value, sizes[0])
    agreed = offer.sizes(Operation.AGREE)
    if computed.operation is not Operation.KEYGEN or not agreed:
        return None
    point = offer.points[Operation.AGREE.value, agreed[0]]
    seconds = Interval(0.0, point.seconds.typical, point.seconds.high)
    note = "taken as at most one agreement"
    return over_places(
        Cost(seconds, point.memory, Evidence.MODELLED, (point.origin,), note), [point]
    )


def _sized(offer: SchemeOffer, operation: Operation, size: int) -> Cost | None:
    """Cost by length. Below the shortest result, a message takes at most as long as that; a hash
    function that compresses as often takes at least the time of its compressions.
    """
    sizes = offer.sizes(operation)
    if not sizes or size >= sizes[0]:
        return cost(offer, operation, size)
    shortest = offer.points[operation.value, sizes[0]]
    least = _compressions(offer, operation, size)
    seconds = Interval(
        min(least, shortest.seconds.low), shortest.seconds.typical, shortest.seconds.high
    )
    note = f"at most that of {sizes[0]} bytes"
    return over_places(
        Cost(seconds, shortest.memory, Evidence.MODELLED, (shortest.origin,), note), [shortest]
    )


def _compressions(offer: SchemeOffer, operation: Operation, size: int) -> float:
    """Seconds that the compressions of a hash function take alone, from two lengths; 0 where that
    is not known.
    """
    scheme = schemes().get(offer.scheme)
    block = algorithm_of(scheme).input_block_of(scheme) if scheme is not None else None
    sizes = offer.sizes(operation)
    if block is None or operation not in (Operation.DIGEST, Operation.MAC) or len(sizes) < 2:
        return 0.0
    short, long = sizes[0], sizes[-1]
    calls = block.calls(long) - block.calls(short)
    if calls <= 0:
        return 0.0
    point = offer.points
    more = point[operation.value, long].seconds.low - point[operation.value, short].seconds.high
    return max(more, 0.0) / calls * block.calls(size)


# Messages over LoRaWAN class A


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
    """An exchange over the air. Times in seconds; ``sent_s`` and ``listened_s`` count repeated
    transmissions.

    ``empty_uplinks``: uplinks that only open receive windows. ``air_s``: on air of all frames, both
    directions. ``windows_s``: delays of receive windows. ``duty_wait_s``: pauses that the duty
    cycle requires. ``given_parts``: of radios without receive windows.
    """

    carried: tuple[Carried, ...]
    empty_uplinks: int
    sent_s: float
    listened_s: float
    air_s: float
    windows_s: float
    duty_wait_s: float
    warnings: tuple[str, ...] = ()
    given_parts: tuple[EnergyPart, ...] = ()

    @property
    def latency_s(self) -> float:
        """Seconds from the first bit to the last, without computing."""
        return self.air_s + self.windows_s + self.duty_wait_s

    @property
    def frames(self) -> int:
        """Frames of both directions, with empty ones."""
        return sum(len(flight.frames) for flight in self.carried) + self.empty_uplinks

    @property
    def downlinks(self) -> int:
        """Frames that the device receives."""
        return sum(len(flight.frames) for flight in self.carried if flight.message.sender == "peer")

    def parts(self, link: RadioLink) -> tuple[EnergyPart, ...]:
        """Transmitting and, if the radio's file has the current, receiving."""
        if not isinstance(link, LorawanLink):
            return self.given_parts
        sending = EnergyPart(
            "transmit",
            self.sent_s,
            transmit_current(link.radio, settled_power(link.radio, link.region, link.power_dbm)),
        )
        drawn = radio_current(link.radio, State.RECEIVE)
        return (
            (sending,)
            if drawn is None
            else (sending, EnergyPart("receive", self.listened_s, drawn))
        )


@dataclass
class _Clock:
    """Running time of an exchange: when the next uplink may begin by the duty cycle, and the sent
    and received frames.
    """

    link: LorawanLink
    duty: float | None
    now: float = 0.0
    allowed: float = 0.0
    sent: float = 0.0
    listened: float = 0.0
    air: float = 0.0
    windows: float = 0.0
    waited: float = 0.0
    open: bool = False
    """True if the windows after an uplink are still to come."""

    def uplink(self, air: float) -> None:
        """Add an uplink. Empty receive windows of the previous one are over first."""
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
        """Pass both windows without a frame. After the last message, their time is no latency."""
        if not self.open:
            return
        first, second = (
            float(window)
            for window in lorawan.windows(
                self.link.region,
                self.link.rate,
                assumptions().receive_window_symbols,
                self.link.rx2,
            )
        )
        self.listened += (first + second) * self.link.transmissions
        if not last:
            passed = self.link.region.rx1_delay_s + _BETWEEN_WINDOWS_S + second
            self.now += passed
            self.windows += passed
        self.open = False


def fly(exchange: Exchange, link: RadioLink) -> Flown:
    """The exchange over a radio. InputError for messages that it cannot carry."""
    return (
        _in_windows(exchange, link) if isinstance(link, LorawanLink) else _at_once(exchange, link)
    )


def _at_once(exchange: Exchange, link: RadioLink) -> Flown:
    """Exchange over a radio that receives an answer at once; a modem wakes up once."""
    carried, parts = [], []
    air = sent = heard = 0.0
    waited = 0.0
    for message in exchange.messages:
        down = message.sender == "peer"
        transfer = link.receive(message.carried_bytes) if down else link.send(message.carried_bytes)
        if not transfer.fits:
            limit = link.too_long(message.carried_bytes, "receive" if down else "send")
            raise InputError(
                f"{message.name}: {limit.words}", where="--link", hint="take another radio"
            )
        seconds = transfer.seconds * message.times
        air += seconds
        if down:
            heard += seconds
        else:
            waited += sum(
                max(pace.seconds * message.times - seconds, 0.0) for pace in link.paces(transfer)
            )
            sent += seconds * link.transmissions
        parts += [
            replace(part, name=_DIRECTIONS[part.name], times=part.times * message.times)
            for part in transfer.parts
        ]
        frames = (transfer.length // transfer.frames,) * transfer.frames * message.times
        carried.append(Carried(message, frames, Fraction(str(seconds * 1000))))
    return Flown(tuple(carried), 0, sent, heard, air, 0.0, waited, given_parts=link.session(parts))


_DIRECTIONS = {"transmit": "transmit", "receive": "receive", "download": "receive"}


def _in_windows(exchange: Exchange, link: LorawanLink) -> Flown:
    """The exchange over LoRaWAN class A. InputError for messages that no frame of the data rate can
    carry.
    """
    band = link.region.default_sub_band
    clock = _Clock(link, band.duty_cycle if band else None)
    wait = (
        exchange.protocol.waits_s
        if exchange.protocol.waits_s is not None
        else float(link.region.rx1_delay_s)
    )
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
        carried.append(
            replace(once, frames=once.frames * message.times, time_ms=once.time_ms * message.times)
        )
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


def _carry(exchange: Exchange, message: Sent, link: LorawanLink, down: bool) -> Carried:
    length, longest = message.carried_bytes, _longest(link, down)
    if exchange.protocol.frames == "whole":
        if length > longest + lorawan.HEADER_BYTES:
            raise InputError(
                f"{exchange.protocol.id}: {message.name} has {length} bytes, and a frame of "
                f"{link.region.name} DR{link.rate.dr} has at most {longest + lorawan.HEADER_BYTES}",
                where="--dr",
                hint="take a higher data rate",
            )
        frames: tuple[int, ...] = (length,)
    else:
        frames = tuple(
            part + lorawan.HEADER_BYTES + link.fopts for part in lorawan.fragments(length, longest)
        )
    times = {frame: _air(link, frame, down) for frame in set(frames)}
    return Carried(
        message,
        frames,
        sum((times[frame] * count for frame, count in Counter(frames).items()), Fraction(0)),
    )


def _longest(link: LorawanLink, down: bool) -> int:
    """The longest payload of a frame. Downlinks of some regions have other data rates, with other
    limits.
    """
    bound = link.rate.rx1_payload_bytes if down else None
    return link.longest if bound is None else bound


def _air_s(link: LorawanLink, length: int, down: bool) -> float:
    return float(_air(link, length, down) / 1000)


def _air(link: LorawanLink, length: int, down: bool) -> Fraction:
    """Milliseconds of a frame. Downlinks come in the first window, and LoRa sends them without a
    CRC (TS001, 2.2.2).
    """
    rate = link.rate
    if not down:
        return lorawan.on_air(link.region, rate, length, link.radio).time_ms
    first = rate.rx1
    if first is None and rate.bit_rate is not None:
        return fsk(rate.bit_rate, length, link.radio).time_ms
    if first is None and rate.sf is not None and rate.bandwidth_khz is not None:
        first = LoraRate(sf=rate.sf, bandwidth_khz=rate.bandwidth_khz)
    if first is None:
        raise AssertionError("the schema admits no such data rate")
    modulation = replace(lorawan.modulation(first.sf, first.bandwidth_khz, link.region), crc=False)
    return lora(modulation, length, link.radio).time_ms


def _warnings(link: LorawanLink, carried: Sequence[Carried]) -> tuple[str, ...]:
    texts = []
    dwell = link.region.dwell_time_ms
    for flight in carried:
        if flight.message.sender != "device" or dwell is None:
            continue
        longest = max(float(_air(link, length, False)) for length in flight.frames)
        if longest > dwell:
            texts.append(
                f"{flight.message.name}: a frame of {longest:g} ms, and {link.region.name} "
                f"allows {dwell} ms"
            )
    lacking = link.rate.rx1 is not None and link.rate.rx1_payload_bytes is None
    if lacking and any(flight.message.sender == "peer" for flight in carried):
        texts.append(
            "fragments of downlinks are as long as those of uplinks; the region may allow longer "
            "ones"
        )
    return tuple(texts)
