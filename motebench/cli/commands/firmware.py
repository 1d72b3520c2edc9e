"""``motebench firmware``: the firmware of a case as a file."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from motebench.cli.options import OwnCode, force_option, own_code_options, refuse


@click.command("firmware")
@click.option("--target", required=True, metavar="NAME", help="A board, simulated or real.")
@click.option(
    "--implementation",
    metavar="NAME",
    help="The implementation, with optimisation level and compiler: NAME@O2+clang.  [default: "
    "that of --code]",
)
@click.option("--scheme", metavar="NAME", help="The scheme.  [default: that of --code]")
@own_code_options
@click.option(
    "-o",
    "--output",
    required=True,
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="An ELF file, or by its suffix .hex, .bin or .uf2.",
)
@click.option(
    "--alone",
    is_flag=True,
    help="Standalone firmware.",
)
@click.option(
    "--operation",
    "operations",
    multiple=True,
    metavar="NAME",
    help="With --alone.  [default: by scheme]",
)
@click.option(
    "--size",
    default="16",
    show_default=True,
    metavar="SIZE",
    help="With --alone: length of the message.",
)
@force_option
def command(own: OwnCode, **options: Any) -> int:
    """Write the measured firmware to a file, for avr-size, avrdude, simavr and similar tools.

    With --alone, write standalone firmware: it checks a known answer, does each operation once, and
    writes the cycles, which are those of `run`, as text on its serial line.
    """
    from motebench.cli.options import implementation_of, one_of
    from motebench.measuring.images import write_firmware

    if not options["alone"]:
        refuse(
            ("operations", "size"),
            "this option needs --alone: other firmware gets its requests from the host",
            hint="--alone",
        )
    workspace, implementations, schemes = own.named(
        (options["scheme"],) if options["scheme"] else ()
    )
    scheme = one_of(options["scheme"], schemes, "--scheme")
    write_firmware(
        workspace,
        options["target"],
        implementation_of(options["implementation"], implementations, options["target"], [scheme]),
        scheme,
        options["output"],
        alone=(options["operations"], options["size"]) if options["alone"] else None,
        force=options["force"],
    )
    return 0
