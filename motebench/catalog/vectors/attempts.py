"""How many attempts the signature of a message takes: ``catalog/attempts/<scheme>.json``.

A deterministic signature of one message with one key takes the same number of attempts wherever it is made.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from motebench.base.paths import catalog_dir
from motebench.catalog.vectors.fields import object_of

MESSAGE_BYTES = 32
"""The messages are 32 bytes of the fill stream with the seeds 1, 2, ..., without a context."""


@dataclass(frozen=True, slots=True)
class Attempts:
    """``of_seed[0]`` is the number of attempts of the message with seed 1. ``expected``: the mean that the standard
    states, over all messages and keys."""

    expected: float
    source: str
    of_seed: tuple[int, ...]


@cache
def attempts(scheme: str) -> Attempts | None:
    """The attempts of a scheme with its test key; None if the catalog has none. InputError if its file is wrong."""
    path = catalog_dir() / "attempts" / f"{scheme}.json"
    if not path.is_file():
        return None
    node = object_of(path)
    expected, counts = node.value.get("expected"), node.value.get("attempts")
    if not isinstance(expected, float) or expected < 1:
        raise node.fail("expected", "not a number of attempts", "a number of 1 or more, such as 4.25")
    if not isinstance(counts, list) or not all(isinstance(one, int) and one > 0 for one in counts):
        raise node.fail("attempts", "not a list of numbers of attempts", "a list of whole numbers of 1 or more")
    return Attempts(expected, node.text("expected_source"), tuple(counts))


def with_attempts() -> list[str]:
    """The schemes whose attempts are known."""
    return sorted(path.stem for path in (catalog_dir() / "attempts").glob("*.json"))
