"""Papers whose measurements motebench repeats, and their published tables: numbers as printed, with
the role of each.

A paper is a folder: ``catalog/papers/<key>/paper.toml`` has the algorithms, modes and key sizes
that it evaluated, and its library (``docs/reference/catalog.md``); ``tables.toml`` and the CSV
files that it names have its tables (``docs/reference/audit.md``).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from enum import StrEnum
from fractions import Fraction
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import Annotated

from pydantic import Field

from motebench.base.errors import InputError
from motebench.base.files import toml
from motebench.base.naming import did_you_mean
from motebench.base.paths import catalog_dir
from motebench.catalog import csvfile
from motebench.catalog.lookup import schemes
from motebench.catalog.schema import Count, Record, Text

LABELS = (
    "device",
    "implementation",
    "algorithm",
    "mode",
    "key_bits",
    "operation",
    "input_bytes",
    "part",
    "label",
)
"""Columns that identify a number. ``part`` is the place of a row among rows with the same printed
labels.
"""
_NUMBERS = ("metric", "statistic", "value", "unit", "printed", "printed_unit")
_PLAIN = re.compile(r"[+-]?\d{1,40}(?:[.,]\d{1,40})?(?:[eE][+-]?\d{1,3})?", re.ASCII)
_NUMBER_HELP = "9.86, \"9,86\" (decimal comma, in quotes), 1.2e-5; '12,345.67' and 'n/a' are not"


class Statistic(StrEnum):
    """Statistic of the readings behind a number. ``value``: not stated, or one reading."""

    VALUE = "value"
    MEAN = "mean"
    MEDIAN = "median"
    MINIMUM = "minimum"
    MAXIMUM = "maximum"
    VARIANCE = "variance"
    SD = "sd"
    SEM = "sem"

    @property
    def central(self) -> bool:
        """True if the statistic stands for the readings themselves."""
        return self in (Statistic.VALUE, Statistic.MEAN, Statistic.MEDIAN)


@dataclass(frozen=True, slots=True)
class Printed:
    """A number as it stands on the page: exact, with the width that its last digit leaves open."""

    text: str
    value: Fraction
    half: Fraction
    """Half a unit of the last digit: the number before rounding was within ``value`` +- ``half``.
    """

    @property
    def low(self) -> Fraction:
        """The least that rounds to this."""
        return self.value - self.half

    @property
    def high(self) -> Fraction:
        """The most that rounds to this."""
        return self.value + self.half

    @property
    def wide(self) -> tuple[Fraction, Fraction]:
        """The same bounds, with zeros at the end of a whole number as mere places: 200 may stand
        for 195 to 205.
        """
        whole = str(self.value.numerator) if self.half == Fraction(1, 2) and self.value > 0 else "1"
        zeros = len(whole) - len(whole.rstrip("0"))
        half = self.half * 10**zeros
        return self.value - half, self.value + half

    @property
    def digits(self) -> int:
        """Significant digits."""
        return len(re.sub(r"\D", "", re.sub(r"[eE].*$", "", self.text)).lstrip("0")) or 1

    def __float__(self) -> float:
        return float(self.value)


@dataclass(frozen=True, slots=True)
class Cell:
    """Published number, its position and its labels."""

    table: str
    line: int
    """Line of the file."""
    labels: Mapping[str, str]
    metric: str
    statistic: Statistic
    number: Printed
    """Value in ``unit_printed``."""
    unit_printed: str
    value: Fraction
    """Value in ``unit``: the reading that replication compares with."""
    unit: str
    """Differs from the printed unit only where that cannot be meant."""

    @property
    def size(self) -> int | None:
        """Bytes of input."""
        text = self.labels.get("input_bytes", "")
        return int(text) if text.isdigit() else None

    def label(self, name: str) -> str:
        """Label of one column; empty if the table has no such column."""
        return self.labels.get(name, "")


@dataclass(frozen=True, slots=True)
class Table:
    """Published table: its cells in the order of the page.

    ``repetitions``: readings behind each mean; None if not stated. ``resolution``: of one reading,
    by metric, in the printed unit, where the instrument is known. ``bounds``: by metric, what a
    reading can be.
    """

    name: str
    caption: str
    source: str
    cells: tuple[Cell, ...]
    repetitions: int | None = None
    resolution: Mapping[str, Fraction] = field(default_factory=dict)
    bounds: Mapping[str, tuple[Fraction | None, Fraction | None]] = field(default_factory=dict)
    assumed: frozenset[str] = frozenset()
    """Metrics whose resolution nobody stated: their unit counts whole things."""
    readings: Mapping[int, int] = field(default_factory=dict)
    """Readings behind the numbers of a line, where the lines differ."""


class PublishedTableEntry(Record):
    """One ``[[table]]`` of ``tables.toml``."""

    name: Text
    file: Text
    caption: Text
    repetitions: Annotated[Count, Field(le=10**9)] | None = None
    resolution: dict[str, Annotated[float, Field(gt=0)]] = Field(default_factory=dict)


class Tables(Record):
    """``tables.toml``: the tables of a paper with numbers, in the order of the page."""

    table: tuple[PublishedTableEntry, ...] = ()


def printed(text: str, *, where: str | None = None) -> Printed:
    """A number as printed, with decimal point or comma. InputError for anything else, NaN and
    infinity included.
    """
    if not _PLAIN.fullmatch(text):
        raise InputError(f"{text!r} is not a number", where=where, valid=_NUMBER_HELP)
    number = Decimal(text.replace(",", "."))
    if number and abs(number.adjusted()) > 60:
        raise InputError(f"{text!r} is out of range", where=where, valid="1e-60 to 1e60")
    exponent = number.as_tuple().exponent
    assert isinstance(exponent, int)
    return Printed(text, Fraction(number), Fraction(10) ** exponent / 2)


def read_table(entry: PublishedTableEntry, folder: Path) -> Table:
    """The numbers of one table. InputError with file and line."""
    read = csvfile.read(folder / entry.file)
    for name in read.header:
        if name not in (*LABELS, *_NUMBERS):
            raise InputError(
                f"unknown column {name!r}",
                where=read.where(1),
                valid=", ".join((*LABELS, *_NUMBERS)),
                hint=did_you_mean(name, (*LABELS, *_NUMBERS)),
            )
    for name in ("metric", "value", "unit"):
        if name not in read.header:
            raise InputError(f"there is no column {name!r}", where=read.where(1))
    return Table(
        name=entry.name,
        caption=entry.caption,
        source=str(read.path),
        cells=tuple(_cells(read, entry.name)),
        repetitions=entry.repetitions,
        resolution={name: Fraction(str(step)) for name, step in entry.resolution.items()},
    )


def _cells(read: csvfile.CsvFile, table: str) -> Iterator[Cell]:
    for row in read.rows:
        values = dict(zip(read.header, row.texts, strict=True))
        where = read.where(row.line)
        value = printed(values["value"], where=where)
        size = values.get("input_bytes", "")
        if size and not size.isdigit():
            raise InputError(
                f"{size!r} is not a number of bytes",
                where=f"{where}: input_bytes",
                valid="16, 1000000",
            )
        yield Cell(
            table=table,
            line=row.line,
            labels={name: values[name] for name in LABELS if values.get(name)},
            metric=values["metric"],
            statistic=statistic(values.get("statistic") or "value", where=where),
            number=printed(values["printed"], where=where) if values.get("printed") else value,
            unit_printed=values.get("printed_unit") or values["unit"],
            value=value.value,
            unit=values["unit"],
        )


def statistic(text: str, *, where: str | None = None) -> Statistic:
    """A statistic by its name. InputError that lists them."""
    try:
        return Statistic(text)
    except ValueError:
        raise InputError(
            f"unknown statistic {text!r}",
            where=where,
            valid=", ".join(Statistic),
            hint=did_you_mean(text, [str(member) for member in Statistic]),
        ) from None


def read_tables(folder: Path) -> tuple[Table, ...]:
    """The tables of the paper in that folder; none if it has no ``tables.toml``. InputError with
    file and line.
    """
    path = folder / "tables.toml"
    if not path.exists():
        return ()
    return tuple(
        read_table(entry, folder) for entry in toml.validate(toml.load(path), Tables).table
    )


@cache
def tables(key: str) -> tuple[Table, ...]:
    """The tables of a paper of the catalog, by its key, as far as their numbers are printed in its
    text.
    """
    return read_tables(catalog_dir() / "papers" / key)


class Evaluated(Record):
    """Algorithm as a paper evaluated it.

    ``algorithm`` and ``mode`` are the paper's words, ``key_bits`` the sizes it names (RSA: of the
    modulus). ``schemes`` are the catalog's schemes that correspond, ``used`` the implementations
    here that are the paper's own library or its successor; empty where it used its own code.
    ``note``: what the paper leaves open.
    """

    algorithm: Text
    mode: str
    key_bits: list[int]
    schemes: list[Text]
    used: list[Text]
    note: str = ""


class Formula(Record):
    """Formula of a paper, as printed: ``expression`` over the amounts that
    ``docs/reference/catalog.md`` lists.

    ``called``: the paper's name for the result, ``unit`` what the result is in fact. ``wrong``: why
    it is not the quantity that the name says; ``{at_volts}`` stands for the value of an amount.
    """

    called: Text
    where: Text
    expression: Text
    unit: Text
    wrong: Text


class Paper(Record):
    """Published paper: its publication, its subject, the hardware and the library."""

    key: Text
    title: Text
    year: int
    source: Text
    platform: Text
    library: Text
    evaluated: list[Evaluated]
    formula: tuple[Formula, ...] = ()


def paper_files(catalog: Path) -> list[Path]:
    """Every ``paper.toml`` below a catalog folder, by key."""
    return sorted((catalog / "papers").glob("*/paper.toml"))


def read_paper(path: Path) -> Paper:
    """One paper, its schemes checked against the catalog. InputError with file, line and key."""
    document = toml.load(path)
    paper = toml.validate(document, Paper)
    if paper.key != path.parent.name:
        raise InputError(
            "key differs from the name of the folder",
            where=document.where(("key",)),
            valid=path.parent.name,
        )
    for index, entry in enumerate(paper.evaluated):
        for name in entry.schemes:
            if name not in schemes():
                raise InputError(
                    f"unknown scheme {name!r}",
                    where=document.where(("evaluated", index, "schemes")),
                    hint=did_you_mean(name, schemes()),
                )
    return paper


@cache
def papers() -> Mapping[str, Paper]:
    """Every paper by key."""
    return MappingProxyType(
        {paper.key: paper for paper in map(read_paper, paper_files(catalog_dir()))}
    )


def paper(key: str, where: str = "PAPER") -> Paper:
    """Paper of that key. InputError that lists the keys for an unknown one; ``where``: the option
    that gave the key.
    """
    entry = papers().get(key)
    if entry is None:
        raise InputError(
            f"unknown paper {key!r}",
            where=where,
            valid=", ".join(papers()),
            hint=did_you_mean(key, papers()),
        )
    return entry
