"""Time on air of a LoRa or FSK packet, in exact arithmetic.

LoRa: Semtech AN1200.13 (LoRa Modem Designer's Guide), section 4, and SX1276 data sheet 4.1.1.6 and
4.1.1.7; spreading factors 5 and 6 of the SX126x family: SX1261/2 data sheet 6.1.4. FSK: LoRaWAN
Regional Parameters (preamble of 5 bytes, sync word of 3, length, CRC of 2).
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction

from motebench.base.errors import InputError
from motebench.catalog.radios import Radio

MAX_PREAMBLE = 65535
"""Most programmed preamble symbols of the modems (SX1276 data sheet 4.1.1.6); the fewest depend on
the radio.
"""
CODING_RATES = {"4/5": 1, "4/6": 2, "4/7": 3, "4/8": 4}
_MANDATE = Fraction(16, 1000)
"""A symbol that lasts longer (s) needs low data rate optimisation."""
_SAME_BANDWIDTH = Fraction(1, 200)
"""Data sheets round the narrow bandwidths (7.8 kHz is 7.8125 kHz): largest distance that still
counts as equal.
"""


class Ldro(StrEnum):
    """Low data rate optimisation: by the 16 ms rule, or forced."""

    AUTO = "auto"
    ON = "on"
    OFF = "off"


@dataclass(frozen=True, slots=True)
class Modulation:
    """A LoRa setting. ``bandwidth_khz`` is used as written; ``preamble`` counts programmed
    symbols.
    """

    sf: int
    bandwidth_khz: Fraction
    coding_rate: str = "4/5"
    preamble: int = 8
    implicit: bool = False
    crc: bool = True
    ldro: Ldro = Ldro.AUTO

    @property
    def symbol_s(self) -> Fraction:
        """Seconds that one symbol lasts: 2^SF / BW."""
        return symbol_time(self.sf, self.bandwidth_khz * 1000)

    @property
    def optimised(self) -> bool:
        """True if low data rate optimisation is on."""
        return self.ldro is Ldro.ON or (self.ldro is Ldro.AUTO and self.symbol_s > _MANDATE)


@dataclass(frozen=True, slots=True)
class Airtime:
    """Time on air of a packet. Symbols are 0 for FSK."""

    payload_bytes: int
    time_ms: Fraction
    symbol_ms: Fraction = Fraction(0)
    preamble_symbols: Fraction = Fraction(0)
    payload_symbols: int = 0
    ldro: bool = False

    @property
    def seconds(self) -> float:
        """The same in seconds."""
        return float(self.time_ms / 1000)


def symbol_time(sf: int, bandwidth_hz: Fraction) -> Fraction:
    """Seconds of one symbol: 2^SF / BW."""
    return int(2**sf) / bandwidth_hz


def lora(modulation: Modulation, payload_bytes: int, radio: Radio) -> Airtime:
    """Time on air of a packet of ``payload_bytes`` (what the modem is given, MAC header and all).

    InputError for what the radio cannot do: a spreading factor or bandwidth it lacks, an explicit
    header where only an implicit one works, a payload or preamble beyond its limits.
    """
    check(modulation, radio)
    _check_payload(payload_bytes, radio)
    sf, long_sync = modulation.sf, modulation.sf in radio.long_sync
    # The SX126x data sheet drops the 8 bits of margin at SF5 and SF6, and low data rate
    # optimisation changes nothing there; everything else is one formula.
    optimised = modulation.optimised and not long_sync
    bits = 8 * payload_bytes - 4 * sf + (20 if long_sync else 28)
    bits += 16 * modulation.crc - 20 * modulation.implicit
    per_group = 4 * (sf - 2 * optimised)
    groups = max(math.ceil(Fraction(bits, per_group)), 0)
    payload_symbols = 8 + groups * (CODING_RATES[modulation.coding_rate] + 4)
    preamble_symbols = modulation.preamble + (Fraction(25, 4) if long_sync else Fraction(17, 4))
    return Airtime(
        payload_bytes=payload_bytes,
        time_ms=(preamble_symbols + payload_symbols) * modulation.symbol_s * 1000,
        symbol_ms=modulation.symbol_s * 1000,
        preamble_symbols=preamble_symbols,
        payload_symbols=payload_symbols,
        ldro=optimised,
    )


LORAWAN_FSK_BYTES = 5 + 3 + 1 + 2
"""Preamble, sync word, length and CRC of an FSK packet of LoRaWAN."""


def fsk(
    bit_rate: int, payload_bytes: int, radio: Radio, around_bytes: int = LORAWAN_FSK_BYTES
) -> Airtime:
    """Time on air of an FSK packet at ``bit_rate`` bits per second; ``around_bytes``: preamble,
    sync word, length and CRC. InputError as for ``lora``.
    """
    if "fsk" not in radio.modulations:
        raise InputError(
            f"{radio.name} has no FSK", where="--radio", valid=", ".join(radio.modulations)
        )
    _check_payload(payload_bytes, radio)
    return Airtime(payload_bytes, Fraction((payload_bytes + around_bytes) * 8 * 1000, bit_rate))


def check(modulation: Modulation, radio: Radio) -> None:
    """InputError if the radio does not allow this setting."""
    sf, name = modulation.sf, radio.name
    if sf not in radio.spreading_factors:
        have = radio.spreading_factors
        raise InputError(
            f"{name} has no SF{sf}",
            where="--sf",
            valid=f"{min(have)} to {max(have)} for {radio.id}",
        )
    if sf in radio.implicit_only and not modulation.implicit:
        raise InputError(
            f"SF{sf} of {name} works only with an implicit header",
            where="--sf",
            hint="add --implicit, or take SF7 or higher",
        )
    if not any(_near(modulation.bandwidth_khz, listed) for listed in radio.bandwidths_khz):
        raise InputError(
            f"{name} has no bandwidth of {float(modulation.bandwidth_khz):g} kHz",
            where="--bw",
            valid=f"{', '.join(f'{listed:g}' for listed in radio.bandwidths_khz)} kHz",
        )
    if modulation.coding_rate not in CODING_RATES:
        raise InputError(
            f"unknown coding rate {modulation.coding_rate!r}",
            where="--cr",
            valid=", ".join(CODING_RATES),
        )
    if not radio.min_preamble_symbols <= modulation.preamble <= MAX_PREAMBLE:
        raise InputError(
            f"a preamble of {modulation.preamble} symbols is out of range",
            where="--preamble",
            valid=f"{radio.min_preamble_symbols} to {MAX_PREAMBLE} symbols for {radio.id}",
        )


def _near(bandwidth_khz: Fraction, listed: float) -> bool:
    exact = Fraction(str(listed))
    return abs(bandwidth_khz - exact) <= exact * _SAME_BANDWIDTH


def _check_payload(payload_bytes: int, radio: Radio) -> None:
    if not 0 <= payload_bytes <= radio.max_payload_bytes:
        raise InputError(
            f"a payload of {payload_bytes} bytes is out of range",
            where="--payload",
            valid=f"0 to {radio.max_payload_bytes} bytes for {radio.id}",
        )
