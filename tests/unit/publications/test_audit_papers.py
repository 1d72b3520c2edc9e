"""Findings of the audit in the papers of the catalog, and statements as data."""

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
    return [
        entry for entry in audited(key).findings if entry.check == check and where in entry.where
    ]


def printed(entries: list[FindingEntry]) -> set[str]:
    return {cell.printed for entry in entries for cell in entry.cells}


@pytest.mark.parametrize("key", list(papers()))
def test_the_document_is_what_its_schema_says(key: str) -> None:
    document = as_document(audited(key))
    assert document["of"] == key
    assert list(jsonschema.Draft202012Validator(schema("audit")).iter_errors(document)) == []


@pytest.mark.parametrize("key", list(papers()))
def test_every_finding_has_a_computation_and_quotes_are_short(key: str) -> None:
    found = audited(key).findings
    assert (len(found) >= 18) == (key not in ("nist-lwc-2023", "pqm4-2025"))
    for entry in found:
        assert entry.formula and entry.reference and entry.what
        assert len(entry.quote or "") <= 200
    # A finding rests on cells of a table or on a quote; of one that rests on neither, the words
    # give the numbers.
    bare = [entry.what for entry in found if not entry.cells and not entry.quote]
    assert len(bare) <= 4
    assert [what for what in bare if not any(sign.isdigit() for sign in what)] == []


@pytest.mark.parametrize(
    ("check", "table", "cells"),
    [
        (
            "sd-variance",
            "Table 2",
            {"192,37", "191,57", "486,07", "168,56", "170,70", "167,32", "46,71"},
        ),
        ("sd-variance", "Table 3", {"167", "25,13"}),
        ("sd-variance", "Table 4", {"249,46"}),
        ("sd-variance", "Table 5", {"39,44"}),
        ("mean-variance", "Table 3", {"76,69", "116,45", "50,47", "48,05", "58,30"}),
        ("mean-variance", "Table 2", {"131,72"}),
        ("other-sitting", "Table 5", {"4358,96", "4322,28", "4413,40"}),
        ("equal-cells", "Table 5", {"4301,44"}),
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
    assert any(
        "5 V if a unit is off by 1000" in entry.what for entry in of("temirbekova-2024", "product")
    )


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
        (
            "pycrypto-boards-2020",
            "statement",
            "the Zero W needs this share of the energy of the 3B+",
        ),
        ("pycrypto-boards-2020", "dimension", "apparent power in volt-amperes"),
        (
            "pycrypto-boards-2020",
            "reference",
            "there is no Table I, Table II, Table III, Table IV, Table V, Table VI",
        ),
        ("pycrypto-boards-2020", "judged", "Blowfish, 3DES have the same block bits (64)"),
        (
            "pycrypto-boards-2020",
            "clock",
            "the clocks have a ratio of 1.4, which does not explain 2",
        ),
        ("suryateja-2025", "clock", "that is the ratio of the clocks alone (2)"),
        ("suryateja-2025", "judged", "3DES, Blowfish have the same block bits (64)"),
        ("lino-2022", "packet", "holds at most 255 bytes, so 500 bytes are 2 packets"),
        ("lino-2022", "padding", "AES, CLEFIA: 112 bytes"),
        ("lino-2022", "statements", "axis of Figure 3 is throughput"),
        ("lino-2022", "reference", "the text never mentions Figure 5"),
        ("jose-2023", "fact", "said to be %m; it is %M"),
        (
            "jose-2023",
            "other-sitting",
            "lower at the larger input by 85.9 to 159 Kb in 14 of 16 rows",
        ),
        ("jose-2023", "equal-cells", "by chance in 0.1% of such pairs"),
        ("temirbekova-2024", "inverse", "3 of 3 steps differ"),
        ("temirbekova-2024", "inverse", "invRoundKey(8), where invSubBytes is needed"),
        ("temirbekova-2024", "step-slip", "one digit"),
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
    assert any(words in entry.what for entry in of(key, check)), [
        entry.what for entry in of(key, check)
    ]


TABLE = (
    "Algorithm,Size,Time "
    "(ms)\nAES,1KB,1.0\nDES,1KB,2.0\n3DES,1KB,6.0\nAES,10KB,10\nDES,10KB,20\n3DES,10KB,60\n"
)


def statement(text: str) -> str:
    return f'[[statement]]\nwhere = "Sec. 1"\nquote = "q"\n{text}\n'


@pytest.mark.parametrize(
    ("holds", "fails"),
    [
        (
            'kind = "order"\nless = ["AES"]\nthan = ["DES"]\nmetric = "time"',
            'kind = "order"\nless = ["3DES"]\nthan = ["DES"]\nmetric = "time"',
        ),
        (
            'kind = "ratio"\nof = { algorithm = "DES" }\nto = { algorithm = "AES" }\nlow = '
            "1.9\nhigh = 2.1",
            'kind = "ratio"\nof = { algorithm = "DES" }\nto = { algorithm = "AES" }\nhigh = 1.5',
        ),
        (
            'kind = "spread"\ncells = { metric = "time" }\nover = "algorithm"\nhigh = 6',
            'kind = "spread"\ncells = { metric = "time" }\nover = "algorithm"\nhigh = 0.1',
        ),
        (
            'kind = "level"\ncells = { algorithm = "AES" }\nlow = 0.5\nhigh = 11',
            'kind = "level"\ncells = { algorithm = "AES" }\nlow = 0.5\nhigh = 5',
        ),
        (
            'kind = "announced"\nlabel = "algorithm"\nvalues = ["AES", "DES"]',
            'kind = "announced"\nlabel = "algorithm"\nvalues = ["AES", "RC4"]',
        ),
        (
            'kind = "fact"\nsubject = "AES-256"\nattribute = "rounds"\nvalue = 14',
            'kind = "fact"\nsubject = "AES-256"\nattribute = "rounds"\nvalue = 16',
        ),
        (
            'kind = "fact"\nsubject = "CTR mode"\nattribute = "parallel encryption"\nvalue = "yes"',
            'kind = "fact"\nsubject = "CBC mode"\nattribute = "parallel encryption"\nvalue = "yes"',
        ),
        (
            'kind = "strength"\nmore = "AES-256"\nthan = "RSA-2048"',
            'kind = "strength"\nmore = "RSA-2048"\nthan = "AES-256"',
        ),
        (
            'kind = "status"\nsubject = "AES"\non = 2024-01-01',
            'kind = "status"\nsubject = "RC4"\non = 2024-01-01',
        ),
        (
            'kind = "member"\nitem = "AES"\namong = ["AES"]',
            'kind = "member"\nitem = "RC4"\namong = ["AES"]',
        ),
        (
            'kind = "compute"\ngiven = { a = "2 A", v = "5 V" }\nexpression = "a * v"\nunit = '
            '"W"\nhigh = 10\nsays = "s"',
            'kind = "compute"\ngiven = { a = "2 A", v = "5 V" }\nexpression = "a * v"\nunit = '
            '"mW"\nhigh = 9\nsays = "s"',
        ),
        (
            'kind = "formula"\ncalled = "E"\nexpression = "p * t"\nunits = { p = "W", t = "h" '
            '}\nunit = "J"',
            'kind = "formula"\ncalled = "E"\nexpression = "p * t"\nunits = { p = "W", t = "h" '
            '}\nunit = "mAh"',
        ),
        (
            'kind = "confounded"\nby = "library"\nmeans = { A = "x", B = "x" }',
            'kind = "confounded"\nby = "library"\nmeans = { A = "x", B = "y" }',
        ),
        (
            'kind = "captions"\ncaptions = { "Fig 1" = "a", "Fig 2" = "b" }',
            'kind = "captions"\ncaptions = { "Fig 1" = "a", "Fig 2" = "A" }',
        ),
        (
            'kind = "ratio"\nof = { algorithm = "DES" }\nto = { algorithm = "AES" }\nsaid = "2"',
            'kind = "ratio"\nof = { algorithm = "DES" }\nto = { algorithm = "AES" }\nsaid = "3"',
        ),
        (
            'kind = "level"\ncells = { algorithm = "AES", input_bytes = "1000" }\nsaid = "1.0 ms"',
            'kind = "level"\ncells = { algorithm = "AES", input_bytes = "1000" }\nsaid = "1.2 ms"',
        ),
        (
            'kind = "fact"\nsubject = "time"\nattribute = "format"\nvalue = "%M"\nknown = "%M"',
            'kind = "fact"\nsubject = "time"\nattribute = "format"\nvalue = "%m"\nknown = "%M"',
        ),
        (
            'kind = "inverse"\nforward = ["e(1)", "d(2)", "e(3)"]\nback = ["d(3)", "e(2)", '
            '"d(1)"]\n'
            'inverses = { e = "d", d = "e" }',
            'kind = "inverse"\nforward = ["e(1)", "d(2)", "e(3)"]\nback = ["d(1)", "e(2)", '
            '"d(3)"]\n'
            'inverses = { e = "d", d = "e" }',
        ),
        (
            'kind = "inverse"\nforward = ["a(0)", "for r = 1 to 3", "s", "a(r)", "end"]\n'
            'back = ["for r = 3 to 1", "a(r)", "t", "end", "a(0)"]\ninverses = { a = "a", s '
            '= "t" }',
            'kind = "inverse"\nforward = ["a(0)", "for r = 1 to 3", "s", "a(r)", "end"]\n'
            'back = ["for r = 3 to 1", "t", "a(r)", "end", "a(0)"]\ninverses = { a = "a", s '
            '= "t" }',
        ),
        (
            'kind = "clocks"\nsaid = "2"\nof = { device = "A", core = "Cortex-M4", clock = "80 '
            'MHz" }\n'
            'to = { device = "B", core = "Cortex M4", clock = "40 MHz" }',
            'kind = "clocks"\nsaid = "2"\nof = { device = "A", core = "Cortex-M4", clock = "80 '
            'MHz" }\n'
            'to = { device = "B", core = "Cortex-M0", clock = "40 MHz" }',
        ),
        ('kind = "payload"\nbytes = 200', 'kind = "payload"\nbytes = 300'),
        (
            'kind = "blocks"\nbytes = 96\nalgorithms = ["AES", "DES"]',
            'kind = "blocks"\nbytes = 100\nalgorithms = ["AES"]',
        ),
        (
            'kind = "formula"\ncalled = "P"\nexpression = "a * v"\nunits = { a = "A", v = "V" '
            '}\nunit = "VA"\n'
            "alternating = true",
            'kind = "formula"\ncalled = "P"\nexpression = "a * v"\nunits = { a = "A", v = "V" '
            '}\nunit = "W"\n'
            "alternating = true",
        ),
        (
            'kind = "refers"\nto = ["Table 1", "Table 2"]',
            'kind = "refers"\nto = ["Table 1", "Table 3"]',
        ),
        (
            'kind = "reported"\nannounced = ["a"]\nreported = ["a"]',
            'kind = "reported"\nannounced = ["a"]\nreported = []',
        ),
    ],
)
def test_a_statement_that_holds_gives_nothing(tmp_path: Path, holds: str, fails: str) -> None:
    path = tmp_path / "t.csv"
    path.write_text(TABLE)
    counts = []
    for text in (holds, fails):
        path.with_suffix(".toml").write_text('tables = ["Table 1", "Table 2"]\n' + statement(text))
        counts.append(sum(entry.where == "Sec. 1" for entry in audit_file(path).findings))
    assert counts == [0, 1]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ('kind = "level"\ncells = { algorithm = "RC4" }\nhigh = 1', "selects no cell"),
        (
            'kind = "compute"\ngiven = { a = "2 A" }\nexpression = "a"\nunit = "W"\nsays = "s"',
            "is not in W",
        ),
        (
            'kind = "ratio"\nof = { algorithm = "DES" }\nto = { algorithm = "AES" }\nsaid = '
            '"3"\nlow = 2',
            "leave out low",
        ),
        (
            'kind = "ratio"\nof = { algorithm = "DES" }\nto = { algorithm = "AES" }\nsaid = "many"',
            "neither a number",
        ),
        (
            'kind = "inverse"\nforward = ["e"]\nback = ["d"]\ninverses = { f = "g" }',
            "no inverse of 'e'",
        ),
        (
            'kind = "inverse"\nforward = ["for i = 1 to 2", "e"]\nback = ["d"]\ninverses = { e = '
            '"d" }',
            "has no end",
        ),
        ('kind = "blocks"\nbytes = 10\nalgorithms = ["RC4"]', "not a block cipher"),
        (
            'kind = "judged"\nsubject = "AES"\nattribute = "beauty"\nverdict = "nice"',
            "has no beauty of AES",
        ),
        (
            'kind = "compute"\ngiven = { a = "2 wat" }\nexpression = "a"\nsays = "s"',
            "not a quantity",
        ),
        ('kind = "ordre"\nless = []', "kind"),
    ],
)
def test_a_statement_that_cannot_be_computed_is_a_mistake(
    tmp_path: Path, text: str, words: str
) -> None:
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


def test_the_bare_current_of_one_board_contradicts_and_that_of_the_other_does_not() -> None:
    energy = [
        entry
        for entry in audited("pycrypto-boards-2020").findings
        if "energy of the 3B+" in entry.what
    ]
    assert len(energy) == 1
    assert "BeagleBone" not in energy[0].what


def test_words_are_read_as_what_they_say() -> None:
    """ "The best choice" is about security, and "the best times" of several are a group before the
    others.
    """
    assert not [
        entry for entry in audited("jose-2023").findings if "best choice" in (entry.quote or "")
    ]
    assert not of("suryateja-2025", "statements", "Figure 3d")
    assert all(
        entry.certainty == "possible" for entry in of("suryateja-2025", "statements", "Figure 3a")
    )


def test_an_order_is_no_order_within_the_spread_of_the_readings() -> None:
    (entry,) = [
        entry for entry in audited("jose-2023").findings if "most efficient" in (entry.quote or "")
    ]
    assert "1 of 36 pairs" in entry.what and "5 more have it within the spread" in entry.what
    assert [cell.printed for cell in entry.cells] == ["131,72"]
    assert entry.certainty == "possible" and "131,72 [mean-variance]" in str(entry.rests_on)


def test_a_ratio_counts_as_outside_only_beyond_rounding() -> None:
    (entry,) = [
        entry for entry in audited("jose-2023").findings if "15 to 25%" in (entry.quote or "")
    ]
    assert "outside in 25 of 32 pairs" in entry.what
    assert {"58,30 [mean-variance]", "76,69 [mean-variance]"} <= {
        text.split(": ")[-1] for text in entry.rests_on
    }


def test_a_round_number_is_read_by_the_rule_of_claims() -> None:
    (entry,) = [
        entry for entry in audited("jose-2023").findings if "2500 KB" in (entry.quote or "")
    ]
    assert "read as 2450 to 2550" in entry.what and entry.weight == "note"


def test_centred_spreads_have_the_size_and_the_divisor_of_their_column() -> None:
    (entry,) = of("jose-2023", "second-moment", "Table 2")
    assert "(1 GB, encrypt, by n - 1)" in entry.what and "(100 MB, decrypt, by n)" in entry.what


@pytest.mark.parametrize(
    ("key", "words", "count"),
    [
        ("lino-2022", "key bits of XChaCha20", 1),
        ("lino-2022", "more or less equal", 1),
        ("suryateja-2025", "class of the Raspberry Pi", 1),
        ("temirbekova-2024", "power = supply voltage x current", 1),
        ("temirbekova-2024", "a few milliamps", 1),
        ("jose-2023", "AES proved to be faster in terms of encryption and decryption", 1),
        ("jose-2023", "the tables also have RC4, AES", 1),
        ("pycrypto-boards-2020", "rounds of AES-", 1),
    ],
)
def test_one_fact_counts_once(key: str, words: str, count: int) -> None:
    entries = [entry for entry in audited(key).findings if words in f"{entry.what} {entry.quote}"]
    assert len(entries) == count, [entry.what for entry in entries]


SPREADS = "Algorithm,Size,Mean (ms),SD (ms)\n" + "".join(
    f"{name},{size}KB,{mean},{sd}\n"
    for name, means in (
        ("AES", ("1.02", "10.20")),
        ("RC4", ("0.99", "9.90")),
        ("DES", ("2.00", "20.00")),
    )
    for size, mean, sd in zip((1, 10), means, ("0.10", "1.00"), strict=True)
)


@pytest.mark.parametrize(
    ("than", "weight", "words"),
    [
        ("RC4", "note", "do not tell 2 of 2 pairs apart"),
        ("DES", "minor", "2 of 2 pairs of cells have the opposite order"),
    ],
)
def test_the_spread_of_anybodys_table_counts(
    tmp_path: Path, than: str, weight: str, words: str
) -> None:
    path = tmp_path / "t.csv"
    path.write_text(SPREADS)
    less, more = ("AES", "RC4") if than == "RC4" else ("DES", "AES")
    text = statement(f'kind = "order"\nless = ["{less}"]\nthan = ["{more}"]\nmetric = "time"')
    path.with_suffix(".toml").write_text(f"repetitions = 10\n{text}")
    (entry,) = [entry for entry in audit_file(path).findings if entry.where == "Sec. 1"]
    assert entry.weight == weight and words in entry.what


def test_a_finding_says_that_it_rests_on_a_wrong_cell(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    rows = [
        f"{name},{size}KB,{size * factor}"
        for name, factor in (("AES", 1.02), ("DES", 2.04), ("3DES", 6.12), ("RC4", 1.53))
        for size in (1, 2, 4, 8)
    ]
    rows[1] = "AES,2KB,20.4"
    path.write_text("\n".join(["Algorithm,Size,Time (ms)", *rows]) + "\n")
    text = statement('kind = "order"\nless = ["AES"]\nthan = ["DES"]\nmetric = "time"')
    path.with_suffix(".toml").write_text(text)
    (entry,) = [entry for entry in audit_file(path).findings if entry.where == "Sec. 1"]
    assert entry.rests_on and "20.4 [digit-slip]" in entry.rests_on[0]
    assert entry.certainty == "possible"


def test_sentences_about_the_same_cells_are_one_finding(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text(TABLE)
    order = 'kind = "order"\nless = ["3DES"]\nthan = ["AES"]\nmetric = "time"'
    text = statement(order)
    text += "".join(
        f'[[statement]]\nwhere = "Sec. {at}"\nquote = "{at}"\n{order}\n' for at in (2, 3)
    )
    path.with_suffix(".toml").write_text(text)
    entries = [entry for entry in audit_file(path).findings if entry.check == "statement"]
    assert len(entries) == 1 and "is about the same cells" in entries[0].what


def memory(larger: dict[str, int]) -> str:
    rows = [
        f"{name},1MB,{4450 + at},70\n{name},10MB,{4450 + at + larger.get(name, -90)},70"
        for at, name in enumerate(("AES", "DES", "3DES", "RC4", "Camellia"))
    ]
    return "\n".join(["Algorithm,Size,Memory (KiB),SD (KiB)", *rows]) + "\n"


@pytest.mark.parametrize(
    ("larger", "count"),
    [
        ({}, 1),
        ({"RC4": 2}, 1),
        ({"RC4": 90}, 0),
        (dict.fromkeys(("AES", "DES", "3DES", "RC4", "Camellia"), -8), 0),
        (dict.fromkeys(("AES", "DES", "3DES", "RC4", "Camellia"), 200), 0),
    ],
)
def test_memory_that_falls_with_the_input_is_of_another_sitting(
    tmp_path: Path, larger: dict[str, int], count: int
) -> None:
    path = tmp_path / "t.csv"
    path.write_text(memory(larger))
    entries = audit_file(path, 100).findings
    assert sum(entry.check == "other-sitting" for entry in entries) == count


@pytest.mark.parametrize(("des", "count"), [("6322", 1), ("6312", 0), ("6318", 0)])
def test_a_size_off_the_common_step_by_one_digit(tmp_path: Path, des: str, count: int) -> None:
    path = tmp_path / "t.csv"
    path.write_text(
        "Algorithm,Size,Program (bytes)\nAES,16B,3224\nAES,32B,3240\nAES,64B,3272\n"
        f"DES,16B,{des}\nDES,32B,6328\nDES,64B,6430\n3DES,16B,6678\n3DES,32B,6694\n3DES,64B,6796\n"
    )
    assert sum(entry.check == "step-slip" for entry in audit_file(path).findings) == count


CELL = '{ cell = { algorithm = "AES", input_bytes = "1000" } }'


def test_a_cell_is_a_quantity(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text(TABLE)
    text = (
        '[[statement]]\nkind = "compute"\nwhere = "Sec. 1"\nexpression = "2 * t"\nunit = '
        '"ms"\nhigh = 1.5\n'
    )
    path.with_suffix(".toml").write_text(f'{text}says = "s"\ngiven = {{ t = {CELL} }}\n')
    (entry,) = [entry for entry in audit_file(path).findings if entry.where == "Sec. 1"]
    assert "2 * t = 2 ms (t = 1.0 ms)" in entry.what and entry.cells[0].printed == "1.0"
    assert entry.quote is None
    path.with_suffix(".toml").write_text(
        f'{text}says = "s"\ngiven = {{ t = {{ cell = {{ metric = "time" }} }} }}\n'
    )
    with pytest.raises(InputError, match="6 cells have these labels"):
        audit_file(path)


@pytest.mark.parametrize(("verdict", "count"), [("weak", 0), ("strong", 1)])
def test_one_property_is_judged_once(tmp_path: Path, verdict: str, count: int) -> None:
    path = tmp_path / "t.csv"
    path.write_text(TABLE)
    judged = 'kind = "judged"\nsubject = "{}"\nattribute = "block bits"\nverdict = "{}"'
    texts = (
        judged.format("Blowfish", "weak"),
        judged.format("DES", verdict),
        judged.format("AES", "strong"),
    )
    path.with_suffix(".toml").write_text("".join(map(statement, texts)))
    assert sum(entry.check == "judged" for entry in audit_file(path).findings) == count
