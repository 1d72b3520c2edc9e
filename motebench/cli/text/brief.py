"""A run in short: who is fastest in sentences, how far the numbers can be trusted, one narrow table, what to do next.

A difference is only told where the data show it (`motebench.presentation.pairing.differ`).
"""

from __future__ import annotations

import textwrap
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from motebench.cli.text.rows import aligned
from motebench.presentation.pairing import Relation, relate
from motebench.presentation.rows import Row, listed, number, rows_of, size_words

_GAP = "  "
_WIDTH = 100


@dataclass(frozen=True, slots=True)
class _Race:
    """How implementations of one scheme compare in one operation at one size: the best, those that cannot be told from
    it, and the first that can. ``decided``: none of them has too few samples. ``unranked``: what was disturbed or has
    no interval."""

    size: int
    winners: tuple[str, ...]
    behind: str | None
    ratio: float
    decided: bool
    unranked: tuple[str, ...]


def brief(document: Mapping[str, Any], command: str = "motebench") -> Iterator[str]:
    """The lines of a result document with samples. ``command``: how the reader calls motebench."""
    rows = [row for row in rows_of(document) if row.metric == "time" and not (row.is_copy or row.is_floor)]
    run = document["run"]
    yield f"{run.get('study') or run.get('name')}: run {run.get('id')}, {run.get('status')}"
    answers = list(_answers(rows))
    if answers:
        yield from ("", "Fastest, by the time of one operation:", *answers)
    yield from ("", *_trust(document, rows))
    for table in _tables(rows):
        yield from ("", *table)
    yield from ("", "Next:", *_next(rows, command))


def _subjects(rows: Iterable[Row]) -> dict[tuple[str, ...], list[Row]]:
    """The rows by what is compared: scheme, operation, additional data or file, target, evidence."""
    found: dict[tuple[str, ...], list[Row]] = defaultdict(list)
    for row in rows:
        beside = ", ".join(filter(None, (row.file, row.beside_words)))
        found[row.scheme, row.operation, beside, row.target, row.evidence].append(row)
    return found


def _answers(rows: Sequence[Row]) -> Iterator[str]:
    several = len({row.target for row in rows}) > 1
    for (scheme, operation, beside, target, _), members in _subjects(rows).items():
        races = [race for size in sorted({row.size for row in members}) if (race := _race(members, size))]
        parts = [scheme, operation, beside, f"on {target}" if several else ""]
        if races:
            text = f"{', '.join(filter(None, parts))}: {'; '.join(_grouped(races))}."
            yield from textwrap.wrap(text, _WIDTH, initial_indent=_GAP, subsequent_indent=3 * _GAP)


def _race(rows: Sequence[Row], size: int) -> _Race | None:
    """None where fewer than two can be compared: both need an interval."""
    there = [row for row in rows if row.size == size]
    ranked = sorted((row for row in there if row.half_width is not None), key=lambda row: row.median)
    if len(ranked) < 2:
        return None
    best = ranked[0]
    # What lies between two that cannot be told apart cannot be told from the best either.
    relations = [Relation.EQUAL, *(relate(best, row) for row in ranked[1:])]
    last = max(place for place, found in enumerate(relations) if found is not Relation.DIFFERENT)
    behind = ranked[last + 1] if last + 1 < len(ranked) else None
    ratio = behind.median / best.median if behind and best.median > 0 else 1.0
    winners = sorted(row.implementation for row in ranked[: last + 1])
    decided = Relation.TOO_FEW not in relations
    unranked = tuple(sorted(row.implementation for row in there if row.half_width is None))
    return _Race(size, tuple(winners), behind.implementation if behind else None, ratio, decided, unranked)


def _grouped(races: Sequence[_Race]) -> Iterator[str]:
    """One clause for all sizes with the same outcome."""
    outcomes: dict[tuple[Any, ...], list[_Race]] = defaultdict(list)
    for race in races:
        outcomes[race.winners, race.behind, race.decided, race.unranked].append(race)
    for (winners, behind, decided, unranked), same in outcomes.items():
        sized = any(race.size for race in races) and len(races) > 1
        everywhere = len(same) == len(races)
        where = (
            ("at every size " if everywhere else f"at {listed([size_words(r.size) for r in same])} ") if sized else ""
        )
        ratios = sorted(race.ratio for race in same)
        lead = f", {_times(ratios)} {behind}" if behind else ""
        beside = f" ({listed(unranked)} not ranked)" if unranked else ""
        if len(winners) == 1:
            yield f"{where}{winners[0]}{lead}{beside}"
        elif decided:
            yield f"{where}{listed(winners)} are not distinguishable{lead}{beside}"
        else:
            rest = f"; {behind} is behind" if behind else ""
            yield f"{where}too few samples to rank {listed(winners)}{rest}{beside}"


def _times(ratios: Sequence[float]) -> str:
    low, high = f"{ratios[0]:.3g}", f"{ratios[-1]:.3g}"
    return f"{low if low == high else f'{low} to {high}'} times as fast as"


def _trust(document: Mapping[str, Any], rows: Sequence[Row]) -> Iterator[str]:
    """How many cases are as precise as was asked, and what was disturbed, failed or is missing."""
    policy = (document["run"].get("settings") or {}).get("policy") or {}
    goal = number(policy.get("precision"))
    good = [row for row in rows if row.quotable]
    if goal is not None and rows:
        wide = [row for row in good if row.half_width is None or row.half_width > goal]
        reached = len(good) - len(wide)
        yield f"{reached} of {len(rows)} cases are as precise as was asked: their median is known to ±{goal * 100:g} %."
        if wide:
            worst = max(wide, key=lambda row: float("inf") if row.half_width is None else row.half_width)
            yield f"{len(wide)} would need more time for that; the widest: {_name(worst)}, {worst.spread}."
    lost = [row for row in rows if not row.quotable]
    if lost:
        names = listed([_name(row) for row in lost[:3]]) + (" and others" if len(lost) > 3 else "")
        yield f"{len(lost)} were disturbed too often, do not quote them: {names}. Run again on a quiet machine."
    left_out = sum(row.disturbed for row in good)
    if left_out:
        taken = sum(row.n for row in good) + left_out
        yield f"{left_out} of {taken} readings are left out: the process lost the processor then."
    failures = document.get("failures") or ()
    if not failures:
        yield "No case failed." if rows else "No case gave a number."
    for failure in failures:
        words = (failure.get("scheme"), failure.get("implementation"), failure.get("operation"))
        what = " ".join(str(word) for word in words if word)
        yield f"Failed: {what}: {failure.get('kind', 'error')}: {failure.get('message', '')}"


def _name(row: Row) -> str:
    size = f" {size_words(row.size)}" if row.size else ""
    return f"{row.scheme} {row.implementation}{size}"


def _tables(rows: Sequence[Row]) -> Iterator[list[str]]:
    """One for all operations with the same sizes: a line for each implementation, a column for each size."""
    found: dict[tuple[str, str, tuple[int, ...]], list[list[str]]] = defaultdict(list)
    for (scheme, operation, beside, target, evidence), members in _subjects(rows).items():
        sizes = tuple(sorted({row.size for row in members}))
        for name in dict.fromkeys(row.implementation for row in members):
            cells = {row.size: _cell(row) for row in members if row.implementation == name}
            words = ", ".join(filter(None, (operation, beside)))
            found[target, evidence, sizes].append([scheme, words, name, *(cells.get(size, "n/a") for size in sizes)])
    for (target, evidence, sizes), lines in found.items():
        heads = [size_words(size) if size else "" for size in sizes]
        title = f"Time on {target}, {evidence}: median ± half the width of its interval"
        yield [title, *_aligned([["scheme", "operation", "by", *heads], *lines])]


def _cell(row: Row) -> str:
    return f"{row.text} {row.spread}" if row.quotable else row.text


def _aligned(lines: Sequence[Sequence[str]], left: int = 3) -> list[str]:
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    return [aligned(line, widths, [place >= left for place in range(len(line))]) for line in lines]


def _next(rows: Sequence[Row], command: str) -> list[str]:
    names = list(dict.fromkeys(row.implementation for row in rows))
    tried = [
        ("show --details", "every number of this run: throughput, cycles, memory"),
        (f"compare {names[0]} {names[1]}", "a test for each case: which is faster, and by how much") if len(names) > 1
        else ("list implementations", "what else can be measured here"),
        ("choose --device samd21g18a --message 24 --need aead --lorawan EU868 --dr 0",
         "which cipher a sensor should take, and why not the others"),
    ]  # fmt: skip
    return [line for text, why in tried for line in (f"  {command} {text}", f"      {why}")]
