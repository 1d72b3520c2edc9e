"""All statements of a paper."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from motebench.catalog.published import Table
from motebench.publications.audit.found import Found
from motebench.publications.audit.statements import model as of
from motebench.publications.audit.statements import of_facts, of_tables, of_text

_ON_TABLES: dict[type, tuple[str, Callable[..., None]]] = {
    of.Ratio: ("statement", of_tables.ratio),
    of.Spread: ("statement", of_tables.spread),
    of.Level: ("statement", of_tables.level),
    of.Order: ("statement", of_tables.order),
    of.Announced: ("announced", of_tables.announced),
}
_ALONE: dict[type, tuple[str, Callable[..., None]]] = {
    of.Fact: ("fact", of_facts.fact),
    of.Strength: ("fact", of_facts.strength),
    of.Status: ("fact", of_facts.status),
    of.Compute: ("statement", of_facts.compute),
    of.Formula: ("dimension", of_facts.formula),
    of.Steps: ("statement", of_facts.steps),
    of.Reported: ("announced", of_text.reported),
    of.Member: ("announced", of_text.member),
    of.Captions: ("repeated-label", of_text.captions),
    of.Confounded: ("confounded", of_text.confounded),
}


def check_statements(statements: of.Statements, tables: Sequence[Table]) -> list[Found]:
    """What the sentences and formulas of a paper give. InputError for a statement that cannot be computed."""
    found: dict[str, Found] = {}

    def to(check: str) -> Found:
        return found.setdefault(check, Found(check))

    for each in statements.statement:
        statement: Any = each
        if type(each) in _ON_TABLES:
            check, function = _ON_TABLES[type(each)]
            function(to(check), tables, statement)
        elif type(each) in _ALONE:
            check, function = _ALONE[type(each)]
            function(to(check), statement)
        elif isinstance(each, of.Refers):
            of_text.refers(to("reference"), each, statements, tables)
    of_text.orders(to("statements"), statements.statement)
    of_text.facts(to("statements"), statements.statement)
    return [*found.values(), of_tables.flat(tables)]
