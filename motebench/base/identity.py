"""The identity of a case: the only place that knows which dimensions a case has.

Everything about a case extends `CaseId`: a case of a run, a failure, a measurement, a row of a
table. Documents, exports, reports, comparisons and the store take the dimensions from here.
``docs/explain/extending.md`` shows how to add one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, fields
from typing import Annotated, Any, ClassVar

from motebench.base.shapes import LEFT_OUT, Count, Must, keys
from motebench.base.units import format_size


@dataclass(frozen=True, slots=True)
class Dimension:
    """A number, other than the size of the input, that is part of a case's identity; 0 if there is
    none.

    ``name``: the field of `CaseId`, key of documents and column of the store. ``word``: its name
    for readers. ``most``: the largest number that a store may contain. ``since``: the first version
    of the store that has the column. ``counts``: it counts things that ``word`` names; otherwise it
    is a number of bytes.
    """

    name: str
    word: str
    most: int
    since: int
    counts: bool = False

    def words(self, number: int, size: Callable[[int], str] = format_size) -> str:
        """The number for a reader: ``13 B AAD``, ``2 cores``. ``size`` writes a number of bytes."""
        return (
            f"{number} {self.word}{'s' * (number != 1)}"
            if self.counts
            else f"{size(number)} {self.word}"
        )


def _beside(word: str, *, since: int, most: int = 2**40) -> dict[str, Any]:
    return {"word": word, "most": most, "since": since}


def _count(word: str, *, since: int, most: int) -> dict[str, Any]:
    return {**_beside(word, since=since, most=most), "counts": True}


@dataclass(frozen=True, slots=True)
class CaseId:
    """Identity of a case within a run."""

    LEADING: ClassVar[tuple[str, ...]] = (
        "scheme",
        "implementation",
        "target",
        "operation",
        "input_bytes",
    )

    scheme: str
    """``*`` or empty for a whole implementation."""
    implementation: str
    """Label of the results."""
    operation: str | None
    """None: all operations."""
    input_bytes: Count | None
    """0 if the operation has no input; None means all sizes."""
    target: str
    aad_bytes: Count = field(default=0, kw_only=True, metadata=_beside("AAD", since=2))
    """Size of an AEAD's additional data."""
    cores: Count = field(default=0, kw_only=True, metadata=_count("core", since=4, most=8192))
    """Processes at once, each on a core of its own; 0: a case that is not about several."""
    file: Annotated[str, Must(minLength=1)] | None = field(
        default=None, kw_only=True, metadata=LEFT_OUT
    )
    """Path; only for whole-file operations."""

    @classmethod
    def of(cls, entry: Mapping[str, object]) -> CaseId:
        """The identity in an entry of a document or a row of the store; missing keys get their
        defaults.
        """
        size, operation = entry.get("input_bytes"), entry.get("operation")
        return CaseId(
            str(entry.get("scheme") or ""),
            str(entry.get("implementation") or ""),
            None if operation is None else str(operation),
            None if size is None else _whole(size),
            str(entry.get("target") or ""),
            file=str(entry.get("file") or "") or None,
            **{dimension.name: _whole(entry.get(dimension.name) or 0) for dimension in DIMENSIONS},
        )

    @property
    def id(self) -> CaseId:
        """The identity alone."""
        return CaseId(**self.identity())

    def identity(self) -> dict[str, Any]:
        """Each part of the identity by its name, as plain text and numbers."""
        values = {name: getattr(self, name) for name in NAMES}
        values["operation"] = None if self.operation is None else str(self.operation)
        return values

    def entry(self) -> dict[str, Any]:
        """The identity as in documents: ``file`` only if there is one."""
        values = self.identity()
        return {name: values[name] for name in ORDER if name != "file" or self.file}

    def without(self, *names: str) -> CaseId:
        """The identity with these parts left empty, for cases that differ only in these parts."""
        return CaseId(
            **{
                name: getattr(_NOTHING, name) if name in names else value
                for name, value in self.identity().items()
            }
        )

    def beside(self) -> Iterator[tuple[Dimension, int]]:
        """The dimensions that this case has in addition to its main input."""
        for dimension in DIMENSIONS:
            size = getattr(self, dimension.name)
            if size:
                yield dimension, size

    @property
    def bare(self) -> bool:
        """True if the case has at most an input: no file, no additional data, no number of
        cores.
        """
        return not self.file and not any(self.beside())

    def input_words(self, size: Callable[[int], str] = format_size) -> str:
        """The input for a reader: ``16 B + 13 B AAD``, ``16 B on 2 cores``. ``size`` writes a
        number of bytes.
        """
        sizes = [size(self.input_bytes or 0)]
        sizes += [
            dimension.words(number, size)
            for dimension, number in self.beside()
            if not dimension.counts
        ]
        counted = [
            f"on {dimension.words(number)}"
            for dimension, number in self.beside()
            if dimension.counts
        ]
        return " ".join([" + ".join(sizes), *counted])

    def order(self) -> tuple[Any, ...]:
        """Sort key: file, sizes, name."""
        sizes = (
            self.input_bytes or 0,
            *(getattr(self, dimension.name) for dimension in DIMENSIONS),
        )
        return self.file or "", *sizes, self.scheme, self.implementation, self.target


NAMES = tuple(each.name for each in fields(CaseId))
"""Every part of an identity."""
DIMENSIONS = tuple(
    Dimension(each.name, **each.metadata) for each in fields(CaseId) if "word" in each.metadata
)
ORDER = tuple(name for name, _ in keys(CaseId))
"""Every part of an identity in the order of documents and tables."""
_NOTHING = CaseId(scheme="", implementation="", operation="", input_bytes=0, target="")
"""The identity whose every part is empty."""


def _whole(value: object) -> int:
    """A number of an entry, which JSON or a database may give as another type. ValueError if it is
    none.
    """
    if not isinstance(value, int | float | str):
        raise ValueError(f"{type(value).__name__} is not a number")
    return int(value)
