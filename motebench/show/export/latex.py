"""Tables for papers with booktabs rules and labels: one ``longtable`` per metric, then the failures
as a list; or one ``table`` per metric with a column for each size of the input."""

from __future__ import annotations

import re
from collections.abc import Sequence

from motebench.base.files.access import FileKind
from motebench.base.units import UnitScale, common_scale
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

FORM = FileKind.LATEX

_WORDS = ("Scheme", "Implementation", "Operation", "Input")
_OF_BATCHES = ("Batches", "Course")
_SPECIAL = {
    "\\": r"\textbackslash{}",
    "{": r"\{",
    "}": r"\}",
    "$": r"\$",
    "&": r"\&",
    "#": r"\#",
    "%": r"\%",
    "_": r"\_",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    '"': r"\textquotedbl{}",
    "µ": r"$\mu$",
    "±": r"$\pm$",
}


def render(result: Result) -> str:
    r"""A file to ``\input``; the preamble it needs is in its first line."""
    lines = [
        r"% needs \usepackage[T1]{fontenc}, \usepackage{booktabs} and \usepackage{longtable}",
        *_origin(result),
    ]
    # A group, so that the smaller type ends with the tables; otherwise seven columns do not fit the
    # text width.
    lines += [r"{\small\setlength{\tabcolsep}{4pt}"]
    for name, evidence, entries in by_metric(result):
        lines += _table(result.run.name, name, evidence, entries)
    lines += ["}", *_failures(result)]
    return "\n".join(lines) + "\n"


def render_by_size(result: Result, tables: Sequence[SizesTable]) -> str:
    r"""A file to ``\input`` with a float for each table."""
    lines = [r"% needs \usepackage[T1]{fontenc} and \usepackage{booktabs}", *_origin(result)]
    for table in tables:
        lines += _float(result.run.name, table, several=len({table.target for table in tables}) > 1)
    return "\n".join([*lines, *_failures(result)]) + "\n"


def _origin(result: Result) -> list[str]:
    run = result.run
    lines = [
        (
            f"% {_comment(runs_words(run))}, {_comment(run.started)}, by "
            f"{_comment(origin_line(result))}"
        )
    ]
    return lines + [
        f"% {_comment(sentence)}"
        for sentence in (machine_words(result), *software_words(result))
        if sentence
    ]


def _failures(result: Result) -> list[str]:
    if not result.failures:
        return []
    items = [rf"\item {_text(failure_words(failure))}" for failure in result.failures]
    return [r"\paragraph{Failures}", r"\begin{itemize}", *items, r"\end{itemize}"]


def _label(*parts: str) -> str:
    r"""The label of a table, for ``\ref``: letters, digits and hyphens alone."""
    return rf"\label{{tab:{re.sub('[^A-Za-z0-9]+', '-', '-'.join(parts)).strip('-')}}}"


def _float(run: str, table: SizesTable, *, several: bool) -> list[str]:
    """The lines of a table by size. ``several``: there are tables of other targets."""
    label = _label(run, table.metric, table.evidence, *([table.target] if several else []))
    first, last = 4, 3 + len(table.heads)
    heading = ("Scheme", "Implementation", "Operation", *map(_text, table.heads))
    lines = [
        r"\begin{table}",
        r"\centering",
        rf"\caption{{{_text(_capital(table.title))}}}{label}",
        r"\small\setlength{\tabcolsep}{4pt}",
        rf"\begin{{tabular}}{{lll{'r' * len(table.heads)}}}",
        r"\toprule",
        rf" & & & \multicolumn{{{len(table.heads)}}}{{c}}{{{_text(_capital(table.measure))}}} \\",
        rf"\cmidrule(l){{{first}-{last}}}",
        " & ".join(heading) + r" \\",
        r"\midrule",
    ]
    for line in table.lines:
        cells = (line.scheme, line.implementation, line.operation, *table.texts(line))
        lines.append(" & ".join(_text(cell) for cell in cells) + r" \\")
    notes = rf"\par\smallskip\footnotesize {_text(' '.join(table.notes))}"
    return [
        *lines,
        r"\bottomrule",
        r"\end{tabular}",
        *([notes] if table.notes else []),
        r"\end{table}",
    ]


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def _table(run: str, name: str, evidence: str, entries: Sequence[Measurement]) -> list[str]:
    """The lines of the table of one metric."""
    # One target is named once; several targets get a column.
    targets = sorted({entry.target for entry in entries})
    place = f", on {marked(targets[0])}" if len(targets) == 1 else ""
    batched = several(entries)
    scale = common_scale([entry.median for entry in entries], entries[0].unit)
    unit = "" if scale.unit == "1" else f" ({scale.unit})"
    numbers = (_text(f"Median{unit}"), _text(f"Interval{unit}"), "$n$")
    head = (*(() if place else ("Target",)), *_WORDS, *numbers, *(_OF_BATCHES if batched else ()))
    heading = r" & ".join(head) + r" \\"
    lines = [
        rf"\begin{{longtable}}{{{'l' * (3 if place else 4)}rrrr{'rl' if batched else ''}}}",
        rf"\caption{{{_text(title(name, evidence, scale.unit) + place)}}}"
        rf"{_label(run, name, evidence)}\\",
        r"\toprule",
        heading,
        r"\midrule",
        r"\endfirsthead",
        r"\toprule",
        heading,
        r"\midrule",
        r"\endhead",
        r"\bottomrule",
        r"\endfoot",
    ]
    for entry in entries:
        cells = [
            *_cells(entry, scale)[1 if place else 0 :],
            *(batch_words(entry) if batched else ()),
        ]
        lines.append(" & ".join(_text(cell) for cell in cells) + r" \\")
    return [*lines, r"\end{longtable}"]


def _cells(entry: Measurement, scale: UnitScale) -> list[str]:
    return [
        marked(entry.target),
        entry.scheme,
        entry.implementation,
        entry.operation,
        input_words(entry),
        median_words(entry, scale),
        interval_words(entry, scale),
        count_words(entry),
    ]


def _text(value: object) -> str:
    text = "".join(_SPECIAL.get(character, character) for character in " ".join(str(value).split()))
    # LaTeX would take a bracket at the start of a cell for an argument of the row end before it.
    return f"{{}}{text}" if text.startswith(("[", "*")) else text


def _comment(value: object) -> str:
    return " ".join(str(value).split())
