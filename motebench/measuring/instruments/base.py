"""The contract between instruments and the code that uses them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol

from motebench.base.errors import ExitCode, MotebenchError

Clock = Callable[[], float]
"""Seconds since the recording began."""
MOST_WATTS = 1e6
"""Watts; a larger sample, in either direction, cannot be the power of anything that runs a cipher."""


class Shape(StrEnum):
    """The meaning of a sample's power."""

    POINT = "point"
    """The power at that moment; between two samples it is interpolated linearly."""
    MEAN = "mean"
    """The mean power since the previous sample. The first sample only marks the start of the first mean."""


@dataclass(frozen=True, slots=True)
class Info:
    """Facts about an instrument; a recording keeps them all.

    rate_hz: samples per second; None if the user reads it by hand. accuracy: largest relative error of its power as its
    data sheet states it; None if it states none. accuracy_of: where that comes from, or why there is none. offset_w:
    largest error in watts that does not depend on what is read. timing_s: how far its times may be off against the
    clock of the machine that starts the batches. resolution_j: largest error of the energy between two readings that
    comes from the last digit. counts: it counts energy, so that reading it late loses nothing.
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
    """True if this machine decides when it is read, and may be late; False if the instrument's own clock does."""

    @property
    def period_s(self) -> float:
        """Seconds between samples; 0 if it is read by hand."""
        return 1 / self.rate_hz if self.rate_hz else 0.0

    @property
    def gap_s(self) -> float:
        """A longer time than this between two samples is a gap."""
        if self.counts or not self.rate_hz:
            return float("inf")
        return (4.0 if self.polled else 1.5) * self.period_s


@dataclass(frozen=True, slots=True)
class Sample:
    """One reading: seconds since the beginning, watts, and volts and amperes if they are read.

    ``lost``: number of missing samples before this one, as the instrument reports.
    """

    t: float
    watts: float
    volts: float | None = None
    amps: float | None = None
    lost: int = 0


class InstrumentLost(MotebenchError):  # noqa: N818 - the word for what happened
    """An instrument stopped answering: it was unplugged, or is out of its range."""

    exit_code = ExitCode.FAILURES


class Instrument(Protocol):
    """An instrument that reads power. The constructor opens it; `start` begins a stream that `stop` ends."""

    @property
    def info(self) -> Info:
        """Facts about the instrument."""
        ...

    def start(self, clock: Clock) -> None:
        """Begin to take samples, with times from ``clock``."""
        ...

    def read(self) -> list[Sample]:
        """New samples since the last call; waits about one period if there are none. InstrumentLost if it does not
        answer."""
        ...

    def stop(self) -> None:
        """End the stream and release the instrument. Never raises, even if the instrument is lost."""
        ...
