"""Common parts of benchmarks beside another program: turns, the other program beside itself (A/A),
and the verdict.

A reading is a triple: the other program, the same program once more, and motebench, all three at
about the same time and in random order. Of the triples of a cell come two ratios with 95 %
intervals: motebench by the other program, and the other program by itself. The second one is what
the machine allowed to see: it would be 1 without noise.
"""

from __future__ import annotations

import os
import random
import re
import signal
import subprocess
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from enum import Enum
from math import sqrt
from pathlib import Path
from statistics import median
from typing import TypeVar

from common import table

from motebench.stats import Description, describe

Value = TypeVar("Value")
MET, MISSED, NOISY = 0, 1, 3
"""Exit statuses: no cell differs; a cell does; none does, but of some the machine was too noisy to
tell.
"""
FEWEST = 6
"""Triples: fewer have no 95 % interval."""
BUSY = 0.25
"""Share of the time during which something waited for a processor, beyond which times by the wall
clock say nothing.
"""


@dataclass(frozen=True)
class Triple:
    """Three readings of about the same moment, in the same unit. ``waited``: the share of the time
    in which something waited for a processor, where the other program goes by the wall clock."""

    theirs: float
    again: float
    ours: float
    waited: float = 0.0

    @property
    def ratio(self) -> float:
        """motebench by the other program."""
        return self.ours / sqrt(self.theirs * self.again)

    @property
    def same(self) -> float:
        """Reading of the other program."""
        return self.again / self.theirs


class Outcome(Enum):
    """Outcome of a cell's triples."""

    DIFFERS = "differs"
    SAME = "does not differ"
    NOISY = "too noisy"


@dataclass(frozen=True)
class Beside:
    """Readings of motebench and another program in one cell. ``limit``: the relative difference
    that must be visible.
    """

    triples: tuple[Triple, ...]
    limit: float

    @property
    def ratio(self) -> Description:
        """motebench by the other program."""
        return describe([triple.ratio for triple in self.triples])

    @property
    def same(self) -> Description:
        """Statistics of the other program against itself."""
        return describe([triple.same for triple in self.triples])

    @property
    def outcome(self) -> Outcome:
        """Outcome of a pair.

        It differs if its interval is wholly further from 1 than any point of the interval of A/A.
        If not, the machine is too noisy if either interval reaches further than the limit; and
        whenever it was busy meanwhile: the wall clock of the other program counts that, batches of
        a run that lost the processor are left out.
        """
        if median(triple.waited for triple in self.triples) > BUSY:
            return Outcome.NOISY
        low, high = _interval(self.ratio)
        least, most = _interval(self.same)
        seen = max(most - 1, 1 - least)
        if low > 1 + seen or high < 1 - seen:
            return Outcome.DIFFERS
        width = max(high - self.ratio.median, self.ratio.median - low, seen)
        return Outcome.NOISY if width > self.limit else Outcome.SAME

    def cells(self) -> list[str]:
        """The columns of `HEAD`."""
        return [_percent(self.ratio), _percent(self.same), self.outcome.value]

    def medians(self) -> tuple[float, float]:
        """Medians of the other program, and of motebench."""
        theirs = [reading for triple in self.triples for reading in (triple.theirs, triple.again)]
        return median(theirs), median(triple.ours for triple in self.triples)


HEAD = ("ratio", "A/A", "verdict")


def _interval(values: Description) -> tuple[float, float]:
    if values.ci_low is None or values.ci_high is None:
        return 0.0, float("inf")
    return values.ci_low, values.ci_high


def _percent(values: Description) -> str:
    low, high = _interval(values)
    off = f"{100 * (values.median - 1):+.1f} %"
    return (
        off
        if values.ci_low is None
        else f"{off} ({100 * (low - 1):+.1f} to {100 * (high - 1):+.1f})"
    )


def waited() -> float:
    """Seconds since the start of the machine in which something waited for a processor; 0 where it
    does not tell.
    """
    pressure = Path("/proc/pressure/cpu")
    found = re.search(r"^some .*total=(\d+)", pressure.read_text()) if pressure.exists() else None
    return int(found[1]) / 1e6 if found else 0.0


def in_turn(theirs: Callable[[], Value], ours: Callable[[], Value]) -> tuple[Value, Value, Value]:
    """The other program twice and motebench once, in random order: theirs, theirs again, ours."""
    asked: list[Callable[[], Value]] = [theirs, theirs, ours]
    readings: dict[int, Value] = {}
    for place in random.sample(range(3), 3):
        readings[place] = asked[place]()
    return readings[0], readings[1], readings[2]


def summary(outcomes: Iterable[Outcome], limit: float) -> tuple[str, int]:
    """The line below the table, and the exit status."""
    counted = list(outcomes)
    differing, noisy = counted.count(Outcome.DIFFERS), counted.count(Outcome.NOISY)
    line = (
        f"{differing} of {len(counted)} cells differ by more than their A/A; "
        f"{counted.count(Outcome.SAME)} do not; "
        f"of {noisy} the machine was too noisy to see {100 * limit:g} %"
    )
    return line, MISSED if differing else NOISY if noisy else MET


def report(
    head: Sequence[str], rows: Sequence[tuple[Sequence[str], Beside]], *, left: int, limit: float
) -> int:
    """Print the table and its summary; the exit status."""
    lines = [[*cells, *beside.cells()] for cells, beside in rows]
    print(table([*head, *HEAD], lines, left=left))
    line, status = summary((beside.outcome for _, beside in rows), limit)
    print(f"\n{line}")
    return status


class Held:
    """A program that works only in its turns; between them it is stopped (SIGSTOP).

    It begins when a line on its standard error matches ``begun``. A program that measures by its
    own processor time does not notice the rest.
    """

    def __init__(self, command: Sequence[str], begun: re.Pattern[str]) -> None:
        self.command = command
        self._process = subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        )
        assert self._process.stderr is not None
        self._said = []
        for line in self._process.stderr:
            self._said.append(line)
            if begun.search(line):
                self._process.send_signal(signal.SIGSTOP)
                return
        raise SystemExit(
            f"{' '.join(command)} ended with {self._process.wait()}: {''.join(self._said)}"
        )

    def turn(self, seconds: float) -> None:
        """Let it work so long."""
        self._process.send_signal(signal.SIGCONT)
        time.sleep(seconds)
        self._process.send_signal(signal.SIGSTOP)

    def end(self) -> str:
        """Wait for the end of the program; return its output, standard error last. Ends the
        benchmark if it fails.
        """
        self._process.send_signal(signal.SIGCONT)
        out, rest = self._process.communicate()
        text = out + "".join(self._said) + rest
        if self._process.returncode:
            raise SystemExit(
                f"{' '.join(self.command)} ended with {self._process.returncode}: {text}"
            )
        return text

    def kill(self) -> None:
        """End it at once, if it has not ended."""
        if self._process.poll() is None:
            self._process.kill()
            self._process.communicate()


def on_one_processor() -> int:
    """Keep this benchmark and its children on one processor, the last one that it may use; return
    its number.
    """
    chosen = max(os.sched_getaffinity(0))
    os.sched_setaffinity(0, {chosen})
    return chosen
