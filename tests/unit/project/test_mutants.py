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


def test_tests_are_found_by_module_and_function() -> None:
    nodes = mutants.selected({"test_mutants.test_tests_are_found_by_module_and_function"})
    assert nodes == [
        "tests/unit/project/test_mutants.py::test_tests_are_found_by_module_and_function"
    ]
