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
from motebench.base.shapes import LATER, Count, Must, one_of

_KEY_FACTS = ("key-change", "random-nonce", "counter", "forgery")


@dataclass(frozen=True, slots=True, kw_only=True)
class KeyFact:
    """A figure with formula and source. ``key-change``: days until then, null for never.
    ``random-nonce``: probability of two equal nonces. ``counter``: years until its memory is worn
    out. ``forgery``: probability of one in a year (without a radio: in one try).
    """

    kind: Annotated[str, one_of(_KEY_FACTS)]
    value: float | None
    unit: Annotated[str, one_of(("days", "years", "probability"))]
    words: str
    formula: str
    source: str
    unverified: bool
    """A figure was not seen in its source."""


@dataclass(frozen=True, slots=True, kw_only=True)
class KeysEntry:
    """Keys and nonces over ``years`` of service; ``basis``: why so many."""

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
    """Value of the question's first candidate; null if it breaks a limit."""
    criterion_of_first: float | None
    first: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class SensitiveInput:
    """One input, and its effect."""

    input: str
    words: str
    basis: Annotated[str, one_of(("bounds", "chosen", "options"))]
    """bounds: of its source; chosen: half to double; options: all others."""
    unit: str
    value: float
    low: SensitiveEnd
    high: SensitiveEnd
    factor: Annotated[float, Must(minimum=1)] | None
    """Largest criterion of ends and question divided by the smallest."""
    changes: bool
    """The first place changes at an end."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SensitiveFlip:
    """Value at which the first place changes, or a tie begins or ends."""

    input: str
    unit: str
    value: float
    below: str | None
    above: str | None
    words: str


@dataclass(frozen=True, slots=True, kw_only=True)
class SensitivityEntry:
    """``inputs``: most effective first; ``flips``: rising, by input."""

    criterion: Annotated[str, one_of(("life", "energy", "latency"))]
    unit: Annotated[str, one_of(("years", "J", "s"))]
    first: str
    typical: float
    rival: str | None
    """Best candidate of another scheme."""
    inputs: tuple[SensitiveInput, ...]
    flips: tuple[SensitiveFlip, ...]
    looked: tuple[str, ...]
    """Range of each input that was searched."""


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
MATURITIES = ("reviewed", "maintained", "outdated", "unmaintained", "unknown", "research")
_MODELLED = (Evidence.MEASURED, Evidence.SIMULATED, Evidence.MODELLED)


@dataclass(frozen=True, slots=True, kw_only=True)
class LimitsEntry:
    """Limits of question and device."""

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
    """Behind the modelled energies."""

    active: DrawnEntry | None
    sleep: tuple[DrawnEntry, ...]
    transmit: DrawnEntry | None
    receive: DrawnEntry | None


@dataclass(frozen=True, slots=True, kw_only=True)
class QuestionEntry:
    """The question, with defaults."""

    device: str
    message_bytes: int
    """Size of the message; for an update, of its image."""
    every_s: float | None
    radio: str | None
    link: str | None
    lorawan: str | None
    network: str | None
    data_rate: int | None
    modulation: str | None
    power_dbm: float | None
    transmissions: float | None
    fragment: bool
    battery: str | None
    converter: str | None
    """Between battery and device; `given` for figures without a name."""
    clock_hz: int
    voltage_v: float | None
    """Supply of the device, if the question has a clock or a voltage."""
    need: Annotated[str, one_of(NEEDS)]
    role: Annotated[str, one_of(ROLES)] | None
    """Operation of the device with a public-key scheme."""
    policy: str
    day: Annotated[str, Must(format="date")]
    until: Annotated[str, Must(format="date")] | None
    strength_bits: int
    constant_time: bool
    research: bool
    """Implementations not for products are candidates."""
    protect_key: bool
    """The key must not be readable."""
    equal: Annotated[float, Must(minimum=0)]
    """Share of the criterion below which candidates are equal."""
    has: tuple[str, ...]
    """Code of the product, not counted in flash."""
    nonce: Annotated[str, one_of(("carried", "counter"))] | None
    tag_bytes: int | None
    limits: LimitsEntry
    rank: Annotated[Mapping[str, float], Must(minProperties=1)]
    currents: CurrentsEntry


@dataclass(frozen=True, slots=True, kw_only=True)
class Origin:
    """The measured case behind a number."""

    target: str
    scheme: str
    implementation: str
    operation: str
    input_bytes: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ReferenceOrigin(Origin):
    """Measurement behind a number, in reference results."""

    LEADING = ("file", "target")

    file: str
    compiler: str | None
    cycles: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class RunOrigin(Origin):
    """Measurement behind a number, in a stored run."""

    LEADING = ("store", "run", "run_name")

    store: str
    run: int
    run_name: str
    clock: str


@dataclass(frozen=True, slots=True)
class FigureEntry(Interval):
    """A number with bounds."""

    unit: Annotated[str, one_of(("s", "B", "J", "years"))]
    evidence: Annotated[str, one_of(_MODELLED)]
    source: tuple[ReferenceOrigin | RunOrigin, ...]
    note: str


@dataclass(frozen=True, slots=True, kw_only=True)
class SentEntry:
    """The message as sent, and what the device receives."""

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
    """Least time to the next message, by the duty cycle."""
    received_bytes: Count
    """A signed message, a key, a ciphertext, an image."""
    received_on_air_ms: float
    notes: tuple[str, ...]


NEEDLESS = "not needed, checking a signature handles no secret"
"""Claim of constant time where there is nothing to claim."""


def timing_words(claim: str | None, secret_flow: str | None) -> str | None:
    """Words on secrets and time: the verdict that was shown, else the claim; None without both."""
    if secret_flow is not None or claim is None:
        return secret_flow
    return f"constant time{'' if claim == NEEDLESS else ' by its authors'}: {claim}"


@dataclass(frozen=True, slots=True, kw_only=True)
class StatusEntry:
    """Security status of a candidate's schemes."""

    tier: Annotated[int, Must(enum=[0, 1, 2, 3])]
    """0: recommended; 1: no verdict; 2: advised against, or weak; 3: withdrawn to broken."""
    words: tuple[str, ...]
    strength_bits: int | None
    constant_time: str | None
    """Claim of the authors; null if refuted."""
    maturity: Annotated[str, one_of(MATURITIES)]
    """Maturity of the least mature implementation."""
    made_by: tuple[str, ...]
    """Facts by library: licence, release, maintenance, reviews, certificates, defects."""
    secret_flow: str | None = field(default=None, metadata=LATER)
    """Verdict on a board."""


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
    """Energy by part: cipher (all computing), element, transmit, receive, download, sleep."""
    life: FigureEntry | None


@dataclass(frozen=True, slots=True, kw_only=True)
class CandidateEntry(Proposal):
    """A candidate that keeps all limits."""

    LEADING = ("rank", "tied")

    rank: Annotated[int, Must(minimum=1)]
    tied: bool
    worse: Interval
    unsure: tuple[Annotated[str, one_of(("flash", "ram", "latency"))], ...]
    """Limits below its upper bound."""
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
    """A provision of a checklist."""

    clause: str
    level: Annotated[str, one_of(("mandatory", "recommended"))]
    requirement: str
    answer: str | None
    """Answer of the chosen candidate; null: left open."""
    remains: str
    """Questions that people have to answer."""
    unverified: bool
    """The provision was not seen in the document."""


@dataclass(frozen=True, slots=True, kw_only=True)
class WayEntry:
    """Tried options that admit a recommended candidate."""

    option: str
    """Option beside or in place of the question's."""
    scheme: str
    implementation: str
    total_bytes: Count
    life_years: float | None
    words: str


@dataclass(frozen=True, slots=True, kw_only=True)
class DecisionFigure:
    """A headline figure, with its bounds in words."""

    name: str
    words: str


@dataclass(frozen=True, slots=True, kw_only=True)
class DecisionAlternative:
    """Another candidate, or other options, and the price."""

    words: str
    price: str


@dataclass(frozen=True, slots=True, kw_only=True)
class DecisionEntry:
    """Decision record of one screen; the most important comes first."""

    question: str
    verdict: Annotated[str, one_of(("take", "too-slow", "none"))]
    """too-slow: all limits kept, but too slow to wait for."""
    take: str
    """Choice in words, or that there is none."""
    standing: str
    """Security status, strength, maturity."""
    figures: tuple[DecisionFigure, ...]
    decides: tuple[str, ...]
    """Shares of energy, bytes and time; without a candidate, limits that reject the recommended
    ones.
    """
    alternatives: tuple[DecisionAlternative, ...]
    """At most two; without a good choice, the ways out."""
    rests_on: tuple[str, ...]
    """Inputs that would change the answer; evidence."""
    before_shipping: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ChoiceEntry:
    """Document of `motebench choose --json`; see docs/explain/choice.md."""

    schema: Literal["motebench-choice-1"] = SCHEMA
    question: QuestionEntry
    decision: DecisionEntry
    chosen: str | None
    caution: str | None
    """Reason against the choice, to be read first."""
    candidates: tuple[CandidateEntry, ...]
    rejected: tuple[RejectedEntry, ...]
    ways: tuple[WayEntry, ...]
    """Other options with a recommended, or quicker, first candidate."""
    nearest: tuple[str, ...]
    remarks: tuple[str, ...]
    alternatives: tuple[str, ...]
    keys: tuple[KeysEntry, ...]
    """Keys of the first candidate of each scheme."""
    sensitivity: SensitivityEntry | None
    """With `--sensitivity`, if a candidate keeps all limits."""
    checklist: tuple[ProvisionEntry, ...]
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
    """A handshake, and the protocol of later messages."""

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
    """Best first; broken limits last."""
    notes: tuple[str, ...]
