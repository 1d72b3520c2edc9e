"""``motebench fleet``: a lab's boards, and the processes that measure on them."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from motebench.base.errors import ExitCode, InputError
from motebench.cli.options import json_option, print_json

if TYPE_CHECKING:
    from motebench.measuring.fleet.file import Fleet

ACTIONS = ("boards", "keys", "scheduler", "worker")


@click.command("fleet")
@click.argument("action", type=click.Choice(ACTIONS))
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--at", metavar="NAME", help="worker: the lab host that this machine is.")
@json_option
def command(action: str, file: Path, **options: Any) -> int:
    """A lab's boards, described in a fleet FILE.

    BOARDS says which of them answer. KEYS makes keys and certificates for the scheduler, the lab
    hosts and the client. SCHEDULER and WORKER run until they are ended: one scheduler, and a worker
    on each lab host. Exit code 3 if a board does not answer.
    """
    from motebench.measuring.fleet.file import load

    fleet = load(file)
    if options["as_json"] and action != "boards":
        raise InputError("--json is for `motebench fleet boards`", where="--json")
    if (action == "worker") != (options["at"] is not None):
        raise InputError(
            "a worker measures at a lab host"
            if action == "worker"
            else f"--at has no effect on {action}",
            where="--at",
            valid="motebench fleet worker FILE --at NAME",
            hint=", ".join(fleet.hosts) or None,
        )
    if action in ("boards", "keys"):
        return {"boards": _boards, "keys": _keys}[action](fleet, options)
    from motebench.measuring.fleet.serving import schedule, work

    if action == "scheduler":
        schedule(fleet, _say)
    else:
        work(fleet, options["at"], _say)
    return ExitCode.OK


def _say(line: str) -> None:
    click.echo(line, err=True)


def _boards(fleet: Fleet, options: dict[str, Any]) -> int:
    from motebench.cli.text.layout import print_rows
    from motebench.measuring.fleet.file import document, look

    seen = {name: look(board.target) for name, board in fleet.boards.items() if board.at is None}
    away = {name: board.target for name, board in fleet.boards.items() if board.at is not None}
    if away:
        from motebench.measuring.fleet.crew import Crew

        with Crew(fleet) as crew:
            views = {name: crew.look(target) for name, target in away.items()}
        seen |= {name: entry for name, entry in views.items() if entry is not None}
    entries = document(fleet, seen)
    if options["as_json"]:
        print_json(entries)
    else:
        answers = {None: "not known", True: "yes", False: "no"}
        print_rows(
            [
                {
                    "board": entry.board,
                    "target": entry.target,
                    "at": entry.at,
                    "answers": answers[entry.reachable],
                    "what": entry.model or entry.problem,
                }
                for entry in entries.boards
            ]
        )
    return (
        ExitCode.FAILURES
        if any(entry.reachable is False for entry in entries.boards)
        else ExitCode.OK
    )


def _keys(fleet: Fleet, options: dict[str, Any]) -> int:
    from motebench.measuring.fleet.serving import make

    del options
    if fleet.tls is None:
        raise InputError(
            "the file names no folder for keys",
            where=str(fleet.path),
            valid='tls = "FOLDER" in [scheduler]',
        )
    for path in make(fleet.tls, fleet.hosts):
        click.echo(str(path))
    click.echo(
        "copy to each lab host ca.pem and its own two files; ca.key stays here: whoever has it "
        "can enter the fleet",
        err=True,
    )
    return ExitCode.OK
