"""An audit: read the tables and sentences of a publication, check them, sort the findings, make the
document.

Statements are checked each against its numbers, and all against each other.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import zip_longest
from pathlib import Path

from motebench.base.errors import InputError
from motebench.base.naming import did_you_mean
from motebench.base.paths import catalog_dir
from motebench.catalog.published import Cell, Table, paper, papers, tables
from motebench.documents.papers import (
    AuditEntry,
    CellEntry,
    Certainty,
    FindingEntry,
    LookEntry,
    TableEntry,
    Weight,
)
from motebench.publications.audit import derived, deviations, digits, rates, structure
from motebench.publications.audit.findings import CheckFindings
from motebench.publications.audit.forms import ENDINGS
from motebench.publications.audit.reading import ReadTable, read
from motebench.publications.audit.statement_values import (
    announced,
    blocks,
    clocks,
    compute,
    contradict,
    fact,
    flat,
    formula,
    inverse,
    judged,
    level,
    order,
    payload,
    ratio,
    spread,
    status,
    steps,
    strength,
)
from motebench.publications.audit.statements import (
    AirtimeStepsStatement,
    AnnouncedStatement,
    AnyStatement,
    BlocksStatement,
    CaptionsStatement,
    ClocksStatement,
    ComputedStatement,
    ConfoundedStatement,
    EqualStatement,
    FactStatement,
    FormulaStatement,
    InverseStatement,
    JudgedStatement,
    LevelStatement,
    MemberStatement,
    OrderStatement,
    PaperStatement,
    PaperStatements,
    PayloadStatement,
    RatioStatement,
    ReferenceStatement,
    RelationStatement,
    ReportedStatement,
    SpreadStatement,
    StatusStatement,
    StrengthStatement,
    read_statements,
)

Resolutions = Mapping[str, Fraction]


@dataclass(frozen=True, slots=True)
class Publication:
    """A paper of the catalog or a file of a user: its tables, and the sentences and formulas around
    them.

    ``read``: how the tables of a file were read.
    """

    name: str
    title: str
    tables: tuple[Table, ...]
    statements: PaperStatements
    read: tuple[ReadTable, ...] = ()


def audit(
    name: str, repetitions: int | None = None, resolution: Resolutions | None = None
) -> AuditEntry:
    """Audit a paper of the catalog by its key, or the tables of a file by its path. InputError if
    it is neither.
    """
    if name in papers():
        if repetitions or resolution:
            raise InputError(
                "a paper of the catalog has its own",
                where="--repetitions, --resolution",
                hint="these options are for a file",
            )
        return audit_paper(name)
    path = Path(name)
    if path.suffix.lower() not in ENDINGS and not path.exists():
        raise InputError(
            f"there is no paper {name!r} in the catalog, and no such file",
            valid=f"a file with a table, or {', '.join(papers())}",
            hint=did_you_mean(name, papers()),
        )
    return audit_file(path, repetitions, resolution)


def audit_paper(key: str) -> AuditEntry:
    """Audit the tables, formulas and statements of a paper of the catalog. InputError for an
    unknown one.
    """
    publication = read_paper(key)
    return document(publication, check(publication))


def audit_file(
    path: Path, repetitions: int | None = None, resolution: Resolutions | None = None
) -> AuditEntry:
    """Audit the tables of a file, with the facts in ``FILE.toml`` beside it. InputError with file
    and line.
    """
    publication = read_file(path, repetitions, resolution)
    return document(publication, check(publication))


def read_paper(key: str) -> Publication:
    """The publication of a paper of the catalog. InputError for an unknown one."""
    title = paper(key).title
    printed = tables(key)
    return Publication(key, title, printed, read_statements(catalog_dir() / "papers" / key))


def read_file(path: Path, repetitions: int | None, resolution: Resolutions | None) -> Publication:
    """The publication that is a file of a user. InputError with file and line."""
    file = read(path, repetitions, resolution)
    return Publication(str(path), file.title, file.tables, file.beside, file.read)


def check(publication: Publication) -> list[CheckFindings]:
    """Findings of every check of each table, and of all sentences and formulas."""
    of_tables = [findings for table in publication.tables for findings in check_table(table)]
    for table_read in publication.read:
        of_tables += check_columns(table_read.columns) if table_read.columns else []
    return of_tables + check_statements(publication.statements, publication.tables)


def check_table(table: Table) -> list[CheckFindings]:
    """Findings of every check of a table."""
    return [
        deviations.sd_of_variance(table),
        deviations.variances_as_deviations(table),
        *(findings for part in _by_readings(table) for findings in _of_readings(part)),
        digits.repeated_labels(table),
        digits.repeated_rows(table),
        digits.repeated_series(table),
        digits.equal_neighbours(table),
        digits.digit_slips(table),
        digits.step_slips(table),
        digits.swapped_cells(table),
        digits.constant_columns(table),
        *rates.falling(table),
        rates.common(table),
        rates.other_sitting(table),
        rates.exact(table),
        *structure.rounds(table),
        *structure.directions(table),
        rates.products(table),
        rates.same_information(table),
    ]


def check_columns(table: derived.ColumnTable) -> list[CheckFindings]:
    """Findings of the checks of columns and rows that are computed from others."""
    return [
        derived.computed_columns(table),
        derived.summary_rows(table),
        derived.impossible_shares(table),
    ]


def _of_readings(table: Table) -> list[CheckFindings]:
    """Findings of the checks that need the number of readings, or profit from it."""
    return [
        *deviations.second_moments(table),
        deviations.standard_errors(table),
        *deviations.bounds(table),
        digits.means(table),
        *digits.variances(table),
    ]


def _by_readings(table: Table) -> list[Table]:
    """The table itself, or a part of it for each number of readings, where its lines differ in
    it.
    """
    if not table.readings:
        return [table]
    parts: dict[int | None, list[Cell]] = {}
    for cell in table.cells:
        parts.setdefault(table.readings.get(cell.line), []).append(cell)
    return [
        replace(table, cells=tuple(cells), repetitions=n, readings={}) for n, cells in parts.items()
    ]


def document(publication: Publication, checks: Iterable[CheckFindings]) -> AuditEntry:
    """The document of an audit, the most important finding first."""
    looks: dict[str, int] = {}
    findings: list[FindingEntry] = []
    for done in checks:
        looks[done.check] = looks.get(done.check, 0) + done.looks
        findings += done.findings
    findings = _on_wrong_cells(_once(findings))
    findings.sort(
        key=lambda finding: (Weight(finding.weight).rank, Certainty(finding.certainty).rank)
    )
    count = Counter(finding.check for finding in findings)
    return AuditEntry(
        of=publication.name,
        title=publication.title,
        tables=tuple(
            TableEntry(
                table=table.name,
                numbers=len(table.cells),
                repetitions=table.repetitions,
                guessed=how.guessed if how else (),
                unread=how.unread if how else (),
            )
            for table, how in zip_longest(publication.tables, publication.read)
        ),
        findings=tuple(findings),
        checks=tuple(
            LookEntry(check=check, looks=number, findings=count[check])
            for check, number in looks.items()
            if number
        ),
    )


# One fact counts once

_SAYS_WRONG = (
    "mean-variance",
    "sd-variance",
    "sd-bound",
    "range",
    "digit-slip",
    "step-slip",
    "swapped",
)
"""Checks whose cells are wrong by themselves."""
_OF_UNITS = ("product",)


def _once(findings: list[FindingEntry]) -> list[FindingEntry]:
    """Findings, merged if one check has them for one sentence, or if they rest on the same
    cells.
    """
    by_place = dict(enumerate(findings))
    too: dict[int, list[str]] = {}
    for at, entry in enumerate(findings):
        place = next(
            (
                place
                for place, other in by_place.items()
                if place != at and _says_no_more(entry, other)
            ),
            None,
        )
        if place is not None:
            own = f'"{entry.quote}" ({entry.where}) is about the same cells'
            too.setdefault(place, []).extend([own, *too.pop(at, [])])
            del by_place[at]
    by_sentence: dict[object, list[FindingEntry]] = {}
    for at, entry in by_place.items():
        key: object = (entry.check, entry.quote) if entry.quote is not None else at
        whole = replace(entry, what="; ".join((entry.what, *too.get(at, []))))
        by_sentence.setdefault(key, []).append(whole)
    return [_joined(same) for same in by_sentence.values()]


def _joined(same: list[FindingEntry]) -> FindingEntry:
    """Several findings of one sentence by one check."""
    first = min(same, key=lambda entry: Weight(entry.weight).rank)
    weightiest = [entry for entry in same if entry.weight == first.weight]
    cells = dict.fromkeys(cell for entry in same for cell in entry.cells)
    return replace(
        first,
        certainty=max(
            (entry.certainty for entry in weightiest),
            key=lambda certainty: Certainty(certainty).rank,
        ),
        where=", ".join(dict.fromkeys(entry.where for entry in same)),
        what="; ".join(dict.fromkeys(entry.what for entry in same)),
        cells=tuple(cells),
        basis=tuple(dict.fromkeys(cell for entry in same for cell in entry.basis)),
        reference="; ".join(dict.fromkeys(entry.reference for entry in same)),
    )


def _says_no_more(entry: FindingEntry, other: FindingEntry) -> bool:
    """True if the cells of a sentence's finding are among those of another finding, which explains
    them.
    """
    if entry.quote is None or entry.check != "statement" or not entry.cells:
        return False
    if other.check in _OF_UNITS:
        of_units = {f"{other.where}: {cell.cell}" for cell in other.cells}
        return all(cell.cell in of_units for cell in entry.cells)
    if other.check != "statement" or other.quote is None:
        return False
    own, others = set(entry.cells), set(other.cells)
    return own < others or (
        own == others and (other.where, other.quote) < (entry.where, entry.quote)
    )


def _on_wrong_cells(findings: list[FindingEntry]) -> list[FindingEntry]:
    """The findings, each with the cells it rests on that another check calls wrong."""
    wrong: dict[str, FindingEntry] = {}
    for entry in findings:
        if entry.check in _SAYS_WRONG:
            wrong |= {_full_name(entry, cell): entry for cell in entry.cells}
    marked: list[FindingEntry] = []
    for entry in findings:
        resting: dict[str, str] = {}
        for cell in (*entry.cells, *entry.basis):
            name = _full_name(entry, cell)
            if name in wrong and wrong[name].check != entry.check:
                resting[name] = f"{name}: {cell.printed} [{wrong[name].check}]"
        alone = bool(entry.cells) and all(
            _full_name(entry, cell) in resting for cell in entry.cells
        )
        certainty = (
            Certainty.POSSIBLE if alone and entry.check not in _SAYS_WRONG else entry.certainty
        )
        marked.append(replace(entry, rests_on=tuple(resting.values()), certainty=certainty))
    return marked


def _full_name(entry: FindingEntry, cell: CellEntry) -> str:
    """A cell with its table; statements name the table themselves."""
    return cell.cell if entry.quote is not None else f"{entry.where}: {cell.cell}"


# Statements


_Named = dict[str, tuple[str, bool]]
"""Metrics that follow from another one, with whether the order is reversed."""


def check_statements(statements: PaperStatements, tables: Sequence[Table]) -> list[CheckFindings]:
    """Findings of the sentences and formulas of a paper, by check.

    InputError for a statement that cannot be computed.
    """
    by_check: dict[str, CheckFindings] = {}

    def of_check(name: str) -> CheckFindings:
        return by_check.setdefault(name, CheckFindings(name))

    for statement in _each_fact_once(statements.statement):
        kind: type = type(statement)
        if kind in _AGAINST_TABLES:
            name, against_tables = _AGAINST_TABLES[kind]
            against_tables(of_check(name), tables, statement)
        elif kind in _ALONE:
            name, alone = _ALONE[kind]
            alone(of_check(name), statement)
        elif isinstance(statement, ReferenceStatement):
            refers(of_check("reference"), statement, statements, tables)
    uncited(of_check("reference"), statements)
    orders(of_check("statements"), statements.statement)
    facts(of_check("statements"), statements.statement)
    judged(
        of_check("judged"),
        [entry for entry in statements.statement if isinstance(entry, JudgedStatement)],
    )
    return [*by_check.values(), flat(tables)]


def _each_fact_once(statements: Iterable[AnyStatement]) -> list[AnyStatement]:
    """Statements, merged if several sentences have the same fact."""
    by_fact: dict[Hashable, list[AnyStatement]] = {}
    for statement in statements:
        key: Hashable = id(statement)
        if isinstance(statement, FactStatement):
            key = statement.subject, statement.attribute, statement.value
        elif isinstance(statement, StatusStatement):
            key = statement.subject, statement.on
        elif isinstance(statement, StrengthStatement):
            key = statement.more, statement.than
        by_fact.setdefault(key, []).append(statement)
    return [
        same[0].model_copy(
            update={"where": ", ".join(dict.fromkeys(statement.where for statement in same))}
        )
        for same in by_fact.values()
    ]


@dataclass(frozen=True, slots=True)
class _OrderEdge:
    """``less`` has less than ``than``; ``tie``: the same."""

    less: str
    than: str
    tie: bool
    metric: str
    device: str
    sizes: str
    statement: OrderStatement | EqualStatement

    def meets(self, other: _OrderEdge) -> bool:
        """True if both speak of the same thing."""
        return self.metric == other.metric and all(
            left == right or "" in (left, right)
            for left, right in ((self.device, other.device), (self.sizes, other.sizes))
        )


def orders(check: CheckFindings, statements: Iterable[AnyStatement]) -> None:
    """Orders and equalities that cannot hold together, also through metrics that are computed from
    each other.
    """
    listed = list(statements)
    named: _Named = {
        statement.metric: (statement.is_, statement.inverse)
        for statement in listed
        if isinstance(statement, RelationStatement)
    }
    edges = [
        edge
        for statement in listed
        if isinstance(statement, OrderStatement | EqualStatement)
        for edge in _edges(statement, named)
    ]
    check.looks += len(edges)
    for ties in (False, True):
        _clashes(check, edges, named, ties=ties)


def _clashes(check: CheckFindings, edges: list[_OrderEdge], named: _Named, *, ties: bool) -> None:
    """Report the statement that most others contradict first, with all of them."""
    clashes: dict[int, dict[int, tuple[_OrderEdge, _OrderEdge]]] = {}
    for index, edge in enumerate(edges):
        for against in edges[index + 1 :]:
            apart = edge.statement is not against.statement and (edge.tie or against.tie) is ties
            if apart and edge.meets(against) and _clash(edge, against):
                for a, b in ((edge, against), (against, edge)):
                    clashes.setdefault(id(a.statement), {}).setdefault(id(b.statement), (a, b))
    while clashes:
        most = max(clashes, key=lambda key: len(clashes[key]))
        _report_clash(check, list(clashes.pop(most).values()), named)
        clashes = {
            key: {k: v for k, v in clashing.items() if k != most}
            for key, clashing in clashes.items()
        }
        clashes = {key: clashing for key, clashing in clashes.items() if clashing}


def _edges(statement: OrderStatement | EqualStatement, named: _Named) -> list[_OrderEdge]:
    metric, inverse = named.get(statement.metric, (statement.metric, False))
    if isinstance(statement, EqualStatement):
        pairs = [
            (a, b) for place, a in enumerate(statement.same) for b in statement.same[place + 1 :]
        ]
        return [
            _OrderEdge(a, b, True, metric, statement.device, statement.sizes, statement)
            for a, b in pairs
        ]
    if statement.along != "algorithm":
        metric = f"{metric} by {statement.along}"
    pairs = [(a, b) for a in statement.less for b in statement.than if a != b]
    return [
        _OrderEdge(
            *((b, a) if inverse else (a, b)),
            False,
            metric,
            statement.device,
            statement.sizes,
            statement,
        )
        for a, b in pairs
    ]


def _clash(first: _OrderEdge, second: _OrderEdge) -> bool:
    same = {first.less, first.than} == {second.less, second.than}
    if not same or (first.tie and second.tie):
        return False
    return first.tie or second.tie or first.less != second.less


def _report_clash(
    check: CheckFindings, clashes: list[tuple[_OrderEdge, _OrderEdge]], named: _Named
) -> None:
    first = clashes[0][0].statement
    others = [against.statement for _, against in clashes]
    ties = any(edge.tie or against.tie for edge, against in clashes)
    weights = [entry.matters for entry in (first, *others)]
    # Values that are "almost identical" may still have an order.
    weight = (
        max(weights, key=lambda entry: entry.rank)
        if ties
        else min(weights, key=lambda entry: entry.rank)
    )
    sure = max((entry.sure for entry in (first, *others)), key=lambda entry: entry.rank)
    metrics = dict.fromkeys(entry.metric for entry in (first, *others) if entry.metric in named)
    derived = "; ".join(f"{metric} follows from {named[metric][0]}" for metric in metrics)
    check.add(
        weight,
        sure,
        first.where,
        f"this and {', '.join(dict.fromkeys(entry.where for entry in others))} "
        f"{'do not agree' if ties else 'cannot both hold'}: "
        f"{_says(clashes[0][0])}" + (f" ({derived})" if derived else ""),
        [
            CellEntry(
                cell=against.statement.where,
                printed=f'"{against.statement.quote}"',
                computed=_says(against),
            )
            for _, against in clashes
        ],
        quote=first.quote,
    )


def _says(edge: _OrderEdge) -> str:
    where = " ".join(filter(None, (edge.device, edge.sizes)))
    relation = "the same" if edge.tie else "less"
    than = "as" if edge.tie else "than"
    return f"{edge.less} has {relation} {edge.metric} {than} {edge.than}" + (
        f" ({where})" if where else ""
    )


def facts(check: CheckFindings, statements: Iterable[AnyStatement]) -> None:
    """Values of one attribute of one thing that differ from sentence to sentence."""
    by_subject: dict[tuple[str, str], list[FactStatement]] = {}
    for entry in statements:
        if isinstance(entry, FactStatement):
            by_subject.setdefault((entry.subject, entry.attribute), []).append(entry)
    for (subject, attribute), same in by_subject.items():
        check.looks += len(same)
        by_value: dict[object, FactStatement] = {}
        for entry in same:
            by_value.setdefault(entry.value, entry)
        if len(by_value) > 1:
            *others, last = by_value.values()
            check.add(
                min((entry.matters for entry in same), key=lambda entry: entry.rank),
                max((entry.sure for entry in same), key=lambda entry: entry.rank),
                last.where,
                f"{attribute} of {subject} is {_text(last.value)} here and "
                + " and ".join(f"{_text(other.value)} in {other.where}" for other in others),
                [
                    CellEntry(
                        cell=other.where,
                        printed=f'"{other.quote or other.where}"',
                        computed=_text(other.value),
                    )
                    for other in others
                ],
                quote=last.quote,
            )


def _text(value: object) -> str:
    return ", ".join(map(str, value)) if isinstance(value, tuple) else str(value)


def _report(check: CheckFindings, statement: PaperStatement, sentence: str) -> None:
    """Add a finding against a statement, and count it as one more look."""
    check.looks += 1
    contradict(check, statement, sentence)


def reported(check: CheckFindings, statement: ReportedStatement) -> None:
    """Announced and not reported."""
    missing = [item for item in statement.announced if item not in statement.reported]
    check.looks += len(statement.announced)
    if missing:
        _report(
            check,
            statement,
            f"no result is reported for {', '.join(missing)}; reported: "
            f"{', '.join(statement.reported) or 'none'}",
        )


def member(check: CheckFindings, statement: MemberStatement) -> None:
    """Add a result about cells outside the comparison."""
    check.looks += 1
    if statement.item not in statement.among:
        _report(
            check,
            statement,
            f"{statement.item} is not among what was compared: {', '.join(statement.among)}",
        )


def refers(
    check: CheckFindings,
    statement: ReferenceStatement,
    paper: PaperStatements,
    tables: Sequence[Table],
) -> None:
    """A reference to a table that is not there, or is about something else."""
    to = (statement.to,) if isinstance(statement.to, str) else statement.to
    check.looks += len(to)
    missing = [name for name in to if name not in (*paper.tables, *paper.figures)]
    if missing:
        kind = paper.figures if missing[0].startswith("Fig") else paper.tables
        has = ", ".join(kind) or "none"
        _report(
            check, statement, f"there is no {', '.join(missing)}; the text that was read has {has}"
        )
        return
    if not statement.metric:
        return
    have = [
        table.name
        for table in tables
        if any(cell.metric == statement.metric for cell in table.cells)
    ]
    if have and not set(to) & set(have):
        _report(
            check, statement, f"{statement.metric} is in {', '.join(have)}, not in {', '.join(to)}"
        )


def uncited(check: CheckFindings, paper: PaperStatements) -> None:
    """Tables and figures that the text never mentions."""
    if paper.uncited:
        check.looks += len(paper.uncited)
        check.add(
            Weight.NOTE,
            Certainty.CERTAIN,
            ", ".join(paper.uncited),
            f"the text never mentions {' and '.join(paper.uncited)} ({len(paper.uncited)} of "
            f"{len(paper.tables) + len(paper.figures)} tables and figures)",
        )


def captions(check: CheckFindings, statement: CaptionsStatement) -> None:
    """Captions that occur twice."""
    check.looks += len(statement.captions)
    by_text: dict[str, list[str]] = {}
    for name, text in statement.captions.items():
        by_text.setdefault(text.casefold(), []).append(name)
    for names in by_text.values():
        if len(names) > 1:
            _report(check, statement, f"{' and '.join(names)} have the same caption")


def confounded(check: CheckFindings, statement: ConfoundedStatement) -> None:
    """Subjects that were each measured with one means."""
    by_means: dict[str, list[str]] = {}
    for subject, means in statement.means.items():
        by_means.setdefault(means, []).append(subject)
    check.looks += len(statement.means)
    if len(by_means) > 1:
        groups = "; ".join(
            f"{means}: {', '.join(subjects)}" for means, subjects in by_means.items()
        )
        _report(
            check,
            statement,
            f"no subject was measured with two kinds of {statement.by} ({groups}): a difference "
            "between groups can be one of either",
        )


_AGAINST_TABLES: dict[type, tuple[str, Callable[..., None]]] = {
    RatioStatement: ("statement", ratio),
    SpreadStatement: ("statement", spread),
    LevelStatement: ("statement", level),
    OrderStatement: ("statement", order),
    ComputedStatement: ("statement", compute),
    AnnouncedStatement: ("announced", announced),
}
_ALONE: dict[type, tuple[str, Callable[..., None]]] = {
    FactStatement: ("fact", fact),
    StrengthStatement: ("fact", strength),
    StatusStatement: ("fact", status),
    FormulaStatement: ("dimension", formula),
    InverseStatement: ("inverse", inverse),
    ClocksStatement: ("clock", clocks),
    PayloadStatement: ("packet", payload),
    BlocksStatement: ("padding", blocks),
    AirtimeStepsStatement: ("statement", steps),
    ReportedStatement: ("announced", reported),
    MemberStatement: ("announced", member),
    CaptionsStatement: ("repeated-label", captions),
    ConfoundedStatement: ("confounded", confounded),
}
"""Checks of the kinds of statements, with the name under which a check reports."""
