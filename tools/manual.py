"""Manual pages, one for each command, and the scripts for shells: made from the declarations of the
command line.

``python tools/manual.py FOLDER`` writes them as they lie below ``share/``; wheels carry them. It
needs click alone.
"""

from __future__ import annotations

import inspect
import sys
from collections.abc import Iterator
from pathlib import Path

import click

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from motebench.cli.app import ENTRIES, EXIT_CODES, app
from motebench.cli.completing import PROGRAM, SHELLS, VARIABLE
from motebench.version import __version__

_PLACES = {
    "bash": f"bash-completion/completions/{PROGRAM}",
    "zsh": f"zsh/site-functions/_{PROGRAM}",
    "fish": f"fish/vendor_completions.d/{PROGRAM}.fish",
}
"""Paths of the scripts for each shell, below ``share/``."""


def write(share: Path) -> list[Path]:
    """Write everything into a folder that stands for ``share/``; the paths."""
    files = {
        f"man/man1/{name}.1": page(name, context)
        for name, context in _commands(click.Context(app, None, PROGRAM))
    }
    files |= {
        _PLACES[name]: f"{shell(app, {}, PROGRAM, VARIABLE).source()}\n"
        for name, shell in SHELLS.items()
    }
    for name, text in files.items():
        path = share / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return [share / name for name in files]


def _commands(context: click.Context) -> Iterator[tuple[str, click.Context]]:
    """Every command with the name of its page: ``motebench-fleet-boards``."""
    yield context.command_path.replace(" ", "-"), context
    if isinstance(context.command, click.Group):
        for name in context.command.list_commands(context):
            command = context.command.get_command(context, name)
            if command and not command.hidden:
                yield from _commands(click.Context(command, context, name))


def page(name: str, context: click.Context) -> str:
    """The page of a command, in the macros of man(7)."""
    command, path = context.command, context.command_path
    pieces = " ".join(command.collect_usage_pieces(context))
    lines = [
        f'.TH {name.upper()} 1 "" "{PROGRAM} {__version__}" "{PROGRAM}"',
        ".SH NAME",
        f"{_plain(name)} \\- {_plain(_summary(command))}",
        ".SH SYNOPSIS",
        f"\\fB{_plain(path)}\\fR {_plain(pieces)}",
        ".SH DESCRIPTION",
        *_paragraphs(inspect.cleandoc(command.help or "")),
    ]
    records = [
        found
        for parameter in command.params
        if (found := parameter.get_help_record(context)) and found[1]
    ]
    if records:
        lines.append(".SH OPTIONS")
    for option, meaning in records:
        lines += [".TP", f"\\fB{_plain(option)}\\fR", _plain(meaning) or "\\&"]
    if isinstance(command, click.Group):
        lines.append(".SH COMMANDS")
        for child_name, child in _commands(context):
            if child.parent is context:
                lines += [
                    ".TP",
                    f"\\fB{_plain(child_name)}\\fR(1)",
                    _plain(_summary(child.command)),
                ]
    entry = ENTRIES.get(context.info_name or "")
    if entry and context.parent and context.parent.command is app:
        lines += [".SH EXAMPLES", ".nf", *map(_plain, entry.examples), ".fi"]
    lines += [".SH EXIT STATUS", _plain(EXIT_CODES)]
    if context.parent:
        lines += [
            ".SH SEE ALSO",
            f"\\fB{_plain(context.parent.command_path.replace(' ', '-'))}\\fR(1)",
        ]
    return "\n".join(lines) + "\n"


def _summary(command: click.Command) -> str:
    if command is app:
        return (command.help or "").partition(".")[0]
    return command.short_help or (command.help or "").strip().partition("\n")[0].rstrip(".")


def _paragraphs(text: str) -> Iterator[str]:
    """Paragraphs; one that begins with ``\\b`` keeps its lines, as click has it."""
    for number, paragraph in enumerate(text.replace("\f", "").split("\n\n")):
        if number:
            yield ".PP"
        if paragraph.startswith("\b"):
            yield from (".nf", *map(_plain, paragraph.splitlines()[1:]), ".fi")
        else:
            yield from map(_plain, paragraph.splitlines())


def _plain(text: str) -> str:
    """The text, with nothing in it that roff takes for a request or an escape."""
    text = text.replace("\\", "\\e").replace("-", "\\-")
    return f"\\&{text}" if text.startswith((".", "'")) else text


if __name__ == "__main__":
    write(Path(sys.argv[1]))
