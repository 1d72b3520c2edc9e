"""Description of the measuring machine, its sources of noise, and checks of installed parts."""

from motebench.targets.machine.description import describe
from motebench.targets.machine.facts import (
    COMPARABLE,
    FACTS,
    Difference,
    HostFacts,
    MachineFact,
    differences,
    host_of,
    read_host,
)
from motebench.targets.machine.noise import Advice, Severity, noise_sources

__all__ = [
    "COMPARABLE",
    "FACTS",
    "Advice",
    "Difference",
    "HostFacts",
    "MachineFact",
    "Severity",
    "describe",
    "differences",
    "host_of",
    "noise_sources",
    "read_host",
]
