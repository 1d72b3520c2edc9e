"""The options of a LoRaWAN link, which several commands have."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from motebench.base.errors import InputError
from motebench.cli.options import device_option

if TYPE_CHECKING:
    from motebench.advise.radio.delivery import Link

_OPTIONS = ("dr", "power", "transmissions", "network")


def check_link(options: dict[str, Any], also: Sequence[str] = (), needed: Sequence[str] = ("dr",)) -> None:
    """InputError if an option that means nothing without ``--lorawan`` is given without it, or a needed one is missing.

    ``also``: further options that mean nothing without it. ``needed``: those that it needs.
    """
    if options["lorawan"] is None:
        for name in (*_OPTIONS, *also):
            if options[name] is not None and options[name] is not False:
                other = "; other radios are not modelled: without --radio, energy is that of processor and sleep"
                hint = f"--lorawan EU868 --dr 3{other if name == 'radio' else ''}"
                raise InputError("this option needs --lorawan", where=f"--{name.replace('_', '-')}", hint=hint)
        return
    missing = [f"--{name}" for name in needed if options[name] is None]
    if missing:
        example = "--dr 3" if missing == ["--dr"] else None
        raise InputError(f"{' and '.join(missing)} must be given with --lorawan", hint=example)


def asked_link(
    options: dict[str, Any], also: Sequence[str] = (), needed: Sequence[str] = ("dr",), *, fragment: bool
) -> Link | None:
    """The link of ``--lorawan``, or None without it. InputError as for `check_link`."""
    check_link(options, also, needed)
    if options["lorawan"] is None:
        return None
    from motebench.advise.energy.budget import link
    from motebench.catalog.devices import usual_radio
    from motebench.catalog.radios import RADIOS
    from motebench.catalog.regions import REGIONS

    return link(
        RADIOS.find(options["radio"] or usual_radio(device_option(options)), options["own"], where="--radio"),
        REGIONS.find(options["lorawan"], options["own"], where="--lorawan"),
        options["dr"],
        power_dbm=options["power"],
        transmissions=1.0 if options["transmissions"] is None else options["transmissions"],
        fragment=fragment,
        network=options["network"],
    )
