"""An audit: read the tables and sentences of a publication, check them, sort the findings, make the document."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from pathlib import Path

from motebench.base.errors import InputError
from motebench.base.naming import did_you_mean
from motebench.base.paths import catalog_dir
from motebench.catalog.published import Cell, Table, paper, papers, tables
from motebench.documents.papers import AuditEntry, Certainty, FindingEntry, LookEntry, TableEntry, Weight
from motebench.publications.audit import copies, grid, products, scaling, spread, structure
from motebench.publications.audit.findings import CheckFindings
from motebench.publications.audit.reading import read
from motebench.publications.audit.statement_checks import check_statements
from motebench.publications.audit.statements import PaperStatements, read_statements

Resolutions = Mapping[str, Fraction]


@dataclass(frozen=True, slots=True)
class Publication:
    """A paper of the catalog or a file of a user: its tables, and the sentences and formulas around them.

    ``guessed``: roles of columns that were taken from their headers.
    """

    name: str
    title: str
    tables: tuple[Table, ...]
    statements: PaperStatements
    guessed: tuple[str, ...] = ()


def audit(name: str, repetitions: int | None = None, resolution: Resolutions | None = None) -> AuditEntry:
    """Audit a paper of the catalog by its key, or a CSV file by its path. InputError if it is neither."""
    if name in papers():
        if repetitions or resolution:
            raise InputError(
                "a paper of the catalog has its own",
                where="--repetitions, --resolution",
                hint="these options are for a CSV file",
            )
        return audit_paper(name)
    path = Path(name)
    if path.suffix.lower() != ".csv" and not path.exists():
        raise InputError(
            f"there is no paper {name!r} in the catalog, and no such file",
            valid=f"a CSV file, or {', '.join(papers())}", hint=did_you_mean(name, papers()),
        )  # fmt: skip
    return audit_file(path, repetitions, resolution)


def audit_paper(key: str) -> AuditEntry:
    """Audit the tables, formulas and statements of a paper of the catalog. InputError for an unknown one."""
    publication = read_paper(key)
    return document(publication, check(publication))


def audit_file(path: Path, repetitions: int | None = None, resolution: Resolutions | None = None) -> AuditEntry:
    """Audit a CSV file, with what ``FILE.toml`` beside it says. InputError with file and line."""
    publication = read_file(path, repetitions, resolution)
    return document(publication, check(publication))


def read_paper(key: str) -> Publication:
    """The publication of a paper of the catalog. InputError for an unknown one."""
    title = paper(key).title
    printed = tables(key)
    return Publication(key, title, printed, read_statements(catalog_dir() / "papers" / key))


def read_file(path: Path, repetitions: int | None, resolution: Resolutions | None) -> Publication:
    """The publication that is a CSV file. InputError with file and line."""
    file = read(path, repetitions, resolution)
    return Publication(str(path), file.title, file.tables, file.beside, file.guessed)


def check(publication: Publication) -> list[CheckFindings]:
    """Findings of every check of each table, and of all sentences and formulas."""
    of_tables = [findings for table in publication.tables for findings in check_table(table)]
    return of_tables + check_statements(publication.statements, publication.tables)


def check_table(table: Table) -> list[CheckFindings]:
    """Findings of every check of a table."""
    return [
        spread.sd_of_variance(table),
        *(findings for part in _by_readings(table) for findings in _of_readings(part)),
        copies.repeated_labels(table),
        copies.repeated_rows(table),
        copies.repeated_series(table),
        copies.equal_neighbours(table),
        copies.digit_slips(table),
        copies.constant_columns(table),
        *scaling.falling(table),
        scaling.common(table),
        scaling.exact(table),
        *structure.rounds(table),
        *structure.directions(table),
        products.products(table),
        products.same_information(table),
    ]


def _of_readings(table: Table) -> list[CheckFindings]:
    """Findings of the checks that need the number of readings, or profit from it."""
    return [
        *spread.second_moments(table),
        spread.standard_errors(table),
        *spread.bounds(table),
        grid.means(table),
        *grid.variances(table),
    ]


def _by_readings(table: Table) -> list[Table]:
    """The table itself, or a part of it for each number of readings, where its lines differ in it."""
    if not table.readings:
        return [table]
    parts: dict[int | None, list[Cell]] = {}
    for cell in table.cells:
        parts.setdefault(table.readings.get(cell.line), []).append(cell)
    return [replace(table, cells=tuple(cells), repetitions=n, readings={}) for n, cells in parts.items()]


def document(publication: Publication, checks: Iterable[CheckFindings]) -> AuditEntry:
    """The document of an audit, the most important finding first."""
    looks: dict[str, LookEntry] = {}
    findings: list[FindingEntry] = []
    for done in checks:
        before = looks.get(done.check, LookEntry(check=done.check, looks=0, findings=0))
        looks[done.check] = replace(
            before, looks=before.looks + done.looks, findings=before.findings + len(done.findings)
        )
        findings += done.findings
    findings.sort(key=lambda finding: (Weight(finding.weight).rank, Certainty(finding.certainty).rank))
    return AuditEntry(
        of=publication.name,
        title=publication.title,
        tables=tuple(
            TableEntry(
                table=table.name,
                numbers=len(table.cells),
                repetitions=table.repetitions,
                guessed=publication.guessed,
            )
            for table in publication.tables
        ),
        findings=tuple(findings),
        checks=tuple(entry for entry in looks.values() if entry.looks),
    )
