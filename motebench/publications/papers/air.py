"""Checks of claims that weigh computing against time on air."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import pairwise

from motebench.advise.radio.airtime import Modulation, lora
from motebench.catalog.radios import RADIOS
from motebench.publications.papers.cells import ClaimValue
from motebench.publications.papers.model import AirtimeCheck, AirtimeStepsCheck
from motebench.publications.papers.verdict import CheckOutcome, no, within, yes

_NS = 1e9
_LONGEST = 255
"""Bytes of the longest LoRa payload."""


def seconds_on_air(name: str, sf: int, bandwidth_khz: float, payload: int) -> float:
    """Seconds of a packet of ``payload`` bytes with the usual settings: 8 symbols, 4/5, header and CRC."""
    return lora(Modulation(sf, Fraction(str(bandwidth_khz))), payload, RADIOS.find(name)).seconds


def against(check: AirtimeCheck, where: str, cell: ClaimValue) -> Iterator[CheckOutcome]:
    """Time of a case over the time on air of a payload of its size, for each spreading factor that can carry it."""
    if cell.metric != "time" or cell.size > _LONGEST:
        return
    for sf in check.sf:
        air = seconds_on_air(check.radio, sf, check.bandwidth_khz, cell.size)
        value = cell.value
        ratio = value.value / _NS / air
        ends = [None if end is None else end / _NS / air for end in (value.low, value.high)]
        named = f"{where} by {cell.implementation}" if cell.implementation else where
        words = f"{named}, SF{sf}: {cell.words} / {air * 1000:.1f} ms on air = {ratio:.3g}"
        yield within(check.low, check.high, ends[0], ends[1], words)


def steps(check: AirtimeStepsCheck) -> Iterator[CheckOutcome]:
    """Of all lengths, how often one more byte makes the packet longer."""
    for sf in check.sf:
        times = [seconds_on_air(check.radio, sf, check.bandwidth_khz, size) for size in range(1, check.most + 1)]
        longer = [after - before for before, after in pairwise(times) if after > before]
        share = len(longer) / (len(times) - 1)
        low, high = check.share
        step = f", each step {longer[0] * 1000:.1f} ms" if longer else ""
        words = f"SF{sf}: {share:.0%} of increments by one byte lengthen the packet{step}"
        yield yes(words) if low <= share <= high else no(words)
