"""Words of the source code: beginnings of docstrings and comments, and names of variables."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]
FOLDERS = ("motebench", "probes/python", "tools", "benchmarks", "integrations", "tests")
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
C_FOLDERS = ("core", "probes", "simulators")
C_SUFFIXES = (".c", ".cpp", ".h", ".hpp", ".java", ".S")
_INDENTED = (".h", ".java")
"""Files whose indented comments describe declarations, too."""
_COMMENT = re.compile(r"^([ \t]*)/\*+\s*(?:\*\s*)?(\w+)", re.MULTILINE)
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
"""Names that say nothing of what a local or a parameter holds."""


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


def empty_comments(text: str, *, indented: bool) -> list[str]:
    """Block comments of C, C++, Java or assembly that begin a line and whose first word names
    nothing. As in ``As mote_aead has them`` stays: there the name follows."""
    return [
        f"line {text.count(chr(10), 0, match.start()) + 1}: {match[2]}"
        for match in _COMMENT.finditer(text)
        if match[2].lower() in EMPTY_BEGINNINGS - {"as", "see"} and (indented or not match[1])
    ]


def vague_names(tree: ast.AST) -> list[str]:
    """Locals and parameters of functions with a vague name, each with its line."""
    out = []
    nodes: list[tuple[ast.AST, bool]] = [(tree, False)]
    while nodes:
        node, in_function = nodes.pop()
        if isinstance(node, ast.arg) and node.arg in VAGUE:
            out.append(f"line {node.lineno}: {node.arg}")
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store) and in_function:
            out += [f"line {node.lineno}: {node.id}"] if node.id in VAGUE else []
        inside = in_function or isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        nodes += [(child, inside) for child in ast.iter_child_nodes(node)]
    return sorted(out)


@cache
def findings() -> tuple[list[str], list[str]]:
    """Docstrings that name nothing, in all folders; vague names, in the package. Each file is
    parsed once, and its tree is not kept."""
    beginnings, names = [], []
    for path, tree in sources(*FOLDERS):
        beginnings += [f"{path}, {text}" for text in empty_beginnings(tree)]
        if path.parts[0] == "motebench":
            names += [f"{path}, {text}" for text in vague_names(tree)]
    return beginnings, names


def test_every_folder_has_sources() -> None:
    assert [folder for folder in FOLDERS if not any((ROOT / folder).rglob("*.py"))] == []


def test_docstrings_begin_with_a_noun() -> None:
    assert findings()[0] == []


def test_comments_of_declarations_in_c_begin_with_a_noun() -> None:
    paths = [
        path
        for folder in C_FOLDERS
        for path in sorted((ROOT / folder).rglob("*"))
        if path.suffix in C_SUFFIXES
    ]
    assert {path.suffix for path in paths} == set(C_SUFFIXES)
    assert [
        f"{path.relative_to(ROOT)}, {comment}"
        for path in paths
        for comment in empty_comments(
            path.read_text(encoding="utf-8"), indented=path.suffix in _INDENTED
        )
    ] == []


@pytest.mark.parametrize("source", ["/* What it holds. */", "\n/*\n * How it works.\n */\nint x;"])
def test_a_comment_that_names_nothing_is_seen(source: str) -> None:
    assert len(empty_comments(source, indented=False)) == 1
    assert empty_comments(source.replace("/*", "    /*"), indented=False) == []
    assert len(empty_comments(source.replace("/*", "    /*"), indented=True)) == 1


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


def test_variables_are_named_for_what_they_hold() -> None:
    assert findings()[1] == []


@pytest.mark.parametrize(
    ("source", "name"),
    [
        ("def f(rows):\n    found = rows", "found"),
        ("def f(rows):\n    for each in rows: pass", "each"),
        ("def f(a, what, b): pass", "what"),
        ("class C:\n    def f(self, *, known=None): pass", "known"),
        ("async def f(*words): pass", "words"),
        ("def f(**asked): pass", "asked"),
        ("key = lambda one: one", "one"),
    ],
)
def test_a_vague_name_is_seen(source: str, name: str) -> None:
    assert [text.split()[-1] for text in vague_names(ast.parse(source))] == [name]


def test_attributes_and_keywords_are_no_variables() -> None:
    source = "class C:\n    words: str = ''\n\ndef f(row):\n    row.words = g(what=row)\n"
    assert vague_names(ast.parse(source)) == []
