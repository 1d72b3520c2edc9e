"""Requests of users: a new run, a group of runs in turn, or the rest of stored ones; their
observers and results.

`carry_out` is one function for the command line, reference results and Python programs. Each run
goes the way of `motebench.measuring.measure`.
"""

from __future__ import annotations

import os
import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, field, replace
from typing import Protocol

from motebench.base.errors import InputError
from motebench.base.model import Run, RunKind
from motebench.measuring.measure import NewRun, RemoteWorkers, RestOfRun, measure
from motebench.measuring.plan.plan import FoundTargets, find_targets
from motebench.measuring.run.context import Interrupt, WorkLimit
from motebench.measuring.run.records import Progress, Silent
from motebench.measuring.run.run import asked_of, to_retry
from motebench.measuring.study.load import from_text, to_toml
from motebench.measuring.study.question import Question
from motebench.results.groups import (
    GROUP,
    PROBES,
    Build,
    GroupSession,
    Turn,
    check_group,
    group_of,
    session_of,
)
from motebench.results.places import failures_of
from motebench.store import Store
from motebench.store.store import check_name


@dataclass(frozen=True, slots=True)
class Start:
    """A new run of a question, or a group of ``runs`` of them; with ``builds``, ``runs`` of each
    build in turn.

    name: of the run or of the group; None: by date and number. seed: of the random order; None: the
    study's, else a random one. builds: by the name of their group. threads: simulated boards at
    once, of a run made alone; None: one per processor. found: the targets of a run made alone, if
    they were asked before. limit: of its processor time. enough: is told how many runs each
    build has, and the runs; True ends a session before its last turn. collection: what a run keeps
    of the collection that it belongs to (`motebench.measuring.collection`).
    """

    question: Question
    name: str | None = None
    seed: int | None = None
    runs: int = 1
    builds: Mapping[str, Build] = field(default_factory=dict)
    threads: int | None = None
    found: FoundTargets | None = None
    limit: WorkLimit | None = None
    enough: Callable[[int, Sequence[Run]], bool] | None = None
    collection: Mapping[str, object] = field(default_factory=dict)

    @property
    def of_group(self) -> bool:
        """True if the request is for several runs."""
        return self.runs > 1 or bool(self.builds)

    def check_name(self) -> None:
        """InputError if no run, or no group, can have the name."""
        if self.name is not None:
            (check_group if self.of_group else check_name)(self.name, "--name")


@dataclass(frozen=True, slots=True)
class Resume:
    """A stored run or group is finished.

    run: its number, its name, or ``latest``. limit: of the processor time of a run made alone.
    """

    run: str
    limit: WorkLimit | None = None


class Observer(Protocol):
    """Hears how far it is."""

    def run(self, turn: Turn | None, place: int, count: int) -> AbstractContextManager[Progress]:
        """A run begins, the ``place``-th of ``count``; what is returned is told of it until it
        ends.

        ``turn``: which one of its group it is; None for a run made alone.
        """
        ...


class Unobserved:
    """Observer that ignores everything."""

    @contextmanager
    def run(self, turn: Turn | None, place: int, count: int) -> Iterator[Progress]:
        """Report the start of a run, the ``place``-th of ``count``; the returned observer gets its
        progress.
        """
        del turn, place, count
        yield Silent()


@dataclass(frozen=True, slots=True)
class Measured:
    """Result of a request.

    runs: those made or taken up, with everything they hold, in the order of their turns. session:
    of a group. remaining: turns that have no finished run, after an interruption. nothing_left: a
    finished run was to be resumed.
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
        group_of = {turn.name: turn.group for turn in self.session.turns()}
        return {
            name: [run for run in self.runs if group_of.get(run.info.name) == name]
            for name in self.session.groups
        }

    @property
    def worth_trying_again(self) -> list[str]:
        """Kinds of failure that resuming tries again."""
        return sorted({failure.kind.value for run in self.runs for failure in to_retry(run)})

    @property
    def failed(self) -> bool:
        """True if some case failed."""
        return any(failures_of(run) for run in self.runs)


def carry_out(
    store: str | os.PathLike[str],
    request: Start | Resume,
    observer: Observer | None = None,
    workers: RemoteWorkers | None = None,
    interrupt: Interrupt | None = None,
) -> Measured:
    """Carry out a request, and keep every sample in the store as it is taken.

    store: a path or an SQLAlchemy URL; for a `Start` it is made if there is none. What can be
    refused is refused before anything is written. Ctrl-C ends the run in order, and
    `Measured.interrupted` says so; before the run has begun it is a KeyboardInterrupt. Errors:
    `base.errors`. ``workers``: other processes that measure, of a run made alone; ``interrupt``:
    ends it as Ctrl-C does, which only the main thread hears.
    """
    observer = observer or Unobserved()
    if isinstance(request, Resume):
        with Store.open(store, create=False) as opened:
            return _resume(opened, request, observer, workers, interrupt)
    Store.check(store)  # building and asking may take long
    if request.of_group:
        return _start_group(store, request, observer)
    request.check_name()
    task = NewRun(
        request.question,
        request.name,
        _seed_of(request),
        threads=request.threads,
        found=request.found,
        limit=request.limit,
        collection=request.collection,
    )
    with observer.run(None, 1, 1) as progress:
        end = measure(store, task, progress, workers, interrupt)
    return Measured([end.run], interrupted=end.interrupted)


def _seed_of(request: Start) -> int:
    """The seed that is given, else the study's, else a random one."""
    chosen = request.seed if request.seed is not None else request.question.study.sampling.seed
    return chosen if chosen is not None else random.SystemRandom().getrandbits(48)


def _resume(
    store: Store,
    request: Resume,
    observer: Observer,
    workers: RemoteWorkers | None,
    interrupt: Interrupt | None,
) -> Measured:
    run_id = _last_of_group(store, request.run)
    run_id = store.find(request.run) if run_id is None else run_id
    store.claim(run_id)
    run = store.load_run(run_id, whole=True)
    if run.info.kind is RunKind.LEAK:
        raise InputError(
            f"run {run.info.name} is a leak test, which cannot be resumed",
            where="--resume",
            hint="motebench leak examines again; --operation names the operations that are missing",
        )
    if GROUP in run.info.settings:
        return _resume_group(store, run, observer)
    if run.info.status == "finished" and not to_retry(run):
        return Measured([store.load_run(run.info.id)], nothing_left=True)
    task = RestOfRun.of(run, limit=request.limit)
    with observer.run(None, 1, 1) as progress:
        end = measure(store, task, progress, workers, interrupt)
    return Measured([end.run], interrupted=end.interrupted)


# Groups of runs


def _start_group(place: str | os.PathLike[str], request: Start, observer: Observer) -> Measured:
    request.check_name()
    question, builds = request.question, request.builds
    targets = {target for group in question.study.measure for target in group.targets}
    if any(build.kind == PROBES for build in builds.values()) and "host" not in targets:
        raise InputError(
            "folders of probes run on this host, but the study has other targets",
            where="--alternate",
            valid="a study with target host",
        )
    for (
        build
    ) in builds.values():  # what cannot be measured is found before an hour is spent on the others
        task = NewRun(of_build(question, build), None, 0, probes=build.probes)
        build_targets = find_targets(task.question, probes=task.probes)
        try:
            task.plan(build_targets)
        finally:
            build_targets.close()
    with Store.open(place, create=True) as store:
        groups = tuple(builds) or (request.name or _free_name(store),)
        session = GroupSession(groups, request.runs, _seed_of(request), builds)
        _check_free(store, session)
        return _take_turns(store, session, question, observer, request.enough)


def _last_of_group(store: Store, name: str) -> int | None:
    """Id of the newest run of a group; None for an unknown group, or if a run has that name."""
    infos = store.runs()
    if any(name in (info.name, str(info.id)) for info in infos):
        return None
    ids = [info.id for info in infos if group_of(info.settings) == name]
    return ids[-1] if ids else None


def _resume_group(store: Store, run: Run, observer: Observer) -> Measured:
    """Finish the runs of a session: its interrupted run, then those that were not started."""
    session = session_of(run.info.settings)
    if session is None:
        raise InputError(f"run {run.info.name} does not belong to a group", where="--resume")
    question, _ = asked_of(run)
    file = str(run.info.settings.get("file") or run.info.name)
    question = replace(
        question, text=run.info.study, name=file, command=run.info.settings.get("command")
    )
    return _take_turns(store, session[0], question, observer)


def _take_turns(
    store: Store,
    session: GroupSession,
    question: Question,
    observer: Observer,
    enough: Callable[[int, Sequence[Run]], bool] | None = None,
) -> Measured:
    turns = session.turns()
    runs: list[Run] = []
    for place, turn in enumerate(turns, 1):
        begun = _run_of(store, session, turn)
        if begun is not None and begun.info.status == "finished" and not to_retry(begun):
            runs.append(begun)
            continue
        try:
            with observer.run(turn, place, len(turns)) as progress:
                end = measure(store, _task_of(store, session, turn, begun, question), progress)
        except KeyboardInterrupt:  # before the first sample
            stopped = _run_of(store, session, turn)
            runs += [] if stopped is None else [stopped]
            return Measured(runs, session, True, turns[place - 1 :])
        runs.append(end.run)
        if end.interrupted:
            return Measured(runs, session, True, turns[place - 1 :])
        blocks, rest = divmod(place, len(session.groups))
        if enough is not None and not rest and enough(blocks, runs):
            break
    return Measured(runs, session)


def _task_of(
    store: Store, session: GroupSession, turn: Turn, begun: Run | None, question: Question
) -> NewRun | RestOfRun:
    """The run of a turn, to make or to finish."""
    build = session.builds.get(turn.group)
    if begun is not None:
        store.claim(begun.info.id)
        return RestOfRun.of(begun, build.probes if build else None)
    probes = build.probes if build else None
    return NewRun(
        of_build(question, build), turn.name, session.seed_of(turn), (session, turn), probes
    )


def of_build(question: Question, build: Build | None) -> Question:
    """Question about one build."""
    if build is None or build.kind == PROBES:
        return question
    groups = tuple(
        group.model_copy(update={"code": (build.path,)}) if group.code else group
        for group in question.study.measure
    )
    study = question.study.model_copy(update={"measure": groups})
    of_build = from_text(study.model_dump_json(), question.name)
    return replace(of_build, text=to_toml(of_build.study), command=question.command)


def _run_of(store: Store, session: GroupSession, turn: Turn) -> Run | None:
    """The run of that turn, if it was begun."""
    if all(info.name != turn.name for info in store.runs()):
        return None
    run = store.load_run(turn.name)
    return run if session_of(run.info.settings) == (session, turn) else None


def _check_free(store: Store, session: GroupSession) -> None:
    infos = store.runs()
    names = {info.name for info in infos}
    groups = {group_of(info.settings) for info in infos}
    taken = [turn.name for turn in session.turns() if turn.name in names]
    taken += [name for name in session.groups if name in names | groups]
    if taken:
        raise InputError(
            f"the store already has a run {taken[0]!r}",
            where="--alternate" if session.builds else "--name",
            hint="give another name, or continue the stored runs with motebench run --resume=NAME",
        )


def _free_name(store: Store) -> str:
    infos = store.runs()
    taken = {info.name for info in infos} | {group_of(info.settings) for info in infos}
    number = 1
    while f"group-{number}" in taken:
        number += 1
    return f"group-{number}"
