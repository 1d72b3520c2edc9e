"""Times against what the structure of the algorithms allows: rounds, key sizes, direction, RSA's two operations."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from itertools import combinations
from statistics import median

from motebench.base import dimensions
from motebench.catalog.published import Cell, Table
from motebench.catalog.schema import Algorithm, AlgorithmKind, Structure
from motebench.documents.audit import Certainty, Weight
from motebench.publications.audit.findings import CheckFindings, number, size_text
from motebench.publications.audit.rows import SURE, CellNames, Scatter, algorithm, groups, unit_of, without

_LEAST_SIZE = 1000
"""Bytes below which the call and the key set-up take a large part of the time."""
_BOTH_WAYS = (Structure.FEISTEL, Structure.STATE_SHUFFLE)
_DIRECTION = 0.1
_BLIND = 0.22
_DECRYPT = {"encrypt": "decrypt", "encryption": "decryption", "enc": "dec", "encrypt-message": "decrypt-message"}
_RSA_RATIO = 2.0
_MOST_ERROR = 0.07


def _times(table: Table) -> Iterator[Cell]:
    for group in groups(table):
        cell = group.central
        of = unit_of(cell) if cell else None
        if cell and cell.number.low > 0 and of and of.dimension in (dimensions.TIME, dimensions.CYCLES):
            yield cell


def _of(cell: Cell) -> Algorithm | None:
    return algorithm(cell.label("algorithm")) or algorithm(cell.label("scheme"))


def _rounds(cell: Cell) -> int | None:
    of = _of(cell)
    if of is None:
        return None
    if of.id == "3des":
        return 48
    if isinstance(of.rounds, int):
        return of.rounds
    return of.rounds.get(cell.label("key_bits")) if of.rounds else None


def _ratio(one: Cell, two: Cell) -> float:
    return float(two.number) / float(one.number)


def rounds(table: Table) -> list[CheckFindings]:
    """How much of the time depends on rounds: 3DES against DES, and longer keys of one cipher."""
    triple, keys = CheckFindings("rounds"), CheckFindings("key-size")
    names, scatter = CellNames(table), Scatter(table)
    places: dict[object, list[Cell]] = {}
    times = list(_times(table))
    largest = max((cell.size or 0 for cell in times), default=0)
    for cell in times:
        # At small sizes the call and the start of a program take their share in sound tables too.
        if cell.size is None or cell.size >= max(_LEAST_SIZE, largest // 10):
            places.setdefault((without(cell, "algorithm", "key_bits", "scheme"), cell.metric), []).append(cell)
    _triple(triple, table, names, scatter, places.values())
    _keys(keys, table, names, scatter, places.values())
    return [triple, keys]


def _steady(scatter: Scatter, one: Cell, two: Cell) -> bool:
    """Whether readings scatter so little that a ratio of means says something; unknown scatter counts as little."""
    error = scatter.of(one, two)
    return error is None or error < _MOST_ERROR


def _triple(
    found: CheckFindings, table: Table, names: CellNames, scatter: Scatter, places: Iterable[list[Cell]]
) -> None:
    shares = []
    blind = False
    for cells in places:
        single = [cell for cell in cells if (of := _of(cell)) and of.id == "des"]
        triple = [cell for cell in cells if (of := _of(cell)) and of.id == "3des"]
        if len(single) == len(triple) == 1 and _steady(scatter, single[0], triple[0]):
            found.looks += 1
            blind = blind or scatter.of(single[0]) is None
            shares.append(((_ratio(single[0], triple[0]) - 1) / 2, single[0], triple[0]))
    largest = max((each[1].size or 0 for each in shares), default=0)
    at_largest = [each for each in shares if (each[1].size or 0) == largest]
    low = [each for each in shares if each[0] < 0.6]
    low_there = [each for each in at_largest if each[0] < 0.6]
    if low_there and len(low_there) >= len(at_largest) * (1 if blind else 0.5):
        found.add(
            Weight.MATERIAL, Certainty.LIKELY, table.name,
            f"3DES has three times the rounds of DES and takes {min(1 + 2 * each[0] for each in low):.2f} to "
            f"{max(1 + 2 * each[0] for each in low):.2f} times its time: {min(each[0] for each in low):.0%} to "
            f"{max(each[0] for each in low):.0%} of the time of DES is spent in its rounds, the rest elsewhere",
            [
                names.entry(one, f"{number(share * float(one.number), 3)} in rounds, "
                                 f"{number((1 - share) * float(one.number), 3)} elsewhere")
                for share, one, _ in low
            ],
        )  # fmt: skip


def _keys(found: CheckFindings, table: Table, names: CellNames, scatter: Scatter, places: Iterable[list[Cell]]) -> None:
    shares: list[tuple[float, float, Cell, Cell]] = []
    for cells in places:
        by_algorithm: dict[str, list[Cell]] = {}
        for cell in cells:
            if (of := _of(cell)) and isinstance(of.rounds, dict) and _rounds(cell):
                by_algorithm.setdefault(of.id, []).append(cell)
        for same in by_algorithm.values():
            ordered = sorted(same, key=lambda cell: _rounds(cell) or 0)
            first, last = ordered[0], ordered[-1]
            more = (_rounds(last) or 1) / (_rounds(first) or 1) - 1
            if more > 0.2 and _steady(scatter, first, last):
                found.looks += 1
                shares.append(((_ratio(first, last) - 1) / more, more, first, last))
    reverse = [each for each in shares if float(each[3].number.high) < float(each[2].number.low) * 0.99]
    if reverse:
        found.add(
            Weight.MINOR, Certainty.CERTAIN, table.name,
            f"the longest key takes less time than the shortest in {len(reverse)} of {len(shares)} rows, although "
            f"it has {1 + reverse[0][1]:.1f} times the rounds: what differs here is not the cipher",
            [names.entry(last, f"{_ratio(first, last) - 1:+.1%} against {first.number.text}; by rounds to {more:+.0%}")
             for _, more, first, last in reverse],
        )  # fmt: skip
    low = [each for each in shares if each[0] < 0.3]
    if len(shares) >= 3 and len(low) >= 0.75 * len(shares):
        found.add(
            Weight.MATERIAL, Certainty.LIKELY, table.name,
            f"with {1 + low[0][1]:.1f} times the rounds the time changes by {min(s * m for s, m, *_ in low):+.1%} to "
            f"{max(s * m for s, m, *_ in low):+.1%}: less than a third of the time depends on the rounds in "
            f"{len(low)} of {len(shares)} rows. That key sizes cost nothing holds for this set-up, not for the cipher",
            [names.entry(last, f"x {_ratio(first, last):.3f}; by rounds x {1 + more:.2f}")
             for _, more, first, last in low[:8]],
        )  # fmt: skip


def directions(table: Table) -> list[CheckFindings]:
    """Decryption against encryption, and RSA's private against its public operation."""
    both, signature = CheckFindings("direction"), CheckFindings("signature")
    names = CellNames(table)
    pairs: dict[object, dict[str, Cell]] = {}
    for cell in _times(table):
        pairs.setdefault((without(cell, "operation"), cell.metric), {})[cell.label("operation")] = cell
    feistel: list[tuple[float, Cell, Cell]] = []
    others: list[tuple[float, Cell, Cell]] = []
    rsa: list[tuple[float, Cell, Cell]] = []
    for of_row in pairs.values():
        for forward, back in _DECRYPT.items():
            if forward in of_row and back in of_row and (of := _of(of_row[forward])):
                one, two = of_row[forward], of_row[back]
                (feistel if of.structure in _BOTH_WAYS else others).append((_ratio(one, two), one, two))
        if "sign" in of_row and "verify" in of_row and (of := _of(of_row["sign"])) and of.id == "rsa":
            rsa.append((_ratio(of_row["verify"], of_row["sign"]), of_row["sign"], of_row["verify"]))
    _both_ways(both, table, names, Scatter(table), feistel)
    both.looks += len(others)
    scatter = Scatter(table)
    slow = [each for each in others if each[0] > 3 and _steady(scatter, each[1], each[2])]
    if slow:
        found = [each[0] for each in slow]
        both.add(
            Weight.MINOR, Certainty.POSSIBLE, table.name,
            f"decryption takes {min(found):.3g} to {max(found):.3g} times the time of encryption, although both have "
            "the same rounds, S-boxes and key additions: the ratio is one of this implementation, not of the cipher",
            [names.entry(two, f"{ratio:.3g} x {one.number.text}") for ratio, one, two in slow],
            reference="FIPS 197, 5.3 (the inverse cipher has the rounds of the cipher)",
        )  # fmt: skip
    _signatures(signature, table, names, rsa)
    return [both, signature]


def _both_ways(
    found: CheckFindings, table: Table, names: CellNames, scatter: Scatter, pairs: list[tuple[float, Cell, Cell]]
) -> None:
    found.looks += len(pairs)
    if not pairs:
        return
    # Where no spread is printed, the usual difference of the table stands for it.
    usual = median(abs(math.log(ratio)) for ratio, *_ in pairs)
    apart, blind = [], False
    for ratio, one, two in pairs:
        error = scatter.of(one, two)
        least = max(_DIRECTION, SURE * error) if error is not None else max(_BLIND, 4 * usual)
        faster = ratio < 1 and _chained(one)
        if abs(math.log(ratio)) > least and _told(one, two) and not faster:
            apart.append((ratio, one, two))
            blind = blind or error is None
    if apart:
        strong = not blind and any(not 0.8 < ratio < 1.25 for ratio, *_ in apart)
        found.add(
            Weight.MATERIAL if strong else Weight.MINOR,
            Certainty.POSSIBLE if blind else Certainty.LIKELY, table.name,
            f"{len(apart)} of {len(pairs)} rows of ciphers whose two directions do the same work differ by more than "
            f"{_DIRECTION:.0%} between encryption and decryption",
            [names.entry(two, f"{ratio:.3g} x {one.number.text}; usual 1") for ratio, one, two in apart],
        )  # fmt: skip


def _chained(cell: Cell) -> bool:
    """Whether decryption can work on several blocks at once and encryption cannot: CBC, CFB, and block ciphers in a
    mode that is not said (NIST SP 800-38A, 6.2 and 6.3)."""
    text = f"{cell.label('mode')} {cell.label('scheme')} {cell.label('algorithm')}".lower()
    if "cbc" in text or "cfb" in text:
        return True
    of = _of(cell)
    said = any(mode in text for mode in ("ecb", "ctr", "ofb"))
    return of is not None and of.kind is AlgorithmKind.BLOCK_CIPHER and not said


def _told(one: Cell, two: Cell) -> bool:
    """Whether rounding leaves a difference of more than the limit."""
    low, high = sorted((one, two), key=lambda cell: cell.number.value)
    return float(high.number.low) > (1 + _DIRECTION / 2) * float(low.number.high)


def _signatures(found: CheckFindings, table: Table, names: CellNames, rsa: list[tuple[float, Cell, Cell]]) -> None:
    """RSA over files: equal times of both operations and both key sizes are those of the hash."""
    found.looks += len(rsa)
    flat = [each for each in rsa if each[0] < _RSA_RATIO]
    if not flat or len(flat) * 2 < len(rsa):
        return
    by_size: dict[object, list[Cell]] = {}
    for _, sign, _verify in flat:
        by_size.setdefault(without(sign, "key_bits"), []).append(sign)
    keys = [_ratio(min(cells, key=_bits), max(cells, key=_bits)) for cells in by_size.values() if len(cells) > 1]
    sizes = sorted({sign.size for _, sign, _ in flat if sign.size})
    what = (
        f"signing takes {min(r for r, *_ in flat):.2f} to {max(r for r, *_ in flat):.2f} times the time of verifying, "
        "where RSA's private operation takes tens of times that of the public one"
    )
    if keys:
        what += f"; twice the key takes {min(keys):.2f} to {max(keys):.2f} times the time, where RSA alone takes 4 to 8"
    if sizes and len(sizes) > 1:
        grown = [_ratio(a, b) for a, b in _by_size(flat)]
        what += f"; it grows {median(grown):.0f} times from {size_text(sizes[0])} to {size_text(sizes[-1])}"
    found.add(
        Weight.MATERIAL, Certainty.LIKELY, table.name,
        f"{what}. These rows are the time of the hash over the file; they cannot be compared with encryption",
        [names.entry(sign, f"{ratio:.3g} x {verify.number.text}") for ratio, sign, verify in flat],
    )  # fmt: skip


def _bits(cell: Cell) -> int:
    return int(cell.label("key_bits")) if cell.label("key_bits").isdigit() else 0


def _by_size(flat: list[tuple[float, Cell, Cell]]) -> Iterator[tuple[Cell, Cell]]:
    signs = sorted((sign for _, sign, _ in flat), key=lambda cell: cell.size or 0)
    for one, two in combinations(signs, 2):
        if without(one, "input_bytes") == without(two, "input_bytes") and one.size != two.size:
            yield one, two
