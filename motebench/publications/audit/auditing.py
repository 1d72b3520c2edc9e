"""An audit from tables, formulas and statements to its document."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

from motebench.base.errors import InputError
from motebench.base.naming import did_you_mean
from motebench.base.paths import catalog_dir
from motebench.catalog.papers import paper, papers
from motebench.catalog.published import Table, tables
from motebench.documents.audit import AuditEntry, Certainty, FindingEntry, LookEntry, TableEntry, Weight
from motebench.publications.audit.checks import check_table
from motebench.publications.audit.found import CheckFindings
from motebench.publications.audit.reading import read
from motebench.publications.audit.statements.checking import check_statements
from motebench.publications.audit.statements.model import read_statements


def audit_paper(key: str) -> AuditEntry:
    """The tables, formulas and statements of a paper of the catalog. InputError for an unknown one."""
    of = paper(key)
    printed = tables(key)
    statements = read_statements(catalog_dir() / "papers" / key)
    found = [each for table in printed for each in check_table(table)]
    found += check_statements(statements, printed)
    return document(key, of.title, printed, found)


def document(
    of: str, title: str, printed: Iterable[Table], found: Iterable[CheckFindings], guessed: tuple[str, ...] = ()
) -> AuditEntry:
    """The document of what checks found, most important first."""
    looks: dict[str, LookEntry] = {}
    findings: list[FindingEntry] = []
    for each in found:
        before = looks.get(each.check, LookEntry(check=each.check, looks=0, findings=0))
        looks[each.check] = replace(
            before, looks=before.looks + each.looks, findings=before.findings + len(each.findings)
        )
        findings += each.findings
    findings.sort(key=lambda one: (Weight(one.weight).rank, Certainty(one.certainty).rank))
    return AuditEntry(
        of=of,
        title=title,
        tables=tuple(
            TableEntry(table=each.name, numbers=len(each.cells), repetitions=each.repetitions, guessed=guessed)
            for each in printed
        ),
        findings=tuple(findings),
        checks=tuple(entry for entry in looks.values() if entry.looks),
    )


def audit_file(
    path: Path, repetitions: int | None = None, resolution: Mapping[str, Fraction] | None = None
) -> AuditEntry:
    """A CSV file, with what ``FILE.toml`` beside it says. InputError with file and line."""
    given = read(path, repetitions, resolution)
    found = [each for table in given.tables for each in check_table(table)]
    found += check_statements(given.beside, given.tables)
    return document(str(path), given.title, given.tables, found, given.guessed)


def audit(of: str, repetitions: int | None = None, resolution: Mapping[str, Fraction] | None = None) -> AuditEntry:
    """A paper of the catalog by its key, or a CSV file by its path. InputError if it is neither."""
    if of in papers():
        if repetitions or resolution:
            raise InputError(
                "a paper of the catalog has its own",
                where="--repetitions, --resolution",
                hint="these options are for a CSV file",
            )
        return audit_paper(of)
    path = Path(of)
    if path.suffix.lower() != ".csv" and not path.exists():
        raise InputError(
            f"there is no paper {of!r} in the catalog, and no such file", valid=f"a CSV file, or {', '.join(papers())}",
            hint=did_you_mean(of, papers()),
        )  # fmt: skip
    return audit_file(path, repetitions, resolution)
