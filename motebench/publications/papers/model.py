"""``catalog/papers/<key>/claims.toml``: what a paper claims, as statements that can be checked without code.

``docs/papers.md`` describes every key. Nothing in such a file is executed: a check names a kind, and selects values.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from fractions import Fraction
from typing import Annotated, Any, Literal

from pydantic import Field, field_validator, model_validator

from motebench.base import dimensions
from motebench.base.metrics import METRICS
from motebench.catalog.schema import Record, Text
from motebench.publications.papers import wording

Names = tuple[Text, ...]


Dimension = Literal["device", "operation", "size", "mode", "subject", "metric"]


class Selector(Record):
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

    only: Selector = Selector()
    each: tuple[Dimension, ...] = ("device", "operation", "size")
    best: bool = False

    @property
    def read(self) -> str:
        """How the check reads a number or a word of the paper; empty where it reads none."""
        return ""


class _Bounds(_Check):
    """Bounds of a value: ``said``, a number or a word of the paper that `wording.bounds` turns into bounds, or
    ``low`` and ``high``, where the paper itself states them."""

    said: str = ""
    low: float = 0.0
    high: float = float("inf")

    @model_validator(mode="before")
    @classmethod
    def _reads(cls, data: Any) -> Any:
        if not isinstance(data, dict) or not isinstance(data.get("said"), str):
            return data
        if "low" in data or "high" in data:
            raise ValueError("said and low or high are mutually exclusive: give one of them")
        low, high = wording.bounds(data["said"], cls._unit(data))
        return {**data, "low": low, "high": high}

    @model_validator(mode="after")
    def _bounded(self) -> _Bounds:
        if not self.low < self.high:
            raise ValueError("low is not below high")
        return self

    @staticmethod
    def _unit(data: dict[str, Any]) -> str:
        """The unit of the bounds, by the keys of the check."""
        return str(data.get("unit", "1"))

    @property
    def read(self) -> str:
        """The bounds, if a word or a number of the paper gave them."""
        if not self.said:
            return ""
        return wording.spoken(self.said, self.low, self.high, self._unit(self.model_dump()))


class ExtremeCheck(_Check):
    """``who`` have lower (``lowest``) or higher (``highest``) values than all of ``than``."""

    kind: Literal["lowest", "highest"]
    who: Names
    than: Names


class OrderCheck(_Check):
    """The values rise from left to right; subjects in one inner list have no order among each other."""

    kind: Literal["order"]
    order: tuple[Names, ...]


class RatioCheck(_Bounds):
    """A divided by B lies between ``low`` and ``high``."""

    kind: Literal["ratio"]
    a: Selector
    b: Selector


class ScalingCheck(_Check):
    """The value is proportional to size^exponent: from each size to the next, the exponent lies within ``exponent``."""

    kind: Literal["scales"]
    exponent: tuple[float, float] = wording.WORDS["proportional"]

    @property
    def read(self) -> str:
        """The bounds of the exponent."""
        low, high = self.exponent
        return f"from each size to the next, the value grows as size^{low:g} to size^{high:g}"


class GrowthCheck(_Check):
    """The value rises from each size to the next."""

    kind: Literal["grows"]


class ConstantCheck(_Check):
    """The largest value is not much above the smallest, over the values of ``over``: ``said`` is the paper's word or
    its largest difference (``12 %``)."""

    kind: Literal["constant"]
    over: tuple[Dimension, ...]
    said: Text

    @field_validator("said")
    @classmethod
    def _readable(cls, said: str) -> str:
        wording.bounds(said)
        return said

    @property
    def within(self) -> float:
        """How much larger the largest may be: 0.05 is 5 %."""
        high = wording.bounds(self.said)[1]
        return high - 1 if self.said in wording.WORDS else high

    @property
    def read(self) -> str:
        """How much larger than the smallest the largest may be."""
        return f'"{self.said}" is read as: the largest is at most {self.within * 100:.3g} % above the smallest'


class ApproachCheck(_Check):
    """The ratio of ``a`` to ``b`` is nearer to 1 at the largest size than at the smallest."""

    kind: Literal["approaches"]
    a: Text
    b: Text


class WideningCheck(_Check):
    """The ratio of ``a`` to ``b`` is larger on ``here`` than on ``there`` (devices as published, or targets)."""

    kind: Literal["widens"]
    a: Text
    b: Text
    here: Names
    there: Names


class LevelCheck(_Bounds):
    """The value is between ``low`` and ``high``, in the unit of the metric: a statement about a device itself."""

    kind: Literal["level"]

    @staticmethod
    def _unit(data: dict[str, Any]) -> str:
        return METRICS[data["only"]["metric"]].unit if (data.get("only") or {}).get("metric") in METRICS else "1"


class SameOrderCheck(_Check):
    """Kendall's tau-b of the subjects between each two devices is at least ``least``."""

    kind: Literal["same-order"]
    least: float = 1.0


class FailureCheck(_Check):
    """More than ``share`` of the subjects cannot be measured at these sizes."""

    kind: Literal["fails"]
    share: float = 0.5


class AirtimeCheck(_Bounds):
    """Time divided by time on air lies between ``low`` and ``high``, for every spreading factor and size."""

    kind: Literal["airtime"]
    radio: Text
    sf: tuple[int, ...]
    bandwidth_khz: float


class AirtimeStepsCheck(_Check):
    """Of all payloads up to ``most`` bytes, the share at which one more byte lengthens the packet."""

    kind: Literal["airtime-steps"]
    radio: Text
    sf: tuple[int, ...]
    bandwidth_khz: float
    most: int
    share: tuple[float, float]


class FormulaCheck(_Bounds):
    """An arithmetic expression over the paper's ``[quantity]``, in ``unit``, lies between ``low`` and ``high``: not on
    our side."""

    kind: Literal["formula"]
    expression: Text
    unit: Text = "1"

    @field_validator("unit")
    @classmethod
    def _known_unit(cls, name: str) -> str:
        return known_unit(name)


class ExampleCheck(_Check):
    """A worked example: ``scheme`` (one block, ECB) turns ``input`` into ``output`` with ``key``, all in hex."""

    kind: Literal["answer"]
    scheme: Text
    key: Text
    input: Text
    output: Text
    decrypt: bool = False


class StandardCheck(_Check):
    """What a standard settles: the statement ``holds`` or not, because of ``reason`` in ``source``."""

    kind: Literal["known"]
    holds: bool
    reason: Text
    source: Text


Check = Annotated[
    ExtremeCheck
    | OrderCheck
    | RatioCheck
    | ScalingCheck
    | GrowthCheck
    | ConstantCheck
    | ApproachCheck
    | WideningCheck
    | LevelCheck
    | SameOrderCheck
    | FailureCheck
    | AirtimeCheck
    | AirtimeStepsCheck
    | FormulaCheck
    | ExampleCheck
    | StandardCheck,
    Field(discriminator="kind"),
]


class PaperClaim(Record):
    """One claim: the paper's words, and the checks that decide it (all must hold).

    ``reading``: how the statement became checks, beyond what each check says of its bounds. ``published``, ``ours``,
    ``own``: why that side (printed numbers, every result here, results of our own method) cannot tell, whatever is
    measured.
    """

    id: Text
    statement: Text
    quote: Annotated[str, Field(max_length=300)]
    where: Text
    reading: str = ""
    published: str = ""
    ours: str = ""
    own: str = ""
    check: tuple[Check, ...] = ()

    @model_validator(mode="after")
    def _says_how(self) -> PaperClaim:
        if not self.check and not (self.published and self.ours):
            raise ValueError("a claim without a check says in published and in ours why it cannot be told")
        return self

    @property
    def read(self) -> str:
        """How the paper's words and numbers were read: stands beside the verdict."""
        return "; ".join(dict.fromkeys(part for part in (self.reading, *(check.read for check in self.check)) if part))


class PaperSubject(Record):
    """What is compared, by the name that claims use. ``published``: columns of the tables and their values; several
    rows of one subject differ in another dimension. ``schemes``: the same in the catalog."""

    name: Text
    published: dict[str, str] = Field(default_factory=dict)
    schemes: Names
    implementations: Names = ()


class RereadRows(Record):
    """Rows of the tables whose label is an evident slip: those with ``columns`` are of ``input_bytes``."""

    columns: dict[str, str]
    input_bytes: int
    why: Text


class PaperDevice(Record):
    """A device of the paper, and globs of the targets that are such a device or count its instructions."""

    name: Text
    targets: Names


class StatedValue(Record):
    """A value that the text states, with its unit, as `wording.bounds` reads it."""

    subjects: Names
    devices: Names
    operation: Text
    size: int
    metric: Text
    said: Text
    where: Text

    @model_validator(mode="after")
    def _readable(self) -> StatedValue:
        if self.metric not in METRICS:
            raise ValueError(f"unknown metric {self.metric!r}")
        wording.bounds(self.said, METRICS[self.metric].unit)
        return self

    @property
    def bounds(self) -> tuple[float, float]:
        """In the unit of the metric."""
        return wording.bounds(self.said, METRICS[self.metric].unit)


class ShownTable(Record):
    """A published table that is shown beside ours: its metric, and the subject that ratios refer to."""

    table: Text
    metric: Text
    reference: Text
    device: str = ""

    @model_validator(mode="after")
    def _known(self) -> ShownTable:
        if self.metric not in METRICS:
            raise ValueError(f"unknown metric {self.metric!r}")
        return self


class StatedQuantity(Record):
    """A number that the paper's text states, with its unit and place."""

    value: float
    unit: Text
    where: Text

    @field_validator("unit")
    @classmethod
    def _known_unit(cls, name: str) -> str:
        return known_unit(name)

    @property
    def amount(self) -> tuple[Fraction, dimensions.Dimension]:
        """In base units."""
        of = dimensions.unit(self.unit)
        assert of is not None
        return Fraction(str(self.value)) * of.factor, of.dimension


def known_unit(name: str) -> str:
    """A unit that there is. ValueError for another."""
    if dimensions.unit(name) is None:
        raise ValueError(f"unknown unit {name!r}; valid: s, ms, A, mA, V, W, J, Wh, B, kB, KiB, MB/s, cycles, % or 1")
    return name


class MethodAspect(Record):
    """One line of the method: as the paper has it, as we do, and what that changes."""

    what: Text
    paper: Text
    ours: Text


class ReplicationPart(Record):
    """A run of the replication. ``method``: ``paper``, as published; ``own``, the way motebench measures.

    ``study``: a file in this folder or in ``studies/``. ``groups``: which of its ``[[measure]]`` blocks, counted from
    1; none: all. ``schemes``, ``implementations``: in place of the blocks' own. ``target``: what the study measures on
    unless another is asked for. ``scales``: whether sizes follow ``--scale`` at all. ``small``: factor of the sizes
    with ``--scale small``; ``budget``: seconds of the run then; ``warmup`` (seconds of a case) and ``invocations`` of
    a just-in-time compiler then.
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
    warmup: Annotated[float, Field(gt=0)] | None = None
    invocations: Annotated[int, Field(ge=2, le=1000)] | None = None


class ClaimsFile(Record):
    """The whole file."""

    paper: Text
    numbers: Literal["tables", "text only"]
    silent: Names = ()
    metrics: dict[str, str] = Field(default_factory=dict)
    subject: tuple[PaperSubject, ...]
    device: tuple[PaperDevice, ...] = ()
    stated: tuple[StatedValue, ...] = ()
    reread: tuple[RereadRows, ...] = ()
    shown: tuple[ShownTable, ...] = ()
    quantity: dict[str, StatedQuantity] = Field(default_factory=dict)
    aspect: tuple[MethodAspect, ...] = ()
    part: tuple[ReplicationPart, ...] = ()
    claim: tuple[PaperClaim, ...]

    @model_validator(mode="after")
    def _names(self) -> ClaimsFile:
        subjects = {subject.name for subject in self.subject}
        devices = {device.name for device in self.device}
        for claim in self.claim:
            for check in claim.check:
                _known(f"claim {claim.id}: unknown subject", subjects_of(check), subjects)
                for only in selectors_of(check):
                    _known(f"claim {claim.id}: unknown device", only.devices, devices)
                    _known(f"claim {claim.id}: unknown metric", [only.metric] if only.metric else (), METRICS)
        _known("shown: unknown subject", [shown.reference for shown in self.shown], subjects)
        _known("metrics: unknown metric", self.metrics.values(), METRICS)
        ids = [claim.id for claim in self.claim]
        if len(set(ids)) < len(ids):
            raise ValueError("two claims have one id")
        return self


def _known(what: str, names: Iterable[str], valid: Collection[str]) -> None:
    """ValueError that lists the valid names, for one that there is not."""
    for name in names:
        if name not in valid:
            raise ValueError(f"{what} {name!r}; valid: {', '.join(sorted(valid))}")


def selectors_of(check: Check) -> list[Selector]:
    """Every selector of a check."""
    return [check.only, check.a, check.b] if isinstance(check, RatioCheck) else [check.only]


def subjects_of(check: Check) -> list[str]:
    """Every subject that a check names."""
    found = list(check.only.subjects)
    if isinstance(check, ExtremeCheck):
        found += [*check.who, *check.than]
    elif isinstance(check, OrderCheck):
        found += [name for names in check.order for name in names]
    elif isinstance(check, RatioCheck):
        found += [*check.a.subjects, *check.b.subjects]
    elif isinstance(check, ApproachCheck | WideningCheck):
        found += [check.a, check.b]
    return found
