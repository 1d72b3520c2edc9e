"""Cycles for an instruction on the cores of Linux boards, by published speeds, and whether their
bounds hold for speeds that they were not made from.

Each speed of ``catalog/cores`` is divided by the instructions that the reference results of its
processor have for the same operation. Then the speeds of one algorithm are left out together, and
compared with the bounds that the other speeds of the core give. ``beyond`` is the factor by which
one lies outside the range of the others, before it is widened; 1 is inside.
"""

from __future__ import annotations

from common import table

from motebench.advise.reference.selection import instructions_of
from motebench.advise.reference.table import references
from motebench.catalog import schemes
from motebench.catalog.cores import BEYOND, LinuxCore, PublishedSpeed, cores, pace_of


def paces(core: LinuxCore) -> list[tuple[PublishedSpeed, float, float]]:
    """The speeds of a core whose instructions are counted, with these and the cycles for one."""
    counted = references()[core.target]
    known = ((speed, instructions_of(speed, counted)) for speed in core.speeds)
    return [
        (speed, instructions, speed.clocks / instructions)
        for speed, instructions in known
        if instructions
    ]


def algorithm(speed: PublishedSpeed) -> str:
    """The algorithm of a speed."""
    return schemes()[speed.scheme].algorithm


def main() -> None:
    """Print both tables."""
    lines, inside, beyond = [], [], []
    for core in filter(lambda core: core.target in references(), cores().values()):
        known = paces(core)
        for speed, instructions, pace in known:
            others = [other for what, _, other in known if algorithm(what) != algorithm(speed)]
            bounds = pace_of(others)
            factor = max(min(others) / pace, pace / max(others), 1.0)
            beyond.append(factor)
            inside.append(bounds.low <= pace <= bounds.high)
            unit = "B" if speed.per_byte else "operation"
            lines.append(
                [
                    core.name,
                    f"{speed.scheme} {speed.operation}",
                    f"{speed.clocks:,.4g} a {unit}",
                    f"{instructions:,.4g}",
                    f"{pace:.2f}",
                    f"{bounds.low:.2f} to {bounds.high:.2f}",
                    f"{factor:.2f}",
                ]
            )
    head = ["core", "speed", "cycles", "instructions", "cycles/instr", "by the others", "beyond"]
    print(table(head, lines, left=2))
    print(
        f"\n{sum(inside)} of {len(inside)} speeds lie within the bounds that the others of their "
        f"core give (widened by {BEYOND:g}); the furthest lies {max(beyond):.2f} times beyond them."
    )


if __name__ == "__main__":
    main()
