"""Arguments of the Python API: values with and without units, and errors that name arguments
instead of options.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from functools import wraps
from typing import TYPE_CHECKING, ParamSpec, TypeVar

from motebench.base.errors import InputError, MotebenchError

if TYPE_CHECKING:
    from motebench.results.selection import ResultFilter

P = ParamSpec("P")
R = TypeVar("R")

Texts = str | Iterable[str]
"""One name or pattern, or several."""
Sizes = str | int | Iterable[str | int]
"""One size, or several: bytes, or text with a unit as in ``"1 KiB"``."""
Path = str | os.PathLike[str]

_PLURALS = {
    "scheme",
    "implementation",
    "target",
    "operation",
    "size",
    "file",
    "file-size",
    "exclude",
    "metric",
}
_OTHERS = {
    "kat": "known_answers",
    "alternate": "builds",
    "with": "element",
    "tag": "tag_bytes",
    "cpu": "cores",
}


def names_arguments(function: Callable[P, R]) -> Callable[P, R]:
    """Let errors of ``function`` name its arguments: ``schemes`` where the command line says
    ``--scheme``.
    """

    @wraps(function)
    def wrapped(*args: P.args, **kwargs: P.kwargs) -> R:
        try:
            return function(*args, **kwargs)
        except MotebenchError as error:
            if error.where and error.where.startswith("--"):
                error.where = argument(error.where)
            raise

    return wrapped


def argument(option: str) -> str:
    """The argument for an option: ``max_latency`` for ``--max-latency``."""
    name = option.removeprefix("--")
    if name in _PLURALS:
        name += "s"
    return _OTHERS.get(name, name).replace("-", "_")


def texts(given: Texts, where: str) -> tuple[str, ...]:
    """One text or several, as a tuple. InputError for anything else."""
    values = (
        tuple(given) if isinstance(given, Iterable) and not isinstance(given, str) else (given,)
    )
    for text in values:
        if not isinstance(text, str):
            raise InputError(
                f"{text!r} is not text", where=where, valid="a text, or a list of texts"
            )
    return values


def several(given: object) -> tuple[str, ...]:
    """One text, number or path, or several, as text."""
    if isinstance(given, Iterable) and not isinstance(given, str | os.PathLike):
        return tuple(str(item) for item in given)
    return (str(given),)


def seconds(given: float | str | None, where: str) -> float | None:
    """Seconds from a number, or from text with a unit. InputError for a negative value."""
    if given is None:
        return None
    if isinstance(given, str):
        from motebench.base.units import parse_duration

        return parse_duration(given, where=where)
    if not _is_number(given) or not 0 < given <= 1e9:
        raise InputError(
            f"{given!r} is not a time",
            where=where,
            valid="seconds, or text with a unit: 60, '2min'",
        )
    return float(given)


def quantity(given: float | str | None, unit: str, where: str) -> float | None:
    """Amperes or volts from a number, or from text with a unit."""
    if given is None:
        return None
    if isinstance(given, str):
        from motebench.base.units import parse_quantity

        return parse_quantity(given, unit, where=where)
    if not _is_number(given) or not 0 <= given <= 1e6:
        raise InputError(
            f"{given!r} is not possible",
            where=where,
            valid=f"a number of {unit}, or text with its unit",
        )
    return float(given)


def frequency(given: float | str | None, where: str) -> float | None:
    """Hz from a number, or from text with a unit. InputError for anything that is no frequency."""
    from motebench.base.units import parse_frequency

    return None if given is None else float(parse_frequency(given, where=where))


def fraction(given: float | str | None, where: str) -> float | None:
    """A fraction: 0.01, or ``"1%"``."""
    if given is None:
        return None
    if isinstance(given, str):
        from motebench.base.units import parse_percent

        return parse_percent(given, where=where)
    if not _is_number(given) or not 0 < given < 1:
        raise InputError(
            f"{given!r} is not a fraction",
            where=where,
            valid="above 0 and below 1, or text: 0.01, '1%'",
        )
    return float(given)


def bytes_of(given: str | int | None, where: str) -> int | None:
    """Bytes from a number, or from text with a unit."""
    from motebench.base.units import parse_size

    return None if given is None else parse_size(given, where=where)


def _is_number(given: object) -> bool:
    return isinstance(given, int | float) and not isinstance(given, bool)


def result_filter(
    schemes: Texts,
    implementations: Texts,
    operations: Texts,
    sizes: Sizes,
    metrics: Texts,
    sort: str | None = None,
) -> ResultFilter:
    """The selection of results that these arguments say. InputError for one that is no text."""
    from motebench.results.selection import ResultFilter

    return ResultFilter(
        schemes=texts(schemes, "schemes"),
        implementations=texts(implementations, "implementations"),
        operations=texts(operations, "operations"),
        sizes=tuple(str(size) for size in several(sizes)),
        metrics=texts(metrics, "metrics"),
        sort=sort,
        python=True,
    )
