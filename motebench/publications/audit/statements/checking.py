"""All statements of a paper."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from motebench.catalog.published import Table
from motebench.publications.audit.found import CheckFindings
from motebench.publications.audit.statements import model as of
from motebench.publications.audit.statements import of_facts, of_tables, of_text

_ON_TABLES: dict[type, tuple[str, Callable[..., None]]] = {
    of.RatioStatement: ("statement", of_tables.ratio),
    of.SpreadStatement: ("statement", of_tables.spread),
    of.LevelStatement: ("statement", of_tables.level),
    of.OrderStatement: ("statement", of_tables.order),
    of.AnnouncedStatement: ("announced", of_tables.announced),
}
_ALONE: dict[type, tuple[str, Callable[..., None]]] = {
    of.FactStatement: ("fact", of_facts.fact),
    of.StrengthStatement: ("fact", of_facts.strength),
    of.StatusStatement: ("fact", of_facts.status),
    of.ComputedStatement: ("statement", of_facts.compute),
    of.FormulaStatement: ("dimension", of_facts.formula),
    of.AirtimeStepsStatement: ("statement", of_facts.steps),
    of.ReportedStatement: ("announced", of_text.reported),
    of.MemberStatement: ("announced", of_text.member),
    of.CaptionsStatement: ("repeated-label", of_text.captions),
    of.ConfoundedStatement: ("confounded", of_text.confounded),
}


def check_statements(statements: of.PaperStatements, tables: Sequence[Table]) -> list[CheckFindings]:
    """What the sentences and formulas of a paper give. InputError for a statement that cannot be computed."""
    found: dict[str, CheckFindings] = {}

    def to(check: str) -> CheckFindings:
        return found.setdefault(check, CheckFindings(check))

    for each in statements.statement:
        statement: Any = each
        if type(each) in _ON_TABLES:
            check, function = _ON_TABLES[type(each)]
            function(to(check), tables, statement)
        elif type(each) in _ALONE:
            check, function = _ALONE[type(each)]
            function(to(check), statement)
        elif isinstance(each, of.ReferenceStatement):
            of_text.refers(to("reference"), each, statements, tables)
    of_text.orders(to("statements"), statements.statement)
    of_text.facts(to("statements"), statements.statement)
    return [*found.values(), of_tables.flat(tables)]
