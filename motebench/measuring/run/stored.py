"""What a run keeps, and a stored run's plan: what it asked, of the machine, libraries and code of then."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from motebench.base.errors import IncomparableError, InputError, StoreError
from motebench.base.model import Case, Failure, Run
from motebench.base.naming import probe_key
from motebench.measuring.plan.plan import Plan
from motebench.measuring.run.run import BegunRun
from motebench.measuring.study.load import from_text
from motebench.measuring.study.policy import SamplingPolicy, policy_from
from motebench.measuring.study.question import Question
from motebench.results.groups import GROUP, GroupSession, Turn
from motebench.store import Store
from motebench.targets.machine import describe, differences
from motebench.version import __version__


def begin_run(
    store: Store, plan: Plan, name: str | None, seed: int, group: tuple[GroupSession, Turn] | None = None
) -> BegunRun:
    """A new run in the store, with its cases, all to be measured. ``group``: the session that it is a turn of."""
    session = {} if group is None else {GROUP: group[0].settings(group[1])}
    run_id = store.create_run(
        name=name,
        study_text=plan.question.text,
        settings={**settings_of(plan), **session},
        environment=environment_of(plan),
        seed=seed,
        version=__version__,
        cases=plan.cases,
    )
    for failure in plan.failures:
        store.add_failure(run_id, failure)
    return BegunRun(run_id, seed)


def settings_of(plan: Plan) -> dict[str, Any]:
    """What a new run keeps of its plan beside cases: the question, the policy, what patterns left out."""
    question = plan.question
    return {
        **({"command": question.command} if question.command else {}),
        **({"boards": dict(question.boards)} if question.boards else {}),
        "study": question.study.title,
        "file": question.name,
        "policy": plan.policy.plain(),
        "budget_seconds": plan.budget,
        "question": question.study.model_dump_json(),
        "skipped": [asdict(item) for item in plan.skipped],
    }


def environment_of(plan: Plan) -> dict[str, Any]:
    """The environment that a run of the plan is made in: this machine, the probes, boards and user code."""
    environment = describe()
    environment["probes"] = {
        probe_key(target, name): {
            "probe": hello.probe,
            "version": hello.version,
            "compiler": hello.compiler,
            "flags": hello.flags,
            "architecture": hello.arch,
            "cpu_features": hello.cpu_features,
            "clock": asdict(hello.clock),
            "counter": asdict(hello.counter) if hello.counter else None,
            "cpu": asdict(hello.cpu) if hello.cpu else None,
            "loop": hello.loop,
        }
        for target, hellos in plan.hellos.items()
        for name, hello in hellos.items()
    }
    for name, target in plan.targets.items():
        if facts := target.place.environment():
            kind = "machines" if target.place.device is None else "boards"
            environment.setdefault(kind, {})[name] = facts
    if codes := {name: code.facts() for name, code in plan.question.workspace.code.items()}:
        environment["code"] = codes
    return environment


def asked_of(run: Run) -> tuple[Question, SamplingPolicy]:
    """The question and the policy that a stored run keeps. StoreError if they cannot be read."""
    asked, stored = run.info.settings.get("question"), run.info.settings.get("policy")
    try:
        if not isinstance(asked, str) or not isinstance(stored, dict):
            raise ValueError("its study or its settings are missing")
        policy = policy_from(stored)
        question = from_text(asked, run.info.name)
    except (ValueError, RecursionError) as error:
        raise StoreError(
            f"run {run.info.name} cannot be resumed: {' '.join(str(error).split())[:300]}",
            where="--store", hint="start a new run",
        ) from None  # fmt: skip
    return question, policy


def plan_of_rest(run: Run, policy: SamplingPolicy, plan: Plan) -> Plan:
    """The plan of a stored run: its own cases and policy, with the targets and offers of a plan made now."""
    gone = [result.case for result in run.results if not _there(plan, result.case) and not result.finished]
    if gone:
        raise InputError(
            f"run {run.info.name} has {len(gone)} unfinished cases that cannot be measured here now, "
            f"for example {gone[0]}",
            hint="motebench doctor shows what is installed; or start a new run with what is available",
        )
    cases = tuple(result.case for result in run.results)
    return Plan(plan.question, policy, cases, (), (), plan.targets, plan.offers, plan.hellos)


def _there(plan: Plan, case: Case) -> bool:
    offered = plan.offers.get(case.target, {}).get(case.provider)
    return offered is not None and (case.operation.value == "copy-file" or case.scheme in offered)


def same_machine(run: Run, plan: Plan) -> None:
    """Samples of two machines, or of two versions of a library, must not be mixed in one case."""
    now = environment_of(plan)
    found = [str(item) for item in differences(run.info.environment, now)]
    before = run.info.environment.get("probes") or {}
    for name, probe in now["probes"].items():
        was = before.get(name, {})
        found += [
            f"{name} {key}: {was.get(key)} -> {probe[key]}"
            for key in ("version", "compiler", "flags")
            if was.get(key) != probe[key]
        ]
    if found:
        raise IncomparableError(
            f"run {run.info.name} was measured in a different environment: {'; '.join(found)}", hint="start a new run"
        )


def same_processes(run: Run, plan: Plan) -> None:
    """Samples of a process whose number was not kept, as earlier versions took them, cannot be told from others."""
    for result in run.results:
        samples = next((series.samples for series in result.series if series.metric == "time"), ())
        if plan.jit(result.case) and not result.finished and any(sample.invocation is None for sample in samples):
            raise IncomparableError(
                f"run {run.info.name} was started by an earlier version, which measured "
                f"{result.case.implementation} in one process",
                hint="start a new run",
            )


def to_retry(run: Run) -> list[Failure]:
    """Failures of a run whose cases may succeed when they are tried again (`FailureKind.of_surroundings`).

    A case that an instrument could not meter counts where it has no energy at all.
    """
    found = [result.failure for result in run.results if result.failure is not None]
    metered = {result.case.id for result in run.results if any(series.metric == "energy" for series in result.series)}
    timed = {result.case.id for result in run.results if result.finished} - metered
    found += [failure for failure in run.failures if failure.id in timed]
    return [failure for failure in found if failure.kind.of_surroundings]


def tried_again(store: Store, run: Run) -> Run:
    """The run without the failures that are tried again, in the store too."""
    again = to_retry(run)
    if not again:
        return run
    store.forget_failures(run.info.id, again)
    return store.load_run(run.info.id)
