"""Formulas of papers as data: arithmetic over named amounts with units, read and computed without executing anything.

An expression has numbers, names, ``+ - * /``, ``**`` with a whole exponent, and brackets. Dimensions are checked as in
any computation with units: amounts of different dimensions cannot be added, and a result has a unit of its own.
"""

from __future__ import annotations

import ast
import math
from collections.abc import Mapping
from dataclasses import dataclass

from motebench.errors import InputError

Dimension = tuple[tuple[str, int], ...]
"""Base units and their exponents, in order, without zeros: s, V, A, B (bytes)."""

_SI: Mapping[str, float] = {"": 1.0, "u": 1e-6, "m": 1e-3, "k": 1e3, "M": 1e6}
_BASES: Mapping[str, tuple[float, Mapping[str, int]]] = {
    "s": (1.0, {"s": 1}),
    "V": (1.0, {"V": 1}),
    "A": (1.0, {"A": 1}),
    "W": (1.0, {"V": 1, "A": 1}),
    "J": (1.0, {"V": 1, "A": 1, "s": 1}),
    "Wh": (3600.0, {"V": 1, "A": 1, "s": 1}),
    "Ah": (3600.0, {"A": 1, "s": 1}),
    "Hz": (1.0, {"s": -1}),
    "B": (1.0, {"B": 1}),
    "B/s": (1.0, {"B": 1, "s": -1}),
}
_OTHERS: Mapping[str, tuple[float, Mapping[str, int]]] = {
    "1": (1.0, {}), "%": (0.01, {}), "x": (1.0, {}), "ns": (1e-9, {"s": 1}), "min": (60.0, {"s": 1}),
    "h": (3600.0, {"s": 1}), "VA": (1.0, {"V": 1, "A": 1}), "VAh": (3600.0, {"V": 1, "A": 1, "s": 1}),
    "GHz": (1e9, {"s": -1}), "KB": (1024.0, {"B": 1}), "GB": (1e9, {"B": 1}),
}  # fmt: skip
UNITS: Mapping[str, tuple[float, Mapping[str, int]]] = {
    **{prefix + name: (scale * size, of) for name, (size, of) in _BASES.items() for prefix, scale in _SI.items()},
    **_OTHERS,
}
"""Every unit: its size in base units, and its dimension."""
_LONGEST = 500


@dataclass(frozen=True, slots=True)
class Amount:
    """A value in base units, with its dimension."""

    value: float
    dimension: Dimension = ()

    @classmethod
    def of(cls, value: float, unit: str) -> Amount:
        """``value`` of ``unit``. InputError if the unit is unknown."""
        size, dimension = _unit(unit)
        return cls(value * size, tuple(sorted(dimension.items())))

    def within(self, unit: str) -> float:
        """The value in ``unit``. InputError if that is of another dimension."""
        size, dimension = _unit(unit)
        if tuple(sorted(dimension.items())) != self.dimension:
            raise InputError(f"this is in {self.unit or 'no unit'}, and not in {unit}")
        return self.value / size

    @property
    def unit(self) -> str:
        """Base units in words: ``A V s``; empty if it is a number alone."""
        return " ".join(name if power == 1 else f"{name}^{power}" for name, power in self.dimension)


def _unit(name: str) -> tuple[float, Mapping[str, int]]:
    if name not in UNITS:
        raise InputError(f"unknown unit {name!r}", valid=", ".join(UNITS))
    return UNITS[name]


def evaluate(expression: str, amounts: Mapping[str, Amount]) -> Amount:
    """The amount that an expression gives. InputError for anything that is no arithmetic over the amounts."""
    if len(expression) > _LONGEST:
        raise InputError("the expression is too long", where=expression[:40], valid=f"at most {_LONGEST} characters")
    try:
        tree = ast.parse(expression, mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        raise InputError("this is not an expression", where=expression, valid="(a + b) * 2 / c ** 2") from None
    try:
        found = _value(tree, amounts, expression)
    except (ZeroDivisionError, OverflowError, RecursionError):
        raise InputError("this expression cannot be computed", where=expression) from None
    if not math.isfinite(found.value):
        raise InputError("this expression cannot be computed", where=expression)
    return found


def _value(node: ast.expr, amounts: Mapping[str, Amount], text: str) -> Amount:
    match node:
        case ast.Constant(value=int() | float() as number) if not isinstance(number, bool):
            return Amount(float(number))
        case ast.Name(id=name):
            if name not in amounts:
                raise InputError(f"unknown amount {name!r}", where=text, valid=", ".join(amounts))
            return amounts[name]
        case ast.UnaryOp(op=ast.USub(), operand=inner):
            found = _value(inner, amounts, text)
            return Amount(-found.value, found.dimension)
        case ast.BinOp(left=left, op=ast.Pow(), right=ast.Constant(value=int() as power)) if 0 < power <= 9:
            found = _value(left, amounts, text)
            return Amount(found.value**power, tuple((name, of * power) for name, of in found.dimension))
        case ast.BinOp(left=left, op=ast.Add() | ast.Sub() | ast.Mult() | ast.Div() as operator, right=right):
            return _combined(_value(left, amounts, text), operator, _value(right, amounts, text), text)
    raise InputError("only numbers, names, + - * / ** and brackets are allowed", where=text)


def _combined(a: Amount, operator: ast.operator, b: Amount, text: str) -> Amount:
    if isinstance(operator, ast.Add | ast.Sub):
        if a.dimension != b.dimension:
            raise InputError(f"{a.unit or 'a number'} and {b.unit or 'a number'} cannot be added", where=text)
        return Amount(a.value + b.value if isinstance(operator, ast.Add) else a.value - b.value, a.dimension)
    sign = 1 if isinstance(operator, ast.Mult) else -1
    powers = dict(a.dimension)
    for name, power in b.dimension:
        powers[name] = powers.get(name, 0) + sign * power
    dimension = tuple(sorted((name, power) for name, power in powers.items() if power))
    return Amount(a.value * b.value if sign > 0 else a.value / b.value, dimension)
