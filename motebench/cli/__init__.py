"""The ``motebench`` command. Each subcommand has its own module, which is imported when it is
called.
"""

from __future__ import annotations

import sys

from motebench.base.errors import ExitCode


def main() -> None:
    """Entry point. Turns every error into one message on stderr and a documented exit code."""
    if sys.argv[1:] == ["--version"] and sys.stdout is not None:
        # Answered without loading anything else.
        from motebench.version import described

        try:
            print(described(), flush=True)
            return
        except OSError:
            # The same again below, which can say what was wrong.
            pass
    from motebench.cli.app import run_app

    sys.exit(int(run_app()))


__all__ = ["ExitCode", "main"]
