"""``motebench gate``: two commits of a repository, measured in turn."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from motebench.base.errors import ExitCode, InputError
from motebench.cli.options import (
    case_options,
    code_options,
    command_line,
    json_option,
    print_json,
    settings_options,
    store_option,
)

if TYPE_CHECKING:
    from motebench.documents.comparison import GateEntry
    from motebench.measuring.gate import GateOutcome, Repository
    from motebench.measuring.study.model import Sampling
    from motebench.measuring.study.question import Question

_DESCRIBING = (
    "schemes",
    "operations",
    "sizes",
    "aad",
    "code",
    "kat",
    "code_name",
    "code_flags",
    "without_kat",
)
"""Options that describe a study."""
_LISTS = ("schemes", "targets", "operations", "sizes", "aad", "code", "kat")
_FILES = {"comment": "MARKDOWN", "picture": "SVG", "openmetrics": "OPENMETRICS"}


@click.command("gate")
@click.argument("base")
@click.argument("head", default="HEAD")
@click.option(
    "--study",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="A study in the repository; its block with a folder of code is measured.",
)
@click.option(
    "--scheme", "schemes", multiple=True, metavar="PATTERN", help="Schemes that the code computes."
)
@click.option(
    "--target",
    "targets",
    multiple=True,
    metavar="NAME",
    help="Targets.  [default: the study's, or host]",
)
@case_options
@code_options
@click.option(
    "--code-name", metavar="NAME", help="Name of the implementation, instead of the folder's."
)
@click.option("--fast", "preset", flag_value="fast", help="Fewer samples: 3 % precision.")
@click.option("--budget", metavar="TIME", help="End each run after this time, for example 60s.")
@click.option(
    "--runs",
    type=click.IntRange(1, 100),
    metavar="N",
    help="Runs of each commit.  [default: 5, 10 or 20, until nothing is open; simulated: 1]",
)
@click.option("--seed", type=click.IntRange(0, 2**63 - 1), help="Seed of the random order.")
@click.option(
    "--metric",
    "metrics",
    multiple=True,
    metavar="NAME",
    help="Metrics that decide.  [default: time, emulated: instructions]",
)
@click.option(
    "--fail-if-slower",
    default="1%",
    show_default=True,
    metavar="PERCENT",
    help="Exit code 4 if HEAD is certainly slower by more than this.",
)
@click.option(
    "--comment",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Also write a comment in Markdown.",
)
@click.option(
    "--picture",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Also draw both commits, as SVG.",
)
@click.option(
    "--openmetrics",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Also write OpenMetrics text.",
)
@click.option("--quiet", "-q", is_flag=True, help="No progress on standard error.")
@settings_options
@store_option
@json_option
def command(base: str, head: str, **options: Any) -> int:
    """Measure the code of two commits in turn, and fail if it became slower.

    BASE and HEAD are commits of the repository around this folder: names, branches, tags. Both are
    checked out into temporary folders; your files stay as they are, and changes without a commit
    are not measured.
    """
    from motebench.base.files.access import FileKind, check, write
    from motebench.base.units import parse_percent
    from motebench.cli.text.progress import Terminal
    from motebench.measuring.gate import GateRequest, gate
    from motebench.show import gate as shown

    outputs = {name: FileKind[kind] for name, kind in _FILES.items() if options[name] is not None}
    for name, kind in outputs.items():
        check(options[name], kind, force=None, where=f"--{name}")
    request = GateRequest(
        base,
        head,
        _question(options),
        parse_percent(options["fail_if_slower"], where="--fail-if-slower"),
        runs=options["runs"],
        seed=options["seed"],
        metrics=options["metrics"],
    )
    outcome = gate(options["store"], request, Terminal(quiet=options["quiet"]))
    document = shown.gate_document(outcome)
    writers: dict[str, Callable[..., str]] = {
        "comment": shown.comment,
        "picture": shown.picture,
        "openmetrics": shown.gate_metrics,
    }
    for name, kind in outputs.items():
        write(options[name], writers[name](document), kind, force=None, where=f"--{name}")
    if options["as_json"]:
        print_json(document)
    else:
        show(outcome, document)
    return _EXIT[document.answer]


_EXIT = {"slower": ExitCode.SLOWER, "undecided": ExitCode.FAILURES, "passed": ExitCode.OK}


def _question(options: dict[str, Any]) -> Callable[[Repository, Callable[[Path], Path]], Question]:
    """The question of a commit's files. InputError for options that do not fit each other."""
    study: Path | None = options["study"]
    given = [name for name in _DESCRIBING if options[name]]
    if study is not None and given:
        raise InputError(
            "--study and options that describe one are mutually exclusive",
            where=f"--{given[0].rstrip('s').replace('_', '-')}",
            hint="leave out --study, or change the study",
        )
    if study is None and len(options["code"]) != 1:
        raise InputError(
            "no folder of code is given"
            if not options["code"]
            else "the gate measures one folder of code",
            where="--code",
            valid="--code FOLDER once, or --study FILE",
            hint="docs/use/ci.md has an example",
        )
    sampling = _sampling(options)

    def question(repository: Repository, at: Callable[[Path], Path]) -> Question:
        return (
            _of_options(options, sampling, repository, at)
            if study is None
            else _of_study(study, options, sampling, repository, at)
        )

    return question


def _sampling(options: dict[str, Any]) -> Sampling:
    from motebench.base.units import parse_duration
    from motebench.measuring.study.model import Sampling

    if options["budget"]:
        parse_duration(options["budget"], where="--budget")
    given = {name: options[name] for name in ("preset", "budget") if options[name] is not None}
    return Sampling.model_validate(given)


def _of_options(
    options: dict[str, Any], sampling: Sampling, repository: Repository, at: Callable[[Path], Path]
) -> Question:
    from dataclasses import replace

    from motebench.measuring.study.load import Options, from_options
    from motebench.measuring.study.model import WholeFile

    code = repository.inside(Path(options["code"][0]), "--code")
    folder = at(code)
    if not folder.is_dir():
        raise InputError(
            f"there is no folder {str(code)!r} in the head",
            where="--code",
            valid="a folder of code in both commits",
            hint="the path must exist in both commits",
        )
    values: dict[str, Any] = {name: tuple(options[name]) for name in _LISTS}
    values |= {"targets": options["settings"].of(options["targets"]), "code": (str(folder),)}
    spelling = Options(
        **values,
        code_name=options["code_name"] or code.name,
        code_flags=options["code_flags"],
        without_kat=options["without_kat"],
    )
    return replace(from_options(spelling, sampling, WholeFile()), command=command_line())


def _of_study(
    study: Path,
    options: dict[str, Any],
    sampling: Sampling,
    repository: Repository,
    at: Callable[[Path], Path],
) -> Question:
    from dataclasses import replace

    from motebench.measuring.study.load import from_file
    from motebench.measuring.study.question import on_targets, with_sampling

    file = at(repository.inside(study, "--study"))
    if not file.is_file():
        raise InputError(
            f"there is no file {str(study)!r} in the head",
            where="--study",
            valid="a study that the head has",
        )
    question = on_targets(from_file(file), options["targets"], "--target")
    question = with_sampling(question, sampling)
    groups = tuple(
        group.model_copy(update={"targets": options["settings"].of(group.targets)})
        for group in question.study.measure
    )
    study_model = question.study.model_copy(update={"measure": groups})
    return replace(question, study=study_model, command=command_line())


# The answer as text


_FUNCTIONS = 20


def show(outcome: GateOutcome, entry: GateEntry) -> None:
    """The rows that decide, what boards count, the functions that differ, and the answer."""
    from motebench.cli.text import comparison as text
    from motebench.cli.text.layout import print_rows
    from motebench.show.gate import answer_words, case_words, looks_words

    for side, commit in (("base", entry.base), ("head", entry.head)):
        click.echo(f"{side}: {commit.commit[:10]} {commit.subject}")
    click.echo()
    if outcome.comparison is not None:
        text.show(outcome.comparison, entry.allowed)
    if outcome.counts is not None:
        click.echo("\nboards, counted exactly")
        text.show(outcome.counts, None)
    rows = [
        {
            "function": difference.function,
            "of": f"cycles, {case_words(difference)}",
            "base": _number(difference.base),
            "head": _number(difference.head),
        }
        for difference in entry.function_cycles[:_FUNCTIONS]
    ]
    rows += [
        {
            "function": difference.function,
            "of": f"B of {difference.memory}, {case_words(difference)}",
            "base": _number(difference.base),
            "head": _number(difference.head),
        }
        for difference in entry.function_bytes[:_FUNCTIONS]
    ]
    if rows:
        click.echo("\nfunctions that differ")
        print_rows(rows, (), right=("base", "head"))
    for failure in entry.failures:
        click.echo(
            f"failed in the {failure.commit}: {case_words(failure)}: {failure.kind}: "
            f"{failure.message}"
        )
    for note in entry.notes:
        click.echo(note)
    if looks := looks_words(entry):
        click.echo(looks)
    if entry.uncommitted:
        click.echo(
            f"{len(entry.uncommitted)} uncommitted changes are not measured: commit them", err=True
        )
    click.echo(f"\n{answer_words(entry)}")


def _number(value: int | None) -> str:
    return "-" if value is None else f"{value:,}"
