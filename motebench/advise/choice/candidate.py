"""Forms of a choice on their way from a result to the document.

1. `SchemeOffer`: the results of one implementation of one scheme.
2. `Candidate`: one offer or two that protect a message, with time, flash and RAM.
3. `Judged`: the candidate on the device's radio and battery, with everything that speaks against
   it.
4. `RankedCandidate`: its place among the others.
5. `documents.choice.CandidateEntry`: what is printed.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from motebench.advise.radio.link import EnergyPart
from motebench.advise.reference.table import ShownFlow
from motebench.base.model import Evidence, Scheme
from motebench.base.naming import plain, variant_marks
from motebench.base.quantities import UNCHANGED, Interval
from motebench.catalog.libraries import Maturity
from motebench.catalog.proof import PlaceBounds
from motebench.documents.choice import ReferenceOrigin, RunOrigin, timing_words

UNJUDGED, AGAINST = 1, 2
"""Tiers (see ``Standing``): not recommended for new designs, and the first tier that is advised
against.
"""

NONE = "none"
"""Implementation of a scheme without results on the device."""
Origin = ReferenceOrigin | RunOrigin
"""The measurement behind a number."""


@dataclass(frozen=True, slots=True)
class Estimate:
    """Number with its bounds, its source, and the measurements behind it."""

    value: Interval
    unit: str
    evidence: Evidence
    origins: tuple[Origin, ...] = ()
    note: str = ""


@dataclass(frozen=True, slots=True)
class Point:
    """The cost of one operation on one size: seconds, and the bytes of each known kind of memory.

    ``seconds`` are those of one place of the code, ``places`` what others make of them; None where
    no place moves them.
    """

    seconds: Interval
    memory: Mapping[str, Interval]
    origin: Origin
    places: PlaceBounds | None = None
    of_chip: Interval = UNCHANGED
    """The factor in ``seconds`` that is not known of the chip, and is the same for all code on it.
    """


@dataclass(frozen=True, slots=True)
class TimeShare:
    """A part of a candidate's time: ``seconds`` times the factor of the chip, which all candidates
    share.
    """

    seconds: Interval
    of_chip: Interval


@dataclass(frozen=True, slots=True)
class Cost:
    """Seconds and memory of one operation, with the measurements behind them.

    ``note``: how they follow from others. ``places``: over which places of the code the bounds are.
    ``of_chip``: the factor in ``seconds`` that all code on the chip shares.
    """

    seconds: Interval
    memory: Mapping[str, Interval]
    evidence: Evidence
    origins: tuple[Origin, ...]
    note: str = ""
    places: str = ""
    of_chip: Interval = UNCHANGED

    @property
    def share(self) -> TimeShare:
        """Time without the factor of the chip."""
        own = sorted(
            getattr(self.seconds, end) / getattr(self.of_chip, end)
            for end in ("low", "typical", "high")
        )
        return TimeShare(Interval(*own), self.of_chip)


@dataclass(frozen=True, slots=True)
class SchemeOffer:
    """The results of one implementation of one scheme by operation and input size, or the reason
    why there are none.

    ``already``: what of its flash is not counted, because the product has the code; empty if
    nothing is. ``outdated``: its branch of the library gets no corrections, and the supported
    branch has results for the scheme. ``carried``: target whose results these are, because nothing
    was measured on the device; empty for others.
    """

    scheme: str
    implementation: str
    evidence: Evidence
    points: Mapping[tuple[str, int], Point] = field(default_factory=dict)
    failure: str | None = None
    already: str = ""
    outdated: bool = False
    carried: str = ""
    hashing: tuple[SchemeOffer, ...] = ()
    """Results of the hash in a signature, from which other lengths of messages follow."""
    beside: tuple[EnergyPart, ...] = ()
    """Consumers of current in addition to the processor while it waits: a secure element."""
    beside_of: Callable[[int], tuple[EnergyPart, ...]] | None = None
    """Consumers by the length of the message (bytes), instead of ``beside``; None if the length
    does not matter.
    """
    known: dict[tuple[str, int], Cost | None] = field(
        default_factory=dict, init=False, compare=False, repr=False
    )
    """Costs that were computed before, by operation and size."""

    def drawing(self, size: int) -> tuple[EnergyPart, ...]:
        """Consumers of current in addition to the processor for a message of ``size`` bytes."""
        return self.beside if self.beside_of is None else self.beside_of(size)

    @property
    def library(self) -> str:
        """Library of the implementation, with the variant if the name has one and no cipher:
        ``mote`` of ``mote/aes``.
        """
        return self.implementation.partition("/")[0]

    @property
    def level(self) -> str:
        """The optimisation level of a result that is not at that of all firmware: ``@O2``; empty
        for others."""
        return variant_marks(self.implementation)

    @property
    def build(self) -> tuple[str, str]:
        """Library and level: code of one build."""
        return self.library, self.level

    def sizes(self, operation: str) -> list[int]:
        """The sizes that have results, in rising order."""
        return sorted(size for name, size in self.points if name == operation)


@dataclass(frozen=True, slots=True)
class Offers:
    """Offers of one source for a device, with remarks."""

    offers: tuple[SchemeOffer, ...]
    notes: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Broken:
    """A limit that a candidate breaks.

    ``limit`` is its fixed name. ``allowed`` and ``value`` are numbers in ``unit``, if there are
    any. ``option`` relaxes the limit.
    """

    limit: str
    words: str
    allowed: float | None = None
    value: float | None = None
    unit: str = ""
    option: str = ""

    @property
    def excess(self) -> float | None:
        """The excess as a share of the limit; None if no numbers are compared."""
        if self.allowed is None or self.value is None:
            return None
        return abs(self.value - self.allowed) / self.allowed if self.allowed else float("inf")


@dataclass(frozen=True, slots=True)
class SentBytes:
    """Bytes that are sent, and ``received_bytes``, which come from the other side.

    ``broken``: the limit that a length of the tag breaks.
    """

    plaintext_bytes: int
    padding_bytes: int
    nonce_bytes: int
    tag_bytes: int
    broken: tuple[Broken, ...] = ()
    notes: tuple[str, ...] = ()
    signature_bytes: int = 0
    key_bytes: int = 0
    ciphertext_bytes: int = 0
    received_bytes: int = 0

    @property
    def total_bytes(self) -> int:
        """Bytes to send, with nonce and tag, signature, key and ciphertext."""
        of_message = self.plaintext_bytes + self.padding_bytes + self.nonce_bytes + self.tag_bytes
        return of_message + self.signature_bytes + self.key_bytes + self.ciphertext_bytes


@dataclass(frozen=True, slots=True)
class Standing:
    """The security status of a candidate's schemes today.

    ``tier``: 0 for schemes that a body recommends; 1 for schemes without a verdict, with short
    blocks, or with an announced verdict against them; 2 for schemes that a body advises against, or
    that are weak; 3 for schemes that are withdrawn, disallowed, prohibited or broken.
    ``maturity``: of the least mature implementation; ``made_by``: what is known of each library.
    ``later``: it comes after the other schemes of its tier, because it is made for the time after
    them (see ``Standings``). ``constant_time``: the claim, unless ``secret_flow`` refutes it.
    """

    tier: int
    words: tuple[str, ...]
    strength_bits: int | None
    constant_time: str | None
    maturity: Maturity
    made_by: tuple[str, ...]
    broken: tuple[Broken, ...] = ()
    later: bool = False
    secret_flow: ShownFlow | None = None

    @property
    def timing(self) -> str | None:
        """Words on secrets and time; None without a verdict and a claim."""
        verdict = None if self.secret_flow is None else self.secret_flow.words
        return timing_words(self.constant_time, verdict)

    @property
    def group(self) -> float:
        """The place of its group: groups are ranked one after another."""
        return self.tier + (0.5 if self.later else 0.0)

    @property
    def unmaintained(self) -> bool:
        """True if a part of its code, made for products, gets no corrections any more."""
        return self.maturity in (Maturity.OUTDATED, Maturity.UNMAINTAINED)


@dataclass(frozen=True, slots=True)
class OnAir:
    """A message of one length on air: frames, seconds, charge, and the radio limits that it breaks.

    ``received_seconds``: of what comes to the device, which ``seconds`` leaves out. ``air_bytes``:
    bytes on air with every header.
    """

    frames: int
    seconds: float
    parts: tuple[EnergyPart, ...]
    broken: tuple[Broken, ...]
    received_seconds: float = 0.0
    air_bytes: int = 0


@dataclass(frozen=True, slots=True)
class Candidate:
    """One way to protect a message of one length: the same for every rate, radio and battery.

    ``offers`` are two if a MAC is added to a cipher, or a hash to a signature; ``head`` is the
    scheme of the first. ``lacking``: why its figures are unknown. ``shares``: the parts of its
    time, without what the chip makes of them.
    """

    offers: tuple[SchemeOffer, ...]
    head: Scheme
    sent: SentBytes
    standing: Standing
    latency: Estimate | None
    flash: Estimate | None
    ram: Estimate | None
    lacking: tuple[str, ...]
    shares: tuple[TimeShare, ...]

    @property
    def scheme(self) -> str:
        """Name of the scheme, or both names joined by a plus."""
        return " + ".join(offer.scheme for offer in self.offers)

    @property
    def implementation(self) -> str:
        """Name of the implementation, or both names joined by a plus if they differ."""
        return " + ".join(dict.fromkeys(offer.implementation for offer in self.offers))

    @property
    def name(self) -> Name:
        """Scheme and implementation, which tell a candidate from all others."""
        return self.scheme, self.implementation

    @property
    def plain_name(self) -> Name:
        """The name without an optimisation level."""
        names = (plain(offer.implementation) for offer in self.offers)
        return self.scheme, " + ".join(dict.fromkeys(names))


Name = tuple[str, str]
"""Scheme and implementation of a candidate."""


@dataclass(frozen=True, slots=True)
class Judged(Candidate):
    """A candidate on the radio and battery of a question, with all limits that it breaks.

    ``doubts``: limits that it may break, in words; ``unsure``: the names of those that lie between
    its typical figure and its upper bound. ``warnings`` are those of the battery: voltages and
    pulses for which it is not made.
    """

    air: OnAir
    energy: Mapping[str, Estimate]
    life: Estimate | None
    broken: tuple[Broken, ...]
    doubts: tuple[str, ...]
    unsure: tuple[str, ...]
    warnings: tuple[str, ...]

    @property
    def energy_j(self) -> Interval | None:
        """Joules for a message, without sleep; None if no current is known."""
        parts = [figure.value for name, figure in self.energy.items() if name != "sleep"]
        return sum(parts[1:], parts[0]) if parts else None


@dataclass(frozen=True, slots=True)
class RankedCandidate:
    """A candidate with its rank. Typical figures of candidates of one ``rank`` are equal for the
    user.

    ``worse``: how much worse than rank 1 it is by the weighted criteria, as bounds of a ratio (1 is
    equal).
    """

    candidate: Judged
    rank: int
    tied: bool
    worse: Interval
    front: bool
