"""What the harness adds to a reading: a no-op job through the loop of each adapter.

    .venv/bin/python benchmarks/harness.py

Every probe times a no-op job when it starts, through the same calls and the same loop as every operation. *Per batch*
is subtracted from each reading. *Per operation* is part of each operation. Exit status 1 if the C adapters of this
machine differ by more than 1 ns per operation.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterable
from statistics import median

from common import machine, say, table

from motebench.targets.this_machine import this_machine
from motebench.wire.messages import Hello, ProbeFailure

STARTS = 9
"""Fresh processes of each probe."""
MOST_NS = 1.0
"""By how much the adapters may differ, per operation."""
OWN = ("mote/aes-small", "mote/sha256", "bearssl/rsa", "monocypher/ed25519")
"""Of the own ciphers and the pinned libraries, which share an adapter each: one of a kind."""


def hellos(implementation: str) -> list[Hello]:
    """What fresh processes of this probe say; none if it cannot be started."""
    found = []
    for _ in range(STARTS):
        try:
            session = this_machine().open(implementation)
        except ProbeFailure as failure:
            say(f"{implementation}: {failure}")
            return []
        found.append(session.hello)
        session.close()
    return found


def nanoseconds(values: Iterable[float], hz: int) -> float:
    """The median of ticks of a clock."""
    return median(values) * 1e9 / hz


def main() -> int:
    """The table; whether the adapters agree."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.parse_args()
    rows, loops = [], []
    for name in this_machine().implementations():
        if ("/" in name and name not in OWN) or "@" in name or "+" in name:
            continue
        said = [hello for hello in hellos(name) if hello.loop is not None and not hello.jit]
        if not said:
            continue
        hz = said[0].clock.hz
        loop = nanoseconds((hello.loop or 0.0 for hello in said), hz)
        around = nanoseconds((hello.clock.overhead for hello in said), hz)
        rows.append([name, said[0].version, f"{around:.0f}", f"{loop:.2f}"])
        if said[0].compiler and "python" not in said[0].compiler.lower():
            loops.append(loop)
    print(f"{machine()}; medians of {STARTS} processes\n")
    print(table(["implementation", "version", "per batch, ns", "per operation, ns"], rows, left=2))
    return 0 if loops and max(loops) - min(loops) <= MOST_NS else 1


if __name__ == "__main__":
    raise SystemExit(main())
