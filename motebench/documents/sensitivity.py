"""What decides a choice: the effect of each input, and where the first place changes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from motebench.base.shapes import Must, one_of


@dataclass(frozen=True, slots=True, kw_only=True)
class SensitiveEnd:
    """The answer with one input at one end."""

    value: float
    words: str
    criterion: float | None
    """Of the candidate that is first as the question stands; null if that input does not allow it."""
    criterion_of_first: float | None
    """Of the candidate that is first there."""
    first: str | None
    """The first candidate there; null if none keeps all limits."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SensitiveInput:
    """One input, and its effect."""

    input: str
    words: str
    basis: Annotated[str, one_of(("bounds", "chosen", "options"))]
    """bounds: over those of its source; chosen: from half to double; options: the others that there are."""
    unit: str
    value: float
    low: SensitiveEnd
    high: SensitiveEnd
    factor: Annotated[float, Must(minimum=1)] | None
    """The largest criterion of both ends and of the question as it stands, by the smallest. At an end that the first
    candidate does not allow, that of the candidate that is first there counts."""
    changes: bool
    """Whether the first place changes at one of the ends."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SensitiveFlip:
    """A value of an input at which the first place changes, or at which two candidates stop being equal."""

    input: str
    unit: str
    value: float
    below: str | None
    above: str | None
    words: str


@dataclass(frozen=True, slots=True, kw_only=True)
class SensitivityEntry:
    """``inputs``: the most effective first. ``flips``: by input, in rising order."""

    criterion: Annotated[str, one_of(("life", "energy", "latency"))]
    unit: Annotated[str, one_of(("years", "J", "s"))]
    first: str
    typical: float
    rival: str | None
    """The best candidate of another scheme, whose equality with the first one is followed."""
    inputs: tuple[SensitiveInput, ...]
    flips: tuple[SensitiveFlip, ...]
    looked: tuple[str, ...]
    """The range of each input in which flips were sought."""
