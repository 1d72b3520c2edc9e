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
@click.option(
    "--compiler",
    "compilers",
    metavar="NAME[,NAME]...",
    help="Only fetch these compilers for boards from other releases of Debian, as gcc-14.2; in a "
    "checkout, too.",
)
def command(optional: str | None, compilers: str | None) -> int:
    """Build every probe and the simulators, where motebench is installed without a checkout.

    What a run names is built when needed, so this only saves time later. `motebench doctor` prints
    the lines that install missing libraries and compilers.
    """
    from motebench.base.paths import data_root, in_checkout
    from motebench.targets.setup.building import build_everything

    if compilers is not None:
        return _fetch(compilers)
    if in_checkout():
        raise InputError(
            f"motebench runs from the checkout {data_root()}",
            hint="make setup builds everything there",
        )
    names = [name for name in (optional or "").split(",") if name]
    return ExitCode.OK if build_everything(names) else ExitCode.SETUP


def _fetch(compilers: str) -> int:
    """Fetch compilers for boards."""
    from motebench.targets.firmware.toolchain import fetchable
    from motebench.targets.setup.building import fetch_compilers, say

    names = [name for name in compilers.split(",") if name]
    for name in names or [""]:
        if name not in fetchable():
            raise InputError(
                f"{name!r} is not one of them",
                where="--compiler",
                valid=", ".join(sorted(fetchable())),
                hint="MOTEBENCH_COMPILERS names other compilers that are installed",
            )
    problem = fetch_compilers(names)
    if problem is not None:
        say(problem)
    return ExitCode.OK if problem is None else ExitCode.SETUP
