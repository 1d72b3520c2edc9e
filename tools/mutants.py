"""Mutants: how many small changes of some modules the tests notice.

    python tools/mutants.py motebench/stats/*.py --tests tests/unit/stats --count 100 --seed 1

The tests run once under ``coverage``, which records the test functions that
execute each line. Then each of ``--count`` mutants, drawn by ``--seed``, replaces the module in
memory while its tests run; files stay as they are. A mutant is killed if a test fails or takes
longer than ``--seconds``; survivors are printed. The exit code is 1 if fewer than ``--least``
percent are killed, 2 if the tests fail without a change.
"""

from __future__ import annotations

import argparse
import ast
import copy
import os
import random
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import coverage

ROOT = Path(__file__).resolve().parents[1]
_LOADER = """import importlib.machinery, importlib.util, os, sys
class MutantLoader(importlib.machinery.SourceFileLoader):
    def get_code(self, fullname):
        with open(os.environ["MUTANT_SOURCE"], encoding="utf-8") as file:
            return compile(file.read(), self.path, "exec", dont_inherit=True)
class MutantFinder:
    @staticmethod
    def find_spec(name, path=None, target=None):
        if name != os.environ.get("MUTANT_MODULE"):
            return None
        place = os.environ["MUTANT_PLACE"]
        loader = MutantLoader(name, place)
        folder = [os.path.dirname(place)] if place.endswith("__init__.py") else None
        return importlib.util.spec_from_file_location(
            name, place, loader=loader, submodule_search_locations=folder
        )
sys.meta_path.insert(0, MutantFinder)
"""
_COMPARISONS: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
}
_OPERATORS: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.Div,
    ast.Div: ast.Mult,
    ast.FloorDiv: ast.Mult,
    ast.Mod: ast.Mult,
    ast.Pow: ast.Mult,
}
_STATEMENT = 20
"""Lines of the longest statement: its first line may be the only one that is recorded."""
_FUNCTIONS = {"min": "max", "max": "min", "any": "all", "all": "any"}


@dataclass(frozen=True)
class Mutant:
    """One changed expression of a module. ``source``: the whole module with the change."""

    path: Path
    line: int
    before: str
    after: str
    source: str


def changed(node: ast.AST) -> ast.AST | None:
    """The expression with one small change; None if there is none for it."""
    new = copy.deepcopy(node)
    match new:
        case ast.Compare(ops=[operator]) if type(operator) in _COMPARISONS:
            new.ops = [_COMPARISONS[type(operator)]()]
        case ast.BinOp(op=binary) if type(binary) in _OPERATORS and not _is_text(new):
            new.op = _OPERATORS[type(binary)]()
        case ast.BoolOp(op=joint):
            new.op = ast.Or() if isinstance(joint, ast.And) else ast.And()
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            return operand
        case ast.UnaryOp(op=ast.USub(), operand=operand):
            return operand
        case ast.Constant(value=bool() as truth):
            new.value = not truth
        case ast.Constant(value=int() | float() as number):
            new.value = number + 1
        case ast.Call(func=ast.Name(id=name)) if name in _FUNCTIONS:
            new.func = ast.Name(_FUNCTIONS[name])
        case ast.IfExp(test=test, body=body, orelse=orelse):
            new.test, new.body, new.orelse = test, orelse, body
        case _:
            return None
    return new


def _is_text(node: ast.AST) -> bool:
    """Whether a sum or product is of texts, which has no other operator."""
    return any(
        isinstance(part, ast.JoinedStr)
        or (isinstance(part, ast.Constant) and isinstance(part.value, str))
        for part in ast.walk(node)
    )


class _Hints(ast.NodeVisitor):
    """Nodes of a module that are no behaviour: annotations, and lines that only types read."""

    def __init__(self) -> None:
        self.nodes: set[int] = set()

    def generic_visit(self, node: ast.AST) -> None:
        for name in ("annotation", "returns"):
            hint = getattr(node, name, None)
            if isinstance(hint, ast.AST):
                self.nodes.update(id(part) for part in ast.walk(hint))
        if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING":
            self.nodes.update(id(part) for part in ast.walk(node))
        super().generic_visit(node)


def mutants(path: Path) -> Iterator[Mutant]:
    """All mutants of a module."""
    text = path.read_text(encoding="utf-8")
    tree = ast.parse(text)
    hints = _Hints()
    hints.visit(tree)
    encoded = text.encode().split(b"\n")
    for node in ast.walk(tree):
        new = None if id(node) in hints.nodes else changed(node)
        if new is None or not isinstance(node, ast.expr):
            continue
        last = (node.end_lineno or node.lineno) - 1
        before = b"\n".join(
            [*encoded[: node.lineno - 1], encoded[node.lineno - 1][: node.col_offset]]
        )
        after = b"\n".join([encoded[last][node.end_col_offset :], *encoded[last + 1 :]])
        words = ast.unparse(ast.fix_missing_locations(new))
        source = (before + b"(" + words.encode() + b")" + after).decode()
        yield Mutant(path, node.lineno, ast.unparse(node), words, source)


def contexts(paths: list[Path], tests: list[str]) -> dict[tuple[Path, int], set[str]]:
    """The test functions that execute each line, as ``file::function``; exits if a test fails."""
    with tempfile.TemporaryDirectory() as folder:
        settings, data = Path(folder, "rc"), Path(folder, "data")
        settings.write_text(
            f"[run]\ndata_file = {data}\ndynamic_context = test_function\n"
            f"include =\n{''.join(f'    {path}{os.linesep}' for path in paths)}"
        )
        done = subprocess.run(
            [
                *(sys.executable, "-m", "coverage", "run", f"--rcfile={settings}"),
                *("-m", "pytest", "-q", "-x", *tests),
            ],
            cwd=ROOT,
            check=False,
        )
        if done.returncode:
            sys.exit(2)
        reading = coverage.CoverageData(str(data))
        reading.read()
        tests_by_line: dict[tuple[Path, int], set[str]] = {}
        for path in paths:
            by_line = reading.contexts_by_lineno(str(path))
            of_module = {name for names in by_line.values() for name in names if name}
            for line, names in by_line.items():
                # What is executed at import counts for every test of the module
                tests_by_line[path, line] = {name for name in names if name} or of_module
        return tests_by_line


def selected(names: set[str]) -> list[str]:
    """Arguments of pytest for test functions, given as ``module.function`` or with a class."""
    nodes = []
    for name in sorted(names):
        module, _, function = name.partition(".")
        nodes += [
            f"{place.relative_to(ROOT)}::{function.replace('.', '::')}"
            for place in (ROOT / "tests").rglob(f"{module}.py")
            if function
        ]
    return nodes


def killed(mutant: Mutant, nodes: list[str], seconds: float) -> bool:
    """Whether one of the tests fails with the mutant in place, or all of them take too long."""
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, "sitecustomize.py").write_text(_LOADER, encoding="utf-8")
        source = Path(folder, "mutant.py")
        source.write_text(mutant.source, encoding="utf-8")
        name = ".".join(mutant.path.relative_to(ROOT).with_suffix("").parts)
        environment = {
            **os.environ,
            "PYTHONPATH": os.pathsep.join([folder, str(ROOT), os.environ.get("PYTHONPATH", "")]),
            "MUTANT_MODULE": name.removesuffix(".__init__"),
            "MUTANT_PLACE": str(mutant.path),
            "MUTANT_SOURCE": str(source),
        }
        try:
            done = subprocess.run(
                [sys.executable, "-m", "pytest", "-q", "-x", "-p", "no:cacheprovider", *nodes],
                cwd=ROOT,
                env=environment,
                capture_output=True,
                timeout=seconds,
                check=False,
            )
        except subprocess.TimeoutExpired:
            return True
        return done.returncode != 0


def main() -> int:
    """Draw mutants, run their tests, print what survives."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("paths", nargs="+", type=lambda text: Path(text).resolve())
    parser.add_argument("--tests", nargs="+", required=True, help="files and folders of tests")
    parser.add_argument("--count", type=int, default=50, help="mutants to draw (50)")
    parser.add_argument("--seed", default="1", help="of the draw (1)")
    parser.add_argument("--seconds", type=float, default=300, help="limit of one mutant (300)")
    parser.add_argument("--least", type=float, default=0, help="percent that must be killed")
    options = parser.parse_args()
    lines = contexts(options.paths, options.tests)
    every = [mutant for path in options.paths for mutant in mutants(path)]
    drawn = random.Random(options.seed).sample(every, min(options.count, len(every)))
    survivors = 0
    for place, mutant in enumerate(drawn, 1):
        executed = (lines.get((mutant.path, mutant.line - back)) for back in range(_STATEMENT))
        nodes = selected(next(filter(None, executed), set()))
        dead = bool(nodes) and killed(mutant, nodes, options.seconds)
        survivors += not dead
        where = f"{mutant.path.relative_to(ROOT)}:{mutant.line}"
        why = "" if nodes else " (no test executes the line)"
        if not dead:
            print(f"survived {where}: {mutant.before}  ->  {mutant.after}{why}", flush=True)
        print(f"{place}/{len(drawn)}, {survivors} survived", file=sys.stderr, flush=True)
    share = 100 * (1 - survivors / max(len(drawn), 1))
    print(f"{len(drawn) - survivors} of {len(drawn)} mutants killed ({share:.0f} %)")
    return int(share < options.least)


if __name__ == "__main__":
    sys.exit(main())
