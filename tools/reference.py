"""Generated parts of ``docs/``: they stand between ``<!-- made: KIND NAME -->`` and
``<!-- end -->``.

``python tools/reference.py`` writes them anew, from the declarations of commands, studies, metrics,
exit codes, variants and JSON documents.
"""

from __future__ import annotations

import inspect
import json
import re
import sys
import tomllib
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from enum import Enum
from functools import cache
from pathlib import Path
from typing import Any

import click

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from cost_tables import OWN_HEAD, operations, own_ciphers
from schema_tables import DocumentList

from motebench.base.errors import ExitCode
from motebench.base.model import (
    DEFAULT_OPERATIONS_OF,
    OPERATIONS_OF,
    Evidence,
    FailureKind,
    Kind,
    Operation,
)
from motebench.base.units import METRICS
from motebench.cli.app import ENTRIES, GROUPS, app
from motebench.documents.__main__ import descriptions
from motebench.measuring.plan.cases import FILE_OPERATIONS
from motebench.measuring.study.model import Exclude, Group, Sampling, Study, WholeFile

ROOT = Path(__file__).resolve().parents[1]
_PART = re.compile(r"(<!-- made: (\S+) ?([^>]*?) -->\n).*?(<!-- end -->)", re.DOTALL)
_NOTE = re.compile(r"\s*\[([^\[\]]*)\]$")
_KEY = re.compile(
    r"(?P<value>[^:]+): (?P<meaning>.*?)\.(?: Default: (?P<default>.*?)\.)? Example: "
    r"(?P<example>.*)\."
)
"""The docstring of a key of study files."""
_MANY = 2
"""Commands that have an option in the same words, from which on it stands in the shared list."""
_STUDY_TABLES = {table.__name__: table for table in (Study, Group, Exclude, Sampling, WholeFile)}


def pages() -> list[Path]:
    """Pages, and tables of evidence, that have generated parts."""
    files = sorted(path for ending in ("*.md", "*.txt") for path in (ROOT / "docs").rglob(ending))
    return [path for path in files if _PART.search(path.read_text())]


def parts(text: str) -> list[tuple[str, str]]:
    """Kind and name of each generated part of a page."""
    return [(part[2], part[3]) for part in _PART.finditer(text)]


def filled(text: str) -> str:
    """The text of a page with its generated parts made anew."""
    return _PART.sub(lambda part: f"{part[1]}{MAKERS[part[2]](part[3])}\n{part[4]}", text)


def table(head: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    """A table in Markdown."""
    titles = list(head)
    lines = [titles, ["---"] * len(titles), *rows]
    cells = ([" ".join(cell.split()).replace("|", "\\|") for cell in line] for line in lines)
    return "\n".join(f"| {' | '.join(line)} |".replace("  |", " |") for line in cells)


def code(text: str) -> str:
    """The text as code; nothing for an empty one."""
    return f"`{text}`" if text else ""


# Commands


def _contents(_: str) -> str:
    """Links to all commands, by group."""
    rows = (
        (title, ", ".join(f"[{name}](#motebench-{name})" for name in group))
        for title, group in GROUPS.items()
    )
    return table(("", "commands"), rows)


def _command(name: str) -> str:
    """Help, synopsis, examples and options of a command; options of many commands by name."""
    context = _contexts()[name]
    command = context.command
    pieces = command.collect_usage_pieces(context)
    examples = [line for line in ENTRIES[name].examples if line != context.command_path]
    # Examples alone show how a command without arguments is called.
    synopsis = [" ".join((context.command_path, *pieces))] if pieces[1:] or not examples else []
    calls = [line.replace("\n", "\n    ") for line in (*synopsis, *examples)]
    parts = [*_prose(command.help or ""), "\n".join(f"    {line}" for line in calls)]
    shared = set(_shared_rows())
    rows = _rows(context)
    own = [row for row in rows if row not in shared]
    if own:
        parts.append(_items(own))
    names = ", ".join(row[0] for row in rows if row in shared)
    if names:
        parts.append(f"[Also](#shared-options): {names}.")
    return "\n\n".join(parts)


def _shared(_: str) -> str:
    """The options that several commands have in the same words."""
    return _items(_shared_rows())


def _items(rows: Iterable[tuple[str, str, str, str]]) -> str:
    """A list of options: names, value, default, meaning."""
    lines = []
    for names, value, default, meaning in rows:
        facts = " ".join((names, value)).strip()
        lines.append(f"- {facts}{f' ({default})' if default else ''}: {meaning}")
    return "\n".join(lines)


@cache
def _contexts() -> dict[str, click.Context]:
    """A context of each command."""
    parent = click.Context(app, None, "motebench")
    commands = {name: app.get_command(parent, name) for name in ENTRIES}
    return {
        name: click.Context(command, parent, name) for name, command in commands.items() if command
    }


@cache
def _shared_rows() -> tuple[tuple[str, str, str, str], ...]:
    """Rows of options that at least two commands have in the same words, one for each name."""
    counts = Counter(row for context in _contexts().values() for row in set(_rows(context)))
    usual = {row[0]: row for row, _ in reversed(counts.most_common())}
    ordered = dict.fromkeys(row for context in _contexts().values() for row in _rows(context))
    return tuple(row for row in ordered if counts[row] >= _MANY and usual[row[0]] == row)


def _rows(context: click.Context) -> tuple[tuple[str, str, str, str], ...]:
    """The options of a command as rows of a table."""
    options = (item for item in context.command.params if isinstance(item, click.Option))
    return tuple(_option(option, context) for option in options)


def _prose(text: str) -> Iterator[str]:
    r"""Paragraphs of a help text; one that begins with ``\b`` keeps its lines."""
    for paragraph in inspect.cleandoc(text).replace("\f", "").split("\n\n"):
        if paragraph.startswith("\b"):
            yield "\n".join(f"    {line}" for line in paragraph.splitlines()[1:])
        elif paragraph.strip():
            yield " ".join(paragraph.split())


def _option(option: click.Option, context: click.Context) -> tuple[str, str, str, str]:
    """Names, value, default and meaning of an option, as its help record has them."""
    record = option.get_help_record(context)
    assert record is not None, option.name
    meaning, default, limits = record[1], "", ""
    while note := _NOTE.search(meaning):
        for text in note[1].split("; "):
            if text == "required":
                default = text
            elif text.startswith("default: "):
                default = text.removeprefix("default: ")
            elif "x" in text and "=" in text:
                limits = text
            else:
                default = f"{default}; {text}"
        meaning = meaning[: note.start()]
    names = ", ".join(code(word) for word in (*option.opts, *option.secondary_opts))
    return names, _value(option, limits, context), default, _linked(meaning)


def _value(option: click.Option, limits: str, context: click.Context) -> str:
    """The values that an option takes."""
    if option.is_flag:
        return ""
    if isinstance(option.type, click.Choice):
        value = ", ".join(code(str(choice)) for choice in option.type.choices)
    elif option.metavar is None and limits:
        value = "number"
    else:
        value = re.sub(r"^\[([^\[\]]*)\]$", r"\1", option.make_metavar(context)).lower()
    if limits and "9223372036854775807" not in limits:
        value = f"{value} {_range(limits)}"
    return f"{value}..." if option.multiple else value


def _range(limits: str) -> str:
    """Range such as ``2<=x<=100`` in words."""
    numbers = re.fullmatch(r"(\d+)<=x<=(\d+)", limits)
    if numbers:
        return f"{numbers[1]}-{numbers[2]}"
    return f"from {limits.removeprefix('x>=')}"


def _linked(text: str) -> str:
    """The text with links in place of paths of pages."""
    return re.sub(
        r"docs/(\w+)/([\w-]+\.md)",
        lambda path: f"[{path[2]}](../{path[1]}/{path[2]})",
        re.sub(r"(?<![`\w-])(--[a-z][a-z-]*[a-z])", r"`\1`", text),
    )


# Study files


def _study(name: str) -> str:
    """The keys of a table of study files, from the docstrings of its model."""
    model = _STUDY_TABLES[name]
    texts = descriptions(model)
    rows = []
    for key, field in model.model_fields.items():
        parts = _KEY.fullmatch(texts[key])
        assert parts is not None, f"{name}.{key}: {texts[key]}"
        default = "required" if field.is_required() else parts["default"]
        meaning = _linked(parts["meaning"])
        rows.append((code(key), parts["value"].lower(), default, code(parts["example"]), meaning))
    return table(("key", "value", "default", "example", "meaning"), rows)


# Words


def _better(word: str) -> str:
    """Nothing for most metrics, of which the lower is the better one."""
    return "" if word == "lower" else word


def _metrics(_: str) -> str:
    """The registry of metrics."""
    rows = (
        (code(metric.name), metric.words, metric.unit, _better(metric.better.value), metric.meaning)
        for metric in METRICS.values()
    )
    return table(("metric", "in tables", "unit", "better", "meaning"), rows)


def _operations(_: str) -> str:
    """Operations: of which kinds of schemes, and when they are measured without being named."""
    rows = []
    for operation in Operation:
        if operation is Operation.COPY_FILE:
            rows.append((code(operation), "none", "with every other `*-file`", "a file"))
            continue
        defaults = FILE_OPERATIONS if operation.on_file else DEFAULT_OPERATIONS_OF
        chosen = [kind.value for kind in Kind if operation in defaults.get(kind, ())]
        start = "with files: " if operation.on_file else "for "
        rows.append(
            (
                code(operation),
                ", ".join(kind.value for kind in Kind if operation in OPERATIONS_OF[kind]),
                start + ", ".join(chosen) if chosen else "-",
                "a file" if operation.on_file else "yes" if operation.sized else "no",
            )
        )
    return table(("operation", "kinds of schemes", "measured by default", "has an input"), rows)


def _meanings(head: str, names: type[Enum]) -> str:
    """The members of an enumeration with their docstrings."""
    texts = descriptions(names)
    return table((head, "meaning"), ((code(str(item.value)), texts[item.name]) for item in names))


def _variants(_: str) -> str:
    """Variants of implementations by meaning, from the files beside adapters and probes."""
    files = [
        *(ROOT / "core" / "adapters").glob("*/variants.toml"),
        *(ROOT / "probes").glob("*/*-variants.toml"),
    ]
    names: dict[tuple[str, str], list[str]] = {}
    for data in (tomllib.loads(path.read_text()) for path in sorted(files)):
        for variant in data["variant"]:
            where = ", ".join(variant.get("architectures", ["all"]))
            name = code(f"{data['implementation']}@{variant['name']}")
            names.setdefault((variant["meaning"], where), []).append(name)
    rows = ((", ".join(variants), *key) for key, variants in names.items())
    return table(("variant", "meaning", "processors"), rows)


MAKERS: dict[str, Callable[[str], str]] = {
    "contents": _contents,
    "command": _command,
    "shared-options": _shared,
    "study": _study,
    "metrics": _metrics,
    "operations": _operations,
    "exit-codes": lambda _: _meanings("code", ExitCode),
    "evidence": lambda _: _meanings("evidence", Evidence),
    "failures": lambda _: _meanings("kind", FailureKind),
    "variants": _variants,
    "costs": lambda name: table(*operations(name)),
    "own-ciphers": lambda _: table(OWN_HEAD, own_ciphers()),
    "documents": lambda _: DocumentList(_schemas()).sections(),
}


def _schemas() -> dict[str, dict[str, Any]]:
    """JSON schemas of all documents, by name."""
    folder = ROOT / "motebench" / "documents" / "json"
    files = sorted(
        folder.glob("*.schema.json"), key=lambda path: (path.name != "result.schema.json", path)
    )
    return {path.name.removesuffix(".schema.json"): json.loads(path.read_text()) for path in files}


if __name__ == "__main__":
    for page in pages():
        page.write_text(filled(page.read_text(encoding="utf-8")), encoding="utf-8")
