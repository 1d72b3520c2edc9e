"""The form of a security protocol's file, ``catalog/protocols/<id>.toml``; ``docs/protocols.md`` describes the keys."""

from __future__ import annotations

from typing import Annotated, Literal, Self

from pydantic import Field, StringConstraints, model_validator

from motebench.base.model import Operation
from motebench.catalog.schema import Identifier, Record, Source, Specification, Text
from motebench.catalog.shelf import CatalogEntry

Name = Annotated[str, StringConstraints(pattern=r"^[a-z][a-z0-9_]*$")]
Number = Annotated[int, Field(strict=True, ge=0, le=2**32)]
Expression = Annotated[Number | Text, Field(union_mode="left_to_right")]
"""A whole number, or an expression of `motebench.catalog.arithmetic`."""
Party = Literal["device", "peer"]
Layer = Literal["message", "record", "carrier"]
"""What a field belongs to: the message itself, the record that protects it, or the layer that carries it."""


class Roles(Record):
    """What the device and its peer are called in the protocol."""

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
    """One answer to a choice: its values are ``choice.name`` in expressions, its schemes ``{choice.name}`` in
    operations. Options of a choice have the same names."""

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
            raise ValueError(f"default is none of the options {', '.join(names)}")
        first = self.options[0]
        for option in self.options[1:]:
            if set(option.values) != set(first.values) or set(option.schemes) != set(first.schemes):
                raise ValueError(f"option {option.id} does not have the values and schemes of {first.id}")
        return self

    def option(self, name: str) -> Option | None:
        """The option of that id; None if there is none."""
        return next((option for option in self.options if option.id == name), None)


class MessageField(Record):
    """A part of a message, with its length. ``when``: the field is there if this is not 0.

    ``of``: in expressions, a name for the sum of all fields with the same ``of``. ``section``: of the document of the
    message; ``source``: another document.
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
    """Operations of the device: ``count`` times ``operation`` of ``scheme`` on ``bytes`` of input and ``aad`` of
    additional data."""

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

    ``bytes``: of messages, without carriers. ``ours``: where this file differs, with ``reason``. ``values``: of named
    values.
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
    """Settings of a protocol under a name of their own, by which users find them."""

    id: Identifier
    name: Text
    settings: dict[Name, Number | Text] = Field(min_length=1)


class Protocol(CatalogEntry):
    """A protocol.

    ``purpose``: a handshake sets up keys, a message is protected under them, an update carries firmware. ``frames``:
    how its messages go into LoRaWAN frames: as their payload, or as whole frames (joins and LoRaWAN's own data).
    ``waits``: seconds from the end of an uplink to its answer where they are not those of the region.
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
        sums = {part.of for message in self.messages for part in message.fields if part.of is not None}
        asked = [each.name for each in self.parameters] + [each.name for each in self.choices]
        names = [*asked, *self.values, *sums]
        for name in names:
            if names.count(name) > 1:
                raise ValueError(f"{name} names two things: a parameter, a choice, a value or a sum of fields")
        messages = [message.name for message in self.messages]
        if len(set(messages)) != len(messages):
            raise ValueError("two messages have the same name")
        return self
