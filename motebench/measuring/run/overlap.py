"""Several processes at work at once: the window in which all of them certainly worked, and their rate in it. Pure.

Of each process we know when its request left and its reply came, by one clock for all of them, and by its own clock how
long it worked before, in and after its batches. What is left of the time between request and reply (transport, and work
between two batches) is the slack: so far may a batch have begun later than it could have at the earliest.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

FEWEST = 4
"""Batches of each process in the window."""
SHARE = 0.5
"""Least share of the longest process that the window covers."""


@dataclass(frozen=True, slots=True)
class Worked:
    """One process and one request, in seconds.

    ``sent``, ``came``: when the request left and the reply came. ``before``, ``after``: from the request to the first
    batch, from the last batch to the reply; ``batches``: the time of each. ``lost``: the places of those in which the
    process was without the processor.
    """

    sent: float
    came: float
    before: float
    after: float
    batches: tuple[float, ...]
    lost: frozenset[int] = frozenset()

    @property
    def slack(self) -> float:
        """How much later than at the earliest its batches may have been."""
        return max(0.0, self.came - self.sent - self.before - sum(self.batches) - self.after)

    def times(self) -> list[tuple[float, float]]:
        """Of each batch the earliest beginning and the latest end."""
        at, found = self.sent + self.before, []
        for seconds in self.batches:
            found.append((at, at + seconds + self.slack))
            at += seconds
        return found


@dataclass(frozen=True, slots=True)
class CommonWindow:
    """A time in which all processes certainly worked. ``inside``: of each process the places of the batches that
    certainly lie in it, from and to. ``quiet``: whether no process was without the processor in it."""

    begin: float
    end: float
    inside: tuple[range, ...]
    quiet: bool


def common(processes: Sequence[Worked]) -> CommonWindow | str:
    """The window of these processes, or in words why they did not work together for long enough.

    It is the longest part in which no process was without the processor; if that holds too few batches, it is the whole
    time in which all worked.
    """
    times = [each.times() for each in processes]
    begin = max(each.sent + each.before + each.slack for each in processes)
    end = min(each.sent + each.before + sum(each.batches) for each in processes)
    longest = max(sum(each.batches) + each.slack for each in processes)
    if not longest or end - begin < SHARE * longest:
        share = max(0.0, end - begin) / longest if longest else 0.0
        return f"all processes worked together for {share:.0%} of the time".replace("%", " %")
    lost = [found[place] for each, found in zip(processes, times, strict=True) for place in each.lost]
    low, high = max(_free(begin, end, lost), key=lambda gap: gap[1] - gap[0], default=(begin, begin))
    for window in (_window(low, high, times, quiet=True), _window(begin, end, times, quiet=not lost)):
        fewest = min(len(inside) for inside in window.inside)
        if fewest >= FEWEST:
            return window
    return f"a process finished {fewest} batches while all worked, {FEWEST} are needed"


def _free(begin: float, end: float, taken: Sequence[tuple[float, float]]) -> list[tuple[float, float]]:
    """The parts of the time that none of ``taken`` touches."""
    found = []
    for low, high in sorted(taken):
        if low > begin:
            found.append((begin, min(low, end)))
        begin = max(begin, high)
    return [gap for gap in [*found, (begin, end)] if gap[1] > gap[0]]


def _window(begin: float, end: float, times: Sequence[Sequence[tuple[float, float]]], *, quiet: bool) -> CommonWindow:
    inside = []
    for batches in times:
        # Both ends of the batches rise, so those that lie inside are neighbours.
        places = [place for place, (low, high) in enumerate(batches) if low >= begin and high <= end]
        inside.append(range(places[0], places[-1] + 1) if places else range(0))
    return CommonWindow(begin, end, tuple(inside), quiet)
