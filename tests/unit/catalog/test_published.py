"""The published tables of papers, and the reader of CSV files."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import pytest

from motebench.base.errors import InputError
from motebench.catalog import csvfile
from motebench.catalog.published import Statistic, printed, read_tables, tables

TOML = '[[table]]\nname = "Table 1"\nfile = "t.csv"\ncaption = "time"\n'


def paper(folder: Path, text: str) -> Path:
    (folder / "tables.toml").write_text(TOML)
    (folder / "t.csv").write_text(text)
    return folder


@pytest.mark.parametrize(
    ("key", "cells"),
    [
        ("jose-2023", [96, 96, 96, 96]),
        ("temirbekova-2024", [24, 24, 24]),
        ("lino-2022", [6]),
        ("suryateja-2025", []),
    ],
)
def test_papers_have_their_tables(key: str, cells: list[int]) -> None:
    assert [len(table.cells) for table in tables(key)] == cells


def test_a_cell_has_what_was_printed_and_what_was_meant() -> None:
    first = tables("temirbekova-2024")[2].cells[0]
    assert (first.number.text, first.unit_printed, first.unit) == ("20,11", "amp", "mA")
    assert first.number.value == first.value == Fraction(2011, 100)
    assert first.number.half == Fraction(1, 200)
    assert first.labels["part"] == "1"
    assert first.size == 16


def test_a_paper_without_tables_has_none(tmp_path: Path) -> None:
    assert read_tables(tmp_path) == ()


def test_statistics_are_told_apart(tmp_path: Path) -> None:
    (table,) = read_tables(
        paper(tmp_path, "metric,statistic,value,unit\ntime,mean,1.50,s\ntime,sd,0.1,s\n")
    )
    assert [cell.statistic for cell in table.cells] == [Statistic.MEAN, Statistic.SD]
    assert table.cells[0].number.digits == 3


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("metric,value\ntime,1\n", "unit"),
        ("metric,value,unit,size\ntime,1,s,4\n", "size"),
        ("metric,value,unit\ntime,1 000,s\n", "t.csv:2"),
        ("metric,value,unit\ntime,nan,s\n", "'nan' is not a number"),
        ("metric,value,unit,statistic\ntime,1,s,average\n", "average"),
        ("metric,value,unit,input_bytes\ntime,1,s,1KB\n", "1KB"),
        ("metric,value,unit\ntime,1,s\ntime,9,86,s\n", "t.csv:3"),
    ],
)
def test_a_mistake_in_a_table_is_named(tmp_path: Path, text: str, words: str) -> None:
    with pytest.raises(InputError) as caught:
        read_tables(paper(tmp_path, text))
    assert words in str(caught.value)


@pytest.mark.parametrize("text", ["", "1,2,3", "inf", "1e400", "0x10", "1 s", "--1", "٣"])
def test_what_is_no_number(text: str) -> None:
    with pytest.raises(InputError):
        printed(text)


@pytest.mark.parametrize(
    ("text", "value", "half"),
    [("9,86", "9.86", "0.005"), ("105", "105", "0.5"), ("1.20e-3", "0.0012", "0.000005")],
)
def test_the_last_digit_says_how_exact_a_number_is(text: str, value: str, half: str) -> None:
    number = printed(text)
    assert (number.value, number.half) == (Fraction(value), Fraction(half))


@pytest.mark.parametrize(
    ("raw", "words"),
    [
        (b"", "no table"),
        (b"a,b\n", "no table"),
        (b"a,b\n1,\xff\n", "t.csv:2"),
        (b"a,,b\n1,2,3\n", "column 2"),
        (b"a,a\n1,2\n", "'a'"),
        (b'a,b\n"1,2\n', "not CSV"),
        (b"a,b\n1,\0\n", "zero byte"),
        (b"a\n" + b"1\n" * (csvfile.MAX_ROWS + 1), "too long"),
        (b"x" * (csvfile.MAX_BYTES + 1), "too long"),
    ],
)
def test_what_is_no_table(tmp_path: Path, raw: bytes, words: str) -> None:
    path = tmp_path / "t.csv"
    path.write_bytes(raw)
    with pytest.raises(InputError) as caught:
        csvfile.read(path)
    assert words in str(caught.value)


def test_semicolons_and_a_byte_order_mark(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_bytes("\ufeffa;b\r\n\r\n1,5;2\r\n".encode())
    read = csvfile.read(path)
    assert read.header == ("a", "b")
    assert [(row.line, row.texts) for row in read.rows] == [(3, ("1,5", "2"))]
