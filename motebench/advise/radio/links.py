"""The radio of a command: `radio_link` reads ``ble:2m`` or ``lora:SF9BW125``; and its answer as a
document of `airtime`.

Modems (NB-IoT, LTE-M, Wi-Fi) are here as energy of a message by published figures: their networks
decide frames and time.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from pathlib import Path
from typing import Any

from motebench.advise.radio import lorawan
from motebench.advise.radio.airtime import CODING_RATES, Airtime, Modulation, check, lora
from motebench.advise.radio.link import EnergyPart, RadioLink, Transfer
from motebench.advise.radio.lorawan import Delivery, LorawanLink, deliver
from motebench.advise.radio.lorawan import link as lorawan_link
from motebench.advise.radio.message import Protected
from motebench.advise.radio.packets import (
    PHYS,
    STACKS,
    BleLink,
    Ieee802154Link,
    PacketLink,
)
from motebench.base.errors import InputError
from motebench.base.naming import did_you_mean
from motebench.base.quantities import Interval
from motebench.base.units import parse_duration
from motebench.catalog.currents import Drawn
from motebench.catalog.devices import Device, usual_radio
from motebench.catalog.quantities import Bounds
from motebench.catalog.radios import (
    RADIOS,
    REGIONS,
    MessageFigure,
    ModulationName,
    Radio,
    SubBand,
    networks,
)
from motebench.documents.costs import (
    AirtimeEntry,
    FragmentationEntry,
    FrameEntry,
    LinkEntry,
    LorawanEntry,
    ModulationEntry,
    ProtectedEntry,
    RateEntry,
)

# Modems


@dataclass(frozen=True, slots=True, kw_only=True)
class ModemLink(RadioLink):
    """A modem by a published figure of one message."""

    figure: MessageFigure
    kind: str

    @property
    def name(self) -> str:
        """Kind of network and mode."""
        return f"{self.kind} ({self.figure.mode})"

    @property
    def longest(self) -> None:
        """The network splits messages."""
        return

    @property
    def repeatable(self) -> bool:
        """The figure has repetitions in it."""
        return False

    def send(self, length: int) -> Transfer:
        """A message, from waking up to sleeping again."""
        more = max(length - self.figure.payload_bytes, 0)
        return self._transfer("transmit", length, self.figure.joules, more)

    def receive(self, length: int) -> Transfer:
        """A message that comes while the device is awake."""
        nothing = Bounds(minimum=0.0, typical=0.0, maximum=0.0)
        return self._transfer("download", length, nothing, length)

    def wake(self) -> tuple[EnergyPart, ...]:
        """Energy of waking up for a received message, if nothing is sent."""
        return self.send(0).parts

    def session(self, parts: Sequence[EnergyPart]) -> tuple[EnergyPart, ...]:
        """The device wakes up once for all of them."""
        first, *others = (part for part in parts if part.name == "transmit")
        extra = tuple(part for part in parts if part.name != "transmit")
        woken = self.send(0).parts[0].drawn.amps
        more = tuple(
            replace(part, drawn=replace(part.drawn, amps=_without(part.drawn.amps, woken)))
            for part in others
        )
        return (first, *more, *extra)

    def idle(self) -> tuple[Drawn, ...]:
        """Mean current of the kept connection."""
        if self.figure.idle_a is None:
            return ()
        return (self._drawn(self.figure.idle_a.interval, "connection kept"),)

    def notes(self) -> tuple[str, ...]:
        """Origin of the figure."""
        figure = self.figure
        return (f"{self.name}: {figure.note}",) if figure.note else ()

    def _transfer(self, name: str, length: int, joules: Bounds, more: int) -> Transfer:
        figure = self.figure
        spent = joules.interval + figure.joules_per_byte.interval * float(more)
        seconds = figure.seconds.typical
        if not spent.high:
            return Transfer(length, 1, length, 0.0, 0.0, ())
        # A battery gives the energy at the modem's voltage, not at that of the measurement.
        amps = spent * (1 / (self.radio.supply.nominal * seconds))
        part = EnergyPart(name, seconds, self._drawn(amps, figure.words))
        return Transfer(length, 1, length, 0.0, 0.0, (part,))

    def _drawn(self, amps: Interval, mode: str) -> Drawn:
        figure, radio = self.figure, self.radio
        doubt = "; unverified" if figure.unverified else ""
        note = f"{self.name} of {radio.name}, {mode}: from {figure.source}{doubt}"
        return Drawn(amps, radio.supply.nominal, "chip", (note,), radio.name, radio.supply)


def _without(amps: Interval, woken: Interval) -> Interval:
    """Current that a message adds to one that woke the device."""
    ends = (
        max(amps.low - woken.low, 0.0),
        max(amps.typical - woken.typical, 0.0),
        max(amps.high - woken.high, 0.0),
    )
    return Interval(*sorted(ends))


# From text to a radio


@dataclass(frozen=True, slots=True, kw_only=True)
class LinkRequest:
    """The options around the text of a link. device: whose radio is meant if none is named. own:
    folder with files of the user.
    """

    device: Device | None = None
    radio: str | None = None
    power_dbm: float | None = None
    transmissions: float = 1.0
    fragment: bool = False
    own: Path | None = None


_WHERE = "--link"
_LORA = re.compile(r"sf(\d+)bw([\d.]+)", re.IGNORECASE)
_RATE = re.compile(r"([\d.]+)\s*(k?)(bps|bit/s)", re.IGNORECASE)
_DLE = (27, 251)
_MTU = (23, 517)
_FSK_PARTS = {"preamble": 5, "sync": 3, "length": 1, "crc": 2}
_FIRST: Mapping[str, tuple[ModulationName, str]] = {
    "ble": ("ble", "ble:1m, ble:2m, ble:s2, ble:s8; then adv, dle=251, mtu=247, interval=1s, mic"),
    "thread": ("ieee802154", "thread, thread:header=18"),
    "zigbee": ("ieee802154", "zigbee, zigbee:header=34"),
    "802154": ("ieee802154", "802154, 802154:header=10"),
    "lora": (
        "lora",
        "lora:SF9BW125; then cr=4/5, preamble=8, implicit, nocrc, header=0, band=eu868",
    ),
    "fsk": ("fsk", "fsk:50kbps; then preamble=5, sync=3, length=1, crc=2, header=0, band=eu868"),
    "nbiot": ("nbiot", "nbiot, nbiot:psm"),
    "ltem": ("ltem", "ltem, ltem:psm"),
    "wifi": ("wifi", "wifi:wake, wifi:dtim10"),
}
KINDS = tuple(_FIRST)
"""Words before the colon of a link."""
_MODEMS = {"nbiot": "NB-IoT", "ltem": "LTE-M", "wifi": "Wi-Fi"}


class _Settings:
    """Settings of a link's text; each is taken once, and the remaining ones are errors."""

    def __init__(self, kind: str, text: str) -> None:
        self.kind = kind
        self._left = [word.strip() for word in text.split(",") if word.strip()]

    def word(self, *names: str) -> str | None:
        """First of these words that is among the settings."""
        taken = next((item for item in self._left if item.casefold() in names), None)
        if taken is not None:
            self._left.remove(taken)
        return taken.casefold() if taken else None

    def matching(self, pattern: re.Pattern[str]) -> re.Match[str] | None:
        """The first setting of that form."""
        for item in self._left:
            found_match = pattern.fullmatch(item)
            if found_match:
                self._left.remove(item)
                return found_match
        return None

    def text(self, name: str) -> str | None:
        """The text after ``name=``."""
        taken = next((item for item in self._left if item.casefold().startswith(f"{name}=")), None)
        if taken is None:
            return None
        self._left.remove(taken)
        return taken.partition("=")[2]

    def number(self, name: str, default: int, least: int, most: int) -> int:
        """The whole number after ``name=``. InputError outside its bounds."""
        text = self.text(name)
        if text is None:
            return default
        if not text.isascii() or not text.isdigit() or not least <= int(text) <= most:
            raise InputError(
                f"{name}={text} is not possible", where=_WHERE, valid=f"{name}={least} to {most}"
            )
        return int(text)

    def done(self) -> None:
        """InputError for a setting that nothing took."""
        if self._left:
            raise InputError(
                f"unknown setting {self._left[0]!r} of {self.kind}",
                where=_WHERE,
                valid=_FIRST[self.kind][1],
            )


def asked(
    request: LinkRequest,
    *,
    link: str | None,
    lorawan: str | None = None,
    dr: int | None = None,
    network: str | None = None,
) -> RadioLink | None:
    """The link of a text, or LoRaWAN in a region; None without both. InputError for options that
    exclude each other or need another one.
    """
    if lorawan is not None and link is not None:
        raise InputError(
            "--lorawan and --link are mutually exclusive", where=_WHERE, valid="one of the two"
        )
    if lorawan is None:
        if dr is not None:
            raise InputError("has no meaning without lorawan", where="--dr")
        return None if link is None else radio_link(link, request)
    if dr is None:
        raise InputError("must be given with lorawan", where="--dr")
    return lorawan_link(
        RADIOS.find(request.radio or usual_radio(request.device), request.own, where="--radio"),
        REGIONS.find(lorawan, request.own, where="--lorawan"),
        dr,
        power_dbm=request.power_dbm,
        transmissions=request.transmissions,
        fragment=request.fragment,
        network=network,
    )


def radio_link(text: str, request: LinkRequest) -> RadioLink:
    """Link of a text such as ``ble:2m,dle=27`` or ``thread``. InputError for a link that no radio
    offers.
    """
    kind, _, rest = text.strip().partition(":")
    kind = kind.strip().casefold()
    if kind not in _FIRST:
        raise InputError(
            f"unknown radio {kind!r}",
            where=_WHERE,
            valid="; ".join(settings for _, settings in _FIRST.values()),
            hint=did_you_mean(kind, KINDS) or "LoRaWAN has its own option: --lorawan EU868 --dr 3",
        )
    modulation = _FIRST[kind][0]
    name = request.radio or usual_radio(request.device, modulation)
    radio = RADIOS.find(name, request.own, where="--radio")
    if modulation not in radio.modulations:
        able = [
            entry_id
            for entry_id, other in RADIOS.all(request.own).items()
            if modulation in other.modulations
        ]
        raise InputError(
            f"{radio.name} has no {kind}", where="--radio", valid=", ".join(able) or None
        )
    settings = _Settings(kind, rest)
    link = _READERS[modulation](kind, settings, request, radio)
    settings.done()
    return link


def _lora(kind: str, settings: _Settings, request: LinkRequest, radio: Radio) -> RadioLink:
    setting = settings.matching(_LORA)
    if setting is None:
        raise InputError(
            "lora needs spreading factor and bandwidth", where=_WHERE, valid=_FIRST[kind][1]
        )
    coding = settings.text("cr") or "4/5"
    if coding not in CODING_RATES:
        raise InputError(
            f"unknown coding rate {coding!r}", where=_WHERE, valid=", ".join(CODING_RATES)
        )
    modulation = Modulation(
        sf=int(setting[1]),
        bandwidth_khz=Fraction(setting[2]),
        coding_rate=coding,
        preamble=settings.number("preamble", 8, 1, 65535),
        implicit=settings.word("implicit") is not None,
        crc=settings.word("nocrc") is None,
    )
    check(modulation, radio)
    return PacketLink(
        radio=radio,
        modulation=modulation,
        header_bytes=settings.number("header", 0, 0, 200),
        duty_band=_band(settings, request),
        **_around(request),
    )


def _fsk(kind: str, settings: _Settings, request: LinkRequest, radio: Radio) -> RadioLink:
    rate = settings.matching(_RATE)
    if rate is None:
        raise InputError("fsk needs its bit rate", where=_WHERE, valid=_FIRST[kind][1])
    bits = Fraction(rate[1]) * (1000 if rate[2] else 1)
    if not 100 <= bits <= 300_000:
        raise InputError(
            f"FSK of {float(bits):g} bit/s is not possible",
            where=_WHERE,
            valid="0.1kbps to 300kbps",
        )
    around = sum(settings.number(name, usual, 0, 64) for name, usual in _FSK_PARTS.items())
    return PacketLink(
        radio=radio,
        bit_rate=int(bits),
        overhead_bytes=around,
        header_bytes=settings.number("header", 0, 0, 200),
        duty_band=_band(settings, request),
        **_around(request),
    )


def _ble(_: str, settings: _Settings, request: LinkRequest, radio: Radio) -> RadioLink:
    phy = settings.word(*PHYS) or "1m"
    advertise = settings.word("adv") is not None
    if advertise and phy != "1m":
        raise InputError(
            f"legacy advertising is 1M, not {phy}",
            where=_WHERE,
            valid="ble:1m,adv",
            hint="extended advertising is not modelled: take a connection",
        )
    interval = settings.text("interval")
    seconds = 1.0 if interval is None else parse_duration(interval, where=_WHERE)
    if not 0.0075 <= seconds <= 1990:
        raise InputError(
            f"a connection event each {seconds:g} s is not possible",
            where=_WHERE,
            valid="interval=7.5ms to 1990s: at most 4 s, times up to 500 with peripheral latency",
        )
    return BleLink(
        radio=radio,
        phy=phy,
        advertise=advertise,
        pdu_bytes=settings.number("dle", 251, *_DLE),
        mtu=settings.number("mtu", 247, *_MTU),
        interval_s=seconds,
        encrypted=settings.word("mic") is not None,
        **{**_around(request), "fragment": not advertise},
    )


def _ieee802154(kind: str, settings: _Settings, request: LinkRequest, radio: Radio) -> RadioLink:
    stack = STACKS[kind]
    return Ieee802154Link(
        radio=radio,
        stack=stack,
        header_bytes=settings.number("header", stack.header_bytes, 0, 90),
        **{**_around(request), "fragment": stack.fragmentation is not None},
    )


def _modem(kind: str, settings: _Settings, request: LinkRequest, radio: Radio) -> RadioLink:
    figures = {entry.mode: entry for entry in radio.messages if entry.modulation == kind}
    mode = settings.word(*figures) or next(iter(figures), None)
    if mode is None:
        raise InputError(
            f"the file of {radio.id} has no figure for {kind}",
            where="--radio",
            hint="add [[messages]] to the radio's file (see docs/reference/catalog.md)",
        )
    if request.power_dbm is not None or request.transmissions != 1.0:
        raise InputError(
            "the network of a modem sets its power and repetitions",
            where="--power" if request.power_dbm is not None else "--transmissions",
            hint="leave it out: the bounds of the figure cover good and bad places",
        )
    return ModemLink(radio=radio, figure=figures[mode], kind=_MODEMS[kind], fragment=True)


_READERS: Mapping[str, Callable[[str, _Settings, LinkRequest, Radio], RadioLink]] = {
    "lora": _lora,
    "fsk": _fsk,
    "ble": _ble,
    "ieee802154": _ieee802154,
    "nbiot": _modem,
    "ltem": _modem,
    "wifi": _modem,
}


def _around(request: LinkRequest) -> dict[str, Any]:
    return {
        "power_dbm": request.power_dbm,
        "transmissions": request.transmissions,
        "fragment": request.fragment,
    }


def _band(settings: _Settings, request: LinkRequest) -> SubBand | None:
    """The sub-band of ``band=eu868`` or ``band=eu868/869.4-869.65``."""
    text = settings.text("band")
    if text is None:
        return None
    region, _, name = text.partition("/")
    return lorawan.sub_band(REGIONS.find(region, request.own, where=_WHERE), name or None)


# Documents of airtime


def transfer(link: RadioLink, payload_bytes: int, message: Protected | None = None) -> AirtimeEntry:
    """An application payload of ``payload_bytes`` by any radio; of ``message`` instead if a scheme
    protects it. InputError if it does not fit.
    """
    length = message.total_bytes if message else payload_bytes
    sent = link.send(length)
    link.require(sent)
    bare = link.send(payload_bytes)
    joules = sum((part.energy_j for part in sent.parts), Interval.exact(0.0))
    paces = [pace for pace in link.paces(sent) if pace.seconds > 0]
    return AirtimeEntry(
        time_on_air_ms=sent.seconds * 1000,
        payload_bytes=length,
        symbol_ms=0.0,
        preamble_symbols=0.0,
        payload_symbols=0,
        low_data_rate_optimisation=False,
        radio=link.radio.id,
        link=LinkEntry(
            name=link.name,
            frames=sent.frames,
            air_bytes=sent.air_bytes,
            longest_frame_payload_bytes=link.longest,
            same_frames_up_to_bytes=link.edge(length),
            energy_j=joules if sent.parts else None,
            least_interval_s=max((pace.seconds for pace in paces), default=None),
            notes=(
                *link.notes(),
                *dict.fromkeys(n for part in sent.parts for n in part.drawn.notes),
            ),
        ),
        message=_cipher(
            message, Fraction(str(bare.seconds * 1000)), Fraction(str(sent.seconds * 1000))
        ),
    )


def packet(
    modulation: Modulation, payload_bytes: int, radio: Radio, message: Protected | None = None
) -> AirtimeEntry:
    """A LoRa packet of ``payload_bytes``, including the MAC header; of ``message`` instead if a
    scheme protects it.

    InputError for a setting that the radio does not allow.
    """
    air = lora(modulation, message.total_bytes if message else payload_bytes, radio)
    plain = lora(modulation, payload_bytes, radio)
    return AirtimeEntry(
        time_on_air_ms=float(air.time_ms),
        **_air(air),
        radio=radio.id,
        modulation=ModulationEntry(
            sf=modulation.sf,
            bandwidth_khz=float(modulation.bandwidth_khz),
            coding_rate=modulation.coding_rate,
            preamble=modulation.preamble,
            header="implicit" if modulation.implicit else "explicit",
            crc=modulation.crc,
        ),
        message=_cipher(message, plain.time_ms, air.time_ms),
    )


def uplinks(
    link: LorawanLink,
    payload_bytes: int,
    message: Protected | None = None,
    sub_band: str | None = None,
) -> AirtimeEntry:
    """An application payload of ``payload_bytes`` by LoRaWAN; of ``message`` instead if a scheme
    protects it.

    ``sub_band``: the sub-band whose duty cycle counts; None: that of the join channels. InputError
    if the payload does not fit, or is longer on air than the region allows.
    """
    sent = deliver(link, message.total_bytes if message else payload_bytes)
    sent.check()
    band = lorawan.sub_band(link.region, sub_band)
    law = lorawan.by_law(band, sent.time_ms) if band else None
    return AirtimeEntry(
        time_on_air_ms=float(sent.time_ms),
        **_air(sent.frames[0].airtime),
        radio=link.radio.id,
        lorawan=LorawanEntry(
            region=link.region.id,
            data_rate=link.rate.dr,
            modulation=link.rate.words,
            app_payload_bytes=sent.length,
            header_bytes=lorawan.HEADER_BYTES + link.fopts,
            longest_app_payload_bytes=link.longest,
            dwell_time_ms=link.region.dwell_time_ms,
            sub_band=band.name if band else None,
            duty_cycle=law.duty_cycle if law else None,
            messages_per_hour=law.per_hour if law else None,
            limits=tuple(
                _rate(lorawan.by_law(legal_band, sent.time_ms))
                for legal_band in link.region.sub_bands
            ),
            networks=tuple(
                _rate(lorawan.by_network(network, sent.time_ms)) for network in networks()
            ),
        ),
        fragmentation=_fragmented(sent),
        message=_cipher(message, deliver(link, payload_bytes).time_ms, sent.time_ms),
    )


def _air(air: Airtime) -> dict[str, Any]:
    return {
        "payload_bytes": air.payload_bytes,
        "symbol_ms": float(air.symbol_ms),
        "preamble_symbols": float(air.preamble_symbols),
        "payload_symbols": air.payload_symbols,
        "low_data_rate_optimisation": air.ldro,
    }


def _cipher(
    message: Protected | None, plain_ms: Fraction, whole_ms: Fraction
) -> ProtectedEntry | None:
    if message is None:
        return None
    return ProtectedEntry(
        scheme=message.scheme,
        plaintext_bytes=message.plaintext_bytes,
        padding_bytes=message.padding_bytes,
        nonce_bytes=message.nonce_bytes,
        tag_bytes=message.tag_bytes,
        total_bytes=message.total_bytes,
        plaintext_time_on_air_ms=float(plain_ms),
        added_ms=float(whole_ms - plain_ms),
        notes=message.notes,
    )


def _rate(rate: lorawan.Rate) -> RateEntry:
    return RateEntry(
        name=rate.name,
        duty_cycle=rate.duty_cycle,
        messages_per_hour=rate.per_hour,
        messages_per_day=rate.per_day,
        pause_ms=None if rate.pause_ms is None else float(rate.pause_ms),
    )


def _fragmented(sent: Delivery) -> FragmentationEntry | None:
    """The cost of fragmenting, compared with one frame of the same bytes if the region allowed
    it.
    """
    if len(sent.frames) == 1:
        return None
    link = sent.link
    whole = sent.length + lorawan.HEADER_BYTES + link.fopts
    sent_bytes = sum(frame.phy_payload_bytes for frame in sent.frames)
    fits = whole <= link.radio.max_payload_bytes
    whole_frame = lorawan.on_air(link.region, link.rate, whole, link.radio) if fits else None
    return FragmentationEntry(
        frames=tuple(
            FrameEntry(
                app_payload_bytes=frame.app_payload_bytes,
                payload_bytes=frame.phy_payload_bytes,
                time_on_air_ms=float(frame.airtime.time_ms),
            )
            for frame in sent.frames
        ),
        sent_bytes=sent_bytes,
        added_bytes=sent_bytes - whole,
        one_frame_ms=None if whole_frame is None else float(whole_frame.time_ms),
    )
