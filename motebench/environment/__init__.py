"""Describes the machine that measures, says what makes it noisy, and examines what is installed."""

from motebench.environment.facts import COMPARABLE, FACTS, Difference, Fact, differences
from motebench.environment.host import describe
from motebench.environment.noise import Advice, Severity, noise_sources

__all__ = [
    "COMPARABLE",
    "FACTS",
    "Advice",
    "Difference",
    "Fact",
    "Severity",
    "describe",
    "differences",
    "noise_sources",
]
