"""Arithmetic expressions in files and headers, read and computed without executing anything.

`Arithmetic` walks an expression. Its subclasses say what numbers, names and operators mean: lengths in catalog files
(`catalog.arithmetic`), quantities with dimensions (`base.dimensions`), constants in C headers (`targets.code`).
"""

from __future__ import annotations

import ast
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Generic, TypeVar

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
        """The value of a part that is neither a number nor a name nor an operator with its operands."""
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
    """The tree of an expression. ExpressionError if it has none."""
    try:
        return ast.parse(expression, mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        raise ExpressionError(f"{expression!r} is no expression") from None
