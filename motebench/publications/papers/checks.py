"""Checks of claims: their kinds, which values each looks at, and how it reads the words and round
numbers of a paper.

One rule reads them for all papers, fixed before anything is compared: a number stands for
everything that rounds to it, a word stands for a factor. ``docs/reference/papers.md`` says the rule
and describes every key.
"""

from __future__ import annotations

import re
from fractions import Fraction
from typing import Annotated, Any, Literal

from pydantic import Field, field_validator, model_validator

from motebench.base import quantities as dimensions
from motebench.base.units import METRICS, format_value
from motebench.catalog.schema import Record, Text

INFINITE = float("inf")
WORDS: dict[str, tuple[float, float]] = {
    "the same": (1 / 1.05, 1.05),
    "nearly the same": (1 / 1.1, 1.1),
    "more or less the same": (0.5, 2.0),
    "more": (1.0, INFINITE),
    "less": (0.0, 1.0),
    "much more": (2.0, INFINITE),
    "proportional": (0.95, 1.05),
}
"""Bounds of a ratio, by the word; ``proportional`` bounds the exponent over the size."""
_NUMBER = re.compile(
    r"(\d{1,15}(?:\.\d{1,15})?)(?:\s*(?:to|-)\s*(\d{1,15}(?:\.\d{1,15})?))?\s*(\S.*)?", re.ASCII
)
_VALID = f"a number (3, 7.9, 60 %, 15 to 25 %), or one of: {', '.join(WORDS)}"
Names = tuple[Text, ...]
Dimension = Literal["device", "operation", "size", "mode", "subject", "metric"]


class Selector(Record):
    """Selection of values: those that match every key. An empty key matches all.

    ``subjects``: names of ``[[subject]]``. ``operations``: encrypt, decrypt, sign, ... ``sizes``:
    bytes, as published. ``devices``: as published; values of our own are of the targets that were
    measured. ``metric``: a metric of motebench. ``implementations``, ``modes``: globs.
    """

    subjects: Names = ()
    operations: Names = ()
    sizes: tuple[int, ...] = ()
    devices: Names = ()
    metric: Text | None = None
    implementations: Names = ()
    modes: Names = ()


class _Check(Record):
    """``only``: what the check looks at. ``each``: it is made once for every value of these, and
    must hold for all.

    ``best``: of several implementations of a subject, only the one with the lowest value counts.
    """

    only: Selector = Selector()
    each: tuple[Dimension, ...] = ("device", "operation", "size")
    best: bool = False

    @property
    def read(self) -> str:
        """Interpretation of a number or a word of the paper; empty where the check reads none."""
        return ""


class _Bounds(_Check):
    """Bounds of a value: ``said``, a number or a word of the paper that `bounds` turns into bounds,
    or ``low`` and ``high``, where the paper itself states them.
    """

    said: str = ""
    low: float = 0.0
    high: float = float("inf")

    @model_validator(mode="before")
    @classmethod
    def _reads(cls, data: Any) -> Any:
        if not isinstance(data, dict) or not isinstance(data.get("said"), str):
            return data
        if "low" in data or "high" in data:
            raise ValueError("said and low or high are mutually exclusive: give one of them")
        low, high = bounds(data["said"], cls._unit(data))
        return {**data, "low": low, "high": high}

    @model_validator(mode="after")
    def _bounded(self) -> _Bounds:
        if not self.low < self.high:
            raise ValueError("low is not below high")
        return self

    @staticmethod
    def _unit(data: dict[str, Any]) -> str:
        """The unit of the bounds, by the keys of the check."""
        return str(data.get("unit", "1"))

    @property
    def read(self) -> str:
        """The bounds, if a word or a number of the paper gave them."""
        if not self.said:
            return ""
        return spoken(self.said, self.low, self.high, self._unit(self.model_dump()))


class ExtremeCheck(_Check):
    """``who`` have lower (``lowest``) or higher (``highest``) values than all of ``than``."""

    kind: Literal["lowest", "highest"]
    who: Names
    than: Names


class OrderCheck(_Check):
    """The values rise from left to right; subjects in one inner list have no order among each
    other.
    """

    kind: Literal["order"]
    order: tuple[Names, ...]


class RatioCheck(_Bounds):
    """A divided by B lies between ``low`` and ``high``."""

    kind: Literal["ratio"]
    a: Selector
    b: Selector


class ScalingCheck(_Check):
    """The value is proportional to size^exponent: from each size to the next, the exponent lies
    within ``exponent``.
    """

    kind: Literal["scales"]
    exponent: tuple[float, float] = WORDS["proportional"]

    @property
    def read(self) -> str:
        """The bounds of the exponent."""
        low, high = self.exponent
        return f"from each size to the next, the value grows as size^{low:g} to size^{high:g}"


class GrowthCheck(_Check):
    """The value rises from each size to the next."""

    kind: Literal["grows"]


class ConstantCheck(_Check):
    """Claim that the largest value is not much above the smallest, over the values of ``over``:
    ``said`` is the paper's word or its largest difference (``12 %``).
    """

    kind: Literal["constant"]
    over: tuple[Dimension, ...]
    said: Text

    @field_validator("said")
    @classmethod
    def _readable(cls, text: str) -> str:
        bounds(text)
        return text

    @property
    def within(self) -> float:
        """Largest relative excess of the largest value over the smallest: 0.05 is 5 %."""
        high = bounds(self.said)[1]
        return high - 1 if self.said in WORDS else high

    @property
    def read(self) -> str:
        """Interpretation of the claim: the largest excess over the smallest value."""
        return (
            f'"{self.said}" is read as: the largest is at most {self.within * 100:.3g} % above '
            "the smallest"
        )


class ApproachCheck(_Check):
    """The ratio of ``a`` to ``b`` is nearer to 1 at the largest size than at the smallest."""

    kind: Literal["approaches"]
    a: Text
    b: Text


class WideningCheck(_Check):
    """The ratio of ``a`` to ``b`` is larger on ``here`` than on ``there`` (devices as published, or
    targets).
    """

    kind: Literal["widens"]
    a: Text
    b: Text
    here: Names
    there: Names


class LevelCheck(_Bounds):
    """The value is between ``low`` and ``high``, in the unit of the metric: a statement about a
    device itself.
    """

    kind: Literal["level"]

    @staticmethod
    def _unit(data: dict[str, Any]) -> str:
        return (
            METRICS[data["only"]["metric"]].unit
            if (data.get("only") or {}).get("metric") in METRICS
            else "1"
        )


class SameOrderCheck(_Check):
    """Kendall's tau-b of the subjects between each two devices is at least ``least``."""

    kind: Literal["same-order"]
    least: float = 1.0


class FailureCheck(_Check):
    """Claim that more than ``share`` of the subjects cannot be measured at these sizes."""

    kind: Literal["fails"]
    share: float = 0.5


class AirtimeCheck(_Bounds):
    """Time divided by time on air lies between ``low`` and ``high``, for every spreading factor and
    size.
    """

    kind: Literal["airtime"]
    radio: Text
    sf: tuple[int, ...]
    bandwidth_khz: float


class AirtimeStepsCheck(_Check):
    """Claim on the share of payloads, up to ``most`` bytes, at which one more byte lengthens the
    packet.
    """

    kind: Literal["airtime-steps"]
    radio: Text
    sf: tuple[int, ...]
    bandwidth_khz: float
    most: int
    share: tuple[float, float]


class FormulaCheck(_Bounds):
    """An arithmetic expression over the paper's ``[quantity]``, in ``unit``, lies between ``low``
    and ``high``: not on our side."""

    kind: Literal["formula"]
    expression: Text
    unit: Text = "1"

    @field_validator("unit")
    @classmethod
    def _known_unit(cls, name: str) -> str:
        return known_unit(name)


class ExampleCheck(_Check):
    """A worked example: ``scheme`` (one block, ECB) turns ``input`` into ``output`` with ``key``,
    all in hex.
    """

    kind: Literal["answer"]
    scheme: Text
    key: Text
    input: Text
    output: Text
    decrypt: bool = False


class StandardCheck(_Check):
    """Claim that a standard settles: the statement ``holds`` or not, because of ``reason`` in
    ``source``.
    """

    kind: Literal["known"]
    holds: bool
    reason: Text
    source: Text


Check = Annotated[
    ExtremeCheck
    | OrderCheck
    | RatioCheck
    | ScalingCheck
    | GrowthCheck
    | ConstantCheck
    | ApproachCheck
    | WideningCheck
    | LevelCheck
    | SameOrderCheck
    | FailureCheck
    | AirtimeCheck
    | AirtimeStepsCheck
    | FormulaCheck
    | ExampleCheck
    | StandardCheck,
    Field(discriminator="kind"),
]


def known_unit(name: str) -> str:
    """Return ``name`` if it is a known unit; ValueError otherwise."""
    if dimensions.unit(name) is None:
        raise ValueError(
            f"unknown unit {name!r}; valid: s, ms, A, mA, V, W, J, Wh, B, kB, KiB, MB/s, cycles, "
            "% or 1"
        )
    return name


def selectors_of(check: Check) -> list[Selector]:
    """Every selector of a check."""
    return [check.only, check.a, check.b] if isinstance(check, RatioCheck) else [check.only]


def subjects_of(check: Check) -> list[str]:
    """Every subject that a check names."""
    subjects = list(check.only.subjects)
    if isinstance(check, ExtremeCheck):
        subjects += [*check.who, *check.than]
    elif isinstance(check, OrderCheck):
        subjects += [name for names in check.order for name in names]
    elif isinstance(check, RatioCheck):
        subjects += [*check.a.subjects, *check.b.subjects]
    elif isinstance(check, ApproachCheck | WideningCheck):
        subjects += [check.a, check.b]
    return subjects


def bounds(text: str, unit: str = "1") -> tuple[float, float]:
    """Range that ``text`` stands for, in ``unit``: ``3`` is 2.5 to 3.5, ``60 %`` is 0.55 to
    0.65.

    ValueError for anything that is neither a number with a known unit of that dimension nor a word.
    """
    if text in WORDS:
        return WORDS[text]
    match = _NUMBER.fullmatch(text.strip())
    printed = dimensions.unit(match[3] or unit) if match else None
    own = dimensions.unit(unit)
    if match is None or printed is None or own is None or printed.dimension != own.dimension:
        raise ValueError(
            f"{text!r} is neither a number in {unit} nor a word with a meaning; valid: {_VALID}"
        )
    low, high = match[1], match[2] or match[1]
    factor = printed.factor / own.factor
    return float((Fraction(low) - half(low)) * factor), float(
        (Fraction(high) + half(high)) * factor
    )


def half(number: str) -> Fraction:
    """Half a unit of the last digit; zeros at the end of a whole number are places, not digits: 500
    gives 50.
    """
    whole, _, places = number.partition(".")
    if places:
        return Fraction(1, 2 * int("1" + "0" * len(places)))
    digits = whole.rstrip("0")
    return Fraction(int("1" + "0" * (len(whole) - len(digits))), 2) if digits else Fraction(1, 2)


def spoken(text: str, low: float, high: float, unit: str = "") -> str:
    """The reading for people: ``"3" is read as 2.5 to 3.5``; empty for words that need none."""
    if text in ("more", "less"):
        return ""
    least, most = (
        f"{end:.4g}" if unit in ("", "1") else format_value(end, unit, 4) for end in (low, high)
    )
    if low <= 0:
        return f'"{text}" is read as at most {most}'
    if high == INFINITE:
        return f'"{text}" is read as at least {least}'
    return f'"{text}" is read as {least} to {most}'
