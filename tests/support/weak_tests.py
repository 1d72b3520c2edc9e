"""Weak tests: those that assert nothing, that two claims can satisfy, or that assert only in a loop
over nothing.

Read from the syntax alone, so these are rules of thumb: a test that follows them may still be weak.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

NOTHING = "asserts nothing"
LOOPED = "asserts only in a loop that may have no turn: assert the number of items first"
EITHER = "either of two claims satisfies this assertion"
EXPECTING = {"raises", "warns", "fail", "deprecated_call"}
"""Functions of pytest that fail a test."""
NEVER_EMPTY = {"count", "cycle"}
"""Iterators that always have a first item."""
AS_LONG = {
    "enumerate",
    "reversed",
    "sorted",
    "list",
    "tuple",
    "set",
    "iter",
    "batched",
    "frozenset",
    "dict",
}
"""Functions whose result is empty only if their first argument is."""
VIEWS = {"items", "keys", "values"}
"""Methods whose result is empty only if their object is."""

Function = ast.FunctionDef | ast.AsyncFunctionDef


@dataclass(frozen=True)
class Weakness:
    """One rule that a test breaks, and where."""

    path: Path
    line: int
    rule: str
    test: str

    def __str__(self) -> str:
        return f"{self.path}:{self.line}: {self.test}: {self.rule}"


@dataclass
class Module:
    """Functions, constants and imports of one file."""

    path: Path
    tree: ast.Module
    functions: dict[str, Function] = field(default_factory=dict)
    constants: dict[str, ast.expr] = field(default_factory=dict)
    imports: dict[str, tuple[str, str]] = field(default_factory=dict)
    """Module and name, by the local name; the name is empty for the module itself."""

    @classmethod
    def read(cls, path: Path) -> Module:
        module = cls(path, ast.parse(path.read_text(encoding="utf-8")))
        for node in module.tree.body:
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                module.functions[node.name] = node
            elif isinstance(node, ast.Assign):
                module.constants |= {
                    name.id: node.value for name in node.targets if isinstance(name, ast.Name)
                }
            elif (
                isinstance(node, ast.AnnAssign)
                and isinstance(node.target, ast.Name)
                and node.value is not None
            ):
                module.constants[node.target.id] = node.value
            elif isinstance(node, ast.Import):
                module.imports |= {
                    alias.asname or alias.name: (alias.name, "") for alias in node.names
                }
            elif isinstance(node, ast.ImportFrom):
                module.imports |= {
                    alias.asname or alias.name: (node.module or "", alias.name)
                    for alias in node.names
                }
        return module


class Folder:
    """All files of a folder of tests, so that helpers of one count in another."""

    def __init__(self, folder: Path) -> None:
        self.modules = [Module.read(path) for path in sorted(folder.rglob("*.py"))]
        self.by_name = {
            module.path.stem: module
            for module in self.modules
            if not module.path.stem.startswith("test_")
        }
        self.fixtures: dict[str, list[tuple[Module, Function]]] = {}
        self.methods: dict[str, list[tuple[Module, Function]]] = {}
        self.answers: dict[Function, bool] = {}
        for module in self.modules:
            for name, function in module.functions.items():
                if any(
                    "fixture" in ast.unparse(decorator) for decorator in function.decorator_list
                ):
                    self.fixtures.setdefault(name, []).append((module, function))
            for node in ast.walk(module.tree):
                if isinstance(node, ast.ClassDef):
                    for part in node.body:
                        if isinstance(part, ast.FunctionDef | ast.AsyncFunctionDef):
                            self.methods.setdefault(part.name, []).append((module, part))

    def weaknesses(self) -> Iterator[Weakness]:
        """Every broken rule, in the order of files and lines."""
        for module in self.modules:
            for node in ast.walk(module.tree):
                if isinstance(node, ast.Assert):
                    yield from (
                        Weakness(module.path, line, EITHER, ast.unparse(node)[:60])
                        for line in choices(node.test)
                    )
            if not module.path.name.startswith("test_"):
                continue
            for name, function in module.functions.items():
                if name.startswith("test"):
                    yield from self.of_test(module, function)

    def of_test(self, module: Module, test: Function) -> Iterator[Weakness]:
        reader = Reader(self, module, test)
        certain, looped = reader.assertions(test.body)
        if not certain and not looped:
            yield Weakness(module.path, test.lineno, NOTHING, test.name)
        elif not certain:
            yield Weakness(module.path, looped[0], LOOPED, test.name)


def choices(claim: ast.expr) -> list[int]:
    """Lines of the bare ``or`` in a claim."""
    if isinstance(claim, ast.BoolOp) and isinstance(claim.op, ast.And):
        return [line for value in claim.values for line in choices(value)]
    if isinstance(claim, ast.BoolOp):
        return [claim.lineno]
    if isinstance(claim, ast.Call) and isinstance(claim.func, ast.Name) and claim.func.id == "all":
        (argument,) = claim.args
        if isinstance(argument, ast.GeneratorExp | ast.ListComp):
            return choices(argument.elt)
    return []


class Reader:
    """Assertions that one function certainly makes, and those in loops, which an empty loop would
    skip.
    """

    def __init__(
        self,
        folder: Folder,
        module: Module,
        function: Function,
        busy: frozenset[Function] = frozenset(),
    ) -> None:
        self.folder = folder
        self.module = module
        self.function = function
        self.busy = busy | {function}
        self.locals: dict[str, ast.expr] = {}
        self.nested = {
            node.name: node
            for node in ast.walk(function)
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node is not function
        }
        for node in ast.walk(function):
            if isinstance(node, ast.Assign):
                self.locals |= {
                    name.id: node.value for name in node.targets if isinstance(name, ast.Name)
                }

    def assertions(self, body: list[ast.stmt]) -> tuple[list[int], list[int]]:
        """Lines of certain assertions, and of those in loops."""
        certain: list[int] = []
        looped: list[int] = []
        for statement in body:
            if isinstance(statement, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
                continue
            if isinstance(statement, ast.For | ast.AsyncFor | ast.While):
                inner_certain, inner_looped = self.assertions([*statement.body, *statement.orelse])
                full = isinstance(statement, ast.For) and self.has_items(statement.iter)
                (certain if full else looped).extend(inner_certain)
                looped.extend(inner_looped)
                continue
            if isinstance(statement, ast.Assert):
                (looped if self.vacuous(statement.test) else certain).append(statement.lineno)
            for value in self.expressions(statement):
                self.calls(value, certain, looped)
            for name in ("body", "orelse", "finalbody"):
                inner = self.assertions(getattr(statement, name, []))
                certain.extend(inner[0])
                looped.extend(inner[1])
            for part in [*getattr(statement, "handlers", []), *getattr(statement, "cases", [])]:
                inner = self.assertions(part.body)
                certain.extend(inner[0])
                looped.extend(inner[1])
            if isinstance(statement, ast.Raise) and "AssertionError" in ast.unparse(statement):
                certain.append(statement.lineno)
        return certain, looped

    @staticmethod
    def expressions(statement: ast.stmt) -> Iterator[ast.expr]:
        """Expressions of a statement itself, without those of the statements in it."""
        for _, value in ast.iter_fields(statement):
            for node in value if isinstance(value, list) else [value]:
                if isinstance(node, ast.expr):
                    yield node
                elif isinstance(node, ast.withitem):
                    yield node.context_expr

    def calls(self, expression: ast.expr, certain: list[int], looped: list[int]) -> None:
        loops = (ast.ListComp, ast.SetComp, ast.GeneratorExp, ast.DictComp)
        repeated = {
            inner
            for node in ast.walk(expression)
            if isinstance(node, loops) and not self.has_items(node.generators[0].iter)
            for inner in ast.walk(node)
        }
        for node in ast.walk(expression):
            if isinstance(node, ast.Call) and self.asserts(node):
                (looped if node in repeated else certain).append(node.lineno)

    def vacuous(self, claim: ast.expr) -> bool:
        """True if the claim holds of nothing: ``all(... for ... in items)``."""
        if isinstance(claim, ast.BoolOp) and isinstance(claim.op, ast.And):
            return all(self.vacuous(value) for value in claim.values)
        if isinstance(claim, ast.UnaryOp) and isinstance(claim.op, ast.Not):
            inner, name = claim.operand, "any"
        else:
            inner, name = claim, "all"
        if not (
            isinstance(inner, ast.Call)
            and isinstance(inner.func, ast.Name)
            and inner.func.id == name
            and inner.args
        ):
            return False
        argument = inner.args[0]
        if isinstance(argument, ast.GeneratorExp | ast.ListComp):
            return bool(argument.generators[0].ifs) or not self.has_items(
                argument.generators[0].iter
            )
        return not self.has_items(argument)

    def asserts(self, call: ast.Call) -> bool:
        """True if a call is certain to assert something."""
        name = call.func
        if isinstance(name, ast.Attribute):
            if name.attr.startswith("assert_"):
                return True
            owner = name.value.id if isinstance(name.value, ast.Name) else ""
            if owner == "pytest":
                return name.attr in EXPECTING
            imported = self.module.imports.get(owner)
            if imported is not None:
                helper = self.folder.by_name.get(imported[1] or imported[0].rpartition(".")[2])
                if helper is not None and name.attr in helper.functions:
                    return self.does(helper, helper.functions[name.attr])
                return False
            return any(self.does(*method) for method in self.folder.methods.get(name.attr, []))
        if not isinstance(name, ast.Name):
            return False
        if name.id.startswith("assert_"):
            return True
        if name.id in self.nested:
            return self.does(self.module, self.nested[name.id])
        if name.id in {
            argument.arg
            for argument in ast.walk(self.function.args)
            if isinstance(argument, ast.arg)
        }:
            return any(
                self.does(module, inner)
                for module, fixture in self.folder.fixtures.get(name.id, [])
                for inner in ast.walk(fixture)
                if isinstance(inner, ast.FunctionDef) and inner is not fixture
            )
        if name.id in self.module.functions:
            return self.does(self.module, self.module.functions[name.id])
        if name.id in self.module.imports:
            origin, original = self.module.imports[name.id]
            helper = self.folder.by_name.get(origin.rpartition(".")[2])
            return (
                helper is not None
                and original in helper.functions
                and self.does(helper, helper.functions[original])
            )
        return False

    def does(self, module: Module, function: Function) -> bool:
        cached = self.folder.answers.get(function)
        if cached is not None or function in self.busy:
            return bool(cached)
        answer = bool(Reader(self.folder, module, function, self.busy).assertions(function.body)[0])
        self.folder.answers[function] = answer
        return answer

    def has_items(self, iterated: ast.expr, depth: int = 0) -> bool:
        """True if a loop over this is certain to have a turn."""
        if depth > 5:
            return False
        again = depth + 1
        match iterated:
            case ast.Tuple() | ast.List() | ast.Set():
                return any(
                    not isinstance(item, ast.Starred) or self.has_items(item.value, again)
                    for item in iterated.elts
                )
            case ast.Dict():
                return bool(iterated.keys)
            case ast.Constant():
                return bool(iterated.value)
            case ast.JoinedStr():
                return any(isinstance(part, ast.Constant) for part in iterated.values)
            case ast.BinOp(op=ast.Add() | ast.BitOr()):
                return self.has_items(iterated.left, again) or self.has_items(iterated.right, again)
            case ast.ListComp() | ast.GeneratorExp() | ast.SetComp() | ast.DictComp():
                return all(
                    not loop.ifs and self.has_items(loop.iter, again)
                    for loop in iterated.generators
                )
            case ast.Name():
                value = self.locals.get(iterated.id) or self.constant(iterated.id)
                return value is not None and self.has_items(value, again)
            case ast.Call(func=ast.Attribute(attr=attribute, value=owner)):
                if attribute in {"split", "splitlines"}:
                    return self.has_items(owner, again)
                if attribute in VIEWS and not iterated.args:
                    return self.has_items(owner, again)
                if attribute == "product":
                    return self.all_have_items(iterated.args, again)
                return attribute in NEVER_EMPTY
            case ast.Call(func=ast.Name(id=name)):
                if name == "range":
                    return self.turns(iterated.args)
                if name in {"zip", "product"}:
                    return self.all_have_items(iterated.args, again)
                if name in AS_LONG:
                    return bool(iterated.args) and self.has_items(iterated.args[0], again)
                return name in NEVER_EMPTY or self.gives_items(name)
        return False

    def gives_items(self, name: str) -> bool:
        """True if a function of this file returns items for certain."""
        function = self.module.functions.get(name)
        if function is None or function in self.busy:
            return False
        reader = Reader(self.folder, self.module, function, self.busy)
        values = [node.value for node in ast.walk(function) if isinstance(node, ast.Return)]
        return bool(values) and all(
            value is not None and reader.has_items(value) for value in values
        )

    def all_have_items(self, arguments: list[ast.expr], depth: int) -> bool:
        return bool(arguments) and all(self.has_items(item, depth) for item in arguments)

    def constant(self, name: str) -> ast.expr | None:
        if name in self.module.constants:
            return self.module.constants[name]
        origin, original = self.module.imports.get(name, ("", ""))
        helper = self.folder.by_name.get(origin.rpartition(".")[2])
        return None if helper is None else helper.constants.get(original)

    def turns(self, arguments: list[ast.expr]) -> bool:
        values = [self.number(argument) for argument in arguments]
        if any(value is None for value in values):
            return False
        return bool(range(*[value for value in values if value is not None]))

    def number(self, expression: ast.expr) -> int | None:
        if isinstance(expression, ast.Name):
            value = self.locals.get(expression.id) or self.constant(expression.id)
            return None if value is None else self.number(value)
        try:
            value = ast.literal_eval(expression)
        except ValueError:
            return None
        return value if isinstance(value, int) else None


def weaknesses(folder: Path) -> list[Weakness]:
    """Weak tests below a folder."""
    return list(Folder(folder).weaknesses())
