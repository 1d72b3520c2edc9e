"""What the audit says of the papers of the catalog, and statements as data."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import jsonschema
import pytest

from motebench.base.errors import InputError
from motebench.base.shapes import as_document
from motebench.catalog import papers
from motebench.documents import schema
from motebench.documents.papers import AuditEntry, FindingEntry
from motebench.publications.audit.auditing import audit_file, audit_paper


@cache
def audited(key: str) -> AuditEntry:
    return audit_paper(key)


def of(key: str, check: str, where: str = "") -> list[FindingEntry]:
    return [entry for entry in audited(key).findings if entry.check == check and where in entry.where]


def printed(entries: list[FindingEntry]) -> set[str]:
    return {cell.printed for entry in entries for cell in entry.cells}


@pytest.mark.parametrize("key", list(papers()))
def test_the_document_is_what_its_schema_says(key: str) -> None:
    jsonschema.validate(as_document(audited(key)), schema("audit"))


@pytest.mark.parametrize("key", list(papers()))
def test_every_finding_has_a_computation_and_quotes_are_short(key: str) -> None:
    for entry in audited(key).findings:
        assert entry.formula and entry.reference and entry.what
        assert entry.cells or entry.quote or any(sign.isdigit() for sign in entry.what)
        assert len(entry.quote or "") <= 200


@pytest.mark.parametrize(
    ("check", "table", "cells"),
    [
        ("sd-variance", "Table 2", {"192,37", "191,57", "486,07", "168,56", "170,70", "167,32", "46,71"}),
        ("sd-variance", "Table 3", {"167", "25,13"}),
        ("sd-variance", "Table 4", {"249,46"}),
        ("sd-variance", "Table 5", {"39,44"}),
        ("mean-variance", "Table 3", {"76,69", "116,45", "50,47", "48,05", "58,30"}),
        ("divisor", "Table 2", {"131,72"}),
        ("direction", "Table 3", {"76,69", "25,12"}),
    ],
)
def test_cells_of_the_openssl_paper(check: str, table: str, cells: set[str]) -> None:
    assert cells <= printed(of("jose-2023", check, table))


def test_cells_that_are_right_are_not_found() -> None:
    wrong = printed(of("jose-2023", "sd-variance"))
    assert not wrong & {"10,25", "16,59", "217,11", "63,12", "104,33", "106,7"}
    assert not of("jose-2023", "grim") + of("jose-2023", "grimmer")


@pytest.mark.parametrize("table", ["Table 2", "Table 3"])
def test_time_variances_are_not_centred(table: str) -> None:
    assert "not centred" in of("jose-2023", "second-moment", table)[0].what


@pytest.mark.parametrize("table", ["Table 4", "Table 5"])
def test_memory_variances_are_centred_with_two_divisors(table: str) -> None:
    assert not of("jose-2023", "second-moment", table)
    (entry,) = of("jose-2023", "divisor", table)
    assert "encrypt: n - 1" in entry.what and "decrypt: n (" in entry.what


def test_tables_of_the_avr_paper() -> None:
    assert "16 x block 1" in str(of("temirbekova-2024", "repeated-label", "Table 4"))
    assert "4 with equal numbers" in of("temirbekova-2024", "repeated-label", "Table 3")[0].what
    (entry,) = of("temirbekova-2024", "too-exact")
    assert "18 of 18" in entry.what
    assert any("5 V if a unit is off by 1000" in entry.what for entry in of("temirbekova-2024", "product"))


@pytest.mark.parametrize(
    ("key", "check", "words"),
    [
        ("suryateja-2025", "dimension", "is a time, and % is a number without unit"),
        ("suryateja-2025", "confounded", "Bouncy Castle: Twofish"),
        ("suryateja-2025", "fact", "said to be 16; it is 14"),
        ("suryateja-2025", "statements", "Twofish has less time than AES"),
        ("pycrypto-boards-2020", "dimension", "is an energy, and mAh is a charge"),
        ("pycrypto-boards-2020", "fact", "rounds of AES-128 is said to be 9; it is 10"),
        ("pycrypto-boards-2020", "fact", "parallel encryption of CFB mode"),
        ("pycrypto-boards-2020", "statements", "less power"),
        ("lino-2022", "fact", "key bits of DES is said to be 128"),
        ("lino-2022", "statement", "19 of 99 steps"),
        ("lino-2022", "statement", "871.7"),
        ("jose-2023", "announced", "2 GB"),
        ("jose-2023", "statements", "RSA has less time than AES"),
        ("temirbekova-2024", "reference", "there is no Table 3.2"),
        ("temirbekova-2024", "fact", "3DES has 112 bits of strength"),
    ],
)
def test_sentences(key: str, check: str, words: str) -> None:
    assert any(words in entry.what for entry in of(key, check)), [entry.what for entry in of(key, check)]


TABLE = "Algorithm,Size,Time (ms)\nAES,1KB,1.0\nDES,1KB,2.0\n3DES,1KB,6.0\nAES,10KB,10\nDES,10KB,20\n3DES,10KB,60\n"


def statement(text: str) -> str:
    return f'[[statement]]\nwhere = "Sec. 1"\nquote = "q"\n{text}\n'


@pytest.mark.parametrize(
    ("holds", "fails"),
    [
        ('kind = "order"\nless = ["AES"]\nthan = ["DES"]\nmetric = "time"',
         'kind = "order"\nless = ["3DES"]\nthan = ["DES"]\nmetric = "time"'),
        ('kind = "ratio"\nof = { algorithm = "DES" }\nto = { algorithm = "AES" }\nlow = 1.9\nhigh = 2.1',
         'kind = "ratio"\nof = { algorithm = "DES" }\nto = { algorithm = "AES" }\nhigh = 1.5'),
        ('kind = "spread"\ncells = { metric = "time" }\nover = "algorithm"\nhigh = 6',
         'kind = "spread"\ncells = { metric = "time" }\nover = "algorithm"\nhigh = 0.1'),
        ('kind = "level"\ncells = { algorithm = "AES" }\nlow = 0.5\nhigh = 11',
         'kind = "level"\ncells = { algorithm = "AES" }\nlow = 0.5\nhigh = 5'),
        ('kind = "announced"\nlabel = "algorithm"\nvalues = ["AES", "DES"]',
         'kind = "announced"\nlabel = "algorithm"\nvalues = ["AES", "RC4"]'),
        ('kind = "fact"\nsubject = "AES-256"\nattribute = "rounds"\nvalue = 14',
         'kind = "fact"\nsubject = "AES-256"\nattribute = "rounds"\nvalue = 16'),
        ('kind = "fact"\nsubject = "CTR mode"\nattribute = "parallel encryption"\nvalue = "yes"',
         'kind = "fact"\nsubject = "CBC mode"\nattribute = "parallel encryption"\nvalue = "yes"'),
        ('kind = "strength"\nmore = "AES-256"\nthan = "RSA-2048"',
         'kind = "strength"\nmore = "RSA-2048"\nthan = "AES-256"'),
        ('kind = "status"\nsubject = "AES"\non = 2024-01-01', 'kind = "status"\nsubject = "RC4"\non = 2024-01-01'),
        ('kind = "member"\nitem = "AES"\namong = ["AES"]', 'kind = "member"\nitem = "RC4"\namong = ["AES"]'),
        ('kind = "compute"\ngiven = { a = "2 A", v = "5 V" }\nexpression = "a * v"\nunit = "W"\nhigh = 10\nsays = "s"',
         'kind = "compute"\ngiven = { a = "2 A", v = "5 V" }\nexpression = "a * v"\nunit = "mW"\nhigh = 9\nsays = "s"'),
        ('kind = "formula"\ncalled = "E"\nexpression = "p * t"\nunits = { p = "W", t = "h" }\nunit = "J"',
         'kind = "formula"\ncalled = "E"\nexpression = "p * t"\nunits = { p = "W", t = "h" }\nunit = "mAh"'),
        ('kind = "confounded"\nby = "library"\nmeans = { A = "x", B = "x" }',
         'kind = "confounded"\nby = "library"\nmeans = { A = "x", B = "y" }'),
        ('kind = "captions"\ncaptions = { "Fig 1" = "a", "Fig 2" = "b" }',
         'kind = "captions"\ncaptions = { "Fig 1" = "a", "Fig 2" = "A" }'),
        ('kind = "reported"\nannounced = ["a"]\nreported = ["a"]',
         'kind = "reported"\nannounced = ["a"]\nreported = []'),
    ],
)  # fmt: skip
def test_a_statement_that_holds_gives_nothing(tmp_path: Path, holds: str, fails: str) -> None:
    path = tmp_path / "t.csv"
    path.write_text(TABLE)
    counts = []
    for text in (holds, fails):
        path.with_suffix(".toml").write_text(statement(text))
        counts.append(sum(entry.where == "Sec. 1" for entry in audit_file(path).findings))
    assert counts == [0, 1]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ('kind = "level"\ncells = { algorithm = "RC4" }\nhigh = 1', "selects no cell"),
        ('kind = "compute"\ngiven = { a = "2 A" }\nexpression = "a"\nunit = "W"\nsays = "s"', "is not in W"),
        ('kind = "compute"\ngiven = { a = "2 wat" }\nexpression = "a"\nsays = "s"', "not a quantity"),
        ('kind = "ordre"\nless = []', "kind"),
    ],
)
def test_a_statement_that_cannot_be_computed_is_a_mistake(tmp_path: Path, text: str, words: str) -> None:
    path = tmp_path / "t.csv"
    path.write_text(TABLE)
    path.with_suffix(".toml").write_text(statement(text))
    with pytest.raises(InputError) as caught:
        audit_file(path)
    assert words in str(caught.value)


def test_orders_contradict_each_other_through_computed_metrics(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text("Algorithm,Memory (KB)\nAES,1\nDES,2\n")
    texts = [
        'kind = "order"\nless = ["AES"]\nthan = ["DES"]\nmetric = "time"\ndevice = "PC"',
        'kind = "order"\nless = ["AES"]\nthan = ["DES"]\nmetric = "throughput"\ndevice = "PC"',
        'kind = "order"\nless = ["AES"]\nthan = ["DES"]\nmetric = "throughput"\ndevice = "board"',
        'kind = "relation"\nmetric = "throughput"\nis = "time"\ninverse = true',
    ]
    path.with_suffix(".toml").write_text("".join(map(statement, texts)))
    (entry,) = [entry for entry in audit_file(path).findings if entry.check == "statements"]
    assert "throughput follows from time" in entry.what
    path.with_suffix(".toml").write_text("".join(map(statement, (texts[0], texts[2], texts[3]))))
    assert not [entry for entry in audit_file(path).findings if entry.check == "statements"]
