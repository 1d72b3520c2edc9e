"""The provenance of a run in sentences: what the run kept is said, what it did not keep is said to
be unknown.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from report_sample import sample_document
from result_documents import read

from motebench.documents.result import Result
from motebench.results.presentation.provenance import origin_line, provenance
from motebench.show.export import markdown
from motebench.show.report.page import render

COMMIT = "0123456789abcdef0123456789abcdef01234567"


def made(notes: tuple[str, ...] = (), **environment: Any) -> Result:
    document = sample_document()
    document["environment"] |= environment
    document["run"]["notes"] = list(notes)
    return read(document)


def test_the_machine_its_load_compilers_and_failures_are_said() -> None:
    words = provenance(made(end={"host": {"load": [1.5, 1, 1]}})).words
    assert words[0].startswith("Run 7, 'quickstart-7', finished, measured")
    (machine,) = [text for text in words if text.startswith("On ")]
    assert (
        "Xeon" in machine
        and "load 0.31 when the run began" in machine
        and "load 1.5 when the run ended" in machine
    )
    assert "Built by gcc 12.2.0 with -O2 -std=c11: openssl (OpenSSL 3.0.17" in "\n".join(words)
    assert words[-1] == "Wrong answers, so not timed: aes-256-ccm by libgcrypt."


def test_an_older_run_did_not_record_its_commit() -> None:
    found = provenance(made())
    assert (
        found.motebench.revision.commit is None and found.motebench.revision.changed_files is None
    )
    assert "By motebench 0.1.0: commit not known, this run did not record it." in found.words


@pytest.mark.parametrize(
    ("facts", "words"),
    [
        (
            {"commit": COMMIT, "changed_files": 0, "changed": []},
            "commit 0123456789ab, no file differs from it",
        ),
        (
            {"commit": COMMIT, "changed_files": 1, "changed": ["a.c"]},
            "commit 0123456789ab, 1 file differs from it (a.c)",
        ),
        (
            {"commit": COMMIT, "changed_files": 30, "changed": ["a", "b", "c", "d"]},
            "commit 0123456789ab, 30 files differ from it (a, b, c, ...)",
        ),
        (
            {"commit": COMMIT, "unknown": "which files differ: why"},
            "commit 0123456789ab, not known which files differ",
        ),
        ({"unknown": "it is in no git repository"}, "commit not known, it is in no git repository"),
        (
            {"commit": 7, "changed": 5, "changed_files": "x"},
            "commit not known, this run did not record it",
        ),
    ],
)
def test_a_commit_and_what_differs_from_it(facts: dict[str, Any], words: str) -> None:
    code = {
        "code/mine": {
            "folder": "/code",
            "digest": "ab" * 32,
            "files": {"a.c": "1"},
            "revision": facts,
        }
    }
    result = made(code=code)
    assert f"code/mine: {words}" in origin_line(result)
    (sentence,) = [text for text in provenance(result).words if text.startswith("code/mine is")]
    assert sentence.startswith(
        f"code/mine is the folder /code, 1 file with SHA-256 abababababab: {words}"
    )


def test_pages_and_exports_name_the_commit() -> None:
    result = made(
        motebench={"version": "0.1.0", "from": "wheel", "commit": COMMIT, "changed_files": 2}
    )
    line = "motebench 0.1.0 (wheel): commit 0123456789ab, 2 files differ from it"
    assert origin_line(result) == line
    assert line in render(result, security=())
    assert "commit 0123456789ab, 2 files differ from it" in markdown.render(result)


def test_a_pinned_archive_is_named_once() -> None:
    keys = {
        "library": "BearSSL",
        "version": "0.6",
        "registry": "debian",
        "package": "bearssl",
        "release": "bookworm",
    }
    source = {**keys, "file": "bearssl_0.6.orig.tar.xz", "sha256": "cd" * 32}
    result = made(
        probes={
            f"bearssl/{name}": {"version": "BearSSL 0.6", "source": source} for name in ("a", "b")
        }
    )
    words = [text for text in provenance(result).words if "bearssl_0.6" in text]
    assert words == [
        "BearSSL 0.6 is from bearssl_0.6.orig.tar.xz of debian bookworm, SHA-256 cdcdcdcdcdcd."
    ]


def test_code_without_known_answers_is_an_exception_to_the_rule() -> None:
    note = "code/x: code-x-aead: no known answers: checked only that it decrypts its own ciphertext"
    answers = provenance(made((note,))).known_answers
    assert answers[0].startswith("Where no note below says otherwise, each implementation")
    assert answers[1] == f"{note}."


def test_a_run_without_a_number_claims_no_known_answers() -> None:
    result = made()
    nothing = replace(
        result, run=replace(result.run, cases=replace(result.run.cases, finished=0)), failures=()
    )
    assert provenance(nothing).known_answers == ()


def test_programs_that_were_asked_and_not_measured_are_not_named() -> None:
    probes = {
        name: {"version": "1", "compiler": "gcc", "flags": "-O2"}
        for name in ("openssl", "libgcrypt", "other")
    }
    assert {item.implementation for item in provenance(made(probes=probes)).programs} == {
        "openssl",
        "libgcrypt",
    }
