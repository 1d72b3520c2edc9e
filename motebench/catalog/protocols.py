"""Security protocols: one file each, ``catalog/protocols/<id>.toml``, in the form of
``protocolfile.py``.

Values of names (parameters, choices, named values, sums of fields) follow from the settings.
`exchange` computes a protocol under settings: its messages with the length of every field, and what
the device has to compute.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from motebench.base.errors import InputError
from motebench.base.files.tomldocument import KeyPath, TomlDocument
from motebench.base.model import Operation, Scheme
from motebench.base.naming import did_you_mean
from motebench.base.units import parse_size
from motebench.catalog.lookup import schemes
from motebench.catalog.protocolfile import (
    Expression,
    Message,
    Option,
    Party,
    PartyWork,
    Protocol,
    Published,
    evaluate,
)
from motebench.catalog.schema import Source
from motebench.catalog.shelf import Shelf

_DEEPEST = 50
"""Values that need each other, one after another."""


def size_of(scheme: str, part: str) -> int:
    """Bytes of a part of a scheme, as the catalog says. InputError for unknown schemes and
    parts.
    """
    entry = schemes().get(scheme)
    if entry is None:
        raise no_scheme(scheme)
    sizes = _sizes(entry)
    if part not in sizes:
        hint = did_you_mean(part, sizes)
        raise InputError(
            f"the catalog has no size {part!r} of {scheme}",
            valid=", ".join(sizes) or "none",
            hint=hint,
        )
    return sizes[part]


def no_scheme(name: str) -> InputError:
    """Error for a scheme that the catalog does not have."""
    hint = did_you_mean(name, schemes()) or "`motebench list schemes` lists all"
    return InputError(f"unknown scheme {name!r}", valid="a scheme of the catalog", hint=hint)


def _sizes(scheme: Scheme) -> dict[str, int]:
    """Sizes of a scheme in bytes, by name; zeros are left out."""
    sizes = {"key": scheme.key_bytes, "nonce": scheme.nonce_bytes, "tag": scheme.tag_bytes}
    for group in (scheme.kem, scheme.signing, scheme.agreement):
        for name in ("public", "private", "ciphertext", "secret", "signature"):
            sizes[name] = sizes.get(name) or getattr(group, name, 0) or 0
    return {name: value for name, value in sizes.items() if value}


@dataclass
class Names:
    """Values of names, each computed on first use. ``document``: the file that messages point to;
    None: none, for settings of a command line.
    """

    protocol: Protocol
    settings: dict[str, int | str]
    options: dict[str, Option]
    document: TomlDocument | None = None
    known: dict[str, int] = field(default_factory=dict)
    under_way: list[str] = field(default_factory=list)

    @contextmanager
    def at(self, *path: str | int) -> Iterator[None]:
        """Context: errors inside it name this key of the file, unless they already name one."""
        try:
            yield
        except InputError as error:
            if self.document is None or (error.where or "").startswith(str(self.document.path)):
                raise
            problem = error.what if error.where is None else f"{error.what}, in {error.where!r}"
            raise InputError(
                problem, where=self.document.where(path), valid=error.valid, hint=error.hint
            ) from None

    def number(self, expression: Expression, *path: str | int) -> int:
        """The value of the expression at ``path``, which must not be negative."""
        with self.at(*path):
            value = evaluate(expression, self.look_up, size_of)
            if value < 0:
                raise InputError(f"this gives {value}", valid="0 or more: a length or a count")
            return value

    def look_up(self, name: str) -> int:
        """Value of a name. InputError for an unknown name, and for values that depend on
        themselves.
        """
        if name in self.known:
            return self.known[name]
        if name in self.under_way:
            circle = " -> ".join([*self.under_way[self.under_way.index(name) :], name])
            raise InputError(
                f"this value needs itself: {circle}",
                hint="replace one of them by a parameter or a number",
            )
        if len(self.under_way) > _DEEPEST:
            raise InputError(f"this value needs more than {_DEEPEST} others, one after another")
        self.under_way.append(name)
        try:
            self.known[name] = self._value(name)
        finally:
            self.under_way.pop()
        return self.known[name]

    def _value(self, name: str) -> int:
        given = self.settings.get(name)
        if isinstance(given, int):
            return given
        if name in self.protocol.values:
            with self.at("values", name):
                return evaluate(self.protocol.values[name], self.look_up, size_of)
        if name in self.sums():
            return self._sum(name)
        choice, _, part = name.partition(".")
        option = self.options.get(choice)
        if option is not None and part in option.values:
            return evaluate(option.values[part], self.look_up, size_of)
        raise InputError(
            f"unknown name {name!r}",
            valid=", ".join(self._all()),
            hint=did_you_mean(name, self._all()),
        )

    def _all(self) -> list[str]:
        parts = [
            f"{choice}.{part}" for choice, option in self.options.items() for part in option.values
        ]
        return [
            *(parameter.name for parameter in self.protocol.parameters),
            *parts,
            *self.protocol.values,
            *self.sums(),
        ]

    def sums(self) -> dict[str, None]:
        """The names of sums of fields, in their order."""
        return dict.fromkeys(
            part.of for message in self.protocol.messages for part in message.fields if part.of
        )

    def _sum(self, name: str) -> int:
        """Bytes of all fields that belong to this name and are there."""
        total = 0
        for place, message in enumerate(self.protocol.messages):
            for index, part in enumerate(message.fields):
                here = ("messages", place, "fields", index)
                if part.of == name and self.number(part.when, *here, "when"):
                    total += self.number(part.bytes, *here, "bytes")
        return total

    def scheme(self, pattern: str, *path: str | int) -> str:
        """The scheme that an operation names, perhaps by a choice. InputError if the catalog does
        not have it.
        """
        with self.at(*path):
            if not pattern.startswith("{"):
                if pattern not in schemes():
                    raise no_scheme(pattern)
                return pattern
            chosen = {
                f"{{{choice}.{part}}}": scheme
                for choice, option in self.options.items()
                for part, scheme in option.schemes.items()
            }
            if pattern not in chosen:
                valid = ", ".join(chosen) or "the name of a scheme: no choice has schemes"
                raise InputError(
                    f"no choice has the scheme {pattern}",
                    valid=valid,
                    hint=did_you_mean(pattern, chosen),
                )
            if chosen[pattern] not in schemes():
                raise no_scheme(chosen[pattern])
            return chosen[pattern]


Settings = Mapping[str, int | str]
"""Parameters and choices that differ from their defaults, by name."""

_LONGEST = 2**25
"""Bytes of a message."""
_MOST_TIMES = 1000


@dataclass(frozen=True, slots=True)
class Part:
    """Field of a message: its length, and the document that defines the length."""

    name: str
    bytes: int
    layer: str
    source: Source
    unverified: bool = False
    note: str | None = None


@dataclass(frozen=True, slots=True)
class Sent:
    """Message as sent, ``times`` times, with the fields that it has under the settings."""

    name: str
    sender: Party
    times: int
    parts: tuple[Part, ...]
    source: Source
    note: str | None = None

    @property
    def bytes(self) -> int:
        """Length with the record around the message, and without the layer that carries it."""
        return sum(part.bytes for part in self.parts if part.layer != "carrier")

    @property
    def carried_bytes(self) -> int:
        """Length with all parts of the protocol, the carrier included."""
        return sum(part.bytes for part in self.parts)


@dataclass(frozen=True, slots=True)
class Computed:
    """``count`` operations of the device, each on ``bytes`` of input and ``aad`` of additional
    data.
    """

    statement: str
    scheme: str
    operation: Operation
    count: int
    bytes: int
    aad: int
    source: Source
    unverified: bool = False


@dataclass(frozen=True, slots=True)
class Exchange:
    """A protocol under settings, all of which ``settings`` holds."""

    protocol: Protocol
    settings: Mapping[str, int | str]
    values: Mapping[str, int]
    messages: tuple[Sent, ...]
    operations: tuple[Computed, ...]

    def sent_by(self, party: Party) -> int:
        """Bytes that a party sends, with carriers."""
        return sum(
            message.carried_bytes * message.times
            for message in self.messages
            if message.sender == party
        )

    def lengths(self) -> dict[str, int]:
        """Bytes of each message without its carrier, by name."""
        return {message.name: message.bytes for message in self.messages}


def exchange(protocol: Protocol, settings: Settings | None = None) -> Exchange:
    """The protocol under settings. InputError for settings that it does not have, or that are out
    of range.
    """
    return _compute(_names(protocol, settings or {}))


def _number(value: int | str) -> int | None:
    """A whole number, or the bytes of a size with its unit: ``100KiB``; None for anything else."""
    try:
        return parse_size(value)
    except InputError:
        return None


def _names(protocol: Protocol, settings: Settings, document: TomlDocument | None = None) -> Names:
    numbers = {setting.name: setting for setting in protocol.parameters}
    questions = {setting.name: setting for setting in protocol.choices}
    taken: dict[str, int | str] = {name: setting.default for name, setting in numbers.items()}
    taken |= {name: setting.default for name, setting in questions.items()}
    for name, value in settings.items():
        if name not in taken:
            raise InputError(
                f"{protocol.id} has no setting {name!r}",
                where="--set",
                valid=", ".join(taken) or "none",
                hint=did_you_mean(name, taken),
            )
        if name in numbers:
            low, high = numbers[name].minimum, numbers[name].maximum
            number = _number(value)
            if number is None or not low <= number <= high:
                raise InputError(
                    f"{name}={value} is not possible", where="--set", valid=f"{low} to {high}"
                )
            taken[name] = number
        elif questions[name].option(str(value)) is None:
            ids = [option.id for option in questions[name].options]
            hint = did_you_mean(str(value), ids)
            raise InputError(
                f"{name}={value} is not possible", where="--set", valid=", ".join(ids), hint=hint
            )
        else:
            taken[name] = str(value)
    options = {
        name: option
        for name, setting in questions.items()
        if (option := setting.option(str(taken[name])))
    }
    return Names(protocol, taken, options, document)


def _compute(names: Names) -> Exchange:
    protocol = names.protocol
    values = {name: names.look_up(name) for name in (*protocol.values, *names.sums())}
    messages = [_sent(entry, place, names) for place, entry in enumerate(protocol.messages)]
    work = [_computed(entry, place, names) for place, entry in enumerate(protocol.operations)]
    return Exchange(
        protocol,
        names.settings,
        values,
        tuple(entry for entry in messages if entry.times),
        tuple(entry for entry in work if entry.count),
    )


def _sent(message: Message, place: int, names: Names) -> Sent:
    parts = []
    for index, message_field in enumerate(message.fields):
        here = ("messages", place, "fields", index)
        length = names.number(message_field.bytes, *here, "bytes")
        if names.number(message_field.when, *here, "when"):
            parts.append(
                Part(
                    message_field.name,
                    length,
                    message_field.layer,
                    _source(message.source, message_field),
                    message_field.unverified,
                    message_field.note,
                )
            )
    times = names.number(message.times, "messages", place, "times")
    _limit(sum(part.bytes for part in parts), _LONGEST, "bytes", names, "messages", place, "fields")
    _limit(times, _MOST_TIMES, "times", names, "messages", place, "times")
    return Sent(message.name, message.sender, times, tuple(parts), message.source, message.note)


def _limit(value: int, most: int, unit: str, names: Names, *path: str | int) -> None:
    """InputError for lengths that no device sends."""
    if value > most:
        with names.at(*path):
            raise InputError(
                f"{value} {unit} are too many for a message of a device",
                valid=f"at most {most} {unit}",
            )


def _source(base: Source, part: Message | PartyWork | object) -> Source:
    """The source of a part: its own, or its section of the document of the whole."""
    own, section = getattr(part, "source", None), getattr(part, "section", None)
    if isinstance(own, Source):
        return own
    return base.model_copy(update={"section": section}) if isinstance(section, str) else base


def _computed(work: PartyWork, place: int, names: Names) -> Computed:
    here = ("operations", place)
    happens = names.number(work.when, *here, "when")
    specification = names.protocol.specifications[0]
    return Computed(
        statement=work.statement,
        scheme=names.scheme(work.scheme, *here, "scheme"),
        operation=work.operation,
        count=names.number(work.count, *here, "count") if happens else 0,
        bytes=names.number(work.bytes, *here, "bytes"),
        aad=names.number(work.aad, *here, "aad"),
        source=_source(Source(document=specification.identifier, url=specification.url), work),
        unverified=work.unverified,
    )


def _check(protocol: Protocol, document: TomlDocument) -> None:
    """InputError with file, line and key for values that cannot be computed under some option, and
    for lengths that differ from the published ones.
    """
    _compute(_names(protocol, {}, document))
    for choice in protocol.choices:
        for option in choice.options:
            if option.id != choice.default:
                _compute(_names(protocol, {choice.name: option.id}, document))
    for place, profile in enumerate(protocol.profiles):
        _set(protocol, profile.settings, document, ("profiles", place, "settings"))
    for place, published in enumerate(protocol.published):
        _check_published(protocol, published, place, document)


def _set(protocol: Protocol, settings: Settings, document: TomlDocument, path: KeyPath) -> Exchange:
    """The protocol under settings that its file names."""
    try:
        names = _names(protocol, settings, document)
    except InputError as error:
        raise InputError(
            error.what, where=document.where(path), valid=error.valid, hint=error.hint
        ) from None
    return _compute(names)


def _check_published(
    protocol: Protocol, example: Published, place: int, document: TomlDocument
) -> None:
    here = ("published", place)
    exchange = _set(protocol, example.settings, document, (*here, "settings"))
    lengths = exchange.lengths()
    for kind, published, ours in (
        ("bytes", example.bytes, lengths),
        ("values", example.values, exchange.values),
    ):
        for name, length in published.items():
            where = document.where((*here, kind, name))
            if name not in ours:
                raise InputError(
                    f"there is no {name!r}",
                    where=where,
                    valid=", ".join(ours),
                    hint=did_you_mean(name, ours),
                )
            if ours[name] != example.ours.get(name, length):
                expected = example.ours.get(name, length)
                raise InputError(
                    f"{name} has {ours[name]} bytes by its fields and {expected} by "
                    f"{example.source}",
                    where=where,
                    hint="one of the fields is wrong; or say under `ours` and `reason` why they "
                    "differ",
                )


PROTOCOLS = Shelf("protocols", "protocol", "protocols", Protocol, _check)


@dataclass(frozen=True, slots=True)
class NamedValue:
    """Meaning of a name: a protocol, with the settings of its profile if it is one's name."""

    id: str
    name: str
    protocol: Protocol
    settings: Settings


def every(own: Path | None = None) -> Mapping[str, NamedValue]:
    """All protocols and their profiles, by name; profiles stand behind their protocol. InputError
    for a bad file.
    """
    named_values: dict[str, NamedValue] = {}
    for protocol in PROTOCOLS.all(own).values():
        named_values[protocol.id] = NamedValue(protocol.id, protocol.name, protocol, {})
        for profile in protocol.profiles:
            named_values[profile.id] = NamedValue(
                profile.id, profile.name, protocol, profile.settings
            )
    return named_values


def find(name: str, own: Path | None = None, *, where: str | None = None) -> NamedValue:
    """The protocol or profile of that name, in upper or lower case. InputError that lists them."""
    entries = every(own)
    entry = entries.get(name.strip().casefold())
    if entry is None:
        near, listing = (
            did_you_mean(name, entries),
            "`motebench list protocols` lists them; own files: --catalog",
        )
        hint = f"{near} {listing}" if near else listing
        raise InputError(
            f"unknown protocol {name!r}", where=where, valid=", ".join(entries), hint=hint
        )
    return entry
