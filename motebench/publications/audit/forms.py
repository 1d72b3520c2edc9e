"""Files in which people have tables, as grids of texts: CSV, XLSX, HTML, Markdown, LaTeX and PDF.

A grid has the text of a merged cell in each of its places. No file is trusted: sizes, places,
entities and time have limits, and what is beyond them is an InputError.
"""

from __future__ import annotations

import csv
import io
import json
import re
import subprocess
import sys
import zipfile
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from html import unescape
from html.parser import HTMLParser
from pathlib import Path
from xml.parsers import expat

from motebench.base.errors import InputError
from motebench.catalog.csvfile import MAX_BYTES, MAX_COLUMNS, MAX_ROWS, TableRow, content

_MAX_TABLES = 50
_MAX_UNPACKED = 4 * MAX_BYTES
_MAX_CELLS = 500_000
_PDF_SECONDS = 60
_PDF_BYTES = 2**30
ENDINGS = (".csv", ".tsv", ".txt", ".xlsx", ".html", ".htm", ".md", ".tex", ".pdf")


@dataclass(frozen=True, slots=True)
class Grid:
    """A table as it stands: its caption, its rows, all of one width, and how many are known to be
    heads.
    """

    caption: str
    rows: tuple[TableRow, ...]
    heads: int = 0
    semicolons: bool = False
    """True if semicolons part the cells, as where commas are decimal signs."""
    spread: bool = True
    """True if a merged cell has its text in each place; else in the first alone."""


def grids(path: Path) -> list[Grid]:
    """The tables of a file, by its ending. InputError for a file that cannot be read, or has
    none.
    """
    if path.is_dir():
        raise InputError(
            "this is a folder, not a file", where=str(path), hint=f"one file: {', '.join(ENDINGS)}"
        )
    ending = path.suffix.lower()
    if ending == ".xlsx":
        read = _workbook(path, content(path))
    elif ending == ".pdf":
        read = _pdf(path, content(path))
    elif ending in _TEXTS:
        read = list(_TEXTS[ending](path, _text(path)))
    elif ending in (".xls", ".ods", ".docx", ".doc", ".numbers", ".odt", ".xlsm", ".xlsb"):
        raise InputError(
            f"tables are not read from {ending} files",
            where=str(path),
            valid=", ".join(ENDINGS),
            hint="save the table as .xlsx or .csv",
        )
    else:
        read = list(_csv(path, _text(path)))
    read = [grid for grid in map(_trimmed, read) if grid.rows]
    if not read:
        raise InputError(
            "there is no table", where=str(path), valid="a table with a header and at least one row"
        )
    return read


def _trimmed(grid: Grid) -> Grid:
    """The grid with clean texts, without empty rows and columns, and all rows of one width."""
    width = max((len(row.texts) for row in grid.rows), default=0)
    rows = [
        TableRow(
            row.line,
            tuple(
                " ".join(text.split()) for text in (*row.texts, *[""] * (width - len(row.texts)))
            ),
        )
        for row in grid.rows
    ]
    used = [column for column in range(width) if any(row.texts[column] for row in rows)]
    used_rows = [
        TableRow(row.line, tuple(row.texts[column] for column in used))
        for row in rows
        if any(row.texts)
    ]
    if len({row.line for row in used_rows}) < len(used_rows):
        used_rows = [replace(row, line=number) for number, row in enumerate(used_rows, 1)]
    return replace(grid, caption=" ".join(grid.caption.split()), rows=tuple(used_rows))


def _limited(path: Path, rows: int, columns: int) -> None:
    """InputError for a table that is too long or too wide."""
    if rows > MAX_ROWS:
        raise InputError("the table is too long", where=str(path), valid=f"at most {MAX_ROWS} rows")
    if columns > MAX_COLUMNS:
        raise InputError(
            "the table is too wide", where=str(path), valid=f"at most {MAX_COLUMNS} columns"
        )
    if rows * columns > _MAX_CELLS:
        raise InputError(
            "the table is too large", where=str(path), valid=f"at most {_MAX_CELLS} cells"
        )


def _text(path: Path) -> str:
    raw = content(path)
    # Encoding of "Unicode text" in spreadsheets.
    encoding = "utf-16" if raw[:2] in (b"\xff\xfe", b"\xfe\xff") else "utf-8-sig"
    try:
        text = raw.decode(encoding)
    except UnicodeDecodeError as error:
        line = raw.count(b"\n", 0, error.start) + 1
        raise InputError(
            f"byte 0x{raw[error.start]:02x} is not "
            f"{'UTF-16' if encoding == 'utf-16' else 'UTF-8'} text",
            where=f"{path}:{line}",
            valid="files in UTF-8",
            hint=f"iconv -f latin1 -t utf-8 {path.name}",
        ) from None
    if "\0" in text:
        line = text.count("\n", 0, text.index("\0")) + 1
        raise InputError("a zero byte is not text", where=f"{path}:{line}", valid="files in UTF-8")
    return text


# CSV


def _csv(path: Path, text: str) -> Iterator[Grid]:
    rows: list[TableRow] = []
    delimiter = _delimiter(text)
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
    began = 1
    try:
        for texts in reader:
            line, began = began, reader.line_num + 1
            if any(cell.strip() for cell in texts):
                rows.append(TableRow(line, tuple(cell.strip() for cell in texts)))
                _limited(path, len(rows), len(texts))
    except csv.Error as error:
        raise InputError(f"this is not CSV: {error}", where=f"{path}:{reader.line_num}") from None
    if rows:
        _of_one_width(path, rows)
        yield Grid("", tuple(rows), semicolons=delimiter == ";", spread=False)


def _delimiter(text: str) -> str:
    """A tab or a semicolon where most lines with a separator have it; else a comma."""
    lines = [line for line in text.splitlines()[:200] if any(sign in line for sign in ",;\t")]
    for sign in "\t;":
        if 2 * sum(sign in line for line in lines) > len(lines):
            return sign
    return ","


def _of_one_width(path: Path, rows: list[TableRow]) -> None:
    """InputError for a row that has other than the usual number of cells, unless it is a title or a
    note.
    """
    several = [row for row in rows if sum(map(bool, row.texts)) > 1]
    if not several:
        return
    widths = Counter(len(row.texts) for row in several)
    usual = max(widths, key=lambda width: widths[width])
    if widths[usual] == widths[len(several[0].texts)]:
        usual = len(several[0].texts)
    for row in several:
        if len(row.texts) != usual and any(row.texts[usual:] or [not row.texts[usual:]]):
            raise InputError(
                f"this row has {len(row.texts)} cells, the header {usual}",
                where=f"{path}:{row.line}",
                valid="as many cells in each row as the header has",
                hint='a number with a decimal comma stands in quotes: "9,86"',
            )


# XLSX


@dataclass(frozen=True, slots=True)
class _Element:
    """XML element: its parent's name, its attributes, and the texts in it by the innermost name."""

    around: str
    attributes: Mapping[str, str]
    texts: dict[str, str] = field(default_factory=dict)


def _elements(where: str, data: bytes, name: str) -> list[_Element]:
    """The elements of one name in an XML file. InputError for broken XML, and for any that declares
    entities.
    """
    read: list[_Element] = []
    open_: list[_Element] = []
    stack: list[str] = []

    def refuse(*_: object) -> None:
        raise InputError(
            "XML with a document type is not read", where=where, hint="save the file anew"
        )

    def start(tag: str, attributes: dict[str, str]) -> None:
        local = tag.rpartition(":")[2]
        if local == name:
            open_.append(_Element(stack[-1] if stack else "", attributes))
            if len(read) > _MAX_CELLS:
                raise InputError(
                    "the table is too large", where=where, valid=f"at most {_MAX_CELLS} cells"
                )
        stack.append(local)
        if len(stack) > 64:
            raise InputError("XML is nested too deeply", where=where)

    def end(tag: str) -> None:
        stack.pop()
        if tag.rpartition(":")[2] == name and open_:
            read.append(open_.pop())

    def text(data: str) -> None:
        # Phonetic hints stand beside the text that they spell.
        if open_ and "rPh" not in stack:
            open_[-1].texts[stack[-1]] = open_[-1].texts.get(stack[-1], "") + data

    parser = expat.ParserCreate()
    parser.StartDoctypeDeclHandler = refuse
    parser.StartElementHandler, parser.EndElementHandler, parser.CharacterDataHandler = (
        start,
        end,
        text,
    )
    try:
        parser.Parse(data, True)
    except (expat.ExpatError, ValueError, LookupError) as error:
        raise InputError(f"this is not XML: {error}", where=where) from None
    return read


class _Archive:
    """The files in a workbook, unpacked up to a limit for all of them."""

    def __init__(self, path: Path, raw: bytes) -> None:
        self.path, self._left = path, _MAX_UNPACKED
        try:
            self._zip = zipfile.ZipFile(io.BytesIO(raw))
            self.names = set(self._zip.namelist())
        except (zipfile.BadZipFile, ValueError, NotImplementedError, OSError, EOFError) as error:
            raise InputError(
                f"the file is not a workbook: {error}", where=str(path), valid="an .xlsx file"
            ) from None

    def elements(self, name: str, element: str) -> list[_Element]:
        """Elements of a file in the workbook; empty without such a file."""
        if name not in self.names:
            return []
        where = f"{self.path}: {name}"
        try:
            with self._zip.open(name) as stream:
                data = stream.read(self._left + 1)
        except Exception as error:  # zipfile lets errors of zlib, lzma, bz2 and struct through
            raise InputError(f"cannot be unpacked: {error}", where=where) from None
        self._left -= len(data)
        if self._left < 0:
            raise InputError(
                "the workbook is too large",
                where=where,
                valid=f"at most {_MAX_UNPACKED} bytes unpacked",
            )
        return _elements(where, data, element)


_FORMATS = {
    1: "0",
    2: "0.00",
    3: "#,##0",
    4: "#,##0.00",
    9: "0%",
    10: "0.00%",
    11: "0.00E+00",
    14: "yyyy-mm-dd",
}
_PLACE = re.compile(r"([A-Z]{1,3})([1-9]\d{0,6})")


def _workbook(path: Path, raw: bytes) -> list[Grid]:
    """The sheets of an Excel workbook, with numbers as their formats show them."""
    archive = _Archive(path, raw)
    strings = [
        element.texts.get("t", "") for element in archive.elements("xl/sharedStrings.xml", "si")
    ]
    formats = _number_formats(archive)
    targets = {}
    for element in archive.elements("xl/_rels/workbook.xml.rels", "Relationship"):
        targets[element.attributes.get("Id", "")] = element.attributes.get("Target", "")
    sheets = archive.elements("xl/workbook.xml", "sheet")[:_MAX_TABLES]
    if not sheets:
        raise InputError(
            "the file is not a workbook with sheets", where=str(path), valid="an .xlsx file"
        )
    grids_of_sheets = []
    for element in sheets:
        key = next((text for name, text in element.attributes.items() if name.endswith(":id")), "")
        if target := targets.get(key, ""):
            name = f"xl/{target.removeprefix('/xl/')}"
            grids_of_sheets.append(
                _sheet(archive, name, element.attributes.get("name", ""), strings, formats)
            )
    return grids_of_sheets


def _number_formats(archive: _Archive) -> list[str]:
    """The formats of numbers by style."""
    codes = {}
    for element in archive.elements("xl/styles.xml", "numFmt"):
        codes[element.attributes.get("numFmtId", "")] = element.attributes.get("formatCode", "")
    formats = []
    for element in archive.elements("xl/styles.xml", "xf"):
        if element.around == "cellXfs":
            number = element.attributes.get("numFmtId", "0")
            built_in = (
                int(number) if number.isascii() and number.isdigit() and len(number) < 6 else 0
            )
            formats.append(codes.get(number) or _FORMATS.get(built_in, "General"))
    return formats


def _sheet(
    archive: _Archive, name: str, title: str, strings: list[str], formats: list[str]
) -> Grid:
    texts: dict[tuple[int, int], str] = {}
    for cell in archive.elements(name, "c"):
        place = _place(cell.attributes.get("r", ""))
        if place is not None:
            _limited(archive.path, place[0], place[1] + 1)
            texts[place] = _shown(cell, strings, formats)
    for merged in archive.elements(name, "mergeCell"):
        first, _, last = merged.attributes.get("ref", "").partition(":")
        start_place, end_place = _place(first), _place(last)
        if start_place is None or end_place is None or start_place not in texts:
            continue
        _limited(archive.path, end_place[0] - start_place[0] + 1, end_place[1] - start_place[1] + 1)
        if start_place[1] == 0 and end_place[1] - start_place[1] > 30:
            continue
        for row in range(start_place[0], min(end_place[0], start_place[0] + 2000) + 1):
            for column in range(start_place[1], end_place[1] + 1):
                texts[row, column] = texts[start_place]
    lines = sorted({row for row, _ in texts})
    width = max((column for _, column in texts), default=-1) + 1
    _limited(archive.path, len(lines), width)
    return Grid(
        title,
        tuple(
            TableRow(line, tuple(texts.get((line, column), "") for column in range(width)))
            for line in lines
        ),
    )


def _place(text: str) -> tuple[int, int] | None:
    """Row from 1 and column from 0 of ``B7``."""
    match = _PLACE.fullmatch(text)
    if not match:
        return None
    column = 0
    for letter in match[1]:
        column = 26 * column + ord(letter) - 64
    return int(match[2]), column - 1


def _shown(cell: _Element, strings: list[str], formats: list[str]) -> str:
    """The text of a cell as the spreadsheet shows it."""
    kind, value = cell.attributes.get("t", "n"), cell.texts.get("v", "")
    if kind == "s":
        return (
            strings[int(value)]
            if value.isascii() and value.isdigit() and int(value[:9]) < len(strings)
            else ""
        )
    if kind == "inlineStr":
        return cell.texts.get("t", "")
    if kind != "n" or not value:
        return value
    style = cell.attributes.get("s", "0")
    present = style.isascii() and style.isdigit() and int(style[:6]) < len(formats)
    return _formatted(value, formats[int(style)] if present else "General")


def _formatted(value: str, code: str) -> str:
    """Number in a format of Excel: its decimals, its percent sign; a date as such; without groups
    of thousands.
    """
    try:
        number = float(value)
    except ValueError:
        return value
    shape = re.sub(r'"[^"]*"|\[[^]]*\]|\\.|_.', "", code.partition(";")[0])
    places = re.search(r"[0#?](?:\.([0#?]*))?(?=[^0#?,.]*$)", shape)
    if re.search("[ymdhs]", shape, re.I) and "General" not in shape:
        days = timedelta(days=number) if abs(number) < 10**6 else timedelta()
        return (datetime(1899, 12, 30) + days).isoformat(" ", "minutes")
    if "E" in shape:
        return f"{number:.{min(len(shape.partition('.')[2].partition('E')[0]), 15)}e}"
    if not places:
        return f"{number:.15g}"
    decimals = min(len((places[1] or "").replace("#", "")), 30)
    return f"{100 * number:.{decimals}f}%" if "%" in shape else f"{number:.{decimals}f}"


# HTML


class _Tables(HTMLParser):
    """Tables of a page; a table inside the cell of another is separate."""

    def __init__(self, path: Path) -> None:
        super().__init__(convert_charrefs=True)
        self.path = path
        self.done: list[Grid] = []
        self._open: list[_OpenTable] = []
        self._silent = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag == "table":
            self._open.append(_OpenTable(self.getpos()[0]))
            if len(self._open) > 20 or len(self.done) > _MAX_TABLES:
                raise InputError(
                    "there are too many tables",
                    where=str(self.path),
                    valid=f"at most {_MAX_TABLES}",
                )
        elif tag in ("script", "style"):
            self._silent += 1
        elif self._open:
            self._open[-1].start(tag, dict(attrs), self.getpos()[0], self.path)

    def handle_endtag(self, tag: str) -> None:
        if tag == "table" and self._open:
            self.done.append(self._open.pop().grid())
        elif tag in ("script", "style"):
            self._silent = max(0, self._silent - 1)
        elif self._open:
            self._open[-1].end(tag)

    def handle_data(self, data: str) -> None:
        if self._open and not self._silent:
            self._open[-1].say(data)

    def tables(self) -> list[Grid]:
        """All tables, also one that the page does not close."""
        return self.done + [table.grid() for table in self._open]


class _OpenTable:
    """A table of a page that is being read."""

    def __init__(self, line: int) -> None:
        self._caption: list[str] = []
        self._into: list[str] | None = None
        self._rows: dict[int, dict[int, list[str]]] = {}
        self._lines: dict[int, int] = {0: line}
        self._row, self._plain = -1, set[int]()
        self._count = 0

    def start(self, tag: str, attributes: Mapping[str, str | None], line: int, path: Path) -> None:
        """A tag inside the table."""
        if tag == "tr":
            self._next(line, path)
        elif tag in ("td", "th"):
            if self._row < 0:
                self._next(line, path)
            self._cell(tag, attributes, path)
        elif tag == "caption":
            self._into = self._caption
        elif tag == "sup" and self._into is not None:
            self._into.append("^")
        elif tag in ("br", "p", "div", "li") and self._into is not None:
            self._into.append(" ")

    def _next(self, line: int, path: Path) -> None:
        self._row += 1
        _limited(path, self._row + 1, 1)
        self._lines[self._row] = line

    def _cell(self, tag: str, attributes: Mapping[str, str | None], path: Path) -> None:
        wide, high = (_span(attributes.get(name)) for name in ("colspan", "rowspan"))
        here = self._rows.setdefault(self._row, {})
        column = next(
            place for place in range(MAX_COLUMNS + 2) if place not in here or place > MAX_COLUMNS
        )
        self._count += wide * high
        _limited(path, self._count // MAX_COLUMNS, column + wide)
        text: list[str] = []
        for row in range(self._row, self._row + high):
            self._rows.setdefault(row, {}).update(dict.fromkeys(range(column, column + wide), text))
        if tag == "td":
            self._plain.add(self._row)
        self._into = text

    def end(self, tag: str) -> None:
        """The end of a tag inside the table."""
        if tag in ("td", "th", "caption"):
            self._into = None

    def say(self, data: str) -> None:
        """A piece of text."""
        if self._into is not None:
            self._into.append(data)

    def grid(self) -> Grid:
        """The table that was read."""
        rows = range(self._row + 1)
        heads = next((row for row in rows if row in self._plain), 0)
        width = max((place for row in rows for place in self._rows.get(row, ())), default=-1) + 1
        return Grid(
            "".join(self._caption),
            tuple(
                TableRow(
                    self._lines.get(row, 0),
                    tuple(
                        "".join(self._rows.get(row, {}).get(column, "")) for column in range(width)
                    ),
                )
                for row in rows
            ),
            heads,
        )


def _span(text: str | None) -> int:
    """Number of columns or rows that a cell covers."""
    return (
        max(1, min(int(text), 500))
        if text and text.isascii() and text.isdigit() and len(text) < 5
        else 1
    )


def _html(path: Path, text: str) -> list[Grid]:
    parser = _Tables(path)
    parser.feed(text)
    parser.close()
    return parser.tables()


# Markdown

_RULE = re.compile(r"\s*\|?\s*:?-+:?\s*(?:\|\s*:?-+:?\s*)*\|?\s*")


def _markdown(path: Path, text: str) -> Iterator[Grid]:
    lines = text.splitlines()
    before = ""
    at = 0
    count = 0
    while at < len(lines):
        if (
            "|" in lines[at]
            and at + 1 < len(lines)
            and "|" in lines[at + 1]
            and _RULE.fullmatch(lines[at + 1][:2000])
        ):
            end = at + 2
            while end < len(lines) and "|" in lines[end]:
                end += 1
            rows = [
                TableRow(place + 1, _piped(lines[place])) for place in (at, *range(at + 2, end))
            ]
            _limited(path, len(rows), max(len(row.texts) for row in rows))
            yield Grid(before, tuple(rows), 1, spread=False)
            at, before, count = end, "", count + 1
            if count >= _MAX_TABLES:
                return
        else:
            before = lines[at].strip("#* _") or before
            at += 1


def _piped(line: str) -> tuple[str, ...]:
    parts = re.split(r"(?<!\\)\|", line.strip().removeprefix("|").removesuffix("|"))
    return tuple(_unmarked(part) for part in parts)


def _unmarked(text: str) -> str:
    """A text of Markdown without its marks."""
    text = re.sub(r"\[([^][]*)\]\([^()]*\)", r"\1", text.replace(r"\|", "|"))
    text = re.sub(r"<sup>(.*?)</sup>", r"^\1", text)
    text = re.sub(r"</?\w[^<>]*>", " ", text)
    text = re.sub(r"(\*\*|__|`|~~)(.+?)\1", r"\2", text.strip())
    return unescape(re.sub(r"^\*([^*]+)\*$", r"\1", text.strip())).replace("\\", "")


# LaTeX

_TABULAR = re.compile(r"\\begin\{(tabular\*?|tabularx|tabulary|longtable|array|tblr|longtblr)\}")
_LINES = re.compile(
    r"\\(?:toprule|bottomrule|hline|hhline\{[^{}]*\}|"
    r"cmidrule(?:\([^()]*\))?(?:\[[^][]*\])?\{[^{}]*\}|"
    r"cline\{[^{}]*\}|"
    r"addlinespace(?:\[[^][]*\])?|noalign\{[^{}]*\}|endhead|endfirsthead|endfoot|endlastfoot|"
    r"rowcolor(?:\[[^][]*\])?\{[^{}]*\}|"
    r"specialrule\{[^{}]*\}\{[^{}]*\}\{[^{}]*\})(?:\[[^][]*\])?"
)
_SIGNS = {
    "pm": "±", "times": "×", "cdot": "·", "mu": "µ", "micro": "µ", "approx": "≈", "sim": "~",
    "sigma": "σ",
    "textmu": "µ", "textpm": "±", "texttimes": "×", "infty": "∞", "percent": "%", "second": "s",
    "milli": "m",
    "nano": "n", "kilo": "k", "mega": "M", "giga": "G", "watt": "W", "joule": "J",
    "ampere": "A", "volt": "V",
    "hertz": "Hz", "byte": "B", "bit": "bit", "hour": "h", "minute": "min", "per": "/", "ms": "ms",
    "us": "µs",
    "ns": "ns", "squared": "²", "kibi": "Ki", "mebi": "Mi", "dagger": "†", "ddagger": "‡",
    "ast": "*", "star": "*",
    "textdagger": "†", "quad": " ", "qquad": " ", "le": "≤", "leq": "≤", "ge": "≥", "geq": "≥",
    "ll": "<", "checkmark": "yes",
    "S": "§", "textless": "<", "textgreater": ">", "textendash": "–", "textemdash": "—",
    "Delta": "Δ", "Sigma": "Σ",
    "sum": "Σ", "o": "ø", "ss": "ß", "mJ": "mJ", "mW": "mW", "kB": "kB", "MB": "MB",
}  # fmt: skip
_DROPPED = {
    "footnotesize",
    "small",
    "tiny",
    "scriptsize",
    "bfseries",
    "itshape",
    "centering",
    "raggedright",
    "raggedleft",
    "left",
    "right",
    "displaystyle",
    "normalsize",
    "bf",
    "it",
    "tt",
    "rm",
    "hfill",
    "hspace",
    "phantom",
    "Large",
    "large",
    "arraybackslash",
    "tabularnewline",
    "limits",
    "boldmath",
    "em",
    "sc",
    "sffamily",
    "ttfamily",
}
_WITHOUT_TEXT = {
    "cite",
    "citep",
    "citet",
    "label",
    "footnote",
    "footnotemark",
    "tnote",
    "ref",
    "vspace",
    "hspace",
    "phantom",
    "cellcolor",
    "color",
    "textcolor",
    "rowcolor",
    "hphantom",
    "parencite",
    "autocite",
}
"""Commands whose first argument is no text of the table."""
_ACCENTS = {"'": "\u0301", "`": "\u0300", "^": "\u0302", '"': "\u0308", "~": "\u0303"}


def _latex(path: Path, text: str) -> Iterator[Grid]:
    text = re.sub(r"(?<!\\)%.*", "", text)
    for count, match in enumerate(_TABULAR.finditer(text)):
        end = text.find(rf"\end{{{match[1]}}}", match.end())
        if end < 0 or count >= _MAX_TABLES:
            return
        body = _after_arguments(text[match.end() : end])
        yield _tabular(
            path, body, text.count("\n", 0, end - len(body)) + 1, _caption(text, match.start(), end)
        )


def _after_arguments(body: str) -> str:
    """Text after the arguments of an environment: its width, its columns."""
    while match := re.match(r"\s*\[[^][]*\]", body):
        body = body[match.end() :]
    while body.lstrip()[:1] == "{":
        body = body.lstrip()[_closing(body.lstrip(), 0) + 1 :]
    return body


def _closing(text: str, start: int) -> int:
    """Place of the bracket that closes the one at ``start``; the end of the text without one."""
    depth = 0
    for at in range(start, len(text)):
        if text[at] in "{}" and (at == 0 or text[at - 1] != "\\"):
            depth += 1 if text[at] == "{" else -1
            if depth == 0:
                return at
    return len(text)


def _caption(text: str, start: int, end: int) -> str:
    """Caption of the table around a tabular; empty without one."""
    begin = max(text.rfind(r"\begin{table", 0, start), text.rfind(r"\end{table", 0, start))
    after = text.find(r"\end{table", end)
    around = text[max(begin, 0) if begin >= 0 else start : after if after >= 0 else end]
    match = re.search(r"\\caption\*?\s*(?:\[[^][]*\])?\s*(?=\{)", around)
    return _plain(around[match.end() + 1 : _closing(around, match.end())]) if match else ""


def _split(text: str, separator: str) -> list[str]:
    """The parts of a text between separators that stand in no brackets, and are not escaped."""
    parts, depth, begin, at = [], 0, 0, 0
    while at < len(text):
        if text.startswith(separator, at) and depth <= 0:
            parts.append(text[begin:at])
            at = begin = at + len(separator)
            continue
        if text[at] == "\\":
            at += 2
            continue
        depth += (text[at] == "{") - (text[at] == "}")
        at += 1
    return [*parts, text[begin:]]


def _tabular(path: Path, body: str, line: int, caption: str) -> Grid:
    rows: list[TableRow] = []
    heads = 0
    below: dict[int, tuple[int, str]] = {}
    for source in _split(body, r"\\"):
        start = line + source[: len(source) - len(source.lstrip())].count("\n")
        line += source.count("\n")
        piece = re.sub(r"^\s*(\*?\s*\[[^][]*\])", "", source)
        if r"\midrule" in piece and rows and not heads:
            heads = len(rows)
        cells = _LINES.sub(" ", piece).replace(r"\midrule", " ")
        if not cells.strip():
            continue
        texts: list[str] = []
        for cell in _split(cells, "&"):
            text, wide, high = _latex_cell(cell)
            if not text and below.get(len(texts), (0, ""))[0] > 0:
                left, text = below[len(texts)]
                below[len(texts)] = left - 1, text
            elif high > 1:
                below[len(texts)] = high - 1, text
            texts += [text] * wide
            _limited(path, len(rows) + 1, len(texts))
        rows.append(TableRow(start, tuple(texts)))
    return Grid(caption, tuple(rows), heads)


def _latex_cell(cell: str) -> tuple[str, int, int]:
    r"""Text, columns and rows of a cell with ``\multicolumn`` and ``\multirow``."""
    wide = high = 1
    for _ in range(2):
        cell = cell.strip()
        match = re.match(r"\\multi(column|row)\*?\s*(?:\[[^][]*\])?\{\s*(\d{1,3})\s*\}", cell)
        if not match:
            break
        rest = cell[match.end() :].lstrip()
        rest = re.sub(r"^\[[^][]*\]", "", rest)
        rest = rest[_closing(rest, 0) + 1 :] if rest[:1] == "{" else rest[1:]
        rest = re.sub(r"^\s*\[[^][]*\]", "", rest).lstrip()
        cell = rest[1 : _closing(rest, 0)] if rest[:1] == "{" else rest
        if match[1] == "column":
            wide = max(1, min(int(match[2]), MAX_COLUMNS))
        else:
            high = max(1, int(match[2]))
    return _plain(cell), wide, high


def _plain(text: str) -> str:
    """A piece of LaTeX as text: siunitx as a number and its unit, formatting left out."""
    text = re.sub(
        r"\\(?:SI|qty|SIrange)\s*(?:\[[^][]*\])?\{([^{}]*)\}\s*(?:\[[^][]*\])?\{([^{}]*)\}",
        r"\1 \2",
        text,
    )
    text = re.sub(r"\\(['`^\"~])\s*\{?\\?([A-Za-z])\}?", lambda m: m[2] + _ACCENTS[m[1]], text)
    text = (
        text.replace(r"\,", "\u202f")
        .replace(r"\;", " ")
        .replace(r"\ ", " ")
        .replace(r"\!", "")
        .replace(r"\\", " ")
    )
    for name in _WITHOUT_TEXT:
        text = re.sub(rf"\\{name}\s*(?:\[[^][]*\])?\{{[^{{}}]*\}}", "", text)
    text = text.replace(r"\textsuperscript", "^")
    text = re.sub(r"\\([A-Za-z]+)\*?(?:\s*\[[^][]*\](?=\s*\{))?\s?", _macro, text)
    text = re.sub(r"(?<!\\)[{}$]|(?<!\\)~", lambda m: " " if m[0] == "~" else "", text)
    text = (
        re.sub(r"\\([%&_#${}])", r"\1", text)
        .replace("\\", "")
        .replace("---", "—")
        .replace("--", "–")
    )
    import unicodedata

    return unicodedata.normalize("NFC", " ".join(text.split()))


def _macro(match: re.Match[str]) -> str:
    name = match[1]
    if name in _SIGNS:
        return _SIGNS[name]
    present = name in _DROPPED or match.string[match.end() : match.end() + 1] == "{"
    return "" if present else f"{name} "


# PDF


def _pdf(path: Path, raw: bytes) -> list[Grid]:
    """Tables of a PDF by pdfplumber, in a separate process with limits of time and memory."""
    import importlib.util

    if importlib.util.find_spec("pdfplumber") is None:
        raise InputError(
            "reading tables of a PDF needs pdfplumber, which is not installed",
            where=str(path),
            hint="pip install 'FILE.whl[pdf]', or copy the table into a spreadsheet and save it "
            "as .xlsx or .csv",
        )
    try:
        done = subprocess.run(
            [sys.executable, "-m", __name__],
            input=raw,
            capture_output=True,
            timeout=_PDF_SECONDS,
            check=False,
        )
    except subprocess.TimeoutExpired:
        raise InputError(
            f"reading this PDF takes more than {_PDF_SECONDS} s",
            where=str(path),
            hint="a PDF of the page alone",
        ) from None
    if done.returncode:
        reason = done.stderr.decode("utf-8", "replace").strip().splitlines()[-1:] or [
            "it ended without a reason"
        ]
        raise InputError(f"pdfplumber cannot read it: {reason[0][:200]}", where=str(path))
    return [
        Grid(caption, tuple(TableRow(at + 1, tuple(row)) for at, row in enumerate(rows)))
        for caption, rows in json.loads(done.stdout)
    ]


def pdf_tables(raw: bytes) -> list[tuple[str, list[list[str]]]]:
    """Captions and texts of the tables of a PDF: those with lines, and on pages without, those that
    columns of text make."""
    import pdfplumber

    read: list[tuple[str, list[list[str]]]] = []
    with pdfplumber.open(io.BytesIO(raw)) as document:
        for page in document.pages:
            tables = page.extract_tables() or page.extract_tables(
                {
                    "vertical_strategy": "text",
                    "horizontal_strategy": "text",
                    "min_words_vertical": 3,
                }
            )
            for table in tables:
                if len(read) < _MAX_TABLES and len(table) <= MAX_ROWS:
                    texts = [[text or "" for text in row[:MAX_COLUMNS]] for row in table]
                    read.append((f"page {page.page_number}", texts))
    return read


def _limit() -> None:
    """Limits of the process that reads a PDF."""
    import resource

    resource.setrlimit(resource.RLIMIT_AS, (_PDF_BYTES, _PDF_BYTES))
    resource.setrlimit(resource.RLIMIT_CPU, (_PDF_SECONDS, _PDF_SECONDS))


_TEXTS: dict[str, Callable[[Path, str], Iterable[Grid]]] = {
    ".csv": _csv,
    ".tsv": _csv,
    ".txt": _csv,
    ".html": _html,
    ".htm": _html,
    ".md": _markdown,
    ".markdown": _markdown,
    ".tex": _latex,
}

if __name__ == "__main__":
    _limit()
    sys.stdout.write(json.dumps(pdf_tables(sys.stdin.buffer.read())))
