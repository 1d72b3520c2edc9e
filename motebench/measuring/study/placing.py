"""A study asked of other targets than its file names, and of boards with their code at several places."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from motebench.base.errors import InputError
from motebench.base.naming import SERIAL, SSH
from motebench.measuring.study.load import Boards, Question, at_boards, named_boards
from motebench.measuring.study.model import Group
from motebench.targets.registry import open_target, split_names
from motebench.targets.settings import SIMULATED, everywhere

COMMAND = "command"


def on_targets(question: Question, values: Iterable[str], where: str, fleet: Boards | None = None) -> Question:
    """The same question, asked of these targets; values may be lists with commas, ``where`` names the option.

    Boards without an operating system take the place of such boards, and machines that of machines, so that other
    blocks of the study stay as they are. Whole processes (``command``) are then those of a machine behind SSH, if one
    is named. ``fleet``: what names of boards and groups mean. InputError for an unknown target, or if no
    block measures on targets of that kind; of a group of boards, those that fit are taken.
    """
    given = split_names(values)
    names = at_boards(given, fleet, where)
    if not names:
        return question
    groups, used = [], set()
    for group in question.study.measure:
        targets = tuple(dict.fromkeys(new for old in group.targets for new in _instead(old, names)))
        used |= set(names) & {target.removeprefix(f"{COMMAND}:") for target in targets} | set(names) & set(targets)
        groups.append(group.model_copy(update={"targets": targets}))
    for name in names:
        open_target(name, where=where)
        if name not in used and (name in given or not used):
            raise InputError(
                f"no [[measure]] block of {question.name} can be measured on {name}", where=where,
                valid=f"targets of the kinds of {', '.join(sorted(_targets(question.study.measure)))}",
            )  # fmt: skip
    for group in groups:
        if group.placements:
            everywhere(group.targets, group.placements, where)
    study = question.study.model_copy(update={"measure": tuple(groups)})
    return replace(question, study=study, boards=named_boards(study, fleet))


def with_placements(question: Question, placements: int, where: str) -> Question:
    """The same question with the code of its boards at so many places, whatever the study says.

    InputError if a target is not a simulated board whose code can be moved; ``where`` names the option.
    """
    groups = []
    for group in question.study.measure:
        everywhere(group.targets, placements, where)
        groups.append(group.model_copy(update={"placements": placements}))
    return replace(question, study=question.study.model_copy(update={"measure": tuple(groups)}))


def at_places(question: Question) -> Question:
    """The same question with each place of the code as a target, as it is measured and stored."""
    groups = tuple(
        group.model_copy(update={"targets": everywhere(group.targets, group.placements, None), "placements": None})
        if group.placements
        else group
        for group in question.study.measure
    )
    return replace(question, study=question.study.model_copy(update={"measure": groups}))


def _targets(groups: Iterable[Group]) -> set[str]:
    return {target for group in groups for target in group.targets}


def _instead(old: str, names: tuple[str, ...]) -> tuple[str, ...]:
    """The targets in place of an old one; itself where none is of its kind."""
    if old.startswith(COMMAND):
        new = tuple(f"{COMMAND}:{name}" if name.startswith(SSH) else name for name in names
                    if name.startswith((COMMAND, SSH)))  # fmt: skip
    else:
        new = tuple(name for name in names if _board(name) == _board(old) and not name.startswith(COMMAND))
    return new or (old,)


def _board(name: str) -> bool:
    return name.startswith((SIMULATED, SERIAL))
