"""``motebench setup``: builds the programs of an installation."""

from __future__ import annotations

import click

from motebench.base.errors import ExitCode, InputError


@click.command("setup")
@click.option(
    "--with",
    "optional",
    metavar="NAME[,NAME]...",
    help="Also optional libraries and boards: wolfssl,hazard3; none removes these.",
)
def command(optional: str | None) -> int:
    """Build every probe and the simulators, where motebench is installed without a checkout.

    What a run names is built when needed, so this only saves time later. `motebench doctor` prints
    the lines that install missing libraries and compilers.
    """
    from motebench.base.paths import data_root, in_checkout
    from motebench.targets.setup.building import build_everything

    if in_checkout():
        raise InputError(
            f"motebench runs from the checkout {data_root()}",
            hint="make setup builds everything there",
        )
    names = [name for name in (optional or "").split(",") if name]
    return ExitCode.OK if build_everything(names) else ExitCode.SETUP
