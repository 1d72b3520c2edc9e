"""``motebench run``: carry out a study."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from motebench.base.errors import ExitCode, InputError
from motebench.cli.options import (
    ALL_CORES,
    BoardOptions,
    Core,
    case_options,
    code_options,
    command_line,
    json_option,
    print_json,
    refuse,
    settings_options,
    store_option,
)

if TYPE_CHECKING:
    from motebench.measuring.fleet.crew import Crew
    from motebench.measuring.fleet.file import Fleet
    from motebench.measuring.request import Measured, Start
    from motebench.measuring.study.model import Sampling
    from motebench.measuring.study.question import Question
    from motebench.results.groups import Build
    from motebench.show.profile import CaseProfile


@click.command("run")
@click.argument("study", required=False, metavar="[STUDY]")
@click.option(
    "--scheme",
    "schemes",
    multiple=True,
    metavar="PATTERN",
    help="Schemes: names, aliases or globs, with commas.",
)
@click.option(
    "--implementation",
    "implementations",
    multiple=True,
    metavar="PATTERN",
    help="Implementations; LABEL=NAME measures one under another name. Missing ones are built.",
)
@click.option(
    "--target",
    "targets",
    multiple=True,
    metavar="NAME",
    help="Targets; with a STUDY, in place of its own.  [default: host]",
)
@click.option(
    "--fleet",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="File of boards and groups that --target can name: @all.",
)
@case_options
@code_options
@click.option(
    "--file",
    "files",
    multiple=True,
    type=click.Path(),
    help="Process this file as a whole, on disk.",
)
@click.option(
    "--file-size",
    "file_sizes",
    multiple=True,
    metavar="SIZE",
    help="Like --file, with a generated file of this size.",
)
@click.option(
    "--code-name",
    metavar="NAME",
    help="With --code: its name, instead of the folder's.",
)
@click.option(
    "--exclude", "excludes", multiple=True, metavar="PATTERN", help="Schemes to leave out."
)
@click.option("--fast", "preset", flag_value="fast", help="A quick look: 3 % precision.")
@click.option(
    "--rigorous",
    "preset",
    flag_value="rigorous",
    help="For publication: 0.25 % precision, many samples.",
)
@click.option(
    "--precision",
    metavar="PERCENT",
    help="Finish a case when its median has this precision, for example 1%.",
)
@click.option(
    "--budget",
    metavar="TIME",
    help="End the run after this time, such as 60s; every case gets a sample.",
)
@click.option(
    "--timeout",
    metavar="TIME",
    help="Time limit of a request to a probe.  [default: 5min]",
)
@click.option("--warmup", metavar="TIME", help="Just-in-time compilers: longest warm-up of a case.")
@click.option(
    "--runtime",
    type=click.Choice(["shared", "apart"]),
    help="Just-in-time compilers: one process for all cases, or one per scheme.  [default: shared]",
)
@click.option(
    "--invocations",
    type=click.IntRange(2, 1000),
    metavar="N",
    help="Just-in-time compilers: processes, each with one value of a case.  [default: preset]",
)
@click.option(
    "--share",
    type=click.Choice(["hash"]),
    help="Simulated boards: also the part of the cycles that SHA, Keccak and AES take.",
)
@click.option(
    "--profile",
    type=click.Path(path_type=Path),
    metavar="FOLDER",
    help="Simulated boards: cycles by function; flame graphs and folded stacks to this folder.",
)
@click.option(
    "--profile-base",
    type=click.Path(path_type=Path),
    metavar="FOLDER",
    help="With --profile: the folder of an earlier run; shows what differs.",
)
@click.option(
    "--instrument",
    "instruments",
    multiple=True,
    metavar="[TARGET=]NAME",
    help="Measure the energy of each case with this instrument.",
)
@click.option(
    "--voltage",
    metavar="VOLTAGE",
    help="With --instrument: supply voltage, if it cannot measure it: 3.3V.",
)
@click.option(
    "--energy",
    metavar="TIME",
    help="With --instrument: total time of the batches of a case.  [default: preset]",
)
@click.option(
    "--cpu",
    type=Core(),
    metavar="N|all",
    help="Pin probes to this core; all: how throughput grows with 1, 2, 4, ... cores.  [default: "
    "the least busy]",
)
@click.option("--no-pin", is_flag=True, help="Let the system move probes from core to core.")
@click.option(
    "--seed",
    type=click.IntRange(0, 2**63 - 1),
    help="Seed of the random order and of memory layouts.  [default: random]",
)
@click.option(
    "--cache",
    type=click.Choice(["cold", "warm"]),
    help="Whole files: drop the input from the page cache, or not.  [default: cold]",
)
@click.option(
    "--sync/--no-sync",
    default=None,
    help="Whole files: flush output to the device.  [default: sync]",
)
@click.option("--name", help="A name for the run.  [default: date and number]")
@click.option(
    "--runs",
    type=click.IntRange(2, 100),
    help="Number of runs of the study, as one group: NAME-1, NAME-2, ...",
)
@click.option(
    "--alternate",
    multiple=True,
    metavar="LABEL=DIR",
    help="Folder of probes or code that alternates with the others; --runs of each.  [default: 5]",
)
@click.option(
    "--resume",
    is_flag=False,
    flag_value="latest",
    metavar="[RUN]",
    help="Continue an interrupted run or group.  [default: latest]",
)
@click.option("--dry-run", is_flag=True, help="List the cases, estimate the time, measure nothing.")
@click.option(
    "--report", type=click.Path(dir_okay=False), help="Also write the HTML report to this file."
)
@click.option("--quiet", "-q", is_flag=True, help="No progress on standard error.")
@click.option(
    "--placements",
    type=click.IntRange(1, 16),
    metavar="N",
    help="Simulated boards: number of places of the code; 1: the usual place.  [default: "
    "8 where cycles depend on the place]",
)
@settings_options
@store_option
@json_option
def command(study: str | None, resume: str | None, **options: Any) -> int:
    """Measure: run a STUDY file, or the study that the options describe.

    Known answers come first; an implementation that fails them is not timed.
    """
    from motebench.measuring.fleet.file import load as load_fleet
    from motebench.measuring.study.question import with_instruments

    fleet = None if options["fleet"] is None else load_fleet(options["fleet"])
    _check_profile(options)
    if resume is not None:
        _only_resume(study, options)
        _check_report(options["report"])
        return _carry_out(resume, fleet, options)
    builds = _builds(study, options)
    question = _question(study, options, fleet)
    # The request is right: from here on it takes longer.
    from motebench.measuring.fleet.crew import check_alone, crew_of, instruments_of
    from motebench.measuring.request import Start

    _refuse_unused(question, fleet)
    question = with_instruments(question, options["instruments"] or instruments_of(question, fleet))
    question = replace(question, command=command_line())
    start = Start(
        question, options["name"], options["seed"], options["runs"] or (5 if builds else 1), builds
    )
    check_alone(fleet, group=start.of_group)
    start.check_name()
    if options["dry_run"]:
        with crew_of(fleet) as crew:
            return _dry_run(question, start.runs * max(len(builds), 1), crew, options)
    _check_report(options["report"])
    if study is None and not options["quiet"]:
        _point_to_cost(question)
    return _carry_out(start, fleet, options)


def _point_to_cost(question: Question) -> None:
    """Say, before anything is built for a simulated board, that its answer is there already."""
    from motebench.base.naming import SIMULATED

    for group in question.study.measure:
        targets = [target for target in group.targets if target.startswith(SIMULATED)]
        if not targets or group.code:
            continue
        from motebench.advise.choice.known_costs import known_already

        names = known_already(group.schemes, targets)
        if names is not None:
            click.echo(
                f"known already, from reference results: motebench cost {' '.join(names)}", err=True
            )


def _carry_out(request: Start | str, fleet: Fleet | None, options: dict[str, Any]) -> int:
    """Measure, and show what came of it. ``request``: a new run, or the name of a stored one that
    is taken up.
    """
    from motebench.cli.text.progress import Terminal
    from motebench.cli.text.run import RunOutput, show
    from motebench.measuring.fleet.crew import crew_of
    from motebench.measuring.request import Resume, carry_out

    report = None if options["report"] is None else Path(options["report"])
    terminal = Terminal(quiet=options["quiet"])
    with crew_of(fleet) as crew:
        measured = carry_out(
            options["store"],
            Resume(request) if isinstance(request, str) else request,
            terminal,
            crew,
        )
    profiled = options["profile"] is not None and not measured.interrupted
    profiles = _profiles(measured, options) if profiled else []
    measured = _noted(measured, profiles, options["store"])
    code = show(measured, RunOutput(options["store"], options["as_json"], report), terminal)
    if profiled:
        code = max(code, _show_profiles(measured, profiles, options), key=bool)
    return code


def _check_profile(options: dict[str, Any]) -> None:
    """InputError for folders of profiles that cannot be used, and for requests that have none."""
    if options["profile"] is None:
        refuse(("profile_base",), "{option} has no effect without --profile", valid="both")
        return
    for name in ("fleet", "runs", "alternate", "dry_run"):
        refuse((name,), "{option} and --profile are mutually exclusive", valid="a run made alone")
    from motebench.show.profile import check_folders

    check_folders(options["profile"], options["profile_base"])


_FUNCTIONS = 20


def _profiles(measured: Measured, options: dict[str, Any]) -> list[CaseProfile]:
    """Profiles of a run's cases, written to the folder that was asked for."""
    from motebench.show.profile import profiles_of

    if measured.session is not None:
        return []
    (run,) = measured.runs
    return list(profiles_of(run, options["profile"], options["profile_base"]))


def _noted(measured: Measured, profiles: Sequence[CaseProfile], path: str) -> Measured:
    """The run with a note on each case that has a profile; the store at ``path`` keeps them."""
    from motebench.store import Store

    if not profiles:
        return measured
    (run,) = measured.runs
    noted = {result.case: result.notes for result in run.results}
    with Store.open(path, create=False) as store:
        for profile in profiles:
            if profile.stacks and profile.note not in noted[profile.case]:
                store.add_note(run.info.id, profile.note, profile.case)
        return replace(measured, runs=[store.load_run(run.info.id)])


def _show_profiles(
    measured: Measured, profiles: Sequence[CaseProfile], options: dict[str, Any]
) -> ExitCode:
    """Print profiles unless JSON is asked for. FAILURES if there is none of a case."""
    from motebench.base.errors import printable
    from motebench.cli.text.layout import print_rows
    from motebench.show.profile import difference_rows, profile_rows

    if measured.session is not None:
        raise InputError(
            "runs of a group have no profile", where="--profile", valid="a run made alone"
        )
    code = ExitCode.OK
    for profile in profiles:
        for note in filter(None, (profile.problem, *profile.notes)):
            click.echo(f"{printable(profile.title)}: {printable(note)}", err=True)
        if profile.problem:
            code = ExitCode.FAILURES
        if options["as_json"] or profile.problem:
            continue
        total = sum(profile.stacks.values())
        click.echo(f"\n{printable(profile.title)}: {total:,} cycles, simulated")
        tables = [profile_rows(profile.stacks)]
        if profile.before is not None:
            earlier = sum(profile.before.values())
            click.echo(f"before: {earlier:,} cycles, difference {total - earlier:+,}")
            tables.insert(0, difference_rows(profile.before, profile.stacks))
        for rows in tables:
            print_rows(rows[:_FUNCTIONS], right=tuple(rows[0])[1:] if rows else ())
            if len(rows) > _FUNCTIONS:
                click.echo(f"functions not shown: {len(rows) - _FUNCTIONS}")
        click.echo(f"flame graph: {profile.files[1].resolve().as_uri()}", err=True)
    return code


def _check_report(report: str | None) -> None:
    """Find out before the run, not after it, that the report cannot be written."""
    if report is not None:
        from motebench.base.files.access import FileKind, check

        check(Path(report), FileKind.HTML, force=None, where="--report")


def _builds(study: str | None, options: dict[str, Any]) -> dict[str, Build]:
    """Builds that are measured in turn, by label; folders of code take the place of ``--code``."""
    from motebench.results.groups import CODE, parse_builds

    builds = parse_builds(options["alternate"])
    if builds and options["name"]:
        raise InputError(
            "--name has no effect with --alternate: the labels of the builds name the groups",
            where="--name",
        )
    first = next(iter(builds.values()), None)
    if first is not None and first.kind == CODE:
        if study or options["code"]:
            raise InputError(
                "--alternate with folders of code replaces --code, and cannot be used with a "
                "STUDY file",
                where="--alternate",
                valid="options instead of a STUDY file, without --code",
            )
        options["code"] = (first.path,)
        options["code_name"] = options["code_name"] or Path(first.path).name
    return builds


_STUDY_OPTIONS = (
    "schemes",
    "implementations",
    "targets",
    "operations",
    "sizes",
    "aad",
    "code",
    "kat",
    "files",
    "file_sizes",
    "excludes",
)
_SAMPLING_OPTIONS = (
    "preset",
    "precision",
    "budget",
    "timeout",
    "warmup",
    "runtime",
    "invocations",
    "share",
    "voltage",
    "energy",
    "cpu",
    "seed",
)
_CODE_OPTIONS = ("code_name", "code_flags", "without_kat")


def _only_resume(study: str | None, options: dict[str, Any]) -> None:
    others = (
        *_SAMPLING_OPTIONS,
        "instruments",
        "no_pin",
        "name",
        "dry_run",
        "runs",
        "alternate",
        "placements",
    )
    of_new_run = any(options[key] for key in (*_STUDY_OPTIONS, *_CODE_OPTIONS, *others))
    if study or of_new_run or options["settings"] != BoardOptions():
        raise InputError(
            "--resume continues a stored run, so it cannot be combined with options of a new run",
            where="--resume",
            valid="--resume alone, or --resume=RUN, with --store, --fleet, --json, --report, "
            "--quiet",
        )


def _sampling(options: dict[str, Any]) -> Sampling:
    from motebench.base.units import parse_duration, parse_percent, parse_quantity
    from motebench.measuring.study.model import Sampling

    # Parsed here so that a bad value names its option.
    if options["precision"]:
        parse_percent(options["precision"], where="--precision")
    for key in ("budget", "timeout", "warmup", "energy"):
        if options[key]:
            parse_duration(options[key], where=f"--{key}")
    if options["voltage"]:
        parse_quantity(options["voltage"], "V", where="--voltage")
    given = {key: options[key] for key in _SAMPLING_OPTIONS if options[key] is not None}
    if given.get("cpu") == ALL_CORES:
        del given["cpu"]
    if options["no_pin"]:
        if options["cpu"] is not None:
            raise InputError(
                "--cpu and --no-pin are mutually exclusive",
                where="--no-pin",
                valid="one of the two",
            )
        given["cpu"] = "none"
    return Sampling.model_validate(given)


def _question(path: str | None, options: dict[str, Any], fleet: Fleet | None) -> Question:
    from motebench.measuring.study.load import Options, find_study, from_file, from_options
    from motebench.measuring.study.model import WholeFile
    from motebench.measuring.study.question import on_targets, with_placements, with_sampling

    settings: BoardOptions = options["settings"]
    changed = {key: options[key] for key in ("cache", "sync") if options[key] is not None}
    sampling = _sampling(options)
    if path is None:
        if not any(options[key] for key in ("schemes", "code", "files", "file_sizes")):
            raise InputError(
                "no study and no schemes are given",
                valid="a STUDY file, --scheme, --code, --file or --file-size",
                hint="to begin: motebench run quickstart, or motebench run --scheme aes-128-gcm",
            )
        values = {key: tuple(options[key]) for key in _STUDY_OPTIONS}
        values["targets"] = settings.of(options["targets"])
        spelling = Options(
            **values,
            code_name=options["code_name"],
            code_flags=options["code_flags"],
            without_kat=options["without_kat"],
            placements=options["placements"],
            cores="all" if options["cpu"] == ALL_CORES else (),
        )
        return from_options(spelling, sampling, WholeFile.model_validate(changed), fleet)
    if options["cpu"] == ALL_CORES:
        raise InputError(
            "a STUDY file says itself on how many cores its cases are measured",
            where="--cpu",
            valid="the number of a core",
            hint='in [[measure]] of the study: cores = "all"',
        )
    given = [key for key in (*_STUDY_OPTIONS, *_CODE_OPTIONS) if options[key] and key != "targets"]
    if given:
        raise InputError(
            "a STUDY file and options for schemes, operations or sizes are mutually exclusive",
            where=f"--{given[0].rstrip('s').replace('_', '-')}",
            hint="leave out the study, or change a copy of its file",
        )
    question = on_targets(from_file(find_study(path), fleet), options["targets"], "--target", fleet)
    # Options about how long to look override the file's own.
    question = with_sampling(question, sampling, changed)
    measured = tuple(
        group.model_copy(update={"targets": settings.of(group.targets)})
        for group in question.study.measure
    )
    question = replace(question, study=question.study.model_copy(update={"measure": measured}))
    return (
        with_placements(question, options["placements"], "--placements")
        if options["placements"]
        else question
    )


def _refuse_unused(question: Question, fleet: Fleet | None) -> None:
    """InputError for an option that nothing of the question can use."""
    groups = question.study.measure
    if not any(group.files or group.file_sizes for group in groups):
        refuse(
            ("cache", "sync"),
            "{option} is about whole files, and none is measured",
            hint="--file-size 1MiB",
        )
    if fleet is not None:
        return
    from motebench.base.model import Evidence
    from motebench.targets.registry import open_target

    names = {name for group in groups for name in group.targets}
    places = [open_target(name, code=question.workspace.code).place for name in names]
    if not any(place.evidence is Evidence.SIMULATED for place in places):
        refuse(
            ("profile",),
            "{option} needs a simulated board: only a simulator counts the cycles of functions",
            hint="--target sim:...; motebench list targets",
        )
    if all(place.exact and place.evidence is Evidence.SIMULATED for place in places):
        refuse(("precision",), "{option} has no effect: simulated readings of a case are all equal")
        refuse(
            ("cpu", "no_pin"),
            "{option} has no effect: counts do not depend on the core that simulates",
        )


def _dry_run(question: Question, runs: int, crew: Crew | None, options: dict[str, Any]) -> int:
    from motebench.measuring.plan.plan import find_targets, make_plan, plan_document
    from motebench.measuring.plan.precision_cost import costs_of, has_price, known_run

    plan = make_plan(find_targets(question, dry=True, remote=crew))
    priced = has_price(plan)
    earlier = known_run(options["store"], plan) if priced else None
    costs = None if earlier is None else costs_of(plan, earlier)
    if options["as_json"]:
        print_json(plan_document(plan, runs, costs))
        return ExitCode.FAILURES if plan.failures else ExitCode.OK
    from motebench.cli.text.progress import left_out, plan_lines, precision_words

    for case, places in plan.at_places.items():
        where = f", code at {places} places" if places > 1 else ""
        click.echo(str(case) + (f" ({case.file})" if case.file else "") + where)
    for failure in plan.failures:
        click.echo(
            f"cannot: {failure.scheme} {failure.implementation}: {failure.kind.value}: "
            f"{failure.message}",
            err=True,
        )
    for line in (*left_out(plan), *plan_lines(plan, runs)):
        click.echo(line, err=True)
    if priced:
        click.echo(precision_words(plan, costs, options["store"], runs), err=True)
    return ExitCode.FAILURES if plan.failures else ExitCode.OK
