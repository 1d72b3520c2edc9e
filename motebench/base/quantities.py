"""Quantities: expressions over them, an algebra of their units, and figures with bounds.

An expression is read and computed without executing anything. `Arithmetic` walks it; its subclasses
say what numbers, names and operators mean: lengths in catalog files (`catalog.protocolfile`),
constants in C headers (`targets.code`), and here quantities with dimensions.

Dimensions are powers of time, current, voltage and data; cycles count as a dimension of their own,
and percent is a factor of 1/100 without one. KB are 1000 bytes and KiB 1024. Values are fractions:
nothing is rounded. A formula has numbers, names, ``+ - * /``, ``**`` with a whole exponent, and
brackets.
"""

from __future__ import annotations

import ast
import math
import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import Generic, TypeVar

from motebench.base.errors import InputError

# Expressions

Value = TypeVar("Value")
LONGEST = 300
"""Characters of an expression in a file of data."""


class ExpressionError(ValueError):
    """A text or a part of it that is no expression, or no allowed one."""


class Arithmetic(ABC, Generic[Value]):
    """The values of an expression's parts, and the walk over them.

    ``operators``: functions of two values, by kind of operator.
    """

    operators: Mapping[type[ast.operator], Callable[[Value, Value], Value]]

    @abstractmethod
    def number(self, value: int | float) -> Value:
        """The value of a number as it stands."""

    def name(self, name: str) -> Value:
        """The value of a name."""
        raise self.refused(ast.Name(name))

    def negative(self, operand: ast.expr) -> Value:
        """The value of an operand with a minus sign."""
        raise self.refused(ast.UnaryOp(ast.USub(), operand))

    def other(self, node: ast.expr) -> Value:
        """The value of a part that is neither a number nor a name nor an operator with its
        operands.
        """
        raise self.refused(node)

    def refused(self, node: ast.expr) -> Exception:
        """The error for a part that is not allowed."""
        return ExpressionError(f"{ast.unparse(node)!r} is not allowed in an expression")

    def value(self, node: ast.expr) -> Value:
        """The value of an expression, part by part."""
        match node:
            case ast.Constant(value=int() | float() as number) if not isinstance(number, bool):
                return self.number(number)
            case ast.Name(id=name):
                return self.name(name)
            case ast.UnaryOp(op=ast.USub(), operand=operand):
                return self.negative(operand)
            case ast.BinOp(left=left, op=operator, right=right) if type(operator) in self.operators:
                return self.operators[type(operator)](self.value(left), self.value(right))
        return self.other(node)


@lru_cache(maxsize=4096)
def parsed(expression: str) -> ast.expr:
    """Syntax tree of an expression. ExpressionError for invalid syntax."""
    try:
        return ast.parse(expression, mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        raise ExpressionError(f"{expression!r} is not an expression") from None


# Dimensions of printed units and of formulas

_BASE = ("s", "A", "V", "byte", "cycle")
Dimension = tuple[Fraction, ...]
NONE: Dimension = (Fraction(0),) * len(_BASE)


def _of(**powers: int) -> Dimension:
    return tuple(Fraction(powers.get(name, 0)) for name in _BASE)


TIME, CURRENT, VOLTAGE, DATA, CYCLES = (_of(**{name: 1}) for name in _BASE)
POWER, ENERGY, CHARGE = _of(A=1, V=1), _of(A=1, V=1, s=1), _of(A=1, s=1)
SPEED, FREQUENCY, PER_BYTE = _of(byte=1, s=-1), _of(s=-1), _of(cycle=1, byte=-1)
_SPOKEN = {
    TIME: "a time",
    CURRENT: "a current",
    VOLTAGE: "a voltage",
    DATA: "an amount of data",
    POWER: "a power",
    ENERGY: "an energy",
    CHARGE: "a charge",
    SPEED: "a throughput",
    FREQUENCY: "a frequency",
    CYCLES: "a number of cycles",
    NONE: "a number without unit",
}
_UNITS: dict[str, tuple[Fraction, Dimension]] = {
    "s": (Fraction(1), TIME),
    "min": (Fraction(60), TIME),
    "h": (Fraction(3600), TIME),
    "d": (Fraction(86400), TIME),
    "A": (Fraction(1), CURRENT),
    "V": (Fraction(1), VOLTAGE),
    "W": (Fraction(1), POWER),
    "VA": (Fraction(1), POWER),
    "J": (Fraction(1), ENERGY),
    "Wh": (Fraction(3600), ENERGY),
    "Ah": (Fraction(3600), CHARGE),
    "C": (Fraction(1), CHARGE),
    "Hz": (Fraction(1), FREQUENCY),
    "B": (Fraction(1), DATA),
    "bit": (Fraction(1, 8), DATA),
    "cycle": (Fraction(1), CYCLES),
    "%": (Fraction(1, 100), NONE),
    "1": (Fraction(1), NONE),
    "x": (Fraction(1), NONE),
    "symbol": (Fraction(1), NONE),
    "KiB": (Fraction(1024), DATA),
    "MiB": (Fraction(1024**2), DATA),
    "GiB": (Fraction(1024**3), DATA),
}
_WORDS = {
    "sec": "s", "secs": "s", "second": "s", "seconds": "s", "msec": "ms", "millisecond": "ms",
    "milliseconds": "ms",
    "usec": "us", "microsecond": "us", "microseconds": "us", "nanoseconds": "ns", "hour": "h",
    "hours": "h", "hr": "h",
    "hrs": "h", "minutes": "min", "day": "d", "days": "d", "amp": "A", "amps": "A",
    "ampere": "A", "amperes": "A",
    "volt": "V", "volts": "V", "watt": "W", "watts": "W", "joule": "J", "joules": "J",
    "byte": "B", "bytes": "B",
    "bits": "bit", "kilobytes": "kB", "megabytes": "MB", "cycles": "cycle", "clocks": "cycle",
    "percent": "%",
    "symbols": "symbol", "times": "x", "mbps": "Mbit/s", "kbps": "kbit/s", "cpb": "cycle/B",
    "hertz": "Hz",
    "mhz": "MHz", "ghz": "GHz", "khz": "kHz", "kbytes": "kB", "mbytes": "MB",
}  # fmt: skip
"""Words of units, in any case of letters."""
_EXACT = {
    "b": "bit",
    "KB": "kB",
    "Kb": "kbit",
    "kb": "kbit",
    "Mb": "Mbit",
    "Gb": "Gbit",
    "mb": "MB",
    "gb": "GB",
    "S": "s",
}
"""Letters whose case counts: b is a bit and B a byte."""
_PREFIXES = {"n": -9, "u": -6, "m": -3, "k": 3, "M": 6, "G": 9}
_LARGEST = 1000
"""Largest number of bits of a numerator or denominator: a float can hold such a number."""
_HIGHEST_POWER = 20
_TOO_LARGE = "a value is too large or too small"
_PART = re.compile(r"([A-Za-z%1]+)(?:\^?(-?[1-4]))?", re.ASCII)


@dataclass(frozen=True, slots=True)
class Unit:
    """A unit: the value of 1 of it in base units."""

    factor: Fraction
    dimension: Dimension

    @property
    def spoken(self) -> str:
        """``a time``; a dimension without a name by its powers."""
        return _SPOKEN.get(self.dimension) or " ".join(
            f"{name}^{power}" for name, power in zip(_BASE, self.dimension, strict=True) if power
        )


@lru_cache(maxsize=1024)
def unit(text: str) -> Unit | None:
    """The unit that a text such as ``ms``, ``MB/s``, ``KB^2`` or ``cycles/byte`` means; None for an
    unknown one.
    """
    text = (
        re.sub("[\u00b5\u03bc]", "u", text.strip())
        .replace("\u00b2", "^2")
        .replace("\u00b7", "*")
        .replace(" per ", "/")
    )
    text = _known(text)
    if not text or len(text) > 40:
        return None
    factor, dimension, sign = Fraction(1), NONE, 1
    for place, part in enumerate(re.split(r"\s*([*/])\s*", text)):
        if place % 2:
            sign = -1 if part == "/" else 1
            continue
        match = _PART.fullmatch(part)
        single = _single(match[1]) if match else None
        if match is None or single is None:
            return None
        power = sign * int(match[2] or 1)
        factor *= single[0] ** power
        dimension = tuple(a + power * b for a, b in zip(dimension, single[1], strict=True))
    return Unit(factor, dimension)


def _known(text: str) -> str:
    return _EXACT.get(text) or (text if text in _UNITS else _WORDS.get(text.lower(), text))


def _single(name: str) -> tuple[Fraction, Dimension] | None:
    name = _known(name)
    if name in _UNITS:
        return _UNITS[name]
    if (
        name[:1] in _PREFIXES
        and name[1:] in _UNITS
        and name[1:] not in ("%", "1", "x", "min", "h", "d")
    ):
        factor, dimension = _UNITS[name[1:]]
        return factor * Fraction(10) ** _PREFIXES[name[0]], dimension
    return None


def quantity(text: str, *, where: str | None = None) -> tuple[Fraction, Unit]:
    """The amount in base units, and its unit, of ``0.062 A`` or ``120``. InputError for anything
    else.
    """
    match = re.fullmatch(
        r"\s*([+-]?\d{1,30}(?:\.\d{1,30})?(?:[eE][+-]?\d{1,2})?)\s*(\S.*)?", text, re.ASCII
    )
    unit_of = unit(match[2] or "1") if match else None
    if match is None or unit_of is None:
        raise InputError(
            f"{text!r} is not a quantity",
            where=where,
            valid="a number with a known unit: 0.062 A, 1.5 MB/s",
        )
    return Fraction(match[1]) * unit_of.factor, unit_of


def number(value: float) -> tuple[Fraction, Dimension]:
    """A number without a unit, for `evaluate`."""
    return Fraction(str(value)), NONE


def evaluate(
    expression: str, given: Mapping[str, tuple[Fraction, Dimension]], *, where: str | None = None
) -> tuple[Fraction, Dimension]:
    """Value (base units) and dimension of an expression over named quantities.

    InputError for other syntax, unknown names, a sum of different dimensions, a division by zero,
    or a value that no float can hold.
    """
    if len(expression) > LONGEST:
        raise InputError(
            "the expression is too long", where=where, valid=f"at most {LONGEST} characters"
        )
    try:
        tree = parsed(expression)
    except ExpressionError:
        raise InputError(
            f"{expression!r} is not an expression", where=where, valid="volts * amps / 2"
        ) from None
    try:
        return _Quantities(given).value(tree)
    except ZeroDivisionError:
        raise InputError(f"{expression!r} divides by zero", where=where) from None
    except RecursionError:
        raise InputError(
            "the expression is nested too deeply", where=where, valid="fewer brackets"
        ) from None
    except ExpressionError as error:
        raise InputError(
            f"{expression!r}: {error}", where=where, valid=f"+ - * / ** over: {', '.join(given)}"
        ) from None


Quantity = tuple[Fraction, Dimension]
"""An amount in base units, and its dimension."""


def _sum(first: Quantity, second: Quantity) -> Quantity:
    (a, left), (b, right) = first, second
    if left != right:
        raise ExpressionError(f"{Unit(a, left).spoken} and {Unit(b, right).spoken} cannot be added")
    return _small(a + b, left)


def _difference(first: Quantity, second: Quantity) -> Quantity:
    value, dimension = second
    return _sum(first, (-value, dimension))


def _product(first: Quantity, second: Quantity) -> Quantity:
    (a, left), (b, right) = first, second
    return _small(a * b, tuple(x + y for x, y in zip(left, right, strict=True)))


def _quotient(first: Quantity, second: Quantity) -> Quantity:
    (a, left), (b, right) = first, second
    return _small(a / b, tuple(x - y for x, y in zip(left, right, strict=True)))


def _power(base: Quantity, exponent: Quantity) -> Quantity:
    (a, left), (b, right) = base, exponent
    if right != NONE or b.denominator != 1 or abs(b) > _HIGHEST_POWER:
        return _unknown()
    if _bits(a) * abs(b) > _LARGEST:
        raise ExpressionError(_TOO_LARGE)
    return _small(a ** int(b), tuple(x * int(b) for x in left))


def _unknown(*_: Quantity) -> Quantity:
    raise ExpressionError(
        f"only + - * / and ** with a whole exponent up to {_HIGHEST_POWER} are allowed"
    )


def _small(value: Fraction, dimension: Dimension) -> Quantity:
    if _bits(value) > _LARGEST:
        raise ExpressionError(_TOO_LARGE)
    return value, dimension


class _Quantities(Arithmetic[Quantity]):
    """Numbers and named quantities, with their dimensions."""

    operators: Mapping[type[ast.operator], Callable[[Quantity, Quantity], Quantity]] = {
        **dict.fromkeys(ast.operator.__subclasses__(), _unknown),
        ast.Add: _sum,
        ast.Sub: _difference,
        ast.Mult: _product,
        ast.Div: _quotient,
        ast.Pow: _power,
    }

    def __init__(self, given: Mapping[str, Quantity]) -> None:
        self._given = given

    def number(self, value: int | float) -> Quantity:
        if not math.isfinite(value):
            raise ExpressionError("a number is too large")
        return number(value)

    def name(self, name: str) -> Quantity:
        if name not in self._given:
            raise ExpressionError(f"unknown name {name!r}")
        return self._given[name]

    def negative(self, operand: ast.expr) -> Quantity:
        value, dimension = self.value(operand)
        return -value, dimension

    def refused(self, _: ast.expr) -> ExpressionError:
        return ExpressionError("only arithmetic is allowed")


def _bits(value: Fraction) -> int:
    return max(value.numerator.bit_length(), value.denominator.bit_length())


# Figures with bounds


@dataclass(frozen=True, slots=True)
class Interval:
    """``low <= typical <= high``, not negative."""

    low: float
    typical: float
    high: float

    @classmethod
    def exact(cls, value: float) -> Interval:
        """A figure without uncertainty."""
        return cls(value, value, value)

    def __add__(self, other: Interval) -> Interval:
        return Interval(self.low + other.low, self.typical + other.typical, self.high + other.high)

    def __mul__(self, factor: float | Interval) -> Interval:
        by = factor if isinstance(factor, Interval) else Interval.exact(factor)
        return Interval(self.low * by.low, self.typical * by.typical, self.high * by.high)


UNCHANGED = Interval.exact(1.0)
"""The factor that changes nothing."""


def total(parts: Iterable[Interval]) -> Interval:
    """The sum of all; 0 for an empty list."""
    return sum(parts, Interval.exact(0.0))
