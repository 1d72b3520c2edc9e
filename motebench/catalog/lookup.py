"""Schemes of the catalog: derived from algorithm files (names, sizes, aliases), read once, and
looked up.
"""

from __future__ import annotations

import datetime
import fnmatch
import itertools
import string
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from types import MappingProxyType

from motebench.base.errors import InputError, SetupError
from motebench.base.files import toml
from motebench.base.model import Agreed, Encapsulated, Kind, Scheme, Signed
from motebench.base.naming import did_you_mean, squeezed
from motebench.base.paths import catalog_dir
from motebench.catalog.schema import (
    Algorithm,
    AlgorithmKind,
    BlockLimit,
    DataLimits,
    ModeRemark,
    SchemeRule,
    Status,
    selects,
)


@dataclass(frozen=True, slots=True)
class _Values:
    """The values of the placeholders in a scheme name."""

    key_bits: int | None
    block_bits: int | None
    size: int | None
    tag_bits: int | None
    mode: str | None
    hash: str | None

    def fill(self, pattern: str) -> str | None:
        """The pattern with its placeholders replaced; None if a placeholder has no value."""
        names = placeholders(pattern)
        if any(getattr(self, name) is None for name in names):
            return None
        return pattern.format(**{name: getattr(self, name) for name in names})


@dataclass(frozen=True, slots=True)
class Mode:
    """A mode of operation. ``nonce_bytes`` None means one block; ``keys`` is the number of cipher
    keys in one key.
    """

    kind: Kind
    nonce_bytes: int | None = None
    whole_blocks: bool = False
    keys: int = 1
    block_bits: tuple[int, ...] = ()
    """Blocks it is defined for; empty is any."""


MODES: dict[str, Mode] = {
    # SP 800-38A: the IV of CBC, CFB and OFB and the counter of CTR are one block.
    "ecb": Mode(Kind.CIPHER, nonce_bytes=0, whole_blocks=True),
    "cbc": Mode(Kind.CIPHER, whole_blocks=True),
    "cfb": Mode(Kind.CIPHER),
    "cfb8": Mode(Kind.CIPHER),
    "ofb": Mode(Kind.CIPHER),
    "ctr": Mode(Kind.CIPHER),
    # SP 800-38D section 5.2.1.1 (96-bit IV), SP 800-38C (7 to 13 bytes), RFC 7253 (96-bit
    # recommended).
    "gcm": Mode(Kind.AEAD, nonce_bytes=12, block_bits=(128,)),
    "ccm": Mode(Kind.AEAD, nonce_bytes=12, block_bits=(128,)),
    "ocb": Mode(Kind.AEAD, nonce_bytes=12, block_bits=(128,)),
    # Bellare, Rogaway, Wagner (FSE 2004): nonces of any length, tags up to one block; one block
    # taken for both.
    "eax": Mode(Kind.AEAD),
    # SP 800-38B: the MAC is one block, or its first bytes.
    "cmac": Mode(Kind.MAC, nonce_bytes=0, block_bits=(128,)),
    # SP 800-38D: the MAC of GCM without a text, with GCM's nonce.
    "gmac": Mode(Kind.MAC, nonce_bytes=12, block_bits=(128,)),
    # IEEE Std 1619: two keys, the tweak is one 128-bit block, data units from one block up.
    "xts": Mode(Kind.CIPHER, keys=2, block_bits=(128,)),
}

_KINDS = {
    AlgorithmKind.STREAM_CIPHER: Kind.STREAM,
    AlgorithmKind.AEAD: Kind.AEAD,
    AlgorithmKind.HASH: Kind.HASH,
    AlgorithmKind.MAC: Kind.MAC,
    AlgorithmKind.SIGNATURE: Kind.SIGNATURE,
    AlgorithmKind.AGREEMENT: Kind.AGREEMENT,
    AlgorithmKind.KEM: Kind.KEM,
}
PLACEHOLDERS = ("key_bits", "block_bits", "mode", "hash", "size", "tag_bits")


def schemes_of(algorithm: Algorithm) -> list[Scheme]:
    """The schemes that an algorithm file defines, in its order. ValueError if a rule contradicts
    itself.
    """
    return [scheme for rule in algorithm.schemes for scheme, _ in _run(algorithm, rule)]


def block_bits_of(algorithm: Algorithm, scheme: Scheme) -> int | None:
    """The block length of the cipher in a scheme of that algorithm, in any mode; None if it is not
    a block cipher.
    """
    if algorithm.kind is not AlgorithmKind.BLOCK_CIPHER:
        return None
    if len(algorithm.block_bits) == 1:
        return algorithm.block_bits[0]
    runs = (run for rule in algorithm.schemes for run in _run(algorithm, rule))
    return next(
        (values.block_bits for named_scheme, values in runs if named_scheme.name == scheme.name),
        None,
    )


def _run(algorithm: Algorithm, rule: SchemeRule) -> Iterator[tuple[Scheme, _Values]]:
    """Every scheme of a rule, with the values from which it was made."""
    block_bits = rule.block_bits or (
        algorithm.block_bits[0] if len(algorithm.block_bits) == 1 else None
    )
    for key_bits, size, tag_bits, mode, hash_name in itertools.product(
        rule.key_bits or (None,),
        rule.sizes or (None,),
        rule.tag_bits or (None,),
        rule.modes or (None,),
        rule.hashes or (None,),
    ):
        values = _Values(key_bits, block_bits, size, tag_bits, mode, hash_name)
        name = values.fill(rule.name)
        if name is None:
            raise ValueError(f"a placeholder in {rule.name!r} has no value in its rule")
        aliases = tuple(
            filled
            for alias, target in algorithm.aliases.items()
            if values.fill(target) == name and (filled := values.fill(alias)) is not None
        )
        yield _scheme(algorithm, rule, name, values, aliases), values


def _scheme(
    algorithm: Algorithm, rule: SchemeRule, name: str, values: _Values, aliases: tuple[str, ...]
) -> Scheme:
    key_bytes = rule.key_bytes if rule.key_bytes is not None else (values.key_bits or 0) // 8
    scheme = Scheme(
        name=name,
        algorithm=algorithm.id,
        kind=_KINDS.get(algorithm.kind, Kind.CIPHER),
        mode=values.mode,
        bits=values.size or values.key_bits or values.tag_bits,
        key_bytes=key_bytes,
        nonce_bytes=(rule.nonce_bits or 0) // 8,
        tag_bytes=(values.tag_bits or 0) // 8,
        aliases=aliases,
    )
    if algorithm.kind is AlgorithmKind.BLOCK_CIPHER:
        return _in_mode(scheme, rule, values)
    return _sized(algorithm, scheme)


def _in_mode(scheme: Scheme, rule: SchemeRule, values: _Values) -> Scheme:
    """The scheme of a block cipher, with the sizes that its mode gives."""
    if values.mode is None or values.mode not in MODES:
        raise ValueError(
            f"{values.mode!r} in {rule.name!r} is not one of the modes {', '.join(MODES)}"
        )
    if values.block_bits is None:
        raise ValueError(f"{rule.name!r} needs block_bits")
    mode = MODES[values.mode]
    if mode.block_bits and values.block_bits not in mode.block_bits:
        raise ValueError(f"{values.mode} is not defined for blocks of {values.block_bits} bits")
    block = values.block_bits // 8
    return replace(
        scheme,
        kind=mode.kind,
        key_bytes=scheme.key_bytes * mode.keys,
        nonce_bytes=block if mode.nonce_bytes is None else mode.nonce_bytes,
        block_bytes=block if mode.whole_blocks else 0,
        # EAX tags have at most one block, the other modes need 128-bit blocks anyway.
        tag_bytes=block if mode.kind in (Kind.AEAD, Kind.MAC) else 0,
    )


def _sized(algorithm: Algorithm, scheme: Scheme) -> Scheme:
    """The scheme with the sizes of its keys and outputs. ValueError where one is missing."""
    if kem := algorithm.encapsulation:
        return replace(
            scheme,
            kem=Encapsulated(
                public=_size("encapsulation.public", kem.public, scheme),
                private=_size("encapsulation.private", kem.private, scheme),
                ciphertext=_size("encapsulation.ciphertext", kem.ciphertext, scheme),
                secret=_size("encapsulation.secret", kem.secret, scheme),
                keygen_seed=_size("encapsulation.keygen_seed", kem.keygen_seed, scheme),
                encapsulate_seed=_size(
                    "encapsulation.encapsulate_seed", kem.encapsulate_seed, scheme
                ),
                implicit_rejection=kem.implicit_rejection,
            ),
        )
    if signing := algorithm.signing:
        private, seed = signing.private, signing.keygen_seed
        return replace(
            scheme,
            signing=Signed(
                public=_size("signing.public", signing.public, scheme),
                private=None if private is None else _size("signing.private", private, scheme),
                signature=_size("signing.signature", signing.signature, scheme),
                keygen_seed=None if seed is None else _size("signing.keygen_seed", seed, scheme),
                stateful=signing.stateful,
                hedged=signing.hedged,
            ),
        )
    if agreement := algorithm.agreement:
        return replace(
            scheme,
            agreement=Agreed(
                public=_size("agreement.public", agreement.public, scheme),
                private=_size("agreement.private", agreement.private, scheme),
                secret=_size("agreement.secret", agreement.secret, scheme),
            ),
        )
    return scheme


def _size(name: str, table: int | dict[str, int], scheme: Scheme) -> int:
    if isinstance(table, int):
        return table
    sizes = [value for selector, value in table.items() if selects(selector, scheme)]
    if len(sizes) != 1:
        raise ValueError(f"{name} says {len(sizes)} sizes of {scheme.name}, not one")
    return sizes[0]


@cache
def placeholders(pattern: str) -> tuple[str, ...]:
    """The names in braces. ValueError if they are malformed or unknown."""
    names = tuple(name for _, name, _, _ in string.Formatter().parse(pattern) if name is not None)
    for name in names:
        if name not in PLACEHOLDERS:
            raise ValueError(f"{{{name}}} in {pattern!r} is not one of {', '.join(PLACEHOLDERS)}")
    return names


# The catalog in use


@cache
def algorithms() -> Mapping[str, Algorithm]:
    """Every algorithm by id, in alphabetical order. InputError (file, line, key) for an invalid
    file.
    """
    return MappingProxyType(read_algorithms(catalog_dir() / "algorithms"))


def read_algorithms(folder: Path) -> dict[str, Algorithm]:
    """Algorithm files of a folder. SetupError if it has none."""
    paths = sorted(folder.glob("*.toml"))
    if not paths:
        raise SetupError(
            "the catalog is missing", where=str(folder), hint="install motebench again"
        )
    return {algorithm.id: algorithm for algorithm in map(_read_algorithm, paths)}


def _read_algorithm(path: Path) -> Algorithm:
    return toml.validate(toml.load(path), Algorithm)


_algorithm = cache(_read_algorithm)


def named(names: Iterable[str]) -> list[tuple[Scheme, Algorithm]]:
    """Schemes of these names in the catalog, each with its algorithm, in their order.

    Most schemes begin with the id of their algorithm. All files are read only for a name of which
    that is not true.
    """
    pairs = (_by_its_id(name) or _of_all(name) for name in dict.fromkeys(names))
    return [pair for pair in pairs if pair is not None]


def _by_its_id(name: str) -> tuple[Scheme, Algorithm] | None:
    parts = name.split("-")
    for count in range(1, len(parts) + 1):
        path = catalog_dir() / "algorithms" / f"{'-'.join(parts[:count])}.toml"
        if path.is_file():
            algorithm = _algorithm(path)
            scheme = derive_schemes({algorithm.id: algorithm}).get(name)
            if scheme is not None:
                return scheme, algorithm
    return None


def _of_all(name: str) -> tuple[Scheme, Algorithm] | None:
    scheme = schemes().get(name)
    return None if scheme is None else (scheme, algorithm_of(scheme))


USER_CODE = "code"
"""Algorithm of the schemes of user code, which the catalog does not contain."""


class Schemes(Mapping[str, Scheme]):
    """Schemes by name, in order; also found by alias and by pattern. Immutable."""

    def __init__(self, schemes: Mapping[str, Scheme]) -> None:
        self._by_name = dict(schemes)
        aliases = {
            alias.casefold(): scheme for scheme in schemes.values() for alias in scheme.aliases
        }
        # A name wins over an alias.
        self._folded = {**aliases, **{name.casefold(): scheme for name, scheme in schemes.items()}}

    def __getitem__(self, name: str) -> Scheme:
        return self._by_name[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._by_name)

    def __len__(self) -> int:
        return len(self._by_name)

    def plus(self, more: Iterable[Scheme]) -> Schemes:
        """Schemes with ``others``, which replace schemes of the same name."""
        return Schemes({**self._by_name, **{scheme.name: scheme for scheme in more}})

    def resolve(self, name: str, where: str | None = None) -> Scheme:
        """Scheme of that name or alias, in upper or lower case. InputError with the nearest names
        for an unknown one; ``where``: the option that names it.
        """
        scheme = self._folded.get(name.strip().casefold())
        meant = (
            ()
            if scheme is not None
            else tuple(candidate for candidate in meant_by(name) if candidate in self._by_name)
        )
        if len(meant) == 1:
            return self._by_name[meant[0]]
        if meant:
            raise InputError(
                f"{name!r} stands for several schemes",
                where=where,
                valid=", ".join(meant),
                hint=f"say which, for example {meant[0]}",
            )
        if scheme is None:
            near = did_you_mean(name.strip(), self._folded)
            listing = "`motebench list schemes` lists all"
            raise InputError(
                f"unknown scheme {name!r}",
                where=where,
                valid="the name of a scheme, such as aes-128-cbc",
                hint=f"{near} {listing}" if near else listing,
            )
        return scheme

    def match(self, pattern: str, where: str | None = None) -> list[Scheme]:
        """Schemes whose name or alias fits a shell pattern (``aes-*-cbc``), each once, in order.

        InputError if there are none. A text without ``*``, ``?`` or ``[`` is a name: see
        ``resolve``.
        """
        if not any(mark in pattern for mark in "*?["):
            return [self.resolve(pattern, where)]
        folded = pattern.strip().casefold()
        hits = {
            scheme.name
            for name, scheme in self._folded.items()
            if fnmatch.fnmatchcase(name, folded)
        }
        if not hits:
            raise InputError(
                f"no scheme matches the pattern {pattern!r}",
                where=where,
                valid="* any text, ? one character, [ab] one of them: aes-*-cbc",
                hint="`motebench list schemes` lists all",
            )
        return [scheme for scheme in self.values() if scheme.name in hits]


def meant_by(name: str) -> tuple[str, ...]:
    """The schemes that people mean by a short name, the most usual first: those that its
    algorithm's file names, or of an algorithm all; empty if nothing is called so."""
    return _short_names().get(squeezed(name), ())


@cache
def _short_names() -> dict[str, tuple[str, ...]]:
    meanings: dict[str, tuple[str, ...]] = {}
    for algorithm in algorithms().values():
        every = tuple(
            scheme.name for scheme in schemes().values() if scheme.algorithm == algorithm.id
        )
        for word in (algorithm.id, algorithm.name):
            meanings.setdefault(squeezed(word), every)
    for algorithm in algorithms().values():
        meanings |= algorithm.usual
    return meanings


def algorithm_called(name: str) -> str | None:
    """The id of the algorithm that has this id or name, or a short name of its schemes; None if
    none has.
    """
    short = squeezed(name)
    called = (
        algorithm.id
        for algorithm in algorithms().values()
        if short in {squeezed(algorithm.id), squeezed(algorithm.name), *algorithm.usual}
    )
    return next(called, None)


@cache
def schemes() -> Schemes:
    """Every scheme of the catalog, grouped by algorithm."""
    return Schemes(derive_schemes(algorithms()))


def derive_schemes(algorithms: Mapping[str, Algorithm]) -> dict[str, Scheme]:
    """Schemes of these algorithms. InputError if a rule contradicts itself or two names clash."""
    by_name: dict[str, Scheme] = {}
    for algorithm in algorithms.values():
        try:
            derived = schemes_of(algorithm)
        except ValueError as error:
            raise InputError(
                str(error), where=f"catalog/algorithms/{algorithm.id}.toml: schemes"
            ) from None
        for scheme in derived:
            other = by_name.setdefault(scheme.name, scheme)
            if other is not scheme:
                raise InputError(
                    f"the scheme {scheme.name!r} is defined twice, by {other.algorithm} and "
                    f"{scheme.algorithm}",
                    where=f"catalog/algorithms/{algorithm.id}.toml: schemes",
                )
    return by_name


def resolve(name: str, where: str | None = None) -> Scheme:
    """The scheme of the catalog with that name or alias: see `Schemes.resolve`."""
    return schemes().resolve(name, where)


def sizes_of(scheme: Scheme) -> dict[str, int]:
    """Bytes that a scheme with public keys sends, by name: ``public-key``, ``signature``,
    ``ciphertext``; empty for others.
    """
    if scheme.signing:
        return {"public-key": scheme.signing.public, "signature": scheme.signing.signature}
    if scheme.kem:
        return {"public-key": scheme.kem.public, "ciphertext": scheme.kem.ciphertext}
    return {"public-key": scheme.agreement.public} if scheme.agreement else {}


def match(pattern: str, where: str | None = None) -> list[Scheme]:
    """The schemes of the catalog that fit a pattern: see `Schemes.match`."""
    return schemes().match(pattern, where)


def algorithm_of(scheme: Scheme) -> Algorithm:
    """The algorithm of a scheme."""
    return algorithms()[scheme.algorithm]


def status(scheme: Scheme, day: datetime.date) -> Status | None:
    """The dated verdict that applies to a scheme on that day."""
    if scheme.algorithm == USER_CODE:
        return None
    return algorithm_of(scheme).status_on(day, scheme)


def label(scheme: Scheme, day: datetime.date) -> str:
    """The short status of a scheme on that day: ``withdrawn 2005-05-19``; ``none`` without any
    verdict.
    """
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
    """Remarks that follow from properties of the scheme and not from a verdict, each with its
    source.
    """
    if scheme.algorithm == USER_CODE:
        return []
    block_bits = block_bits_of(algorithm_of(scheme), scheme)
    hit = next(
        (limit for limit in block_limits() if block_bits and block_bits <= limit.block_bits), None
    )
    of_mode = (rule for rule in _data_limits().modes if scheme.mode in rule.modes)
    remarks: list[BlockLimit | ModeRemark] = [*([hit] if hit else []), *of_mode]
    return [
        f"{rule.statement} ({'; '.join(str(source) for source in rule.sources)})"
        for rule in remarks
    ]
