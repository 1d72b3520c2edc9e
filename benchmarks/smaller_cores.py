"""Own implementations on simulated cores without wait states: where a larger core needs more cycles
than a smaller one for the same work.

    .venv/bin/python benchmarks/smaller_cores.py

Reads the reference results; measures nothing. A case is a scheme, an operation and a length. Of
each core the best own implementation counts. Cases of one implementation and operation are a row:
how many of them there are, and the one that is furthest behind. Exit status 1 if a row has no
reason in `catalog/policies/smaller-cores.toml`.
"""

from __future__ import annotations

import argparse
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from common import machine, table

from motebench.advise.reference.table import references
from motebench.base.naming import is_variant
from motebench.catalog.policies import slower_core_reasons

BOARDS = {
    "AVR": "sim:atmega2560",
    "AVRxt": "sim:atmega4809",
    "Cortex-M0+": "sim:rp2040",
    "Cortex-M3": "sim:cortex-m3-nows",
    "Cortex-M4": "sim:cortex-m4-nows",
    "Hazard3": "sim:rp2350-hazard3",
}
SMALLER = {
    "AVRxt": ("AVR",),
    "Cortex-M0+": ("AVR", "AVRxt"),
    "Cortex-M3": ("AVR", "AVRxt", "Cortex-M0+"),
    "Cortex-M4": ("AVR", "AVRxt", "Cortex-M0+", "Cortex-M3"),
    "Hazard3": ("AVR", "AVRxt", "Cortex-M0+"),
}


@dataclass(frozen=True)
class Behind:
    """A case in which a core is behind a smaller one."""

    core: str
    smaller: str
    case: str
    cycles: int
    cycles_of_smaller: int

    @property
    def ratio(self) -> float:
        """Ratio of the cycles to those of the smaller core."""
        return self.cycles / self.cycles_of_smaller


Case = tuple[str, str, int]


def best(target: str) -> dict[Case, tuple[int, str]]:
    """Cycles and name of the best own implementation of each case."""
    fastest: dict[Case, tuple[int, str]] = {}
    for entry in references()[target].entries.values():
        name = entry.implementation
        if not name.startswith("mote/") or is_variant(name) or "cycles" not in entry.values:
            continue
        case = (entry.scheme, entry.operation, entry.input_bytes)
        candidate = (entry.values["cycles"], entry.implementation)
        fastest[case] = min(candidate, fastest.get(case, candidate))
    return fastest


def behind(
    cores: Mapping[str, Mapping[Case, tuple[int, str]]],
) -> Iterator[tuple[str, str, Behind]]:
    """Implementation and operation of each case in which a core is behind, and the case."""
    for core, smaller_ones in SMALLER.items():
        for case, (cycles, implementation) in cores[core].items():
            others = {
                smaller: cores[smaller][case][0]
                for smaller in smaller_ones
                if case in cores[smaller]
            }
            if not others:
                continue
            smaller = min(others, key=lambda name: others[name])
            if cycles > others[smaller]:
                scheme, operation, size = case
                name = f"{scheme}, {size} B" if size else scheme
                yield (
                    implementation,
                    operation,
                    Behind(core, smaller, name, cycles, others[smaller]),
                )


def reason(implementation: str, operation: str, case: Behind) -> str:
    """Cause that the catalog has of a case; empty without one."""
    for entry in slower_core_reasons():
        if entry.explains(implementation, operation, case.core, case.smaller, case.ratio):
            return entry.cause
    return ""


def main() -> int:
    """Print the table."""
    argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0]).parse_args()
    cores = {core: best(target) for core, target in BOARDS.items()}
    cases = set().union(*cores.values())
    grouped: dict[tuple[str, str, str], list[Behind]] = defaultdict(list)
    for implementation, operation, case in behind(cores):
        grouped[case.core, implementation, operation].append(case)
    rows = []
    for (core, implementation, operation), found in sorted(grouped.items()):
        worst = max(found, key=lambda case: case.ratio)
        rows.append(
            [
                core,
                implementation,
                operation,
                str(len(found)),
                worst.case,
                f"{worst.cycles:,}",
                f"{worst.smaller} {worst.cycles_of_smaller:,}",
                f"{worst.ratio:.2f}",
                reason(implementation, operation, worst) or "no reason known",
            ]
        )
    number = sum(len(found) for found in grouped.values())
    print(
        f"{machine()}\n\n{number} of {len(cases)} cases have a larger core behind a smaller one\n"
    )
    head = ["core", "implementation", "operation", "cases", "worst case", "cycles", "smaller core"]
    print(table([*head, "ratio", "reason"], rows, left=3))
    return int(any(row[-1] == "no reason known" for row in rows))


if __name__ == "__main__":
    raise SystemExit(main())
