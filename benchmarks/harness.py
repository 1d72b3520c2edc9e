"""Harness overhead of a reading: a no-op job through the loop of each adapter.

    .venv/bin/python benchmarks/harness.py

Every probe times a no-op job when it starts, through the same calls and the same loop as every
operation. *Per batch* is subtracted from each reading. *Per operation* is part of each operation.
Exit status 1 if the C adapters of this machine differ by more than 1 ns per operation.
"""

from __future__ import annotations

import argparse
import tempfile
from collections.abc import Iterable
from pathlib import Path
from statistics import median

from common import machine, say, table

from motebench.targets.base import Target
from motebench.targets.code.workspace import GivenCode, Workspace, add_code
from motebench.targets.host.this_machine import this_machine
from motebench.targets.wire.messages import Hello, ProbeFailure

STARTS = 9
"""Fresh processes of each probe."""
MOST_NS = 1.0
"""Allowed difference of the adapters per operation, in nanoseconds."""
OWN = ("mote/aes-small", "mote/sha-256", "bearssl/rsa", "monocypher/ed25519")
"""Representatives of the own ciphers and the pinned libraries, which share an adapter each."""
CODE = "code/user"
USER_CODE = {
    "api.h": "#define CRYPTO_BYTES 1\n",
    "hash.c": "int crypto_hash(unsigned char *o, const unsigned char *i, unsigned long long n) "
    "{ *o = n ? *i : 0; return 0; }\n",
}
"""A folder of user code: its adapter is the same whatever the code computes."""


def hellos(target: Target, implementation: str) -> list[Hello]:
    """Greetings of fresh processes of this probe; empty if it cannot be started."""
    found = []
    for _ in range(STARTS):
        try:
            session = target.open(implementation)
        except ProbeFailure as failure:
            say(f"{implementation}: {failure}")
            return []
        found.append(session.hello)
        session.close()
    return found


def nanoseconds(values: Iterable[float], hz: int) -> float:
    """The median of ticks of a clock."""
    return median(values) * 1e9 / hz


def measured(target: Target) -> tuple[list[list[str]], list[float]]:
    """The rows of the table, and nanoseconds per operation of the adapters in C and C++."""
    rows, loops = [], []
    for name in target.implementations():
        if ("/" in name and name not in OWN and name != CODE) or "@" in name or "+" in name:
            continue
        said = [hello for hello in hellos(target, name) if hello.loop is not None and not hello.jit]
        if not said:
            continue
        hz = said[0].clock.hz
        loop = nanoseconds((hello.loop or 0.0 for hello in said), hz)
        around = nanoseconds((hello.clock.overhead for hello in said), hz)
        rows.append([name, said[0].version, f"{around:.0f}", f"{loop:.2f}"])
        if said[0].compiler and "python" not in said[0].compiler.lower():
            loops.append(loop)
    return rows, loops


def main() -> int:
    """The table; whether the adapters agree."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        for name, text in USER_CODE.items():
            (Path(folder) / name).write_text(text)
        workspace, _ = add_code(
            Workspace(), GivenCode(Path(folder), name=CODE.removeprefix("code/"), unproved=True)
        )
        rows, loops = measured(this_machine(code=workspace.code))
    print(f"{machine()}; medians of {STARTS} processes\n")
    print(table(["implementation", "version", "per batch, ns", "per operation, ns"], rows, left=2))
    return 0 if loops and max(loops) - min(loops) <= MOST_NS else 1


if __name__ == "__main__":
    raise SystemExit(main())
