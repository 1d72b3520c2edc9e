"""Several runs of one study, of one build or of several in turn: starting them, resuming them, what came of them."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import click

from motebench.cli.options import print_json
from motebench.cli.running import asked_of, carry_out, go_on, prepared, seed_of
from motebench.cli.text.rows import print_rows
from motebench.comparison.groups import spread_of, summary
from motebench.errors import ExitCode, InputError
from motebench.groups import PROBES, Build, Session, Turn, check_group, group_of, session_of
from motebench.model import Run
from motebench.store import Store
from motebench.study.load import Question, from_text, to_toml
from motebench.units import format_value

SCHEMA = "motebench-runs-1"


def start(
    question: Question,
    builds: dict[str, Build],
    runs: int,
    *,
    name: str | None,
    seed: int | None,
    store: str,
    as_json: bool,
    report: str | None,
    quiet: bool,
) -> int:
    """Carry out the study ``runs`` times, or so often for each build in turn. Returns the exit code."""
    _no_report(report)
    if name is not None:
        check_group(name, "--name")
    targets = {target for group in question.study.measure for target in group.targets}
    if any(build.kind == PROBES for build in builds.values()) and "host" not in targets:
        raise InputError(
            "folders of probes are measured on this host, and the study has other targets",
            where="--alternate", valid="a study with target host",
        )  # fmt: skip
    for build in builds.values():  # what cannot be measured is found before an hour is spent on the others
        prepared(_of_build(question, build), build.probes)
    with Store.open(store, create=True) as opened:
        groups = tuple(builds) or (name or _free_name(opened),)
        session = Session(groups, runs, seed_of(question, seed), builds)
        _check_free(opened, session)
        return _go_through(opened, session, question, store=store, as_json=as_json, quiet=quiet)


def resume(opened: Store, run: Run, *, store: str, as_json: bool, report: str | None, quiet: bool) -> int:
    """Finish what a session began: its interrupted run, then all that were not started yet."""
    _no_report(report)
    found = session_of(run.info.settings)
    if found is None:
        raise InputError(f"run {run.info.name} belongs to no group", where="--resume")
    question, _ = asked_of(run)
    file = str(run.info.settings.get("file") or run.info.name)
    question = replace(question, text=run.info.study, name=file)
    return _go_through(opened, found[0], question, store=store, as_json=as_json, quiet=quiet)


def _go_through(opened: Store, session: Session, question: Question, *, store: str, as_json: bool, quiet: bool) -> int:
    turns = session.turns()
    for place, turn in enumerate(turns, 1):
        there = _there(opened, session, turn)
        if there is not None and there.info.status == "finished":
            continue
        if not quiet:
            click.echo(f"run {turn.name}, {place} of {len(turns)}", err=True)
        try:
            interrupted = _one(opened, session, turn, there, question, quiet)
        except KeyboardInterrupt:  # before the first sample
            interrupted = True
        if interrupted:
            click.echo(
                f"interrupted; motebench run --resume={turns[0].group} goes on with {turn.name} "
                f"and the {len(turns) - place} runs after it",
                err=True,
            )
            return ExitCode.INTERRUPTED
    return _finish(opened, session, store=store, as_json=as_json)


def _one(opened: Store, session: Session, turn: Turn, there: Run | None, question: Question, quiet: bool) -> bool:
    """Make or finish one run; whether it was interrupted. Code is read anew: two folders of one name take turns."""
    build = session.builds.get(turn.group)
    probes = build.probes if build else None
    if there is not None:
        return go_on(opened, there, quiet=quiet, probes=probes).interrupted
    plan = prepared(_of_build(question, build), probes)
    kept, seed = session.settings(turn), session.seed_of(turn)
    return carry_out(opened, plan, name=turn.name, seed=seed, quiet=quiet, group=kept)[1].interrupted


def _of_build(question: Question, build: Build | None) -> Question:
    """The question asked of a build."""
    if build is None or build.kind == PROBES:
        return question
    groups = tuple(
        group.model_copy(update={"code": (build.path,)}) if group.code else group for group in question.study.measure
    )
    asked = from_text(question.study.model_copy(update={"measure": groups}).model_dump_json(), question.name)
    return replace(asked, text=to_toml(asked.study))


def _there(opened: Store, session: Session, turn: Turn) -> Run | None:
    """The run of that turn, if it was begun."""
    if all(info.name != turn.name for info in opened.runs()):
        return None
    run = opened.load_run(turn.name)
    return run if session_of(run.info.settings) == (session, turn) else None


def _check_free(opened: Store, session: Session) -> None:
    there = opened.runs()
    names = {info.name for info in there}
    groups = {group_of(info.settings) for info in there}
    taken = [turn.name for turn in session.turns() if turn.name in names]
    taken += [name for name in session.groups if name in names | groups]
    if taken:
        raise InputError(
            f"{taken[0]!r} is in the store already",
            where="--alternate" if session.builds else "--name",
            hint="take another name; motebench run --resume=NAME goes on with what is there",
        )


def _free_name(opened: Store) -> str:
    there = opened.runs()
    taken = {info.name for info in there} | {group_of(info.settings) for info in there}
    number = 1
    while f"group-{number}" in taken:
        number += 1
    return f"group-{number}"


def _no_report(report: str | None) -> None:
    if report is not None:
        raise InputError(
            "a report shows one run, and there are several", where="--report", hint="motebench export, for each run"
        )


def _finish(opened: Store, session: Session, *, store: str, as_json: bool) -> int:
    groups = {name: [opened.load_run(turn.name) for turn in session.turns() if turn.group == name]
              for name in session.groups}  # fmt: skip
    failed = any(run.failures or any(r.failure for r in run.results) for runs in groups.values() for run in runs)
    if as_json:
        print_json(_document(session, groups))
    else:
        _show(groups)
    if len(groups) > 1:
        first, second, *_ = groups
        click.echo(f"motebench compare {first} {second} says whether they differ", err=True)
    click.echo(f"runs {', '.join(f'{name}-1 to {name}-{session.runs}' for name in groups)} are in {store}", err=True)
    return ExitCode.FAILURES if failed else ExitCode.OK


def _document(session: Session, groups: dict[str, list[Run]]) -> dict[str, Any]:
    def case(row: Any) -> dict[str, Any]:
        values = list(row.values.values())
        return {
            **row.case.entry(),
            "metric": row.metric,
            "unit": row.unit,
            "evidence": row.evidence.value,
            "runs": len(values),
            "medians": values,
        }

    return {
        "schema": SCHEMA,
        "seed": session.seed,
        "order": [turn.name for turn in session.turns()],
        "groups": [
            {
                "name": name,
                "build": session.builds[name].path if name in session.builds else None,
                "runs": [{"run": run.info.id, "name": run.info.name, "status": run.info.status} for run in runs],
                "cases": [case(row) for row in summary(runs, ("time",))],
            }
            for name, runs in groups.items()
        ],
    }


def _show(groups: dict[str, list[Run]]) -> None:
    rows = []
    for name, runs in groups.items():
        for row in summary(runs, ("time",)):
            found = spread_of(row)
            case = row.case
            values = sorted(row.values.values())
            rows.append(
                {
                    "group": name,
                    "scheme": case.scheme,
                    "by": case.implementation,
                    "operation": case.operation.value,
                    "input": case.input_words() if case.operation.sized else "-",
                    "time": format_value(values[len(values) // 2], row.unit),
                    "spread of runs": "-" if found is None else f"{100 * found:.2f} %",
                    "runs": len(values),
                }
            )
    print_rows(rows)
    if rows:
        click.echo("\ntime: the middle one of the medians of the runs; spread: their standard deviation")
