"""Mutants: how many small changes of some modules the tests notice.

    python tools/mutants.py motebench/stats/*.py --tests tests/unit/stats --count 100 --seed 1 2

The tests run once under ``coverage``, which records the tests that execute each line, and their
processor time. Then each of ``--count`` mutants for each ``--seed`` replaces the code in memory
while its tests run, the quickest first, up to ``--budget`` seconds of them; files stay as they are.
A mutant is killed if a test fails or takes far longer than it did; survivors are printed. The exit
code is 1 if fewer than ``--least`` percent are killed, 2 if the tests fail without a change.

Every mutant has a process of its own, forked from one that has collected the tests. A change
outside functions takes effect only at import: its process is forked before the package is imported.
"""

from __future__ import annotations

import argparse
import ast
import copy
import functools
import gc
import importlib
import importlib.abc
import importlib.machinery
import importlib.util
import math
import os
import pickle
import random
import resource
import signal
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import CodeType, FunctionType, ModuleType
from typing import TypeVar

import coverage
import pytest

ROOT = Path(__file__).resolve().parents[1]
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
_MEMORY = 6 << 30
"""Bytes that the process of a mutant may map."""
_HOURS = 4 * 3600
_START = 20
"""Seconds to import what tests need, and for their pace to differ."""
_HEAVY = ("click", "hypothesis", "numpy", "pydantic", "rich.console", "scipy.stats")
"""Packages that tests import and no change replaces."""
_FUNCTIONS = {"min": "max", "max": "min", "any": "all", "all": "any"}

_Result = TypeVar("_Result")


@dataclass(frozen=True)
class Mutant:
    """One changed expression of a module. ``source``: the whole module with the change;
    ``function``: the outermost function around it, empty outside functions."""

    path: Path
    line: int
    before: str
    after: str
    source: str
    function: str = ""

    @property
    def module(self) -> str:
        """The name that the module is imported by."""
        name = ".".join(self.path.relative_to(ROOT).with_suffix("").parts)
        return name.removesuffix(".__init__")


def changed(node: ast.AST) -> ast.AST | None:
    """Expression with one small change; None if it has none."""
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
    """True if a sum or product is of texts, which has no other operator."""
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
    functions = _functions(tree)
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
        function = functions.get(id(node), "")
        yield Mutant(path, node.lineno, ast.unparse(node), words, source, function)


def _functions(tree: ast.Module) -> dict[int, str]:
    """Qualified names of the outermost functions around nodes, where a module has one of the name.

    Decorators and defaults are evaluated at import, so they are outside.
    """
    names: dict[int, str] = {}
    counts: Counter[str] = Counter()

    def enter(body: Sequence[ast.stmt], prefix: str) -> None:
        for node in body:
            match node:
                case ast.ClassDef(name=name, body=inner):
                    enter(inner, f"{prefix}{name}.")
                case ast.FunctionDef(name=name, body=inner):
                    counts[prefix + name] += 1
                    for statement in inner:
                        names.update((id(part), prefix + name) for part in ast.walk(statement))

    enter(tree.body, "")
    return {node: name for node, name in names.items() if counts[name] == 1}


@dataclass
class Recording:
    """Tests that execute each line, and processor time by test."""

    tests: dict[tuple[Path, int], set[str]] = field(default_factory=dict)
    seconds: dict[str, float] = field(default_factory=dict)

    def chosen(self, mutant: Mutant, budget: float) -> list[str]:
        """The tests of a mutant, the quickest first, that take at most ``budget`` in all."""
        names: set[str] = set()
        if mutant.function:
            lines = (
                self.tests.get((mutant.path, mutant.line - back)) for back in range(_STATEMENT)
            )
            names = next(filter(None, lines), set())
        else:
            names = {
                name for (path, _), of in self.tests.items() if path == mutant.path for name in of
            }
        chosen: list[str] = []
        for name in sorted(names, key=lambda name: (self.seconds[name], name)):
            budget -= self.seconds[name]
            if budget == -math.inf or (budget < 0 and chosen):
                break
            chosen.append(name)
        return chosen


class _Recorder:
    """Plugin of pytest that fills a recording."""

    def __init__(self, paths: list[Path], longest: float) -> None:
        self.recording = Recording()
        self.paths = paths
        self.longest = longest
        signal.signal(signal.SIGVTALRM, self._leave_out)
        self.coverage = coverage.Coverage(data_file=None, include=[str(path) for path in paths])
        self.coverage.start()

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Iterator[None]:
        self.coverage.switch_context(item.nodeid)
        self.recording.seconds[item.nodeid] = math.inf
        signal.setitimer(signal.ITIMER_VIRTUAL, self.longest)
        start = time.process_time()
        try:
            return (yield)
        finally:
            if signal.setitimer(signal.ITIMER_VIRTUAL, 0)[0]:
                self.recording.seconds[item.nodeid] = time.process_time() - start
            self.coverage.switch_context("")

    @staticmethod
    def _leave_out(*_: object) -> None:
        pytest.skip("takes too long")

    def finish(self) -> Recording:
        """The recording of all tests that ran."""
        self.coverage.stop()
        data = self.coverage.get_data()
        for path in self.paths:
            for line, names in data.contexts_by_lineno(str(path)).items():
                self.recording.tests[path, line] = set(filter(None, names))
        return self.recording


def _forked(
    work: Callable[[], _Result], seconds: float, wall: float, *, quiet: bool = True
) -> _Result | None:
    """The result of ``work`` in a process of its own; None if it does not end in time:
    ``seconds`` of the processor, or ``wall``."""
    with tempfile.TemporaryFile() as file:
        child = os.fork()
        if not child:
            try:
                for stream in (0, 1, 2) if quiet else ():
                    os.dup2(os.open(os.devnull, os.O_RDWR), stream)
                resource.setrlimit(resource.RLIMIT_CPU, (int(seconds) + 1, int(seconds) + 1))
                resource.setrlimit(resource.RLIMIT_AS, (_MEMORY, _MEMORY))
                signal.alarm(int(wall) + 1)
                pickle.dump(work(), file)
                file.flush()
            finally:
                os._exit(0)
        os.waitpid(child, 0)
        file.seek(0)
        content = file.read()
    return pickle.loads(content) if content else None


def _replace(mutant: Mutant) -> None:
    """Give the live function the changed code."""
    importlib.import_module(mutant.module)
    pending, code = [compile(mutant.source, str(mutant.path), "exec", dont_inherit=True)], None
    while pending and code is None:
        for part in pending.pop().co_consts:
            if isinstance(part, CodeType):
                if part.co_qualname == mutant.function:
                    code = part
                pending.append(part)
    live = [
        function
        for function in gc.get_objects()
        if isinstance(function, FunctionType)
        and function.__code__.co_qualname == mutant.function
        and function.__code__.co_filename == str(mutant.path)
    ]
    if code is None or not live:
        raise LookupError(f"{mutant.path}: no function {mutant.function}")
    for function in live:
        function.__code__ = code


class _Finder(importlib.abc.MetaPathFinder):
    """Imports the changed source in place of the module's."""

    def __init__(self, mutant: Mutant) -> None:
        self.mutant = mutant

    def find_spec(
        self, name: str, _path: object = None, _target: ModuleType | None = None
    ) -> importlib.machinery.ModuleSpec | None:
        """The module with the change, and no other."""
        if name != self.mutant.module:
            return None
        place = self.mutant.path
        return importlib.util.spec_from_file_location(
            name,
            place,
            loader=_Loader(name, str(place), self.mutant.source),
            submodule_search_locations=[str(place.parent)] if place.stem == "__init__" else None,
        )


class _Loader(importlib.machinery.SourceFileLoader):
    """Loads a text as the source of a module."""

    def __init__(self, name: str, path: str, source: str) -> None:
        super().__init__(name, path)
        self.source = source

    def get_code(self, _fullname: str) -> CodeType:
        """The compiled text."""
        return compile(self.source, self.path, "exec", dont_inherit=True)


def _pytest(arguments: list[str], *plugins: object) -> int:
    quiet = ["-q", "-x", "--no-header", "-p", "no:cacheprovider", "-p", "no:xdist"]
    return int(pytest.main([*quiet, *arguments], plugins=list(plugins)))


def _imported(mutant: Mutant, nodes: list[str]) -> bool:
    """True if a test fails, or cannot be collected, when the changed module is imported."""
    sys.meta_path.insert(0, _Finder(mutant))
    return _pytest(nodes) != 0


def _failed(session: pytest.Session, items: list[pytest.Item]) -> bool:
    """True if one of the tests fails; the rest are left out then."""
    before = session.testsfailed
    for item, following in zip(items, [*items[1:], None], strict=True):
        item.config.hook.pytest_runtest_protocol(item=item, nextitem=following)
        if session.testsfailed > before:
            return True
    return False


def _changed(session: pytest.Session, mutant: Mutant, items: list[pytest.Item]) -> bool:
    """True if a test fails once the live function has the change."""
    session.config.pluginmanager.unregister(name="terminalreporter")
    _replace(mutant)
    return _failed(session, items)


class _Judge:
    """Plugin of pytest that records the collected tests and then runs those of each mutant, in
    processes of their own."""

    def __init__(self, drawn: list[Mutant], options: argparse.Namespace) -> None:
        self.drawn = drawn
        self.options = options
        self.recording = Recording()
        self.killed: dict[Mutant, bool] = {}

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        """The recording, and all mutants inside functions."""
        recording = _forked(lambda: self._recorded(session), _HOURS, _HOURS, quiet=False)
        if recording is None:
            session.testsfailed = 1
            return True
        self.recording = recording
        items = {item.nodeid: item for item in session.items}
        for mutant in self.drawn:
            if mutant.function:
                nodes = recording.chosen(mutant, self.options.budget)
                chosen = [items[node] for node in nodes]
                self.judge(mutant, nodes, functools.partial(_changed, session, mutant, chosen))
        return True

    def _recorded(self, session: pytest.Session) -> Recording | None:
        recorder = _Recorder(self.options.paths, self.options.longest)
        session.config.pluginmanager.register(recorder)
        return None if _failed(session, session.items) else recorder.finish()

    def judge(self, mutant: Mutant, nodes: list[str], work: Callable[[], bool]) -> None:
        """Run the tests of a mutant, and print it if it survives."""
        used = sum(self.recording.seconds[node] for node in nodes)
        limit = 3 * used + _START
        killed = bool(nodes) and _forked(work, limit, 10 * limit) is not False
        self.killed[mutant] = killed
        if not killed:
            where = f"{mutant.path.relative_to(ROOT)}:{mutant.line}"
            why = "" if nodes else " (no test executes the line)"
            print(f"survived {where}: {mutant.before}  ->  {mutant.after}{why}", flush=True)
        survivors = sum(not dead for dead in self.killed.values())
        print(f"{len(self.killed)}/{len(self.drawn)}, {survivors} survived", file=sys.stderr)


def judged(drawn: list[Mutant], options: argparse.Namespace) -> dict[Mutant, bool]:
    """Verdict on each mutant, True if killed; exits if the tests fail without a change."""
    for name in _HEAVY:
        importlib.import_module(name)
    judge = _Judge(drawn, options)
    reading, writing = os.pipe()
    child = os.fork()
    if not child:
        status = _pytest(options.tests, judge)
        with os.fdopen(writing, "wb") as file:
            pickle.dump((status, judge.recording, judge.killed), file)
        os._exit(0)
    os.close(writing)
    with os.fdopen(reading, "rb") as file:
        status, judge.recording, judge.killed = pickle.load(file)
    os.waitpid(child, 0)
    if status:
        sys.exit(2)
    for mutant in drawn:
        if not mutant.function:
            nodes = judge.recording.chosen(mutant, options.budget)
            judge.judge(mutant, nodes, functools.partial(_imported, mutant, nodes))
    return judge.killed


def main() -> int:
    """Draw mutants, run their tests, print the survivors."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("paths", nargs="+", type=lambda text: Path(text).resolve())
    parser.add_argument("--tests", nargs="+", required=True, help="files and folders of tests")
    parser.add_argument("--count", type=int, default=50, help="mutants to draw by each seed (50)")
    parser.add_argument("--seed", nargs="+", default=["1"], help="of the draws (1)")
    parser.add_argument(
        "--budget", type=float, default=30, help="seconds of tests for each mutant (30)"
    )
    parser.add_argument(
        "--longest", type=float, default=60, help="seconds after which a test is left out (60)"
    )
    parser.add_argument("--least", type=float, default=0, help="percent that must be killed")
    options = parser.parse_args()
    every = [mutant for path in options.paths for mutant in mutants(path)]
    count = min(options.count, len(every))
    draws = {seed: random.Random(seed).sample(every, count) for seed in options.seed}
    killed = judged(list({mutant: None for drawn in draws.values() for mutant in drawn}), options)
    shares = []
    for seed, drawn in draws.items():
        dead = sum(killed[mutant] for mutant in drawn)
        shares.append(100 * dead / max(len(drawn), 1))
        print(f"seed {seed}: {dead} of {len(drawn)} mutants killed ({shares[-1]:.0f} %)")
    return int(min(shares) < options.least)


if __name__ == "__main__":
    sys.exit(main())
