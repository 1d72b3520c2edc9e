"""Contract of instruments, and the syntax of their names.

``NAME``, ``NAME:VALUE`` or ``NAME:KEY=VALUE,KEY=VALUE``. Instruments without a stream are polled
for each reading.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol

from motebench.base.errors import ExitCode, InputError, MotebenchError

Clock = Callable[[], float]
"""Seconds since the recording began."""
MOST_WATTS = 1e6
"""Watts; a larger sample, in either direction, cannot be the power of anything that runs a cipher.
"""


class Shape(StrEnum):
    """The meaning of a sample's power."""

    POINT = "point"
    """The power at that moment; between two samples it is interpolated linearly."""
    MEAN = "mean"
    """The mean power since the previous sample. The first sample only marks the start of the first
    mean.
    """


@dataclass(frozen=True, slots=True)
class Info:
    """Facts about an instrument; a recording keeps them all.

    rate_hz: samples per second; None if the user reads it by hand. accuracy: largest relative error
    of its power as its data sheet states it; None if it states none. accuracy_of: where that comes
    from, or why there is none. offset_w: largest error in watts that does not depend on what is
    read. timing_s: how far its times may be off against the clock of the machine that starts the
    batches. resolution_j: largest error of the energy between two readings that comes from the last
    digit. counts: it counts energy, so that reading it late loses nothing.
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
    """True if this machine decides when it is read, and may be late; False if the instrument's own
    clock does.
    """

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
class PowerSample:
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
    """An instrument that reads power. The constructor opens it; `start` begins a stream that `stop`
    ends.
    """

    @property
    def info(self) -> Info:
        """Facts about the instrument."""
        ...

    def start(self, clock: Clock) -> None:
        """Begin to take samples, with times from ``clock``."""
        ...

    def read(self) -> list[PowerSample]:
        """New samples since the last call; waits about one period for one. InstrumentLost if it
        does not answer.
        """
        ...

    def stop(self) -> None:
        """End the stream and release the instrument. Never raises, even if the instrument is
        lost.
        """
        ...


WHERE = "--instrument"


def split(text: str) -> tuple[str, str]:
    """The name, and the text after its colon."""
    name, _, rest = text.partition(":")
    return name, rest


def read(text: str, keys: Sequence[str]) -> dict[str, str]:
    """Settings by key; a value without a key belongs to the first key. InputError for unknown
    keys.
    """
    name, rest = split(text)
    values: dict[str, str] = {}
    for part in (part.strip() for part in rest.split(",") if part.strip()):
        key, sign, value = part.partition("=")
        if not sign:
            key, value = (keys[0], part) if keys else ("", part)
        if key not in keys or not value or key in values:
            valid = f"{name}:" + ",".join(f"{key}=..." for key in keys) if keys else f"{name} alone"
            raise InputError(f"{part!r} is not a setting of {name}", where=WHERE, valid=valid)
        values[key] = value
    return values


def whole(settings: Mapping[str, str], key: str, default: int) -> int:
    """A whole number, also in the form 0x40."""
    text = settings.get(key)
    if text is None:
        return default
    try:
        return int(text, 0)
    except ValueError:
        raise InputError(
            f"{key} is {text!r}", where=WHERE, valid="a whole number: 1, 0x40"
        ) from None


class Pace:
    """Waits until it is time for the next reading. A reading that is late does not make the next
    one early.
    """

    def __init__(self, clock: Clock, period_s: float) -> None:
        self._clock = clock
        self._period = period_s
        self._next = clock()

    def wait(self) -> float:
        """Wait, and return the time."""
        now = self._clock()
        if self._next > now:
            time.sleep(self._next - now)
            now = self._clock()
        self._next = max(self._next + self._period, now)
        return now
