"""Small changes that tools/mutants.py makes to a module."""

from __future__ import annotations

import ast
from pathlib import Path

import mutants
import pytest


def changes(folder: Path, text: str) -> list[tuple[str, str]]:
    path = folder / "module.py"
    path.write_text(text, encoding="utf-8")
    drawn = list(mutants.mutants(path))
    for mutant in drawn:
        assert ast.unparse(ast.parse(mutant.source)) != ast.unparse(ast.parse(text))
    return [(mutant.before, mutant.after) for mutant in drawn]


@pytest.mark.parametrize(
    ("text", "after"),
    [
        ("a < b", ["a <= b"]),
        ("a - b", ["a + b"]),
        ("a and b", ["a or b"]),
        ("not a", ["a"]),
        ("min(a)", ["max(a)"]),
        ("a if b else c", ["c if b else a"]),
        ("2.5", ["3.5"]),
        ("True", ["False"]),
        ("-a", ["a"]),
    ],
)
def test_one_change_of_each_expression(tmp_path: Path, text: str, after: list[str]) -> None:
    assert [new for _, new in changes(tmp_path, f"{text}\n")] == after


@pytest.mark.parametrize("text", ["'a' + b", "f'{a}' * b", "'text'", "a < b < c", "print(a)"])
def test_what_has_no_small_change(tmp_path: Path, text: str) -> None:
    assert changes(tmp_path, f"{text}\n") == []


def test_annotations_and_what_only_types_read_stay(tmp_path: Path) -> None:
    text = (
        "def f(a: 'Literal[1]', b: Literal[2]) -> Literal[3]:\n    return a\n"
        "if TYPE_CHECKING:\n    x = 4\n"
    )
    assert changes(tmp_path, text) == []


def test_a_change_is_in_the_outermost_function_that_is_the_only_one_of_its_name(
    tmp_path: Path,
) -> None:
    text = (
        "A = 1\ndef f(x=2):\n    return lambda: 3\n"
        "class C:\n    b = 4\n    def g(self):\n        def h():\n            return 5\n"
        "def t():\n    return 6\ndef t():\n    return 7\n"
    )
    path = tmp_path / "module.py"
    path.write_text(text, encoding="utf-8")
    functions = {int(mutant.before): mutant.function for mutant in mutants.mutants(path)}
    assert functions == {1: "", 2: "", 3: "f", 4: "", 5: "C.g", 6: "", 7: ""}


def test_the_quickest_tests_of_a_line_come_first_up_to_the_budget(tmp_path: Path) -> None:
    path = tmp_path / "module.py"
    recording = mutants.Recording(
        {(path, 3): {"slow", "quick", "middle"}, (path, 9): {"other"}},
        {"slow": 5.0, "quick": 1.0, "middle": 2.0, "other": 0.5},
    )
    inside = mutants.Mutant(path, 3, "1", "2", "", "f")
    assert recording.chosen(inside, 100) == ["quick", "middle", "slow"]
    assert recording.chosen(inside, 3) == ["quick", "middle"]
    assert recording.chosen(inside, 0.1) == ["quick"]
    # Only the first line of a long statement may be recorded
    assert recording.chosen(mutants.Mutant(path, 5, "1", "2", "", "f"), 3) == ["quick", "middle"]
    assert recording.chosen(mutants.Mutant(path, 2, "1", "2", "", "f"), 3) == []
    # What is executed at import counts for every test of the module
    assert recording.chosen(mutants.Mutant(path, 1, "1", "2", ""), 3.5) == [
        *("other", "quick", "middle"),
    ]
