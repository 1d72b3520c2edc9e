"""A small algebra of units: what a printed unit measures, and what a formula over quantities gives.

Dimensions are powers of time, current, voltage and data; cycles count as a dimension of their own, and percent is a
factor of 1/100 without one. KB are 1000 bytes and KiB 1024. Values are fractions: nothing is rounded. A formula is read
and computed without executing anything: it has numbers, names, ``+ - * /``, ``**`` with a whole exponent, and brackets.
"""

from __future__ import annotations

import ast
import math
import re
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

from motebench.base.errors import InputError

_BASE = ("s", "A", "V", "byte", "cycle")
Dimension = tuple[Fraction, ...]
NONE: Dimension = (Fraction(0),) * len(_BASE)


def _of(**powers: int) -> Dimension:
    return tuple(Fraction(powers.get(name, 0)) for name in _BASE)


TIME, CURRENT, VOLTAGE, DATA, CYCLES = (_of(**{name: 1}) for name in _BASE)
POWER, ENERGY, CHARGE = _of(A=1, V=1), _of(A=1, V=1, s=1), _of(A=1, s=1)
SPEED, FREQUENCY, PER_BYTE = _of(byte=1, s=-1), _of(s=-1), _of(cycle=1, byte=-1)
_SPOKEN = {
    TIME: "a time", CURRENT: "a current", VOLTAGE: "a voltage", DATA: "an amount of data", POWER: "a power",
    ENERGY: "an energy", CHARGE: "a charge", SPEED: "a throughput", FREQUENCY: "a frequency",
    CYCLES: "a number of cycles", NONE: "a number without unit",
}  # fmt: skip
_UNITS: dict[str, tuple[Fraction, Dimension]] = {
    "s": (Fraction(1), TIME), "min": (Fraction(60), TIME), "h": (Fraction(3600), TIME), "d": (Fraction(86400), TIME),
    "A": (Fraction(1), CURRENT), "V": (Fraction(1), VOLTAGE), "W": (Fraction(1), POWER), "VA": (Fraction(1), POWER),
    "J": (Fraction(1), ENERGY), "Wh": (Fraction(3600), ENERGY), "Ah": (Fraction(3600), CHARGE),
    "C": (Fraction(1), CHARGE), "Hz": (Fraction(1), FREQUENCY), "B": (Fraction(1), DATA),
    "bit": (Fraction(1, 8), DATA), "cycle": (Fraction(1), CYCLES), "%": (Fraction(1, 100), NONE),
    "1": (Fraction(1), NONE), "x": (Fraction(1), NONE), "symbol": (Fraction(1), NONE), "KiB": (Fraction(1024), DATA),
    "MiB": (Fraction(1024**2), DATA), "GiB": (Fraction(1024**3), DATA),
}  # fmt: skip
_WORDS = {
    "sec": "s", "secs": "s", "second": "s", "seconds": "s", "msec": "ms", "millisecond": "ms", "milliseconds": "ms",
    "usec": "us", "microsecond": "us", "microseconds": "us", "nanoseconds": "ns", "hour": "h", "hours": "h", "hr": "h",
    "hrs": "h", "minutes": "min", "day": "d", "days": "d", "amp": "A", "amps": "A", "ampere": "A", "amperes": "A",
    "volt": "V", "volts": "V", "watt": "W", "watts": "W", "joule": "J", "joules": "J", "byte": "B", "bytes": "B",
    "bits": "bit", "kilobytes": "kB", "megabytes": "MB", "cycles": "cycle", "clocks": "cycle", "percent": "%",
    "symbols": "symbol", "times": "x", "mbps": "Mbit/s", "kbps": "kbit/s", "cpb": "cycle/B", "hertz": "Hz",
    "mhz": "MHz", "ghz": "GHz", "khz": "kHz", "kbytes": "kB", "mbytes": "MB",
}  # fmt: skip
"""In any case of letters."""
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
"""Bits of a numerator or denominator: a float can hold what has fewer, and they are short enough to compute with."""
_PART = re.compile(r"([A-Za-z%1]+)(?:\^?(-?[1-4]))?", re.ASCII)


@dataclass(frozen=True, slots=True)
class Unit:
    """What 1 of a unit is, in base units."""

    factor: Fraction
    dimension: Dimension

    @property
    def spoken(self) -> str:
        """``a time``; a dimension without a name by its powers."""
        return _SPOKEN.get(self.dimension) or " ".join(
            f"{name}^{power}" for name, power in zip(_BASE, self.dimension, strict=True) if power
        )


def unit(text: str) -> Unit | None:
    """The unit that a text such as ``ms``, ``MB/s``, ``KB^2`` or ``cycles/byte`` means; None for an unknown one."""
    text = (
        re.sub("[\u00b5\u03bc]", "u", text.strip()).replace("\u00b2", "^2").replace("\u00b7", "*").replace(" per ", "/")
    )
    text = _known(text)
    if not text or len(text) > 40:
        return None
    factor, dimension, sign = Fraction(1), NONE, 1
    for place, part in enumerate(re.split(r"\s*([*/])\s*", text)):
        if place % 2:
            sign = -1 if part == "/" else 1
            continue
        found = _PART.fullmatch(part)
        one = _single(found[1]) if found else None
        if found is None or one is None:
            return None
        power = sign * int(found[2] or 1)
        factor *= one[0] ** power
        dimension = tuple(a + power * b for a, b in zip(dimension, one[1], strict=True))
    return Unit(factor, dimension)


def _known(text: str) -> str:
    return _EXACT.get(text) or (text if text in _UNITS else _WORDS.get(text.lower(), text))


def _single(name: str) -> tuple[Fraction, Dimension] | None:
    name = _known(name)
    if name in _UNITS:
        return _UNITS[name]
    if name[:1] in _PREFIXES and name[1:] in _UNITS and name[1:] not in ("%", "1", "x", "min", "h", "d"):
        factor, dimension = _UNITS[name[1:]]
        return factor * Fraction(10) ** _PREFIXES[name[0]], dimension
    return None


def quantity(text: str, *, where: str | None = None) -> tuple[Fraction, Unit]:
    """The amount in base units, and its unit, of ``0.062 A`` or ``120``. InputError for anything else."""
    found = re.fullmatch(r"\s*([+-]?\d{1,30}(?:\.\d{1,30})?(?:[eE][+-]?\d{1,2})?)\s*(\S.*)?", text, re.ASCII)
    of = unit(found[2] or "1") if found else None
    if found is None or of is None:
        raise InputError(
            f"{text!r} is not a quantity", where=where, valid="a number with a known unit: 0.062 A, 1.5 MB/s"
        )
    return Fraction(found[1]) * of.factor, of


def number(value: float) -> tuple[Fraction, Dimension]:
    """A number without a unit, for `evaluate`."""
    return Fraction(str(value)), NONE


def evaluate(
    expression: str, given: Mapping[str, tuple[Fraction, Dimension]], *, where: str | None = None
) -> tuple[Fraction, Dimension]:
    """Value (base units) and dimension of an expression over named quantities.

    InputError for other syntax, unknown names, a sum of different dimensions, a division by zero, or a value that no
    float can hold.
    """
    if len(expression) > 300:
        raise InputError("the expression is too long", where=where, valid="at most 300 characters")
    try:
        tree = ast.parse(expression, mode="eval").body
    except (SyntaxError, ValueError, MemoryError, RecursionError):
        raise InputError(f"{expression!r} is not an expression", where=where, valid="volts * amps / 2") from None
    try:
        return _value(tree, given)
    except ZeroDivisionError:
        raise InputError(f"{expression!r} divides by zero", where=where) from None
    except RecursionError:
        raise InputError("the expression is nested too deeply", where=where, valid="fewer brackets") from None
    except _ExpressionError as error:
        raise InputError(
            f"{expression!r}: {error}", where=where, valid=f"+ - * / ** over: {', '.join(given)}"
        ) from None


class _ExpressionError(ValueError):
    pass


def _value(node: ast.AST, given: Mapping[str, tuple[Fraction, Dimension]]) -> tuple[Fraction, Dimension]:
    if isinstance(node, ast.Constant) and isinstance(node.value, int | float) and not isinstance(node.value, bool):
        if not math.isfinite(node.value):
            raise _ExpressionError("a number is too large")
        return Fraction(str(node.value)), NONE
    if isinstance(node, ast.Name):
        if node.id not in given:
            raise _ExpressionError(f"unknown name {node.id!r}")
        return given[node.id]
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        value, dimension = _value(node.operand, given)
        return -value, dimension
    if not isinstance(node, ast.BinOp):
        raise _ExpressionError("only arithmetic is allowed")
    value, dimension = _combined(node.op, _value(node.left, given), _value(node.right, given))
    if _bits(value) > _LARGEST:
        raise _ExpressionError("a value is too large or too small")
    return value, dimension


def _combined(
    operator: ast.operator, one: tuple[Fraction, Dimension], other: tuple[Fraction, Dimension]
) -> tuple[Fraction, Dimension]:
    (a, left), (b, right) = one, other
    if isinstance(operator, ast.Add | ast.Sub):
        if left != right:
            raise _ExpressionError(f"{Unit(a, left).spoken} and {Unit(b, right).spoken} cannot be added")
        return (a + b if isinstance(operator, ast.Add) else a - b), left
    if isinstance(operator, ast.Mult | ast.Div):
        sign = 1 if isinstance(operator, ast.Mult) else -1
        return (a * b if sign == 1 else a / b), tuple(x + sign * y for x, y in zip(left, right, strict=True))
    if isinstance(operator, ast.Pow) and right == NONE and b.denominator == 1 and abs(b) <= 20:
        if _bits(a) * abs(b) > _LARGEST:
            raise _ExpressionError("a value is too large or too small")
        return a ** int(b), tuple(x * int(b) for x in left)
    raise _ExpressionError("only + - * / and ** with a whole exponent up to 20 are allowed")


def _bits(value: Fraction) -> int:
    return max(value.numerator.bit_length(), value.denominator.bit_length())
