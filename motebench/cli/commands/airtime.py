"""``motebench airtime``: time on air of a packet, and the bytes that LoRaWAN and a cipher add to a
message.
"""

from __future__ import annotations

from itertools import groupby
from typing import Any

import click

from motebench.base.errors import InputError
from motebench.cli.options import (
    MESSAGE_BY_RADIO,
    Length,
    Whole,
    catalog_option,
    cipher_options,
    json_option,
    link_options,
    print_json,
    protected,
)
from motebench.cli.text.layout import bounded
from motebench.documents.costs import (
    AirtimeEntry,
    FragmentationEntry,
    LinkEntry,
    LorawanEntry,
    ProtectedEntry,
)

_OF_PACKETS = ("sf", "bw", "cr", "payload", "preamble", "implicit", "no_crc", "ldro")
_OF_LORAWAN = ("dr", "app_payload", "fopts", "sub_band", "fragment")


@click.command("airtime")
@click.option(
    "--sf",
    type=Whole(),
    metavar="SF",
    help="Spreading factor, 5 to 12, as far as the radio has it.",
)
@click.option("--bw", metavar="FREQUENCY", help="Bandwidth: 125kHz; without unit in kHz.")
@click.option("--cr", default=None, metavar="RATE", help="Coding rate: 4/5 to 4/8.  [default: 4/5]")
@click.option(
    "--payload",
    type=MESSAGE_BY_RADIO,
    metavar="SIZE",
    help="Payload of the modem, including the MAC header. Also ed25519:signature.",
)
@click.option(
    "--preamble", type=Whole(), metavar="SYMBOLS", help="Programmed preamble symbols.  [default: 8]"
)
@click.option(
    "--implicit", is_flag=True, help="Implicit header: length, rate and CRC are agreed beforehand."
)
@click.option("--no-crc", is_flag=True, help="No CRC over the payload.")
@click.option(
    "--ldro",
    type=click.Choice(["auto", "on", "off"]),
    help="Low data rate optimisation.  [default: auto]",
)
@link_options
@click.option(
    "--lorawan",
    metavar="REGION",
    help="A LoRaWAN uplink in this region; needs --dr and --app-payload.",
)
@click.option(
    "--dr", type=Whole(), metavar="NUMBER", help="Number of the data rate in the region: 0 is DR0."
)
@click.option(
    "--app-payload",
    type=MESSAGE_BY_RADIO,
    metavar="SIZE",
    help="Length of what the application sends, or ml-kem-512:ciphertext; LoRaWAN adds 13 bytes.",
)
@click.option(
    "--fopts",
    type=Length(2**16),
    metavar="SIZE",
    help="MAC options in the frame, 0 to 15.  [default: 0]",
)
@click.option(
    "--sub-band",
    metavar="NAME",
    help="Sub-band whose duty cycle applies.  [default: that of the join channels]",
)
@click.option(
    "--fragment", is_flag=True, help="Split a message that is too long into several uplinks."
)
@cipher_options
@catalog_option
@json_option
def command(**options: Any) -> None:
    """Compute the time on air of a LoRa packet, of a LoRaWAN uplink with its limits, or of a
    message by another radio.
    """
    if options["link"] is not None:
        document = _transfer(options)
    else:
        document = _uplinks(options) if options["lorawan"] else _packet(options)
    if options["as_json"]:
        print_json(document)
    else:
        show(document)


def _packet(options: dict[str, Any]) -> AirtimeEntry:
    from motebench.advise.radio.airtime import Ldro, Modulation
    from motebench.advise.radio.links import packet
    from motebench.base.units import parse_frequency
    from motebench.catalog.radios import RADIOS

    radio = RADIOS.find(options["radio"] or "sx1276", options["own"], where="--radio")
    _refuse(options, _OF_LORAWAN, "without --lorawan")
    _require(options, ("sf", "bw", "payload"), "", "--sf 12 --bw 125 --payload 51")
    modulation = Modulation(
        sf=options["sf"],
        bandwidth_khz=parse_frequency(options["bw"], bare="kHz", where="--bw") / 1000,
        coding_rate=options["cr"] or "4/5",
        preamble=8 if options["preamble"] is None else options["preamble"],
        implicit=options["implicit"],
        crc=not options["no_crc"],
        ldro=Ldro(options["ldro"] or "auto"),
    )
    return packet(modulation, options["payload"], radio, protected(options, options["payload"]))


def _transfer(options: dict[str, Any]) -> AirtimeEntry:
    from motebench.advise.radio.links import LinkRequest, radio_link, transfer

    if options["lorawan"]:
        raise InputError(
            "--lorawan and --link are mutually exclusive", where="--link", valid="one of the two"
        )
    _refuse(options, (*_OF_PACKETS, "dr", "fopts", "sub_band"), "with --link")
    _require(options, ("app_payload",), " with --link", "--link ble:1m --app-payload 20")
    request = LinkRequest(radio=options["radio"], fragment=options["fragment"], own=options["own"])
    length = options["app_payload"]
    return transfer(radio_link(options["link"], request), length, protected(options, length))


def _uplinks(options: dict[str, Any]) -> AirtimeEntry:
    from motebench.advise.radio.links import uplinks
    from motebench.advise.radio.lorawan import LorawanLink, data_rate
    from motebench.catalog.radios import RADIOS, REGIONS

    radio = RADIOS.find(options["radio"] or "sx1276", options["own"], where="--radio")
    _refuse(options, _OF_PACKETS, "with --lorawan")
    _require(
        options, ("dr", "app_payload"), " with --lorawan", "--lorawan EU868 --dr 0 --app-payload 51"
    )
    region = REGIONS.find(options["lorawan"], options["own"], where="--lorawan")
    rate = data_rate(region, options["dr"])
    link = LorawanLink(
        radio=radio,
        region=region,
        rate=rate,
        fragment=options["fragment"],
        fopts=options["fopts"] or 0,
    )
    length = options["app_payload"]
    return uplinks(link, length, protected(options, length), options["sub_band"])


def _spell(name: str) -> str:
    return f"--{name.replace('_', '-')}"


def _refuse(options: dict[str, Any], names: tuple[str, ...], when: str) -> None:
    for name in names:
        if options[name] is not None and options[name] is not False:
            hint = "--app-payload" if name == "payload" else "motebench airtime --help"
            raise InputError(f"this option has no effect {when}", where=_spell(name), hint=hint)


def _require(options: dict[str, Any], names: tuple[str, ...], beside: str, example: str) -> None:
    missing = [_spell(name) for name in names if options[name] is None]
    if missing:
        raise InputError(
            f"{' and '.join(missing)} must be given{beside}", valid=f"motebench airtime {example}"
        )


# The answer as text

_LISTED = 4
"""Equal frames that each have a line of their own."""


def _exact(milliseconds: float) -> str:
    """Down to the microsecond, without zeros at the end."""
    return f"{milliseconds:.3f}".rstrip("0").rstrip(".")


def show(airtime: AirtimeEntry) -> None:
    """Print the answer for people."""
    if airtime.link is None or airtime.time_on_air_ms:
        click.echo(f"time on air   {_exact(airtime.time_on_air_ms)} ms")
    if airtime.link:
        _show_link(airtime.link, airtime.payload_bytes)
    elif airtime.fragmentation:
        _show_fragments(airtime.fragmentation)
    else:
        _show_symbols(airtime)
    if airtime.lorawan:
        _show_lorawan(airtime.lorawan)
    if airtime.message:
        _show_message(airtime.message)


def _show_link(link: LinkEntry, payload_bytes: int) -> None:
    click.echo(f"radio         {link.name}")
    if link.longest_frame_payload_bytes is None:
        click.echo(f"payload       {payload_bytes} bytes; the network splits messages")
    else:
        frames = "1 frame" if link.frames == 1 else f"{link.frames} frames"
        click.echo(
            f"payload       {payload_bytes} bytes in {frames}, {link.air_bytes} bytes on air; one "
            f"takes {link.longest_frame_payload_bytes}"
        )
        edge = link.same_frames_up_to_bytes
        click.echo(f"edge          {edge} bytes take as many frames, {(edge or 0) + 1} do not")
    if link.energy_j is not None:
        click.echo(f"energy        {bounded(link.energy_j, 'J')}, modelled")
    if link.least_interval_s is not None:
        click.echo(f"duty cycle    one message each {link.least_interval_s:.3g} s at most")
    for note in link.notes:
        click.echo(f"modelled: {note}")


def _show_symbols(airtime: AirtimeEntry) -> None:
    payload = f"payload       {airtime.payload_bytes} bytes"
    if not airtime.payload_symbols:
        click.echo(payload)
        return
    ldro = "on" if airtime.low_data_rate_optimisation else "off"
    click.echo(f"{payload}, {airtime.payload_symbols} symbols of {_exact(airtime.symbol_ms)} ms")
    click.echo(f"preamble      {airtime.preamble_symbols:g} symbols")
    click.echo(f"low data rate optimisation {ldro}")


def _show_fragments(fragmentation: FragmentationEntry) -> None:
    number = 1
    for (length, milliseconds), group in groupby(
        fragmentation.frames, lambda entry: (entry.payload_bytes, entry.time_on_air_ms)
    ):
        count = len(list(group))
        if count > _LISTED:
            name = f"frames {number} to {number + count - 1}"
            click.echo(f"{name:<13} {length} bytes, {_exact(milliseconds)} ms each")
        for index in range(number, number + count) if count <= _LISTED else ():
            click.echo(f"frame {index}       {length} bytes, {_exact(milliseconds)} ms")
        number += count
    one_frame = fragmentation.one_frame_ms
    beside = (
        f"; one frame of it all would take {_exact(one_frame)} ms" if one_frame is not None else ""
    )
    click.echo(f"fragmenting   adds {fragmentation.added_bytes} bytes{beside}")


def _show_lorawan(lorawan: LorawanEntry) -> None:
    click.echo(
        f"LoRaWAN       {lorawan.region} DR{lorawan.data_rate} ({lorawan.modulation}): "
        f"{lorawan.app_payload_bytes}"
        f" bytes of application and {lorawan.header_bytes} around them; at most "
        f"{lorawan.longest_app_payload_bytes}"
    )
    if lorawan.dwell_time_ms is not None:
        click.echo(f"dwell time    at most {lorawan.dwell_time_ms} ms a frame")
    for limit in lorawan.limits:
        if (
            limit.name == lorawan.sub_band
            and limit.duty_cycle is not None
            and limit.pause_ms is not None
        ):
            click.echo(
                f"duty cycle    {limit.duty_cycle * 100:g} % in {limit.name} MHz: "
                f"{limit.messages_per_hour} "
                f"messages an hour, or a pause of {limit.pause_ms / 1000:.1f} s after each"
            )
    for network in lorawan.networks:
        click.echo(f"{network.name}: {network.messages_per_day} messages a day")


def _show_message(message: ProtectedEntry) -> None:
    click.echo(
        f"{message.scheme}: {message.plaintext_bytes} bytes become {message.total_bytes} (padding "
        f"{message.padding_bytes}, nonce {message.nonce_bytes}, tag {message.tag_bytes}): "
        f"{_exact(message.added_ms)} ms more on air"
    )
    for note in message.notes:
        click.echo(f"  {note}")
