"""The model of ``catalog/papers/<key>/statements.toml``."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

from pydantic import Field, StringConstraints, model_validator

from motebench.base.files import toml
from motebench.catalog.schema import Count, IsoDate, Record, Text
from motebench.documents.papers import Certainty, Weight
from motebench.publications.papers.checks import bounds

Quote = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=200)]
Words = tuple[Text, ...]
Selection = dict[str, Text | Words]
"""Cells by label, ``table``, ``metric`` or ``statistic``: one text or several."""


class PaperStatement(Record):
    """Common keys of statements. ``matters`` and ``sure`` are those of a finding, if there is
    one.

    ``quote`` has the paper's own words, with ``[...]`` for what is left out and ``[3DES:]`` for
    what they are about; a statement about cells alone has none.
    """

    where: Text
    quote: Quote | None = None
    matters: Weight = Weight.MINOR
    sure: Certainty = Certainty.CERTAIN
    note: Text | None = None
    """Remark that a reader needs to judge the finding."""


class BoundedStatement(PaperStatement):
    """Value within bounds: ``low`` and ``high``, or all values that round to the number or word in
    ``said``.
    """

    low: float | None = None
    high: float | None = None
    said: Text | None = None

    @model_validator(mode="after")
    def _one_reading(self) -> BoundedStatement:
        if self.said is not None and (self.low is not None or self.high is not None):
            raise ValueError("said is read by the rule for readings: leave out low and high")
        return self

    def limits(self, unit: str = "1") -> tuple[float | None, float | None]:
        """Bounds in a unit. ValueError if ``said`` is no number in it."""
        return (self.low, self.high) if self.said is None else bounds(self.said, unit)


class RatioStatement(BoundedStatement):
    """The ratio of pairs of cells that differ in the named labels alone is within bounds."""

    kind: Literal["ratio"]
    of: Selection
    to: Selection


class SpreadStatement(BoundedStatement):
    """Largest / smallest - 1 over one label; the largest of all groups is within bounds.

    ``said`` is the largest difference.
    """

    kind: Literal["spread"]
    cells: Selection
    over: Text


class LevelStatement(BoundedStatement):
    """Cells that are all within bounds: ``low`` and ``high`` in their printed unit, ``said`` in its
    own.
    """

    kind: Literal["level"]
    cells: Selection


class OrderStatement(PaperStatement):
    """Each of ``less`` has less of a metric than each of ``than``; cells of tables and other
    statements are compared.

    ``along``: the label by which they are told apart. ``device`` and ``sizes`` say where it holds;
    absent, everywhere.
    """

    kind: Literal["order"]
    less: Words
    than: Words
    metric: Text
    along: Text = "algorithm"
    device: str = ""
    sizes: str = ""
    cells: Selection = Field(default_factory=dict)


class EqualStatement(PaperStatement):
    """Subjects with equal values of a metric: no statement may call one lower."""

    kind: Literal["equal"]
    same: Words
    metric: Text
    device: str = ""
    sizes: str = ""


class RelationStatement(PaperStatement):
    """A metric that is computed from another one, so that both have one order; ``inverse``: the
    reverse of it.
    """

    kind: Literal["relation"]
    metric: Text
    is_: Text = Field(alias="is")
    inverse: bool = False


class FactStatement(PaperStatement):
    """A subject has a value of an attribute; compared with the catalog and with other facts about
    it.

    ``known`` and ``source``: what the value is, where the catalog does not say it.
    """

    kind: Literal["fact"]
    subject: Text
    attribute: Text
    value: int | float | Text | Words
    known: int | float | Text | Words | None = None
    source: Text | None = None


class StrengthStatement(PaperStatement):
    """Claim that one algorithm (``AES-256``) is more secure than another."""

    kind: Literal["strength"]
    more: Text
    than: Text


class StatusStatement(PaperStatement):
    """Claim that an algorithm is good on a day; the catalog has the verdicts of standards bodies by
    then.
    """

    kind: Literal["status"]
    subject: Text
    on: IsoDate


class AnnouncedStatement(PaperStatement):
    """Announced subjects of the tests; tables must have them. ``all``: and no others."""

    kind: Literal["announced"]
    label: Text
    values: Words
    cells: Selection = Field(default_factory=dict)
    all: bool = False


class ReportedStatement(PaperStatement):
    """Announced subjects against those whose results the text reports, in papers without tables."""

    kind: Literal["reported"]
    announced: Words
    reported: Words


class MemberStatement(PaperStatement):
    """Membership of the sentence's subject in the compared set."""

    kind: Literal["member"]
    item: Text
    among: Words


class ReferenceStatement(PaperStatement):
    """The sentence sends the reader to tables or figures; ``metric``: for these numbers."""

    kind: Literal["refers"]
    to: Text | Words
    metric: Text | None = None


class CaptionsStatement(PaperStatement):
    """Captions of different tables or figures are different."""

    kind: Literal["captions"]
    captions: dict[str, Text]


class StatedAirtime(Record):
    """Seconds on air of a LoRa packet, as a quantity."""

    sf: int
    bytes: int
    bandwidth_khz: int = 125
    radio: Text = "sx1276"


class StatedCell(Record):
    """The one cell that a selection means, as a quantity."""

    cell: Selection


class ComputedStatement(BoundedStatement):
    """An expression over stated quantities and cells is within bounds, in ``unit``."""

    kind: Literal["compute"]
    given: dict[str, Text | StatedAirtime | StatedCell]
    expression: Text
    unit: Text = "1"
    says: Text
    """Meaning of the bounds: completes "the sentence needs ..."."""


class FormulaStatement(PaperStatement):
    """Formula: the dimension of its right side must be that of its stated unit."""

    kind: Literal["formula"]
    called: Text
    expression: Text
    units: dict[str, Text]
    unit: Text
    """Unit of the result by the paper."""
    same_as: Text | None = None
    """An expression over the same names that it equals but for a factor."""
    alternating: bool = False
    """True if its currents and voltages are of the mains: their product is an apparent power."""


class ConfoundedStatement(PaperStatement):
    """Each subject was measured with one means only; comparisons of subjects with different means
    compare both.
    """

    kind: Literal["confounded"]
    means: dict[str, Text]
    by: Text


class AirtimeStepsStatement(PaperStatement):
    """Claim that any longer packet takes longer; in steps of one byte from ``low`` to ``high``
    bytes.
    """

    kind: Literal["steps"]
    sf: int
    low: int
    high: int
    least: float
    """Share of steps that must change the time on air for the sentence to hold."""


class InverseStatement(PaperStatement):
    """Steps of decryption undo those of encryption: each its inverse, the last first.

    A step is ``name`` or ``name(argument)``. ``for round = 1 to 9`` and ``end`` enclose steps that
    are repeated.
    """

    kind: Literal["inverse"]
    forward: Words
    back: Words
    inverses: dict[str, Text]
    """The name that undoes a step, by its name."""


class StatedClock(Record):
    """A device with its processor core and clock."""

    device: Text
    core: Text
    clock: Text


class ClocksStatement(PaperStatement):
    """A ratio of speeds is explained by clocks: holds if the cores are the same and the clocks have
    the ratio.
    """

    kind: Literal["clocks"]
    of: StatedClock
    to: StatedClock
    said: Text


class PayloadStatement(PaperStatement):
    """Data of that size are sent in one packet of the radio."""

    kind: Literal["payload"]
    bytes: Count
    radio: Text = "sx1276"


class BlocksStatement(PaperStatement):
    """An input is encrypted by block ciphers without a word on padding: holds if it is whole blocks
    of each.

    ``radio`` with ``sf``: what the longer output adds to the time on air.
    """

    kind: Literal["blocks"]
    algorithms: Words
    bytes: Count
    sf: int | None = None
    radio: Text = "sx1276"


class JudgedStatement(PaperStatement):
    """A subject is called ``verdict`` for an attribute of the catalog; subjects that share it are
    called the same.
    """

    kind: Literal["judged"]
    subject: Text
    attribute: Text
    verdict: Text


AnyStatement = Annotated[
    RatioStatement
    | SpreadStatement
    | LevelStatement
    | OrderStatement
    | EqualStatement
    | RelationStatement
    | FactStatement
    | StrengthStatement
    | StatusStatement
    | AnnouncedStatement
    | ReportedStatement
    | MemberStatement
    | ReferenceStatement
    | CaptionsStatement
    | ComputedStatement
    | FormulaStatement
    | ConfoundedStatement
    | AirtimeStepsStatement
    | InverseStatement
    | ClocksStatement
    | PayloadStatement
    | BlocksStatement
    | JudgedStatement,
    Field(discriminator="kind"),
]


class PaperStatements(Record):
    """File ``statements.toml``. ``tables`` and ``figures``: those of the paper, by name;
    ``uncited``: those that its text never mentions.
    """

    tables: Words = ()
    figures: Words = ()
    uncited: Words = ()
    statement: tuple[AnyStatement, ...] = ()


def read_statements(folder: Path) -> PaperStatements:
    """The statements of the paper in that folder. InputError with file, line and key."""
    path = folder / "statements.toml"
    return toml.validate(toml.load(path), PaperStatements) if path.exists() else PaperStatements()
