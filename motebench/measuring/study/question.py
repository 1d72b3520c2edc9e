"""A question: a study with resolved names; and the same question asked in another way.

Other samples (`with_sampling`), with instruments, of other targets than its file names
(`on_targets`), or with the code of its boards at several places.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Protocol

from motebench.base.errors import InputError
from motebench.base.naming import SERIAL, SIMULATED, SSH
from motebench.measuring.study.model import Group, Sampling, Study
from motebench.targets.code.workspace import Workspace
from motebench.targets.registry import called_target, open_target, split_names
from motebench.targets.settings import everywhere

COMMAND = "command"


class Boards(Protocol):
    """Named boards: a `motebench.measuring.fleet.file.Fleet`."""

    def targets(self, names: Iterable[str], where: str | None = None) -> tuple[str, ...]:
        """The targets that names of boards, groups and targets mean."""
        ...

    def named(self, targets: Iterable[str]) -> dict[str, str]:
        """The names of boards, by target."""
        ...


@dataclass(frozen=True, slots=True)
class Question:
    """A study with resolved names, its original text, and the schemes and code behind the names.

    command: the command line that asks; None where it is asked in another way. places: where the
    implementations of each group are named, for messages.
    """

    study: Study
    text: str
    name: str
    workspace: Workspace = field(default_factory=Workspace)
    command: str | None = None
    places: tuple[str | None, ...] = ()
    boards: Mapping[str, str] = field(default_factory=dict)
    """Names of boards in a fleet file, by target."""


def named_boards(study: Study, fleet: Boards | None) -> dict[str, str]:
    """The names of the fleet's boards that a study measures, by target."""
    return (
        fleet.named(target for group in study.measure for target in group.targets) if fleet else {}
    )


def at_boards(names: tuple[str, ...], fleet: Boards | None, where: str | None) -> tuple[str, ...]:
    """Names of boards replaced by their targets, and short names of targets by their names."""
    if fleet is None:
        for name in names:
            if name.startswith("@"):
                raise InputError(
                    f"{name!r} is a group of boards, which needs a fleet",
                    where=where,
                    hint="give the file of the fleet: --fleet FILE",
                )
        return tuple(map(called_target, names))
    return fleet.targets(names, where)


def with_sampling(
    question: Question, sampling: Sampling, whole_file: Mapping[str, object] | None = None
) -> Question:
    """The same question, measured for as long as ``sampling`` says; what it does not set stays the
    study's.

    ``whole_file``: keys of `WholeFile` that change.
    """
    study = question.study
    changes = {
        "sampling": study.sampling.model_copy(update=sampling.model_dump(exclude_unset=True)),
        "whole_file": study.whole_file.model_copy(update=whole_file or {}),
    }
    return replace(question, study=study.model_copy(update=changes))


def with_instruments(question: Question, values: Sequence[str]) -> Question:
    """Question with instruments: one, or one for each target by entries ``TARGET=NAME``."""
    targets = {target: target for group in question.study.measure for target in group.targets}
    targets |= {board: target for target, board in question.boards.items()}
    instruments: dict[str, str] = {}
    for value in values:
        prefix = max(
            (name for name in targets if value.startswith(f"{name}=")), key=len, default=""
        )
        target = targets.get(prefix, "")
        if not target and len(values) > 1:
            raise InputError(
                f"{value!r} does not say which target it reads",
                where="--instrument",
                valid=f"TARGET=NAME, of the targets {', '.join(sorted(targets))}",
            )
        if target in instruments:
            raise InputError(
                f"two instruments read {target}", where="--instrument", valid="one for each target"
            )
        instruments[target] = value.removeprefix(f"{prefix}=") if target else value
    if not instruments:
        return question
    alone = instruments.get("")
    changes: dict[str, object] = {
        "instrument": alone,
        "instruments": None if alone else instruments,
    }
    sampling = question.study.sampling.model_copy(update=changes)
    return replace(question, study=question.study.model_copy(update={"sampling": sampling}))


def on_targets(
    question: Question, values: Iterable[str], where: str, fleet: Boards | None = None
) -> Question:
    """The same question, asked of these targets; values may be lists with commas, ``where`` names
    the option.

    Boards without an operating system take the place of such boards, and machines that of machines,
    so that other blocks of the study stay as they are. Whole processes (``command``) are then those
    of a machine behind SSH, if one is named. ``fleet``: what names of boards and groups mean.
    InputError for an unknown target, or if no block measures on targets of that kind; of a group of
    boards, those that fit are taken.
    """
    given = split_names(values)
    names = at_boards(given, fleet, where)
    if not names:
        return question
    groups, used = [], set()
    for group in question.study.measure:
        targets = tuple(dict.fromkeys(new for old in group.targets for new in _instead(old, names)))
        used |= set(names) & {target.removeprefix(f"{COMMAND}:") for target in targets} | set(
            names
        ) & set(targets)
        groups.append(group.model_copy(update={"targets": targets}))
    for name in names:
        open_target(name, where=where)
        if name not in used and (name in given or not used):
            raise InputError(
                f"no [[measure]] block of {question.name} can be measured on {name}",
                where=where,
                valid="targets of the kinds of "
                f"{', '.join(sorted(_targets(question.study.measure)))}",
            )
    for group in groups:
        if group.placements:
            everywhere(group.targets, group.placements, where)
    study = question.study.model_copy(update={"measure": tuple(groups)})
    return replace(question, study=study, boards=named_boards(study, fleet))


def with_placements(question: Question, placements: int, where: str) -> Question:
    """The same question with the code of its boards at so many places, whatever the study says.

    InputError if a target is not a simulated board whose code can be moved; ``where`` names the
    option.
    """
    groups = []
    for group in question.study.measure:
        everywhere(group.targets, placements, where)
        groups.append(group.model_copy(update={"placements": placements}))
    return replace(question, study=question.study.model_copy(update={"measure": tuple(groups)}))


def at_places(question: Question) -> Question:
    """Question with each place of the code as a target, as it is measured and stored; repeating
    this changes nothing.
    """
    groups = tuple(
        group.model_copy(
            update={"targets": everywhere(group.targets, group.placements, None), "placements": 1}
        )
        for group in question.study.measure
    )
    return replace(question, study=question.study.model_copy(update={"measure": groups}))


def _targets(groups: Iterable[Group]) -> set[str]:
    return {target for group in groups for target in group.targets}


def _instead(old: str, names: tuple[str, ...]) -> tuple[str, ...]:
    """The targets in place of an old one; itself where none is of its kind."""
    if old.startswith(COMMAND):
        new = tuple(
            f"{COMMAND}:{name}" if name.startswith(SSH) else name
            for name in names
            if name.startswith((COMMAND, SSH))
        )
    else:
        new = tuple(
            name for name in names if _board(name) == _board(old) and not name.startswith(COMMAND)
        )
    return new or (old,)


def _board(name: str) -> bool:
    return name.startswith((SIMULATED, SERIAL))
