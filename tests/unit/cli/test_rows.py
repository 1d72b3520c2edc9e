"""Tables of lists: whole lines in pipes, within the width of a terminal otherwise."""

from __future__ import annotations

from typing import Any

import pytest

from motebench.cli.text.layout import print_blocks, print_rows

ROWS = [
    {
        "name": "aes-128-gcm",
        "kind": "aead",
        "bits": 128,
        "status": "approved 2001-11-26 by the standard FIPS 197",
    },
    {
        "name": "3des-ecb",
        "kind": "cipher",
        "bits": 192,
        "status": "disallowed for encryption 2024-01-01",
    },
]


@pytest.fixture
def printed(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Any:
    def text(
        columns: int | None, *less: str, rows: list[dict[str, Any]] = ROWS, blocks: bool = False
    ) -> list[str]:
        monkeypatch.delenv("COLUMNS", raising=False)
        if columns is not None:
            monkeypatch.setenv("COLUMNS", str(columns))
        print_blocks(rows) if blocks else print_rows(rows, less)
        return capsys.readouterr().out.splitlines()

    return text


def test_a_pipe_has_one_line_for_each_row(printed: Any) -> None:
    lines = printed(None, "kind")
    assert len(lines) == 3
    assert lines[0].split() == ["name", "kind", "bits", "status"]
    assert lines[1].endswith("approved 2001-11-26 by the standard FIPS 197")


@pytest.mark.parametrize("columns", [45, 60, 80])
def test_a_terminal_breaks_cells_between_words(printed: Any, columns: int) -> None:
    lines = printed(columns)
    assert max(map(len, lines)) <= columns
    words = {word for line in lines for word in line.split()}
    assert {word for row in ROWS for value in row.values() for word in str(value).split()} <= words


def test_numbers_stand_right(printed: Any) -> None:
    lines = printed(60)
    at = lines[0].index("bits") + len("bits")
    assert [line[at - 4 : at] for line in lines[1:] if line[at - 1 : at].strip()] == [
        " 128",
        " 192",
    ]


def test_columns_that_a_narrow_terminal_goes_without(printed: Any) -> None:
    assert "kind" not in printed(70, "kind")[0]
    assert "kind" in printed(200, "kind")[0]
    assert "bits" not in printed(55, "kind", "bits")[0]


def test_a_terminal_that_is_too_narrow_gets_blocks(printed: Any) -> None:
    rows = [{"name": "x" * 30, "other": "y" * 30, "number": 1}]
    lines = printed(50, rows=rows)
    assert lines[0] == f"name {'x' * 30}"
    assert lines[1].split() == ["other", "y" * 30]


def test_blocks_have_every_value_on_lines_of_its_own(printed: Any) -> None:
    rows = [
        {
            "scheme": "sha256",
            "offered_by": [f"name-{number}" for number in range(20)],
            "note": None,
            "targets": {"host": ["@O1"], "": "plain"},
        }
    ]
    lines = printed(60, rows=rows, blocks=True)
    assert lines[0] == "scheme sha256"
    assert max(map(len, lines)) <= 60
    assert "name-19" in " ".join(lines)
    assert [line.split() for line in lines if "note" in line] == [["note", "-"]]
    assert any(line.split() == ["targets", "host:", "@O1"] for line in lines)


def test_a_wide_character_takes_two_columns(printed: Any) -> None:
    rows = [{"name": "\N{CJK UNIFIED IDEOGRAPH-6F22}\N{CJK UNIFIED IDEOGRAPH-5B57}", "n": 7}]
    assert printed(None, rows=[*rows, {"name": "abcdef", "n": 12}]) == [
        "name     n",
        "\N{CJK UNIFIED IDEOGRAPH-6F22}\N{CJK UNIFIED IDEOGRAPH-5B57}     7",
        "abcdef  12",
    ]


def test_a_long_word_stays_whole_while_the_columns_beside_it_break(printed: Any) -> None:
    address = "https://example.org/a/long/address/that/stays/whole"
    rows = [{"source": f"read at {address} and at others", "note": "many words " * 8, "n": 1}]
    lines = printed(80, rows=rows)
    assert max(map(len, lines)) <= 80
    assert address in " ".join(lines).split()
