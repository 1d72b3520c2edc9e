"""The import picture of the package, drawn from its code, against the layers of docs/architecture.md."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest
from test_docs import WORDS

ROOT = Path(__file__).parents[2]
ENTRY = {"motebench", "__main__"}
"""What starts the rest."""


def modules() -> dict[str, Path]:
    """Every module of the package, by its name."""
    files = (ROOT / "motebench").rglob("*.py")
    return {".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__"): path for path in files}


def run(node: ast.AST) -> Iterator[ast.AST]:
    """What can be run below a node, in functions too: not what only a type checker sees."""
    for child in ast.iter_child_nodes(node):
        if not (isinstance(child, ast.If) and "TYPE_CHECKING" in ast.unparse(child.test)):
            yield child
            yield from run(child)


def picture(known: Mapping[str, Path]) -> dict[str, set[str]]:
    """The modules that each module imports."""
    found: dict[str, set[str]] = {name: set() for name in known}
    for name, path in known.items():
        for node in run(ast.parse(path.read_text())):
            if isinstance(node, ast.ImportFrom) and node.module and node.module.split(".")[0] == "motebench":
                for alias in node.names:
                    inner = f"{node.module}.{alias.name}"
                    found[name].add(inner if inner in known else node.module)
            elif isinstance(node, ast.Import):
                found[name] |= {alias.name for alias in node.names if alias.name in known}
        found[name].discard(name)
    return found


def part(module: str) -> str:
    name = module.split(".")[1] if "." in module else module
    return "words" if name in WORDS else name


def layers() -> dict[str, int]:
    """Layer of each part by the page, counted from the bottom."""
    text = (ROOT / "docs" / "architecture.md").read_text().partition("## Layers")[2].partition("\n## ")[0]
    lines = [line.split() for line in text.splitlines() if line.startswith("    ")]
    return {name: number for number, line in enumerate(reversed(lines)) for name in line}


def circle(graph: Mapping[str, set[str]]) -> list[str]:
    """Modules that import each other; empty if there are none."""
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        return list(error.args[1])
    return []


def test_no_two_modules_import_each_other() -> None:
    assert circle(picture(modules())) == []


def test_every_part_has_its_layer() -> None:
    assert {part(name) for name in modules()} - ENTRY == set(layers())


def test_imports_go_down() -> None:
    layer = layers()
    upwards = {
        f"{name} imports {imported}"
        for name, found in picture(modules()).items()
        for imported in found
        if part(name) != part(imported) and not {part(name), part(imported)} & ENTRY
        if layer[part(imported)] >= layer[part(name)]
    }
    assert not upwards


def foreign(path: Path) -> set[str]:
    """Top-level packages that a module imports anywhere, also where only a type checker sees it."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            found |= {alias.name.split(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            found.add((node.module or "").split(".")[0])
    return found


def test_the_command_line_is_used_by_nothing() -> None:
    of_cli = {name for name in modules() if part(name) == "cli"}
    users = {name for name, found in picture(modules()).items() if found & of_cli and name not in of_cli}
    assert users == {"motebench.__main__"}


def test_only_the_command_line_talks_to_the_terminal() -> None:
    users = {name for name, path in modules().items() if foreign(path) & {"click", "rich"}}
    assert {part(name) for name in users} == {"cli"}
    others = {name: path for name, path in modules().items() if part(name) not in ("cli", "__main__")}
    told = {name for name, path in others.items() if re.search(r"^ *print\(", path.read_text(), re.MULTILINE)}
    prints = {name for name in told if not name.endswith("__main__")}
    assert prints <= {"motebench.instruments.by_hand"}, "it asks a person for readings"


def test_the_command_line_computes_nothing() -> None:
    """Commands read options, call one function and print; text prints. Neither does arithmetic of a field, opens
    sessions or builds firmware: what they may import of the parts below says so."""
    computing = {"stats", "wire", "runner", "vectors", "verify", "vendor", "invocations", "powered"}
    allowed = {
        "motebench.cli.app": {"runner"},  # signals
        "motebench.cli.commands.flash": {"wire"},  # the greeting of the board it wrote to
        "motebench.cli.commands.run": {"runner"},  # the plan of a dry run
        "motebench.cli.text.comparison": {"stats"},  # names of the tests
        "motebench.cli.text.leak": {"stats"},  # the level of certainty that is named
        "motebench.cli.text.progress": {"runner"},  # events of a run
    }
    for name, found in picture(modules()).items():
        if part(name) == "cli":
            used = {part(imported) for imported in found} & computing
            assert used <= allowed.get(name, set()), f"{name} imports {sorted(used)}"


@pytest.mark.parametrize("lazy", ["", "def f():\n    "])
def test_a_circle_is_seen_inside_functions_too(tmp_path: Path, lazy: str) -> None:
    for name, other in (("a", "b"), ("b", "a")):
        (tmp_path / f"{name}.py").write_text(f"{lazy if name == 'a' else ''}from motebench.{other} import x\n")
    known = {f"motebench.{name}": tmp_path / f"{name}.py" for name in "ab"}
    assert set(circle(picture(known))) == set(known)
