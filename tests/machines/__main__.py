"""Boots machines until Ctrl-C, and prints how to reach them:
``.venv/bin/python -m tests.machines [NAME...]``.
"""

from __future__ import annotations

import contextlib
import sys
import tempfile
from pathlib import Path

from . import Unavailable
from .lab import Lab
from .machine import Linux


def main(names: list[str]) -> int:
    """Boot a machine for each name."""
    with tempfile.TemporaryDirectory() as folder, contextlib.ExitStack() as machines:
        try:
            lab = Lab(Path(folder))
            for name in names:
                print(f"{name} boots ...", file=sys.stderr)
                machines.enter_context(Linux(lab, name))
        except Unavailable as missing:
            print(f"error: {missing}", file=sys.stderr)
            return 2
        print(f"export MOTEBENCH_SSH={lab.ssh}")
        for name in names:
            print(f"$MOTEBENCH_SSH {name}            # root, past the link: {name}-direct")
            print(f"motebench verify --target ssh:{name}")
        sys.stdout.flush()
        with contextlib.suppress(KeyboardInterrupt):
            print("Ctrl-C ends.", file=sys.stderr)
            sys.stdin.read() if not sys.stdin.isatty() else input()
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:] or ["board"]))
