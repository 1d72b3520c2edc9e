"""``catalog/papers/<key>/claims.toml``: what a paper claims, as statements that can be checked
without code.

``docs/reference/papers.md`` describes every key. Nothing in such a file is executed: a check names
a kind, and selects values.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from fnmatch import fnmatchcase
from fractions import Fraction
from pathlib import Path
from typing import Annotated, Literal

from pydantic import BeforeValidator, Field, field_validator, model_validator

from motebench.base import quantities as dimensions
from motebench.base.errors import InputError
from motebench.base.files import toml
from motebench.base.naming import SSH, did_you_mean
from motebench.base.paths import catalog_dir
from motebench.base.units import METRICS, parse_size
from motebench.catalog.lookup import schemes
from motebench.catalog.published import paper
from motebench.catalog.schema import Record, Text
from motebench.publications.papers import checks
from motebench.publications.papers.checks import (
    AirtimeStepsCheck,
    Check,
    ExampleCheck,
    FormulaCheck,
    Names,
    StandardCheck,
    known_unit,
    selectors_of,
    subjects_of,
)

FILE = "claims.toml"
Instructions = Literal["aes"]
"""Instructions for ciphers that devices of papers lack."""
WITHOUT: dict[Instructions, tuple[str, tuple[str, ...]]] = {
    "aes": ("aes-*", ("*@no-aes", "*@no-crypto", "*@baseline", "mote/*", "libtomcrypt*")),
}
"""Globs of the schemes that such instructions compute, and of the implementations that work without
them everywhere.
"""


def _bytes(text: object) -> int:
    try:
        return parse_size(str(text))
    except InputError as error:
        raise ValueError(error) from None


SmallSize = Annotated[int, BeforeValidator(_bytes)]


class PaperClaim(Record):
    """One claim: the paper's words, and the checks that decide it (all must hold).

    ``reading``: how the statement became checks, beyond what each check says of its bounds.
    ``published``, ``ours``, ``own``: why that side (printed numbers, every result here, results of
    our own method) cannot tell, whatever is measured. ``derived``: read off a table by the author
    of this file; the paper has no sentence that says it. ``of_code``: about the paper's own code,
    which other code alone cannot contradict.
    """

    id: Text
    statement: Text
    quote: Annotated[str, Field(max_length=300)]
    where: Text
    reading: str = ""
    published: str = ""
    ours: str = ""
    own: str = ""
    derived: bool = False
    of_code: bool = False
    check: tuple[Check, ...] = ()

    @model_validator(mode="after")
    def _says_how(self) -> PaperClaim:
        if not self.check and not (self.published and self.ours):
            raise ValueError(
                "a claim without a check says in published and in ours why it cannot be told"
            )
        return self

    @property
    def settled_by(self) -> str:
        """Evidence that decides the claim for every side, since no check looks at a value: a
        standard, a worked example, or the formula of the time on air. Empty where values do."""
        kinds = {
            StandardCheck: "a standard",
            ExampleCheck: "the worked example, computed",
            AirtimeStepsCheck: "the formula of the time on air",
        }
        names = dict.fromkeys(kinds.get(type(check), "") for check in self.check)
        return " and ".join(names) if names and "" not in names else ""

    @property
    def of_numbers_alone(self) -> bool:
        """True if every check computes with the paper's own numbers."""
        return bool(self.check) and all(isinstance(check, FormulaCheck) for check in self.check)

    @property
    def devices(self) -> frozenset[str]:
        """The devices of the paper that its checks name."""
        return frozenset(
            name for check in self.check for only in selectors_of(check) for name in only.devices
        )

    @property
    def read(self) -> str:
        """Interpretation of the paper's words and numbers, for display beside the verdict."""
        return "; ".join(
            dict.fromkeys(
                part for part in (self.reading, *(check.read for check in self.check)) if part
            )
        )


class PaperSubject(Record):
    """Subject of comparisons, by the name that claims use. ``published``: columns of the tables and
    their values; several rows of one subject differ in another dimension. ``schemes``: the same in
    the catalog."""

    name: Text
    published: dict[str, str] = Field(default_factory=dict)
    schemes: Names
    implementations: Names = ()


class RereadRows(Record):
    """Rows of the tables whose label is an evident slip: those with ``columns`` are of
    ``input_bytes``.
    """

    columns: dict[str, str]
    input_bytes: int
    why: Text


class PaperDevice(Record):
    """A device of the paper, and how to recognise it.

    ``targets``: globs of targets that simulate it, count its instructions, or are it by their kind.
    ``models``: globs of what a Linux board says of itself in ``/proc/device-tree/model``; the name
    of a host is no model. ``lacks``: instructions that it has not: a machine that stands for it
    must do without them.
    """

    name: Text
    targets: Names = ()
    models: Names = ()
    lacks: tuple[Instructions, ...] = ()

    @model_validator(mode="after")
    def _recognised(self) -> PaperDevice:
        if not (self.targets or self.models):
            raise ValueError("a device has targets, models, or both")
        return self

    def is_it(self, target: str, model: str) -> bool:
        """True if a target, of a board with this model (empty: unknown), is the device."""
        return any(fnmatchcase(target, glob) for glob in self.targets) or any(
            fnmatchcase(model, glob) for glob in self.models
        )

    def may_be(self, target: str) -> bool:
        """True if a target can be the device, before a board is asked for its model."""
        of_board = target.startswith((SSH, f"command:{SSH}"))
        return self.is_it(target, "") or (of_board and bool(self.models))


class StatedValue(Record):
    """A value that the text states, with its unit, as `motebench.publications.papers.checks.bounds`
    reads it.
    """

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
        checks.bounds(self.said, METRICS[self.metric].unit)
        return self

    @property
    def bounds(self) -> tuple[float, float]:
        """Bounds in the unit of the metric."""
        return checks.bounds(self.said, METRICS[self.metric].unit)


class ShownTable(Record):
    """Published table that is shown beside ours: its metric, and the subject that ratios refer
    to.
    """

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
        """Amount in base units."""
        unit = dimensions.unit(self.unit)
        assert unit is not None
        return Fraction(str(self.value)) * unit.factor, unit.dimension


class MethodAspect(Record):
    """Line of the method: in the paper, here, and the effect of the difference."""

    what: Text
    paper: Text
    ours: Text


class ReplicationPart(Record):
    """A run of the replication. ``method``: ``paper``, as published; ``own``, the way motebench
    measures.

    ``study``: a file in this folder or in ``studies/``. ``groups``: which of its ``[[measure]]``
    blocks, counted from 1; none: all. ``schemes``, ``implementations``: in place of the blocks'
    own. ``target``: what the study measures on unless another is asked for. ``scales``: whether
    sizes follow a factor of ``--scale`` at all. ``small``: with ``--scale small``, the sizes in
    place of those of the blocks, in the same order; ``warmup``: seconds of a case on a just-in-time
    compiler then. ``devices``: of the paper; the values stand for these alone.
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
    small: tuple[SmallSize, ...] = ()
    devices: Names = ()
    warmup: Annotated[float, Field(gt=0)] | None = None

    @field_validator("small")
    @classmethod
    def _rises(cls, sizes: tuple[int, ...]) -> tuple[int, ...]:
        if list(sizes) != sorted(set(sizes)):
            raise ValueError("sizes rise from left to right")
        return sizes


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
                    _known(
                        f"claim {claim.id}: unknown metric",
                        [only.metric] if only.metric else (),
                        METRICS,
                    )
        for part in self.part:
            _known(f"part {part.name}: unknown device", part.devices, devices)
        _known("shown: unknown subject", [shown.reference for shown in self.shown], subjects)
        _known("metrics: unknown metric", self.metrics.values(), METRICS)
        ids = [claim.id for claim in self.claim]
        if len(set(ids)) < len(ids):
            raise ValueError("two claims have one id")
        return self


def _known(kind: str, names: Iterable[str], valid: Collection[str]) -> None:
    """ValueError that lists the valid names, for an unknown one."""
    for name in names:
        if name not in valid:
            raise ValueError(f"{kind} {name!r}; valid: {', '.join(sorted(valid))}")


def folder_of(key: str, catalog: Path | None = None) -> Path:
    """The folder of a paper."""
    return (catalog or catalog_dir()) / "papers" / key


def replicable(catalog: Path | None = None) -> list[str]:
    """Keys of the papers whose claims are written down."""
    return sorted(
        path.parent.name for path in ((catalog or catalog_dir()) / "papers").glob(f"*/{FILE}")
    )


def read_claims(key: str, catalog: Path | None = None) -> ClaimsFile:
    """The claims of a paper, checked. InputError with file, line and key; or that lists the keys
    there are.
    """
    papers_known = replicable(catalog)
    if key not in papers_known:
        if catalog is None:
            paper(key)  # a message of its own for a key that no paper has
        raise InputError(
            f"paper {key!r} has no claims to replicate",
            valid=", ".join(papers_known),
            hint=did_you_mean(key, papers_known),
        )
    document = toml.load(folder_of(key, catalog) / FILE)
    file = toml.validate(document, ClaimsFile)
    if file.paper != key:
        raise InputError(
            "paper differs from the name of the folder", where=document.where(("paper",)), valid=key
        )
    for index, subject in enumerate(file.subject):
        for name in subject.schemes:
            if name not in schemes():
                raise InputError(
                    f"unknown scheme {name!r}",
                    where=document.where(("subject", index, "schemes")),
                    hint=did_you_mean(name, schemes()),
                )
    return file
