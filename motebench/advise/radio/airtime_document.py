"""Time on air as a document: of a LoRa packet, or of a LoRaWAN message with its frames and
limits.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from motebench.advise.radio import lorawan
from motebench.advise.radio.airtime import Airtime, Modulation, lora
from motebench.advise.radio.lorawan import Delivery, Link, deliver
from motebench.advise.radio.message import Protected
from motebench.catalog.radios import Radio, networks
from motebench.documents.costs import (
    AirtimeEntry,
    FragmentationEntry,
    FrameEntry,
    LorawanEntry,
    ModulationEntry,
    ProtectedEntry,
    RateEntry,
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
    link: Link, payload_bytes: int, message: Protected | None = None, sub_band: str | None = None
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
