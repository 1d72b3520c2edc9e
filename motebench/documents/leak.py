"""Documents of ``motebench leak``: the result of varying secrets, and where secrets flow.
``docs/use/leaks.md`` explains them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Annotated, Any, Literal

from motebench.base.identity import CaseId
from motebench.base.model import STATUSES, Evidence, Failure
from motebench.base.shapes import LATER, LEFT_OUT, Count, Must, one_of
from motebench.documents.result import CasesEntry

SCHEMA: Literal["motebench-leak-2"] = "motebench-leak-2"

Probability = Annotated[float, Must(minimum=0, maximum=1)]
Hex = Annotated[str, Must(pattern="^([0-9a-f]{2})*$")]


class LeakVerdict(StrEnum):
    """The verdict on one secret of one operation."""

    LEAKS = "leaks"
    CONSTANT = "constant"
    UNSTEADY = "varies, not with the input alone"
    NOTHING = "no difference found"
    UNFIT = "machine or harness not fit"

    @property
    def open(self) -> bool:
        """No conclusion."""
        return self in (LeakVerdict.UNSTEADY, LeakVerdict.UNFIT)


class LeakCaches(StrEnum):
    """The arms of a test with noisy readings: what the caches hold when an input is timed."""

    OWN = "its own data"
    """The same input was computed right before."""
    OTHERS = "data of other inputs"
    """Other inputs were computed right before; the input itself was only prepared."""
    EMPTIED = "neither"
    """The same, and other data went through the caches."""


@dataclass(frozen=True, slots=True, kw_only=True)
class InputEntry:
    """An input, in hexadecimal digits."""

    name: str
    key: Hex
    nonce: Hex
    message: Hex
    peer: Hex
    """The other side's public key."""
    tag: Hex
    ciphertext: Hex
    coins: Hex
    """Seed of an encapsulation."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TimedInputEntry(InputEntry):
    """One input and its cycles."""

    cycles: Count


@dataclass(frozen=True, slots=True, kw_only=True)
class LeakFindingEntry:
    """One secret of one operation."""

    scheme: str
    operation: str
    input_bytes: Count
    varied: str
    """The secret."""
    verdict: Annotated[str, one_of(LeakVerdict)]
    leaks: bool
    refused: Mapping[str, str]
    """Inputs that the implementation refuses, with its messages."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CyclesEntry:
    """Cycles over all inputs."""

    fewest: Count
    most: Count
    distinct: Annotated[int, Must(minimum=1)]


@dataclass(frozen=True, slots=True, kw_only=True)
class WithoutCacheEntry:
    """Cycles with the cache of the flash off."""

    fewest: Count
    most: Count


@dataclass(frozen=True, slots=True, kw_only=True)
class ExampleEntry:
    """The inputs with the largest difference."""

    fewest: TimedInputEntry
    most: TimedInputEntry
    repeats: bool
    """The same input took the same cycles again."""
    without_cache: WithoutCacheEntry | None = field(default=None, metadata=LEFT_OUT)
    """The same without the cache of the flash, for a board that leaks with it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CountedEntry(LeakFindingEntry):
    """A finding where every cycle is counted."""

    inputs: Count
    cycles: CyclesEntry
    accepted_cycles: Count | None
    """Value for the right tag, for comparison only."""
    example: ExampleEntry | None
    """Null: all inputs took the same cycles."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TestEntry:
    """A test of two classes of readings."""

    p: Probability
    share_of_readings: Probability | None
    """Fastest readings on which it was found; null for the sum of ranks."""
    input: str
    """The input that stands out."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LeakTestEntry(TestEntry):
    """Fixed inputs against random ones."""

    sure_below_p: Probability


@dataclass(frozen=True, slots=True, kw_only=True)
class ControlEntry(TestEntry):
    """Classes of equal inputs: if they differ, something else decides."""

    unfit_below_p: Probability


@dataclass(frozen=True, slots=True, kw_only=True)
class ShiftEntry:
    """Additional time of the input over random ones."""

    ns: float
    low_ns: float
    high_ns: float
    confidence: Probability


@dataclass(frozen=True, slots=True, kw_only=True)
class LeakDifferenceEntry(ShiftEntry):
    """Difference of the input that stands out."""

    LEADING = ("input",)

    input: InputEntry


@dataclass(frozen=True, slots=True, kw_only=True)
class LeakArmEntry:
    """Readings of one arm. Every p is corrected for all arms."""

    caches: Annotated[str, one_of(LeakCaches)]
    """Their contents when an input is timed."""
    leaks: bool
    median_ns: float
    test: LeakTestEntry
    difference: LeakDifferenceEntry
    would_be_seen_ns: float
    """Smallest difference that would have been found."""
    control: ControlEntry
    accepted: ShiftEntry | None
    """Value for the right tag, for comparison only."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LeakJudgedEntry(LeakFindingEntry):
    """A finding from noisy readings."""

    arms: tuple[LeakArmEntry, ...]
    """First the one that decides."""
    arms_left_out: str | None
    """Reason for trying only one arm."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LeftOutEntry:
    """A secret that was not varied."""

    scheme: str
    operation: str
    varied: str
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ProgramEntry:
    """Examined program, and its machine."""

    version: str
    compiler: str
    flags: str
    host: Mapping[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class LeakRunEntry:
    """The stored run."""

    id: int
    name: str
    started: str
    """UTC, ISO 8601."""
    finished: str | None
    status: Annotated[str, one_of(STATUSES)]
    """interrupted: `findings` are not complete."""
    command: str | None
    notes: tuple[str, ...]
    cases: CasesEntry
    """Operations, by state."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LeakEntry:
    """Document of `motebench leak --json`, and of `motebench show --json` for a leak test; see
    docs/use/leaks.md.
    """

    schema: Literal["motebench-leak-2"] = SCHEMA
    run: LeakRunEntry = field(metadata=LATER)
    motebench: str
    target: str
    implementation: str
    evidence: Annotated[str, one_of(Evidence)]
    method: str
    samples: Count
    seed: Count
    environment: ProgramEntry
    findings: tuple[CountedEntry | LeakJudgedEntry, ...]
    left_out: tuple[LeftOutEntry, ...]
    """Secrets that were not varied."""
    failures: tuple[Failure, ...]
    """Operations that could not be examined."""


PLAN: Literal["motebench-leak-plan-1"] = "motebench-leak-plan-1"


@dataclass(frozen=True, slots=True, kw_only=True)
class LeakPlanEntry:
    """Document of `motebench leak --dry-run --json`."""

    schema: Literal["motebench-leak-plan-1"] = PLAN
    target: str
    implementation: str
    samples: Count
    seed: Count
    cases: tuple[CaseId, ...]


FLOW: Literal["motebench-secret-flow-1"] = "motebench-secret-flow-1"


class FlowVerdict(StrEnum):
    """The verdict on one operation, for the inputs that were tried."""

    REACHES = "reaches it here"
    CLEAN = "no secret reaches time on this path"


class FlowKind(StrEnum):
    """Kind of dependence on a secret."""

    BRANCH = "branch"
    JUMP = "computed jump"
    LOAD = "address of a load"
    STORE = "address of a store"
    OPERANDS = "operand of an instruction of varying time"


@dataclass(frozen=True, slots=True, kw_only=True)
class CodePlaceEntry:
    """An instruction of the firmware."""

    function: str | None
    file: str | None
    line: Count | None
    address: Annotated[str, Must(pattern="^0x[0-9a-f]+$")]
    instruction: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class FlowFindingEntry:
    """An instruction that depends on a secret."""

    kind: Annotated[str, one_of(FlowKind)]
    error: bool
    """False: an address in memory that never waits."""
    at: CodePlaceEntry
    times: Count
    cycles: Count | None
    """Between its extremes; null: unknown."""
    secrets: tuple[str, ...]
    through: tuple[str, ...]
    """Functions on its way; on hosts the callers."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FlowPublicEntry:
    """A declassification."""

    declared: str
    at: CodePlaceEntry
    times: Count
    bytes: Count


@dataclass(frozen=True, slots=True, kw_only=True)
class FlowGapEntry:
    """Lines of a function that did not run."""

    function: str
    file: str
    lines: tuple[Count, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class FlowCoverageEntry:
    """Lines of the functions that ran."""

    functions: Count
    lines: Count
    ran: Count
    not_covered: tuple[FlowGapEntry, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class FlowCaseEntry:
    """One operation."""

    scheme: str
    operation: str
    input_bytes: Count
    secrets: tuple[str, ...]
    inputs: Count
    """Those that ran."""
    refused: Mapping[str, str]
    """Inputs that the implementation refuses, with its messages."""
    verdict: Annotated[str, one_of(FlowVerdict)]
    findings: tuple[FlowFindingEntry, ...]
    """Errors first."""
    findings_lost: Count
    declassified: tuple[FlowPublicEntry, ...]
    coverage: FlowCoverageEntry | None
    """Null: not known on hosts."""
    firmware: Hex | None = field(default=None, metadata=LEFT_OUT)


@dataclass(frozen=True, slots=True, kw_only=True)
class SecretFlowEntry:
    """Document of `motebench leak --secret-flow --json`; see docs/use/leaks.md."""

    schema: Literal["motebench-secret-flow-1"] = FLOW
    run: LeakRunEntry | None = field(default=None, metadata=LEFT_OUT)
    motebench: str
    target: str
    implementation: str
    evidence: Annotated[str, one_of(Evidence)]
    tool: str | None = field(default=None, metadata=LEFT_OUT)
    """Program that followed secrets on a host."""
    compiler: str
    flags: str
    seed: Count
    public: tuple[str, ...] = field(default=(), metadata=LEFT_OUT)
    host: Mapping[str, Any] = field(default_factory=dict, metadata=LEFT_OUT)
    cases: tuple[FlowCaseEntry, ...]
    failures: tuple[Failure, ...]
    """Operations that could not be followed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FollowedEntry(LeakEntry):
    """A leak test that followed secrets; its document is ``flow``."""

    flow: SecretFlowEntry
