"""Page of a leak test: verdicts, the inputs that show a leak, open questions, and the machine."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from markupsafe import Markup

from motebench.base.files.access import FileKind, check, write
from motebench.documents.leak import CountedEntry, ExampleEntry, LeakEntry, LeakVerdict
from motebench.results.presentation.leaks import (
    entry_remarks,
    example_words,
    leak_row,
    method_words,
    parts_of,
    remarks,
    verdict_counts,
)
from motebench.show.report import view
from motebench.show.report.assembly import asset, policy, script, templates

_LEVELS: dict[str, str] = {LeakVerdict.LEAKS: "worst", LeakVerdict.CONSTANT: "good"}
"""Marks of verdicts; the others say nothing for or against."""
_NUMBERS = (
    "bytes",
    "fewest",
    "most",
    "distinct",
    "spread",
    "median",
    "difference",
    "p",
    "control p",
    "would be seen",
)


def write_page(document: LeakEntry, path: Path, *, force: bool | None, where: str) -> Path:
    """Render the leak test and write it to ``path``. InputError if that is not possible."""
    check(path, FileKind.HTML, force=force, where=where)
    return write(path, render(document), FileKind.HTML, force=force, where=where)


def render(document: LeakEntry) -> str:
    """The page as text."""
    scripts = [script("theme.js"), script("button.js")]
    style = asset("report.css")
    environment = templates()
    environment.filters.update(level=_level)
    return environment.get_template("leak.html.j2").render(
        csp=policy(scripts, style),
        style=Markup(style),  # noqa: S704 - our own file
        scripts=[Markup(text) for text in scripts],  # noqa: S704 - our own files, checked in script
        document=document,
        answer=_answer(document),
        method=method_words(document),
        when=view.span(document.run.started, document.run.finished or ""),
        counts=verdict_counts(document.findings),
        tables=_tables(document),
        numbers=_NUMBERS,
        examples=_examples(document),
        parts_of=parts_of,
        example_words=example_words,
        remarks=[
            *(line for entry in document.findings for line in entry_remarks(entry)),
            *remarks(document),
        ],
        environment=view.flatten(document.environment.host),
    )


def _answer(document: LeakEntry) -> str:
    """The verdict on the implementation in a few words."""
    leaks, total = sum(entry.leaks for entry in document.findings), len(document.findings)
    if leaks:
        return (
            f"{document.implementation} leaks: its time depends on {leaks} of {total} secrets "
            "that were varied"
        )
    if not total:
        return f"{document.implementation}: nothing was examined"
    if all(entry.verdict == LeakVerdict.CONSTANT for entry in document.findings):
        return f"{document.implementation} took the same cycles for all inputs"
    return f"{document.implementation}: no leak was found"


def _tables(document: LeakEntry) -> Sequence[tuple[list[str], list[dict[str, str | int | None]]]]:
    """Rows with equal headings together, each table with its headings."""
    tables: dict[tuple[str, ...], list[dict[str, str | int | None]]] = {}
    for entry in document.findings:
        row = leak_row(entry)
        tables.setdefault(tuple(row), []).append(row)
    return [(list(headings), rows) for headings, rows in tables.items()]


def _examples(document: LeakEntry) -> list[tuple[CountedEntry, ExampleEntry]]:
    """The findings that have a pair of inputs with different cycles."""
    counted = [entry for entry in document.findings if isinstance(entry, CountedEntry)]
    return [(entry, entry.example) for entry in counted if entry.example is not None]


def _level(verdict: str) -> str:
    return _LEVELS.get(verdict, "")
