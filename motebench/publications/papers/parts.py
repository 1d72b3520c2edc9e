"""Parts of a replication: which targets and sizes each is measured on, with a scale."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType

from motebench.base.errors import InputError
from motebench.base.naming import SSH
from motebench.base.paths import studies_dir
from motebench.measuring.study.load import from_file, to_toml
from motebench.measuring.study.model import Group, Study
from motebench.measuring.study.question import Question
from motebench.publications.papers.claims import ClaimsFile, ReplicationPart, folder_of
from motebench.publications.papers.planning import ClaimPlanner, narrowed

SMALL = "small"
KEPT = 1000
"""Bytes of the largest size that is never made smaller."""
_STEP = 16


@dataclass(frozen=True, slots=True)
class InputScale:
    """Reduction of the published sizes of inputs: a factor, or the sizes that each part calls
    ``small``.

    ``small`` also leaves out what no claim compares, and takes as many samples as the claims need.
    """

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
            raise InputError(
                f"{text!r} is not a scale", where="--scale", valid="small, or a number up to 1: 0.1"
            )
        return cls(factor)

    def sizes(self, part: ReplicationPart, published: Sequence[int]) -> dict[int, int]:
        """The size to measure for each published one. InputError where two would become one."""
        ordered = sorted(set(published))
        if self.small:
            if part.small and len(part.small) != len(ordered):
                count = len(ordered)
                raise InputError(
                    f"{part.study} has {count} sizes",
                    where=f"part {part.name}: small",
                    valid=f"{count}",
                )
            return dict(zip(ordered, part.small or ordered, strict=True))
        factor = self.factor if part.scales else 1.0
        scaled: dict[int, int] = {}
        for size in ordered:
            new = (
                size
                if factor == 1 or size <= KEPT
                else max(KEPT, round(size * factor / _STEP) * _STEP)
            )
            if new in scaled.values():
                other = next(old for old, taken in scaled.items() if taken == new)
                raise InputError(
                    f"with this scale, {other} and {size} bytes become one size",
                    where="--scale",
                    valid="a larger one",
                )
            scaled[size] = new
        return scaled

    @property
    def name(self) -> str:
        """A word for names of runs; empty for the published sizes."""
        return SMALL if self.small else "" if self.factor == 1 else f"x{self.factor:g}"


PUBLISHED = InputScale()
"""The sizes of the paper."""


@dataclass(frozen=True, slots=True)
class PreparedPart:
    """A part that can be run. ``sizes``: the published size of each that is measured. ``metrics``:
    those that claims compare, where the part has nothing else."""

    part: ReplicationPart
    question: Question
    sizes: Mapping[int, int]
    metrics: frozenset[str] = frozenset()


def kind_of(target: str) -> str:
    """``command`` for whole processes, ``board`` for firmware, else ``machine``."""
    if target == "command" or target.startswith("command:"):
        return "command"
    return "board" if target.startswith(("sim:", "serial:")) else "machine"


def targets_for(part: ReplicationPart, requested: Sequence[str]) -> tuple[str, ...]:
    """Targets of a part: the requested ones of its kind; whole processes of a board behind SSH, for
    a part of whole processes; else its own.
    """
    fitting = tuple(target for target in requested if kind_of(target) == kind_of(part.target))
    if not fitting and kind_of(part.target) == "command":
        fitting = tuple(f"command:{target}" for target in requested if target.startswith(SSH))
    return fitting or (part.target,)


def check_targets(parts: Iterable[ReplicationPart], requested: Sequence[str]) -> None:
    """InputError for a target that no part can be measured on."""
    kinds = {kind_of(part.target): part.target for part in parts}
    for target in requested:
        if kind_of(target) not in kinds and not ("command" in kinds and target.startswith(SSH)):
            raise InputError(
                f"this paper has no part that runs on {target!r}",
                where="--target",
                valid=", ".join(f"a target like {name}" for name in kinds.values()),
            )


def prepare(
    part: ReplicationPart,
    claims: ClaimsFile,
    requested: Sequence[str],
    scale: InputScale,
    models: Mapping[str, str] = MappingProxyType({}),
) -> PreparedPart | None:
    """Question of a part, with its targets and sizes; None if a small scale needs nothing of it, or
    the devices that it stands for are measured themselves. ``models``: the models that boards
    report.
    """
    if needless(
        part,
        claims,
        {name: models.get(board_of(name), "") for name in targets_for(part, requested)},
    ):
        return None
    question = _question_of(claims, part)
    study = question.study.model_copy(update={"measure": _blocks(part, question.study, requested)})
    sizes = scale.sizes(
        part, [size for group in study.measure for size in (*group.sizes, *group.file_sizes)]
    )
    metrics: frozenset[str] = frozenset()
    if scale.small:
        planner = ClaimPlanner(claims, part.method, targets_of(claims, part.method, requested))
        smaller, metrics = narrowed(study, planner)
        if smaller is None:
            return None
        study = smaller
    groups = tuple(
        group.model_copy(
            update={
                key: tuple(sizes[size] for size in getattr(group, key))
                for key in ("sizes", "file_sizes")
            }
        )
        for group in study.measure
    )
    study = study.model_copy(update={"measure": groups})
    published = {new: old for old, new in sizes.items()}
    return PreparedPart(
        part,
        replace(question, study=study, text=to_toml(study), name=part.study),
        published,
        metrics,
    )


def board_of(target: str) -> str:
    """Board of a target; whole processes of a board are a separate target."""
    return target.removeprefix("command:")


def needless(part: ReplicationPart, claims: ClaimsFile, models: Mapping[str, str]) -> bool:
    """True if each of these targets is a device that the part stands for. ``models``: the reported
    model of each board, empty if unknown.
    """
    devices = [device for device in claims.device if device.name in part.devices]
    return bool(devices) and all(
        any(device.is_it(name, model) for device in devices) for name, model in models.items()
    )


def _blocks(part: ReplicationPart, study: Study, requested: Sequence[str]) -> tuple[Group, ...]:
    """The blocks of a part with its targets, schemes and implementations."""
    groups = []
    for number in [number - 1 for number in part.groups] or range(len(study.measure)):
        group = study.measure[number]
        own = group.targets
        kinds = {kind_of(name) for name in own}
        targets = (
            targets_for(part, requested)
            if kinds == {kind_of(part.target)} and (requested or len(own) == 1)
            else own
        )
        changes = {"targets": targets, **({"schemes": part.schemes} if part.schemes else {})}
        if part.implementations:
            changes["implementations"] = part.implementations
        groups.append(group.model_copy(update=changes))
    return tuple(groups)


def targets_of(claims: ClaimsFile, method: str, requested: Sequence[str]) -> frozenset[str]:
    """The targets that the parts of a method are measured on."""
    parts = [part for part in claims.part if part.method == method]
    blocks = [
        group
        for part in parts
        for group in _blocks(part, _question_of(claims, part).study, requested)
    ]
    return frozenset(target for group in blocks for target in group.targets)


def _question_of(claims: ClaimsFile, part: ReplicationPart) -> Question:
    path = folder_of(claims.paper) / part.study
    return from_file(path if path.exists() else studies_dir() / part.study)
