"""``motebench runs``: the runs of a store removed, renamed, noted, tagged, joined and pruned."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

import click

from motebench.base.errors import InputError, StoreError
from motebench.cli.options import store_option

if TYPE_CHECKING:
    from motebench.base.model import RunInfo
    from motebench.store import Store

ACTIONS = ("rm", "rename", "note", "tag", "merge", "prune")
_USAGE = {
    "rm": "motebench runs rm RUN...",
    "rename": "motebench runs rename RUN NAME",
    "note": "motebench runs note RUN TEXT",
    "tag": "motebench runs tag RUN TAG...",
    "merge": "motebench runs merge STORE [RUN]...",
    "prune": "motebench runs prune --keep-last 10 --older-than 30d",
}
_OPTIONS = {
    "yes": ("rm", "prune"),
    "dry_run": ("rm", "prune"),
    "running": ("rm",),
    "remove": ("tag",),
    "older_than": ("prune",),
    "keep_last": ("prune",),
}
"""The actions that an option is of."""
_LEAST = {"rm": 1, "rename": 2, "note": 2, "tag": 2, "merge": 1, "prune": 0}
_MOST = {"rename": 2, "note": 2, "prune": 0}


@click.command("runs")
@click.argument("action", type=click.Choice(ACTIONS))
@click.argument("arguments", nargs=-1, metavar="[WORD]...")
@click.option("--yes", "-y", is_flag=True, help="rm, prune: do not ask.")
@click.option(
    "--dry-run", is_flag=True, help="rm, prune: list what would be removed, and remove nothing."
)
@click.option(
    "--running",
    is_flag=True,
    help="rm: also runs that are marked as running.",
)
@click.option("--remove", is_flag=True, help="tag: take these tags away.")
@click.option(
    "--older-than", metavar="AGE", help="prune: runs that began before: 30d, or a date, 2026-01-31."
)
@click.option(
    "--keep-last", type=click.IntRange(0, 1_000_000), metavar="N", help="prune: keep the newest N."
)
@store_option
def command(action: str, arguments: tuple[str, ...], **options: Any) -> None:
    """Keep the runs of a store in order. A RUN is a number, a name, `latest`, a group, or a pattern
    in quotes.

    rm RUN... removes runs. rename RUN NAME renames a run, or a group with all its runs. note RUN
    TEXT adds a note. tag RUN TAG... marks a run; prune keeps marked runs. merge STORE [RUN]...
    copies runs of another store into this one. prune removes old runs. Nothing is removed without a
    question, or --yes.
    """
    _check(action, arguments, options)
    from motebench.store import Store

    if action == "merge":
        _merge(arguments, options)
        return
    with Store.open(options["store"], create=False) as store:
        _DOING[action](store, arguments, options)


def _check(action: str, arguments: Sequence[str], options: dict[str, Any]) -> None:
    """InputError for words that an action lacks or has too many of, and for options of another
    action."""
    usage = _USAGE[action]
    if len(arguments) < _LEAST[action]:
        raise InputError(f"{action} needs more words", where="WORD", valid=usage)
    if len(arguments) > _MOST.get(action, len(arguments)):
        hint = "a text of several words stands in quotes" if action == "note" else None
        raise InputError(
            f"too many words for {action}: {arguments[_MOST[action]]!r}",
            where="WORD",
            valid=usage,
            hint=hint,
        )
    for name, actions in _OPTIONS.items():
        if options[name] not in (None, False) and action not in actions:
            option = f"--{name.replace('_', '-')}"
            raise InputError(
                f"{option} has no effect on {action}",
                where=option,
                valid=f"with {' or '.join(actions)}",
            )
    if action == "prune" and options["older_than"] is None and options["keep_last"] is None:
        raise InputError(
            "which runs are old?",
            where="--older-than",
            valid="--older-than AGE, --keep-last N, or both",
        )


def _rm(store: Store, arguments: Sequence[str], options: dict[str, Any]) -> None:
    from motebench.results.keeping import chosen

    ids = chosen(store, arguments)
    infos = {info.id: info for info in store.runs()}
    running = [
        infos[run_id].name
        for run_id in ids
        if run_id in infos and infos[run_id].status == "running"
    ]
    if running and not options["running"]:
        raise InputError(
            f"run {running[0]!r} is marked as running, and nothing was removed",
            where="RUN",
            hint="wait for its end; if no motebench measures it any more, add --running",
        )
    _remove(store, ids, infos, options)


def _prune(store: Store, arguments: Sequence[str], options: dict[str, Any]) -> None:
    from motebench.results.keeping import moment, old

    del arguments
    age = options["older_than"]
    before = None if age is None else moment(age, datetime.now(UTC), where="--older-than")
    infos = store.runs()
    removed = old(infos, before=before, keep_last=options["keep_last"])
    _remove(store, [info.id for info in removed], {info.id: info for info in infos}, options)


def _remove(
    store: Store, ids: Sequence[int], infos: dict[int, RunInfo], options: dict[str, Any]
) -> None:
    """List runs, ask, and remove them."""
    from motebench.cli.text.layout import print_rows

    if not ids:
        click.echo("no run is removed", err=True)
        return
    print_rows([_row(run_id, infos.get(run_id)) for run_id in ids])
    count = f"{len(ids)} run{'s' if len(ids) > 1 else ''}"
    if options["dry_run"]:
        click.echo(f"{count} would be removed", err=True)
        return
    if not options["yes"] and not _agreed(
        f"Remove {count} with all samples from {options['store']}?"
    ):
        click.echo("nothing was removed", err=True)
        return
    for run_id in ids:
        store.remove(run_id)
    click.echo(f"{count} removed", err=True)


def _agreed(question: str) -> bool:
    if not sys.stdin or not sys.stdin.isatty():
        raise InputError(
            "nothing was removed: standard input is no terminal that could confirm",
            where="--yes",
            hint="--yes removes without a question, --dry-run only lists",
        )
    return click.confirm(question, err=True)


def _row(run_id: int, info: RunInfo | None) -> dict[str, object]:
    from motebench.results.groups import group_of
    from motebench.results.keeping import tags_of

    if info is None:
        return {
            "run": run_id,
            "name": None,
            "group": None,
            "status": "damaged",
            "started (UTC)": None,
            "tags": None,
        }
    return {
        "run": run_id,
        "name": info.name,
        "group": group_of(info.settings),
        "status": info.status,
        "started (UTC)": info.started[:19].replace("T", " ") or None,
        "tags": ", ".join(tags_of(info)) or None,
    }


def _rename(store: Store, arguments: Sequence[str], options: dict[str, Any]) -> None:
    from motebench.results.keeping import rename

    del options
    for before, after in rename(store, arguments[0], arguments[1]):
        click.echo(f"{before} is {after}", err=True)


def _note(store: Store, arguments: Sequence[str], options: dict[str, Any]) -> None:
    del options
    text = arguments[1].strip()
    if not text or len(text) > _LONGEST_NOTE:
        raise InputError(
            "the note is empty" if not text else "the note is too long",
            where="TEXT",
            valid=f"1 to {_LONGEST_NOTE} characters: 'with the fan switched off'",
        )
    store.add_note(store.find(arguments[0]), text)


def _tag(store: Store, arguments: Sequence[str], options: dict[str, Any]) -> None:
    from motebench.results.keeping import chosen, tags_of

    tags = set(arguments[1:])
    infos = {info.id: info for info in store.runs()}
    ids = chosen(store, arguments[:1])
    for run_id in ids:
        before = set(tags_of(infos[run_id])) if run_id in infos else set()
        if options["remove"] and not tags <= before:
            raise InputError(
                f"run {run_id} has no tag {min(tags - before)!r}",
                where="TAG",
                valid=", ".join(sorted(before)) or None,
            )
        store.set_tags(run_id, before - tags if options["remove"] else before | tags)


def _merge(arguments: Sequence[str], options: dict[str, Any]) -> None:
    from motebench.results.keeping import join, same_store
    from motebench.store import Store

    other, *references = arguments
    if same_store(other, options["store"]):
        raise InputError("this is the store itself", where="STORE", valid="another store")
    with _opened(other) as source, Store.open(options["store"], create=True) as store:
        _, unusable = source.survey()
        for name, here, copied in join(store, source, references):
            renamed = f" as {here}" if here != name else ""
            click.echo(f"{name}: {'copied' if copied else 'is here already'}{renamed}", err=True)
        if unusable and not references:
            click.echo(f"motebench: {unusable[0]}: this run was not copied", err=True)


def _opened(other: str) -> Store:
    """The store that runs are copied from. StoreError that names it, and not the option of the
    other store.
    """
    from motebench.store import Store

    try:
        return Store.open(other, create=False)
    except StoreError as error:
        error.where = "STORE"
        error.hint = None if "there is no store" in error.what else error.hint
        raise


_LONGEST_NOTE = 5000
_DOING = {"rm": _rm, "rename": _rename, "note": _note, "tag": _tag, "prune": _prune}
