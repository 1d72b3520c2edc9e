"""A grid as a table with one header and plain numbers: titles, notes, heads of several rows, merged
cells, groups, sums and means below the rows, numbers with a spread, decimal commas and thousands.

Whatever is decided here is said, so that it stands before the findings.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from pathlib import Path
from typing import Literal

from motebench.base import quantities as dimensions
from motebench.catalog.csvfile import CsvFile, TableRow
from motebench.publications.audit.columns import (
    BRACKET,
    SPREAD,
    counts_whole,
    has_decimal_commas,
    names_quantity,
    unit_symbol,
)
from motebench.publications.audit.findings import algorithm
from motebench.publications.audit.forms import Grid

_SUMMARIES = {
    "sum": "sum", "total": "sum", "totals": "sum", "overall": "sum", "summe": "sum",
    "gesamt": "sum", "somme": "sum",
    "suma": "sum", "soma": "sum", "σ": "sum", "insgesamt": "sum", "总计": "sum", "合计": "sum",
    "总和": "sum", "总": "sum",
    "mean": "mean", "average": "mean", "avg": "mean", "mittelwert": "mean", "mittel": "mean",
    "durchschnitt": "mean",
    "moyenne": "mean", "media": "mean", "promedio": "mean", "média": "mean", "均值": "mean",
    "平均": "mean", "平均值": "mean",
    "arithmetic mean": "mean", "geometric mean": "geometric mean", "geomean": "geometric mean",
    "median": "median",
    "geo. mean": "geometric mean", "geomittel": "geometric mean",
    "geometrisches mittel": "geometric mean",
    "minimum": "minimum", "maximum": "maximum", "min": "minimum", "max": "maximum",
    "zentralwert": "median",
    "average time": "mean", "total time": "sum", "ø": "mean",
    "中位数": "median", "最大值": "maximum",
    "最小值": "minimum",
    "std": "other", "sd": "other", "std. dev": "other", "stddev": "other",
    "standardabweichung": "other", "stdev": "other",
    "standard deviation": "other", "écart-type": "other", "variance": "other", "cv": "other",
    "grand total": "sum", "sum total": "sum", "totale": "sum", "in total": "sum",
    "mean value": "mean",
}  # fmt: skip
_MOST_TURNED = 60
"""Rows of a table whose rows and columns may be exchanged."""
_MARKS = re.compile(r"\s*(?:[*†‡§¶#]+|\^\{?[a-z0-9*†‡]{1,2}\}?|[ᵃᵇᶜᵈᵉᶠ]+)$")
_HIGH = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁻⁺", "0123456789-+")
_GAP = "[ \u00a0\u202f\u2009\u2007'’]"
_BODY = rf"\d{{1,3}}(?:{_GAP}\d{{3}})+(?:[.,]\d+)?|\d[\d.,]*|[.,]\d+"
_POWER = r"(?:\s*[×x·*]\s*10(?:\^?([-−+]?\d{1,3})|([⁻⁺]?[⁰¹²³⁴⁵⁶⁷⁸⁹]{1,3}))|[eE]([-−+]?\d{1,3}))?"
_NUMBER = re.compile(rf"([-−+–]?)\s?({_BODY}){_POWER}(?![\d.,])\s*(.*)", re.S)
_AMBIGUOUS = re.compile(r"[1-9]\d{0,2}([.,])\d{3}")
_PLUS_MINUS = re.compile(
    r"\(?\s*(.+?)\s*(?:±|\+/-|\+-|\+/−)\s*([^()]+?)\s*\)?\s*([A-Za-z\u00b5\u03bc%]\S*)?"
)
_IN_BRACKETS = re.compile(
    rf"(.*?\d\S*)\s*[(\[]\s*([-−+]?(?:{_BODY})\s*(?:%|x|×)?)\s*[)\]]\s*([A-Za-z\u00b5\u03bc%]\S*)?"
)


@dataclass(frozen=True, slots=True)
class NumberStyle:
    """Style of numbers: the decimal sign, and the sign that groups thousands; empty if that is not
    known.
    """

    decimal: Literal["", ".", ","] = ""
    thousands: Literal["", ".", ",", " ", "'"] = ""


@dataclass(frozen=True, slots=True)
class Sheet:
    """A table with one header: `file` has plain numbers (``1234.5``), ``originals`` how they stand
    on the page.

    ``summaries``: lines that are the sum or the mean of the lines above. ``groups``: the group of a
    line.
    """

    file: CsvFile
    title: str
    notes: tuple[str, ...]
    remarks: tuple[str, ...]
    summaries: Mapping[int, str] = field(default_factory=dict)
    groups: Mapping[int, int] = field(default_factory=dict)
    originals: Mapping[tuple[int, int], str] = field(default_factory=dict)

    def original(self, line: int, column: int, text: str) -> str:
        """A cell as it stands on the page."""
        return self.originals.get((line, column), text)


def sheet(grid: Grid, path: Path, style: NumberStyle) -> Sheet | None:
    """The table of a grid; None if the grid has no header with rows below."""
    remarks: list[str] = []
    rows, titles = _without_titles(list(grid.rows))
    rows, notes = _without_notes(rows)
    if len(rows) < 2:
        return None
    sure_heads = max(0, grid.heads - (len(grid.rows) - len(rows) - len(notes)))
    heads = _heads(rows, sure_heads)
    names = _names(rows[:heads], spread=grid.spread)
    body = rows[heads:]
    if not body:
        return None
    title = " ".join(filter(None, (grid.caption, *titles)))
    body, groups = _grouped(names, body, remarks)
    body = _filled(names, body, remarks)
    names, body = _upright(names, body, remarks)
    names, body = _split_cells(names, body, remarks)
    style = _style(body, style, remarks, _hint(grid, names))
    plain, originals = _plain_rows(names, body, style)
    summaries = {row.line: kind for row in body[1:] if (kind := _summary(row.texts))}
    if heads > 1:
        remarks.append(f"{heads} rows of heads: {'; '.join(names[:6])}")
    if titles or notes:
        remarks.append("not numbers: " + "; ".join(f'"{text[:60]}"' for text in (*titles, *notes)))
    for line, kind in summaries.items():
        remarks.append(
            f"line {line}: the {kind} of the rows above"
            if kind != "other"
            else f"line {line}: not used"
        )
    file = CsvFile(path, tuple(names), tuple(TableRow(line, texts) for line, texts in plain))
    return Sheet(file, title, tuple(notes), tuple(remarks), summaries, groups, originals)


def _alone(row: TableRow) -> str:
    """The text of a row that has one text alone, in one cell or merged; empty if it has several."""
    texts = {text for text in row.texts if text}
    return texts.pop() if len(texts) == 1 and (row.texts[0] or len(row.texts) == 1) else ""


def _without_titles(rows: list[TableRow]) -> tuple[list[TableRow], list[str]]:
    titles = []
    width = len(rows[0].texts)
    while rows and width > 1 and (text := _alone(rows[0])):
        titles.append(text)
        rows = rows[1:]
    return rows, titles


def _without_notes(rows: list[TableRow]) -> tuple[list[TableRow], list[str]]:
    notes: list[str] = []
    while (
        len(rows) > 1
        and len(rows[0].texts) > 1
        and (text := _alone(rows[-1]))
        and not is_plain(text)
    ):
        notes.insert(0, text)
        rows = rows[:-1]
    return rows, notes


def _heads(rows: Sequence[TableRow], sure_heads: int) -> int:
    """Number of rows that are heads: as the file says, else those without numbers, and sizes below
    a merged head.
    """
    count = max(1, min(sure_heads, len(rows) - 1))
    while count < min(4, len(rows) - 1):
        texts, above = rows[count].texts, rows[count - 1].texts
        if sure_heads > 1 or _alone(rows[count]):
            break
        spans = any(not text or text == before for before, text in pairwise(above[1:]))
        below = texts[0] in ("", above[0]) or not above[0]
        numbers = sum(map(is_plain, texts[1:]))
        units = all(not text or dimensions.unit(text.strip("()[] ")) for text in texts[1:])
        if not (
            units
            or (spans and below and (not numbers or all(map(_is_size, filter(None, texts[1:])))))
        ):
            break
        count += 1
    return count


def _is_size(text: str) -> bool:
    return bool(re.fullmatch(r"\d+\s*(?:[kKMG]?i?B|[Bb]ytes?|bits?)?", text))


def _names(heads: Sequence[TableRow], *, spread: bool) -> list[str]:
    """One header for each column: the heads above it, from top to bottom, a merged one for all its
    columns.
    """
    rows: list[list[str]] = []
    for place, row in enumerate(heads):
        texts = list(row.texts)
        for column in range(2, len(texts) if not spread and place < len(heads) - 1 else 0):
            below = any(later.texts[column] for later in heads[place + 1 :])
            if not texts[column] and below and texts[column - 1]:
                texts[column] = texts[column - 1]
        rows.append(texts)
    names: list[str] = []
    for column in range(len(heads[0].texts)):
        parts = dict.fromkeys(_MARKS.sub("", texts[column]) for texts in rows if texts[column])
        name = " ".join(parts) or ("label" if column == 0 else f"column {column + 1}")
        names.append(name)
    return _unique(names)


def _unique(names: Sequence[str]) -> list[str]:
    """The names, with a number after those that were there before."""
    seen: dict[str, int] = {}
    unique = []
    for name in names:
        seen[name] = seen.get(name, 0) + 1
        unique.append(name if seen[name] == 1 else f"{name} #{seen[name]}")
    return unique


def _grouped(
    names: list[str], body: Sequence[TableRow], remarks: list[str]
) -> tuple[list[TableRow], dict[int, int]]:
    """Rows below a row with a single text, which labels them."""
    titles = [
        (at, text) for at, row in enumerate(body) if len(row.texts) > 1 and (text := _alone(row))
    ]
    titles = [(at, text) for at, text in titles if not is_plain(text) and at < len(body) - 1]
    if not titles:
        return list(body), {}
    rows: list[TableRow] = []
    groups: dict[int, int] = {}
    title, number, places = "", 0, dict(titles)
    for at, row in enumerate(body):
        if at in places:
            title, number = places[at], number + 1
        else:
            rows.append(TableRow(row.line, (title, *row.texts)))
            groups[row.line] = number
    first = (
        "Algorithm"
        if all(algorithm(text) for _, text in titles) and "Algorithm" not in names
        else "Group"
    )
    names[:] = _unique([first, *names])
    remarks.append(
        "rows with one text are groups: " + ", ".join(f'"{text[:30]}"' for _, text in titles[:8])
    )
    return rows, groups


def _filled(names: Sequence[str], body: list[TableRow], remarks: list[str]) -> list[TableRow]:
    """Rows with empty cells of the first columns, as merged cells leave them, filled from above."""
    rows: list[TableRow] = []
    columns: dict[int, None] = {}
    for row in body:
        texts = list(row.texts)
        if rows and any(texts):
            for column in range(len(texts) - 2):
                above = rows[-1].texts[column]
                if texts[column] or not above or (is_plain(above) and column == 0):
                    break
                texts[column] = above
                columns[column] = None
        rows.append(TableRow(row.line, tuple(texts)))
    for column in columns:
        remarks.append(f"{names[column]}: an empty cell is as the one above")
    return rows


def _upright(
    names: list[str], body: list[TableRow], remarks: list[str]
) -> tuple[list[str], list[TableRow]]:
    """Table turned if its first column names quantities, and its header the measured algorithms."""
    firsts = [row.texts[0] for row in body[:_MOST_TURNED]]
    many = sum(names_quantity(text, strict=True) for text in firsts)
    if (
        len(names) < 3
        or len(body) > _MOST_TURNED
        or many < max(2, 0.7 * len(firsts))
        or any(names_quantity(name) for name in names[1:])
    ):
        return names, body
    remarks.append(f"turned: the rows are {', '.join(firsts[:5])}")
    turned = [
        TableRow(column + 1, (names[column], *(row.texts[column] for row in body)))
        for column in range(1, len(names))
    ]
    first = "Algorithm" if any(algorithm(name) for name in names[1:]) else names[0]
    return _unique([first, *firsts]), turned


def _split_cells(
    names: list[str], body: list[TableRow], remarks: list[str]
) -> tuple[list[str], list[TableRow]]:
    """Columns of ``1.20 ± 0.05`` and ``1.20 (2.5 %)`` as two columns each."""
    for ending, pattern in ((SPREAD, _PLUS_MINUS), (BRACKET, _IN_BRACKETS)):
        for column in range(len(names) - 1, 0, -1):
            match = [_two(pattern, row.texts[column]) for row in body]
            if 2 * sum(pair is not None for pair in match) <= sum(
                bool(row.texts[column]) for row in body
            ):
                continue
            remarks.append(
                f"{names[column]}: two numbers in a cell, the second in '{names[column]}{ending}'"
            )
            names = [*names[: column + 1], names[column] + ending, *names[column + 1 :]]
            body = [
                replace(
                    row,
                    texts=(
                        *row.texts[:column],
                        *(pair or (row.texts[column], "")),
                        *row.texts[column + 1 :],
                    ),
                )
                for row, pair in zip(body, match, strict=True)
            ]
    return names, body


def _two(pattern: re.Pattern[str], text: str) -> tuple[str, str] | None:
    """Two numbers in a cell, with their common unit; None for other cells."""
    short = re.fullmatch(r"(\d+[.,](\d+))\((\d{1,3})\)", text[:60])
    if short and pattern is _PLUS_MINUS:
        # 1.20(5): the uncertainty of the last digits.
        return short[1], f"{int(short[3])}e-{len(short[2])}"
    match = pattern.fullmatch(text) if len(text) < 200 else None
    if not match:
        return None
    first, second, unit = match[1].strip(), match[2].strip(), (match[3] or "").strip()
    if not is_plain(first) or not is_plain(second):
        return None
    if pattern is _PLUS_MINUS:
        # A unit after the spread is one of both: 1.20 ± 0.05 ms.
        number = _NUMBER.fullmatch(second)
        unit = unit or (number[6].strip() if number else "")
        if unit and first[-1].isdigit() and not unit.startswith("%"):
            first = f"{first} {unit}"
    elif unit:
        first = f"{first} {unit}"
    return first, second


# Numbers


def is_number_like(text: str) -> bool:
    """True if a text begins as a number."""
    return bool(re.match(r"[-−+–~≈<>≤≥]?\s*[.,]?\d", text))


def is_plain(text: str) -> bool:
    """True if a text is a number, perhaps followed by a short unit or mark."""
    match = _NUMBER.fullmatch(_unmarked(text)) if len(text) < 60 else None
    return match is not None and len(match[6]) < 14 and algorithm(text) is None


def _unmarked(text: str) -> str:
    """Text without its final footnote mark."""
    if re.search(r"10\s*\^[-−+]?\d+$", text):
        return text
    return _MARKS.sub("", text) if len(text) > 1 else text


def _evidence(text: str) -> Iterator[NumberStyle]:
    """Style that the form of a number proves; nothing if it leaves a choice."""
    match = _NUMBER.fullmatch(_unmarked(text)) if len(text) < 60 else None
    if not match:
        return
    body = re.sub(_GAP, "", match[2])
    signs = re.sub(r"\d", "", body)
    if not signs:
        return
    other: dict[str, Literal[".", ","]] = {".": ",", ",": "."}
    last: Literal[".", ","] = "." if signs[-1] == "." else ","
    if len(set(signs)) == 2:
        if signs.count(last) == 1:
            yield NumberStyle(last, other[last])
    elif len(signs) > 1:
        yield NumberStyle(other[last], last)
    elif body != match[2] or not _AMBIGUOUS.fullmatch(body):
        yield NumberStyle(last)


def _hint(grid: Grid, names: Sequence[str]) -> str:
    """Evidence for decimal commas in ambiguous numbers; empty without any."""
    if grid.semicolons:
        return "as semicolons part the cells"
    return "by the language of the headers" if any(map(has_decimal_commas, names)) else ""


def _style(
    body: Sequence[TableRow], stated: NumberStyle, remarks: list[str], hint: str
) -> NumberStyle:
    """Style of a table's numbers: as stated, else by those that leave no choice."""
    if stated.decimal or stated.thousands:
        return stated
    texts = [text for row in body for text in row.texts]
    styles = {style for text in texts for style in _evidence(text)}
    decimals = {style.decimal for style in styles}
    if not decimals and hint and "," in _open_to_both(texts):
        remarks.append(f"decimal sign ',', {hint}: a guess")
        return NumberStyle(",")
    return _evident_style(texts, styles, remarks) if len(decimals) == 1 else NumberStyle()


def _evident_style(
    texts: Sequence[str], styles: set[NumberStyle], remarks: list[str]
) -> NumberStyle:
    """The style of numbers that have one decimal sign: the other sign groups thousands, where it is
    there.
    """
    decimal = next(iter(styles)).decimal
    thousands: Literal[".", ","] = "." if decimal == "," else ","
    grouped = NumberStyle(decimal, thousands) in styles or thousands in _open_to_both(texts)
    if decimal == "," or grouped:
        remarks.append(
            f"decimal sign '{decimal}'" + (f", '{thousands}' groups thousands" if grouped else "")
        )
    return NumberStyle(decimal, thousands if grouped else "")


def _open_to_both(texts: Sequence[str]) -> set[str]:
    """Signs of numbers such as ``1,234``, which can be a decimal sign or group thousands."""
    return {match[1] for text in texts if (match := _AMBIGUOUS.fullmatch(text))}


def _plain_rows(
    names: Sequence[str], body: Sequence[TableRow], style: NumberStyle
) -> tuple[list[tuple[int, tuple[str, ...]]], dict[tuple[int, int], str]]:
    """The rows with each number in plain digits, and the numbers that were written otherwise."""
    originals: dict[tuple[int, int], str] = {}
    rows: list[tuple[int, tuple[str, ...]]] = []
    styles = []
    for column, name in enumerate(names):
        texts = [row.texts[column] for row in body]
        styles.append(_whole_style(texts, style) if counts_whole(name) else style)
    for row in body:
        texts = []
        for column, text in enumerate(row.texts):
            plain = (
                text if column == 0 and not is_plain(text) else plain_number(text, styles[column])
            )
            if plain != text:
                originals[row.line, column] = text
            texts.append(plain)
        rows.append((row.line, tuple(texts)))
    return rows, originals


def _whole_style(texts: Sequence[str], style: NumberStyle) -> NumberStyle:
    """The style of a column of cycles or bytes, which are whole: a sign before three digits groups
    thousands.
    """
    numbers = [text for text in texts if is_number_like(text)]
    for thousands, decimal in ((",", "."), (".", ",")):
        grouped = all(re.fullmatch(rf"\d{{1,3}}([{thousands}]\d{{3}})*", text) for text in numbers)
        if (
            grouped
            and style.decimal in ("", decimal)
            and any(thousands in text for text in numbers)
        ):
            return NumberStyle(".", ",") if thousands == "," else NumberStyle(",", ".")
    return style


def plain_number(text: str, style: NumberStyle) -> str:
    """Number in plain digits, ``1234.5e-3 ms``; the unchanged text if it is no number or
    ambiguous.
    """
    if not is_number_like(text) or len(text) > 60:
        return text
    match = _NUMBER.fullmatch(_unmarked(text))
    if not match:
        return text
    sign, body, rest = match[1].replace("−", "-").replace("–", "-"), match[2], match[6]
    power = (match[3] or match[5] or (match[4] or "").translate(_HIGH)).replace("−", "-")
    digits = _digits(body, style)
    if digits is None or (rest and not dimensions.unit(unit_symbol(rest))):
        return text
    return f"{sign}{digits}{f'e{power}' if power else ''}{' ' if rest else ''}{rest.strip()}"


def _digits(body: str, style: NumberStyle) -> str | None:
    """Digits with a decimal point; None if the signs among them fit to no way of writing, or to
    two.
    """
    grouped = re.sub(_GAP, "", body)
    signs = re.sub(r"\d", "", grouped)
    if not signs:
        return grouped
    last = signs[-1]
    if len(set(signs)) == 1 and len(signs) == 1:
        if _AMBIGUOUS.fullmatch(grouped) and grouped == body:
            if style.thousands == last or (style.decimal and style.decimal != last):
                return grouped.replace(last, "")
            if not style.decimal and last == ",":
                return None
        return grouped.replace(",", ".")
    if len(set(signs)) == 1:
        return grouped.replace(last, "") if re.fullmatch(r"\d{1,3}([.,]\d{3})+", grouped) else None
    whole, _, decimals = grouped.rpartition(last)
    if signs.count(last) > 1 or not re.fullmatch(r"\d{1,3}([.,]\d{3})+", whole):
        return None
    return f"{re.sub('[.,]', '', whole)}.{decimals}"


def _summary(texts: Sequence[str]) -> str:
    """Kind of summary that a row gives of the rows above; empty for other rows."""
    for text in texts[:2]:
        name = unicodedata.normalize("NFC", text).casefold().strip(" :.*")
        if name in _SUMMARIES:
            return _SUMMARIES[name]
    return ""
