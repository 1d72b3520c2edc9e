"""``motebench flash``: put the firmware of one scheme onto a board."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from motebench.errors import ExitCode, InputError

if TYPE_CHECKING:
    from motebench.catalog.devices import Device
    from motebench.firmware import Image
    from motebench.targets.serial_bench import SerialBench


@click.command("flash")
@click.option("--target", metavar="NAME", help="The board: serial:/dev/ttyACM0, with what else run takes behind it.")
@click.option("--device", metavar="ID", help="The device on it, if neither target nor USB say it.")
@click.option("--implementation", required=True, metavar="NAME", help="One implementation.")
@click.option("--scheme", required=True, metavar="NAME", help="One scheme.")
@click.option("--output", "-o", type=click.Path(dir_okay=False, path_type=Path), help="Write an ELF file instead.")
def command(target: str | None, device: str | None, implementation: str, scheme: str, output: Path | None) -> int:
    """Build the firmware of a scheme and put it onto a board, or into a file with --output.

    A run does this by itself when the board holds another firmware. avrdude or bossac does the writing.
    """
    if output is not None:
        found = _device(device)
        image = _image(found, implementation, scheme)
        output.write_bytes(image.path.read_bytes())
        click.echo(f"{implementation} {scheme} for {found.id} is in {output}: {image.flash} B of flash")
        return ExitCode.OK
    bench = _bench(target, device)
    image = _image(bench.expected(), implementation, scheme)
    click.echo(f"uploading {image.flash} B to {bench.upload_port}", err=True)
    return _put(bench, image, f"{implementation} {scheme}")


def _put(bench: SerialBench, image: Image, what: str) -> int:
    from motebench.wire.messages import ProbeFailure

    try:
        hello = bench.put(image)
    except ProbeFailure as failure:
        click.secho(f"motebench: {failure.kind.value}: {failure.message}", fg="red", err=True)
        return ExitCode.FAILURES
    if hello is None:
        click.echo(
            f"{what} was written through {bench.upload_port}; its serial line was not named, so it was not asked"
        )
    else:
        click.echo(f"{what} answers on {bench.name}: firmware {hello.image.hex()}, {hello.compiler}, {hello.flags}")
    return ExitCode.OK


def _device(name: str | None) -> Device:
    from motebench.catalog.devices import programmable

    found = programmable().get(name or "")
    if found is None:
        said = f"there is no device {name!r}" if name else "the device is missing"
        raise InputError(said, where="--device", valid=", ".join(programmable()))
    return found


def _bench(target: str | None, device: str | None) -> SerialBench:
    from motebench.naming import SERIAL
    from motebench.targets.serial_bench import SerialBench, parse_place

    if not target or not target.startswith(SERIAL):
        what = f"{target!r} is no board on a serial port" if target else "the board is missing"
        raise InputError(what, where="--target", valid=f"{SERIAL}/dev/ttyACM0", hint="or --output FILE")
    name = f"{target},{_device(device).id}" if device else target
    return SerialBench(parse_place(name, where="--target"))


def _image(device: Device, implementation: str, scheme: str) -> Image:
    from motebench.catalog import resolve
    from motebench.firmware import check_fit
    from motebench.targets.supply import supplies
    from motebench.toml import did_you_mean
    from motebench.wire.messages import ProbeFailure

    available = supplies(device)
    if implementation not in available:
        raise InputError(
            f"there is no implementation {implementation!r} for {device.id}",
            where="--implementation",
            valid=", ".join(sorted(available)),
            hint=did_you_mean(implementation, available),
        )
    name = resolve(scheme).name
    supply = available[implementation]
    try:
        offered = supply.offers()
        if name not in offered:
            raise InputError(f"{implementation} does not offer {name}", where="--scheme", valid=", ".join(offered))
        image = supply.image(device, name)
        check_fit(device, image)
        return image
    except ProbeFailure as failure:
        raise InputError(f"{failure.kind.value}: {failure.message}", exit_code=ExitCode.FAILURES) from failure
