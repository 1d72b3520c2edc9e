"""Energy by the formulas of published comparisons, under their own names, each with its error.

The formulas are data: ``[[formula]]`` in ``catalog/papers/<key>/paper.toml``.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from motebench.base.dimensions import evaluate, number
from motebench.catalog.papers import paper


@dataclass(frozen=True, slots=True)
class PublishedValue:
    """The value of a published formula, and why it is not the quantity that the paper names."""

    paper: str
    called: str
    value: float
    unit: str
    wrong: str


def published(key: str, amounts: Mapping[str, float]) -> list[PublishedValue]:
    """The formulas of a paper, as printed: over plain numbers in the units of ``docs/catalog.md``.

    InputError if a formula needs an amount that is not given.
    """
    plain = {name: number(value) for name, value in amounts.items()}
    words = {name: f"{value:g}" for name, value in amounts.items()}
    return [
        PublishedValue(
            paper=key,
            called=formula.called,
            value=float(evaluate(formula.expression, plain)[0]),
            unit=formula.unit,
            wrong=formula.wrong.format(**words),
        )
        for formula in paper(key).formula
    ]
