"""Describes the measuring machine, lists its sources of noise, and checks what is installed."""

from motebench.targets.machine.description import describe
from motebench.targets.machine.facts import COMPARABLE, FACTS, Difference, MachineFact, differences, host_of
from motebench.targets.machine.noise import Advice, Severity, noise_sources

__all__ = [
    "COMPARABLE",
    "FACTS",
    "Advice",
    "Difference",
    "MachineFact",
    "Severity",
    "describe",
    "differences",
    "host_of",
    "noise_sources",
]
