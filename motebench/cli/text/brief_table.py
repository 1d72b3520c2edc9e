"""The narrow table of a run in short: a line for each implementation, a column for each size, the best first."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

from motebench.base.model import Evidence
from motebench.base.units import format_value
from motebench.cli.text.layout import aligned, column_widths, table_width
from motebench.results.presentation.pairing import differ
from motebench.results.presentation.rows import METRIC_WORDS, Row, size_words

_LINES = 40
"""Of all tables together."""
_BEST = 6
"""Implementations of one scheme and operation that are shown."""
_LEFT = 3
"""Columns of words."""
_SIZES = ("flash_net", "static_ram_net", "stack")
"""What an implementation takes of a board, beside the times."""
_KEPT = ("static_ram_net", "stack", "flash_net")
"""The same, in the order in which a narrow table goes without them."""

Paint = Callable[[str, str], str]
_Heading = tuple[str, str, tuple[int, ...]]
"""Target, evidence and sizes of a table."""


@dataclass(slots=True)
class _BriefLine:
    """One implementation: its words, its row of each size, and what it takes of a board."""

    words: tuple[str, str, str]
    rows: dict[int, Row]
    memory: dict[str, Row]
    best: frozenset[int] = frozenset()
    ratio: str = ""


def shown_tables(rows: Sequence[Row], width: int, paint: Paint) -> Iterator[list[str]]:
    """Tables of times, and of energies that an instrument read. ``rows``: of every metric."""
    left = _LINES
    for metric, title in (("time", "Time"), ("instructions", "Instructions"), ("energy", "Energy")):
        chosen = [row for row in rows if row.metric == metric and row.evidence != Evidence.MODELLED]
        for (target, evidence, _), lines in _tables(chosen, rows if metric == "time" else ()).items():
            if left <= 0:
                return
            heading = f"{title} on {target}, {evidence}"
            yield list(_table(heading, lines, left, width, paint))
            left -= sum(min(len(group), _BEST) for group in lines)


def _tables(
    rows: Sequence[Row], every: Iterable[Row]
) -> dict[tuple[str, str, tuple[int, ...]], list[list[_BriefLine]]]:
    """The groups of lines (one scheme and operation each) by target, evidence and sizes."""
    memory: dict[tuple[str, ...], dict[str, Row]] = defaultdict(dict)
    for row in every:
        if row.metric in _SIZES:
            known = memory[row.target, row.scheme, row.implementation, row.operation].get(row.metric)
            if known is None or row.median > known.median:
                memory[row.target, row.scheme, row.implementation, row.operation][row.metric] = row
    groups: dict[tuple[str, ...], list[Row]] = defaultdict(list)
    for row in rows:
        groups[row.target, row.evidence, row.scheme, row.operation, row.beside_words].append(row)
    found: dict[_Heading, list[list[_BriefLine]]] = defaultdict(list)
    for (target, evidence, scheme, operation, beside), members in groups.items():
        sizes = tuple(sorted({row.size for row in members}))
        words = ", ".join(filter(None, (operation, beside)))
        lines = []
        for name in dict.fromkeys(row.implementation for row in members):
            by_size = {row.size: row for row in members if row.implementation == name}
            lines.append(_BriefLine((scheme, words, name), by_size, memory.get((target, scheme, name, operation), {})))
        found[target, evidence, sizes].append(_ranked(lines, sizes))
    return found


def _ranked(lines: list[_BriefLine], sizes: Sequence[int]) -> list[_BriefLine]:
    """By the time of the largest size; with the best of each size, and how far behind the others are."""
    for size in sizes:
        there = [row for line in lines if (row := line.rows.get(size)) and row.half_width is not None]
        if len(there) < 2:
            continue
        first = min(there, key=lambda row: row.median)
        leaders = [row for row in there if row is first or not differ(first, row)]
        for line in lines:
            row = line.rows.get(size)
            if len(leaders) < len(there) and any(row is leader for leader in leaders):
                line.best |= {size}
            if len(sizes) == 1 and row is not None and row.half_width is not None and first.median > 0:
                line.ratio = f"{row.median / first.median:.2f}"
    last = sizes[-1]
    return sorted(lines, key=lambda line: line.rows[last].median if last in line.rows else float("inf"))


def _table(title: str, groups: Sequence[Sequence[_BriefLine]], most: int, width: int, paint: Paint) -> Iterator[str]:
    lines = [line for group in groups for line in group[:_BEST]][:most]
    hidden = sum(len(group) for group in groups) - len(lines)
    sizes = sorted({size for line in lines for size in line.rows})
    exact = all(row.spread == "±0 %" for line in lines for row in line.rows.values())
    spread = not exact
    shown, memory = list(sizes), [name for name in _SIZES if any(name in line.memory for line in lines)]
    cells = _cells(lines, shown, memory, spread=spread)
    if table_width(cells) > width and spread:
        spread = False
        cells = _cells(lines, shown, memory, spread=False)
    while table_width(cells) > width and (memory or len(shown) > 1):
        if len(shown) > 2 or not memory:
            del shown[len(shown) // 2]
        else:
            memory.remove(min(memory, key=_KEPT.index))
        cells = _cells(lines, shown, memory, spread=spread)
    about = ": median ± half the width of its interval" if spread else ", exact" if exact else ": median"
    yield paint(f"{title}{about}", "title")
    widths = column_widths(cells)
    right = [place >= _LEFT for place in range(len(widths))]
    yield aligned(cells[0], widths, right)
    for line, texts in zip(lines, cells[1:], strict=True):
        padded = [text.rjust(widths[i]) if right[i] else text.ljust(widths[i]) for i, text in enumerate(texts)]
        for place, size in enumerate(shown, _LEFT):
            if size in line.best:
                padded[place] = paint(padded[place], "good")
        yield "  ".join(padded).rstrip()
    if hidden:
        yield f"... and {hidden} slower or further ones: motebench show"
    if len(shown) < len(sizes):
        yield f"left out here: {', '.join(size_words(size) for size in sizes if size not in shown)}"
    if not spread and any(not row.quotable for line in lines for row in line.rows.values()):
        yield "~: disturbed, do not quote it"


def _cells(lines: Sequence[_BriefLine], sizes: Sequence[int], kinds: Sequence[str], *, spread: bool) -> list[list[str]]:
    """The head and a list of texts for each line. ``kinds``: the metrics of memory beside the times."""
    ratios = any(line.ratio for line in lines)
    head = ["scheme", "operation", "by", *(size_words(size) if size else "" for size in sizes)]
    head += [*(["x best"] if ratios else []), *(METRIC_WORDS.get(name, name) for name in kinds)]
    found = [head]
    for line in lines:
        texts = [_cell(line.rows.get(size), spread=spread) for size in sizes]
        memory = [_memory(line.memory.get(name)) for name in kinds]
        found.append([*line.words, *texts, *([line.ratio or "n/a"] if ratios else []), *memory])
    return found


def _cell(row: Row | None, *, spread: bool) -> str:
    if row is None:
        return "n/a"
    if not spread and not row.quotable:
        return f"~{format_value(row.median, row.unit)}"
    return f"{row.text} {row.spread}" if spread and row.quotable else row.text


def _memory(row: Row | None) -> str:
    return "n/a" if row is None else format_value(row.median, row.unit)
