"""The document of ``motebench signing``: a set of messages signed or verified, or of keys
generated.

``docs/use/postquantum.md`` explains it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from motebench.base.shapes import Count

SCHEMA: Literal["motebench-signing-1"] = "motebench-signing-1"


@dataclass(frozen=True, slots=True, kw_only=True)
class SigningRow:
    """A scheme on a target; times in seconds. ``verify``: of hash-based signatures, an attempt is a
    step of a hash chain. ``keygen``: of RSA, with drawn keys for messages.
    """

    LEADING = ("scheme", "implementation", "target", "operation")

    scheme: str
    implementation: str
    target: str
    operation: Literal["sign", "verify", "keygen"]
    version: str
    evidence: Literal["measured", "simulated"]
    clock_hz: float | None
    """Clock of a board: cycles are times multiplied with it."""
    messages: Count
    """Or keys of ``keygen``."""
    first: Count
    """Seed of the first message; the others follow."""
    mean: float
    """With the attempts of these messages."""
    mean_low: float | None
    """95 % interval of ``keygen`` over all keys, by Student's t."""
    mean_high: float | None
    median: float
    p99: float
    """At least 99 of 100 messages take no longer."""
    longest: float
    attempts: float | None
    """Mean; null if the implementation draws random bytes."""
    expected_attempts: float | None
    """Over all messages, by the standard; of ``verify`` by the digits of hashes."""
    per_attempt: float | None
    """Slope of times over attempts."""
    beside: float | None
    """Time of work done once for each signature."""
    normalised: float | None
    """beside + per_attempt * expected_attempts."""
    unexplained: float | None
    """Largest share by which a time differs from that line."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SigningEntry:
    """Document of `motebench signing --json`."""

    schema: Literal["motebench-signing-1"] = SCHEMA
    rows: tuple[SigningRow, ...]
    failures: tuple[str, ...]
