"""Reads a small CSV file so that every message can name the file and the line."""

from __future__ import annotations

import csv
import io
from dataclasses import dataclass
from pathlib import Path

from motebench.base.errors import InputError
from motebench.base.files.access import no_file, open_to_read

MAX_BYTES = 2**23
MAX_ROWS = 50_000
MAX_COLUMNS = 200


@dataclass(frozen=True, slots=True)
class TableRow:
    """A row: the line on which it begins, or its number in the table where a line has several, and
    one text for each column."""

    line: int
    texts: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class CsvFile:
    """The names of the columns, and the rows."""

    path: Path
    header: tuple[str, ...]
    rows: tuple[TableRow, ...]

    def where(self, line: int, column: str | None = None) -> str:
        """``results.csv:7`` or ``results.csv:7: time``."""
        return f"{self.path}:{line}: {column}" if column else f"{self.path}:{line}"


def read(path: Path) -> CsvFile:
    """The file. InputError (file and line) if it cannot be read, is not UTF-8, is empty or too
    long, or has ragged rows, unnamed or equally named columns."""
    text = _text(path)
    delimiter = _delimiter(text.partition("\n")[0])
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
    rows: list[TableRow] = []
    header: tuple[str, ...] = ()
    began = 1
    try:
        for texts in reader:
            line, began = began, reader.line_num + 1
            cells = tuple(cell.strip() for cell in texts)
            if not any(cells):
                continue
            if not header:
                header = _header(cells, f"{path}:{line}")
                continue
            if len(cells) != len(header):
                raise InputError(
                    f"this row has {len(cells)} cells, the header {len(header)}",
                    where=f"{path}:{line}",
                    valid="as many cells in each row as the header has",
                    hint='a number with a decimal comma stands in quotes: "9,86"',
                )
            rows.append(TableRow(line, cells))
            if len(rows) > MAX_ROWS:
                raise InputError(
                    "the table is too long",
                    where=f"{path}:{line}",
                    valid=f"at most {MAX_ROWS} rows",
                )
    except csv.Error as error:
        raise InputError(f"this is not CSV: {error}", where=f"{path}:{reader.line_num}") from None
    if not rows:
        raise InputError(
            "there is no table",
            where=str(path),
            valid="a CSV file with a header and at least one row",
        )
    return CsvFile(path, header, tuple(rows))


def content(path: Path) -> bytes:
    """The bytes of a file with a table. InputError if it cannot be read or is too long."""
    try:
        with open_to_read(path) as stream:
            raw = bytes(stream.read(MAX_BYTES + 1))
    except FileNotFoundError:
        raise no_file(path) from None
    except (OSError, ValueError) as error:
        raise InputError(
            f"cannot be read: {getattr(error, 'strerror', None) or error}", where=str(path)
        ) from None
    if len(raw) > MAX_BYTES:
        raise InputError(
            "the file is too long", where=str(path), valid=f"at most {MAX_BYTES} bytes"
        )
    return raw


def _text(path: Path) -> str:
    if path.is_dir():
        raise InputError(
            "this is a folder, not a file", where=str(path), hint="give the path of one .csv file"
        )
    raw = content(path)
    try:
        text = raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        if b"\0" in raw:
            raise InputError(
                "the file is not text", where=str(path), valid="a CSV file in UTF-8"
            ) from None
        line = raw.count(b"\n", 0, error.start) + 1
        raise InputError(
            f"byte 0x{raw[error.start]:02x} is not UTF-8 text",
            where=f"{path}:{line}",
            valid="CSV files in UTF-8",
            hint=f"iconv -f latin1 -t utf-8 {path.name}",
        ) from None
    if "\0" in text:
        line = text.count("\n", 0, text.index("\0")) + 1
        raise InputError(
            "a zero byte is not text", where=f"{path}:{line}", valid="CSV files in UTF-8"
        )
    return text


def _delimiter(head: str) -> str:
    """The separator that the header has most of: comma, semicolon or tab."""
    return max(",;\t", key=head.count)


def _header(cells: tuple[str, ...], where: str) -> tuple[str, ...]:
    if len(cells) > MAX_COLUMNS:
        raise InputError(
            "the table is too wide", where=where, valid=f"at most {MAX_COLUMNS} columns"
        )
    if not all(cells):
        raise InputError(
            f"column {cells.index('') + 1} has no name",
            where=where,
            valid="a header that names every column",
        )
    twice = sorted({name for name in cells if cells.count(name) > 1})
    if twice:
        raise InputError(
            f"two columns have the name {twice[0]!r}",
            where=where,
            valid="columns with different names",
        )
    return cells
