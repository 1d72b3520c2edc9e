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
    """One scheme of one implementation on one target. Times are in seconds.

    ``verify`` is of hash-based signatures: what counts as an attempt is one step of a hash chain.
    ``keygen`` is of RSA: keys in the place of messages, each drawn; its attempts, candidates for
    primes, are not known.
    """

    LEADING = ("scheme", "implementation", "target", "operation")

    scheme: str
    implementation: str
    target: str
    operation: Literal["sign", "verify", "keygen"]
    version: str
    evidence: Literal["measured", "simulated"]
    clock_hz: float | None
    """Of a board: cycles are times multiplied with it; null on a host."""
    messages: Count
    """Messages, or keys of ``keygen``."""
    first: Count
    """Seed of the first message; the others follow. 1 of ``keygen``."""
    mean: float
    """Of this set of messages, with the attempts that they happen to take."""
    mean_low: float | None
    """Of ``keygen``: begin of the 95 % interval of the mean over all keys, by Student's t; else
    null.
    """
    mean_high: float | None
    median: float
    p99: float
    """The smallest time that at least 99 of 100 messages do not exceed."""
    longest: float
    attempts: float | None
    """Mean attempts of this set; null if the implementation draws random bytes, so that nobody can
    count them.
    """
    expected_attempts: float | None
    """Mean attempts over all messages, as the standard states; of ``verify`` as follows from the
    digits of hashes; null of ``keygen``."""
    per_attempt: float | None
    """Time of one attempt: the slope of the times over the attempts."""
    beside: float | None
    """Time of what is done once for each signature."""
    normalised: float | None
    """Mean time with the expected attempts: beside + per_attempt * expected_attempts."""
    unexplained: float | None
    """Largest share by which a time differs from the line through all of them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SigningEntry:
    """Costs of signing, by target, implementation and scheme."""

    schema: Literal["motebench-signing-1"] = SCHEMA
    rows: tuple[SigningRow, ...]
    failures: tuple[str, ...]
    """Cases without a number, with the reason."""
