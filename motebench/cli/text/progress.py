"""How far a run is, told on standard error: a bar on a terminal, lines in a log."""

from __future__ import annotations

import contextlib
import sys
import time
from collections.abc import Iterator
from typing import TYPE_CHECKING

import click

from motebench.groups import Turn
from motebench.model import Case, Failure
from motebench.presentation.rows import case_words
from motebench.runner.progress import Progress, Silent, State

if TYPE_CHECKING:
    from rich.progress import Progress as RichProgress
    from rich.progress import TaskID


class Terminal:
    """The observer of runs that a command is. ``quiet``: it says nothing."""

    def __init__(self, *, quiet: bool) -> None:
        self._quiet = quiet

    @contextlib.contextmanager
    def run(self, turn: Turn | None, place: int, of: int) -> Iterator[Progress]:
        """See `motebench.runs.request.Observer`."""
        if turn is not None and not self._quiet:
            click.echo(f"run {turn.name}, {place} of {of}", err=True)
        with _progress(self._quiet) as progress:
            yield progress


@contextlib.contextmanager
def _progress(quiet: bool) -> Iterator[Progress]:
    if quiet:
        yield Silent()
        return
    if not sys.stderr.isatty():
        yield _Lines()
        return
    from rich.console import Console
    from rich.progress import BarColumn, TaskProgressColumn, TextColumn, TimeElapsedColumn
    from rich.progress import Progress as RichProgress

    columns = (TextColumn("{task.description:<44.44}"), BarColumn(), TaskProgressColumn(), TimeElapsedColumn())
    with RichProgress(*columns, console=Console(stderr=True), transient=True, refresh_per_second=4) as bar:
        yield _Bar(bar)


class _Lines:
    """Progress for logs: a line when something is worth one."""

    def __init__(self) -> None:
        self._said = time.monotonic()

    def checking(self, what: str, done: int, total: int) -> None:
        del what
        if done == 0:
            click.echo(f"checking known answers of {total} implementations of schemes", err=True)

    def sampled(self, case: Case, state: State) -> None:
        del case
        if time.monotonic() - self._said >= 5:
            self._said = time.monotonic()
            done = f"{state.finished} of {state.total} cases finished"
            click.echo(f"{done} after {state.seconds:.0f} s (at most {state.budget:.0f} s)", err=True)

    def metering(self, what: str, done: int, total: int) -> None:
        click.echo(f"energy of {what}, {done + 1} of {total}", err=True)

    def failed(self, failure: Failure) -> None:
        click.echo(_failure_line(failure), err=True)


class _Bar:
    """A progress bar: known answers first, then the share of the work that is done."""

    def __init__(self, bar: RichProgress) -> None:
        self._bar = bar
        self._task: TaskID = bar.add_task("starting", total=None)

    def checking(self, what: str, done: int, total: int) -> None:
        self._bar.update(self._task, description=f"known answers: {what}", completed=done, total=total)

    def sampled(self, case: Case, state: State) -> None:
        size = f" {case.input_words()}" if case.operation.sized else ""
        what = f"{case.scheme} {case.operation.value}{size}"
        # Never full before the end: beyond the fewest samples, some cases need more.
        share = min(state.share, 0.99 if state.finished < state.total else 1.0)
        self._bar.update(self._task, description=what, completed=share * state.total, total=state.total)

    def metering(self, what: str, done: int, total: int) -> None:
        self._bar.update(self._task, description=f"energy: {what}", completed=done, total=total)

    def failed(self, failure: Failure) -> None:
        self._bar.console.print(_failure_line(failure), markup=False, highlight=False)


def _failure_line(failure: Failure) -> str:
    return f"failed: {case_words(failure)}: {failure.kind.value}: {failure.message}"
