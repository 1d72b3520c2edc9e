"""The values of names in a protocol's file under settings: parameters, choices, named values, sums of fields."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from motebench.base.errors import InputError
from motebench.base.files.tomldocument import TomlDocument
from motebench.base.model import Scheme
from motebench.base.naming import did_you_mean
from motebench.catalog import arithmetic
from motebench.catalog.lookup import schemes
from motebench.catalog.protocolfile import Expression, Option, Protocol

_DEEPEST = 50
"""Values that need each other, one after another."""


def size_of(scheme: str, what: str) -> int:
    """Bytes of a part of a scheme, as the catalog says. InputError for unknown schemes and parts."""
    found = schemes().get(scheme)
    if found is None:
        raise no_scheme(scheme)
    sizes = _sizes(found)
    if what not in sizes:
        hint = did_you_mean(what, sizes)
        raise InputError(f"the catalog has no size {what!r} of {scheme}", valid=", ".join(sizes) or "none", hint=hint)
    return sizes[what]


def no_scheme(name: str) -> InputError:
    """What is said of a scheme that the catalog does not have."""
    hint = did_you_mean(name, schemes()) or "`motebench list schemes` lists all"
    return InputError(f"unknown scheme {name!r}", valid="a scheme of the catalog", hint=hint)


def _sizes(scheme: Scheme) -> dict[str, int]:
    """What is known of a scheme, in bytes, without zeros."""
    found = {"key": scheme.key_bytes, "nonce": scheme.nonce_bytes, "tag": scheme.tag_bytes}
    for group in (scheme.kem, scheme.signing, scheme.agreement):
        for name in ("public", "private", "ciphertext", "secret", "signature"):
            found[name] = found.get(name) or getattr(group, name, 0) or 0
    return {name: value for name, value in found.items() if value}


@dataclass
class Names:
    """The values of names, each computed when it is first asked for. ``document``: where messages point; None: nowhere,
    for settings of a command line."""

    protocol: Protocol
    settings: dict[str, int | str]
    options: dict[str, Option]
    document: TomlDocument | None = None
    known: dict[str, int] = field(default_factory=dict)
    under_way: list[str] = field(default_factory=list)

    @contextmanager
    def at(self, *path: str | int) -> Iterator[None]:
        """Messages about what is computed inside name this key of the file, unless they name one already."""
        try:
            yield
        except InputError as error:
            if self.document is None or (error.where or "").startswith(str(self.document.path)):
                raise
            words = error.what if error.where is None else f"{error.what}, in {error.where!r}"
            raise InputError(words, where=self.document.where(path), valid=error.valid, hint=error.hint) from None

    def number(self, expression: Expression, *path: str | int) -> int:
        """The value of the expression at ``path``, which must not be negative."""
        with self.at(*path):
            found = arithmetic.evaluate(expression, self.look_up, size_of)
            if found < 0:
                raise InputError(f"this gives {found}", valid="0 or more: a length or a count")
            return found

    def look_up(self, name: str) -> int:
        """The value of a name. InputError for what there is not, and for values that need themselves."""
        if name in self.known:
            return self.known[name]
        if name in self.under_way:
            circle = " -> ".join([*self.under_way[self.under_way.index(name) :], name])
            raise InputError(
                f"this value needs itself: {circle}", hint="replace one of them by a parameter or a number"
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
                return arithmetic.evaluate(self.protocol.values[name], self.look_up, size_of)
        if name in self.sums():
            return self._sum(name)
        choice, _, part = name.partition(".")
        option = self.options.get(choice)
        if option is not None and part in option.values:
            return arithmetic.evaluate(option.values[part], self.look_up, size_of)
        raise InputError(f"unknown name {name!r}", valid=", ".join(self._all()), hint=did_you_mean(name, self._all()))

    def _all(self) -> list[str]:
        parts = [f"{choice}.{part}" for choice, option in self.options.items() for part in option.values]
        return [*(each.name for each in self.protocol.parameters), *parts, *self.protocol.values, *self.sums()]

    def sums(self) -> dict[str, None]:
        """The names of sums of fields, in their order."""
        return dict.fromkeys(part.of for message in self.protocol.messages for part in message.fields if part.of)

    def _sum(self, name: str) -> int:
        """Bytes of all fields that belong to this name and are there."""
        found = 0
        for place, message in enumerate(self.protocol.messages):
            for index, part in enumerate(message.fields):
                here = ("messages", place, "fields", index)
                if part.of == name and self.number(part.when, *here, "when"):
                    found += self.number(part.bytes, *here, "bytes")
        return found

    def scheme(self, pattern: str, *path: str | int) -> str:
        """The scheme that an operation names, perhaps by a choice. InputError if the catalog does not have it."""
        with self.at(*path):
            if not pattern.startswith("{"):
                if pattern not in schemes():
                    raise no_scheme(pattern)
                return pattern
            known = {
                f"{{{choice}.{part}}}": scheme
                for choice, option in self.options.items()
                for part, scheme in option.schemes.items()
            }
            if pattern not in known:
                valid = ", ".join(known) or "the name of a scheme: no choice has schemes"
                raise InputError(f"no choice has the scheme {pattern}", valid=valid, hint=did_you_mean(pattern, known))
            if known[pattern] not in schemes():
                raise no_scheme(known[pattern])
            return known[pattern]
