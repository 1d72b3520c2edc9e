"""Instruments that this machine polls for each reading."""

from __future__ import annotations

import time

from motebench.measuring.instruments.base import Clock


class Pace:
    """Waits until it is time for the next reading. A reading that is late does not make the next one early."""

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
