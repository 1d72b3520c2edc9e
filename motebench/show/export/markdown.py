"""Tables for issues, pull requests and wikis: one per metric, then the failures."""

from __future__ import annotations

import re
from collections.abc import Sequence

from motebench.base.files.access import FileKind
from motebench.catalog.proof import marked
from motebench.documents.result import Measurement, Result
from motebench.results.presentation.by_size import SizesTable
from motebench.results.presentation.provenance import origin_line
from motebench.show.export._common import (
    batch_words,
    by_metric,
    count_words,
    failure_words,
    input_words,
    interval_words,
    machine_words,
    median_words,
    runs_words,
    several,
    software_words,
    title,
)

FORM = FileKind.MARKDOWN

_HEAD = (
    "scheme",
    "implementation",
    "target",
    "operation",
    "input",
    "median",
    "interval",
    "n",
    "source",
)
_OF_BATCHES = ("batches", "course")
_RIGHT = {"input", "median", "n", "batches"}
_SPECIAL = re.compile(r"([\\`*_{}\[\]<>#|~&])")


def render(result: Result) -> str:
    """GitHub-flavoured Markdown."""
    run, sentence = result.run, runs_words(result.run)
    lines = [
        f"# {_text(run.study)}",
        "",
        f"{_text(sentence[:1].upper() + sentence[1:])}, {_text(run.status)}, {_text(run.started)}.",
    ]
    lines += [f"Machine: {_text(sentence)}." for sentence in (machine_words(result),) if sentence]
    lines.append(f"By {_text(origin_line(result))}.")
    lines += ["", *(f"- {_text(sentence)}" for sentence in software_words(result)), ""]
    for name, evidence, entries in by_metric(result):
        lines += [f"## {_text(title(name, evidence))}", ""]
        batched = several(entries)
        head = [*_HEAD, *(_OF_BATCHES if batched else ())]
        lines += [_row(head), _row(["---:" if column in _RIGHT else "---" for column in head])]
        for entry in entries:
            cells = [*_cells(entry), *(batch_words(entry) if batched else ())]
            lines.append(_row([_text(cell) for cell in cells]))
        lines.append("")
    if result.failures:
        lines += [
            "## Failures",
            "",
            *(f"- {_text(failure_words(failure))}" for failure in result.failures),
            "",
        ]
    return re.sub(r"\n{3,}", "\n\n", "\n".join(lines))


def render_by_size(result: Result, tables: Sequence[SizesTable]) -> str:
    """GitHub-flavoured Markdown with a column for each size, and nothing else of the run but its
    failures.
    """
    lines = []
    for table in tables:
        head = ["scheme", "implementation", "operation", *table.heads]
        lines += [f"## {_text(table.title)}", "", _row([_text(cell) for cell in head])]
        lines.append(_row([*["---"] * 3, *["---:"] * len(table.heads)]))
        for line in table.lines:
            cells = (line.scheme, line.implementation, line.operation, *table.texts(line))
            lines.append(_row([_text(cell) for cell in cells]))
        lines += ["", *(_text(note) for note in table.notes), ""]
    if result.failures:
        lines += [
            "## Failures",
            "",
            *(f"- {_text(failure_words(failure))}" for failure in result.failures),
            "",
        ]
    return "\n".join(lines)


def _cells(entry: Measurement) -> list[str]:
    return [
        entry.scheme,
        entry.implementation,
        marked(entry.target),
        entry.operation,
        input_words(entry),
        median_words(entry),
        interval_words(entry),
        count_words(entry),
        entry.source,
    ]


def _row(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _text(value: object) -> str:
    """Escaped text: no markup, no early end of a table cell, one line."""
    return _SPECIAL.sub(r"\\\1", " ".join(str(value).split()))
