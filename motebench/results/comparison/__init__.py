"""Comparing two sides: two runs, or two implementations of one run. Always B against A: ratios are
B / A.
"""

from motebench.results.comparison.document import document
from motebench.results.comparison.matching import DEFAULT_METRICS, compare, compare_stored, side
from motebench.results.comparison.model import Comparison, Pair, Side, Unmatched

__all__ = [
    "DEFAULT_METRICS",
    "Comparison",
    "Pair",
    "Side",
    "Unmatched",
    "compare",
    "compare_stored",
    "document",
    "side",
]
