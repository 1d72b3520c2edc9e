"""``motebench completion``: the script that lets a shell complete words of a command line."""

from __future__ import annotations

import click

from motebench.cli.completing import PROGRAM, SHELLS, VARIABLE


@click.command("completion")
@click.argument("shell", type=click.Choice(list(SHELLS)))
def command(shell: str) -> None:
    """Print the script that completes commands, options and names in SHELL.

    Names are schemes, implementations, targets, runs, studies, metrics, formats and entries of the
    catalog. To have it in every shell, add one line to the file that your shell reads when it
    starts:

    \b
      bash  ~/.bashrc                  eval "$(motebench completion bash)"
      zsh   ~/.zshrc, after compinit   eval "$(motebench completion zsh)"
      fish  ~/.config/fish/config.fish motebench completion fish | source
    """
    from motebench.cli.app import app

    completer = SHELLS[shell](app, {}, PROGRAM, VARIABLE)
    click.echo(completer.source())
