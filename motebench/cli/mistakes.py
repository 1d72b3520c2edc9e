"""Mistakes on the command line, as messages like all others: what, where, a hint, what is valid."""

from __future__ import annotations

import sys

import click

from motebench.base.errors import InputError
from motebench.cli.help import ENTRIES
from motebench.cli.options import NamedChoice

_MEANT = {
    "bench": "run", "benchmark": "run", "measure": "run", "start": "run", "resume": "run --resume", "time": "run",
    "test": "verify", "check": "verify", "vectors": "verify", "ls": "list", "info": "describe", "inspect": "describe",
    "help": "--help", "version": "--version", "diff": "compare", "html": "report", "plot": "report", "csv": "export",
    "select": "choose", "recommend": "choose", "upload": "flash", "build": "firmware", "power": "meter",
    "lora": "airtime", "setup": "doctor", "instrument": "instruments", "result": "show", "results": "show",
    "simulate": "run --target sim:NAME", **{what: f"list {what}" for what in (
        "schemes", "targets", "implementations", "runs", "studies", "devices", "algorithms", "metrics", "operations")},
}  # fmt: skip
"""Words that people type for a command, with its name here."""


def no_command(name: str) -> InputError:
    """The mistake: no command has this name."""
    from motebench.base.naming import did_you_mean

    meant = _MEANT.get(name.casefold())
    if meant is None:
        hint = did_you_mean(name, ENTRIES) or "`motebench --help` says what each command does"
    else:
        hint = f"did you mean `motebench {meant}`?"
    return InputError(f"there is no command {name!r}", valid=", ".join(ENTRIES), hint=hint)


def of_click(error: click.ClickException) -> InputError:
    """Click's errors in the four parts of our messages."""
    context = getattr(error, "ctx", None)
    command = _command(context)
    look = f"`{' '.join(['motebench', *command.split()])} --help` lists the options"
    if isinstance(error, click.NoSuchOption):
        return _no_option(error, context, command or "motebench", look)
    if isinstance(error, click.MissingParameter):
        return _missing(error, command)
    if isinstance(error, click.BadParameter):
        return _bad_value(error, look)
    if isinstance(error, click.BadOptionUsage):
        takes_none = "does not take a value" in error.message
        what = "this option takes no value" if takes_none else "this option needs a value"
        return InputError(what, where=error.option_name, hint=look)
    if "unexpected extra argument" in error.message:
        extra = error.message.partition("(")[2].rstrip(").")
        usage = context.command.collect_usage_pieces(context) if context is not None else []
        hint = f"a list has commas and no spaces, and a pattern with * stands in quotes; {look}"
        return InputError(f"too many arguments: {extra}", valid=" ".join(["motebench", command, *usage]), hint=hint)
    return InputError(_sentence(error.format_message()), hint=look)


def _command(context: click.Context | None) -> str:
    """The command that was called; click does not always report it."""
    if context is not None and context.parent is not None and context.info_name:
        return context.info_name
    first = sys.argv[1] if len(sys.argv) > 1 else ""
    return first if first in ENTRIES else ""


def _sentence(message: str) -> str:
    message = message.rstrip(".")
    return message[:1].lower() + message[1:]


def _no_option(error: click.NoSuchOption, context: click.Context | None, command: str, look: str) -> InputError:
    from motebench.base.naming import did_you_mean

    params = context.command.params if context is not None else []
    options = [param for param in params if isinstance(param, click.Option)]
    known = [word for option in options for word in (*option.opts, *option.secondary_opts) if word.startswith("--")]
    near = did_you_mean(error.option_name, known) if error.option_name.startswith("--") else None
    return InputError(f"{command} has no option {error.option_name}", hint=f"{near} {look}" if near else look)


def _missing(error: click.MissingParameter, command: str) -> InputError:
    parameter, entry = error.param, ENTRIES.get(command)
    hint = f"for example: {entry.examples[0]}" if entry else None
    if isinstance(parameter, click.Option):
        what, where = f"{command} needs this option", max(parameter.opts, key=len)
        return InputError(what, where=where, valid=_choices(parameter), hint=hint)
    word = parameter.human_readable_name if parameter is not None else "an argument"
    return InputError(
        f"{command} needs {word}", valid=_choices(parameter) if parameter is not None else None, hint=hint
    )


def _choices(parameter: click.Parameter) -> str | None:
    return ", ".join(map(str, parameter.type.choices)) if isinstance(parameter.type, click.Choice) else None


def _bad_value(error: click.BadParameter, look: str) -> InputError:
    from motebench.base.naming import did_you_mean

    parameter = error.param
    where = valid = None
    if parameter is not None:
        where = max(parameter.opts, key=len) if isinstance(parameter, click.Option) else parameter.human_readable_name
        if isinstance(parameter.type, click.Choice) and "' is not " in error.message:
            given = error.message.partition("' is not ")[0].removeprefix("'")
            known = [str(choice) for choice in parameter.type.choices]
            what = f"{given!r} is not a valid value"
            meant = parameter.type.meant.get(given.casefold()) if isinstance(parameter.type, NamedChoice) else None
            hint = f"{where} {meant}" if meant else did_you_mean(given, known)
            return InputError(what, where=where, valid=", ".join(known), hint=hint)
        if isinstance(parameter.type, click.IntRange) and "range" in error.message:
            given = error.message.partition(" is not in the range")[0]
            return InputError(f"{given} is out of range", where=where, valid=_range(parameter.type))
    return InputError(_sentence(error.message), where=where, valid=valid, hint=look)


def _range(numbers: click.IntRange) -> str:
    if numbers.max is None:
        return f"a whole number, at least {numbers.min}"
    return f"a whole number, {numbers.min if numbers.min is not None else ''} to {numbers.max}"
