"""The way of a question: planned, proved, measured, stored. Open this file first.

| step | where |
| --- | --- |
| a study file or options become a question | `study.load` |
| its targets are opened and asked; the study becomes cases | `plan` |
| each lane of the run: known answers, then samples, then energy | `run.lane` |
| every sample is stored as it is taken | `run.records`, `store` |
| stored samples become values with intervals | `results` |
| tables, reports, exports | `show`, `cli` |

`measure` is one function for the command line, reference results and Python programs.
"""

from __future__ import annotations

import os
import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Protocol

from motebench.base.errors import InputError
from motebench.base.model import Run
from motebench.measuring.instruments.of_runs import PowerMeter
from motebench.measuring.plan.offers import RemoteTargets
from motebench.measuring.plan.plan import Plan, make_plan, metered
from motebench.measuring.request import Measured, Observer, Resume, Start, Unobserved
from motebench.measuring.run.progress import Progress
from motebench.measuring.run.run import Carrier, RunMeans, Runner, RunOutcome, earlier_results
from motebench.measuring.run.stored import (
    asked_of,
    environment_of,
    plan_again,
    same_machine,
    same_processes,
    settings_of,
    to_retry,
    tried_again,
)
from motebench.measuring.study.load import from_text, to_toml
from motebench.measuring.study.policy import SamplingPolicy
from motebench.measuring.study.question import Question
from motebench.results.groups import GROUP, PROBES, Build, GroupSession, Turn, check_group, group_of, session_of
from motebench.store import Store
from motebench.store.store import check_name
from motebench.version import __version__


class RemoteWorkers(RemoteTargets, Carrier, Protocol):
    """Processes that measure elsewhere: a `motebench.measuring.fleet.crew.Crew`."""


def measure(
    store: str | os.PathLike[str],
    request: Start | Resume,
    observer: Observer | None = None,
    crew: RemoteWorkers | None = None,
) -> Measured:
    """Carry out a request, and keep every sample in the store as it is taken.

    store: a path or an SQLAlchemy URL; for a `Start` it is made if there is none. What can be refused is refused before
    anything is written. Ctrl-C ends the run in order, and `Measured.interrupted` says so; before the run has begun it
    is a KeyboardInterrupt. Errors: `base.errors`. ``crew``: other processes that measure, of a run
    made alone.
    """
    observer = observer or Unobserved()
    if isinstance(request, Resume):
        with Store.open(store, create=False) as opened:
            return _resume(opened, request, observer, crew)
    Store.check(store)  # building and asking may take long
    if request.of_group:
        return _start_group(store, request, observer)
    if request.name is not None:
        check_name(request.name)
    with observer.run(None, 1, 1) as progress:
        plan = _planned(request.question, progress=progress, crew=crew)
        with Store.open(store, create=True) as opened:
            identity = _RunIdentity(request.name, _seed_of(request))
            run_id, outcome = _new_run(opened, plan, progress, identity, _means(plan, crew, request.threads))
            run = opened.load_run(run_id)
    return Measured([run], interrupted=outcome.interrupted)


# One run


@dataclass(frozen=True)
class _RunIdentity:
    """Name and seed of a new run. ``group``: entry of its settings on the group that it belongs to."""

    name: str | None
    seed: int
    group: Mapping[str, Any] | None = None


def _planned(
    question: Question,
    probes: Sequence[Path] | None = None,
    progress: Progress | None = None,
    crew: RemoteWorkers | None = None,
) -> Plan:
    """The plan, its instrument checked. ``probes``: folders of the host's probes, instead of the usual ones."""
    plan = make_plan(question, probes=probes, asking=progress.asking if progress else None, remote=crew)
    for target, meter in meters_of(plan.policy, metered(plan.targets)).items():
        if crew is None or not crew.has(target):  # else the instrument is there, too
            meter.check()
    return plan


def _new_run(
    store: Store, plan: Plan, progress: Progress, identity: _RunIdentity, means: RunMeans
) -> tuple[int, RunOutcome]:
    """Make a run of the plan; its id, and how it ended."""
    progress.planned(plan)
    store.tell(progress.waiting)
    run_id = store.create_run(
        name=identity.name,
        study_text=plan.question.text,
        settings={**settings_of(plan), **({GROUP: identity.group} if identity.group else {})},
        environment=environment_of(plan),
        seed=identity.seed,
        version=__version__,
        cases=plan.cases,
    )
    for failure in plan.failures:
        store.add_failure(run_id, failure)
    runner = Runner(plan, store, run_id, identity.seed, progress, means)
    return run_id, runner.run({}, first_round=0)


def _means(plan: Plan, crew: RemoteWorkers | None = None, threads: int | None = None) -> RunMeans:
    return RunMeans(meters_of(plan.policy, metered(plan.targets)), crew, threads)


def meters_of(policy: SamplingPolicy, targets: Sequence[str]) -> dict[str, PowerMeter]:
    """Power meters by target, where a policy asks for them. ``targets``: those that have power to read."""
    names = policy.instruments or ({targets[0]: policy.instrument} if policy.instrument else {})
    return {target: PowerMeter(name, policy.voltage, policy.energy) for target, name in names.items()}


def _seed_of(request: Start) -> int:
    """The seed that is given, else the study's, else a random one."""
    chosen = request.seed if request.seed is not None else request.question.study.sampling.seed
    return chosen if chosen is not None else random.SystemRandom().getrandbits(48)


def _resume(store: Store, request: Resume, observer: Observer, crew: RemoteWorkers | None) -> Measured:
    run_id = _last_of_group(store, request.run)
    run_id = store.find(request.run) if run_id is None else run_id
    store.claim(run_id)
    run = store.load_run(run_id, whole=True)
    if GROUP in run.info.settings:
        return _resume_group(store, run, observer)
    if run.info.status == "finished" and not to_retry(run):
        return Measured([store.load_run(run.info.id)], nothing_left=True)
    plan = _plan_of_rest(run, crew=crew)
    with observer.run(None, 1, 1) as progress:
        outcome = _go_on(store, run, plan, progress, crew)
    return Measured([store.load_run(run.info.id)], interrupted=outcome.interrupted)


def _plan_of_rest(run: Run, probes: Sequence[Path] | None = None, crew: RemoteWorkers | None = None) -> Plan:
    """The plan of what a run lacks. IncomparableError where its samples must not be mixed with new ones."""
    plan = plan_again(run, probes, crew)
    same_machine(run, plan)
    same_processes(run, plan)
    return plan


def _go_on(store: Store, run: Run, plan: Plan, progress: Progress, crew: RemoteWorkers | None = None) -> RunOutcome:
    """Measure what a run lacks. Finished cases stay as they are; failures of the surroundings are tried again."""
    store.tell(progress.waiting)
    run = tried_again(store, run)
    first_round = store.next_round(run.info.id)
    # A fresh order for what is left: repeating the first rounds' order would favour whoever went first then.
    seed = run.info.seed + first_round
    runner = Runner(plan, store, run.info.id, seed, progress, _means(plan, crew))
    return runner.run(earlier_results(run.results), first_round=first_round)


# Groups of runs


def _start_group(place: str | os.PathLike[str], request: Start, observer: Observer) -> Measured:
    if request.name is not None:
        check_group(request.name, "--name")
    question, builds = request.question, request.builds
    targets = {target for group in question.study.measure for target in group.targets}
    if any(build.kind == PROBES for build in builds.values()) and "host" not in targets:
        raise InputError(
            "folders of probes run on this host, but the study has other targets",
            where="--alternate", valid="a study with target host",
        )  # fmt: skip
    for build in builds.values():  # what cannot be measured is found before an hour is spent on the others
        _planned(_of_build(question, build), build.probes)
    with Store.open(place, create=True) as store:
        groups = tuple(builds) or (request.name or _free_name(store),)
        session = GroupSession(groups, request.runs, _seed_of(request), builds)
        _check_free(store, session)
        return _take_turns(store, session, question, observer)


def _last_of_group(store: Store, name: str) -> int | None:
    """The id of the newest run of a group; None where there is no such group, or a run has that name."""
    infos = store.runs()
    if any(name in (info.name, str(info.id)) for info in infos):
        return None
    ids = [info.id for info in infos if group_of(info.settings) == name]
    return ids[-1] if ids else None


def _resume_group(store: Store, run: Run, observer: Observer) -> Measured:
    """Finish what a session began: its interrupted run, then all that were not started yet."""
    session = session_of(run.info.settings)
    if session is None:
        raise InputError(f"run {run.info.name} does not belong to a group", where="--resume")
    question, _ = asked_of(run)
    file = str(run.info.settings.get("file") or run.info.name)
    question = replace(question, text=run.info.study, name=file, command=run.info.settings.get("command"))
    return _take_turns(store, session[0], question, observer)


def _take_turns(store: Store, session: GroupSession, question: Question, observer: Observer) -> Measured:
    turns = session.turns()
    interrupted = False
    remaining: Sequence[Turn] = ()
    for place, turn in enumerate(turns, 1):
        begun = _run_of(store, session, turn)
        if begun is not None and begun.info.status == "finished" and not to_retry(begun):
            continue
        try:
            with observer.run(turn, place, len(turns)) as progress:
                interrupted = _turn(store, session, turn, begun, question, progress).interrupted
        except KeyboardInterrupt:  # before the first sample
            interrupted = True
        if interrupted:
            remaining = turns[place - 1 :]
            break
    made = [turn.name for turn in turns if _run_of(store, session, turn) is not None] if interrupted else None
    runs = [store.load_run(turn.name) for turn in turns if made is None or turn.name in made]
    return Measured(runs, session, interrupted, remaining)


def _turn(
    store: Store, session: GroupSession, turn: Turn, begun: Run | None, question: Question, progress: Progress
) -> RunOutcome:
    """Make or finish one run. Code is read anew: two folders of one name take turns."""
    build = session.builds.get(turn.group)
    probes = build.probes if build else None
    if begun is not None:
        store.claim(begun.info.id)
        return _go_on(store, begun, _plan_of_rest(begun, probes), progress)
    plan = _planned(_of_build(question, build), probes, progress)
    identity = _RunIdentity(turn.name, session.seed_of(turn), session.settings(turn))
    return _new_run(store, plan, progress, identity, _means(plan))[1]


def _of_build(question: Question, build: Build | None) -> Question:
    """The question asked of a build."""
    if build is None or build.kind == PROBES:
        return question
    groups = tuple(
        group.model_copy(update={"code": (build.path,)}) if group.code else group for group in question.study.measure
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
