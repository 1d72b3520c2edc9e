"""Cores of Linux boards: the time of instructions that an emulated processor counts.

Times of a Linux board are instructions times the cycles that its core takes for one. These follow
from published speeds of implementations whose instructions are counted (``catalog/cores``): from
the fewest to the most cycles of the core's speeds, wider at both ends by `BEYOND`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from statistics import median
from typing import TYPE_CHECKING, Annotated, Self

from pydantic import Field, model_validator

from motebench.base.files import toml
from motebench.base.model import Operation
from motebench.base.paths import catalog_dir
from motebench.base.quantities import Interval
from motebench.catalog.schema import Count, Identifier, Record, Source, Text

if TYPE_CHECKING:
    from motebench.catalog.devices import Device

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
        """True if the value is the speed of a byte of a long message, not of an operation."""
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
    """Bounds of the cycles for an instruction, from those of published speeds."""
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
