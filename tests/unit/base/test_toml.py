"""Reading TOML: every complaint names its file, line and key."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Annotated, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel, ConfigDict, Field, field_validator

from motebench.base.errors import InputError
from motebench.base.files import toml
from motebench.base.naming import did_you_mean

SAMPLE = '''# a comment with [table] and key = 1
title = "x"          # 2
numbers = [
  1,                 # 4
  2, # [not] a = table
  [3, 4],            # 6
]
text = """
[fake]
key = 1 # and "" quotes
"""
a.b.c = 1            # 12
"quoted.key" = 2
'lit' = \'\'\'
x\'\'\'
inline = { one = 1, two = { deep = [1,
  2] } }

[first.second]       # 19
k = 1
[[list]]             # 21
name = "one"
[list.sub]           # 23
v = 1
[[list]]             # 25
name = "two"
[[list.inner]]       # 27
z = 1
[[list.inner]]       # 29
z = 2
'''


@pytest.mark.parametrize(
    ("path", "line"),
    [
        (("title",), 2),
        (("numbers",), 3),
        (("numbers", 0), 4),
        (("numbers", 1), 5),
        (("numbers", 2), 6),
        (("numbers", 2, 1), 6),
        (("text",), 8),
        (("a",), 12),
        (("a", "b", "c"), 12),
        (("quoted.key",), 13),
        (("lit",), 14),
        (("inline",), 16),
        (("inline", "two", "deep"), 16),
        (("inline", "two", "deep", 1), 17),
        (("first",), 19),
        (("first", "second"), 19),
        (("first", "second", "k"), 20),
        (("list",), 21),
        (("list", 0), 21),
        (("list", 0, "name"), 22),
        (("list", 0, "sub"), 23),
        (("list", 0, "sub", "v"), 24),
        (("list", 1), 25),
        (("list", 1, "inner", 0, "z"), 28),
        (("list", 1, "inner", 1), 29),
        (("list", 1, "inner", 1, "z"), 30),
    ],
)
def test_line_of_finds_every_kind_of_key(path: toml.KeyPath, line: int) -> None:
    assert toml.parse(SAMPLE, "f.toml").line_of(path) == line


@pytest.mark.parametrize(
    ("path", "line"),
    [(("missing",), 1), (("list", 1, "missing"), 25), (("first", "second", "x", "y"), 19), ((), 1)],
)
def test_line_of_a_missing_key_is_that_of_its_table(path: toml.KeyPath, line: int) -> None:
    assert toml.parse(SAMPLE, "f.toml").line_of(path) == line


def test_windows_line_ends_do_not_move_lines() -> None:
    document = toml.parse(SAMPLE.replace("\n", "\r\n"), "f.toml")
    assert document.line_of(("list", 1, "inner", 1, "z")) == 30


def _paths(data: Any, prefix: toml.KeyPath = ()) -> set[toml.KeyPath]:
    found: set[toml.KeyPath] = set()
    items: list[tuple[str | int, Any]] = []
    if isinstance(data, dict):
        items = list(data.items())
    elif isinstance(data, list):
        items = list(enumerate(data))
    for key, value in items:
        found |= {(*prefix, key)} | _paths(value, (*prefix, key))
    return found


@pytest.mark.parametrize(
    "text", [SAMPLE, 'a = "\\u0041 \\" ] #"\n"\\u0042" = [ "]", \'#\', """ "" """ ]\nc = 1\n']
)
def test_scanner_sees_exactly_the_keys_that_tomllib_sees(text: str) -> None:
    assert set(toml.key_lines(text)) == _paths(tomllib.loads(text))


def test_scanner_sees_exactly_the_keys_of_every_catalog_file() -> None:
    folder = Path(__file__).parents[3] / "catalog" / "algorithms"
    paths = list(folder.glob("*.toml"))
    assert len(paths) >= 30
    for path in paths:
        text = path.read_text(encoding="utf-8")
        assert set(toml.key_lines(text)) == _paths(tomllib.loads(text)), path.name


def test_scanner_survives_deep_nesting() -> None:
    depth = 400
    text = "a = 1\nb = " + "[" * depth + "]" * depth
    assert toml.TomlDocument(Path("f.toml"), text, {}).line_of(("b", 0, 0)) == 2


@pytest.mark.parametrize(
    ("text", "where", "what"),
    [
        ("a = 1\nb = " + "9" * 5000, "f.toml:2", "too many digits"),
        ("a = 1\nb = 0x" + "f" * 5000, "f.toml:2: b", "too many digits"),
        (
            "a = 1\nb = [1, 9223372036854775808]",
            "f.toml:2: b[1]",
            "9223372036854775808 is out of range",
        ),
        ("[t]\nb = 1e999", "f.toml:2: t.b", "inf is not a finite number"),
        ("b = nan", "f.toml:1: b", "nan is not a finite number"),
        ("a = 1\nb = " + "[" * 400 + "]" * 400, "f.toml:2: b", "nested too deeply"),
        ("b = " + "[" * 100_000, "f.toml", "nested too deeply"),
        ("a = 1\n" + "x." * 200_000 + "x = 1", "f.toml:2", "more than 100 parts"),
        ("a = 1\n" + "'x' . " * 200_000 + "x = 1", "f.toml:2", "more than 100 parts"),
    ],
)
def test_numbers_and_nesting_have_limits(text: str, where: str, what: str) -> None:
    with pytest.raises(InputError) as caught:
        toml.parse(text, "f.toml")
    assert (caught.value.where or "").startswith(where)
    assert what in caught.value.what
    assert caught.value.valid
    assert len(str(caught.value)) < 400


@pytest.mark.parametrize(
    "text", ["a" * 900_000, '"' * 900_000, "a " * 400_000, "a.'" * 300_000, "a='" + "b." * 99]
)
def test_what_is_long_is_refused_soon(text: str) -> None:
    with pytest.raises(InputError):
        toml.parse(text, "f.toml")


@given(st.text(alphabet="ab.=[]{}\"'\\\n# ,1", max_size=60))
def test_scanner_ends_on_any_text(text: str) -> None:
    lines = toml.key_lines(text)
    assert set(lines.values()) <= set(range(1, text.count("\n") + 2))


@given(st.text(alphabet="ab.=[]{}\"'\n# ,1", max_size=60))
def test_parse_gives_a_document_or_an_input_error(text: str) -> None:
    try:
        document = toml.parse(text, "f.toml")
    except InputError as error:
        assert error.where
        assert error.where.startswith("f.toml:")
    else:
        assert set(toml.key_lines(text)) == _paths(document.data)


@pytest.mark.parametrize(
    ("text", "where"),
    [
        ("a = 1\nb = = 2\n", "f.toml:2:5"),
        ("a = [1, 2", "f.toml:1:10"),
        ('a = 1\nb = "x\n', "f.toml:2:7"),
    ],
)
def test_syntax_errors_name_line_and_column(text: str, where: str) -> None:
    with pytest.raises(InputError) as caught:
        toml.parse(text, "f.toml")
    assert caught.value.where == where


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="folder"):
        toml.load(tmp_path)
    with pytest.raises(InputError, match="no such file"):
        toml.load(tmp_path / "x.toml")
    with pytest.raises(InputError):
        toml.load(tmp_path / "x.toml" / "y.toml")
    with pytest.raises(InputError):
        toml.load("bad\0name.toml")
    bad = tmp_path / "bad.toml"
    bad.write_bytes(b"a = 1\nb = '\xff'\n")
    with pytest.raises(InputError, match="not UTF-8") as caught:
        toml.load(bad)
    assert caught.value.where == f"{bad}:2"
    bad.write_bytes(b"a" * (toml.MAX_BYTES + 1))
    with pytest.raises(InputError, match="too long"):
        toml.load(bad)
    bad.write_text("a = " + "[" * 100_000)
    with pytest.raises(InputError):
        toml.load(bad)


def test_missing_file_with_a_forgotten_suffix_gets_a_hint(tmp_path: Path) -> None:
    (tmp_path / "quick.toml").write_text("a = 1")
    with pytest.raises(InputError) as caught:
        toml.load(tmp_path / "quick")
    assert caught.value.hint == "did you mean 'quick.toml'?"


class Part(BaseModel):
    model_config = ConfigDict(extra="forbid")
    name: str
    size: Annotated[int, Field(strict=True)] = 0

    @field_validator("name")
    @classmethod
    def _no_x(cls, name: str) -> str:
        if name == "x":
            raise ValueError(InputError("x is taken", valid="any other", hint="take y"))
        if name == "z":
            raise ValueError("z is bad")
        return name


class Whole(BaseModel):
    model_config = ConfigDict(extra="forbid")
    colour: str = Field(default="red", pattern="^(red|blue)$")
    parts: list[Part] = []
    table: dict[str, Part] = {}
    either: int | list[int] = 0


def _problems(text: str) -> list[InputError]:
    found = toml.check(toml.parse(text, "w.toml"), Whole)
    assert isinstance(found, list)
    return found


def test_unknown_keys_are_located_and_answered_with_the_known_ones() -> None:
    [problem] = _problems('[[parts]]\nname = "a"\n[[parts]]\nname = "b"\nsice = 3\n')
    assert problem.where == "w.toml:5: parts[1].sice"
    assert problem.what == "unknown key 'sice'"
    assert problem.valid == "name, size"
    assert problem.hint == "did you mean 'size'?"


def test_unknown_keys_in_free_tables() -> None:
    [problem] = _problems('[table.one]\nname = "a"\nnam = 3\n')
    assert (problem.where, problem.valid) == ("w.toml:3: table.one.nam", "name, size")


def test_missing_keys_are_located_at_their_table() -> None:
    [problem] = _problems("colour = 'red'\n[[parts]]\nsize = 3\n")
    assert (problem.where, problem.what) == ("w.toml:2: parts[0].name", "the key 'name' is missing")


def test_wrong_types_say_what_is_wanted() -> None:
    [problem] = _problems('[[parts]]\nname = "a"\nsize = "big"\n')
    assert problem.where == "w.toml:3: parts[0].size"
    assert problem.what == "'big' is not a possible value"
    assert problem.valid == "a valid integer"


def test_members_of_unions_do_not_show_in_paths() -> None:
    problems = _problems("either = [1, 'a']\n")
    assert problems[0].where == "w.toml:1: either[1]"


def test_errors_of_validators_keep_their_help() -> None:
    first, second = _problems('[[parts]]\nname = "x"\n[[parts]]\nname = "z"\n')
    assert (first.what, first.valid, first.hint) == ("x is taken", "any other", "take y")
    assert (second.what, second.where) == ("z is bad", "w.toml:4: parts[1].name")


def test_problems_come_in_file_order_and_validate_raises_the_first() -> None:
    text = "colour = 'green'\nwrong = 1\n[[parts]]\n"
    assert [problem.where for problem in _problems(text)] == [
        "w.toml:1: colour",
        "w.toml:2: wrong",
        "w.toml:3: parts[0].name",
    ]
    with pytest.raises(InputError) as caught:
        toml.validate(toml.parse(text, "w.toml"), Whole)
    assert caught.value.where == "w.toml:1: colour"
    assert caught.value.hint == "2 more in this file"


def test_validate_gives_the_model() -> None:
    whole = toml.validate(toml.parse("colour = 'blue'\n", "w.toml"), Whole)
    assert whole.colour == "blue"


def test_did_you_mean_orders_by_closeness_and_stays_silent_otherwise() -> None:
    names = ["aes-128-cbc", "aes-128-ccm", "aes-256-cbc", "md5"]
    assert str(did_you_mean("AES-128-CBX", names)).startswith("did you mean 'aes-128-cbc'")
    assert did_you_mean("quux", names) is None
    assert did_you_mean("anything", []) is None


def test_names_that_are_alike_in_their_numbers_alone_are_not_close() -> None:
    papers = ["jose-2023", "lino-2022", "pycrypto-boards-2020"]
    assert did_you_mean("nobody-2020", papers) is None
    assert did_you_mean("linos-2020", papers) == "did you mean 'lino-2022'?"
    assert did_you_mean("1024", ["1025", "77"]) == "did you mean '1025'?"
