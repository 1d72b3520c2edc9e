"""What a signature takes on average where the number of attempts is random (ML-DSA): ``catalog/signing/<device>.toml``.

The typical time is the mean with the attempts that are expected, which counts for energy and life. The bounds are those
of one signature: the first attempt fits, and the 99th percentile.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import cache

from pydantic import Field

from motebench.advise.choice.model import Point, SchemeOffer
from motebench.base.files import toml
from motebench.base.interval import Interval
from motebench.base.model import Operation
from motebench.base.paths import catalog_dir
from motebench.catalog.quantities import PositiveBounds
from motebench.catalog.schema import Count, Record, Source, Text
from motebench.documents.choice import ReferenceOrigin

_MESSAGE = 32
"""Bytes of the messages that were signed."""


class SigningAttempts(Record):
    """The mean number of attempts of the messages that were signed, and the one that the standard expects."""

    drawn: float = Field(gt=0)
    expected: float = Field(gt=0)


class Signature(Record):
    """Cycles of a signature: the mean with the expected attempts, each attempt, what is beside them, and the 99th
    percentile."""

    scheme: Text
    implementation: Text
    mean_cycles: Count
    attempt_cycles: Count
    beside_cycles: Count
    p99_cycles: Count
    messages: Count
    attempts: SigningAttempts
    stack_bytes: PositiveBounds
    source: Source

    @property
    def cycles(self) -> Interval:
        """Of one signature; the typical value is the mean."""
        return Interval(
            float(self.beside_cycles + self.attempt_cycles), float(self.mean_cycles), float(self.p99_cycles)
        )


class _SigningFile(Record):
    target: Text
    signatures: tuple[Signature, ...]


@cache
def _known() -> dict[tuple[str, str, str], tuple[Signature, str]]:
    found = {}
    for path in sorted((catalog_dir() / "signing").glob("*.toml")):
        file = toml.validate(toml.load(path), _SigningFile)
        for one in file.signatures:
            found[file.target, one.scheme, one.implementation] = one, f"catalog/signing/{path.name}"
    return found


def with_signatures(target: str, offers: Iterable[SchemeOffer], hz: float, factor: Interval) -> Iterator[SchemeOffer]:
    """The offers with what is known of signatures on that board; of those that are signed already nothing changes.

    ``factor``: what times of the board are multiplied by. Flash and state are those of the firmware that verifies,
    which also signs.
    """
    for offer in offers:
        signature, file = _known().get((target, offer.scheme, offer.implementation), (None, ""))
        checked = offer.points.get((Operation.VERIFY.value, _MESSAGE))
        if signature is None or checked is None or offer.sizes(Operation.SIGN):
            yield offer
            continue
        origin = ReferenceOrigin(
            file=file,
            target=target,
            scheme=offer.scheme,
            implementation=offer.implementation,
            operation=Operation.SIGN,
            input_bytes=_MESSAGE,
            compiler=None,
            cycles=signature.mean_cycles,
        )
        memory = {**checked.memory, "stack": signature.stack_bytes.interval}
        point = Point(signature.cycles * (1 / hz) * factor, memory, origin)
        yield replace(offer, points={**offer.points, (Operation.SIGN.value, _MESSAGE): point})
