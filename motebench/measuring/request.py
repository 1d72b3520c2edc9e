"""What can be asked of `motebench.measuring.measure`, who hears how far it is, and what comes of it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, field
from typing import Protocol

from motebench.base.model import Run
from motebench.measuring.run.progress import Progress, Silent
from motebench.measuring.run.stored import to_retry
from motebench.measuring.study.question import Question
from motebench.results.groups import Build, GroupSession, Turn


@dataclass(frozen=True, slots=True)
class Start:
    """A new run of a question, or a group of ``runs`` of them; with ``builds``, ``runs`` of each build in turn.

    name: of the run or of the group; None: by date and number. seed: of the random order; None: the study's, else a
    random one. builds: by the name of their group. threads: simulated boards at once, of a run made alone; None: one
    per processor.
    """

    question: Question
    name: str | None = None
    seed: int | None = None
    runs: int = 1
    builds: Mapping[str, Build] = field(default_factory=dict)
    threads: int | None = None

    @property
    def of_group(self) -> bool:
        """Whether several runs are asked for."""
        return self.runs > 1 or bool(self.builds)


@dataclass(frozen=True, slots=True)
class Resume:
    """A stored run or group is finished.

    run: its number, its name, or ``latest``.
    """

    run: str


class Observer(Protocol):
    """Hears how far it is."""

    def run(self, turn: Turn | None, place: int, of: int) -> AbstractContextManager[Progress]:
        """A run begins, the ``place``-th ``of`` all; what is returned is told of it until it ends.

        ``turn``: which one of its group it is; None for a run made alone.
        """
        ...


class Unobserved:
    """Nobody listens."""

    @contextmanager
    def run(self, turn: Turn | None, place: int, of: int) -> Iterator[Progress]:
        """See `Observer`."""
        del turn, place, of
        yield Silent()


@dataclass(frozen=True, slots=True)
class Measured:
    """What came of it.

    runs: those made or taken up, with everything they hold, in the order of their turns. session: of a group.
    remaining: turns that have no finished run, after an interruption. nothing_left: a finished run was to be resumed.
    """

    runs: Sequence[Run]
    session: GroupSession | None = None
    interrupted: bool = False
    remaining: Sequence[Turn] = ()
    nothing_left: bool = False

    @property
    def groups(self) -> dict[str, list[Run]]:
        """The runs by the group they belong to."""
        if self.session is None:
            return {}
        of = {turn.name: turn.group for turn in self.session.turns()}
        return {name: [run for run in self.runs if of.get(run.info.name) == name] for name in self.session.groups}

    @property
    def worth_trying_again(self) -> list[str]:
        """Kinds of failure that resuming tries again."""
        return sorted({failure.kind.value for run in self.runs for failure in to_retry(run)})

    @property
    def failed(self) -> bool:
        """Whether some case failed."""
        return any(run.failures or any(result.failure for result in run.results) for run in self.runs)
