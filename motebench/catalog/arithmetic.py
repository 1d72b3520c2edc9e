"""Whole-number expressions in catalog files: lengths and counts, computed without executing anything.

An expression has whole numbers, names, names of choices with a value (``group.share``), ``+ - * // %``, comparisons
(1 or 0), ``a if b else c``, brackets and the functions of `FUNCTIONS`. ``docs/protocols.md`` describes all of it.
"""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable, Mapping, Sequence

from motebench.base.errors import InputError
from motebench.base.naming import did_you_mean
from motebench.base.quantities import LONGEST, Arithmetic, ExpressionError, parsed

Lookup = Callable[[str], int]
"""The value of a name. InputError for a name that there is not."""
Size = Callable[[str, str], int]
"""The size of a part of a scheme, in bytes."""

_LARGEST = 2**40
_COMPARISONS: Mapping[type[ast.cmpop], Callable[[int, int], bool]] = {
    ast.Eq: operator.eq, ast.NotEq: operator.ne, ast.Lt: operator.lt, ast.LtE: operator.le, ast.Gt: operator.gt,
    ast.GtE: operator.ge,
}  # fmt: skip


def cbor(value: int) -> int:
    """Bytes of a CBOR head for a number or a length: RFC 8949, section 3."""
    steps = ((24, 1), (2**8, 2), (2**16, 3), (2**32, 5))
    return next((length for limit, length in steps if value < limit), 9)


def bstr(length: int) -> int:
    """Bytes of a CBOR byte or text string of that length, with its head: RFC 8949, section 3.1."""
    return cbor(length) + length


def der(length: int) -> int:
    """Bytes of a DER value of that length, with tag and length: ITU-T X.690, section 8.1.3."""
    return 1 + (1 if length < 128 else 1 + (length.bit_length() + 7) // 8) + length


def blocks(length: int, block: int) -> int:
    """Blocks of ``block`` bytes that ``length`` bytes need, the last one perhaps not full."""
    return -(-length // block)


FUNCTIONS: Mapping[str, tuple[int, Callable[..., int]]] = {
    "cbor": (1, cbor), "bstr": (1, bstr), "der": (1, der), "blocks": (2, blocks), "min": (2, min), "max": (2, max),
}  # fmt: skip
"""Functions of whole numbers: how many they take, and what they give. ``size`` takes two texts and stands apart."""
_ALLOWED = f"whole numbers, names, + - * // %, comparisons, `a if b else c` and {', '.join(FUNCTIONS)}, size"


def evaluate(expression: int | str, lookup: Lookup, size: Size) -> int:
    """The number that an expression gives. InputError for everything that is no arithmetic over known names."""
    if isinstance(expression, int):
        return expression
    try:
        result = _WholeNumbers(lookup, size).value(_tree(expression))
    except ZeroDivisionError:
        raise InputError("this expression divides by 0", where=expression) from None
    except RecursionError:
        raise InputError("this expression is nested too deeply", where=expression) from None
    if abs(result) > _LARGEST:
        raise InputError("this expression gives too large a number", where=expression, valid=f"at most {_LARGEST}")
    return result


def _tree(expression: str) -> ast.expr:
    if len(expression) > LONGEST:
        raise InputError("the expression is too long", where=expression[:40], valid=f"at most {LONGEST} characters")
    try:
        return parsed(expression.strip())
    except ExpressionError:
        raise InputError(f"{expression!r} is no expression", valid='such as "2 + bstr(g_x) * 3"') from None


class _WholeNumbers(Arithmetic[int]):
    """Whole numbers with names, comparisons, choices and functions."""

    operators: Mapping[type[ast.operator], Callable[[int, int], int]] = {
        ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul, ast.FloorDiv: operator.floordiv,
        ast.Mod: operator.mod,
    }  # fmt: skip

    def __init__(self, lookup: Lookup, size: Size) -> None:
        self._lookup, self._size = lookup, size

    def number(self, value: int | float) -> int:
        if isinstance(value, float):
            raise self.refused(ast.Constant(value))
        return value

    def name(self, name: str) -> int:
        return self._lookup(name)

    def negative(self, operand: ast.expr) -> int:
        return -self.value(operand)

    def other(self, node: ast.expr) -> int:
        match node:
            case ast.Attribute(value=ast.Name(id=name), attr=part):
                return self._lookup(f"{name}.{part}")
            case ast.Compare(left=left, ops=[how], comparators=[right]) if type(how) in _COMPARISONS:
                return int(_COMPARISONS[type(how)](self.value(left), self.value(right)))
            case ast.IfExp(test=test, body=body, orelse=other):
                return self.value(body) if self.value(test) else self.value(other)
            case ast.Call(func=ast.Name(id="size"), args=[ast.Constant(value=str() as scheme),
                          ast.Constant(value=str() as part)], keywords=[]):  # fmt: skip
                return self._size(scheme, part)
            case ast.Call(func=ast.Name(id=name), args=arguments, keywords=[]):
                return _called(name, arguments, self.value)
        raise self.refused(node)

    def refused(self, node: ast.expr) -> InputError:
        return InputError(f"{ast.unparse(node)!r} is not allowed in an expression", valid=_ALLOWED)


def _called(name: str, arguments: Sequence[ast.expr], of: Callable[[ast.expr], int]) -> int:
    if name not in FUNCTIONS:
        valid = ", ".join((*FUNCTIONS, "size"))
        raise InputError(f"unknown function {name!r}", valid=valid, hint=did_you_mean(name, [*FUNCTIONS, "size"]))
    count, function = FUNCTIONS[name]
    if len(arguments) != count:
        raise InputError(f"{name} takes {count} number{'s' if count > 1 else ''}, not {len(arguments)}")
    return function(*map(of, arguments))
