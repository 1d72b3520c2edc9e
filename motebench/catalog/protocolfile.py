"""The form of a security protocol's file, ``catalog/protocols/<id>.toml``, and the expressions in
it.

``docs/reference/protocols.md`` describes the keys and the expressions: whole-number lengths and
counts, computed without executing anything. An expression has whole numbers, names, names of
choices with a value (``group.share``), ``+ - * // %``, comparisons (1 or 0), ``a if b else c``,
brackets and the functions of `FUNCTIONS`.
"""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable, Mapping, Sequence
from typing import Annotated, Literal, Self

from pydantic import Field, StringConstraints, model_validator

from motebench.base.errors import InputError
from motebench.base.model import Operation
from motebench.base.naming import did_you_mean
from motebench.base.quantities import LONGEST, Arithmetic, ExpressionError, parsed
from motebench.catalog.schema import Identifier, Record, Source, Specification, Text
from motebench.catalog.shelf import CatalogEntry

Lookup = Callable[[str], int]
"""Lookup of the value of a name. InputError for an unknown name."""
Size = Callable[[str, str], int]
"""The size of a part of a scheme, in bytes."""

_LARGEST = 2**40
_COMPARISONS: Mapping[type[ast.cmpop], Callable[[int, int], bool]] = {
    ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
}


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
    "cbor": (1, cbor),
    "bstr": (1, bstr),
    "der": (1, der),
    "blocks": (2, blocks),
    "min": (2, min),
    "max": (2, max),
}
"""Functions of whole numbers: how many arguments they take, and their computation. ``size``, of two
texts, is not among them.
"""
_ALLOWED = (
    f"whole numbers, names, + - * // %, comparisons, `a if b else c` and {', '.join(FUNCTIONS)}, "
    "size"
)


def evaluate(expression: int | str, lookup: Lookup, size: Size) -> int:
    """The number that an expression gives. InputError for everything that is no arithmetic over
    known names.
    """
    if isinstance(expression, int):
        return expression
    try:
        result = _WholeNumbers(lookup, size).value(_tree(expression))
    except ZeroDivisionError:
        raise InputError("this expression divides by 0", where=expression) from None
    except RecursionError:
        raise InputError("this expression is nested too deeply", where=expression) from None
    if abs(result) > _LARGEST:
        raise InputError(
            "this expression gives too large a number",
            where=expression,
            valid=f"at most {_LARGEST}",
        )
    return result


def _tree(expression: str) -> ast.expr:
    if len(expression) > LONGEST:
        raise InputError(
            "the expression is too long",
            where=expression[:40],
            valid=f"at most {LONGEST} characters",
        )
    try:
        return parsed(expression.strip())
    except ExpressionError:
        raise InputError(
            f"{expression!r} is not an expression", valid='such as "2 + bstr(g_x) * 3"'
        ) from None


class _WholeNumbers(Arithmetic[int]):
    """Whole numbers with names, comparisons, choices and functions."""

    operators: Mapping[type[ast.operator], Callable[[int, int], int]] = {
        ast.Add: operator.add,
        ast.Sub: operator.sub,
        ast.Mult: operator.mul,
        ast.FloorDiv: operator.floordiv,
        ast.Mod: operator.mod,
    }

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
            case ast.Compare(left=left, ops=[how], comparators=[right]) if (
                type(how) in _COMPARISONS
            ):
                return int(_COMPARISONS[type(how)](self.value(left), self.value(right)))
            case ast.IfExp(test=test, body=body, orelse=other):
                return self.value(body) if self.value(test) else self.value(other)
            case ast.Call(
                func=ast.Name(id="size"),
                args=[ast.Constant(value=str() as scheme), ast.Constant(value=str() as part)],
                keywords=[],
            ):
                return self._size(scheme, part)
            case ast.Call(func=ast.Name(id=name), args=arguments, keywords=[]):
                return _called(name, arguments, self.value)
        raise self.refused(node)

    def refused(self, node: ast.expr) -> InputError:
        return InputError(f"{ast.unparse(node)!r} is not allowed in an expression", valid=_ALLOWED)


def _called(name: str, arguments: Sequence[ast.expr], evaluate: Callable[[ast.expr], int]) -> int:
    if name not in FUNCTIONS:
        valid = ", ".join((*FUNCTIONS, "size"))
        raise InputError(
            f"unknown function {name!r}", valid=valid, hint=did_you_mean(name, [*FUNCTIONS, "size"])
        )
    count, function = FUNCTIONS[name]
    if len(arguments) != count:
        raise InputError(
            f"{name} takes {count} number{'s' if count > 1 else ''}, not {len(arguments)}"
        )
    return function(*map(evaluate, arguments))


Name = Annotated[str, StringConstraints(pattern=r"^[a-z][a-z0-9_]*$")]
Number = Annotated[int, Field(strict=True, ge=0, le=2**32)]
Expression = Annotated[Number | Text, Field(union_mode="left_to_right")]
"""A whole number, or an expression of `motebench.catalog.protocolfile`."""
Party = Literal["device", "peer"]
Layer = Literal["message", "record", "carrier"]
"""Layer that a field belongs to: the message itself, the record that protects it, or the layer that
carries it.
"""


class Roles(Record):
    """Names of the device and its peer in the protocol."""

    device: Text
    peer: Text


class Parameter(Record):
    """A number that users may set, such as the length of an identifier."""

    name: Name
    default: Number
    minimum: Number = 0
    maximum: Number
    statement: Text
    source: Source | None = None
    unverified: bool = False

    @model_validator(mode="after")
    def _within(self) -> Self:
        if not self.minimum <= self.default <= self.maximum:
            raise ValueError("default is not between minimum and maximum")
        return self


class Option(Record):
    """One answer to a choice: its values are ``choice.name`` in expressions, its schemes
    ``{choice.name}`` in operations. Options of a choice have the same names."""

    id: Text
    values: dict[Name, Expression] = Field(default_factory=dict)
    schemes: dict[Name, Text] = Field(default_factory=dict)
    note: Text | None = None
    source: Source | None = None
    unverified: bool = False


class Choice(Record):
    """A question with a few answers, such as the group of the key exchange."""

    name: Name
    default: Text
    statement: Text
    options: tuple[Option, ...] = Field(min_length=1)

    @model_validator(mode="after")
    def _consistent(self) -> Self:
        names = [option.id for option in self.options]
        if len(set(names)) != len(names):
            raise ValueError("two options have the same id")
        if self.default not in names:
            raise ValueError(f"default is not one of the options {', '.join(names)}")
        first = self.options[0]
        for option in self.options[1:]:
            if set(option.values) != set(first.values) or set(option.schemes) != set(first.schemes):
                raise ValueError(
                    f"option {option.id} does not have the values and schemes of {first.id}"
                )
        return self

    def option(self, name: str) -> Option | None:
        """Option of that id; None if the choice has no such option."""
        return next((option for option in self.options if option.id == name), None)


class MessageField(Record):
    """A part of a message, with its length. ``when``: the field is there if this is not 0.

    ``of``: in expressions, a name for the sum of all fields with the same ``of``. ``section``: of
    the document of the message; ``source``: another document.
    """

    name: Text
    bytes: Expression
    when: Expression = 1
    layer: Layer = "message"
    of: Name | None = None
    section: Text | None = None
    source: Source | None = None
    unverified: bool = False
    note: Text | None = None


class Message(Record):
    """A message, or a flight that is sent at once. ``times``: how often; 0: it is not sent."""

    name: Text
    sender: Party
    times: Expression = 1
    source: Source
    fields: tuple[MessageField, ...] = Field(min_length=1)
    note: Text | None = None


class PartyWork(Record):
    """Operations of the device: ``count`` times ``operation`` of ``scheme`` on ``bytes`` of input
    and ``aad`` of additional data."""

    statement: Text
    scheme: Text
    operation: Operation
    count: Expression = 1
    bytes: Expression = 0
    aad: Expression = 0
    when: Expression = 1
    section: Text | None = None
    source: Source | None = None
    unverified: bool = False


class Published(Record):
    """Lengths that others published, with the settings they hold for.

    ``bytes``: of messages, without carriers. ``ours``: where this file differs, with ``reason``.
    ``values``: of named values.
    """

    settings: dict[Name, Number | Text] = Field(default_factory=dict)
    bytes: dict[str, Number] = Field(default_factory=dict)
    values: dict[Name, Number] = Field(default_factory=dict)
    ours: dict[str, Number] = Field(default_factory=dict)
    reason: Text | None = None
    source: Source
    unverified: bool = False

    @model_validator(mode="after")
    def _explained(self) -> Self:
        if bool(self.ours) != (self.reason is not None):
            raise ValueError("ours and reason belong together")
        if not self.bytes and not self.values:
            raise ValueError("needs bytes or values")
        return self


class Profile(Record):
    """Named settings of a protocol, by which users find them."""

    id: Identifier
    name: Text
    settings: dict[Name, Number | Text] = Field(min_length=1)


class Protocol(CatalogEntry):
    """Protocol in the form of the catalog.

    ``purpose``: a handshake sets up keys, a message is protected under them, an update carries
    firmware. ``frames``: how its messages go into LoRaWAN frames: as their payload, or as whole
    frames (joins and LoRaWAN's own data). ``waits``: seconds from the end of an uplink to its
    answer where they are not those of the region.
    """

    purpose: Literal["handshake", "message", "update"]
    frames: Literal["payload", "whole"] = "payload"
    waits_s: Annotated[float, Field(ge=0, le=60)] | None = None
    baseline: bool = False
    summary: Text
    roles: Roles
    specifications: tuple[Specification, ...] = Field(min_length=1)
    parameters: tuple[Parameter, ...] = ()
    choices: tuple[Choice, ...] = ()
    values: dict[Name, Expression] = Field(default_factory=dict)
    messages: tuple[Message, ...] = Field(min_length=1)
    operations: tuple[PartyWork, ...] = ()
    profiles: tuple[Profile, ...] = ()
    published: tuple[Published, ...] = ()

    @model_validator(mode="after")
    def _unique(self) -> Self:
        sums = {
            part.of for message in self.messages for part in message.fields if part.of is not None
        }
        settings = [setting.name for setting in self.parameters] + [
            setting.name for setting in self.choices
        ]
        names = [*settings, *self.values, *sums]
        for name in names:
            if names.count(name) > 1:
                raise ValueError(
                    f"{name} names two things: a parameter, a choice, a value or a sum of fields"
                )
        messages = [message.name for message in self.messages]
        if len(set(messages)) != len(messages):
            raise ValueError("two messages have the same name")
        return self
