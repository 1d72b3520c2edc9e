"""Comparing two sides: two runs, or two implementations of one run. Always B against A: ratios are B / A."""

from motebench.compare.document import document
from motebench.compare.matching import DEFAULT_METRICS, compare, side
from motebench.compare.model import Comparison, Pair, Side, Unmatched

__all__ = ["DEFAULT_METRICS", "Comparison", "Pair", "Side", "Unmatched", "compare", "document", "side"]
