"""The click application: its commands with summaries and examples, exit codes, and click's errors
in our form.

`motebench --help` shows the commands in groups, and imports none of them.
"""

from __future__ import annotations

import gc
import importlib
import os
import pkgutil
import sys
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import click
from click.core import ParameterSource

import motebench.cli.commands as commands_package
from motebench.base import process
from motebench.base.errors import ExitCode, InputError, MotebenchError, is_unicode, visible
from motebench.cli import streams
from motebench.cli.options import NamedChoice
from motebench.version import described


@dataclass(frozen=True, slots=True)
class CommandHelp:
    """Command: its purpose in a few words, and example calls."""

    summary: str
    examples: tuple[str, ...]


GROUPS: dict[str, dict[str, CommandHelp]] = {
    "Measure": {
        "run": CommandHelp(
            "Measure: a study, or what the options describe",
            (
                "motebench run quickstart --report report.html",
                "motebench run --scheme aes-128-gcm --implementation openssl,nettle",
                "motebench run --scheme aes-128-ecb --target sim:atmega2560",
            ),
        ),
        "verify": CommandHelp(
            "Check implementations with known answers",
            ("motebench verify --implementation openssl --scheme 'aes-*'",),
        ),
        "leak": CommandHelp(
            "Test whether the time depends on a secret",
            ("motebench leak --target sim:samd21g18a --implementation mote/aes-small",),
        ),
        "signing": CommandHelp(
            "Measure what signing costs over many messages",
            ("motebench signing --target sim:samd21g18a --scheme ml-dsa-44",),
        ),
        "collection": CommandHelp(
            "Measure a table of the field, such as pqm4, again",
            (
                "motebench collection pqm4 --only 'ml-kem-512/*'",
                "motebench collection lwc --from ../nist --output lwc",
            ),
        ),
        "meter": CommandHelp(
            "Measure energy with an instrument",
            ("motebench meter --instrument rapl --implementation openssl --scheme aes-128-gcm",),
        ),
    },
    "Look": {
        "show": CommandHelp(
            "Show a stored run as tables", ("motebench show", "motebench show 3 --details")
        ),
        "compare": CommandHelp(
            "Compare two runs or two implementations",
            (
                "motebench compare openssl nettle",
                "motebench compare 1 2 --metric time --metric peak_rss_net",
            ),
        ),
        "gate": CommandHelp(
            "Measure two commits in turn; fail if one is slower",
            (
                "motebench gate main --code lib/ascon --target sim:samd21g18a",
                "motebench gate v1.2 HEAD --study study.toml --comment comment.md --picture "
                "gate.svg",
            ),
        ),
        "plot": CommandHelp(
            "Draw a stored run: bars here, or SVG, PDF, PNG",
            (
                "motebench plot --metric time",
                "motebench plot latest --by size --metric throughput -o speed.svg",
            ),
        ),
        "report": CommandHelp(
            "Write a stored run as one HTML file", ("motebench report latest --output report.html",)
        ),
        "serve": CommandHelp(
            "Show all runs of a store in your browser",
            ("motebench serve --open", "motebench serve --store lab.db --port 8080"),
        ),
        "push": CommandHelp(
            "Send a stored run to the explorer of another machine",
            ("motebench push latest https://lab.example --upload-token token.txt",),
        ),
        "publish": CommandHelp(
            "Write all runs of a store as pages in a folder",
            ("motebench publish site", "motebench publish site --run 'nightly-*'"),
        ),
        "export": CommandHelp(
            "Write a stored run as CSV, JSON, LaTeX, ...",
            ("motebench export --format csv -o run.csv",),
        ),
        "coverage": CommandHelp(
            "Show what has results on which target, and why not",
            ("motebench coverage", "motebench coverage --target uno --scheme aes256 --details"),
        ),
        "list": CommandHelp(
            "List schemes, implementations, targets, runs, ...",
            (
                "motebench list targets",
                "motebench list schemes 'aes-128-*'",
                "motebench list runs --store motebench.db",
            ),
        ),
        "runs": CommandHelp(
            "Remove, rename, note, tag, join and prune runs",
            (
                "motebench runs rm 'try-*'",
                "motebench runs merge colleague.db",
                "motebench runs prune --older-than 30d --dry-run",
            ),
        ),
        "describe": CommandHelp(
            "Show all that is known of one thing, by its name",
            (
                "motebench describe samd21g18a",
                "motebench describe aes-128-gcm",
                "motebench describe sim:atmega2560",
            ),
        ),
    },
    "Publications": {
        "replicate": CommandHelp(
            "Measure a published study again, and check its claims",
            (
                "motebench replicate temirbekova-2024 -o page.html",
                "motebench replicate --all --scale small --resume",
            ),
        ),
        "audit": CommandHelp(
            "Check published tables without measuring",
            ("motebench audit temirbekova-2024", "motebench audit table.csv --fail-on material"),
        ),
    },
    "Decide": {
        "choose": CommandHelp(
            "Choose a cipher for a device and its messages",
            (
                "motebench choose --device samd21g18a --message 24B",
                "motebench choose --device samd21g18a --message 24B --lorawan EU868 --dr 5 "
                "--every 10min",
            ),
        ),
        "cost": CommandHelp(
            "Show what a scheme costs on a device, at once",
            (
                "motebench cost ml-kem-768 pico",
                "motebench cost aes-128-gcm uno --operation encrypt-message --size 24",
            ),
        ),
        "energy": CommandHelp(
            "Model the energy of an operation",
            ("motebench energy --device samd21g18a --cycles 50000",),
        ),
        "airtime": CommandHelp(
            "Compute the time on air of LoRa packets",
            (
                "motebench airtime --sf 12 --bw 125kHz --payload 51B",
                "motebench airtime --lorawan EU868 --dr 0 --app-payload 51B",
            ),
        ),
        "battery": CommandHelp(
            "Model the life of a battery",
            (
                "motebench battery --battery cr2032 --every 10min --device samd21g18a --cycles "
                "50000",
            ),
        ),
        "protocol": CommandHelp(
            "Model what security protocols send, compute and cost",
            (
                "motebench protocol edhoc-suite2-static-dh --fields",
                "motebench protocol edhoc-suite0,dtls13-raw-keys --device samd21g18a --lorawan "
                "EU868 --dr 3",
            ),
        ),
    },
    "Boards": {
        "flash": CommandHelp(
            "Upload the firmware of a scheme to a board",
            (
                "motebench flash --target serial:/dev/ttyACM0 --implementation mote/aes-small "
                "--scheme aes-128-ecb",
            ),
        ),
        "firmware": CommandHelp(
            "Write the firmware of a scheme to a file",
            (
                "motebench firmware --target sim:atmega2560 --implementation mote/aes-small "
                "--scheme aes-128-ecb -o aes.hex",
            ),
        ),
        "fleet": CommandHelp(
            "Describe a lab's boards, and see which answer", ("motebench fleet boards fleet.toml",)
        ),
        "reference": CommandHelp(
            "Show, check or update results of simulated boards",
            ("motebench reference show --target sim:samd21g18a --scheme aes-128-ccm",),
        ),
    },
    "Set up": {
        "doctor": CommandHelp("Show what is installed and what is missing", ("motebench doctor",)),
        "setup": CommandHelp(
            "Build every probe, where motebench is installed", ("motebench setup",)
        ),
        "instruments": CommandHelp(
            "List instruments that measure energy", ("motebench instruments",)
        ),
        "completion": CommandHelp(
            "Print the script that completes words in your shell",
            ('eval "$(motebench completion bash)"', "motebench completion fish | source"),
        ),
    },
}
"""Every command once, in the order of work."""

ENTRIES: dict[str, CommandHelp] = {
    name: entry for group in GROUPS.values() for name, entry in group.items()
}

EXIT_CODES = (
    "Data goes to standard output, everything else to standard error. Exit codes: 0 done, 1 a "
    "defect in motebench, 2 bad input, 3 done but some cases failed, 4 slower than allowed, 5 not "
    "comparable, 6 the store cannot be used, 7 something must be installed, 8 a leak was found, 9 "
    "nothing to choose, 130 interrupted."
)


def examples(name: str) -> str:
    """The examples of a command as the end of its help. ``\\b`` keeps click from joining the
    lines.
    """
    entry = ENTRIES.get(name)
    return (
        ""
        if entry is None
        else "\n".join(["\b", "Examples:", *(f"  {_folded(line)}" for line in entry.examples)])
    )


def _folded(line: str, width: int = 76) -> str:
    """A call that is too long for a terminal goes on in the next line, as a shell reads it."""
    lines, rest = [], line
    while len(rest) > width:
        at = rest.rfind(" --", 0, width)
        if at <= 0:
            break
        lines.append(f"{rest[:at]} \\")
        rest = f"    {rest[at + 1 :]}"
    return "\n  ".join([*lines, rest])


def _in_unicode(context: click.Context, parameter: click.Parameter, value: Any) -> Any:
    """The value. InputError if it is text that is not UTF-8, which neither a store nor a document
    can contain.

    Files that are only read or written may have any name; those that are measured are checked with
    their folders.
    """
    values = value if isinstance(value, tuple) else (value,)
    bad_texts = [item for item in values if isinstance(item, str) and not is_unicode(item)]
    if bad_texts and not _names_a_file(parameter):
        source = context.get_parameter_source(str(parameter.name))
        by_name = source is ParameterSource.ENVIRONMENT and isinstance(parameter.envvar, str)
        option = max(parameter.opts, key=len) if isinstance(parameter, click.Option) else None
        raise InputError(
            f"{visible(bad_texts[0])[:200]!r} has bytes that are not UTF-8",
            where=str(parameter.envvar) if by_name else option or parameter.human_readable_name,
            valid="text in UTF-8",
            hint="for a file, a link of another name to it will do",
        )
    return value


def _names_a_file(parameter: click.Parameter) -> bool:
    return isinstance(parameter.type, click.Path) or parameter.metavar == "PAPER|FILE.csv"


class LazyGroup(click.Group):
    """Subcommands are the modules of ``motebench.cli.commands``; each has an attribute
    ``command``.
    """

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Names of all subcommands."""
        del ctx
        return sorted(
            module.name.removesuffix("_")
            for module in pkgutil.iter_modules(commands_package.__path__)
        )

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import the command of that name; None for an unknown one."""
        if cmd_name not in self.list_commands(ctx):
            return None
        # ``list`` would hide the builtin inside its own module, so such modules end in an
        # underscore.
        for module in (cmd_name, f"{cmd_name}_"):
            try:
                loaded = importlib.import_module(f"{commands_package.__name__}.{module}")
            except ModuleNotFoundError as error:
                if error.name != f"{commands_package.__name__}.{module}":
                    raise
                continue
            command: click.Command = loaded.command
            for parameter in command.params:
                parameter.callback = parameter.callback or _in_unicode
            command.epilog = examples(cmd_name)
            command.short_help = ENTRIES[cmd_name].summary if cmd_name in ENTRIES else None
            if ctx.resilient_parsing:
                from motebench.cli.completing import attach

                attach(command)
            return command
        return None

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Command of the arguments, as in click; the error for an unknown name suggests similar
        ones."""
        name = args[0]
        if (
            not ctx.resilient_parsing
            and not name.startswith("-")
            and name not in self.list_commands(ctx)
        ):
            raise no_command(name)
        return super().resolve_command(ctx, args)

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Arguments left after parsing, as in click; without a command, the help is the error, in
        every version of click."""
        if not args and not ctx.resilient_parsing:
            click.echo(ctx.get_help(), err=True)
            ctx.exit(ExitCode.USAGE)
        return super().parse_args(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the commands in groups, in the order of work; no command is imported for it."""
        del ctx
        width = max(map(len, ENTRIES))
        for title, group in GROUPS.items():
            with formatter.section(title):
                formatter.write_dl(
                    [(name.ljust(width), entry.summary) for name, entry in group.items()]
                )


@click.group(
    cls=LazyGroup,
    epilog=EXIT_CODES,
    context_settings={"help_option_names": ["-h", "--help"]},
    invoke_without_command=True,
    no_args_is_help=True,
    subcommand_metavar="COMMAND [ARGS]...",
)
@click.option("--version", is_flag=True, help="Show version and commit.")
@click.option(
    "--verbose", is_flag=True, help="With --version: packages, folders, probes and compilers, too."
)
@click.pass_context
def app(context: click.Context, version: bool, verbose: bool) -> None:
    """Measure, compare and choose cryptography for the device you will ship.

    `motebench COMMAND --help` has the options of a command, with examples. To begin: motebench run
    quickstart
    """
    if verbose and not version:
        raise InputError(
            "--verbose says what an installation contains", hint="motebench --version --verbose"
        )
    if version:
        click.echo("\n".join(_contents()) if verbose else described())
        context.exit()


def _contents() -> Iterable[str]:
    from motebench.targets.setup.checks import contents

    return contents()


def _say_red(line: str) -> None:
    from motebench.cli.text.layout import coloured

    click.echo(click.style(line, fg="red") if coloured(sys.stderr) else line, err=True)


def _say(error: MotebenchError) -> None:
    from motebench.cli.text.layout import wrapped

    head, *rest = str(error).splitlines()
    for line in wrapped(f"motebench: {head}", sys.stderr, "  "):
        _say_red(line)
    for text in rest:
        for line in wrapped(text, sys.stderr, "    "):
            click.echo(line, err=True)


def _drop_output() -> None:
    """Drop the rest of standard output's buffer, so that it does not fail once more when the
    interpreter ends.
    """
    try:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    except (OSError, ValueError):
        return


def _unread() -> ExitCode:
    """End quietly after the reader of our output went away (``| head``)."""
    _drop_output()
    return ExitCode.OK


def _unusable(error: OSError) -> ExitCode:
    """The end of a command that cannot use a file, or its output."""
    _drop_output()
    # Files name themselves; what has no name is the stream that data goes to.
    place = (
        f"{str(error.filename)[:300]}: "
        if error.filename
        else "standard output: "
        if error.errno
        else ""
    )
    _say_red(f"motebench: {place}{error.strerror or error}")
    return ExitCode.USAGE


_ALLOCATIONS = 50_000
"""Objects from one garbage collection to the next. Most objects of a command live until its end:
collections after each 700, Python's default, are a tenth of the time of `motebench choose`.
"""

_NOT_LOADED = "failed to map segment"
"""Message of the loader on a library that does not fit into memory."""


def _out_of_memory() -> ExitCode:
    """The end of a command without memory, of which the message takes as little as it can."""
    sys.stderr.write("motebench: there is not enough memory for this command\n")
    sys.stderr.write(
        "  hint: reduce the work: fewer samples, a shorter file, a smaller study; or raise "
        "ulimit -v\n"
    )
    return ExitCode.USAGE


def run_app() -> ExitCode:
    """Run the command line; every way out is an exit code."""
    gc.set_threshold(_ALLOCATIONS)
    try:
        process.end_in_order()
        streams.prepare()
        if any(key.startswith("_") and key.endswith("_COMPLETE") for key in os.environ):
            from motebench.cli.completing import register

            register()
        result = app.main(prog_name="motebench", standalone_mode=False)
        streams.flush()
    except MotebenchError as error:
        _say(error)
        return error.exit_code
    except (click.exceptions.Abort, KeyboardInterrupt):
        click.echo("motebench: interrupted", err=True)
        return ExitCode.INTERRUPTED
    except click.ClickException as error:
        _say(of_click(error))
        return ExitCode.USAGE
    except (BrokenPipeError, SystemExit):
        # Click exits only if its output meets a broken pipe.
        return _unread()
    except OSError as error:
        return _unusable(error)
    except MemoryError:
        return _out_of_memory()
    except Exception as error:
        if isinstance(error, ImportError) and _NOT_LOADED in str(error):
            return _out_of_memory()
        if os.environ.get("MOTEBENCH_TRACEBACK"):
            raise
        _say_red(f"motebench: defect: {type(error).__name__}: {error}")
        click.echo("  hint: set MOTEBENCH_TRACEBACK=1 to see where; please report it", err=True)
        return ExitCode.INTERNAL
    return ExitCode(result) if isinstance(result, int) else ExitCode.OK


_MEANT = {
    "bench": "run",
    "benchmark": "run",
    "measure": "run",
    "start": "run",
    "resume": "run --resume",
    "time": "run",
    "test": "verify",
    "check": "verify",
    "vectors": "verify",
    "ls": "list",
    "info": "describe",
    "inspect": "describe",
    "help": "--help",
    "version": "--version",
    "diff": "compare",
    "html": "report",
    "csv": "export",
    "select": "choose",
    "recommend": "choose",
    "upload": "flash",
    "build": "firmware",
    "power": "meter",
    "lora": "airtime",
    "rm": "runs rm",
    "delete": "runs rm",
    "remove": "runs rm",
    "rename": "runs rename",
    "merge": "runs merge",
    "prune": "runs prune",
    "tag": "runs tag",
    "instrument": "instruments",
    "result": "show",
    "results": "show",
    "simulate": "run --target sim:NAME",
    **{
        what: f"list {what}"
        for what in ("schemes", "targets", "implementations", "studies", "devices", "algorithms")
    },
}
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
        problem = "this option takes no value" if takes_none else "this option needs a value"
        return InputError(problem, where=error.option_name, hint=look)
    if "unexpected extra argument" in error.message:
        extra = error.message.partition("(")[2].rstrip(").")
        usage = context.command.collect_usage_pieces(context) if context is not None else []
        hint = f"a list has commas and no spaces, and a pattern with * stands in quotes; {look}"
        return InputError(
            f"too many arguments: {extra}",
            valid=" ".join(["motebench", command, *usage]),
            hint=hint,
        )
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


def _no_option(
    error: click.NoSuchOption, context: click.Context | None, command: str, look: str
) -> InputError:
    from motebench.base.naming import did_you_mean

    params = context.command.params if context is not None else []
    options = [param for param in params if isinstance(param, click.Option)]
    spelled = [
        word
        for option in options
        for word in (*option.opts, *option.secondary_opts)
        if word.startswith("--")
    ]
    near = None
    if error.option_name.startswith("--"):  # the hyphens alone make any two options alike
        near = did_you_mean(error.option_name[2:], [word[2:] for word in spelled])
        near = near and near.replace("'", "'--", 1).replace(" or '", " or '--")
    return InputError(
        f"{command} has no option {error.option_name}", hint=f"{near} {look}" if near else look
    )


def _missing(error: click.MissingParameter, command: str) -> InputError:
    parameter, entry = error.param, ENTRIES.get(command)
    hint = f"for example: {entry.examples[0]}" if entry else None
    if isinstance(parameter, click.Option):
        problem, where = f"{command} needs this option", max(parameter.opts, key=len)
        return InputError(problem, where=where, valid=_choices(parameter), hint=hint)
    word = parameter.human_readable_name if parameter is not None else "an argument"
    return InputError(
        f"{command} needs {word}",
        valid=_choices(parameter) if parameter is not None else None,
        hint=hint,
    )


def _choices(parameter: click.Parameter) -> str | None:
    return (
        ", ".join(map(str, parameter.type.choices))
        if isinstance(parameter.type, click.Choice)
        else None
    )


def _bad_value(error: click.BadParameter, look: str) -> InputError:
    from motebench.base.naming import did_you_mean

    parameter = error.param
    where = valid = None
    if parameter is not None:
        where = (
            max(parameter.opts, key=len)
            if isinstance(parameter, click.Option)
            else parameter.human_readable_name
        )
        if isinstance(parameter.type, click.Choice) and "' is not " in error.message:
            given = error.message.partition("' is not ")[0].removeprefix("'")
            choices = [str(choice) for choice in parameter.type.choices]
            problem = f"{given!r} is not a valid value"
            meant = (
                parameter.type.meant.get(given.casefold())
                if isinstance(parameter.type, NamedChoice)
                else None
            )
            hint = f"{where} {meant}" if meant else did_you_mean(given, choices)
            return InputError(problem, where=where, valid=", ".join(choices), hint=hint)
        if isinstance(parameter.type, click.Path) and " is a directory" in error.message:
            given = error.message.partition(" is a directory")[0].partition(" ")[2]
            return InputError(f"{given} is a folder", where=where, valid="the name of a file")
        if (
            isinstance(parameter.type, click.IntRange)
            and " is not a valid integer" in error.message
        ):
            given = error.message.partition(" is not a valid")[0]
            return InputError(
                f"{given} is not a whole number", where=where, valid=_range(parameter.type)
            )
        if isinstance(parameter.type, click.IntRange) and "range" in error.message:
            given = error.message.partition(" is not in the range")[0]
            return InputError(f"{given} is out of range", where=where, valid=_range(parameter.type))
    return InputError(_sentence(error.message), where=where, valid=valid, hint=look)


def _range(numbers: click.IntRange) -> str:
    if numbers.max is None:
        return f"a whole number, at least {numbers.min}"
    return f"a whole number, {numbers.min if numbers.min is not None else ''} to {numbers.max}"
