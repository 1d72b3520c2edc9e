"""``motebench flash``: put the firmware of one scheme onto a board."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from motebench.base.errors import ExitCode, InputError
from motebench.cli.options import OwnCode, own_code_options

if TYPE_CHECKING:
    from motebench.targets.board.serial_board import SerialBoard
    from motebench.targets.firmware import FirmwareImage


@click.command("flash")
@click.option(
    "--target",
    required=True,
    metavar="NAME",
    help="The board: serial:/dev/ttyACM0, with the same settings as for run.",
)
@click.option("--device", metavar="ID", help="The device, if neither target nor USB identify it.")
@click.option(
    "--implementation", metavar="NAME", help="One implementation.  [default: that of --code]"
)
@click.option("--scheme", metavar="NAME", help="One scheme.  [default: that of --code]")
@own_code_options
def command(target: str, device: str | None, own: OwnCode, **options: Any) -> int:
    """Build the firmware of a scheme and upload it to a board.

    A run does this automatically if the board holds another firmware. The programmer is that of the
    device's file.
    """
    from motebench.cli.options import implementation_of, one_of
    from motebench.measuring.images import image_of

    workspace, implementations, schemes = own.named(
        (options["scheme"],) if options["scheme"] else ()
    )
    scheme = one_of(options["scheme"], schemes, "--scheme")
    board = f"{target},{device}" if device else target
    implementation = implementation_of(options["implementation"], implementations, board, [scheme])
    bench = _bench(target, device)
    image = image_of(workspace, bench.expected(), implementation, scheme)
    click.echo(f"uploading {image.flash} B to {bench.upload_port}", err=True)
    return _put(bench, image, f"{implementation} {scheme}")


def _put(bench: SerialBoard, image: FirmwareImage, description: str) -> int:
    from motebench.targets.wire.messages import ProbeFailure

    try:
        hello = bench.put(image)
    except ProbeFailure as failure:
        click.secho(f"motebench: {failure.kind.value}: {failure.message}", fg="red", err=True)
        return ExitCode.FAILURES
    if hello is None:
        click.echo(
            f"{description} was written through {bench.upload_port}; "
            "without the port of its serial line it could not be checked"
        )
    else:
        click.echo(
            f"{description} answers on {bench.name}: firmware {hello.image.hex()}, "
            f"{hello.compiler}, {hello.flags}"
        )
    return ExitCode.OK


def _bench(target: str, device: str | None) -> SerialBoard:
    from motebench.base.naming import SERIAL
    from motebench.targets.board.serial_board import SerialBoard, parse_address

    if not target.startswith(SERIAL):
        problem = f"{target!r} is not a board on a serial port"
        raise InputError(
            problem,
            where="--target",
            valid=f"{SERIAL}/dev/ttyACM0",
            hint="motebench firmware writes a file",
        )
    return SerialBoard(parse_address(f"{target},{device}" if device else target, where="--target"))
