"""What a study takes from a fleet: its workers, and the instruments of its boards."""

from __future__ import annotations

from contextlib import AbstractContextManager, nullcontext
from typing import TYPE_CHECKING

from motebench.base.errors import InputError
from motebench.measuring.fleet.file import Fleet

if TYPE_CHECKING:
    from motebench.measuring.fleet.crew import Crew
    from motebench.measuring.study.question import Question


def crew_of(fleet: Fleet | None) -> AbstractContextManager[Crew | None]:
    """The workers of a fleet with a scheduler, as a context; None without one."""
    if fleet is None or fleet.scheduler is None:
        return nullcontext()
    from motebench.measuring.fleet.crew import Crew

    return Crew(fleet)


def check_alone(fleet: Fleet | None, *, group: bool) -> None:
    """InputError if workers were to make several runs of a ``group``."""
    if group and fleet is not None and fleet.scheduler is not None:
        raise InputError(
            "several runs of one study are made by one process", where="--runs",
            valid="one run, or a fleet file without a scheduler",
        )  # fmt: skip


def instruments_of(question: Question, fleet: Fleet | None) -> list[str]:
    """The instruments that a fleet file names for the boards of the question: ``TARGET=INSTRUMENT`` each."""
    if fleet is None:
        return []
    known = {board.target: board.instrument for board in fleet.boards.values() if board.instrument}
    return [f"{target}={known[target]}" for target in question.boards if target in known]
