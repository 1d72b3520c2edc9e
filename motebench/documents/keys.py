"""Keys and nonces of a choice: when to change a key, what a counter costs, how likely a forgery is."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from motebench.base.shapes import one_of

KINDS = ("key-change", "random-nonce", "counter", "forgery")


@dataclass(frozen=True, slots=True, kw_only=True)
class KeyFact:
    """One figure with its formula and source.

    ``key-change``: days until a key has to be changed, null if it never has to at this rate. ``random-nonce``: the
    probability that two of all nonces are equal if they were random. ``counter``: years until the memory that keeps the
    counter is worn out. ``forgery``: the probability that one of all tries of a year succeeds; of one try without a
    radio.
    """

    kind: Annotated[str, one_of(KINDS)]
    value: float | None
    unit: Annotated[str, one_of(("days", "years", "probability"))]
    words: str
    formula: str
    source: str
    unverified: bool
    """Whether a figure in it was not seen in the source."""


@dataclass(frozen=True, slots=True, kw_only=True)
class KeysEntry:
    """The keys and nonces of a candidate. ``years``: of service that it is for, and ``basis``: why that long."""

    scheme: str
    implementation: str
    years: float
    basis: str
    facts: tuple[KeyFact, ...]
