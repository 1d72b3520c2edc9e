"""Streams written from a formula, so that their energy is known exactly, and stand-ins for instruments."""

from __future__ import annotations

from motebench.measuring.instruments.base import Info, InstrumentLost, PowerSample, Shape
from motebench.measuring.instruments.recording import BATCH, COMPLETE, IDLE, Recording, Window


def info(shape=Shape.POINT, rate=100.0, **more):
    return Info("made up", "nothing", shape, rate, **{"accuracy": None, "accuracy_of": "made up", **more})


def stream(power, seconds, rate=100.0, start=0.0):
    """Samples of a power that is a function of time."""
    return [
        PowerSample(start + index / rate, power(start + index / rate)) for index in range(round(seconds * rate) + 1)
    ]


def without(samples, first, last):
    """The same with the samples from ``first`` to ``last`` seconds gone."""
    return [sample for sample in samples if not first <= sample.t <= last]


def worked(t):
    """1 W while idle; from 2 s to 5 s, 3 W."""
    return 3.0 if 2.0 <= t < 5.0 else 1.0


def recording(samples=None, known=None, iterations=1000, ended=COMPLETE, about=None):
    """Idle for 2 s, three batches of 1 s, idle for 2 s."""
    windows = [Window(IDLE, 0.0, 1.9), *(Window(BATCH, 2.0 + n, 3.0 + n, iterations) for n in range(3))]
    windows.append(Window(IDLE, 5.1, 7.0))
    samples = samples if samples is not None else stream(worked, 7.0)
    return Recording(known or info(), about or {"input_bytes": 16}, samples, windows, ended)


class Scripted:
    """An instrument that gives what it is told to, then is lost if it is told so. Time is the recorder's."""

    def __init__(self, known, watts, *, lost_after=None, error=None):
        self.info = known
        self._watts = watts
        self._left = lost_after
        self._error = error or InstrumentLost("it is unplugged")
        self.stopped = False

    def start(self, clock):
        self._clock = clock

    def read(self):
        import time

        time.sleep(self.info.period_s)
        if self._left is not None:
            self._left -= 1
            if self._left < 0:
                raise self._error
        now = self._clock()
        return [PowerSample(now, self._watts(now))]

    def stop(self):
        self.stopped = True
