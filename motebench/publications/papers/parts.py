"""The runs of a replication: which study each is of, on which target, and in which sizes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from motebench.base.errors import InputError
from motebench.base.paths import studies_dir
from motebench.measuring.study.load import Question, from_file, to_toml
from motebench.measuring.study.model import Group
from motebench.publications.papers.model import ReplicationPart

SMALL = "small"
KEPT = 1000
"""Bytes of the largest size that is never made smaller."""
_STEP = 16


@dataclass(frozen=True, slots=True)
class InputScale:
    """How much smaller than published inputs are: a factor, or what each part calls ``small``."""

    factor: float = 1.0
    small: bool = False

    @classmethod
    def of(cls, text: str) -> InputScale:
        """``small``, or a factor of at most 1. InputError for anything else."""
        if text == SMALL:
            return cls(small=True)
        try:
            factor = float(text)
        except ValueError:
            factor = 0.0
        if not 0 < factor <= 1:
            raise InputError(f"{text!r} is not a scale", where="--scale", valid="small, or a number up to 1: 0.1")
        return cls(factor)

    def for_part(self, part: ReplicationPart) -> float:
        """The factor of the sizes of a part."""
        return (part.small if self.small else self.factor) if part.scales else 1.0

    @property
    def name(self) -> str:
        """A word for names of runs; empty for the published sizes."""
        return SMALL if self.small else "" if self.factor == 1 else f"x{self.factor:g}"


@dataclass(frozen=True, slots=True)
class PreparedPart:
    """A part that can be run. ``sizes``: the published size of each that is measured."""

    part: ReplicationPart
    question: Question
    sizes: Mapping[int, int]


def kind_of(target: str) -> str:
    """``command`` for whole processes, ``board`` for what firmware runs on, else ``machine``."""
    if target == "command" or target.startswith("command:"):
        return "command"
    return "board" if target.startswith(("sim:", "serial:")) else "machine"


def targets_for(part: ReplicationPart, asked: Sequence[str]) -> tuple[str, ...]:
    """The targets of a part: those asked for that are of the kind of its own, else its own."""
    fitting = tuple(target for target in asked if kind_of(target) == kind_of(part.target))
    return fitting or (part.target,)


def check_targets(parts: Iterable[ReplicationPart], asked: Sequence[str]) -> None:
    """InputError for a target that no part can be measured on."""
    kinds = {kind_of(part.target): part.target for part in parts}
    for target in asked:
        if kind_of(target) not in kinds:
            raise InputError(
                f"this paper has no part that runs on {target!r}",
                where="--target",
                valid=", ".join(f"a target like {name}" for name in kinds.values()),
            )


def prepare(part: ReplicationPart, folder: Path, asked: Sequence[str], scale: InputScale) -> PreparedPart:
    """The question of a part, with its targets and sizes."""
    path = folder / part.study
    question = from_file(path if path.exists() else studies_dir() / part.study)
    wanted = [number - 1 for number in part.groups] or range(len(question.study.measure))
    factor = scale.for_part(part)
    sizes: dict[int, int] = {}
    groups = []
    for number in wanted:
        group = question.study.measure[number]
        own = group.targets
        kinds = {kind_of(name) for name in own}
        targets = targets_for(part, asked) if kinds == {kind_of(part.target)} and (asked or len(own) == 1) else own
        changes = {"targets": targets, **({"schemes": part.schemes} if part.schemes else {})}
        if part.implementations:
            changes["implementations"] = part.implementations
        groups.append(_scaled(group.model_copy(update=changes), factor, sizes))
    study = question.study.model_copy(update={"measure": tuple(groups)})
    short = part.model_dump(include={"budget", "warmup", "invocations"}, exclude_none=True) if scale.small else {}
    if short:
        study = study.model_copy(update={"sampling": study.sampling.model_copy(update=short)})
    return PreparedPart(part, replace(question, study=study, text=to_toml(study), name=part.study), sizes)


def _scaled(group: Group, factor: float, sizes: dict[int, int]) -> Group:
    changes = {}
    for name in ("sizes", "file_sizes"):
        found = []
        for size in getattr(group, name):
            new = size if factor == 1 or size <= KEPT else max(KEPT, round(size * factor / _STEP) * _STEP)
            if sizes.setdefault(new, size) != size:
                raise InputError(
                    f"with this scale, {size} and {sizes[new]} bytes become one size",
                    where="--scale",
                    valid="a larger one",
                )
            found.append(new)
        changes[name] = tuple(found)
    return group.model_copy(update=changes)
