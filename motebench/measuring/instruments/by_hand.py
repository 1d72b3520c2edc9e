"""A meter that the user reads: the terminal asks for a reading at the start and the end of idling and work."""

from __future__ import annotations

import sys

from motebench.base.errors import InputError
from motebench.base.units import parse_quantity
from motebench.measuring.instruments.base import WHERE, Clock, Info, InstrumentLost, PowerSample, Shape, read

_JOULES_PER_WH = 3600.0


class ByHand:
    """An `Instrument`. Setting: ``digit``, the step of the last digit."""

    def __init__(self, text: str) -> None:
        digit = read(text, ("digit",)).get("digit")
        if digit is None:
            raise InputError(
                "the step of the meter's last digit is missing", where=WHERE, valid="by-hand:0.01Wh, by-hand:1J"
            )
        step = parse_quantity(digit, "Wh", where=f"{WHERE}: digit")
        if step <= 0:
            raise InputError(f"the step of the last digit is {digit}", where=WHERE, valid="more than 0")
        self.info = Info(
            name="by-hand",
            measures="what is plugged into the meter, with its power supply",
            shape=Shape.MEAN,
            rate_hz=None,
            accuracy=None,
            accuracy_of="no accuracy is known for a meter that is read by hand; the bounds include its last digit",
            resolution_j=step * _JOULES_PER_WH,
            counts=True,
        )
        self._last: tuple[float, float] | None = None

    def start(self, clock: Clock) -> None:
        """Begin."""
        self._clock = clock

    def read(self) -> list[PowerSample]:
        """Ask until a plausible energy is entered. InstrumentLost at the end of the input."""
        while True:
            print("energy on the meter now, for example 12.34Wh: ", end="", file=sys.stderr, flush=True)
            line = sys.stdin.readline()
            now = self._clock()
            if not line:
                raise InstrumentLost("no reading was entered")
            try:
                joules = parse_quantity(line.strip(), "Wh", where="reading") * _JOULES_PER_WH
            except InputError as error:
                print(error, file=sys.stderr)
                continue
            if self._last is None:
                self._last = now, joules
                return [PowerSample(now, 0.0)]
            t, before = self._last
            if joules < before:
                print("that is less than before; meters count upwards", file=sys.stderr)
                continue
            self._last = now, joules
            return [PowerSample(now, (joules - before) / (now - t))]

    def stop(self) -> None:
        """Nothing to release."""
