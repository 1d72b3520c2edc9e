"""The device in the name of a target. Only the file of that device is read, and none for a target
without one.
"""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from motebench.base.naming import BOARD
from motebench.base.paths import catalog_dir, own_catalogs

if TYPE_CHECKING:
    from motebench.catalog.devices import Device

_PARTS = re.compile("[:+,]")


def device_of(target: str) -> Device | None:
    """Device in a target's name, ``sim:samd21g18a+...``; None if the name has none, as ``host``.

    The name of one of its boards means it, too: ``serial:/dev/ttyACM0,board=rak4631``.
    """
    for part in _PARTS.split(target):
        if _has_file(part) or part.startswith(BOARD):
            from motebench.catalog.devices import DEVICES, device_with

            device = (
                device_with(part.removeprefix(BOARD))
                if part.startswith(BOARD)
                else DEVICES.entry(part)
            )
            if device is not None:
                return device
    return None


def _has_file(part: str) -> bool:
    return part in _ids(tuple(own_catalogs()), catalog_dir())


@cache
def _ids(own: tuple[Path, ...], catalog: Path) -> frozenset[str]:
    return frozenset(
        path.stem for folder in (*own, catalog) for path in (folder / "devices").glob("*.toml")
    )
