"""Tables of users: roles from headers, files beside them, mistakes."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import pytest
from click.testing import CliRunner

from motebench.base.errors import InputError
from motebench.base.quantities import (
    CHARGE,
    CURRENT,
    DATA,
    ENERGY,
    FREQUENCY,
    PER_BYTE,
    SPEED,
    TIME,
    VOLTAGE,
    Dimension,
    evaluate,
    unit,
)
from motebench.catalog.published import Statistic
from motebench.cli.app import app
from motebench.publications.audit.reading import read


def file(folder: Path, text: str, toml: str = "") -> Path:
    path = folder / "t.csv"
    path.write_text(text)
    if toml:
        path.with_suffix(".toml").write_text(toml)
    return path


def test_roles_come_from_headers(tmp_path: Path) -> None:
    header = (
        "Cipher,Key (bits),File size,Encryption time (ms),SD,Decryption time (ms),Throughput "
        "(MB/s),n,Remark"
    )
    given = read(
        file(
            tmp_path,
            f"{header}\nAES,128,1KB,0.5,0.01,0.6,2.0,30,x\nDES,56,2 KiB,1.5,0.02,1.6,0.7,30,\n",
        )
    )
    (table,) = given.tables
    assert table.repetitions == 30
    shown = [
        (c.metric, c.statistic, c.unit, c.label("operation"), c.size)
        for c in table.cells
        if c.line == 3
    ]
    assert shown == [
        ("time", Statistic.MEAN, "ms", "encrypt", 2048),
        ("time", Statistic.SD, "ms", "encrypt", 2048),
        ("time", Statistic.VALUE, "ms", "decrypt", 2048),
        ("throughput", Statistic.VALUE, "MB/s", "", 2048),
    ]
    assert "Cipher: label algorithm" in given.guessed
    assert "Remark: not used" in given.guessed


def test_columns_of_devices_and_of_algorithms(tmp_path: Path) -> None:
    text = "Cipher;File size;Enc. time RPi (s);Enc. time PC (s);SD PC\nAES;1 MB;0,25;0,051;0,01\n"
    (table,) = read(file(tmp_path, text)).tables
    assert [(c.metric, c.label("device"), str(c.statistic)) for c in table.cells] == [
        ("time", "RPi", "mean"),
        ("time", "PC", "mean"),
        ("time", "PC", "sd"),
    ]
    (table,) = read(
        file(tmp_path, "Input,AES-128 (ms),3DES (ms)\n1KB,0.10,0.90\n1MB,100,900\n")
    ).tables
    assert [(c.metric, c.label("algorithm"), c.size) for c in table.cells][:2] == [
        ("time", "AES-128", 1000),
        ("time", "3DES", 1000),
    ]


def test_one_number_a_row(tmp_path: Path) -> None:
    text = (
        "table_figure,algorithm,input_bytes,metric,value,unit,"
        "value_as_published,unit_as_published\n"
        'Table 2,AES,16,time_mean,9.86,s,"9,86",s\nTable 2,AES,16,time_sigma,1.2,s,"1,20",\n'
        "Table 1,AES,,core,A53,,A53,\n"
    )
    given = read(file(tmp_path, text))
    (table,) = given.tables
    assert [(c.metric, c.statistic, c.number.text) for c in table.cells] == [
        ("time", Statistic.MEAN, "9,86"),
        ("time", Statistic.SD, "1,20"),
    ]
    assert "1 rows without a number are not checked" in given.guessed


def test_the_export_of_a_run(tmp_path: Path) -> None:
    text = (
        "scheme,operation,input_bytes,metric,unit,n,median,mean,variance,stddev\n"
        "aes-128-ecb,encrypt,16,time,ns,20,100.5,101.25,4.0,2.0\n"
        "aes-128-ecb,encrypt,16,cpb,cycles/B,20,9.1,9.2,0.04,0.2\n"
    )
    (table,) = read(file(tmp_path, text)).tables
    assert {(c.metric, c.statistic, c.unit) for c in table.cells if c.line == 2} == {
        ("time", Statistic.MEDIAN, "ns"),
        ("time", Statistic.MEAN, "ns"),
        ("time", Statistic.VARIANCE, "ns^2"),
        ("time", Statistic.SD, "ns"),
    }


def test_a_file_beside_says_what_headers_do_not(tmp_path: Path) -> None:
    toml = (
        'title = "Table 2"\nrepetitions = 25\nresolution = { time = 0.5 }\n'
        '[columns.T]\nname = "time"\nunit = "ms"\nstatistic = "mean"\noperation = "encrypt"\n'
        '[columns."what"]\nrole = "label"\nname = "algorithm"\n'
    )
    given = read(file(tmp_path, "what,T\nAES,1.52\nDES,2.5\n", toml))
    (table,) = given.tables
    assert given.title == "Table 2"
    assert (table.repetitions, table.resolution) == (25, {"time": Fraction(1, 2)})
    assert table.cells[0].labels == {"algorithm": "AES", "operation": "encrypt"}


@pytest.mark.parametrize(
    ("text", "toml", "words"),
    [
        ('Algorithm,Time (s)\nAES,"1,234"\nDES,"2,345"\n', "", "decimal comma or group thousands"),
        ("Algorithm,Note\nAES,x\n", "", "no column of numbers"),
        (
            "a,T\nAES,1\n",
            '[columns.T]\nname = "time"\nunit = "furlong"\n',
            "unknown unit 'furlong'",
        ),
        ("a,T\nAES,1\n", '[columns.X]\nname = "time"\n', "there is no column 'X'"),
        ("a,T\nAES,1\n", "resolution = { speed = 1 }\n", "there is no metric 'speed'"),
        ("a,T\nAES,1\n", "repetition = 5\n", "repetition"),
        ("a,T\nAES,1\nDES,1,5\n", "", "t.csv:3"),
        ("a,T\nAES,1\n", 'decimal = ","\nthousands = ","\n', "decimal and thousands are both"),
        ("a,T\nAES,1\n", 'decimal = ";"\n', "decimal"),
    ],
)
def test_a_mistake_is_named(tmp_path: Path, text: str, toml: str, words: str) -> None:
    with pytest.raises(InputError) as caught:
        read(file(tmp_path, text, toml))
    assert words in str(caught.value)


@pytest.mark.parametrize(
    ("text", "unread"),
    [
        ("Algorithm,Time (s)\nAES,1.5\nDES,nan\n", "line 3, Time (s): 'nan'"),
        ("Algorithm,Time (s)\nAES,1.5\nDES,slow\n", "line 3, Time (s): 'slow'"),
        ("Algorithm,Time (s)\nAES,1.5\nDES,> 1000\n", "line 3, Time (s): '> 1000'"),
        ("Algorithm,Time (s)\nAES,1.5\nDES,3 furlong\n", "line 3, Time (s): '3 furlong'"),
        (
            "Algorithm,Size,Time (s)\nAES,16,1.5\nDES,16,2\nRC4,many,1.5\n",
            "line 4, Size: 'many' is not a size",
        ),
        ("Algorithm,n,Time (s)\nAES,0,1.5\n", "line 2, n: '0' is not a number of readings"),
    ],
)
def test_a_cell_that_cannot_be_read_is_said_and_the_others_are_read(
    tmp_path: Path, text: str, unread: str
) -> None:
    (given,) = read(file(tmp_path, text)).read
    assert given.unread == (unread,)
    assert [cell.number.text for cell in given.table.cells][:1] == ["1.5"]


@pytest.mark.parametrize(
    ("toml", "value"),
    [
        ('thousands = ","\n', Fraction(1234)),
        ('decimal = ","\n', Fraction(1234, 1000)),
        ('decimal = "."\n', 1234),
    ],
)
def test_the_file_beside_says_what_a_comma_is(tmp_path: Path, toml: str, value: Fraction) -> None:
    (table,) = read(file(tmp_path, 'Algorithm,Time (s)\nAES,"1,234"\nDES,"2,345"\n', toml)).tables
    assert (table.cells[0].number.value, table.cells[0].number.text) == (value, "1,234")


@pytest.mark.parametrize(
    ("text", "factor", "dimension"),
    [
        ("ms", Fraction(1, 1000), TIME),
        ("KB", Fraction(1000), DATA),
        ("Kb", Fraction(125), DATA),
        ("B", Fraction(1), DATA),
        ("b", Fraction(1, 8), DATA),
        ("MB/s", Fraction(10**6), SPEED),
        ("Mbit/s", Fraction(125000), SPEED),
        ("mAh", Fraction(36, 10), CHARGE),
        ("cycles/byte", Fraction(1), PER_BYTE),
        ("amp", Fraction(1), CURRENT),
        ("%", Fraction(1, 100), None),
        ("Wh", Fraction(3600), ENERGY),
        ("GHz", Fraction(10**9), FREQUENCY),
    ],
)
def test_units(text: str, factor: Fraction, dimension: Dimension | None) -> None:
    of = unit(text)
    assert of is not None
    assert of.factor == factor
    if dimension:
        assert of.dimension == dimension


@pytest.mark.parametrize("text", ["", "furlong", "s/", "m", "/s", "s" * 50])
def test_what_is_no_unit(text: str) -> None:
    assert unit(text) is None


@pytest.mark.parametrize(
    "expression",
    [
        "a +",
        "__import__('os')",
        "a.b",
        "a[0]",
        "b",
        "a + t",
        "a / (t - t)",
        "a ** a",
        "a ** 99",
        "1" * 301,
    ],
)
def test_expressions_are_arithmetic_alone(expression: str) -> None:
    given = {"a": (Fraction(2), CURRENT), "t": (Fraction(3), TIME)}
    with pytest.raises(InputError):
        evaluate(expression, given)


def test_dimensions_of_expressions() -> None:
    given = {
        "a": (Fraction(2), CURRENT),
        "v": (Fraction(5), VOLTAGE),
        "t": (Fraction(3), TIME),
    }
    assert evaluate("-a * v * t / 2 + a * v * t", given) == (Fraction(15), ENERGY)
    assert evaluate("a ** 2 / a", given) == (Fraction(2), CURRENT)


def test_the_command(tmp_path: Path) -> None:
    sound = file(tmp_path, "Algorithm,Time (ms)\nAES,1.5\nDES,2.5\n")
    result = CliRunner().invoke(
        app, ["audit", str(sound), "--fail-on", "note"], standalone_mode=False
    )
    assert result.return_value == 0, result.output
    assert "0 findings" in result.stdout
    paper = CliRunner().invoke(
        app, ["audit", "temirbekova-2024", "--fail-on", "material"], standalone_mode=False
    )
    assert paper.return_value == 3
    assert max(map(len, paper.stdout.splitlines())) <= 80


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["jose-2032"], "did you mean 'jose-2023'"),
        (["jose-2023", "--repetitions", "5"], "--repetitions"),
        (["t.csv", "--resolution", "time"], "--resolution"),
        (["t.csv", "--resolution", "time=0"], "--resolution"),
        (["missing.csv"], "no such file"),
    ],
)
def test_mistakes_of_the_command(arguments: list[str], words: str) -> None:
    result = CliRunner().invoke(app, ["audit", *arguments], standalone_mode=False)
    assert isinstance(result.exception, InputError)
    assert words in str(result.exception)


@pytest.mark.parametrize(
    ("header", "rows", "labels"),
    [
        ("Message,AES (ms),DES (ms)", ["64 bytes,1.11,2.22", "512 bytes,3.33,7.77"], {"64", "512"}),
        ("Cipher,Size (kB),Time (ms)", ["AES,0.064,1.11", "AES,0.512,3.33"], {"64", "512"}),
    ],
)
def test_sizes_are_told_from_their_cells_and_the_unit_of_the_header(
    tmp_path: Path, header: str, rows: list[str], labels: set[str]
) -> None:
    (table,) = read(file(tmp_path, "\n".join((header, *rows)) + "\n")).tables
    assert {cell.label("input_bytes") for cell in table.cells} == labels


def test_a_standard_error_is_no_standard_deviation(tmp_path: Path) -> None:
    header = "Cipher,Mean (ms),Std. error (ms),Standard deviation (ms)"
    (table,) = read(file(tmp_path, f"{header}\nAES,1.50,0.10,0.40\nDES,2.50,0.20,0.80\n")).tables
    kinds = {
        cell.statistic: cell.number.text for cell in table.cells if cell.label("algorithm") == "AES"
    }
    assert kinds == {Statistic.MEAN: "1.50", Statistic.SEM: "0.10", Statistic.SD: "0.40"}
    assert {cell.metric for cell in table.cells} == {"time"}


def test_a_column_without_direction_is_of_the_one_that_is_named(tmp_path: Path) -> None:
    text = "Algorithm,Size,Encryption time,Throughput\nAES,64 B,0.02 ms,3.2 MB/s\n"
    (table,) = read(file(tmp_path, text)).tables
    assert {cell.label("operation") for cell in table.cells} == {"encrypt"}
    both = (
        "Algorithm,Size,Encryption time (ms),Decryption time (ms),Throughput (MB/s)\nAES,64 "
        "B,0.02,0.03,3.2\n"
    )
    (table,) = read(file(tmp_path, both)).tables
    assert {cell.label("operation") for cell in table.cells if cell.metric == "throughput"} == {""}
