"""``motebench collection``: a table of the field, measured again."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING, Any

import click

from motebench.base.errors import ExitCode, InputError, printable
from motebench.cli.options import (
    command_line,
    json_option,
    print_json,
    store_option,
)

if TYPE_CHECKING:
    from motebench.documents.comparison import CollectedEntry, CollectionEntry
    from motebench.measuring.collection import (
        Collected,
        CollectedFolder,
        CollectionRequest,
        FolderOutcome,
    )

_FORMS = ("text", "csv", "markdown", "beside")


@click.command("collection")
@click.argument("file", metavar="FILE|NAME")
@click.option(
    "--from",
    "tree",
    type=click.Path(path_type=Path),
    metavar="DIR",
    help="Folder with the code.  [default: git fetches the file's commit]",
)
@click.option(
    "--target",
    "targets",
    multiple=True,
    metavar="NAME",
    help="Targets, in place of the file's own.",
)
@click.option(
    "--only",
    multiple=True,
    metavar="GLOB",
    help="Folders: globs of SCHEME/IMPLEMENTATION or paths, with commas.",
)
@click.option(
    "--resume/--again",
    "resume",
    default=True,
    help="Keep stored runs of unchanged folders, or measure all again.  [default: resume]",
)
@click.option("--timeout", metavar="TIME", help="Time limit of a request.")
@click.option(
    "--share",
    type=click.Choice(["hash"]),
    help="Also the part of the cycles that SHA, Keccak and AES take, on simulated boards.",
)
@click.option(
    "--jobs",
    "-j",
    type=click.IntRange(min=1),
    metavar="N",
    help="Folders at once.  [default: one per processor on simulated boards, else 1]",
)
@click.option(
    "--fleet",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="File of boards and groups that --target can name: @all.",
)
@click.option("--dry-run", is_flag=True, help="List the folders, measure nothing.")
@click.option(
    "--format",
    "-f",
    "form",
    type=click.Choice(_FORMS),
    default="text",
    show_default=True,
    help="csv, markdown: the project's own table; beside: CSV of all numbers.",
)
@click.option(
    "--output",
    "-o",
    type=click.Path(path_type=Path, file_okay=False),
    metavar="DIR",
    help="Write every form into this folder, too.",
)
@click.option("--quiet", "-q", is_flag=True, help="No progress on standard error.")
@store_option
@json_option
def command(file: str, tree: Path | None, store: str, **options: Any) -> int:
    """Measure a collection of others' code, such as pqm4, beside its published table.

    FILE is a TOML file; NAME: pqm4, pqm3, lwc or supercop. Exit code 3 if a row has the cause of a
    missing number, 130 after Ctrl-C.
    """
    from motebench.measuring.collection import read_collection

    collection, path = read_collection(file)
    _refuse_forms(options)
    request = _request(collection, tree, options)
    if options["dry_run"]:
        return _list_folders(request, store, as_json=options["as_json"])
    from motebench.measuring.collection import collect
    from motebench.measuring.fleet.crew import crew_of
    from motebench.show.collection import check_published, collection_document

    check_published(request, path)
    if options["output"] is not None:
        _check_folder(options["output"])
    progress = _Progress(quiet=options["quiet"], several=request.at_once > 1)
    with crew_of(options["fleet"]) as crew:
        collected = collect(store, request, progress, crew)
    document = collection_document(collected, path, store)
    if options["output"] is not None:
        _write(document, collected, path, options["output"])
    _print(document, collected, path, options)
    if collected.left:
        click.echo(
            f"interrupted; folders left: {collected.left}; the same call goes on there", err=True
        )
        return ExitCode.INTERRUPTED
    failed = any(entry.causes and entry.state != "excluded" for entry in document.entries)
    return ExitCode.FAILURES if failed else ExitCode.OK


def _request(collection: Any, tree: Path | None, options: dict[str, Any]) -> CollectionRequest:
    from motebench.base.units import parse_duration
    from motebench.measuring.collection import CollectionRequest, fetched
    from motebench.measuring.fleet.file import load as load_fleet
    from motebench.targets.registry import split_names

    if tree is not None and not tree.is_dir():
        raise InputError(
            f"{tree} is not a folder", where="--from", valid="the folder with the code"
        )
    options["fleet"] = None if options["fleet"] is None else load_fleet(options["fleet"])
    timeout = options["timeout"]
    only = tuple(part for text in options["only"] for part in text.split(",") if part)
    return CollectionRequest(
        collection,
        fetched(collection) if tree is None else tree.absolute(),
        split_names(options["targets"]),
        only,
        not options["resume"],
        None if timeout is None else parse_duration(timeout, where="--timeout"),
        command_line(),
        options["fleet"],
        options["share"],
        options["jobs"],
    )


def _refuse_forms(options: dict[str, Any]) -> None:
    """Refuse a form of results beside another one, or without results."""
    other = "--json" if options["as_json"] else "--dry-run" if options["dry_run"] else None
    if other is not None and options["form"] != "text":
        raise InputError(f"--format has no effect with {other}", where="--format")
    if options["dry_run"] and options["output"] is not None:
        raise InputError("--output has no effect with --dry-run", where="--output")


def _list_folders(request: CollectionRequest, store: str, *, as_json: bool) -> int:
    from motebench.measuring.collection import folders_of

    if as_json:
        from motebench.show.collection import planned_document

        print_json(planned_document(request, store))
        return ExitCode.OK
    for folder in folders_of(request.collection, request.tree, request.only):
        rest = f"  excluded: {folder.excluded}" if folder.excluded else ""
        click.echo(f"{folder.label}  {printable(folder.path)}{rest}")
    return ExitCode.OK


class _Progress:
    """A line on standard error for each folder, before it is measured and after. ``several``: at
    once."""

    def __init__(self, *, quiet: bool, several: bool) -> None:
        self._quiet, self._several = quiet, several

    def __call__(
        self,
        number: int,
        count: int,
        folder: CollectedFolder,
        outcomes: Sequence[FolderOutcome] | None,
    ) -> None:
        if self._quiet:
            return
        if outcomes is None or self._several:
            over = "" if outcomes is None else " is over"
            click.echo(f"[{number}/{count}] {folder.label}{over}", err=True)
        if outcomes is None:
            return
        from motebench.show.collection import listed_causes

        for outcome in outcomes:
            click.echo(f"    {outcome.target}: {outcome.state}", err=True)
            causes = outcome.causes
            for text in listed_causes((c.kind, c.operation, c.size, c.message) for c in causes):
                click.echo(f"      {text}", err=True)


def _check_folder(folder: Path) -> None:
    """Find out before measuring that the files can be written."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(
            f"{folder} cannot be made: {error.strerror}", where="--output", valid="a folder"
        ) from None


def _write(document: CollectionEntry, collected: Collected, path: Path, folder: Path) -> None:
    """Every form of the result, as files."""
    import json

    from motebench.base.files.access import FileKind, write
    from motebench.base.shapes import as_document
    from motebench.show.collection import BESIDE, beside_rows, own_text
    from motebench.show.export.csv import csv_text

    texts: dict[str, str] = {
        f"{document.name}-beside.csv": csv_text(BESIDE, beside_rows(document)),
        f"{document.name}.json": json.dumps(as_document(document), indent=2) + "\n",
    }
    for markdown in (False, True):
        for name, tables in _by_file(document, collected, path, markdown=markdown).items():
            texts[name] = own_text(tables, markdown=markdown)
    for name, text in texts.items():
        write(folder / name, text, FileKind.BINARY, force=True)
        click.echo(f"wrote {folder / name}", err=True)


def _by_file(
    document: CollectionEntry, collected: Collected, path: Path, *, markdown: bool
) -> dict[str, list[Any]]:
    from motebench.show.collection import own_tables

    by_file: dict[str, list[Any]] = {}
    for table in own_tables(document, collected, path, markdown=markdown):
        by_file.setdefault(table.file, []).append(table)
    return by_file


def _print(
    document: CollectionEntry, collected: Collected, path: Path, options: dict[str, Any]
) -> None:
    form = options["form"]
    if options["as_json"]:
        print_json(document)
    elif form == "beside":
        from motebench.show.collection import BESIDE, beside_rows
        from motebench.show.export.csv import csv_text

        click.echo(csv_text(BESIDE, beside_rows(document)), nl=False)
    elif form == "text":
        _show(document)
    else:
        from motebench.show.collection import own_tables, own_text

        markdown = form == "markdown"
        tables = own_tables(document, collected, path, markdown=markdown)
        click.echo(own_text(tables, markdown=markdown), nl=False)


# The answer as text


def _show(document: CollectionEntry) -> None:
    """Every number beside the published one, then rows without numbers, then a summary."""
    from motebench.cli.text.layout import print_rows
    from motebench.show.collection import causes_text

    lines = [dict(line) for entry in document.entries for line in _lines(entry)]
    if lines:
        empty = {key for key in lines[0] if all(line[key] is None for line in lines)}
        shown = [{key: line[key] for key in line if key not in empty} for line in lines]
        print_rows(shown, ("target",), right=("published", "ours", "deviation"))
    without = [entry for entry in document.entries if entry.causes]
    if without:
        click.echo("\nwithout numbers, wholly or in part:")
    for entry in without:
        click.echo(f"  {_name(entry)}, {entry.target}: {causes_text(entry)}")
    click.echo("")
    for line in _summary(document):
        click.echo(line)


def _summary(document: CollectionEntry) -> Iterable[str]:
    """Counts of rows, the median deviation, and where the runs are."""
    from collections import Counter

    from motebench.show.collection import MOST_SPREAD, deviations, varied

    states = Counter(entry.state for entry in document.entries)
    counts = ", ".join(f"{count} {state}" for state, count in states.items())
    yield f"{document.title}: {counts or 'no folder measured'}"
    if errors := deviations(document):
        middle = median(map(abs, errors))
        yield f"median of the absolute deviations: {middle:.2%} of {len(errors)} numbers"
    if any(varied(entry) for entry in document.entries):
        yield f"~: executions vary by more than {MOST_SPREAD:.0%}: not in the median"
    yield f"runs: motebench show '{document.name}-*' --store {document.store}"


def _name(entry: CollectedEntry) -> str:
    variant = f"@{entry.variant}" if entry.variant else ""
    return "/".join(entry.names.values()) + variant


def _lines(entry: CollectedEntry) -> Iterable[dict[str, object]]:
    from motebench.show.collection import plain_number, varied

    seen, varying = set(), varied(entry)
    for figure in entry.figures:
        case = (figure.operation, figure.aad_bytes, figure.input_bytes, figure.metric)
        if figure.value is None or case in seen:
            continue
        seen.add(case)
        size = "" if figure.input_bytes is None else f"{figure.input_bytes} B"
        if figure.aad_bytes:
            size = f"{figure.aad_bytes}:{size}"
        published, deviation = None, None
        if figure.published is not None:
            published = plain_number(figure.published, figure.unit, commas=True)
        if figure.deviation is not None:
            mark = "~" if figure.metric == "cycles" and figure.operation in varying else ""
            deviation = f"{mark}{figure.deviation:+.2%}"
            if mark and figure.uncertainty:
                deviation += f" ±{figure.uncertainty:.1%}"
        yield {
            "folder": _name(entry),
            "target": entry.target,
            "operation": figure.operation,
            "size": size or None,
            "metric": figure.metric
            if figure.unit == figure.metric
            else f"{figure.metric} [{figure.unit}]",
            "published": published,
            "ours": plain_number(figure.value, figure.unit, commas=True),
            "deviation": deviation,
        }
