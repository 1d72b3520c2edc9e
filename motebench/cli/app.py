"""The click application: finds subcommands by module, and maps errors to exit codes."""

from __future__ import annotations

import importlib
import os
import pkgutil
import sys

import click

import motebench.cli.commands as commands_package
from motebench.base import process
from motebench.base.errors import ExitCode, MotebenchError
from motebench.cli import help as texts
from motebench.cli import streams
from motebench.cli.mistakes import no_command, of_click
from motebench.version import __version__


class LazyGroup(click.Group):
    """Subcommands are the modules of ``motebench.cli.commands``; each has an attribute ``command``."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Names of all subcommands."""
        del ctx
        return sorted(module.name.removesuffix("_") for module in pkgutil.iter_modules(commands_package.__path__))

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import the one that is called."""
        if cmd_name not in self.list_commands(ctx):
            return None
        # ``list`` would hide the builtin inside its own module, so such modules end in an underscore.
        for module in (cmd_name, f"{cmd_name}_"):
            try:
                found = importlib.import_module(f"{commands_package.__name__}.{module}")
            except ModuleNotFoundError as error:
                if error.name != f"{commands_package.__name__}.{module}":
                    raise
                continue
            command: click.Command = found.command
            command.epilog = texts.examples(cmd_name)
            command.short_help = texts.ENTRIES[cmd_name].summary if cmd_name in texts.ENTRIES else None
            if ctx.resilient_parsing:
                from motebench.cli.completing import attach

                attach(command)
            return command
        return None

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """As click does; what is no command is told with what may have been meant."""
        name = args[0]
        if not ctx.resilient_parsing and not name.startswith("-") and name not in self.list_commands(ctx):
            raise no_command(name)
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """In groups, in the order of work; no command is imported for it."""
        del ctx
        width = max(map(len, texts.ENTRIES))
        for title, group in texts.GROUPS.items():
            with formatter.section(title):
                formatter.write_dl([(name.ljust(width), entry.summary) for name, entry in group.items()])


@click.group(cls=LazyGroup, epilog=texts.EXIT_CODES, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="motebench", message="%(prog)s %(version)s")
def app() -> None:
    """Measure, compare and choose cryptography for the device you will ship.

    `motebench COMMAND --help` has the options of a command, with examples. To begin: motebench run quickstart
    """


def _say_red(line: str) -> None:
    from motebench.cli.text.width import coloured

    click.echo(click.style(line, fg="red") if coloured(sys.stderr) else line, err=True)


def _say(error: MotebenchError) -> None:
    from motebench.cli.text.width import wrapped

    head, *rest = str(error).splitlines()
    for line in wrapped(f"motebench: {head}", sys.stderr, "  "):
        _say_red(line)
    for text in rest:
        for line in wrapped(text, sys.stderr, "    "):
            click.echo(line, err=True)


def _drop_output() -> None:
    """What is still in the buffer of standard output must not fail once more when the interpreter ends."""
    try:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    except (OSError, ValueError):
        return


def _unread() -> ExitCode:
    """The reader of our output went away (``| head``): nothing to tell anybody."""
    _drop_output()
    return ExitCode.OK


def run_app() -> ExitCode:
    """Run the command line; every way out is an exit code."""
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
    except click.exceptions.Abort:
        click.echo("motebench: interrupted", err=True)
        return ExitCode.INTERRUPTED
    except KeyboardInterrupt:
        click.echo("motebench: interrupted", err=True)
        return ExitCode.INTERRUPTED
    except click.exceptions.NoArgsIsHelpError as error:
        error.show()
        return ExitCode.USAGE
    except click.ClickException as error:
        _say(of_click(error))
        return ExitCode.USAGE
    except BrokenPipeError:
        return _unread()
    except SystemExit:
        # Click ends in this way only if its output meets a broken pipe.
        return _unread()
    except OSError as error:
        _drop_output()
        # Files name themselves; what has no name is the stream that data goes to.
        place = f"{error.filename}: " if error.filename else "standard output: " if error.errno else ""
        _say_red(f"motebench: {place}{error.strerror or error}")
        return ExitCode.USAGE
    except MemoryError:
        _say_red("motebench: there is not enough memory for this command")
        click.echo("  hint: reduce the work: fewer samples, a shorter file, a smaller study", err=True)
        return ExitCode.USAGE
    except Exception as error:
        if os.environ.get("MOTEBENCH_TRACEBACK"):
            raise
        _say_red(f"motebench: defect: {type(error).__name__}: {error}")
        click.echo("  hint: set MOTEBENCH_TRACEBACK=1 to see where; please report it", err=True)
        return ExitCode.INTERNAL
    return ExitCode(result) if isinstance(result, int) else ExitCode.OK
