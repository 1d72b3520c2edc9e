"""Reads the catalog once and answers questions about it."""

from __future__ import annotations

import datetime
import fnmatch
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from pathlib import Path
from types import MappingProxyType

from motebench.base.errors import InputError, SetupError
from motebench.base.files import toml
from motebench.base.model import Scheme
from motebench.base.naming import did_you_mean
from motebench.base.paths import catalog_dir
from motebench.catalog.derive import block_bits_of, schemes_of
from motebench.catalog.schema import Algorithm, BlockLimit, DataLimits, ModeRemark, Status


@cache
def algorithms() -> Mapping[str, Algorithm]:
    """Every algorithm by id, in alphabetical order. InputError (file, line, key) for an invalid file."""
    return MappingProxyType(read_algorithms(catalog_dir() / "algorithms"))


def read_algorithms(folder: Path) -> dict[str, Algorithm]:
    """The algorithm files of a folder. SetupError if there are none."""
    paths = sorted(folder.glob("*.toml"))
    if not paths:
        raise SetupError("the catalog is missing", where=str(folder), hint="install motebench again")
    found = (toml.validate(toml.load(path), Algorithm) for path in paths)
    return {algorithm.id: algorithm for algorithm in found}


USER_CODE = "code"
"""Algorithm of the schemes of user code, which the catalog does not contain."""


class Schemes(Mapping[str, Scheme]):
    """Schemes by name, in order; also found by alias and by pattern. Immutable."""

    def __init__(self, schemes: Mapping[str, Scheme]) -> None:
        self._by_name = dict(schemes)
        aliases = {alias.casefold(): scheme for scheme in schemes.values() for alias in scheme.aliases}
        # A name wins over an alias.
        self._folded = {**aliases, **{name.casefold(): scheme for name, scheme in schemes.items()}}

    def __getitem__(self, name: str) -> Scheme:
        return self._by_name[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._by_name)

    def __len__(self) -> int:
        return len(self._by_name)

    def plus(self, more: Iterable[Scheme]) -> Schemes:
        """These schemes and ``others``, which replace schemes of the same name."""
        return Schemes({**self._by_name, **{scheme.name: scheme for scheme in more}})

    def resolve(self, name: str) -> Scheme:
        """The scheme of that name or alias, in any case of letters. InputError with the nearest names if
        there is none."""
        scheme = self._folded.get(name.strip().casefold())
        if scheme is None:
            near = did_you_mean(name.strip(), self._folded)
            listing = "`motebench list schemes` lists all"
            raise InputError(
                f"unknown scheme {name!r}",
                valid="the name of a scheme, such as aes-128-cbc",
                hint=f"{near} {listing}" if near else listing,
            )
        return scheme

    def match(self, pattern: str) -> list[Scheme]:
        """The schemes whose name or alias fits a shell pattern (``aes-*-cbc``), each once, in order.

        InputError if there are none. A text without ``*``, ``?`` or ``[`` is a name: see ``resolve``.
        """
        if not any(mark in pattern for mark in "*?["):
            return [self.resolve(pattern)]
        folded = pattern.strip().casefold()
        hits = {scheme.name for name, scheme in self._folded.items() if fnmatch.fnmatchcase(name, folded)}
        if not hits:
            raise InputError(
                f"no scheme matches the pattern {pattern!r}",
                valid="* any text, ? one character, [ab] one of them: aes-*-cbc",
                hint="`motebench list schemes` lists all",
            )
        return [scheme for scheme in self.values() if scheme.name in hits]


@cache
def schemes() -> Schemes:
    """Every scheme of the catalog, grouped by algorithm."""
    return Schemes(derive_schemes(algorithms()))


def derive_schemes(of: Mapping[str, Algorithm]) -> dict[str, Scheme]:
    """The schemes of these algorithms. InputError if a rule contradicts itself or two names clash."""
    found: dict[str, Scheme] = {}
    for algorithm in of.values():
        try:
            derived = schemes_of(algorithm)
        except ValueError as error:
            raise InputError(str(error), where=f"catalog/algorithms/{algorithm.id}.toml: schemes") from None
        for scheme in derived:
            other = found.setdefault(scheme.name, scheme)
            if other is not scheme:
                raise InputError(
                    f"the scheme {scheme.name!r} is defined twice, by {other.algorithm} and {scheme.algorithm}",
                    where=f"catalog/algorithms/{algorithm.id}.toml: schemes",
                )
    return found


def resolve(name: str) -> Scheme:
    """The scheme of the catalog with that name or alias: see `Schemes.resolve`."""
    return schemes().resolve(name)


def sizes_of(scheme: Scheme) -> dict[str, int]:
    """Bytes of what a scheme with public keys sends, by name: ``public-key``, ``signature``, ``ciphertext``; empty for
    others."""
    if scheme.signing:
        return {"public-key": scheme.signing.public, "signature": scheme.signing.signature}
    if scheme.kem:
        return {"public-key": scheme.kem.public, "ciphertext": scheme.kem.ciphertext}
    return {"public-key": scheme.agreement.public} if scheme.agreement else {}


def match(pattern: str) -> list[Scheme]:
    """The schemes of the catalog that fit a pattern: see `Schemes.match`."""
    return schemes().match(pattern)


def algorithm_of(scheme: Scheme) -> Algorithm:
    """The algorithm of a scheme."""
    return algorithms()[scheme.algorithm]


def status(scheme: Scheme, day: datetime.date) -> Status | None:
    """The dated verdict that applies to a scheme on that day."""
    if scheme.algorithm == USER_CODE:
        return None
    return algorithm_of(scheme).status_on(day, scheme)


def label(scheme: Scheme, day: datetime.date) -> str:
    """The short status of a scheme on that day: ``withdrawn 2005-05-19``; ``none`` without any verdict."""
    entry = status(scheme, day)
    return entry.label if entry else "none"


@cache
def _data_limits() -> DataLimits:
    return toml.validate(toml.load(catalog_dir() / "policies" / "data-limits.toml"), DataLimits)


@cache
def block_limits() -> tuple[BlockLimit, ...]:
    """The rules of ``catalog/policies/data-limits.toml``, shortest block first."""
    return tuple(sorted(_data_limits().limits, key=lambda limit: limit.block_bits))


def notes(scheme: Scheme) -> list[str]:
    """Remarks that follow from properties of the scheme and not from a verdict, each with its source."""
    if scheme.algorithm == USER_CODE:
        return []
    block_bits = block_bits_of(algorithm_of(scheme), scheme)
    hit = next((limit for limit in block_limits() if block_bits and block_bits <= limit.block_bits), None)
    of_mode = (rule for rule in _data_limits().modes if scheme.mode in rule.modes)
    remarks: list[BlockLimit | ModeRemark] = [*([hit] if hit else []), *of_mode]
    return [f"{rule.statement} ({'; '.join(str(source) for source in rule.sources)})" for rule in remarks]
