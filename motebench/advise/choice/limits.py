"""Hard limits on the cost of a candidate, and which of them would have to be relaxed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from motebench.advise.choice.model import Broken, Candidate, Estimate, SentBytes
from motebench.base.model import Scheme
from motebench.base.units import format_value
from motebench.catalog.lookup import block_limits
from motebench.results import formulas

_LONG_YEARS = 100.0
"""Years: a key that lasts longer needs no remark."""


@dataclass(frozen=True, slots=True)
class CostLimits:
    """Limits: bytes of flash and RAM, and seconds of processor time; None is no limit.

    ``of_device``: the limits that are the device's size and were not given by the user.
    """

    flash: int | None = None
    ram: int | None = None
    latency_s: float | None = None
    of_device: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class _Measure:
    name: str
    option: str
    figure: Estimate | None
    allowed: float | None

    def spell(self, value: float) -> str:
        return format_value(value * 1e9, "ns") if self.name == "latency" else f"{value:,.0f} B"


def _measures(candidate: Candidate, limits: CostLimits) -> Iterator[_Measure]:
    for measure in (
        _Measure("flash", "--flash", candidate.flash, limits.flash),
        _Measure("ram", "--ram", candidate.ram, limits.ram),
        _Measure("latency", "--max-latency", candidate.latency, limits.latency_s),
    ):
        if measure.allowed is not None and not (measure.figure is None and measure.name in limits.of_device):
            yield measure


def broken(candidate: Candidate, limits: CostLimits) -> list[Broken]:
    """The limits that a candidate certainly breaks: even the lower bound of its figure is above the limit."""
    found = []
    for measure in _measures(candidate, limits):
        allowed, figure = measure.allowed, measure.figure
        if allowed is None or (figure is None and any(entry for entry in candidate.offers if entry.failure)):
            continue
        unit = "s" if measure.name == "latency" else "B"
        if figure is None:
            words = f"its {measure.name} is unknown, and at most {measure.spell(allowed)} are allowed"
            found.append(Broken(measure.name, words, allowed, None, unit, measure.option))
        elif figure.value.low > allowed:
            over = measure.spell(figure.value.low - allowed)
            words = (
                f"{measure.spell(figure.value.low)} of {measure.name}, {over} more than the {measure.spell(allowed)}"
            )
            words += " that the device has" if measure.name in limits.of_device else " allowed"
            found.append(Broken(measure.name, words, allowed, figure.value.low, unit, measure.option))
    return found


def doubts(candidate: Candidate, limits: CostLimits) -> list[str]:
    """Limits that lie inside the bounds of a figure, so that it may break them."""
    return [
        f"{measure.name}: the limit of {measure.spell(measure.allowed)} is within its bounds, "
        f"{measure.spell(measure.figure.value.low)} to {measure.spell(measure.figure.value.high)}"
        for measure in _measures(candidate, limits)
        if measure.figure is not None
        and measure.allowed is not None
        and measure.figure.value.low <= measure.allowed < measure.figure.value.high
    ]


def data_limit(
    block_bits: int | None, scheme: Scheme, sent: SentBytes, life: Estimate | None, every_s: float | None
) -> tuple[list[Broken], list[str]]:
    """Whether one key may encrypt everything that the device will ever send, with blocks of that length."""
    rule = next((rule for rule in block_limits() if block_bits and block_bits <= rule.block_bits), None)
    if rule is None or every_s is None or not block_bits:
        return [], []
    block = block_bits // 8
    # Every message begins a new block. Authenticated modes encrypt each block twice, also nonce and length.
    passes = 2 if scheme.tag_bytes else 1
    blocks = passes * (-(-(sent.plaintext_bytes + sent.padding_bytes) // block) + 1)
    years = rule.limit_bytes / (blocks * block) * every_s / formulas.YEAR_S
    if life is not None and life.value.high > years:
        words = f"{block_bits}-bit blocks: one key lasts {years:.3g} years, the battery up to {life.value.high:.3g}"
        return [Broken("data-limit", words, years, life.value.high, "years", "--every")], []
    return [], [f"{block_bits}-bit blocks: a key lasts {years:.3g} years of messages"] if years < _LONG_YEARS else []


def nearest(rejected: Sequence[Candidate], count: int = 5) -> list[Candidate]:
    """Rejected candidates that are nearest to being admitted, one of each scheme: recommended schemes first, then those
    that break the fewest limits, then by the excess, then the more mature ones.

    A limit that no option can relax (a missing result) excludes a candidate.
    """
    near = [candidate for candidate in rejected if all(entry.option for entry in candidate.broken)]

    def distance(candidate: Candidate) -> tuple[int, int, int, float, int]:
        # A limit without numbers (a policy, a claim) is a decision of the user: numeric limits are relaxed first.
        excesses = [entry.excess for entry in candidate.broken]
        principles = sum(excess is None for excess in excesses)
        excess = sum(each or 0.0 for each in excesses)
        return principles, candidate.standing.tier, len(excesses), excess, candidate.standing.maturity

    best: dict[str, Candidate] = {}
    for candidate in sorted(near, key=distance):
        best.setdefault(candidate.scheme, candidate)
    return list(best.values())[:count]
