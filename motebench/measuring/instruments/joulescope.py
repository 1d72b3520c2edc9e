"""Joulescope JS110 and JS220, by pyjoulescope_driver: means of current, voltage and power over blocks of samples."""

from __future__ import annotations

import importlib
import queue
from collections.abc import Sequence
from typing import Any, TypedDict

from motebench.base.errors import InputError, SetupError
from motebench.measuring.instruments.base import WHERE, Clock, Info, InstrumentLost, PowerSample, Shape, read

MODULE = "pyjoulescope_driver"
_RATE = 50
_SILENCE_S = 2.0
"""Seconds without a block after which the instrument counts as lost."""
_ON: dict[str, tuple[tuple[str, object], ...]] = {
    "js110": (
        ("s/i/range/select", "auto"), ("s/i/ctrl", "on"), ("s/v/ctrl", "on"), ("s/p/ctrl", "on"),
        ("s/stats/scnt", 2_000_000 // _RATE), ("s/stats/ctrl", "on"),
    ),
    "js220": (("s/i/range/mode", "auto"), ("s/stats/scnt", 1_000_000 // _RATE), ("s/stats/ctrl", 1)),
}  # fmt: skip
"""The settings that switch blocks on, by model; ``scnt`` is their length in samples, of 2 MHz and 1 MHz."""
_OFF: dict[str, object] = {"js110": "off", "js220": 0}

_SIGNALS = ("voltage", "current", "power")


class _Value(TypedDict):
    value: float


class _SampleRange(TypedDict):
    value: Sequence[int]
    """Numbers of the first sample, and of the one after the last."""


class _JoulescopeTime(TypedDict):
    samples: _SampleRange
    sample_freq: _Value


class _Signal(TypedDict):
    avg: _Value


class _JoulescopeBlock(TypedDict):
    """The parts of what the driver publishes for a block of samples that are read here."""

    time: _JoulescopeTime
    signals: dict[str, _Signal]


class Joulescope:
    """An `Instrument`. Setting: ``device``, part of its path, such as the serial number."""

    def __init__(self, text: str) -> None:
        wanted = read(text, ("device",)).get("device", "")
        module = importlib.import_module(MODULE)
        self._driver: Any = module.Driver()
        try:
            self._path, self._model = self._choose(wanted)
            try:
                self._driver.open(self._path)
            except Exception as error:
                raise SetupError(
                    f"{self._path} cannot be opened: {error}",
                    hint="another program may use it, or udev rules may be missing",
                ) from None
        except BaseException:
            self._driver.finalize()
            raise
        self._blocks: queue.SimpleQueue[tuple[_JoulescopeBlock, float]] = queue.SimpleQueue()
        self._origin: float | None = None
        self._end: int | None = None
        self.info = Info(
            name=f"joulescope:{self._path}",
            measures="what flows through it, at the voltage behind it",
            shape=Shape.MEAN,
            rate_hz=float(_RATE),
            accuracy=None,
            accuracy_of="it differs by range and model (data sheet), and which ranges were used is not recorded",
            timing_s=0.05,
        )

    def _choose(self, wanted: str) -> tuple[str, str]:
        paths = [str(path) for path in self._driver.device_paths()]
        fitting = [path for path in paths if wanted in path]
        if not fitting:
            what = f"no Joulescope fits {wanted!r}" if wanted and paths else "no Joulescope is connected"
            raise SetupError(what, valid=", ".join(paths) or None)
        if len(fitting) > 1:
            raise InputError("several Joulescopes are connected", where=WHERE, valid=", ".join(fitting))
        model = next((name for name in _ON if name in fitting[0]), None)
        if model is None:
            raise SetupError(f"{fitting[0]} is an unknown model", valid=", ".join(_ON))
        return fitting[0], model

    def start(self, clock: Clock) -> None:
        """Begin."""
        self._clock = clock
        self._driver.subscribe(f"{self._path}/s/stats/value", "pub", self._came)
        for topic, value in _ON[self._model]:
            self._driver.publish(f"{self._path}/{topic}", value)

    def _came(self, topic: str, value: _JoulescopeBlock) -> None:
        del topic
        self._blocks.put((value, self._clock()))

    def read(self) -> list[PowerSample]:
        """New blocks. Times are on the instrument's clock, set by this machine's at the first block."""
        try:
            blocks = [self._blocks.get(timeout=_SILENCE_S)]
        except queue.Empty:
            raise InstrumentLost(f"no data for {_SILENCE_S:g} s: is it unplugged?") from None
        while not self._blocks.empty():
            blocks.append(self._blocks.get())
        return [self._sample(block, came) for block, came in blocks]

    def _sample(self, block: _JoulescopeBlock, came: float) -> PowerSample:
        """The sample of a block that came at that time."""
        first, end = block["time"]["samples"]["value"]
        rate = block["time"]["sample_freq"]["value"]
        if self._origin is None:
            self._origin = came - end / rate
        lost = 0 if self._end is None else max(0, -(-(first - self._end) // (end - first)))
        self._end = end
        volts, amps, watts = (float(signal["avg"]["value"]) for signal in map(block["signals"].__getitem__, _SIGNALS))
        return PowerSample(self._origin + end / rate, watts, volts, amps, lost)

    def stop(self) -> None:
        """Switch the stream off and release the instrument."""
        try:
            self._driver.publish(f"{self._path}/s/stats/ctrl", _OFF[self._model])
            self._driver.close(self._path)
        except Exception:  # disconnected already; there is nothing to switch off
            return
        finally:
            self._driver.finalize()
