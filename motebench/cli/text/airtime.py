"""Time on air as text."""

from __future__ import annotations

from itertools import groupby

import click

from motebench.documents.costs import AirtimeEntry, FragmentationEntry, LorawanEntry, ProtectedEntry

_LISTED = 4
"""Equal frames that each have a line of their own."""


def _exact(milliseconds: float) -> str:
    """Down to the microsecond, without zeros at the end."""
    return f"{milliseconds:.3f}".rstrip("0").rstrip(".")


def show(found: AirtimeEntry) -> None:
    """Print the answer for people."""
    click.echo(f"time on air   {_exact(found.time_on_air_ms)} ms")
    if found.fragmentation:
        _show_fragments(found.fragmentation)
    else:
        _show_symbols(found)
    if found.lorawan:
        _show_lorawan(found.lorawan)
    if found.message:
        _show_message(found.message)


def _show_symbols(found: AirtimeEntry) -> None:
    payload = f"payload       {found.payload_bytes} bytes"
    if not found.payload_symbols:
        click.echo(payload)
        return
    ldro = "on" if found.low_data_rate_optimisation else "off"
    click.echo(f"{payload}, {found.payload_symbols} symbols of {_exact(found.symbol_ms)} ms")
    click.echo(f"preamble      {found.preamble_symbols:g} symbols")
    click.echo(f"low data rate optimisation {ldro}")


def _show_fragments(found: FragmentationEntry) -> None:
    number = 1
    for (length, milliseconds), group in groupby(found.frames, lambda each: (each.payload_bytes, each.time_on_air_ms)):
        count = len(list(group))
        if count > _LISTED:
            name = f"frames {number} to {number + count - 1}"
            click.echo(f"{name:<13} {length} bytes, {_exact(milliseconds)} ms each")
        for each in range(number, number + count) if count <= _LISTED else ():
            click.echo(f"frame {each}       {length} bytes, {_exact(milliseconds)} ms")
        number += count
    one = found.one_frame_ms
    beside = f"; one frame of it all would take {_exact(one)} ms" if one is not None else ""
    click.echo(f"fragmenting   adds {found.added_bytes} bytes{beside}")


def _show_lorawan(found: LorawanEntry) -> None:
    click.echo(
        f"LoRaWAN       {found.region} DR{found.data_rate} ({found.modulation}): {found.app_payload_bytes}"
        f" bytes of application and {found.header_bytes} around them; at most {found.longest_app_payload_bytes}"
    )
    if found.dwell_time_ms is not None:
        click.echo(f"dwell time    at most {found.dwell_time_ms} ms a frame")
    for limit in found.limits:
        if limit.name == found.sub_band and limit.duty_cycle is not None and limit.pause_ms is not None:
            click.echo(
                f"duty cycle    {limit.duty_cycle * 100:g} % in {limit.name} MHz: {limit.messages_per_hour} "
                f"messages an hour, or a pause of {limit.pause_ms / 1000:.1f} s after each"
            )
    for network in found.networks:
        click.echo(f"{network.name}: {network.messages_per_day} messages a day")


def _show_message(message: ProtectedEntry) -> None:
    click.echo(
        f"{message.scheme}: {message.plaintext_bytes} bytes become {message.total_bytes} (padding "
        f"{message.padding_bytes}, nonce {message.nonce_bytes}, tag {message.tag_bytes}): "
        f"{_exact(message.added_ms)} ms more on air"
    )
    for note in message.notes:
        click.echo(f"  {note}")
