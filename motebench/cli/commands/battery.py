"""``motebench battery``: the life of a battery in a device that sends messages."""

from __future__ import annotations

from typing import Any

import click

from motebench.cli.options import (
    MESSAGE_BY_RADIO,
    Number,
    Whole,
    asked_link,
    battery_option,
    catalog_option,
    cipher_options,
    converter_option,
    device_option,
    json_option,
    link_options,
    print_json,
    protected,
    refuse,
    speed_options,
)
from motebench.cli.text.layout import bounded
from motebench.documents.costs import BatteryEntry


@click.command("battery")
@click.option("--battery", required=True, metavar="NAME", help="A battery of the catalog.")
@click.option(
    "--every", required=True, metavar="TIME", help="Time from one message to the next: 10min."
)
@click.option(
    "--device", metavar="NAME", help="A device of the catalog: its clock, active and sleep current."
)
@click.option("--cycles", type=Number(), metavar="NUMBER", help="Processor cycles for a message.")
@click.option(
    "--time", "duration", metavar="TIME", help="Processor time for a message, instead of --cycles."
)
@click.option(
    "--active-current", metavar="CURRENT", help="Active current, instead of the device's: 4.6mA."
)
@click.option(
    "--sleep-current",
    metavar="CURRENT",
    help="Current of everything during sleep, instead of the catalog's.",
)
@speed_options
@converter_option
@link_options
@click.option(
    "--power",
    type=Number("dBm"),
    metavar="DBM",
    help="Output power.  [default: the highest allowed]",
)
@click.option(
    "--lorawan",
    metavar="REGION",
    help="Send messages by LoRaWAN in this region; needs --dr and --message.",
)
@click.option(
    "--dr", type=Whole(), metavar="NUMBER", help="Number of the data rate in the region: 0 is DR0."
)
@click.option(
    "--message",
    type=MESSAGE_BY_RADIO,
    metavar="SIZE",
    help="Length of what the application sends, before encryption, or ml-kem-512:ciphertext.",
)
@click.option(
    "--network", metavar="NAME", help="The network whose own rules hold beside the region's: ttn."
)
@click.option(
    "--fragment", is_flag=True, help="Split a message that is too long into several uplinks."
)
@click.option(
    "--transmissions",
    type=Number(),
    metavar="NUMBER",
    help="How often each frame is sent.  [default: 1]",
)
@cipher_options
@catalog_option
@json_option
def command(**options: Any) -> None:
    """Model the life of a battery in years, with an interval that includes the uncertainty of every
    input.
    """
    from motebench.advise.energy.battery import Duty, battery_life
    from motebench.advise.energy.consumption import GivenCurrent, Workload
    from motebench.base.units import parse_duration, parse_quantity

    def amps(name: str) -> float | None:
        given = options[name]
        return (
            None
            if given is None
            else parse_quantity(given, "A", where=f"--{name.replace('_', '-')}")
        )

    if options["device"] is None:
        refuse(("clock",), "this option needs --device", hint="--time is at any clock")
        if options["converter"] is None:
            refuse(("voltage",), "this option needs --device or --converter")
    device = device_option(options, own_cycles=True)
    battery = battery_option(options, device)
    every = parse_duration(options["every"], where="--every")
    seconds = (
        None if options["duration"] is None else parse_duration(options["duration"], where="--time")
    )
    work = Workload(seconds, options["cycles"])
    work.check()
    active, sleeping = amps("active_current"), amps("sleep_current")
    if options["lorawan"] is None and options["link"] is None:
        refuse(
            _OF_LINK,
            "this option needs --lorawan or --link",
            hint="--lorawan EU868 --dr 3 --message 16",
        )
    link = asked_link(
        options, ("message", "scheme"), ("dr", "message"), fragment=options["fragment"]
    )
    duty = Duty(
        battery,
        every,
        device,
        work,
        GivenCurrent(active, option="--active-current"),
        sleeping,
        link,
        payload_bytes=options["message"] or 0,
        message=protected(options, options["message"]) if link else None,
    )
    document = battery_life(duty)
    if options["as_json"]:
        print_json(document)
    else:
        _show(document)


_OF_LINK = ("radio", "fragment", "mac", "nonce", "padding", "tag_bytes")
"""Options that mean nothing without a radio, beside those of `check_link`."""


def _show(battery: BatteryEntry) -> None:
    """Print the answer for people."""
    years = battery.life_years
    click.echo(f"life            {years.typical:.2f} years ({years.low:.2f} to {years.high:.2f})")
    click.echo(f"mean current    {bounded(battery.mean_current_a, 'A')}")
    if battery.time_on_air_ms:
        click.echo(f"time on air     {battery.time_on_air_ms:g} ms, {battery.frames} frame(s)")
    click.echo(
        f"messages        {battery.messages_per_day:g} a day; each, with the sleep before it:"
    )
    for name, charge in battery.charge_per_message_c.items():
        share = battery.shares[name] * 100
        joules = battery.energy_per_message_j.get(name)
        beside = f", {bounded(joules, 'J')}" if joules else ""
        click.echo(f"  {name:10}{share:5.1f} %  {bounded(charge, 'C')}{beside}")
    for warning in battery.warnings:
        click.echo(f"warning: {warning}")
    for note in battery.notes:
        click.echo(f"modelled: {note}")
