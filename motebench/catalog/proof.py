"""The device in the name of a target, and the validity of a simulated board's results for real
chips: cycles that are not proven, and places of the code.

Only the file of that device is read, and none for a target without one.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from motebench.base.naming import BOARD, PLACE, SIMULATED
from motebench.base.paths import catalog_dir, own_catalogs
from motebench.base.quantities import Interval

if TYPE_CHECKING:
    from motebench.catalog.devices import CodePlaces, Device, Unproven

MARK = "not proven on silicon"
_PARTS = re.compile("[:+,]")


def device_of(target: str) -> Device | None:
    """Device in a target's name, ``sim:samd21g18a+...``; None if the name has none, as ``host``.

    The name of one of its boards means it, too: ``serial:/dev/ttyACM0,board=rak4631``.
    """
    return _device_in(target, tuple(own_catalogs()), catalog_dir())


@lru_cache(maxsize=1_000)
def _device_in(target: str, own: tuple[Path, ...], catalog: Path) -> Device | None:
    """The device in the name of a target by these catalogs; rows of a run ask for it often."""
    for part in _PARTS.split(target):
        if part in _ids(own, catalog) or part.startswith(BOARD):
            from motebench.catalog.devices import DEVICES, device_with

            device = (
                device_with(part.removeprefix(BOARD))
                if part.startswith(BOARD)
                else DEVICES.entry(part)
            )
            if device is not None:
                return device
    return None


@cache
def _ids(own: tuple[Path, ...], catalog: Path) -> frozenset[str]:
    return frozenset(
        path.stem for folder in (*own, catalog) for path in (folder / "devices").glob("*.toml")
    )


def unproven(target: str) -> Unproven | None:
    """Reason why the cycles of a simulated board are not proven; None for proven ones, and for
    other targets."""
    device = device_of(target) if target.startswith(SIMULATED) else None
    return None if device is None else device.unproven


def marked(target: str) -> str:
    """The name of a target in a heading: ``sim:rp2040-xip (not proven on silicon)``."""
    return target if unproven(target) is None else f"{target} ({MARK})"


def unproven_words(targets: Iterable[str]) -> list[str]:
    """Sentences on those of these boards whose cycles are not proven."""
    reasons = {
        target.partition(PLACE)[0]: reason
        for target in targets
        if (reason := unproven(target)) is not None
    }
    return [f"{target}: {MARK}: {reason.why}." for target, reason in reasons.items()]


def proof_words(target: str) -> str:
    """Comparison of a simulated board's cycles with real chips, with its source; empty for other
    targets.
    """
    device = device_of(target) if target.startswith(SIMULATED) else None
    if device is None:
        return ""
    if device.unproven is not None:
        return f"{MARK}: {device.unproven.why}"
    if device.proven is None:
        return f"{MARK}: nothing says how near its cycles are to a chip"
    source = device.proven.source
    return f"{device.proven.how} ({source.document}, {source.section})"


def one_place_words(targets: Iterable[str]) -> list[str]:
    """Sentences on those of these boards whose results come from one place of the code, while
    another place changes them.
    """
    places_by_target = {
        target: places for target in targets if (places := _code_places(target)) is not None
    }
    return [
        f"{name}: results of one place of the code; other places moved a figure by up to "
        f"{_percent(places.moves)} ({places.places} places: docs/explain/methods.md)."
        for name, places in places_by_target.items()
    ]


@dataclass(frozen=True, slots=True)
class PlaceBounds:
    """Bounds of a figure over places of the code, as factors of the figure of the default place,
    and their basis.
    """

    factor: Interval
    words: str


def bounds_over_places(target: str) -> PlaceBounds | None:
    """The bounds of a result that was made at one place of the code; None where no place moves it.

    Of two places of any case, one took at most ``moves`` more than the other, whichever of them the
    usual place is.
    """
    places = _code_places(target)
    if places is None:
        return None
    most = 1 + places.moves
    device = device_of(target)
    assert device is not None
    reason = (
        f"made at one place of the code; bounds: {places.places} places moved other results of "
        f"{device.id} by up to {_percent(places.moves)} (catalog/devices/{device.id}.toml)"
    )
    return PlaceBounds(Interval(1 / most, 1.0, most), reason)


def _code_places(target: str) -> CodePlaces | None:
    device = device_of(target) if target.startswith(SIMULATED) else None
    return None if device is None else device.code_places


def _percent(moves: float) -> str:
    return f"{100 * moves:.1f} %" if moves < 0.1 else f"{100 * moves:.0f} %"
