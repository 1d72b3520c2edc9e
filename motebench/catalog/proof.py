"""Validity of a target's results for real chips: cycles that are not proven, places of the code,
and the time of instructions that an emulated processor counts.

Times of a Linux board are instructions times the cycles that its core takes for one. These follow
from published speeds of implementations whose instructions are counted (``catalog/cores``): from
the fewest to the most cycles of the core's speeds, wider at both ends by `BEYOND`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from statistics import median
from typing import TYPE_CHECKING, Annotated, Self

from pydantic import Field, model_validator

from motebench.base.files import toml
from motebench.base.model import Operation
from motebench.base.naming import PLACE, SIMULATED
from motebench.base.paths import catalog_dir
from motebench.base.quantities import Interval
from motebench.catalog.carried import device_of
from motebench.catalog.schema import Count, Identifier, Record, Source, Text

if TYPE_CHECKING:
    from motebench.catalog.devices import CodePlaces, Device, Unproven

MARK = "not proven on silicon"


def unproven(target: str) -> Unproven | None:
    """Reason why the cycles of a simulated board are not proven; None for proven ones, and for
    other targets."""
    device = device_of(target) if target.startswith(SIMULATED) else None
    return None if device is None else device.unproven


def marked(target: str) -> str:
    """The name of a target in a heading: ``sim:rp2040-xip (not proven on silicon)``."""
    return target if unproven(target) is None else f"{target} ({MARK})"


def unproven_words(targets: Iterable[str]) -> list[str]:
    """A sentence on each of these boards whose cycles are not proven."""
    reasons = {
        target.partition(PLACE)[0]: reason
        for target in targets
        if (reason := unproven(target)) is not None
    }
    return [f"{target}: {MARK}: {reason.why}." for target, reason in reasons.items()]


def one_place_words(targets: Iterable[str]) -> list[str]:
    """A sentence on each of these boards for results that were made at one place of the code, where
    another moves them."""
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
    """Bounds of a figure over places of the code: what the figure of the usual place is multiplied
    by, and how that is known."""

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


# Time of counted instructions

BEYOND = 2.6
"""Factor by which bounds of cycles reach beyond the published speeds of a core. Left out, no speed
of any core lay further beyond the others of its core (``docs/evidence/tables/linux_boards.txt``).
"""
_Positive = Annotated[float, Field(gt=0)]


class PublishedSpeed(Record):
    """The speed of an implementation on a core, in one of three forms: cycles for a byte of long
    messages; bytes of long messages a second, at a clock; cycles of the operation."""

    scheme: Text
    operation: Operation
    implementation: Text
    cycles_per_byte: _Positive | None = None
    bytes_per_second: _Positive | None = None
    clock_hz: Count | None = None
    cycles: Count | None = None
    source: Source

    @model_validator(mode="after")
    def _one_form(self) -> Self:
        forms = (self.cycles_per_byte, self.bytes_per_second, self.cycles)
        if sum(form is not None for form in forms) != 1:
            raise ValueError("give one of cycles_per_byte, bytes_per_second and cycles")
        if (self.bytes_per_second is None) != (self.clock_hz is None):
            raise ValueError("bytes_per_second and clock_hz must be given together")
        return self

    @property
    def per_byte(self) -> bool:
        """Whether it is the speed of a byte of a long message, not of an operation."""
        return self.cycles is None

    @property
    def clocks(self) -> float:
        """Cycles for a byte, or of the operation."""
        if self.bytes_per_second is not None and self.clock_hz is not None:
            return self.clock_hz / self.bytes_per_second
        return float(self.cycles_per_byte or self.cycles or 0)


class LinuxCore(Record):
    """``catalog/cores/<id>.toml``: the core of Linux boards. ``target``: the emulated processor
    that counts its instructions."""

    id: Identifier
    name: Text
    target: Text
    speeds: tuple[PublishedSpeed, ...] = Field(min_length=2)

    def pace(self, count: Callable[[PublishedSpeed], float | None]) -> CorePace | None:
        """The cycles for an instruction. ``count``: the instructions of a published speed; None if
        they are not known. None if fewer than two are known."""
        ratios = [
            speed.clocks / instructions
            for speed in self.speeds
            if (instructions := count(speed)) is not None
        ]
        return CorePace(self, len(ratios), pace_of(ratios)) if len(ratios) > 1 else None


@dataclass(frozen=True, slots=True)
class CorePace:
    """The cycles of a core for an instruction, with bounds; ``speeds``: published ones it is by."""

    core: LinuxCore
    speeds: int
    clocks: Interval

    @property
    def words(self) -> str:
        """The pace and its origin, in words."""
        clocks = self.clocks
        return (
            f"times are modelled: {self.core.name} takes {clocks.typical:.2g} cycles for an "
            f"instruction ({clocks.low:.2g} to {clocks.high:.2g}, by {self.speeds} published "
            f"speeds: catalog/cores/{self.core.id}.toml), caches warm"
        )


def pace_of(ratios: Sequence[float]) -> Interval:
    """The bounds of the cycles for an instruction from those of published speeds."""
    return Interval(min(ratios) / BEYOND, median(ratios), max(ratios) * BEYOND)


@cache
def cores() -> dict[str, LinuxCore]:
    """Every core with published speeds, by id."""
    paths = sorted((catalog_dir() / "cores").glob("*.toml"))
    return {path.stem: toml.validate(toml.load(path), LinuxCore) for path in paths}


def core_of(device: Device) -> LinuxCore | None:
    """The core of a Linux board; None for other devices, and for cores without published speeds."""
    path = catalog_dir() / "cores" / f"{device.core}.toml"
    return toml.validate(toml.load(path), LinuxCore) if device.core and path.is_file() else None
