"""Starting, resuming and finishing runs: one function for the command line, reference results and Python programs."""

from __future__ import annotations

import os
import random
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Protocol

from motebench.base.errors import InputError
from motebench.base.model import Run
from motebench.measuring.instruments.of_runs import PowerMeter
from motebench.measuring.plan.plan import Plan, RemoteTargets, make_plan, metered
from motebench.measuring.run.executing import Carrier
from motebench.measuring.run.progress import Progress
from motebench.measuring.run.request import Measured, Observer, Resume, Start, Unobserved
from motebench.measuring.run.retrying import to_retry, tried_again
from motebench.measuring.run.run import Runner, RunOutcome, earlier_results
from motebench.measuring.run.stored import (
    asked_of,
    environment_of,
    plan_again,
    same_machine,
    same_processes,
    settings_of,
)
from motebench.measuring.study.load import Question, from_text, to_toml
from motebench.measuring.study.policy import SamplingPolicy
from motebench.results.groups import GROUP, PROBES, Build, GroupSession, Turn, check_group, group_of, session_of
from motebench.store import Store
from motebench.store.store import check_name
from motebench.version import __version__


class RemoteWorkers(RemoteTargets, Carrier, Protocol):
    """Processes that measure elsewhere: a `motebench.measuring.fleet.crew.Crew`."""


def measure(
    store: str | os.PathLike[str],
    what: Start | Resume,
    observer: Observer | None = None,
    crew: RemoteWorkers | None = None,
) -> Measured:
    """Carry out what is asked, and keep every sample in the store as it is taken.

    store: a path or an SQLAlchemy URL; for a `Start` it is made if there is none. What can be refused is refused before
    anything is written. Ctrl-C ends the run in order, and `Measured.interrupted` says so; before the run has begun it
    is a KeyboardInterrupt. Errors: `base.errors`. ``crew``: other processes that measure, of a run
    made alone.
    """
    observer = observer or Unobserved()
    if isinstance(what, Resume):
        with Store.open(store, create=False) as opened:
            return _resume(opened, what, observer, crew)
    Store.check(store)  # building and asking may take long
    if what.of_group:
        return _start_group(store, what, observer)
    if what.name is not None:
        check_name(what.name)
    with observer.run(None, 1, 1) as progress:
        plan = _prepared(what.question, progress=progress, crew=crew)
        with Store.open(store, create=True) as opened:
            run_id, outcome = _carry_out(
                opened, plan, progress, name=what.name, seed=_seed_of(what), crew=crew, threads=what.threads
            )
            run = opened.load_run(run_id)
    return Measured([run], interrupted=outcome.interrupted)


def meters_of(policy: SamplingPolicy, targets: Sequence[str]) -> dict[str, PowerMeter]:
    """What reads the power of a target, by target, where a policy asks for it. ``targets``: those that have power to
    read."""
    names = policy.instruments or ({targets[0]: policy.instrument} if policy.instrument else {})
    return {target: PowerMeter(name, policy.voltage, policy.energy) for target, name in names.items()}


def _meters(plan: Plan) -> dict[str, PowerMeter]:
    return meters_of(plan.policy, metered(plan.targets))


# One run


def _prepared(
    question: Question,
    probes: Sequence[Path] | None = None,
    progress: Progress | None = None,
    crew: RemoteWorkers | None = None,
) -> Plan:
    """The plan, its instrument checked. ``probes``: folders of the host's probes, instead of the usual ones."""
    plan = make_plan(question, probes=probes, asking=progress.asking if progress else None, elsewhere=crew)
    for target, meter in _meters(plan).items():
        if crew is None or not crew.has(target):  # else the instrument is there, too
            meter.check()
    return plan


def _seed_of(what: Start) -> int:
    """The seed that is given, else the study's, else a random one."""
    chosen = what.seed if what.seed is not None else what.question.study.sampling.seed
    return chosen if chosen is not None else random.SystemRandom().getrandbits(48)


def _carry_out(
    store: Store,
    plan: Plan,
    progress: Progress,
    *,
    name: str | None,
    seed: int,
    group: Mapping[str, Any] | None = None,
    crew: RemoteWorkers | None = None,
    threads: int | None = None,
) -> tuple[int, RunOutcome]:
    """Make a run of the plan; its id, and how it ended. ``group``: what it keeps of the group it belongs to."""
    progress.planned(plan)
    store.tell(progress.waiting)
    run_id = store.create_run(
        name=name,
        study_text=plan.question.text,
        settings={**settings_of(plan), **({GROUP: group} if group else {})},
        environment=environment_of(plan),
        seed=seed,
        version=__version__,
        cases=plan.cases,
    )
    for failure in plan.failures:
        store.add_failure(run_id, failure)
    runner = Runner(plan, store, run_id, seed, progress, _meters(plan), crew, threads)
    return run_id, runner.run({}, first_round=0)


def _resume(store: Store, what: Resume, observer: Observer, crew: RemoteWorkers | None) -> Measured:
    run_id = _last_of_group(store, what.run)
    run_id = store.find(what.run) if run_id is None else run_id
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
    runner = Runner(plan, store, run.info.id, run.info.seed + first_round, progress, _meters(plan), crew)
    return runner.run(earlier_results(run.results), first_round=first_round)


# Groups of runs


def _start_group(place: str | os.PathLike[str], what: Start, observer: Observer) -> Measured:
    if what.name is not None:
        check_group(what.name, "--name")
    question, builds = what.question, what.builds
    targets = {target for group in question.study.measure for target in group.targets}
    if any(build.kind == PROBES for build in builds.values()) and "host" not in targets:
        raise InputError(
            "folders of probes run on this host, but the study has other targets",
            where="--alternate", valid="a study with target host",
        )  # fmt: skip
    for build in builds.values():  # what cannot be measured is found before an hour is spent on the others
        _prepared(_of_build(question, build), build.probes)
    with Store.open(place, create=True) as store:
        groups = tuple(builds) or (what.name or _free_name(store),)
        session = GroupSession(groups, what.runs, _seed_of(what), builds)
        _check_free(store, session)
        return _take_turns(store, session, question, observer)


def _last_of_group(store: Store, name: str) -> int | None:
    """The id of the newest run of a group; None where there is no such group, or a run has that name."""
    there = store.runs()
    if any(name in (info.name, str(info.id)) for info in there):
        return None
    ids = [info.id for info in there if group_of(info.settings) == name]
    return ids[-1] if ids else None


def _resume_group(store: Store, run: Run, observer: Observer) -> Measured:
    """Finish what a session began: its interrupted run, then all that were not started yet."""
    found = session_of(run.info.settings)
    if found is None:
        raise InputError(f"run {run.info.name} does not belong to a group", where="--resume")
    question, _ = asked_of(run)
    file = str(run.info.settings.get("file") or run.info.name)
    question = replace(question, text=run.info.study, name=file, command=run.info.settings.get("command"))
    return _take_turns(store, found[0], question, observer)


def _take_turns(store: Store, session: GroupSession, question: Question, observer: Observer) -> Measured:
    turns = session.turns()
    interrupted = False
    remaining: Sequence[Turn] = ()
    for place, turn in enumerate(turns, 1):
        there = _run_of(store, session, turn)
        if there is not None and there.info.status == "finished" and not to_retry(there):
            continue
        try:
            with observer.run(turn, place, len(turns)) as progress:
                interrupted = _one(store, session, turn, there, question, progress).interrupted
        except KeyboardInterrupt:  # before the first sample
            interrupted = True
        if interrupted:
            remaining = turns[place - 1 :]
            break
    made = [turn.name for turn in turns if _run_of(store, session, turn) is not None] if interrupted else None
    runs = [store.load_run(turn.name) for turn in turns if made is None or turn.name in made]
    return Measured(runs, session, interrupted, remaining)


def _one(
    store: Store, session: GroupSession, turn: Turn, there: Run | None, question: Question, progress: Progress
) -> RunOutcome:
    """Make or finish one run. Code is read anew: two folders of one name take turns."""
    build = session.builds.get(turn.group)
    probes = build.probes if build else None
    if there is not None:
        store.claim(there.info.id)
        return _go_on(store, there, _plan_of_rest(there, probes), progress)
    plan = _prepared(_of_build(question, build), probes, progress)
    kept, seed = session.settings(turn), session.seed_of(turn)
    return _carry_out(store, plan, progress, name=turn.name, seed=seed, group=kept)[1]


def _of_build(question: Question, build: Build | None) -> Question:
    """The question asked of a build."""
    if build is None or build.kind == PROBES:
        return question
    groups = tuple(
        group.model_copy(update={"code": (build.path,)}) if group.code else group for group in question.study.measure
    )
    asked = from_text(question.study.model_copy(update={"measure": groups}).model_dump_json(), question.name)
    return replace(asked, text=to_toml(asked.study), command=question.command)


def _run_of(store: Store, session: GroupSession, turn: Turn) -> Run | None:
    """The run of that turn, if it was begun."""
    if all(info.name != turn.name for info in store.runs()):
        return None
    run = store.load_run(turn.name)
    return run if session_of(run.info.settings) == (session, turn) else None


def _check_free(store: Store, session: GroupSession) -> None:
    there = store.runs()
    names = {info.name for info in there}
    groups = {group_of(info.settings) for info in there}
    taken = [turn.name for turn in session.turns() if turn.name in names]
    taken += [name for name in session.groups if name in names | groups]
    if taken:
        raise InputError(
            f"the store already has a run {taken[0]!r}",
            where="--alternate" if session.builds else "--name",
            hint="give another name, or continue the stored runs with motebench run --resume=NAME",
        )


def _free_name(store: Store) -> str:
    there = store.runs()
    taken = {info.name for info in there} | {group_of(info.settings) for info in there}
    number = 1
    while f"group-{number}" in taken:
        number += 1
    return f"group-{number}"
