"""Warm-up, variants and whole files in the report: what is worked out for them."""

import json
import re
import runpy
from dataclasses import replace
from pathlib import Path

import pytest
from result_documents import read

from motebench.base.model import Case, Operation
from motebench.results.presentation import beside
from motebench.results.presentation.rows import rows_of
from motebench.show.profile import CaseProfile
from motebench.show.report import page, view
from motebench.show.report import view as files
from motebench.show.report.answers import answers, head_to_head, run_warnings
from motebench.show.report.page import features, readable

SAMPLE = runpy.run_path(str(Path(__file__).parents[2] / "support" / "report_sample.py"))
case, measurement, document = SAMPLE["case"], SAMPLE["measurement"], SAMPLE["document"]


@pytest.fixture(scope="module")
def made():
    return SAMPLE["variants_document"]()


@pytest.fixture(scope="module")
def rows(made):
    return rows_of(read(made))


@pytest.fixture(scope="module")
def html(made):
    return page.render(read(made), [])


def _timed(who, values, **more):
    return measurement(case("aes-128-cbc", who, "encrypt", 64), "time", values) | more


def _families(*entries, probes=None):
    return page.variant_families(rows_of(read(document(list(entries)))), {"probes": probes or {}})


# ---- warm-up -----------------------------------------------------------------------------------


def test_a_curve_says_where_the_steady_state_begins_and_what_it_is(rows):
    small, large, unsteady = beside.curves(rows)
    assert (small["implementation"], small["size"], small["begins"]) == ("sunjce", 64, 61)
    assert small["at"] == list(range(1, 101)) and len(small["values"]) == 100
    median = next(
        row.median for row in rows if row.metric == "time" and row.case == rows[small["index"]].case
    )
    assert small["steady"][0] == median and small["steady"][1] <= median <= small["steady"][2]
    assert (
        "100 batches before the first sample, steady from number 61 on; the first took 90"
        in small["said"]
    )
    assert large["size"] == 16384
    assert unsteady["begins"] is None and "no steady state within 5 s" in unsteady["said"]


def test_the_page_is_told_which_rows_are_curves(rows):
    assert view.packed_rows(rows)["curves"] == [row.index for row in rows if row.is_curve]


def test_many_batches_keep_the_beginning_and_the_last():
    places = beside.kept_places(1000, 100)
    assert places[:50] == list(range(50)) and places[-1] == 999 and len(places) == 100
    assert places == sorted(set(places))
    assert beside.kept_places(7, 100) == list(range(7))


def test_cases_that_did_not_get_steady_are_named_and_counted(made, rows):
    assert beside.unsteady(rows) == [
        "sha256 by sunjce, hash, 64 B: no steady state within 5 s of warm-up."
    ]
    plain = [row for row in rows if not row.is_curve]
    warnings = " ".join(run_warnings(read(made), plain))
    assert warnings.count("no steady state") == 1 and "1 of " in warnings
    assert "1 of 3 cases got to no steady state" in beside.footnote(rows)
    assert beside.footnote(plain) == ""


def test_a_note_is_told_once_with_the_number_of_its_cases():
    one, other = (_timed(who, [10.0] * 8, notes=["the time was up"]) for who in ("a", "b"))
    rate = measurement(case("aes-128-cbc", "a", "encrypt", 64), "throughput", [6e9] * 8) | {
        "notes": ["the time was up"]
    }
    made = read(document([one, other, rate, _timed("c", [10.0] * 8)]))
    assert run_warnings(made, rows_of(made)).count("2 of 3 cases: the time was up.") == 1


def test_the_profile_of_a_case_is_a_section_and_not_a_warning():
    stacks = {("sign",): 250, ("sign", "odd name"): 700, ("sign", "<b>"): 50}
    signing = Case("aes-128-cbc", "a", Operation.ENCRYPT, 64, "host", "a")
    note = CaseProfile(signing, stacks).note
    profiled = _timed("a", [10.0] * 8, notes=[note])
    rate = measurement(case("aes-128-cbc", "a", "encrypt", 64), "throughput", [6e9] * 8) | {
        "notes": [note]
    }
    made = read(document([profiled, rate, _timed("b", [10.0] * 8)]))
    ((row, functions),) = view.profiles(rows_of(made))
    assert (row.implementation, row.metric in ("time", "throughput")) == ("a", True)
    assert functions == [("odd name", "70.0 %"), ("sign", "25.0 %"), ("<b>", "5.0 %")]
    assert not any("cycles by function" in warning for warning in run_warnings(made, [row]))
    html = page.render(made, [])
    assert "Cycles by function" in html and "<code>odd name</code> 70.0 %" in html
    assert "<code>&lt;b&gt;</code> 5.0 %" in html
    assert "Cycles by function" not in page.render(read(document([_timed("b", [1.0] * 8)])), [])


# ---- variants ----------------------------------------------------------------------------------


def test_the_factor_of_a_variant_is_paired_by_rounds_and_has_an_interval():
    drift = [100.0 * (1 + at / 10) for at in range(12)]
    slower = [time * (3 + (at % 3 - 1) / 100) for at, time in enumerate(drift)]
    (family,) = _families(_timed("openssl", drift), _timed("openssl@no-aes", slower))
    (cell,) = family.lines[0].cells
    # Drift alone is larger than the factor's uncertainty: without pairing the interval would be
    # wide.
    assert cell.different and cell.ratio == pytest.approx(3, rel=0.01)
    assert cell.text == "3.00 \u00d7" and re.fullmatch(r"2\.9\d to 3\.0\d \u00d7", cell.interval)
    assert (
        family.variants[0].effect
        == "up to 3.00 \u00d7 the time (aes-128-cbc, encrypt (long message), 64 B)"
    )


def test_a_small_effect_is_told_in_percent_and_none_as_none():
    base = [100.0 + at % 4 for at in range(16)]
    more = [value * (1.05 + at % 3 / 1000) for at, value in enumerate(base)]
    (family,) = _families(
        _timed("x", base), _timed("x@some", more), _timed("x@none", list(reversed(base)))
    )
    none, some = family.lines[0].cells
    assert re.fullmatch(r"\+\d\.\d to \+\d\.\d %", some.interval)
    assert some.text == "+5.1 %" and some.different
    assert none.text == "not distinguishable" and not none.different


def test_another_compiler_is_held_against_the_usual_one_at_its_level():
    times = {"a": 100.0, "a+clang": 50.0, "a@O2": 40.0, "a@O2+clang": 80.0, "a@O3+clang": 30.0}
    found = _families(*(_timed(name, [time] * 8) for name, time in times.items()))
    assert {
        family.implementation: {each.name: each.effect for each in family.variants}
        for family in found
    } == {
        "a": {
            "clang": "down to 0.5 \u00d7 the time (aes-128-cbc, encrypt (long message), 64 B)",
            "O2": "down to 0.4 \u00d7 the time (aes-128-cbc, encrypt (long message), 64 B)",
        },
        "a@O2": {"clang": "up to 2.00 \u00d7 the time (aes-128-cbc, encrypt (long message), 64 B)"},
    }


def test_cases_with_the_same_effect_are_no_defect():
    where = [case("aes-128-cbc", "x", "encrypt", size) for size in (16, 32)]
    plain = [measurement(each, "time", [100.0] * 8) for each in where]
    other = [measurement({**each, "implementation": "x@y"}, "time", [200.0] * 8) for each in where]
    (family,) = _families(*plain, *other)
    assert family.variants[0].effect.startswith("up to 2.00 \u00d7 the time")


def test_too_few_samples_say_so():
    (family,) = _families(_timed("x", [100.0] * 3), _timed("x@y", [300.0, 301.0, 299.0]))
    assert (
        family.lines[0].cells[0].text == "too few samples"
        and family.variants[0].effect == "too few samples"
    )


def test_a_variant_without_its_implementation_has_nothing_to_stand_beside():
    assert _families(_timed("openssl@no-aes", [1.0] * 8)) == []


def test_what_a_variant_leaves_unused_is_what_the_library_itself_says(made, rows):
    (family,) = page.variant_families(rows, made["environment"])
    unused = {variant.name: variant.without for variant in family.variants}
    assert unused["no-aes"] == ("PCLMULQDQ", "AES-NI", "VAES", "VPCLMULQDQ")
    assert {"AVX2", "SHA", "AES-NI"} <= set(unused["baseline"]) and "SSE2" not in unused["baseline"]


def test_variants_are_not_told_apart_in_the_summary_as_if_they_were_libraries(rows):
    text = " ".join(finding.headline + finding.text for finding in head_to_head(rows))
    text += " ".join(f"{found.best.label} {found.lead} {found.also}" for found in answers(rows, {}))
    assert "openssl" in text and "@" not in text
    alone = rows_of(read(document([_timed("x@y", [100.0] * 8), _timed("z", [200.0] * 8)])))
    assert "x@y" in head_to_head(alone)[0].text


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("OPENSSL_ia32cap=0x200000000000000:0x20000000", ("AES-NI", "SHA")),
        ("OPENSSL_ia32cap=0x0:0x0 env:0:0", ()),
        ("OPENSSL_armcap=0x25", ("NEON", "AES", "PMULL")),
        ("hwflist:intel-aesni:intel-avx2:", ("aesni", "avx2")),
        ("Botan::CPUID: sse2 aes_ni", ("sse2", "aes_ni")),
        ("UseAES=true UseSHA=false UseAVX=2", ("AES", "AVX", "AVX2")),
        ("UseAVX=0", ()),
        ("something else", ()),
        ("", ()),
    ],
)
def test_instructions_are_read_from_the_words_of_each_library(text, expected):
    assert features(text) == expected


def test_the_library_s_own_words_stay_beside_their_names():
    assert readable("OPENSSL_armcap=0x5") == "NEON, AES (OPENSSL_armcap=0x5)"
    assert readable("UseAES=true") == "UseAES=true"


# ---- whole files -------------------------------------------------------------------------------


def test_a_file_stands_beside_the_copy_and_the_process_alone(rows):
    lines = {line["row"].scheme: line for line in files.whole_files(rows)}
    assert set(lines) == {"aes-128-cbc", "sha256"}
    elapsed, copy, alone = lines["aes-128-cbc"]["cells"]
    assert elapsed["elapsed"].startswith("7") and elapsed["memory"] == "6.10 MiB"
    assert copy["elapsed"].startswith("33") and copy["cpu"].startswith("11")
    assert alone["elapsed"].startswith("9.") and alone["memory"] == "5.80 MiB"


def test_without_floors_a_file_stands_alone():
    where = case("aes-128-cbc", "openssl", "encrypt-file", 1000, file="f")
    (line,) = files.whole_files(rows_of(read(document([measurement(where, "time", [5.0] * 8)]))))
    assert line["cells"][1] is None and line["cells"][2] is None


# ---- the page ----------------------------------------------------------------------------------


def test_the_page_has_the_sections_and_the_features_of_every_implementation(html):
    for section in ("variants", "files", "warmup", "managed", "environment"):
        assert f'<section id="{section}"' in html
    environment = html[html.index('<section id="environment"') :]
    assert (
        environment.count("AES-NI") == 1 and "SSE2 (OPENSSL_ia32cap=0x78bffff:0x0)" in environment
    )
    assert "UseAES=true UseSHA=true" in environment
    # Of a variant only what differs stands there.
    variant = environment.split("<h3>openssl@no-aes")[1].split("</p>")[0]
    assert "as openssl, but" in variant and variant.count("<small>") == 2


def test_the_page_holds_every_batch(html, rows):
    data = json.loads(re.search(r'id="data">(.*?)</script>', html, re.DOTALL)[1])
    assert [len(one["values"]) for one in data["curves"]] == [row.n for row in rows if row.is_curve]


def test_a_run_without_them_has_none_of_the_sections():
    text = page.render(read(SAMPLE["sample_document"](n=8)), [])
    for section in ("variants", "warmup", "managed"):
        assert f'id="{section}"' not in text
    assert 'href="#warmup"' not in text


# ---- keys, signatures and ciphertexts ----------------------------------------------------------


@pytest.fixture(scope="module")
def post_quantum():
    rows = []
    for scheme, operation, ns in (
        ("ml-kem-768", "encapsulate", 31e3),
        ("ml-dsa-44", "sign", 400e3),
        ("x25519", "agree", 39e3),
    ):
        for who in ("openssl", "botan"):
            rows.append(
                measurement(case(scheme, who, operation, 0), "time", [ns + i for i in range(12)])
            )
    return document(rows)


def _text(html):
    return " ".join(re.sub(r"<[^>]+>", " ", html).split())


def test_the_page_has_categories_and_sizes_of_post_quantum_schemes(post_quantum):
    text = _text(
        page.render(read(post_quantum), []).partition('id="key-sizes"')[2].partition("</table>")[0]
    )
    assert (
        "Scheme Post-quantum security Public key Private key Signature Ciphertext Shared secret"
        in text
    )
    text = text.replace("\u2013", "-")
    assert "ml-kem-768 NIST category 3 1,184 B 2,400 B - 1,088 B 32 B" in text
    assert "ml-dsa-44 NIST category 2 1,312 B 2,560 B 2,420 B - -" in text
    assert "x25519 no category 32 B 32 B - - 32 B" in text


def test_a_category_stands_beside_the_name_of_the_fastest(post_quantum):
    found = answers(rows_of(read(post_quantum)), {})
    marks = {answer.best.label: [mark.words for mark in answer.best.marks] for answer in found}
    assert [words[-1] for label, words in sorted(marks.items())] == [
        "NIST category 2",
        "NIST category 3",
        "status not known",
    ]


def test_implementations_that_took_no_part_are_only_counted(made):
    crowded = read(made)
    probes = crowded.environment["probes"]
    more = {f"idle-{number}": dict(probes["openssl"]) for number in range(30)}
    crowded = replace(crowded, environment={**crowded.environment, "probes": {**probes, **more}})
    text = _text(page.render(crowded, []))
    assert f"Implementations, {len(probes)}" in text and "idle-7" not in text
    assert "30 more were asked, and took no part" in text


def test_a_page_without_public_keys_has_no_sizes_of_keys(html):
    assert "key-sizes" not in html
