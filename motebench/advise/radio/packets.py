"""Radios whose packets carry a payload without a network's rules: plain LoRa and FSK, BLE, IEEE
802.15.4 with Thread or Zigbee above it.

BLE: Bluetooth Core 5.4, volume 6 part B, 2.1 and 2.2 (packets), 4.1.1 (inter-frame space); volume 3
parts A and F (L2CAP and ATT headers). IEEE 802.15.4-2020, 12.1 and 12.3 (O-QPSK at 250 kbit/s), 7.3
(frames), 6.2.5 (CSMA-CA), 9.3 (security); RFC 4944, 5.3, and RFC 6282, 3 and 4.3 (6LoWPAN); Zigbee
specification, 3.3 and 4.5 (network layer).
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction

from motebench.advise.radio.airtime import Airtime, Modulation, fsk, lora
from motebench.advise.radio.link import NOT_CARRIED, EnergyPart, RadioLink, Transfer
from motebench.advise.radio.lorawan import fragments
from motebench.base.quantities import Interval
from motebench.catalog.currents import Drawn, highest_power, radio_current, transmit_current
from motebench.catalog.quantities import State
from motebench.catalog.radios import SubBand


def _power(link: RadioLink, limit_dbm: float | None = None) -> float:
    return highest_power(link.radio, limit_dbm) if link.power_dbm is None else link.power_dbm


def _mixed(
    name: str, shares: list[tuple[float, Drawn]], times: float, stretch: Interval
) -> EnergyPart:
    """One part that draws several currents one after another: their mean over its time."""
    seconds = sum(share for share, _ in shares)
    first = shares[0][1]
    amps = sum(
        (drawn.amps * (share / seconds) for share, drawn in shares[1:]),
        first.amps * (shares[0][0] / seconds),
    )
    remarks = tuple(dict.fromkeys(note for _, drawn in shares for note in drawn.notes))
    return EnergyPart(name, seconds, replace(first, amps=amps, notes=remarks), times, stretch)


# Plain LoRa and FSK


@dataclass(frozen=True, slots=True, kw_only=True)
class PacketLink(RadioLink):
    """LoRa or FSK packets without a MAC: ``header_bytes`` are what the user's own protocol puts
    around a payload.

    ``bit_rate``: of FSK, whose ``overhead_bytes`` are preamble, sync word, length and CRC.
    ``duty_band``: part of the spectrum whose duty cycle holds; None: none is counted.
    """

    modulation: Modulation | None = None
    bit_rate: int = 0
    overhead_bytes: int = 0
    header_bytes: int = 0
    duty_band: SubBand | None = None

    @property
    def name(self) -> str:
        """Modulation, and the band."""
        band = f" in {self.duty_band.name} MHz" if self.duty_band else ""
        if self.modulation is None:
            return f"FSK {self.bit_rate / 1000:g} kbit/s{band}"
        at = self.modulation
        return f"LoRa SF{at.sf}/{float(at.bandwidth_khz):g} kHz {at.coding_rate}{band}"

    @property
    def longest(self) -> int:
        """Payload that the modem takes in addition to the header."""
        return self.radio.max_payload_bytes - self.header_bytes

    @property
    def band(self) -> SubBand | None:
        """The band that was named."""
        return self.duty_band

    def on_air(self, payload: int) -> Airtime:
        """Time on air of one packet of so many bytes with its header."""
        if self.modulation is not None:
            return lora(self.modulation, payload, self.radio)
        return fsk(self.bit_rate, payload, self.radio, self.overhead_bytes)

    def send(self, length: int) -> Transfer:
        """Packets, without an acknowledgement."""
        power = _power(self, self.duty_band.max_erp_dbm if self.duty_band else None)
        drawn = transmit_current(self.radio, power) if self.radio.transmitting else None
        return self._carried(length, "transmit", drawn, self.transmissions)

    def receive(self, length: int) -> Transfer:
        """Packets to the device, which listens exactly as long as they last."""
        drawn = radio_current(self.radio, State.RECEIVE) if length else None
        return self._carried(length, "download", drawn, 1.0)

    @property
    def left_out(self) -> str:
        """Remark on when the device listens."""
        return "how the device knows when to listen is left out"

    def _carried(self, length: int, name: str, drawn: Drawn | None, times: float) -> Transfer:
        if length > self.longest and not self.fragment:
            return replace(NOT_CARRIED, length=length)
        whole = [part + self.header_bytes for part in fragments(length, self.longest)]
        air = {size: self.on_air(size).time_ms for size in set(whole)}
        seconds = float(sum((air[size] for size in whole), Fraction(0)) / 1000)
        parts = (EnergyPart(name, seconds, drawn, times),) if drawn is not None else ()
        sent = sum(whole) + self.overhead_bytes * len(whole)
        return Transfer(length, len(whole), sent, seconds, float(max(air.values())) / 1000, parts)

    def notes(self) -> tuple[str, ...]:
        """The band, if none is counted."""
        if self.duty_band is not None:
            return ()
        return ("no duty cycle is counted: add band=eu868, or the band that you send in",)


# Bluetooth Low Energy


_IFS_S = 150e-6
"""Inter-frame space (Core, volume 6 part B, 4.1.1)."""
_RAMP_S = 140e-6
"""Ramp-up of the receiver, and its window before the packet: at most."""
_US_PER_BYTE = {"1m": 8, "2m": 4, "s2": 16, "s8": 64}
_PREAMBLE = {"1m": 1, "2m": 2}
PHYS = tuple(_US_PER_BYTE)
_L2CAP, _ATT, _MIC, _CRC, _HEADER, _ACCESS = 4, 3, 4, 3, 2, 4
_LEGACY_DATA, _ADVERTISER, _STRUCTURE, _CHANNELS = 31, 6, 4, 3
"""Bytes of advertising data, of the address; of length, type and company; primary channels."""


def packet_us(phy: str, payload: int) -> int:
    """Microseconds on air of a link-layer packet with so many bytes of payload, MIC included."""
    body = _HEADER + payload + _CRC
    if phy in _PREAMBLE:
        return (_PREAMBLE[phy] + _ACCESS + body) * _US_PER_BYTE[phy]
    # Coded: preamble 80 us; access address, coding indicator and TERM1 always with S=8.
    termination = 24 if phy == "s8" else 6
    return 80 + 256 + 16 + 24 + body * _US_PER_BYTE[phy] + termination


@dataclass(frozen=True, slots=True, kw_only=True)
class BleLink(RadioLink):
    """Notifications in a connection, or legacy advertising.

    ``phy``: one of `PHYS`. ``pdu_bytes``: longest payload of a data packet, 27 to 251. ``mtu``:
    longest ATT packet. ``interval_s``: time between connection events that the device keeps,
    latency included. ``encrypted``: the link layer encrypts, which adds a MIC to each packet.
    """

    phy: str = "1m"
    advertise: bool = False
    pdu_bytes: int = 251
    mtu: int = 247
    interval_s: float = 1.0
    encrypted: bool = False

    @property
    def name(self) -> str:
        """PHY, and connection or advertising."""
        phy = {"1m": "1M", "2m": "2M", "s2": "coded S=2", "s8": "coded S=8"}[self.phy]
        if self.advertise:
            return f"BLE {phy} advertising"
        return f"BLE {phy}, packets of {self.pdu_bytes} B"

    @property
    def longest(self) -> int:
        """Payload of one packet."""
        if self.advertise:
            return _LEGACY_DATA - _STRUCTURE
        return min(self.pdu_bytes - _L2CAP - _ATT, self.mtu - _ATT)

    @property
    def splits(self) -> bool:
        """A connection splits messages, advertising cannot."""
        return not self.advertise

    @property
    def counted(self) -> bool:
        """The link layer counts packets, but only for itself."""
        return False

    def send(self, length: int) -> Transfer:
        """Advertising on three channels, or notifications: before each packet of the device comes
        one of the central, which acknowledges the packet before."""
        drawn = transmit_current(self.radio, _power(self))
        if self.advertise:
            if length > self.longest:
                return replace(NOT_CARRIED, length=length)
            once = packet_us(self.phy, _ADVERTISER + _STRUCTURE + length) / 1e6
            body = (
                _ACCESS + _PREAMBLE[self.phy] + _HEADER + _ADVERTISER + _STRUCTURE + length + _CRC
            )
            spent = EnergyPart("transmit", once * _CHANNELS, drawn, self.transmissions)
            return Transfer(length, 1, body * _CHANNELS, once * _CHANNELS, once, (spent,))
        sizes = self._packets(length)
        air = [packet_us(self.phy, size) / 1e6 for size in sizes]
        sending = EnergyPart("transmit", sum(air), drawn, self.transmissions)
        polls = self._polls(len(sizes))
        parts = (sending, polls) if polls is not None else (sending,)
        return Transfer(length, len(sizes), self._bytes(sizes), sum(air), max(air), parts)

    def receive(self, length: int) -> Transfer:
        """Writes of the central, each acknowledged by an empty packet."""
        if self.advertise:
            return (
                replace(NOT_CARRIED, length=length) if length else Transfer(0, 1, 0, 0.0, 0.0, ())
            )
        sizes = self._packets(length)
        air = [packet_us(self.phy, size) / 1e6 for size in sizes]
        hearing = radio_current(self.radio, State.RECEIVE)
        parts: tuple[EnergyPart, ...] = ()
        if hearing is not None and length:
            empty = packet_us(self.phy, 0) / 1e6 * len(sizes)
            shares = [
                (sum(air) + _IFS_S * len(sizes), hearing),
                (empty, transmit_current(self.radio, _power(self))),
            ]
            parts = (_mixed("download", shares, self.transmissions, Interval.exact(1.0)),)
        return Transfer(length, len(sizes), self._bytes(sizes), sum(air), max(air), parts)

    def idle(self) -> tuple[Drawn, ...]:
        """Mean current of connection events without data."""
        hearing = radio_current(self.radio, State.RECEIVE)
        if self.advertise or hearing is None:
            return ()
        empty = packet_us(self.phy, 0) / 1e6
        sending = transmit_current(self.radio, _power(self))
        share = 1 / self.interval_s
        low, typical, high = empty, empty + _IFS_S, empty + 2 * _IFS_S + _RAMP_S
        amps = Interval(
            hearing.amps.low * low + sending.amps.low * empty,
            hearing.amps.typical * typical + sending.amps.typical * empty,
            hearing.amps.high * high + sending.amps.high * empty,
        )
        note = f"a connection event each {self.interval_s:g} s, in which nothing is sent"
        return (replace(hearing, amps=amps * share, notes=(note, *hearing.notes)),)

    def notes(self) -> tuple[str, ...]:
        """Remarks on parts that the model ignores."""
        return ("BLE: lost packets and the processor's work for the stack are left out",)

    def _packets(self, length: int) -> list[int]:
        """Payloads of the link-layer packets of a message, as notifications."""
        value, left = self.mtu - _ATT, length
        sizes: list[int] = []
        while True:
            whole = min(left, value) + _ATT + _L2CAP
            sizes += [min(self.pdu_bytes, whole - at) for at in range(0, whole, self.pdu_bytes)]
            left -= value
            if left <= 0:
                break
        mic = _MIC if self.encrypted else 0
        return [size + mic for size in sizes]

    def _bytes(self, sizes: list[int]) -> int:
        around = _PREAMBLE.get(self.phy, 10) + _ACCESS + _HEADER + _CRC
        return sum(sizes) + around * len(sizes)

    def _polls(self, count: int) -> EnergyPart | None:
        hearing = radio_current(self.radio, State.RECEIVE)
        if hearing is None:
            return None
        empty = packet_us(self.phy, 0) / 1e6
        typical = empty + _IFS_S
        stretch = Interval(empty / typical, 1.0, (empty + 2 * _IFS_S + _RAMP_S) / typical)
        return EnergyPart("receive", typical * count, hearing, self.transmissions, stretch)


# IEEE 802.15.4


_BYTE_S = 32e-6
"""Two symbols of 16 us at 250 kbit/s."""
_PHY_BYTES, MAX_PSDU, _ACK_PSDU = 6, 127, 5
_TURNAROUND_S, _CCA_S, _BACKOFF_S = 192e-6, 128e-6, 320e-6
_MEAN_BACKOFFS = 3.5
"""Mean of 0 to 2^3 - 1 unit backoff periods, the first try with macMinBe = 3."""
_MAC_BYTES, _FCS_BYTES = 9, 2
"""Frame control 2, sequence number 1, PAN 2, and two short addresses; check sequence."""
_FRAG1, _FRAGN, _OFFSET_UNIT, _IP_UDP = 4, 5, 8, 48


@dataclass(frozen=True, slots=True, kw_only=True)
class Stack802154:
    """Headers above the MAC. ``secured_bytes``: auxiliary security header and MIC of every frame;
    ``header_bytes``: of the first frame of a message; ``fragmentation``: how messages are split.
    """

    id: str
    name: str
    secured_bytes: int
    header_bytes: int
    fragmentation: str | None


STACKS = {
    stack.id: stack
    for stack in (
        # Security control 1, frame counter 4, key index 1, MIC-32; IPHC 2, context 1, interface
        # identifier of the destination 8, compressed UDP with both ports and checksum 7.
        Stack802154(
            id="thread",
            name="Thread",
            secured_bytes=6 + 4,
            header_bytes=18,
            fragmentation="6lowpan",
        ),
        # Network header 8, its auxiliary header 14 and MIC-32; application support header 8.
        Stack802154(
            id="zigbee",
            name="Zigbee",
            secured_bytes=0,
            header_bytes=8 + 14 + 4 + 8,
            fragmentation="aps",
        ),
        Stack802154(
            id="802154", name="IEEE 802.15.4", secured_bytes=0, header_bytes=0, fragmentation=None
        ),
    )
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Ieee802154Link(RadioLink):
    """Frames of a sleeping end device to its parent at 250 kbit/s, with acknowledgements.

    ``header_bytes``: in place of the stack's; None: those.
    """

    stack: Stack802154
    header_bytes: int | None = None

    @property
    def name(self) -> str:
        """The stack."""
        return (
            self.stack.name if self.stack.id == "802154" else f"{self.stack.name} (IEEE 802.15.4)"
        )

    @property
    def longest(self) -> int:
        """Payload of one frame."""
        return self._room - self._header

    @property
    def splits(self) -> bool:
        """True if the layer above the MAC splits messages."""
        return self.stack.fragmentation is not None

    @property
    def _room(self) -> int:
        return MAX_PSDU - _MAC_BYTES - _FCS_BYTES - self.stack.secured_bytes

    @property
    def _header(self) -> int:
        return self.stack.header_bytes if self.header_bytes is None else self.header_bytes

    @property
    def counted(self) -> bool:
        """Thread and Zigbee have a frame counter, but of the hop or network, not of the message."""
        return False

    def send(self, length: int) -> Transfer:
        """Frames: before each a backoff and a look at the channel, after it an acknowledgement."""
        sizes = self._frames(length)
        if not sizes:
            return replace(NOT_CARRIED, length=length)
        air = [(size + _PHY_BYTES) * _BYTE_S for size in sizes]
        sending = EnergyPart(
            "transmit", sum(air), transmit_current(self.radio, _power(self)), self.transmissions
        )
        hearing = radio_current(self.radio, State.RECEIVE)
        parts = (sending,) if hearing is None else (sending, self._around(len(sizes), hearing))
        return self._transfer(length, sizes, air, parts)

    def receive(self, length: int) -> Transfer:
        """A data request to the parent, then its frames, each acknowledged."""
        sizes = self._frames(length)
        if not sizes:
            return replace(NOT_CARRIED, length=length)
        air = [(size + _PHY_BYTES) * _BYTE_S for size in sizes]
        hearing = radio_current(self.radio, State.RECEIVE)
        parts: tuple[EnergyPart, ...] = ()
        if hearing is not None and length:
            request = _MAC_BYTES + 1 + self.stack.secured_bytes + _FCS_BYTES
            requests = (request + _PHY_BYTES) * _BYTE_S * len(sizes)
            acks = (_ACK_PSDU + _PHY_BYTES) * _BYTE_S * len(sizes)
            waits = (_CCA_S + 2 * _TURNAROUND_S) * len(sizes)
            shares = [
                (sum(air) + acks + waits, hearing),
                (requests + acks, transmit_current(self.radio, _power(self))),
            ]
            parts = (_mixed("download", shares, self.transmissions, Interval.exact(1.0)),)
        return self._transfer(length, sizes, air, parts)

    def notes(self) -> tuple[str, ...]:
        """Remarks on parts that the model ignores."""
        return (
            f"{self.stack.name}: {self._header} bytes of headers before the payload of the first "
            "frame; lost frames, routers on the way and polls between messages are left out",
        )

    def _transfer(
        self, length: int, sizes: list[int], air: list[float], parts: tuple[EnergyPart, ...]
    ) -> Transfer:
        count = len(sizes)
        return Transfer(length, count, sum(sizes) + _PHY_BYTES * count, sum(air), max(air), parts)

    def _around(self, frames: int, hearing: Drawn) -> EnergyPart:
        """Listening around frames: the channel before, the acknowledgement after; during the
        backoff the radio is off at best, and listens at worst.
        """
        ack = (_ACK_PSDU + _PHY_BYTES) * _BYTE_S
        typical = _CCA_S + _TURNAROUND_S + ack
        most = typical + _TURNAROUND_S + _MEAN_BACKOFFS * _BACKOFF_S
        return EnergyPart(
            "receive",
            typical * frames,
            hearing,
            self.transmissions,
            Interval((_CCA_S + ack) / typical, 1.0, most / typical),
        )

    def _frames(self, length: int) -> list[int]:
        """PSDU lengths of a message; empty if it does not fit."""
        around = MAX_PSDU - self._room
        room, header = self._room, self._header
        if header + length <= room:
            return [around + header + length]
        if self.stack.fragmentation == "6lowpan":
            pieces = _lowpan(length, room, header)
        elif self.stack.fragmentation == "aps":
            # The extended header of a fragment has 2 bytes.
            share = room - header - 2
            count = -(-length // share)
            pieces = [header + 2 + min(share, length - at * share) for at in range(count)]
        else:
            return []
        return [around + piece for piece in pieces]


def _lowpan(length: int, room: int, header: int) -> list[int]:
    """Payloads of the frames of a fragmented packet (RFC 4944, 5.3): offsets count units of 8 bytes
    of the uncompressed packet, whose headers are IPv6 and UDP.
    """
    first = (room - _FRAG1 - header) // _OFFSET_UNIT * _OFFSET_UNIT
    share = (room - _FRAGN) // _OFFSET_UNIT * _OFFSET_UNIT
    left = length - first
    pieces = [_FRAG1 + header + first]
    while left > 0:
        pieces.append(_FRAGN + min(share, left))
        left -= share
    return pieces
