"""The ``motebench`` command. Each subcommand lives in a module of its own and is imported when it is called."""

from __future__ import annotations

import os
import sys

from motebench.errors import ExitCode


def main() -> None:
    """Entry point. Turns what can go wrong into one message on stderr and a documented exit code."""
    if sys.argv[1:] == ["--version"]:
        # Answered without loading anything else.
        from motebench import __version__

        try:
            print(f"motebench {__version__}", flush=True)
        except OSError as error:
            os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
            print(f"motebench: standard output: {error.strerror}", file=sys.stderr)
            sys.exit(int(ExitCode.USAGE))
        return
    from motebench.cli.app import run_app

    sys.exit(int(run_app()))


__all__ = ["ExitCode", "main"]
