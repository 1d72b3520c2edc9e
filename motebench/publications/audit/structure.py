"""Times against the structure of the algorithms: rounds, key sizes, direction, RSA's two
operations.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import combinations
from statistics import median

from motebench.base import quantities as dimensions
from motebench.catalog.published import Cell, Table
from motebench.catalog.schema import Algorithm, AlgorithmKind, Structure
from motebench.documents.papers import Certainty, Weight
from motebench.publications.audit.findings import (
    NO_WORK,
    SURE,
    CellNames,
    CheckFindings,
    Scatter,
    algorithm,
    groups,
    number,
    size_text,
    unit_of,
    without,
)

_LEAST_SIZE = 1000
"""Bytes below which the call and the key set-up take a large part of the time."""
_BOTH_WAYS = (Structure.FEISTEL, Structure.STATE_SHUFFLE)
_DIRECTION = 0.1
_BLIND = 0.22
_DECRYPT = {
    "encrypt": "decrypt",
    "encryption": "decryption",
    "enc": "dec",
    "encrypt-message": "decrypt-message",
}
_RSA_RATIO = 2.0
_MOST_ERROR = 0.07
_LOW_TRIPLE = 0.6
_LOW_KEYS = 0.3
"""Shares of the time in rounds below which a cost other than the cipher dominates."""
_Pair = tuple[float, Cell, Cell]
"""Ratio of the times of two cells, second over first, with both cells."""
_Share = tuple[float, Cell, Cell]
"""Share of the time that depends on rounds, and the cells with fewer and with more rounds."""


def _times(table: Table) -> Iterator[Cell]:
    for group in groups(table):
        cell = group.central
        unit = unit_of(cell) if cell else None
        of_work = cell is not None and not NO_WORK.search(cell.metric.lower())
        if (
            cell
            and of_work
            and cell.number.low > 0
            and unit
            and unit.dimension in (dimensions.TIME, dimensions.CYCLES)
        ):
            yield cell


def _of(cell: Cell) -> Algorithm | None:
    return algorithm(cell.label("algorithm")) or algorithm(cell.label("scheme"))


def _rounds(cell: Cell) -> int | None:
    entry = _of(cell)
    if entry is None:
        return None
    if entry.id == "3des":
        return 48
    if isinstance(entry.rounds, int):
        return entry.rounds
    return entry.rounds.get(cell.label("key_bits")) if entry.rounds else None


def _ratio(first: Cell, second: Cell) -> float:
    return float(second.number) / float(first.number)


def rounds(table: Table) -> list[CheckFindings]:
    """Dependence of the time on rounds: 3DES against DES, and longer keys of one cipher."""
    triple, keys = CheckFindings("rounds"), CheckFindings("key-size")
    places: dict[object, list[Cell]] = {}
    times = list(_times(table))
    largest = max((cell.size or 0 for cell in times), default=0)
    for cell in times:
        # At small sizes the call and the start of a program take their share in sound tables too.
        if cell.size is None or cell.size >= max(_LEAST_SIZE, largest // 10):
            places.setdefault(
                (without(cell, "algorithm", "key_bits", "scheme"), cell.metric), []
            ).append(cell)
    scatter = Scatter(table)
    _triple(triple, table, scatter, places.values())
    _keys(keys, table, scatter, places.values())
    return [triple, keys]


def _steady(scatter: Scatter, first: Cell, second: Cell) -> bool:
    """True if readings scatter so little that a ratio of means says something; unknown scatter
    counts as little.
    """
    error = scatter.of(first, second)
    return error is None or error < _MOST_ERROR


def _triple(
    check: CheckFindings, table: Table, scatter: Scatter, places: Iterable[list[Cell]]
) -> None:
    """3DES has three times the rounds of DES."""
    pairs = list(_steady_triples(scatter, places))
    check.looks += len(pairs)
    shares = [((_ratio(single, triple) - 1) / 2, single, triple) for single, triple in pairs]
    blind = any(scatter.of(single) is None for single, _ in pairs)
    largest = max((single.size or 0 for single, _ in pairs), default=0)
    at_largest = [share for share, single, _ in shares if (single.size or 0) == largest]
    low_there = [share for share in at_largest if share < _LOW_TRIPLE]
    if low_there and len(low_there) >= len(at_largest) * (1 if blind else 0.5):
        _cheap_rounds(check, table, [share for share in shares if share[0] < _LOW_TRIPLE])


def _steady_triples(scatter: Scatter, places: Iterable[list[Cell]]) -> Iterator[tuple[Cell, Cell]]:
    """The times of DES and 3DES, where there is one of each."""
    for cells in places:
        by_id: dict[str, list[Cell]] = {}
        for cell in cells:
            if (entry := _of(cell)) is not None:
                by_id.setdefault(entry.id, []).append(cell)
        single, triple = by_id.get("des", []), by_id.get("3des", [])
        if len(single) == len(triple) == 1 and _steady(scatter, single[0], triple[0]):
            yield single[0], triple[0]


def _cheap_rounds(check: CheckFindings, table: Table, low: list[_Share]) -> None:
    names = CellNames(table)
    faster = [
        (share, single, triple)
        for share, single, triple in low
        if triple.number.high < single.number.low
    ]
    if faster:
        check.add(
            Weight.MATERIAL,
            Certainty.LIKELY,
            table.name,
            f"3DES is faster than DES in {len(faster)} of {len(low)} rows, although it is DES "
            "three times: the rows may have been exchanged",
            [
                names.entry(triple, f"less than {single.number.text} of DES")
                for _, single, triple in faster
            ],
        )
    slower = [share_of_row for share_of_row in low if share_of_row not in faster]
    shares = [share for share, *_ in slower]
    if not shares:
        return
    check.add(
        Weight.MATERIAL,
        Certainty.LIKELY,
        table.name,
        f"3DES has three times the rounds of DES and takes {1 + 2 * min(shares):.2f} to "
        f"{1 + 2 * max(shares):.2f} times its time: {min(shares):.0%} to "
        f"{max(shares):.0%} of the time of DES is spent in its rounds, the rest elsewhere",
        [
            names.entry(
                single,
                f"{number(share * float(single.number), 3)} in rounds, "
                f"{number((1 - share) * float(single.number), 3)} elsewhere",
            )
            for share, single, _ in slower
        ],
    )


@dataclass(frozen=True, slots=True)
class KeySizes:
    """Times with the shortest and the longest key of a cipher. ``more``: rounds that the longer one
    adds, relative.
    """

    more: float
    first: Cell
    last: Cell

    @property
    def longer(self) -> float:
        """Relative additional time of the longer key."""
        return _ratio(self.first, self.last) - 1

    @property
    def share(self) -> float:
        """Share of the time that depends on rounds."""
        return self.longer / self.more


def _keys(
    check: CheckFindings, table: Table, scatter: Scatter, places: Iterable[list[Cell]]
) -> None:
    """Longer keys have more rounds."""
    names = CellNames(table)
    pairs = [
        pair
        for cells in places
        for pair in _key_sizes(cells)
        if _steady(scatter, pair.first, pair.last)
    ]
    check.looks += len(pairs)
    reverse = [pair for pair in pairs if _reversed(scatter, pair)]
    if reverse:
        check.add(
            Weight.MINOR,
            Certainty.CERTAIN,
            table.name,
            f"the longest key takes less time than the shortest in {len(reverse)} of {len(pairs)} "
            f"rows, although it has {1 + reverse[0].more:.1f} times the rounds: what differs here "
            "is not the cipher",
            [
                names.entry(
                    pair.last,
                    f"{pair.longer:+.1%} against {pair.first.number.text}; by rounds to "
                    f"{pair.more:+.0%}",
                )
                for pair in reverse
            ],
        )
    low = [pair for pair in pairs if pair.share < _LOW_KEYS]
    if len(pairs) >= 3 and len(low) >= 0.75 * len(pairs):
        changes = [pair.share * pair.more for pair in low]
        check.add(
            Weight.MATERIAL,
            Certainty.LIKELY,
            table.name,
            f"with {1 + low[0].more:.1f} times the rounds the time changes by {min(changes):+.1%} "
            f"to {max(changes):+.1%}: less than a third of the time depends on the rounds in "
            f"{len(low)} of {len(pairs)} rows. That key sizes cost nothing holds for this set-up, "
            "not for the cipher",
            [
                names.entry(
                    pair.last,
                    f"x {_ratio(pair.first, pair.last):.3f}; by rounds x {1 + pair.more:.2f}",
                )
                for pair in low[:8]
            ],
        )


def _reversed(scatter: Scatter, pair: KeySizes) -> bool:
    """True if the longer key takes less time by more than the readings scatter; by 5 % where that
    is not known.
    """
    error = scatter.of(pair.first, pair.last)
    least = 0.05 if error is None else max(0.01, SURE * error)
    return float(pair.last.number.high) < float(pair.first.number.low) * (1 - least)


def _key_sizes(cells: list[Cell]) -> Iterator[KeySizes]:
    """The shortest and the longest key of each cipher whose rounds depend on the key."""
    by_algorithm: dict[str, list[Cell]] = {}
    for cell in cells:
        if (entry := _of(cell)) and isinstance(entry.rounds, dict) and _rounds(cell):
            by_algorithm.setdefault(entry.id, []).append(cell)
    for same in by_algorithm.values():
        ordered = sorted(same, key=lambda cell: _rounds(cell) or 0)
        first, last = ordered[0], ordered[-1]
        more = (_rounds(last) or 1) / (_rounds(first) or 1) - 1
        if more > 0.2:
            yield KeySizes(more, first, last)


def directions(table: Table) -> list[CheckFindings]:
    """Decryption against encryption, and RSA's private against its public operation."""
    both, signature = CheckFindings("direction"), CheckFindings("signature")
    rows: dict[object, dict[str, Cell]] = {}
    for cell in _times(table):
        rows.setdefault((without(cell, "operation"), cell.metric), {})[cell.label("operation")] = (
            cell
        )
    pairs = [pair for row in rows.values() for pair in _encryption_pairs(row)]
    scatter = Scatter(table)
    _both_ways(both, table, scatter, [pair for pair in pairs if _same_both_ways(pair[1])])
    _slow_back(both, table, scatter, [pair for pair in pairs if not _same_both_ways(pair[1])])
    rsa = [
        (_ratio(row["verify"], row["sign"]), row["sign"], row["verify"])
        for row in rows.values()
        if "sign" in row and "verify" in row and (entry := _of(row["sign"])) and entry.id == "rsa"
    ]
    _signatures(signature, table, rsa)
    return [both, signature]


def _encryption_pairs(row: Mapping[str, Cell]) -> Iterator[_Pair]:
    """Encryption and decryption of a known algorithm."""
    for forward, back in _DECRYPT.items():
        if forward in row and back in row and _of(row[forward]):
            yield _ratio(row[forward], row[back]), row[forward], row[back]


def _same_both_ways(cell: Cell) -> bool:
    """True if decryption does the work of encryption in reverse order."""
    entry = _of(cell)
    return entry is not None and entry.structure in _BOTH_WAYS


def _slow_back(check: CheckFindings, table: Table, scatter: Scatter, pairs: list[_Pair]) -> None:
    check.looks += len(pairs)
    slow = [pair for pair in pairs if pair[0] > 3 and _steady(scatter, pair[1], pair[2])]
    if not slow:
        return
    names = CellNames(table)
    ratios = [ratio for ratio, *_ in slow]
    check.add(
        Weight.MINOR,
        Certainty.POSSIBLE,
        table.name,
        f"decryption takes {min(ratios):.3g} to {max(ratios):.3g} times the time of encryption, "
        "although both have the same rounds, S-boxes and key additions: the ratio is one of this "
        "implementation, not of the cipher",
        [
            names.entry(back, f"{ratio:.3g} x {forward.number.text}")
            for ratio, forward, back in slow
        ],
        reference="FIPS 197, 5.3 (the inverse cipher has the rounds of the cipher)",
    )


def _both_ways(check: CheckFindings, table: Table, scatter: Scatter, pairs: list[_Pair]) -> None:
    check.looks += len(pairs)
    # The usual difference of the table stands for a spread that is not printed.
    usual = median(abs(math.log(ratio)) for ratio, *_ in pairs) if pairs else 0.0
    apart = [pair for pair in pairs if _differs(scatter, usual, pair)]
    if not apart:
        return
    names = CellNames(table)
    blind = any(scatter.of(forward, back) is None for _, forward, back in apart)
    strong = not blind and any(not 0.8 < ratio < 1.25 for ratio, *_ in apart)
    check.add(
        Weight.MATERIAL if strong else Weight.MINOR,
        Certainty.POSSIBLE if blind else Certainty.LIKELY,
        table.name,
        f"{len(apart)} of {len(pairs)} rows of ciphers whose two directions do the same work "
        f"differ by more than {_DIRECTION:.0%} between encryption and decryption",
        [
            names.entry(back, f"{ratio:.3g} x {forward.number.text}; usual 1")
            for ratio, forward, back in apart
        ],
    )


def _differs(scatter: Scatter, usual: float, pair: _Pair) -> bool:
    ratio, forward, back = pair
    error = scatter.of(forward, back)
    least = max(_DIRECTION, SURE * error) if error is not None else max(_BLIND, 4 * usual)
    faster = ratio < 1 and _chained(forward)
    return abs(math.log(ratio)) > least and _told(forward, back) and not faster


def _chained(cell: Cell) -> bool:
    """True if decryption can work on several blocks at once and encryption cannot: CBC, CFB, and
    block ciphers in an unstated mode (NIST SP 800-38A, 6.2 and 6.3).
    """
    text = f"{cell.label('mode')} {cell.label('scheme')} {cell.label('algorithm')}".lower()
    if "cbc" in text or "cfb" in text:
        return True
    entry = _of(cell)
    mode_named = any(mode in text for mode in ("ecb", "ctr", "ofb"))
    return entry is not None and entry.kind is AlgorithmKind.BLOCK_CIPHER and not mode_named


def _told(first: Cell, second: Cell) -> bool:
    """True if rounding leaves a difference of more than the limit."""
    low, high = sorted((first, second), key=lambda cell: cell.number.value)
    return float(high.number.low) > (1 + _DIRECTION / 2) * float(low.number.high)


def _signatures(check: CheckFindings, table: Table, rsa: list[_Pair]) -> None:
    """Report RSA over files with equal times of both operations and both key sizes: they are those
    of the hash.
    """
    names = CellNames(table)
    check.looks += len(rsa)
    flat = [pair for pair in rsa if pair[0] < _RSA_RATIO]
    if not flat or len(flat) * 2 < len(rsa):
        return
    ratios = [ratio for ratio, *_ in flat]
    signs = [sign for _, sign, _ in flat]
    if all(ratio < 1 / _RSA_RATIO for ratio in ratios):
        check.add(
            Weight.MATERIAL,
            Certainty.LIKELY,
            table.name,
            "verifying is slower than signing with RSA, whose private operation takes tens of "
            "times the public one: the two may have been exchanged",
            [
                names.entry(sign, f"more than {verify.number.text} of verifying")
                for _, sign, verify in flat
            ],
        )
        return
    check.add(
        Weight.MATERIAL,
        Certainty.LIKELY,
        table.name,
        f"signing takes {min(ratios):.2f} to {max(ratios):.2f} times the time of verifying, where "
        "RSA's private operation takes tens of times that of the public "
        f"one{_by_keys(signs)}{_growth(signs)}. These rows are the time of the hash over the file; "
        "they cannot be compared with encryption",
        [names.entry(sign, f"{ratio:.3g} x {verify.number.text}") for ratio, sign, verify in flat],
    )


def _by_keys(signs: list[Cell]) -> str:
    """Cost of twice the key, as a clause; empty if no size was signed with two keys."""
    by_size: dict[object, list[Cell]] = {}
    for sign in signs:
        by_size.setdefault(without(sign, "key_bits"), []).append(sign)
    ratios = [
        _ratio(min(cells, key=_bits), max(cells, key=_bits))
        for cells in by_size.values()
        if len(cells) > 1
    ]
    if not ratios:
        return ""
    return (
        f"; twice the key takes {min(ratios):.2f} to {max(ratios):.2f} times the time, where RSA "
        "alone takes 4 to 8"
    )


def _growth(signs: list[Cell]) -> str:
    """Growth of the time with size, as a clause; empty if there is one size."""
    sizes = sorted({sign.size for sign in signs if sign.size})
    if len(sizes) < 2:
        return ""
    grown = [_ratio(small, large) for small, large in _by_size(signs)]
    return (
        f"; it grows {median(grown):.0f} times from {size_text(sizes[0])} to {size_text(sizes[-1])}"
    )


def _bits(cell: Cell) -> int:
    return int(cell.label("key_bits")) if cell.label("key_bits").isdigit() else 0


def _by_size(signs: list[Cell]) -> Iterator[tuple[Cell, Cell]]:
    ordered = sorted(signs, key=lambda cell: cell.size or 0)
    for left, right in combinations(ordered, 2):
        if (
            without(left, "input_bytes") == without(right, "input_bytes")
            and left.size != right.size
        ):
            yield left, right
