"""Several runs of one study: their order, and what each run records about the others.

Runs of one thing are a *group*: ``base-1`` to ``base-5`` are the group ``base``. Several groups
measured in turn (two builds) are one *session*. The order is counterbalanced: each round of turns
reverses the round before, A B B A A B, so that a steady drift of the machine affects all groups
alike.
"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from motebench.base.errors import InputError
from motebench.base.paths import probes_in
from motebench.base.shapes import part

GROUP = "group"
"""Key of the settings of a run that belongs to a group."""
PROBES, CODE = "probes", "code"
_RESERVED = frozenset(",*?[]=:/")


@dataclass(frozen=True, slots=True)
class Build:
    """Build that is measured under one label: a folder of probes, or a folder of code. ``path`` is
    absolute.
    """

    kind: str
    path: str

    @property
    def probes(self) -> list[Path] | None:
        """The only folder with probes of the host; None: the usual folders."""
        return [Path(self.path)] if self.kind == PROBES else None


@dataclass(frozen=True, slots=True)
class Turn:
    """One run of a session: the ``number``-th of its group, counted from 1."""

    group: str
    number: int

    @property
    def name(self) -> str:
        """The name of the run."""
        return f"{self.group}-{self.number}"


@dataclass(frozen=True, slots=True)
class GroupSession:
    """All runs that belong together: ``runs`` of each group, in turn. ``builds``: by group; empty
    for one group.

    ``drawn``: each block of turns has every group once, in random order, so that no disturbance of
    any period can fall on one group. False for sessions of older versions, whose blocks went
    forward and backward.
    """

    groups: tuple[str, ...]
    runs: int
    seed: int
    builds: Mapping[str, Build] = field(default_factory=dict)
    drawn: bool = True

    def turns(self) -> list[Turn]:
        """Every run, in order."""
        order = random.Random(self.seed)
        turns = []
        for number in range(1, self.runs + 1):
            block = list(self.groups)
            if self.drawn:
                order.shuffle(block)
            elif number % 2 == 0:
                block.reverse()
            turns += [Turn(group, number) for group in block]
        return turns

    def seed_of(self, turn: Turn) -> int:
        """Seed of the random order of a run: each has its own."""
        return (self.seed + self.turns().index(turn)) % 2**63

    def settings(self, turn: Turn) -> dict[str, object]:
        """The values that the run keeps under `GROUP`."""
        builds = {
            name: {"kind": build.kind, "path": build.path} for name, build in self.builds.items()
        }
        session: dict[str, object] = {
            "groups": list(self.groups),
            "runs": self.runs,
            "seed": self.seed,
        }
        session |= {"builds": builds, "drawn": self.drawn}
        return {"name": turn.group, "number": turn.number, "session": session}


def session_of(settings: Mapping[str, object]) -> tuple[GroupSession, Turn] | None:
    """The session and turn of a stored run; None if it was made alone."""
    group = part(settings, GROUP)
    if not group:
        return None
    stored = part(group, "session")
    builds = {
        name: _stored_build(part(part(stored, "builds"), name)) for name in part(stored, "builds")
    }
    names = stored.get("groups")
    groups = tuple(map(str, names)) if isinstance(names, list | tuple) else ()
    drawn = stored.get("drawn") is True  # older versions did not store it
    session = GroupSession(groups, _whole(stored, "runs"), _whole(stored, "seed"), builds, drawn)
    return session, Turn(str(group["name"]), _whole(group, "number"))


def _stored_build(build: Mapping[str, object]) -> Build:
    return Build(str(build["kind"]), str(build["path"]))


def _whole(stored: Mapping[str, object], key: str) -> int:
    """A whole number of the settings; the store has checked that it is one."""
    value = stored[key]
    if not isinstance(value, int):
        raise TypeError(f"settings.{GROUP}: {key} is not a whole number")
    return value


def group_of(settings: Mapping[str, object]) -> str | None:
    """The group of a stored run."""
    group = part(settings, GROUP)
    return str(group["name"]) if group else None


def parse_builds(entries: Sequence[str]) -> dict[str, Build]:
    """The builds of ``--alternate LABEL=PATH``. InputError if they cannot be measured in turn."""
    where = "--alternate"
    builds: dict[str, Build] = {}
    for entry in entries:
        label, equals, path = entry.partition("=")
        if not (label and equals and path):
            raise InputError(
                f"{entry!r} is not a build",
                where=where,
                valid="LABEL=FOLDER, as in old=build/probes",
            )
        check_group(label, where)
        if label in builds:
            raise InputError(
                f"two builds have the label {label!r}",
                where=where,
                valid="a different label for each build",
            )
        builds[label] = _build(Path(path))
    if len(builds) == 1:
        raise InputError(
            "only one build is given, so nothing alternates",
            where=where,
            valid="two or more LABEL=FOLDER",
        )
    if len({build.kind for build in builds.values()}) > 1:
        raise InputError(
            "one build is a folder of probes, another is a folder of code",
            where=where,
            valid="folders of one kind",
        )
    return builds


def check_group(name: str, where: str) -> None:
    """InputError for a name that no group can have, since it is used in lists and patterns."""
    if not name.strip() or set(name) & _RESERVED:
        raise InputError(
            f"{name!r} cannot be the name of a group",
            where=where,
            valid=f"a name without {' '.join(sorted(_RESERVED))}",
        )


def _build(path: Path) -> Build:
    path = path.absolute()
    if (path / "api.h").is_file():
        return Build(CODE, str(path))
    if probes_in([path]):
        return Build(PROBES, str(path))
    problem = "has neither probes nor api.h" if path.is_dir() else "is not a folder"
    raise InputError(
        f"{path} {problem}",
        where="--alternate",
        valid="a folder of probes (motebench-probe-*), or of code (see docs/use/code.md)",
    )
