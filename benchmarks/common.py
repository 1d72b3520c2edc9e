"""Common parts of the benchmarks: calling motebench as a user does, the machine in one line,
tables."""

from __future__ import annotations

import argparse
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
_ACCEPTED = (0, 3)
"""Exit codes after which there is a document: done, and done with failed cases."""
LACKING = 4
"""Exit status of a benchmark that lacks a program."""


def command(*arguments: str) -> list[str]:
    """A command line of motebench with the interpreter that runs the benchmark."""
    return [sys.executable, "-m", "motebench", *arguments]


def motebench(*arguments: str, folder: str | Path) -> Any:
    """The JSON document of one call, made in ``folder``. Ends the benchmark if the call fails."""
    done = subprocess.run(
        command(*arguments, "--json"),
        cwd=folder,
        env={**os.environ, "NO_COLOR": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode not in _ACCEPTED:
        raise SystemExit(
            f"motebench {' '.join(arguments)} ended with {done.returncode}: {done.stderr.strip()}"
        )
    return json.loads(done.stdout)


def median_rows(document: Any, metric: str) -> list[Any]:
    """The measurements of one metric. Ends the benchmark if a case failed."""
    if document["failures"]:
        raise SystemExit(f"cases failed: {document['failures']}")
    return [row for row in document["measurements"] if row["metric"] == metric]


def machine() -> str:
    """Processor, system, load and date in one line, for the head of a table."""
    from motebench.targets.machine import describe

    host = describe()["host"]
    guest = f", {host['virtualization']} guest" if host["virtualization"] else ""
    load = " ".join(f"{value:.2f}" for value in os.getloadavg())
    return (
        f"{host['cpu_model']}, {host['usable_threads']} threads{guest}, {host['os']}, "
        f"{host['kernel']}; load {load}; {datetime.now(UTC):%Y-%m-%d %H:%M} UTC"
    )


def table(head: Sequence[str], rows: Sequence[Sequence[str]], left: int = 1) -> str:
    """A Markdown table in columns; the first ``left`` are text, the others numbers."""
    widths = [max(len(row[i]) for row in (head, *rows)) for i in range(len(head))]

    def line(cells: Sequence[str]) -> str:
        aligned = [
            cell.ljust(width) if i < left else cell.rjust(width)
            for i, (cell, width) in enumerate(zip(cells, widths, strict=True))
        ]
        return "| " + " | ".join(aligned) + " |"

    rule = ["-" * width if i < left else "-" * (width - 1) + ":" for i, width in enumerate(widths)]
    return "\n".join([line(head), line(rule), *(line(row) for row in rows)])


def has(program: str) -> bool:
    """True if a program is on the PATH."""
    return shutil.which(program) is not None


def need(program: str, package: str) -> None:
    """End the benchmark with status 4 if a program is missing, and name the package that has it."""
    if not has(program):
        say(
            f"{Path(sys.argv[0]).name} needs the program {program}, which is not on the PATH: "
            f"install {package}"
        )
        raise SystemExit(LACKING)


def checkout(doc: str) -> Path:
    """The folder of others' code that ``--from`` names. ``doc``: text of the benchmark."""
    parser = argparse.ArgumentParser(description=doc.splitlines()[0], allow_abbrev=False)
    parser.add_argument("--from", dest="tree", type=Path, required=True, metavar="FOLDER")
    tree: Path = parser.parse_args().tree.resolve()
    return tree


def files_of(tree: Path, patterns: Sequence[str]) -> list[Path]:
    """The files of a checkout that the patterns name. Ends the benchmark if one names none."""
    files = [sorted(tree.glob(pattern)) for pattern in patterns]
    for pattern, some in zip(patterns, files, strict=True):
        if not some:
            raise SystemExit(
                f"{tree}: no {pattern}: give --from a checkout that the head of {sys.argv[0]} names"
            )
    return [path for some in files for path in some]


def say(text: str) -> None:
    """Print progress to standard error."""
    print(text, file=sys.stderr, flush=True)
