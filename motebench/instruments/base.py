"""The contract between instruments and everything that uses them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol

from motebench.errors import ExitCode, MotebenchError

Clock = Callable[[], float]
"""Seconds since the recording began."""
MOST_WATTS = 1e6
"""Watts; a sample beyond this, in either direction, cannot be the power of anything that runs a cipher."""


class Shape(StrEnum):
    """What the power of a sample says."""

    POINT = "point"
    """The power at that moment: between two samples it is taken to be a straight line."""
    MEAN = "mean"
    """The mean power since the sample before. The first sample only says when the first mean begins."""


@dataclass(frozen=True, slots=True)
class Info:
    """What is known of an instrument, all of which a recording keeps.

    rate_hz: samples a second; None where somebody reads it by hand.
    accuracy: largest relative error of its power as its data sheet states it; None where nothing is stated.
    accuracy_of: where that comes from, or why there is none.
    offset_w: largest error in watts that does not depend on what is read.
    timing_s: how far its times may be off against the clock of the machine that starts the batches.
    resolution_j: largest error of the energy between two readings that comes from the last digit.
    counts: it counts energy, so that reading it late loses nothing.
    """

    name: str
    measures: str
    shape: Shape
    rate_hz: float | None
    accuracy: float | None
    accuracy_of: str
    offset_w: float = 0.0
    timing_s: float = 0.0
    resolution_j: float = 0.0
    counts: bool = False
    polled: bool = False
    """This machine decides when it is read, and may be late; else the instrument's own clock does."""

    @property
    def period_s(self) -> float:
        """Seconds between samples; 0 where it is read by hand."""
        return 1 / self.rate_hz if self.rate_hz else 0.0

    @property
    def gap_s(self) -> float:
        """More time than this between two samples is a gap."""
        if self.counts or not self.rate_hz:
            return float("inf")
        return (4.0 if self.polled else 1.5) * self.period_s


@dataclass(frozen=True, slots=True)
class Sample:
    """One reading: seconds since the beginning, watts, and volts and amperes where they are read.

    ``lost``: how many samples the instrument says are missing before this one.
    """

    t: float
    watts: float
    volts: float | None = None
    amps: float | None = None
    lost: int = 0


class InstrumentLost(MotebenchError):  # noqa: N818 - the word for what happened
    """An instrument that answered before does not any more: unplugged, or out of its range."""

    exit_code = ExitCode.FAILURES


class Instrument(Protocol):
    """One thing that reads power. It is open when it is made; `start` begins a stream that `stop` ends."""

    @property
    def info(self) -> Info:
        """What is known of it."""
        ...

    def start(self, clock: Clock) -> None:
        """Begin to take samples, whose times are those of ``clock``."""
        ...

    def read(self) -> list[Sample]:
        """What came since the last call; waits about one period if there is nothing. InstrumentLost if it is gone."""
        ...

    def stop(self) -> None:
        """End the stream and let go of the instrument. Never raises, also where it is gone."""
        ...
