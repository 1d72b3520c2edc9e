"""Code that a product has already: it is not counted again in flash.

What counts is the same code: of the same algorithm, by the same implementation. Of a block cipher that is encryption,
which every mode but ECB, CBC, OCB and XTS takes alone; its size is that of the smallest firmware of the implementation
in such a mode.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from motebench.advise.choice.model import Point, SchemeOffer
from motebench.base.errors import InputError
from motebench.base.interval import Interval
from motebench.base.model import Kind, Scheme
from motebench.base.naming import did_you_mean
from motebench.catalog import algorithm_of, schemes
from motebench.catalog.schema import AlgorithmKind

LORAWAN = "lorawan"
BROUGHT = ("aes-128", "aes-128-cmac")
"""LoRaWAN L2 1.0.4 (TS001-1.0.4), 4.3.3 and 4.4: AES-128 encrypts payloads, the integrity code is AES-CMAC."""
_SAME = 0.05
"""Firmware of a block cipher alone differs by less from mode to mode: calls are laid out anew."""
_LORAWAN_WORDS = "LoRaWAN brings AES-128 encryption and AES-CMAC (TS001, 4.3.3 and 4.4)"
_ENCRYPTING = frozenset({"ctr", "ccm", "gcm", "eax", "cfb", "cfb8", "ofb", "cmac", "gmac"})
"""Modes that decrypt with the encryption of the block cipher."""
_INSIDE = {"chacha20-poly1305": "chacha20", "xchacha20-poly1305": "chacha20"}
"""AEADs, and the stream cipher that they contain."""


@dataclass(frozen=True, slots=True)
class Has:
    """What the product has: names of code, and remarks on them."""

    codes: frozenset[str]
    words: tuple[str, ...]


def owned(names: Sequence[str], offers: Sequence[SchemeOffer]) -> Has:
    """What these names mean. InputError with the valid ones for a name that no result of the device has code of."""
    known = {_folded(code): code for offer in offers for code in _codes(offer.scheme)}
    codes: set[str] = set()
    words = []
    for name in names:
        if _folded(name) == LORAWAN:
            codes.update(BROUGHT)
            words.append(_LORAWAN_WORDS)
        elif _folded(name) in known:
            codes.add(known[_folded(name)])
        else:
            raise InputError(
                f"no results are of code of {name!r}",
                where="--has",
                valid=", ".join([LORAWAN, *sorted(_parts(known.values()))]) + ", or a scheme",
                hint=did_you_mean(_folded(name), [LORAWAN, *known]),
            )
    return Has(frozenset(codes), tuple(words))


def _parts(codes: Iterable[str]) -> list[str]:
    """Block ciphers by key length, hash functions, stream ciphers: what is a part of schemes."""
    return [
        code
        for code in codes
        if (scheme := _scheme(code)) is None or (scheme.mode is None and scheme.kind in (Kind.HASH, Kind.STREAM))
    ]


def without(offers: Sequence[SchemeOffer], has: Has) -> list[SchemeOffer]:
    """The offers without the flash of code that is there."""
    if not has.codes:
        return list(offers)
    sizes = {offer.scheme + " " + offer.implementation: size for offer in offers if (size := _flash(offer)) is not None}
    encryption = _encryptions(offers)
    return [_credited(offer, has, sizes, encryption) for offer in offers]


def _credited(
    offer: SchemeOffer,
    has: Has,
    sizes: Mapping[str, Interval],
    encryption: Mapping[tuple[str, str], tuple[Interval, str]],
) -> SchemeOffer:
    name, by = offer.scheme, offer.implementation
    # The flash of a secure element's offer is its driver, which is no code of the algorithm.
    if _flash(offer) is None or offer.beside or offer.beside_of is not None:
        return offer
    if name in has.codes:
        return _less(offer, None, f"all of {name} by {by} is there already")
    for code in _codes(name)[1:]:
        if code not in has.codes:
            continue
        found = encryption.get((code, by))
        if found is None and f"{code} {by}" in sizes:
            found = sizes[f"{code} {by}"], code
        if found is not None:
            size, of = found
            words = f"{code} by {by} is there already: {_spelt(size)} of flash that {of} takes are not counted"
            return _less(offer, size, words)
    return offer


def _less(offer: SchemeOffer, size: Interval | None, words: str) -> SchemeOffer:
    """The offer with less flash; ``size``: None: all of it."""

    def changed(point: Point) -> Point:
        flash = point.memory.get("flash")
        if flash is None:
            return point
        left = Interval.exact(0.0)
        if size is not None:
            ends = flash.low - size.high, flash.typical - size.typical, flash.high - size.low
            left = Interval(*(max(end, 0.0) for end in ends))
        return replace(point, memory={**point.memory, "flash": left})

    return replace(offer, points={key: changed(point) for key, point in offer.points.items()}, already=words)


def _encryptions(offers: Iterable[SchemeOffer]) -> dict[tuple[str, str], tuple[Interval, str]]:
    """The encryption of each block cipher by each implementation: its size, and the scheme whose firmware says so.

    Where firmware grows by the same in every mode, the implementation is the block cipher alone. Otherwise it brings
    its own modes; the smallest is used, and its mode taken to be between nothing and twice the probe's.
    """
    modes: dict[tuple[str, str], list[tuple[Interval, str]]] = {}
    for offer in offers:
        scheme, flash = _scheme(offer.scheme), _flash(offer)
        if scheme is not None and flash is not None and scheme.mode in _ENCRYPTING:
            modes.setdefault((_stem(scheme), offer.implementation), []).append((flash, offer.scheme))
    return {key: _encryption(known) for key, known in modes.items()}


def _encryption(known: Sequence[tuple[Interval, str]]) -> tuple[Interval, str]:
    flash, name = min(known, key=lambda one: (one[0].low, one[1]))
    most = max(one.low for one, _ in known)
    if len(known) > 1 and most <= flash.low * (1 + _SAME):
        return Interval(flash.low, flash.low, most), name
    mode = flash.high - flash.low
    return Interval(max(flash.low - mode, 0.0), flash.low, flash.high), name


def _codes(name: str) -> tuple[str, ...]:
    """What the code of a scheme contains: itself, then its parts."""
    scheme = _scheme(name)
    if scheme is None:
        return (name,)
    if _blocks(scheme):
        return (name, _stem(scheme))
    if scheme.kind is Kind.MAC and name.startswith("hmac-"):
        return name, name.removeprefix("hmac-")
    return (name, _INSIDE[name]) if name in _INSIDE else (name,)


def _blocks(scheme: Scheme) -> bool:
    return scheme.mode is not None and algorithm_of(scheme).kind is AlgorithmKind.BLOCK_CIPHER


def _stem(scheme: Scheme) -> str:
    return scheme.name.removesuffix(f"-{scheme.mode}")


def _scheme(name: str) -> Scheme | None:
    return schemes().get(name)


def _flash(offer: SchemeOffer) -> Interval | None:
    return next((point.memory["flash"] for point in offer.points.values() if "flash" in point.memory), None)


def _folded(name: str) -> str:
    return re.sub(r"[^a-z0-9]", "", name.casefold())


def _spelt(size: Interval) -> str:
    return f"{size.typical:,.0f} B" if size.low == size.high else f"{size.low:,.0f} to {size.high:,.0f} B"
