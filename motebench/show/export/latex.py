"""Tables for papers: one ``longtable`` with booktabs rules per metric, then the failures as a list."""

from __future__ import annotations

from collections.abc import Sequence

from motebench.base.files.access import FileKind
from motebench.catalog.proof import marked
from motebench.documents.result import Measurement, Result
from motebench.show.export._common import (
    batch_words,
    by_metric,
    count_words,
    failure_words,
    input_words,
    interval_words,
    machine_words,
    median_words,
    several,
    software_words,
    title,
)

FORM = FileKind.LATEX

_HEAD = ("Scheme", "Implementation", "Operation", "Input", "Median", "Interval", "$n$")
_OF_BATCHES = ("Batches", "Course")
_SPECIAL = {
    "\\": r"\textbackslash{}", "{": r"\{", "}": r"\}", "$": r"\$", "&": r"\&", "#": r"\#", "%": r"\%", "_": r"\_",
    "~": r"\textasciitilde{}", "^": r"\textasciicircum{}", "<": r"\textless{}", ">": r"\textgreater{}",
    "|": r"\textbar{}", '"': r"\textquotedbl{}", "µ": r"$\mu$", "±": r"$\pm$",
}  # fmt: skip


def render(result: Result) -> str:
    r"""A file to ``\input``; the preamble it needs is in its first line."""
    run = result.run
    lines = [
        r"% needs \usepackage[T1]{fontenc}, \usepackage{booktabs} and \usepackage{longtable}",
        f"% motebench {_comment(run.version)}, run {_comment(run.name)}, {_comment(run.started)}",
    ]
    lines += [f"% {_comment(words)}" for words in (machine_words(result), *software_words(result)) if words]
    # A group, so that the smaller type ends with the tables; otherwise seven columns do not fit the text width.
    lines += [r"{\small\setlength{\tabcolsep}{4pt}"]
    for name, evidence, entries in by_metric(result):
        lines += _table(name, evidence, entries)
    lines += ["}"]
    if result.failures:
        lines += [r"\paragraph{Failures}", r"\begin{itemize}"]
        lines += [rf"\item {_text(failure_words(failure))}" for failure in result.failures]
        lines += [r"\end{itemize}"]
    return "\n".join(lines) + "\n"


def _table(name: str, evidence: str, entries: Sequence[Measurement]) -> list[str]:
    """The lines of the table of one metric."""
    # One target is named once; several targets get a column.
    targets = sorted({entry.target for entry in entries})
    place = f", on {marked(targets[0])}" if len(targets) == 1 else ""
    batched = several(entries)
    head = (*(() if place else ("Target",)), *_HEAD, *(_OF_BATCHES if batched else ()))
    heading = r" & ".join(head) + r" \\"
    lines = [
        rf"\begin{{longtable}}{{{'l' * (3 if place else 4)}rrrr{'rl' if batched else ''}}}",
        rf"\caption{{{_text(title(name, evidence) + place)}}}\\",
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
        cells = [*_cells(entry)[1 if place else 0 :], *(batch_words(entry) if batched else ())]
        lines.append(" & ".join(_text(cell) for cell in cells) + r" \\")
    return [*lines, r"\end{longtable}"]


def _cells(entry: Measurement) -> list[str]:
    return [
        marked(entry.target),
        entry.scheme,
        entry.implementation,
        entry.operation,
        input_words(entry),
        median_words(entry),
        interval_words(entry),
        count_words(entry),
    ]


def _text(value: object) -> str:
    text = "".join(_SPECIAL.get(character, character) for character in " ".join(str(value).split()))
    # LaTeX would take a bracket at the start of a cell for an argument of the row end before it.
    return f"{{}}{text}" if text.startswith(("[", "*")) else text


def _comment(value: object) -> str:
    return " ".join(str(value).split())
