"""Rooms of the package and the arrows between them, read from the code, against
docs/architecture.md.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]
PACKAGE = ROOT / "motebench"
LOOSE = {"__init__", "__main__", "version"}
"""The only modules that belong to no room: the API's names, ``python -m motebench``, the version.
"""


def modules(folder: Path = PACKAGE) -> dict[str, Path]:
    """Path of every module of the package, by its dotted name."""
    paths = folder.rglob("*.py")
    return {
        ".".join(path.relative_to(folder.parent).with_suffix("").parts).removesuffix(
            ".__init__"
        ): path
        for path in paths
    }


def statements(path: Path) -> Iterator[ast.Import | ast.ImportFrom]:
    """Imports anywhere in a module: in functions, and where only a type checker sees them."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import | ast.ImportFrom):
            yield node


def arrows(paths: Mapping[str, Path]) -> dict[str, set[str]]:
    """Names of the modules that each module imports."""
    graph: dict[str, set[str]] = {name: set() for name in paths}
    for name, path in paths.items():
        for node in statements(path):
            if isinstance(node, ast.Import):
                graph[name] |= {alias.name for alias in node.names if alias.name in paths}
                continue
            assert node.level == 0, f"{name} imports relatively: give the whole name"
            base = node.module or ""
            for alias in node.names:
                target = f"{base}.{alias.name}"
                graph[name] |= {target if target in paths else base} & set(paths)
        graph[name].discard(name)
    return graph


def room(module: str) -> str:
    """Room of a module; the module's own name for what belongs to none."""
    return module.split(".")[1] if "." in module else "__init__"


def floors() -> dict[str, int]:
    """Floor of each room by the picture of the page, the lowest is 0."""
    text = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    picture = text.partition("## Rooms")[2].partition("\n## ")[0]
    lines = [line.split() for line in picture.splitlines() if line.startswith("    ")]
    return {name: floor for floor, line in enumerate(reversed(lines)) for name in line}


def circle(graph: Mapping[str, set[str]]) -> list[str]:
    """Modules that import each other; empty if there are none."""
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        return list(error.args[1])
    return []


def test_the_package_has_these_rooms_and_no_other() -> None:
    tops = {
        path.stem for path in PACKAGE.iterdir() if path.suffix == ".py" or any(path.rglob("*.py"))
    }
    assert tops - LOOSE == set(floors())
    assert tops >= LOOSE
    assert len(floors()) <= 13


def test_there_are_at_most_twelve_floors() -> None:
    assert len(set(floors().values())) <= 12


def test_a_room_imports_only_rooms_below() -> None:
    floor = floors()
    upwards = {
        f"{name} imports {target}"
        for name, targets in arrows(modules()).items()
        for target in targets
        if room(name) != room(target) and room(name) not in LOOSE
        if room(target) != "version" and floor.get(room(target), 99) >= floor[room(name)]
    }
    assert not upwards


def test_no_two_modules_import_each_other() -> None:
    assert circle(arrows(modules())) == []


def test_a_class_name_exists_once() -> None:
    places: dict[str, list[str]] = {}
    for name, path in modules().items():
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ClassDef):
                places.setdefault(node.name, []).append(name)
    assert {name: where for name, where in places.items() if len(where) > 1} == {}


def test_tests_lie_in_folders_of_the_rooms() -> None:
    rooms = {*floors(), "project"}
    for kind in ("unit", "integration"):
        folders = {
            path.parent.relative_to(ROOT / "tests" / kind)
            for path in (ROOT / "tests" / kind).rglob("test_*.py")
        }
        assert {str(folder) for folder in folders} <= rooms, kind


def foreign(path: Path) -> set[str]:
    """Top-level packages that a module imports."""
    names = set()
    for node in statements(path):
        if isinstance(node, ast.Import):
            names |= {alias.name.split(".")[0] for alias in node.names}
        else:
            names.add((node.module or "").split(".")[0])
    return names


def test_the_command_line_is_used_by_nothing() -> None:
    graph = arrows(modules())
    users = {
        name for name, targets in graph.items() if any(room(target) == "cli" for target in targets)
    }
    assert {name for name in users if room(name) != "cli"} == {"motebench.__main__"}


def test_only_the_command_line_talks_to_the_terminal() -> None:
    paths = modules()
    users = {name for name, path in paths.items() if foreign(path) & {"click", "rich"}}
    assert {room(name) for name in users} == {"cli"}
    others = {name: path for name, path in paths.items() if room(name) not in ("cli", "__main__")}
    calls = {
        name
        for name, path in others.items()
        if re.search(r"^ *print\(", path.read_text(), re.MULTILINE)
    }
    printing = {name for name in calls if not name.endswith("__main__")}
    assert printing <= {"motebench.measuring.instruments.registry"}, "it asks a person for readings"


def test_the_command_line_computes_nothing() -> None:
    """Commands read options, call one function and print; text prints. Neither does arithmetic of a
    field, opens sessions or builds firmware: what they may import of the parts below says so."""
    computing = (
        "motebench.stats",
        "motebench.targets.wire.messages",
        "motebench.targets.wire.replies",
        "motebench.targets.wire.frames",
        "motebench.measuring.run",
        "motebench.measuring.work",
        "motebench.measuring.plan",
        "motebench.measuring.verify",
        "motebench.catalog.vectors",
        "motebench.targets.setup.vendor",
        "motebench.results.invocations",
        "motebench.results.results",
    )
    doing = ("stored", "verification")
    allowed = {
        # The greeting of the board it wrote to
        "motebench.cli.commands.flash": {"motebench.targets.wire.messages"},
        # A dry run's plan
        "motebench.cli.commands.run": {
            "motebench.measuring.plan",
            "motebench.measuring.run",
        },
        "motebench.cli.text.comparison": {"motebench.stats"},  # names of the tests
        "motebench.cli.commands.leak": {"motebench.stats"},  # the level of certainty that is named
        # Events of a run
        "motebench.cli.text.progress": {
            "motebench.measuring.plan",
            "motebench.measuring.run",
        },
    }
    commands = {name: targets for name, targets in arrows(modules()).items() if room(name) == "cli"}
    assert commands.keys() >= allowed.keys()
    for name, targets in commands.items():
        used = {
            part
            for target in targets
            for part in computing
            if target.startswith(part) and target.rpartition(".")[2] not in doing
        }
        assert used <= allowed.get(name, set()), f"{name} imports {sorted(used)}"


@pytest.mark.parametrize("lazy", ["", "def f():\n    ", "if TYPE_CHECKING:\n    "])
def test_a_circle_is_seen_inside_functions_and_for_type_checkers_too(
    tmp_path: Path, lazy: str
) -> None:
    for name, other in (("a", "b"), ("b", "a")):
        (tmp_path / f"{name}.py").write_text(
            f"{lazy if name == 'a' else ''}from motebench.{other} import x\n"
        )
    paths = {f"motebench.{name}": tmp_path / f"{name}.py" for name in "ab"}
    assert set(circle(arrows(paths))) == set(paths)
