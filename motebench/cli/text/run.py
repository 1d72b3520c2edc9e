"""The result of a run as a table or JSON, with the remaining steps; and its exit code."""

from __future__ import annotations

import shlex
import shutil
import sys
from collections.abc import Mapping
from dataclasses import dataclass, fields, is_dataclass, replace
from enum import Enum
from pathlib import Path
from typing import Any

import click

from motebench.base.errors import ExitCode, printable
from motebench.cli.options import DEFAULT_STORE, print_json
from motebench.cli.text.layout import coloured, painted
from motebench.cli.text.progress import Terminal
from motebench.documents.result import Result
from motebench.measuring.request import Measured
from motebench.results.groups import GroupSession
from motebench.results.together import together


def write_report(shown: Result, path: Path, *, force: bool | None, where: str) -> None:
    """Write the HTML report and say where. InputError if it cannot be written."""
    from motebench.show.report.page import write_page

    write_page(shown, path, force=force, where=where)
    click.echo(f"report: {path.resolve().as_uri()}", err=True)


@dataclass(frozen=True, slots=True)
class RunOutput:
    """Store of the results and form of the output. ``report``: a file for the HTML report."""

    store: str
    as_json: bool
    report: Path | None


def show(measured: Measured, output: RunOutput, terminal: Terminal) -> ExitCode:
    """Print what came of it. FAILURES where cases failed, INTERRUPTED where something is left to
    do.

    ``terminal`` knows how long each phase took.
    """
    code = (
        _show_run(measured, output, terminal.took_words())
        if measured.session is None
        else _show_groups(measured, output, measured.session)
    )
    if late := terminal.late_words():
        click.echo(late, err=True)
    return code


def _show_run(measured: Measured, output: RunOutput, took: str) -> ExitCode:
    from motebench.results.document import result

    (run,) = measured.runs
    name = run.info.name
    if measured.nothing_left:
        click.echo(f"motebench: run {name} is finished; nothing to resume", err=True)
    shown = result(run, samples=True)
    if output.as_json:
        print_json(result(run))
    else:
        show_brief(shown, store=output.store)
    if output.report is not None:
        click.echo(f"writing the report to {output.report}", err=True)
        write_report(shown, output.report, force=None, where="--report")
    click.echo(
        f"run {name} is in {output.store}" + ("" if measured.nothing_left else f"; it took {took}"),
        err=True,
    )
    if measured.interrupted:
        click.echo(f"interrupted; motebench run --resume={name} continues it", err=True)
        return ExitCode.INTERRUPTED
    _tell_again(measured, name)
    return ExitCode.FAILURES if measured.failed else ExitCode.OK


def _tell_again(measured: Measured, name: str) -> None:
    """Print the command that tries again cases whose failure may not repeat."""
    if kinds := measured.worth_trying_again:
        click.echo(
            f"motebench run --resume={name} tries again what failed as {', '.join(kinds)}", err=True
        )


_WIDEST, _NARROWEST, _PIPED = 120, 60, 100


def show_brief(shown: Result, *, store: str, run: str | None = None) -> None:
    """Print a run with samples in short. ``run``: the run, where it is not the newest one of the
    store.
    """
    from motebench.cli.text.brief import BriefReader, brief, plain

    terminal = sys.stdout.isatty()
    width = (
        max(_NARROWEST, min(_WIDEST, shutil.get_terminal_size().columns)) if terminal else _PIPED
    )
    options = "" if store == DEFAULT_STORE else f"--store {shlex.quote(store)}"
    paint = painted if coloured(sys.stdout) else plain
    for line in brief(_printable(shown), BriefReader(_called(), options, run, width, paint)):
        click.echo(line, color=coloured(sys.stdout))


def _printable(value: Any) -> Any:
    """The same with texts whose control characters are escaped."""
    if isinstance(value, str):
        return value if isinstance(value, Enum) else printable(value)
    if isinstance(value, Mapping):
        return {key: _printable(part) for key, part in value.items()}
    if isinstance(value, list | tuple):
        return tuple(map(_printable, value))
    if is_dataclass(value) and not isinstance(value, type):
        return replace(
            value, **{field.name: _printable(getattr(value, field.name)) for field in fields(value)}
        )
    return value


def _called() -> str:
    """Name by which the reader calls motebench: its own where the shell finds it, else its path."""
    if shutil.which("motebench"):
        return "motebench"
    path = Path(sys.argv[0])
    here = path.is_absolute() and path.is_relative_to(Path.cwd())
    return str(path.relative_to(Path.cwd()) if here else path)


def _show_groups(measured: Measured, output: RunOutput, session: GroupSession) -> ExitCode:
    if measured.interrupted:
        turns = session.turns()
        click.echo(
            f"interrupted; motebench run --resume={turns[0].group} continues with "
            f"{measured.remaining[0].name} and the {len(measured.remaining) - 1} runs after it",
            err=True,
        )
        return ExitCode.INTERRUPTED
    groups = measured.groups
    if output.as_json:
        from motebench.results.together import runs_document

        print_json(runs_document(session, groups))
    else:
        show_brief(together(groups), store=output.store, run=",".join(groups))
    if output.report is not None:
        write_report(together(groups), output.report, force=None, where="--report")
    _tell_again(measured, next(iter(groups)))
    runs = ", ".join(f"{name}-1 to {name}-{session.runs}" for name in groups)
    click.echo(f"runs {runs} are in {output.store}", err=True)
    return ExitCode.FAILURES if measured.failed else ExitCode.OK
