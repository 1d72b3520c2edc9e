"""Streams written from a formula, so that their energy is known exactly, and stand-ins for
instruments.
"""

from __future__ import annotations

import math
from dataclasses import replace
from itertools import pairwise

from motebench.measuring.instruments.base import Info, InstrumentLost, PowerSample, Shape
from motebench.measuring.instruments.recorder import Recorder
from motebench.measuring.instruments.recording import BATCH, COMPLETE, IDLE, Recording, Window


def info(shape=Shape.POINT, rate=100.0, **more):
    return Info(
        "made up", "nothing", shape, rate, **{"accuracy": None, "accuracy_of": "made up", **more}
    )


def stream(power, seconds, rate=100.0, start=0.0):
    """Samples of a power that is a function of time."""
    return [
        PowerSample(start + index / rate, power(start + index / rate))
        for index in range(round(seconds * rate) + 1)
    ]


def without(samples, first, last):
    """The same with the samples from ``first`` to ``last`` seconds gone."""
    return [sample for sample in samples if not first <= sample.t <= last]


def worked(t):
    """1 W while idle; from 2 s to 5 s, 3 W."""
    return 3.0 if 2.0 <= t < 5.0 else 1.0


def recording(samples=None, known=None, iterations=1000, ended=COMPLETE, about=None):
    """Idle for 2 s, three batches of 1 s, idle for 2 s."""
    windows = [
        Window(IDLE, 0.0, 1.9),
        *(Window(BATCH, 2.0 + n, 3.0 + n, iterations) for n in range(3)),
    ]
    windows.append(Window(IDLE, 5.1, 7.0))
    samples = samples if samples is not None else stream(worked, 7.0)
    return Recording(known or info(), about or {"input_bytes": 16}, samples, windows, ended)


class Scripted:
    """Instrument with scripted readings, which is then lost if the script says so. Time is the
    recorder's.
    """

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


IDLE_W, BUSY_W, PERIOD_S = 1.0, 3.0, 0.002
IDLE_S, BATCH_S, GAP_S = 0.6, 0.2, 0.01
"""Seconds of a recording of `quiet_machine`: between two samples, and of its windows and the gaps
between them.
"""


def quiet_machine(monkeypatch):
    """Fixture: complete recordings become those of a machine without delays."""
    stop = Recorder.stop

    def stopped(self, interrupted=None):
        found = stop(self, interrupted)
        return found if self.lost else _planted(found)

    monkeypatch.setattr(Recorder, "stop", stopped)


def _planted(recording):
    """3 W in batches of 0.2 s, 1 W between them and while idle, read each 2 ms.

    On a busy machine, readings are late and batches last a fraction or ten times of what was
    planned. What `analyse` then says is true, but no test can expect it.
    """
    t = 0.0
    for place, window in enumerate(recording.windows):
        length = BATCH_S if window.name == BATCH else IDLE_S
        recording.windows[place] = replace(window, t0=t, t1=t + length, edge_s=0.0)
        t += length + GAP_S
    batches = recording.named(BATCH)
    energies = [
        IDLE_W * t
        + (BUSY_W - IDLE_W) * sum(min(max(t - batch.t0, 0.0), BATCH_S) for batch in batches)
        for t in (PERIOD_S * step for step in range(math.ceil(t / PERIOD_S) + 2))
    ]
    recording.samples[:] = [
        PowerSample(PERIOD_S * (step + 1), (later - earlier) / PERIOD_S)
        for step, (earlier, later) in enumerate(pairwise(energies))
    ]
    return recording
