"""Behind ``motebench airtime``: options to a document, and the document as lines."""

from __future__ import annotations

import re
from collections.abc import Mapping
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import click

from motebench.errors import InputError

if TYPE_CHECKING:
    from motebench.catalog.radios import Radio
    from motebench.catalog.regions import DataRate, Region
    from motebench.message import Protected
    from motebench.radio.airtime import Airtime, Modulation
    from motebench.radio.lorawan import Rate

Document = dict[str, Any]

_WIDEST = 10**6
"""kHz that no radio has."""
_DIGITS = re.compile(r"[0-9]{1,9}(?:\.[0-9]{1,9})?|\.[0-9]{1,9}")
_PLAIN = ("sf", "bw", "cr", "payload", "preamble", "implicit", "no_crc", "ldro")
_LORAWAN = ("dr", "app_payload", "fopts", "sub_band", "fragment")


def airtime(options: Mapping[str, Any]) -> Document:
    """The answer as plain data. InputError for options that contradict each other or cannot be."""
    from motebench.catalog.radios import RADIOS

    radio = RADIOS.find(options["radio"], options["own"], where="--radio")
    region = options["lorawan"]
    _refuse(options, _PLAIN if region else _LORAWAN, "with --lorawan" if region else "without --lorawan")
    _require(options, ("dr", "app_payload") if region else ("sf", "bw", "payload"), "--lorawan" if region else None)
    return _lorawan(options, radio) if region else _packet(options, radio)


def _spell(name: str) -> str:
    return f"--{name.replace('_', '-')}"


def _refuse(options: Mapping[str, Any], names: tuple[str, ...], when: str) -> None:
    for name in names:
        if options[name] is not None and options[name] is not False:
            raise InputError(f"has no meaning {when}", where=_spell(name), hint="motebench airtime --help")


def _require(options: Mapping[str, Any], names: tuple[str, ...], beside: str | None) -> None:
    missing = [_spell(name) for name in names if options[name] is None]
    if missing:
        example = "--lorawan EU868 --dr 0 --app-payload 51" if beside else "--sf 12 --bw 125 --payload 51"
        raise InputError(
            f"{' and '.join(missing)} must be given{f' with {beside}' if beside else ''}",
            valid=f"motebench airtime {example}",
        )


# A packet


def _packet(options: Mapping[str, Any], radio: Radio) -> Document:
    from motebench.radio.airtime import lora

    modulation = _modulation(options)
    message = _message(options, options["payload"])
    air = lora(modulation, message.total_bytes if message else options["payload"], radio)
    plain = lora(modulation, options["payload"], radio)
    return {
        **_air(air),
        "radio": radio.id,
        "modulation": {
            "sf": modulation.sf,
            "bandwidth_khz": float(modulation.bandwidth_khz),
            "coding_rate": modulation.coding_rate,
            "preamble": modulation.preamble,
            "header": "implicit" if modulation.implicit else "explicit",
            "crc": modulation.crc,
        },
        **_cipher(message, plain.time_ms, air.time_ms),
    }


def _modulation(options: Mapping[str, Any]) -> Modulation:
    from motebench.radio.airtime import Ldro, Modulation

    try:
        # Digits only: a fraction takes exponents too, and reckons with as many digits as they ask for.
        bandwidth = Fraction(_DIGITS.fullmatch(options["bw"].lower().removesuffix("khz").strip())[0])  # type: ignore[index]
        if not 0 < bandwidth < _WIDEST:
            raise ValueError
    except (ValueError, TypeError):
        raise InputError(f"{options['bw']!r} is not a bandwidth", where="--bw", valid="kHz: 125, 7.8") from None
    return Modulation(
        sf=options["sf"],
        bandwidth_khz=bandwidth,
        coding_rate=options["cr"] or "4/5",
        preamble=8 if options["preamble"] is None else options["preamble"],
        implicit=options["implicit"],
        crc=not options["no_crc"],
        ldro=Ldro(options["ldro"] or "auto"),
    )


def _message(options: Mapping[str, Any], plaintext_bytes: int) -> Protected | None:
    from motebench.cli.options import protected

    message: Protected | None = protected(dict(options), plaintext_bytes)
    return message


def _air(air: Airtime) -> Document:
    return {
        "time_on_air_ms": float(air.time_ms),
        "payload_bytes": air.payload_bytes,
        "symbol_ms": float(air.symbol_ms),
        "preamble_symbols": float(air.preamble_symbols),
        "payload_symbols": air.payload_symbols,
        "low_data_rate_optimisation": air.ldro,
    }


def _cipher(message: Protected | None, plain_ms: Fraction, whole_ms: Fraction) -> Document:
    if message is None:
        return {}
    return {
        "message": {
            "scheme": message.scheme,
            "plaintext_bytes": message.plaintext_bytes,
            "padding_bytes": message.padding_bytes,
            "nonce_bytes": message.nonce_bytes,
            "tag_bytes": message.tag_bytes,
            "total_bytes": message.total_bytes,
            "plaintext_time_on_air_ms": float(plain_ms),
            "added_ms": float(whole_ms - plain_ms),
            "notes": list(message.notes),
        }
    }


# An uplink


def _lorawan(options: Mapping[str, Any], radio: Radio) -> Document:
    from motebench.catalog.regions import REGIONS, networks
    from motebench.radio import lorawan

    region = REGIONS.find(options["lorawan"], options["own"], where="--lorawan")
    rate = lorawan.data_rate(region, options["dr"])
    fopts = options["fopts"] or 0
    message = _message(options, options["app_payload"])
    length = message.total_bytes if message else options["app_payload"]
    longest = lorawan.longest_payload(rate, fopts)
    parts = lorawan.fragments(length, longest) if options["fragment"] else [length]
    uplinks = [lorawan.uplink(region, rate, part, radio, fopts) for part in parts]
    total = sum((uplink.airtime.time_ms for uplink in uplinks), Fraction(0))
    band = lorawan.sub_band(region, options["sub_band"])
    law = lorawan.by_law(band, total) if band else None
    document = {
        **_air(uplinks[0].airtime),
        "time_on_air_ms": float(total),
        "radio": radio.id,
        "lorawan": {
            "region": region.id,
            "data_rate": rate.dr,
            "modulation": rate.words,
            "app_payload_bytes": length,
            "header_bytes": lorawan.HEADER_BYTES + fopts,
            "longest_app_payload_bytes": longest,
            "dwell_time_ms": region.dwell_time_ms,
            "sub_band": band.name if band else None,
            "duty_cycle": law.duty_cycle if law else None,
            "messages_per_hour": law.per_hour if law else None,
            "limits": [_rate(limit) for limit in _limits(region, total)],
            "networks": [_rate(lorawan.by_network(network, total)) for network in networks()],
        },
        **_fragmented(parts, uplinks, region, rate, radio, length + lorawan.HEADER_BYTES + fopts),
    }
    if message:
        plain = _plain_uplinks(options, region, rate, radio, fopts, longest)
        document |= _cipher(message, plain, total)
    return document


def _plain_uplinks(
    options: Mapping[str, Any], region: Region, rate: DataRate, radio: Radio, fopts: int, longest: int
) -> Fraction:
    """Time on air (ms) of the message as it would be sent unprotected."""
    from motebench.radio import lorawan

    length = options["app_payload"]
    parts = lorawan.fragments(length, longest) if options["fragment"] else [length]
    times = (lorawan.uplink(region, rate, part, radio, fopts).airtime.time_ms for part in parts)
    return sum(times, Fraction(0))


def _limits(region: Region, total: Fraction) -> list[Rate]:
    from motebench.radio import lorawan

    return [lorawan.by_law(band, total) for band in region.sub_bands]


def _rate(rate: Rate) -> Document:
    return {
        "name": rate.name,
        "duty_cycle": rate.duty_cycle,
        "messages_per_hour": rate.per_hour,
        "messages_per_day": rate.per_day,
        "pause_ms": None if rate.pause_ms is None else float(rate.pause_ms),
    }


def _fragmented(
    parts: list[int], uplinks: list[Any], region: Region, rate: DataRate, radio: Radio, whole: int
) -> Document:
    """What sending in parts costs, against one frame of the same bytes if the region allowed it."""
    from motebench.radio import lorawan

    if len(parts) == 1:
        return {}
    sent = sum(uplink.phy_payload_bytes for uplink in uplinks)
    one = lorawan.on_air(region, rate, whole, radio) if whole <= radio.max_payload_bytes else None
    return {
        "fragmentation": {
            "frames": [
                {
                    "app_payload_bytes": uplink.app_payload_bytes,
                    "payload_bytes": uplink.phy_payload_bytes,
                    "time_on_air_ms": float(uplink.airtime.time_ms),
                }
                for uplink in uplinks
            ],
            "sent_bytes": sent,
            "added_bytes": sent - whole,
            "one_frame_ms": None if one is None else float(one.time_ms),
        }
    }


# Lines


def _exact(milliseconds: float) -> str:
    """Down to the microsecond, without zeros at the end."""
    return f"{milliseconds:.3f}".rstrip("0").rstrip(".")


def show(document: Document) -> None:
    """Print the answer for people."""
    click.echo(f"time on air   {_exact(document['time_on_air_ms'])} ms")
    frames = document.get("fragmentation", {}).get("frames", [])
    if frames:
        _show_fragments(document["fragmentation"])
    else:
        _show_symbols(document)
    if "lorawan" in document:
        _show_lorawan(document["lorawan"])
    if "message" in document:
        _show_message(document["message"])


def _show_symbols(document: Document) -> None:
    payload = f"payload       {document['payload_bytes']} bytes"
    if not document["payload_symbols"]:
        click.echo(payload)
        return
    ldro = "on" if document["low_data_rate_optimisation"] else "off"
    click.echo(f"{payload}, {document['payload_symbols']} symbols of {_exact(document['symbol_ms'])} ms")
    click.echo(f"preamble      {document['preamble_symbols']:g} symbols")
    click.echo(f"low data rate optimisation {ldro}")


def _show_fragments(found: Document) -> None:
    for number, frame in enumerate(found["frames"], 1):
        click.echo(f"frame {number}       {frame['payload_bytes']} bytes, {_exact(frame['time_on_air_ms'])} ms")
    one = found["one_frame_ms"]
    beside = f"; one frame of it all would take {_exact(one)} ms" if one is not None else ""
    click.echo(f"fragmenting   adds {found['added_bytes']} bytes{beside}")


def _show_lorawan(found: Document) -> None:
    click.echo(
        f"LoRaWAN       {found['region']} DR{found['data_rate']} ({found['modulation']}): {found['app_payload_bytes']}"
        f" bytes of application and {found['header_bytes']} around them; at most {found['longest_app_payload_bytes']}"
    )
    if found["dwell_time_ms"] is not None:
        click.echo(f"dwell time    at most {found['dwell_time_ms']} ms a frame")
    for limit in found["limits"]:
        if limit["name"] == found["sub_band"]:
            click.echo(
                f"duty cycle    {limit['duty_cycle'] * 100:g} % in {limit['name']} MHz: {limit['messages_per_hour']} "
                f"messages an hour, or a pause of {limit['pause_ms'] / 1000:.1f} s after each"
            )
    for network in found["networks"]:
        click.echo(f"{network['name']}: {network['messages_per_day']} messages a day")


def _show_message(message: Document) -> None:
    click.echo(
        f"{message['scheme']}: {message['plaintext_bytes']} bytes become {message['total_bytes']} (padding "
        f"{message['padding_bytes']}, nonce {message['nonce_bytes']}, tag {message['tag_bytes']}): "
        f"{_exact(message['added_ms'])} ms more on air"
    )
    for note in message["notes"]:
        click.echo(f"  {note}")
