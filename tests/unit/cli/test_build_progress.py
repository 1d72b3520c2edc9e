"""Progress of builds: lines in a log, by a clock of the test's own; a line that changes on a
terminal.
"""

from __future__ import annotations

import io
import logging

import pytest
from rich.console import Console
from rich.progress import Progress as RichProgress

from motebench.cli import streams
from motebench.cli.text import progress
from motebench.cli.text.progress import Terminal, show_build
from motebench.targets.setup.steps import EXTRA, LOGGER, BuildStep

WHAT = "building the probe of openssl for armv7"


def step(
    seconds: float, number: int = 2, *, over: bool = False, before: float | None = None
) -> BuildStep:
    return BuildStep(
        WHAT, "compiling OpenSSL" if number else "", number, seconds, before, None, over
    )


class Clock:
    """A clock that stands until it is moved."""

    seconds = 1000.0

    def __call__(self) -> float:
        return self.seconds


def test_a_log_gets_a_line_every_few_seconds_and_none_of_short_builds(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    clock = Clock()
    with Terminal(quiet=False, now=clock).run(None, 1, 1):
        show_build(step(0, number=0))
        for second in range(1, 13):
            clock.seconds += 1
            show_build(step(second))
        show_build(step(12, over=True))
    assert capsys.readouterr().err.splitlines() == [
        f"{WHAT}: compiling OpenSSL, 5 s so far",
        f"{WHAT}: compiling OpenSSL, 10 s so far",
    ]


def test_quiet_says_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    with Terminal(quiet=True).run(None, 1, 1):
        show_build(step(0, number=0))
        show_build(step(99))
        show_build(step(99, over=True))
    assert capsys.readouterr().err == ""


def test_a_build_outside_a_run_opens_a_view_and_closes_it(monkeypatch: pytest.MonkeyPatch) -> None:
    show_build(step(0, number=0))
    assert len(progress._views) == 1
    show_build(step(3))
    show_build(step(4, over=True))
    assert progress._views == []


def test_a_terminal_shows_the_step_while_the_build_runs() -> None:
    with RichProgress(console=Console(file=io.StringIO()), auto_refresh=False) as bar:
        view = progress._Bar(bar)
        view.build(step(0, number=0))
        view.build(step(9, before=74.0))
        assert [task.description for task in bar.tasks] == ["starting", "compiling OpenSSL"]
        assert bar.tasks[1].fields["rest"] == "74 s before"
        view.build(step(12, over=True))
        assert [task.description for task in bar.tasks] == ["starting"]


def test_records_of_steps_reach_the_view(monkeypatch: pytest.MonkeyPatch) -> None:
    shown: list[BuildStep] = []
    monkeypatch.setattr(progress, "show_build", shown.append)
    handler = streams._LogHandler()
    logger = logging.getLogger(LOGGER)
    monkeypatch.setattr(logger, "handlers", [handler])
    monkeypatch.setattr(logger, "level", logging.DEBUG)
    monkeypatch.setattr(logger, "propagate", False)
    logger._cache.clear()  # type: ignore[attr-defined]
    logger.debug(step(3), extra={EXTRA: step(3)})
    logger._cache.clear()  # type: ignore[attr-defined]
    assert shown == [step(3)]
