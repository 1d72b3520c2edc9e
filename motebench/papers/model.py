"""``catalog/papers/<key>/claims.toml``: what a paper claims, as statements that can be checked without code.

``docs/papers.md`` describes every key. Nothing in such a file is executed: a check names a kind, and selects values.
"""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, model_validator

from motebench.catalog.schema import Record, Text
from motebench.metrics import METRICS

Names = tuple[Text, ...]


Dimension = Literal["device", "operation", "size", "mode", "subject", "metric"]


class Only(Record):
    """Which values: those that match every key. An empty key matches all.

    ``subjects``: names of ``[[subject]]``. ``operations``: encrypt, decrypt, sign, ... ``sizes``: bytes, as published.
    ``devices``: as published; values of our own are of the targets that were measured. ``metric``: a metric of
    motebench. ``implementations``, ``modes``: globs.
    """

    subjects: Names = ()
    operations: Names = ()
    sizes: tuple[int, ...] = ()
    devices: Names = ()
    metric: Text | None = None
    implementations: Names = ()
    modes: Names = ()


class _Check(Record):
    """``only``: what the check looks at. ``each``: it is made once for every value of these, and must hold for all.

    ``best``: of several implementations of a subject, only the one with the lowest value counts.
    """

    only: Only = Only()
    each: tuple[Dimension, ...] = ("device", "operation", "size")
    best: bool = False


class Extreme(_Check):
    """``who`` have lower (``lowest``) or higher (``highest``) values than all of ``than``."""

    kind: Literal["lowest", "highest"]
    who: Names
    than: Names


class Order(_Check):
    """The values rise from left to right; subjects in one inner list have no order among each other."""

    kind: Literal["order"]
    order: tuple[Names, ...]


class Ratio(_Check):
    """A divided by B lies between ``low`` and ``high``."""

    kind: Literal["ratio"]
    a: Only
    b: Only
    low: float = 0.0
    high: float = float("inf")


class Scales(_Check):
    """The value is proportional to size^exponent: from each size to the next, the exponent lies within ``exponent``."""

    kind: Literal["scales"]
    exponent: tuple[float, float]


class Grows(_Check):
    """The value rises from each size to the next."""

    kind: Literal["grows"]


class Constant(_Check):
    """The largest value is at most ``within`` (0.05: 5 %) above the smallest, over the values of ``over``."""

    kind: Literal["constant"]
    over: tuple[Dimension, ...]
    within: float


class Approaches(_Check):
    """The ratio of ``a`` to ``b`` is nearer to 1 at the largest size than at the smallest."""

    kind: Literal["approaches"]
    a: Text
    b: Text


class Widens(_Check):
    """The ratio of ``a`` to ``b`` is larger on ``here`` than on ``there`` (devices as published, or targets)."""

    kind: Literal["widens"]
    a: Text
    b: Text
    here: Names
    there: Names


class Level(_Check):
    """The value is between ``low`` and ``high``, in the unit of the metric: a statement about a device itself."""

    kind: Literal["level"]
    low: float
    high: float


class SameOrder(_Check):
    """Kendall's tau-b of the subjects between each two devices is at least ``least``."""

    kind: Literal["same-order"]
    least: float = 1.0


class Fails(_Check):
    """More than ``share`` of the subjects cannot be measured at these sizes."""

    kind: Literal["fails"]
    share: float = 0.5


class Airtime(_Check):
    """Time divided by time on air lies between ``low`` and ``high``, for every spreading factor and size."""

    kind: Literal["airtime"]
    radio: Text
    sf: tuple[int, ...]
    bandwidth_khz: float
    low: float
    high: float


class AirtimeSteps(_Check):
    """Of all payloads up to ``most`` bytes, the share at which one more byte lengthens the packet."""

    kind: Literal["airtime-steps"]
    radio: Text
    sf: tuple[int, ...]
    bandwidth_khz: float
    most: int
    share: tuple[float, float]


class Formula(_Check):
    """An arithmetic expression over the paper's ``[quantity]`` lies between ``low`` and ``high``: not on our side."""

    kind: Literal["formula"]
    expression: Text
    low: float = 0.0
    high: float = float("inf")


class Answer(_Check):
    """A worked example: ``scheme`` (one block, ECB) turns ``input`` into ``output`` with ``key``, all in hex."""

    kind: Literal["answer"]
    scheme: Text
    key: Text
    input: Text
    output: Text
    decrypt: bool = False


class Known(_Check):
    """What a standard settles: the statement ``holds`` or not, because of ``reason`` in ``source``."""

    kind: Literal["known"]
    holds: bool
    reason: Text
    source: Text


Check = Annotated[
    Extreme
    | Order
    | Ratio
    | Scales
    | Grows
    | Constant
    | Approaches
    | Widens
    | Level
    | SameOrder
    | Fails
    | Airtime
    | AirtimeSteps
    | Formula
    | Answer
    | Known,
    Field(discriminator="kind"),
]


class Claim(Record):
    """One claim: the paper's words, and the checks that decide it (all must hold).

    ``reading``: how words such as "about" are read. ``published``, ``ours``: why that side cannot tell, if it cannot
    whatever is measured.
    """

    id: Text
    statement: Text
    quote: Annotated[str, Field(max_length=300)]
    where: Text
    reading: str = ""
    published: str = ""
    ours: str = ""
    check: tuple[Check, ...] = ()

    @model_validator(mode="after")
    def _says_how(self) -> Claim:
        if not self.check and not (self.published and self.ours):
            raise ValueError("a claim without a check says in published and in ours why it cannot be told")
        return self


class Subject(Record):
    """What is compared, by the name that claims use. ``published``: columns of the tables and their values; several
    rows of one subject differ in another dimension. ``schemes``: the same in the catalog."""

    name: Text
    published: dict[str, str] = Field(default_factory=dict)
    schemes: Names
    implementations: Names = ()


class Reread(Record):
    """Rows of the tables whose label is an evident slip: those with ``columns`` are of ``input_bytes``."""

    columns: dict[str, str]
    input_bytes: int
    why: Text


class Device(Record):
    """A device of the paper, and globs of the targets that are such a device or count its instructions."""

    name: Text
    targets: Names


class Stated(Record):
    """A value that the text states, between ``low`` and ``high`` in the unit of the metric."""

    subjects: Names
    devices: Names
    operation: Text
    size: int
    metric: Text
    value: float
    low: float
    high: float
    where: Text


class Shown(Record):
    """A published table that is shown beside ours: its metric, and the subject that ratios refer to."""

    table: Text
    metric: Text
    reference: Text
    device: str = ""

    @model_validator(mode="after")
    def _known(self) -> Shown:
        if self.metric not in METRICS:
            raise ValueError(f"unknown metric {self.metric!r}")
        return self


class Quantity(Record):
    """A number that the paper's text states, with its unit and place."""

    value: float
    unit: Text
    where: Text


class Aspect(Record):
    """One line of the method: as the paper has it, as we do, and what that changes."""

    what: Text
    paper: Text
    ours: Text


class Part(Record):
    """A run of the replication. ``method``: ``paper``, as published; ``own``, the way motebench measures.

    ``study``: a file in this folder or in ``studies/``. ``groups``: which of its ``[[measure]]`` blocks, counted from
    1; none: all. ``schemes``, ``implementations``: in place of the blocks' own. ``target``: what the study measures on
    unless another is asked for. ``scales``: whether sizes follow ``--scale`` at all. ``small``: factor of the sizes
    with ``--scale small``; ``budget``: seconds of the run then.
    """

    name: Annotated[str, Field(pattern=r"^[a-z0-9]+(-[a-z0-9]+)*$")]
    method: Literal["paper", "own"]
    study: Text
    about: Text
    target: Text
    groups: tuple[int, ...] = ()
    schemes: Names = ()
    implementations: Names = ()
    scales: bool = False
    small: Annotated[float, Field(gt=0, le=1)] = 1.0
    budget: Annotated[float, Field(gt=0)] | None = None


class Replicated(Record):
    """The whole file."""

    paper: Text
    numbers: Literal["tables", "text only"]
    silent: Names = ()
    metrics: dict[str, str] = Field(default_factory=dict)
    subject: tuple[Subject, ...]
    device: tuple[Device, ...] = ()
    stated: tuple[Stated, ...] = ()
    reread: tuple[Reread, ...] = ()
    shown: tuple[Shown, ...] = ()
    quantity: dict[str, Quantity] = Field(default_factory=dict)
    aspect: tuple[Aspect, ...] = ()
    part: tuple[Part, ...]
    claim: tuple[Claim, ...]

    @model_validator(mode="after")
    def _names(self) -> Replicated:
        known = {subject.name for subject in self.subject}
        for claim in self.claim:
            for check in claim.check:
                for name in subjects_of(check):
                    if name not in known:
                        raise ValueError(
                            f"claim {claim.id}: unknown subject {name!r}; subjects: {', '.join(sorted(known))}"
                        )
        ids = [claim.id for claim in self.claim]
        if len(set(ids)) < len(ids):
            raise ValueError("two claims have one id")
        return self


def subjects_of(check: Check) -> list[str]:
    """Every subject that a check names."""
    found = list(check.only.subjects)
    if isinstance(check, Extreme):
        found += [*check.who, *check.than]
    elif isinstance(check, Order):
        found += [name for names in check.order for name in names]
    elif isinstance(check, Ratio):
        found += [*check.a.subjects, *check.b.subjects]
    elif isinstance(check, Approaches | Widens):
        found += [check.a, check.b]
    return found
