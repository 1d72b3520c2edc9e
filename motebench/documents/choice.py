"""The document of a choice: the question, the ranked candidates, the rejected ones, and what
decides.

``docs/explain/choice.md`` explains it. What decides: the effect of each input, and where the first
place changes.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Annotated, Literal

from motebench.base.model import Evidence
from motebench.base.quantities import Interval
from motebench.base.shapes import Count, Must, one_of

_KEY_FACTS = ("key-change", "random-nonce", "counter", "forgery")


@dataclass(frozen=True, slots=True, kw_only=True)
class KeyFact:
    """One figure with its formula and source.

    ``key-change``: days until a key has to be changed, null if it never has to at this rate.
    ``random-nonce``: the probability that two of all nonces are equal if they were random.
    ``counter``: years until the memory that keeps the counter is worn out. ``forgery``: the
    probability that one of all tries of a year succeeds; of one try without a radio.
    """

    kind: Annotated[str, one_of(_KEY_FACTS)]
    value: float | None
    unit: Annotated[str, one_of(("days", "years", "probability"))]
    words: str
    formula: str
    source: str
    unverified: bool
    """Whether a figure in it was not seen in the source."""


@dataclass(frozen=True, slots=True, kw_only=True)
class KeysEntry:
    """The keys and nonces of a candidate. ``years``: of service that it is for, and ``basis``: why
    that long.
    """

    scheme: str
    implementation: str
    years: float
    basis: str
    facts: tuple[KeyFact, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class SensitiveEnd:
    """The answer with one input at one end."""

    value: float
    words: str
    criterion: float | None
    """Of the candidate that is first as the question stands; null if that input does not allow it.
    """
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
    """bounds: over those of its source; chosen: from half to double; options: the others that there
    are.
    """
    unit: str
    value: float
    low: SensitiveEnd
    high: SensitiveEnd
    factor: Annotated[float, Must(minimum=1)] | None
    """The largest criterion of both ends and of the question as it stands, by the smallest. At an
    end that the first candidate does not allow, that of the candidate that is first there
    counts."""
    changes: bool
    """Whether the first place changes at one of the ends."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SensitiveFlip:
    """A value of an input at which the first place changes, or at which two candidates stop being
    equal.
    """

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


SCHEMA: Literal["motebench-choice-1"] = "motebench-choice-1"

LIMITS = (
    "need",
    "policy",
    "until",
    "strength",
    "constant-time",
    "flash",
    "ram",
    "latency",
    "payload",
    "dwell-time",
    "duty-cycle",
    "fair-use",
    "data-limit",
    "tag",
    "result",
    "maturity",
    "interval",
    "recommended",
    "protect-key",
)
PUBLIC_KEY = ("signature", "agreement", "kem", "update")
NEEDS = ("aead", "encryption", "mac", "hash", *PUBLIC_KEY)
ROLES = ("sign", "verify", "encapsulate", "decapsulate")
MATURITIES = ("reviewed", "maintained", "unmaintained", "unknown", "research")
_MODELLED = (Evidence.MEASURED, Evidence.SIMULATED, Evidence.MODELLED)


@dataclass(frozen=True, slots=True, kw_only=True)
class LimitsEntry:
    """The limits of the question, with those of the device."""

    flash_bytes: int | None
    ram_bytes: int | None
    latency_s: float | None
    of_device: tuple[Annotated[str, one_of(("flash", "ram"))], ...]


@dataclass(frozen=True, slots=True)
class DrawnEntry(Interval):
    """A current with its bounds."""

    unit: Literal["A"] = field(default="A", kw_only=True)
    volts: float
    source: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class CurrentsEntry:
    """The currents behind the modelled energies."""

    active: DrawnEntry | None
    sleep: tuple[DrawnEntry, ...]
    transmit: DrawnEntry | None
    receive: DrawnEntry | None


@dataclass(frozen=True, slots=True, kw_only=True)
class QuestionEntry:
    """The whole question, with the values of its defaults."""

    device: str
    message_bytes: int
    """Of an update: the length of its image."""
    every_s: float | None
    radio: str | None
    link: str | None
    """Radio protocol and its settings; null without a radio."""
    lorawan: str | None
    network: str | None
    data_rate: int | None
    modulation: str | None
    power_dbm: float | None
    transmissions: float | None
    fragment: bool
    battery: str | None
    need: Annotated[str, one_of(NEEDS)]
    role: Annotated[str, one_of(ROLES)] | None
    """Operation of the device with a public-key scheme; null for other needs, and for key
    agreement.
    """
    policy: str
    day: Annotated[str, Must(format="date")]
    until: Annotated[str, Must(format="date")] | None
    """The last day of service: verdicts announced for a day up to then count."""
    strength_bits: int
    constant_time: bool
    research: bool
    """Whether implementations that are not for products are candidates."""
    protect_key: bool
    """Whether the key must not be readable."""
    equal: Annotated[float, Must(minimum=0)]
    """The share of the criterion below which candidates are equal for the user."""
    has: tuple[str, ...]
    """Code that the product has already, which is not counted in flash."""
    nonce: Annotated[str, one_of(("carried", "counter"))] | None
    """Null for needs of public keys."""
    tag_bytes: int | None
    limits: LimitsEntry
    rank: Annotated[Mapping[str, float], Must(minProperties=1)]
    currents: CurrentsEntry


@dataclass(frozen=True, slots=True, kw_only=True)
class Origin:
    """The case whose measurement is behind a number."""

    target: str
    scheme: str
    implementation: str
    operation: str
    input_bytes: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ReferenceOrigin(Origin):
    """The measurement behind a number, in a file of reference results."""

    LEADING = ("file", "target")

    file: str
    compiler: str | None
    cycles: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class RunOrigin(Origin):
    """The measurement behind a number, in a run of a store."""

    LEADING = ("store", "run", "run_name")

    store: str
    run: int
    run_name: str
    clock: str


@dataclass(frozen=True, slots=True)
class FigureEntry(Interval):
    """A number with its bounds and its origin."""

    unit: Annotated[str, one_of(("s", "B", "J", "years"))]
    evidence: Annotated[str, one_of(_MODELLED)]
    source: tuple[ReferenceOrigin | RunOrigin, ...]
    note: str


@dataclass(frozen=True, slots=True, kw_only=True)
class SentEntry:
    """The message as it is sent, the time on air of all its frames, and what comes to the
    device.
    """

    plaintext_bytes: Count
    padding_bytes: Count
    nonce_bytes: Count
    tag_bytes: Count
    signature_bytes: Count
    key_bytes: Count
    ciphertext_bytes: Count
    total_bytes: Count
    frames: Count
    time_on_air_ms: float
    least_interval_s: float
    """From one such message to the next, by the duty cycle; 0 without one. So long several frames
    take together.
    """
    received_bytes: Count
    """Bytes that the device receives: a message with its signature, a key, a ciphertext, an
    image."""
    received_on_air_ms: float
    notes: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class StatusEntry:
    """The security status of the schemes of a candidate."""

    tier: Annotated[int, Must(enum=[0, 1, 2, 3])]
    """0: a body recommends it; 1: no verdict; 2: a body advises against it, or it is weak; 3:
    withdrawn, disallowed, prohibited or broken."""
    words: tuple[str, ...]
    strength_bits: int | None
    constant_time: str | None
    maturity: Annotated[str, one_of(MATURITIES)]
    """Of the least mature implementation of the candidate."""
    made_by: tuple[str, ...]
    """Facts of each library: licence, release, maintenance, reviews, certificates, defects."""


_PARTS = Must(
    propertyNames={"enum": ["cipher", "element", "transmit", "receive", "download", "sleep"]}
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Proposal:
    """One way to protect the message, with its cost."""

    scheme: str
    implementation: str
    composed: bool
    status: StatusEntry
    sent: SentEntry
    latency: FigureEntry | None
    flash: FigureEntry | None
    ram: FigureEntry | None
    energy: Annotated[Mapping[str, FigureEntry], _PARTS]
    """Energy of a message by part: cipher (all that the processor computes), element (a secure
    element), transmit, receive (windows), download, sleep."""
    life: FigureEntry | None


@dataclass(frozen=True, slots=True, kw_only=True)
class CandidateEntry(Proposal):
    """A candidate that keeps all limits."""

    LEADING = ("rank", "tied")

    rank: Annotated[int, Must(minimum=1)]
    tied: bool
    worse: Interval
    unsure: tuple[Annotated[str, one_of(("flash", "ram", "latency"))], ...]
    """Limits between its typical figure and its upper bound, which it may not keep."""
    pareto: bool
    why: Annotated[tuple[str, ...], Must(minItems=1)]


@dataclass(frozen=True, slots=True, kw_only=True)
class BrokenEntry:
    """A limit that a candidate breaks."""

    limit: Annotated[str, one_of(LIMITS)]
    words: str
    allowed: float | None
    value: float | None
    unit: str
    excess: float | None
    option: str


@dataclass(frozen=True, slots=True, kw_only=True)
class RejectedEntry(Proposal):
    """A candidate that breaks a limit."""

    broken: Annotated[tuple[BrokenEntry, ...], Must(minItems=1)]


@dataclass(frozen=True, slots=True, kw_only=True)
class ProvisionEntry:
    """A provision of a checklist (``--checklist``)."""

    clause: str
    level: Annotated[str, one_of(("mandatory", "recommended"))]
    requirement: str
    answer: str | None
    """Answer of the chosen candidate to the provision; null if it leaves it open."""
    remains: str
    """Questions of the provision that people still have to answer."""
    unverified: bool
    """Whether the author of the checklist did not see the provision in the document."""


@dataclass(frozen=True, slots=True, kw_only=True)
class WayEntry:
    """Options that admit a recommended candidate where the question as it stands admits none. They
    were tried.
    """

    option: str
    """Options on the command line, beside those of the question or in place of theirs."""
    scheme: str
    implementation: str
    total_bytes: Count
    """Bytes to send."""
    life_years: float | None
    words: str


@dataclass(frozen=True, slots=True, kw_only=True)
class DecisionFigure:
    """A headline figure of the choice, with its bounds in words."""

    name: str
    words: str


@dataclass(frozen=True, slots=True, kw_only=True)
class DecisionAlternative:
    """Another candidate, or other options, and its price."""

    words: str
    price: str


@dataclass(frozen=True, slots=True, kw_only=True)
class DecisionEntry:
    """Decision record of one screen. Every list begins with what matters most."""

    question: str
    verdict: Annotated[str, one_of(("take", "too-slow", "none"))]
    """too-slow: a candidate keeps all limits, and nobody would wait for it."""
    take: str
    """Choice in words; or the statement that there is none."""
    standing: str
    """Names, security status, strength and maturity of the choice; empty without one."""
    figures: tuple[DecisionFigure, ...]
    decides: tuple[str, ...]
    """Shares of energy, bytes and time, and the reason for the first place. Without a candidate:
    limits that reject the recommended ones."""
    alternatives: tuple[DecisionAlternative, ...]
    """Two at most beside a choice; without one, or where it is too slow, the ways out."""
    rests_on: tuple[str, ...]
    """Inputs that would change the answer, and the evidence of its figures."""
    before_shipping: tuple[str, ...]
    """Checks before the product ships."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ChoiceEntry:
    """Document of `motebench choose --json`; see docs/explain/choice.md."""

    schema: Literal["motebench-choice-1"] = SCHEMA
    question: QuestionEntry
    decision: DecisionEntry
    chosen: str | None
    caution: str | None
    """Reason against taking the choice at all, to be read first; null if there is none."""
    candidates: tuple[CandidateEntry, ...]
    rejected: tuple[RejectedEntry, ...]
    ways: tuple[WayEntry, ...]
    """Other options whose first candidate is recommended, or quicker where ``caution`` says that
    the choice is too slow; empty where neither is needed."""
    nearest: tuple[str, ...]
    remarks: tuple[str, ...]
    alternatives: tuple[str, ...]
    keys: tuple[KeysEntry, ...]
    """Keys and nonces of the first candidates, one of each scheme."""
    sensitivity: SensitivityEntry | None
    """Input that decides, if it was requested (``--sensitivity``) and a candidate keeps all
    limits.
    """
    checklist: tuple[ProvisionEntry, ...]
    """Provisions of a standard or a law, if they were asked for (``--checklist``)."""
    notes: tuple[str, ...]


# Connections


CONNECTION: Literal["motebench-connection-1"] = "motebench-connection-1"
CREDENTIALS = ("psk", "rpk", "x509", "c509")


@dataclass(frozen=True, slots=True, kw_only=True)
class ConnectionQuestionEntry:
    """The question for a connection."""

    device: str
    message_bytes: int
    every_s: float
    handshake_every_s: float
    credentials: tuple[Annotated[str, one_of(CREDENTIALS)], ...]
    intermediates: int
    link: str | None
    battery: str | None
    policy: str
    until: Annotated[str, Must(format="date")] | None
    secret_until: Annotated[str, Must(format="date")] | None


@dataclass(frozen=True, slots=True, kw_only=True)
class ConnectionWayEntry:
    """A handshake with credentials, and the protocol of the messages after it."""

    id: str
    words: str
    credentials: Annotated[str, one_of(CREDENTIALS)]
    agreement: str | None
    authentication: str | None
    forward_secret: bool
    handshake_bytes: int
    message_bytes: int
    bytes_a_year: float
    handshake_frames: int | None
    handshake_s: Interval | None
    handshake_j: Interval | None
    message_j: Interval | None
    energy_a_year_j: Interval | None
    handshake_share: float | None
    life_years: Interval | None
    complete: bool
    broken: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ConnectionEntry:
    """Document of `motebench choose --need connection --json`."""

    schema: Literal["motebench-connection-1"] = CONNECTION
    evidence: Literal["modelled"] = "modelled"
    question: ConnectionQuestionEntry
    chosen: str | None
    decision: DecisionEntry
    ways: tuple[ConnectionWayEntry, ...]
    """Best first; those that break a limit last."""
    notes: tuple[str, ...]
