"""Starting and resuming runs, with progress on stderr and results on stdout."""

from __future__ import annotations

import contextlib
import random
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from motebench import __version__
from motebench.cli.options import print_json
from motebench.environment import describe
from motebench.errors import ExitCode, IncomparableError, InputError, StoreError
from motebench.groups import GROUP, group_of
from motebench.instruments.of_runs import PowerMeter
from motebench.model import Case, Failure, Run
from motebench.naming import probe_key
from motebench.results import document
from motebench.runner.plan import Plan, make_plan
from motebench.runner.progress import Progress, Silent, State
from motebench.runner.run import Outcome, Runner, earlier_results
from motebench.store import Store
from motebench.store.store import check_name
from motebench.study.load import Question, from_text
from motebench.study.policy import Policy, policy_from

if TYPE_CHECKING:
    from rich.progress import Progress as RichProgress
    from rich.progress import TaskID


def start(
    question: Question,
    *,
    name: str | None,
    seed: int | None,
    store: str,
    as_json: bool,
    report: str | None,
    quiet: bool,
) -> int:
    """Plan, measure, show. Returns the exit code."""
    _writable(report)
    if name is not None:
        check_name(name)
    plan = prepared(question)
    seed = seed_of(question, seed)
    with Store.open(store, create=True) as opened:
        run_id, outcome = carry_out(opened, plan, name=name, seed=seed, quiet=quiet)
        return _finish(opened, run_id, outcome, store=store, as_json=as_json, report=report)


def prepared(question: Question, probes: Sequence[Path] | None = None) -> Plan:
    """The plan, its instrument checked. ``probes``: folders of the host's probes, instead of the usual ones."""
    plan = make_plan(question, probes=probes)
    meter = meter_of(plan.policy)
    if meter is not None:
        meter.check()
    return plan


def seed_of(question: Question, given: int | None) -> int:
    """The seed that an option gives, else the study, else chance."""
    chosen = given if given is not None else question.study.sampling.seed
    return chosen if chosen is not None else random.SystemRandom().getrandbits(48)


def carry_out(
    opened: Store, plan: Plan, *, name: str | None, seed: int, quiet: bool, group: Mapping[str, Any] | None = None
) -> tuple[int, Outcome]:
    """Make a run of the plan; its id, and how it ended. ``group``: what it keeps of the group it belongs to."""
    run_id = opened.create_run(
        name=name,
        study_text=plan.question.text,
        settings={**_settings(plan, plan.question), **({GROUP: group} if group else {})},
        environment=_environment(plan),
        seed=seed,
        version=__version__,
        cases=plan.cases,
    )
    for failure in plan.failures:
        opened.add_failure(run_id, failure)
    with _progress(quiet) as progress:
        outcome = Runner(plan, opened, run_id, seed, progress, meter_of(plan.policy)).run({}, first_round=0)
    return run_id, outcome


def last_of_group(opened: Store, name: str) -> Run | None:
    """The newest run of a group; None where there is no such group, or a run has that name."""
    there = opened.runs()
    if any(name in (info.name, str(info.id)) for info in there):
        return None
    ids = [info.id for info in there if group_of(info.settings) == name]
    return opened.load_run(ids[-1], whole=True) if ids else None


def meter_of(policy: Policy) -> PowerMeter | None:
    """What reads the power of the target, where a policy asks for it."""
    return None if policy.instrument is None else PowerMeter(policy.instrument, policy.voltage, policy.energy)


def resume(reference: str, *, store: str, as_json: bool, report: str | None, quiet: bool) -> int:
    """Go on with a stored run. Finished cases stay as they are."""
    _writable(report)
    with Store.open(store, create=False) as opened:
        run = last_of_group(opened, reference) or opened.load_run(reference, whole=True)
        if GROUP in run.info.settings:
            from motebench.cli import repeating

            return repeating.resume(opened, run, store=store, as_json=as_json, report=report, quiet=quiet)
        if run.info.status == "finished":
            click.echo(f"motebench: run {run.info.name} is finished; nothing to resume", err=True)
            failed = bool(run.failures) or any(result.failure for result in run.results)
            return _finish(
                opened, run.info.id, Outcome(0, int(failed), False), store=store, as_json=as_json, report=report
            )
        outcome = go_on(opened, run, quiet=quiet)
        return _finish(opened, run.info.id, outcome, store=store, as_json=as_json, report=report)


def go_on(opened: Store, run: Run, *, quiet: bool, probes: Sequence[Path] | None = None) -> Outcome:
    """Measure what an interrupted run lacks."""
    plan = _replan(run, probes)
    _same_machine(run, plan)
    _same_processes(run, plan)
    first_round = opened.next_round(run.info.id)
    with _progress(quiet) as progress:
        # A fresh order for what is left: repeating the first rounds' order would favour whoever went first then.
        seed = run.info.seed + first_round
        runner = Runner(plan, opened, run.info.id, seed, progress, meter_of(plan.policy))
        return runner.run(earlier_results(run.results), first_round=first_round)


def _replan(run: Run, probes: Sequence[Path] | None = None) -> Plan:
    """The plan of a stored run: its own cases, asked of what is here now."""
    question, policy = asked_of(run)
    plan = make_plan(question, probes=probes)
    gone = [result.case for result in run.results if not _there(plan, result.case) and not result.finished]
    if gone:
        raise InputError(
            f"run {run.info.name} has {len(gone)} unfinished cases that cannot be measured here now, such as {gone[0]}",
            hint="motebench doctor shows what is installed; start a new run for what there is",
        )
    cases = tuple(result.case for result in run.results)
    return Plan(plan.question, policy, cases, (), (), plan.targets, plan.offers, plan.hellos)


def asked_of(run: Run) -> tuple[Question, Policy]:
    """The question and the policy that a stored run keeps. StoreError if they cannot be read."""
    asked, stored = run.info.settings.get("question"), run.info.settings.get("policy")
    try:
        if not isinstance(asked, str) or not isinstance(stored, dict):
            raise ValueError("it does not hold its question and its policy")
        policy = policy_from(stored)
        question = from_text(asked, run.info.name)
    except (ValueError, RecursionError) as error:
        raise StoreError(
            f"run {run.info.name} cannot be taken up again: {' '.join(str(error).split())[:300]}",
            where="--store", hint="start a new run",
        ) from None  # fmt: skip
    return question, policy


def _there(plan: Plan, case: Case) -> bool:
    offered = plan.offers.get(case.target, {}).get(case.provider)
    return offered is not None and (case.operation.value == "copy-file" or case.scheme in offered)


def _same_machine(run: Run, plan: Plan) -> None:
    """Samples of two machines, or of two versions of a library, must not be mixed in one case."""
    from motebench.environment import differences

    now = _environment(plan)
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
            f"run {run.info.name} was measured in another environment: {'; '.join(found)}", hint="start a new run"
        )


def _same_processes(run: Run, plan: Plan) -> None:
    """Samples of a process whose number was not kept, as earlier versions took them, cannot be told from others."""
    for result in run.results:
        samples = next((series.samples for series in result.series if series.metric == "time"), ())
        if plan.jit(result.case) and not result.finished and any(sample.invocation is None for sample in samples):
            raise IncomparableError(
                f"run {run.info.name} was begun by an earlier version, which measured {result.case.implementation} in "
                "one process",
                hint="start a new run",
            )


def _settings(plan: Plan, question: Question) -> dict[str, Any]:
    return {
        "study": question.study.title,
        "file": question.name,
        "policy": plan.policy.plain(),
        "budget_seconds": plan.budget,
        "question": question.study.model_dump_json(),
        "skipped": [asdict(item) for item in plan.skipped],
    }


def _environment(plan: Plan) -> dict[str, Any]:
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
    described = {name: target.describe() for name, target in plan.targets.items()}
    if boards := {name: said for name, said in described.items() if said}:
        environment["boards"] = boards
    if codes := {name: code.facts() for name, code in plan.question.workspace.code.items()}:
        environment["code"] = codes
    return environment


def _writable(report: str | None) -> None:
    """Find out before the run, not after it, that the report cannot be written."""
    if report is not None:
        from motebench.output import Form, check

        check(Path(report), Form.HTML, force=None, where="--report")


def _finish(opened: Store, run_id: int, outcome: Outcome, **output: Any) -> int:
    shown = document(opened.load_run(str(run_id)), samples=output["report"] is not None)
    if output["as_json"]:
        plain = document(opened.load_run(str(run_id))) if output["report"] else shown
        print_json(plain)
    else:
        from motebench.table import print_table

        print_table(shown)
    if output["report"]:
        write_report(shown, Path(output["report"]), force=None, where="--report")
    name = shown["run"]["name"]
    click.echo(f"run {name} is in {output['store']}", err=True)
    if outcome.interrupted:
        click.echo(f"interrupted; motebench run --resume={name} goes on", err=True)
        return ExitCode.INTERRUPTED
    return ExitCode.FAILURES if shown["failures"] else ExitCode.OK


def write_report(shown: dict[str, Any], path: Path, *, force: bool | None, where: str) -> None:
    """Write the HTML report and say where. InputError if it cannot be written."""
    from motebench.report import write

    write(shown, path, force=force, where=where)
    click.echo(f"report: {path.resolve().as_uri()}", err=True)


@contextlib.contextmanager
def _progress(quiet: bool) -> Iterator[Progress]:
    if quiet:
        yield Silent()
        return
    if not sys.stderr.isatty():
        yield _Lines()
        return
    from rich.console import Console
    from rich.progress import BarColumn, TaskProgressColumn, TextColumn, TimeElapsedColumn
    from rich.progress import Progress as RichProgress

    columns = (TextColumn("{task.description:<44.44}"), BarColumn(), TaskProgressColumn(), TimeElapsedColumn())
    with RichProgress(*columns, console=Console(stderr=True), transient=True, refresh_per_second=4) as bar:
        yield _Bar(bar)


class _Lines:
    """Progress for logs: a line when something is worth one."""

    def __init__(self) -> None:
        self._said = time.monotonic()

    def checking(self, what: str, done: int, total: int) -> None:
        del what
        if done == 0:
            click.echo(f"checking known answers of {total} scheme implementations", err=True)

    def sampled(self, case: Case, state: State) -> None:
        del case
        if time.monotonic() - self._said >= 5:
            self._said = time.monotonic()
            done = f"{state.finished} of {state.total} cases finished"
            click.echo(f"{done} after {state.seconds:.0f} s (at most {state.budget:.0f} s)", err=True)

    def metering(self, what: str, done: int, total: int) -> None:
        click.echo(f"energy of {what}, {done + 1} of {total}", err=True)

    def failed(self, failure: Failure) -> None:
        click.echo(_failure_line(failure), err=True)


class _Bar:
    """A progress bar: known answers first, then the share of the work that is done."""

    def __init__(self, bar: RichProgress) -> None:
        self._bar = bar
        self._task: TaskID = bar.add_task("starting", total=None)

    def checking(self, what: str, done: int, total: int) -> None:
        self._bar.update(self._task, description=f"known answers: {what}", completed=done, total=total)

    def sampled(self, case: Case, state: State) -> None:
        size = f" {case.input_bytes} B" if case.operation.sized else ""
        what = f"{case.scheme} {case.operation.value}{size}"
        # Never full before the end: beyond the fewest samples, some cases need more.
        share = min(state.share, 0.99 if state.finished < state.total else 1.0)
        self._bar.update(self._task, description=what, completed=share * state.total, total=state.total)

    def metering(self, what: str, done: int, total: int) -> None:
        self._bar.update(self._task, description=f"energy: {what}", completed=done, total=total)

    def failed(self, failure: Failure) -> None:
        self._bar.console.print(_failure_line(failure), markup=False, highlight=False)


def _failure_line(failure: Failure) -> str:
    what = f"{failure.scheme} {failure.implementation} {failure.operation or ''}".strip()
    return f"failed: {what}: {failure.kind.value}: {failure.message}"
