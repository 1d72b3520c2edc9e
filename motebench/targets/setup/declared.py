"""Schemes that implementations offer, as declared beside their sources: known before anything is
built.

``offers.toml`` beside motebench's own implementations and ``offers`` in the ``source.toml`` of
pinned ones hold exactly their schemes, as patterns of names. ``algorithms`` in ``adapter.toml`` and
``probe.toml`` holds the algorithms of a whole library; which of their schemes it has, its version
decides.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from fnmatch import translate
from functools import cache
from types import MappingProxyType

from motebench.base.errors import InputError, MotebenchError
from motebench.base.files import toml
from motebench.base.model import Scheme
from motebench.base.paths import OWN
from motebench.targets.firmware.sources import own_implementations
from motebench.targets.setup.needs import adapter_files, language_files, read_adapter, read_language
from motebench.targets.setup.vendor import source as pinned

FILE = "offers.toml"


@dataclass(frozen=True)
class Declaration:
    """Patterns of the schemes that an implementation offers, or the algorithms that a library
    has.
    """

    names: re.Pattern[str] | None = None
    algorithms: frozenset[str] = frozenset()

    @property
    def exact(self) -> bool:
        """True if every scheme that it allows is on offer."""
        return self.names is not None

    def allows(self, scheme: Scheme) -> bool:
        """True if the implementation can have the scheme."""
        if self.names is not None:
            return self.names.match(scheme.name) is not None
        return scheme.algorithm in self.algorithms


def may_offer(implementation: str, schemes: Collection[Scheme]) -> bool:
    """True if an implementation without variant can have one of these schemes, or if it declares
    none.
    """
    declaration = declarations().get(implementation)
    return declaration is None or any(map(declaration.allows, schemes))


@cache
def declarations() -> Mapping[str, Declaration]:
    """The declarations by implementation; none where motebench is installed without its sources.
    InputError if a file is wrong."""
    return MappingProxyType(dict([*_libraries(), *_own(), *_pinned()]))


def _own() -> Iterator[tuple[str, Declaration]]:
    for folder in sorted({path.parent for path in own_implementations().values()}):
        path = folder / FILE
        if not path.is_file():
            continue
        document = toml.load(path)
        for name, patterns in document.data.items():
            if not isinstance(patterns, list) or not all(
                isinstance(pattern, str) for pattern in patterns
            ):
                raise InputError(
                    "schemes must be a list of patterns", where=document.where((name,))
                )
            yield f"{OWN}/{name}", _exactly(patterns)


def _pinned() -> Iterator[tuple[str, Declaration]]:
    for source in pinned.sources().values():
        for name, entry in source.implementation.items():
            offers = (source.implementation[entry.like] if entry.like else entry).offers
            if offers:
                yield f"{source.name}/{name}", _exactly(offers)


def _libraries() -> Iterator[tuple[str, Declaration]]:
    needs: list[tuple[str, str | None]] = []
    for path in adapter_files():
        try:
            adapter = read_adapter(path)
        except MotebenchError:
            continue  # `motebench doctor` reports it
        needs.append((adapter.name, adapter.algorithms))
    for path in language_files():
        try:
            language = read_language(path)
        except MotebenchError:
            continue
        needs += [(name, language.algorithms) for name in language.implementations.split()]
    for name, algorithms in needs:
        if algorithms:
            yield name, Declaration(algorithms=frozenset(algorithms.split()))


def _exactly(patterns: Collection[str]) -> Declaration:
    return Declaration(re.compile("|".join(map(translate, patterns))))
