"""Words of the source code: the beginnings of docstrings, and the names of locals."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]
FOLDERS = ("motebench", "probes/python", "tools", "benchmarks", "integrations", "tests/support")
EMPTY_BEGINNINGS = {
    "as",
    "how",
    "if",
    "nobody",
    "see",
    "so",
    "that",
    "what",
    "when",
    "where",
    "which",
    "who",
    "whom",
    "whose",
    "why",
}
"""First words that name nothing: a docstring begins with the noun of the thing."""
VAGUE = {
    "asked",
    "each",
    "found",
    "kept",
    "known",
    "of",
    "one",
    "said",
    "spelt",
    "there",
    "told",
    "wanted",
    "what",
    "words",
}
"""Names that say nothing of what a local holds."""


def sources(*folders: str) -> Iterator[tuple[Path, ast.Module]]:
    """Python files below these folders, with their syntax trees."""
    for folder in folders:
        for path in sorted((ROOT / folder).rglob("*.py")):
            yield path.relative_to(ROOT), ast.parse(path.read_text(encoding="utf-8"))


def docstrings(tree: ast.AST) -> Iterator[tuple[int, str]]:
    """Line and text of every string that stands alone: of modules, classes, functions and names."""
    for node in ast.walk(tree):
        if (
            isinstance(node, ast.Expr)
            and isinstance(node.value, ast.Constant)
            and isinstance(node.value.value, str)
        ):
            yield node.lineno, node.value.value


def empty_beginnings(tree: ast.AST) -> list[str]:
    """Docstrings whose first word names nothing, each with its line."""
    out = []
    for line, text in docstrings(tree):
        first, second = [*text.split(), "", ""][:2]
        word = first.strip(".,:;").lower()
        if word in EMPTY_BEGINNINGS or (word, second) == ("whether", "nothing"):
            out.append(f"line {line}: {' '.join(text.split())[:60]}")
    return out


def vague_locals(tree: ast.AST) -> list[str]:
    """Locals of functions with a vague name, each with its line."""
    return [
        f"line {node.lineno}: {node.id}"
        for function in ast.walk(tree)
        if isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef)
        for node in ast.walk(function)
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store) and node.id in VAGUE
    ]


def test_docstrings_begin_with_a_noun() -> None:
    files = list(sources(*FOLDERS))
    assert {path.parts[0] for path, _ in files} == {folder.split("/")[0] for folder in FOLDERS}
    assert [f"{path}, {text}" for path, tree in files for text in empty_beginnings(tree)] == []


@pytest.mark.parametrize(
    "source",
    [
        '"""What the module holds."""',
        'def f():\n    """How it works."""',
        'class C:\n    """\n    Who reads it.\n    """',
        'class C:\n    x = 1\n    """Where it is."""',
        'LIMIT = 3\n"""So many are shown."""',
        'async def f():\n    r"""See `g`."""',
        'def f():\n    """Whether nothing follows."""',
        'def f():\n    """As: `g`."""',
    ],
)
def test_a_docstring_that_names_nothing_is_seen(source: str) -> None:
    assert len(empty_beginnings(ast.parse(source))) == 1


@pytest.mark.parametrize(
    "source",
    ['"""Whether the cipher is known."""', '"""Results. See `g`."""', 'x = "What is this?"'],
)
def test_other_strings_are_no_finding(source: str) -> None:
    assert empty_beginnings(ast.parse(source)) == []


def test_locals_are_named_for_what_they_hold() -> None:
    files = list(sources("motebench"))
    assert files
    assert [f"{path}, {text}" for path, tree in files for text in vague_locals(tree)] == []


def test_a_vague_local_is_seen() -> None:
    source = "def f(rows):\n    found = rows\n    for each in found: pass\n    name = found\n"
    assert vague_locals(ast.parse(source)) == ["line 2: found", "line 3: each"]
