"""The document of `motebench verify`: which schemes and implementations are asked, its rows and its
exit code."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from verify_fakes import FakeSession

from motebench.base.errors import ExitCode, InputError, SetupError
from motebench.base.model import FailureKind, Operation
from motebench.catalog.vectors.model import Validity, Vector
from motebench.documents.checks import VerificationEntry, VerifiedEntry
from motebench.measuring.verify import verification
from motebench.measuring.verify.verification import exit_code, verify
from motebench.targets.code.workspace import Workspace
from motebench.targets.wire.messages import Job, ProbeAnswer, ProbeFailure


def digest(number: int, scheme: str = "sha256", **changes: Any) -> Vector:
    data = bytes([number])
    fields = {"expect_out": hashlib.sha256(data).digest(), **changes}
    return Vector(f"v{number}", scheme, Operation.DIGEST, data=data, source="a test", **fields)


class Bench:
    """A target in place of those of this machine. ``session`` is what it opens."""

    def __init__(self) -> None:
        self.session: Any = FakeSession()
        self.names = ["one", "two"]
        self.closed: list[str] = []
        self.opened: list[str] = []
        self.schemes: Any = None
        self.catalog = {
            "sha256": [digest(0), digest(1)],
            "hmac-sha256": [],
            "sha512": [digest(2, "sha512")],
        }

    def target(self, name: str, **_: object) -> Any:
        def opened(implementation: str) -> Any:
            self.opened.append(f"{name} {implementation}")
            return self.session

        return SimpleNamespace(
            name=name,
            place=SimpleNamespace(close=lambda: self.closed.append(name), device=None),
            open=opened,
            implementations=lambda: self.names,
        )


@pytest.fixture
def bench(monkeypatch: pytest.MonkeyPatch) -> Bench:
    """The target, its implementations, and a catalog of known answers of two schemes."""
    bench = Bench()
    monkeypatch.setattr(verification, "open_target", bench.target)
    monkeypatch.setattr(verification, "implementations_of", lambda target, parts: bench.names)
    monkeypatch.setattr(verification, "vectors_for", lambda scheme: bench.catalog[scheme])
    with_vectors = {scheme for scheme, vectors in bench.catalog.items() if vectors}
    monkeypatch.setattr(verification, "schemes_with_vectors", lambda: with_vectors)

    def chosen(target: object, parts: list[str], schemes: object) -> list[str]:
        bench.schemes = schemes
        return [name for name in bench.names if "*" in parts or "all" in parts or name in parts]

    monkeypatch.setattr(verification, "chosen_implementations", chosen)
    return bench


def asked(bench: Bench, *patterns: str, file: Path | None = None, **options: Any) -> Any:
    targets = options.pop("targets", ())
    implementations = options.pop("implementations", ["one"])
    return verify(Workspace(), targets, implementations, patterns, file, **options)


def vectors_of(tmp_path: Path, *schemes: str) -> Path:
    path = tmp_path / "known.json"
    vectors = [
        {
            "id": scheme,
            "op": "digest",
            "scheme": scheme,
            "data": "61",
            "out": hashlib.sha256(b"a").hexdigest(),
        }
        for scheme in schemes
    ]
    path.write_text(json.dumps({"format": "motebench-vectors-1", "vectors": vectors}))
    return path


def test_the_catalog_answers_for_every_scheme_that_the_implementation_offers(bench) -> None:
    document = asked(bench)
    (row,) = document.implementations
    assert document.vectors == "catalog"
    assert (row.target, row.implementation, row.version) == ("host", "one", "1")
    assert (row.passed, row.partly, row.failed, row.not_applicable) == (2, 0, 0, 0)
    assert list(row.schemes) == ["sha256"]
    assert row.problem is None and row.failures == () and row.acceptable == 0
    assert bench.closed == ["host"] and bench.opened == ["host one"]
    assert bench.schemes is None


def test_a_named_scheme_that_is_not_offered_is_counted(bench) -> None:
    (row,) = asked(bench, "sha256,sha512").implementations
    assert {name: entry.not_applicable for name, entry in row.schemes.items()} == {
        "sha256": 0,
        "sha512": 1,
    }
    assert row.reasons == {"the implementation does not offer sha512": 1}
    assert {scheme.name for scheme in bench.schemes} == {"sha256", "sha512"}


def test_a_named_scheme_keeps_the_others_out(bench) -> None:
    (row,) = asked(bench, "sha512").implementations
    assert list(row.schemes) == ["sha512"]


def test_every_target_and_implementation_has_a_row(bench) -> None:
    document = asked(bench, targets=["a", "b"], implementations=[])
    rows = [(row.target, row.implementation) for row in document.implementations]
    assert rows == [("a", "one"), ("a", "two"), ("b", "one"), ("b", "two")]
    assert bench.closed == ["a", "b"]


def test_a_file_replaces_the_catalog_and_a_scheme_chooses_from_it(bench, tmp_path) -> None:
    file = vectors_of(tmp_path, "sha256", "sha512", "my-own")
    document = asked(bench, file=file)
    (row,) = document.implementations
    assert document.vectors == str(file)
    assert list(row.schemes) == ["sha256", "sha512", "my-own"]
    assert (row.passed, row.not_applicable) == (1, 2)
    assert bench.schemes is None  # my-own is in no catalog
    (row,) = asked(bench, "sha256", file=file).implementations
    assert list(row.schemes) == ["sha256"]
    assert [scheme.name for scheme in bench.schemes] == ["sha256"]


def test_a_file_without_the_named_scheme_is_refused(bench, tmp_path) -> None:
    file = vectors_of(tmp_path, "sha512")
    with pytest.raises(InputError, match="the file contains no vector of a requested scheme") as e:
        asked(bench, "sha256", file=file)
    assert e.value.where == str(file)


def test_an_implementation_that_there_is_not_is_refused(bench) -> None:
    with pytest.raises(InputError, match="three") as error:
        asked(bench, implementations=["one,three"])
    assert error.value.where == "--implementation"


@pytest.mark.parametrize(
    ("implementations", "option"), [([], "--scheme"), (["one"], "--implementation")]
)
def test_nothing_that_offers_the_schemes_names_five_of_them_and_the_option(
    bench, monkeypatch, implementations, option
) -> None:
    monkeypatch.setattr(verification, "chosen_implementations", lambda *_: [])
    with pytest.raises(InputError) as error:
        asked(bench, "sha*", targets=["t"], implementations=implementations)
    assert error.value.where == option
    assert "nothing that is selected on t offers sha1, sha224, sha256" in str(error.value)
    assert str(error.value).partition(" offers ")[2].count(", ") == 4
    with pytest.raises(InputError, match="on host offers a scheme with known answers"):
        asked(bench, implementations=[])


def test_a_target_without_implementations_is_a_matter_of_set_up(bench) -> None:
    bench.names = []
    with pytest.raises(SetupError, match="no implementation is built for target 'host'"):
        asked(bench)
    assert bench.closed == ["host"]


def test_a_wrong_answer_is_a_failure_with_what_was_expected(bench) -> None:
    bench.catalog["sha256"] = [digest(0, expect_out=bytes(32), comment="made up"), digest(1)]
    (row,) = asked(bench).implementations
    (failure,) = row.failures
    assert (failure.scheme, failure.operation, failure.vector) == ("sha256", "digest", "v0")
    assert (failure.source, failure.comment, failure.kind) == (
        "a test",
        "made up",
        FailureKind.WRONG_ANSWER,
    )
    assert failure.detail == "digest: wrong output"
    assert failure.expected == "00" * 32
    assert failure.got == hashlib.sha256(b"\0").hexdigest()
    assert (row.passed, row.failed, row.version) == (1, 1, "1")


def test_the_version_is_that_of_the_program_that_answered(bench) -> None:
    class Session(FakeSession):
        def hello_of(self, scheme: str) -> Any:
            return SimpleNamespace(version=f"of {scheme}", device="", max_data=4096)

    bench.session = Session()
    assert asked(bench).implementations[0].version == "of sha256"
    # Nothing answered, and nothing failed: the version of the list of schemes
    bench.session = Session()
    bench.catalog["sha256"] = [digest(0, not_applicable="no")]
    assert asked(bench).implementations[0].version == "1"
    # Nothing but failures
    bench.session = Session()
    bench.catalog["sha256"] = [digest(0, expect_out=bytes(32))]
    assert asked(bench).implementations[0].version is None


def test_a_part_that_is_right_has_a_version(bench) -> None:
    def no_room(job: Job, answer: ProbeAnswer) -> ProbeAnswer:
        if job.operation == "decrypt":
            raise ProbeFailure(FailureKind.TOO_BIG, "no room")
        return answer

    session = FakeSession()
    data = bytes(16)
    right = session.compute(Job("aes-128-ctr", "encrypt", bytes(16), bytes(12), data=data)).out
    bench.session = FakeSession(no_room)
    bench.catalog["aes-128-ctr"] = [
        Vector(
            *("p", "aes-128-ctr", Operation.ENCRYPT, bytes(16), bytes(12)),
            data=data,
            expect_out=right,
        )
    ]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(verification, "schemes_with_vectors", lambda: {"aes-128-ctr"})
        document = asked(bench)
    (row,) = document.implementations
    assert (row.passed, row.partly, row.failed, row.version) == (0, 1, 0, "1")
    assert exit_code(document) is ExitCode.OK


def test_a_session_that_does_not_open_fails_its_first_vector(bench, monkeypatch) -> None:
    def never(implementation: str) -> Any:
        raise ProbeFailure(FailureKind.BUILD, "no compiler")

    def target(name: str, **_: object) -> Any:
        return SimpleNamespace(name=name, place=SimpleNamespace(close=list), open=never)

    monkeypatch.setattr(verification, "open_target", target)
    (row,) = asked(bench, "sha256").implementations
    assert row.problem == "build: no compiler"
    assert (row.failed, row.not_applicable, row.version) == (1, 1, None)
    # Without a name, nothing says what it would have offered
    (row,) = asked(bench).implementations
    assert (row.failed, row.not_applicable, row.schemes) == (0, 0, {})


def test_acceptable_answers_are_counted_among_the_passed(bench) -> None:
    bench.catalog["sha256"] = [digest(0, result=Validity.ACCEPTABLE), digest(1)]
    (row,) = asked(bench).implementations
    assert (row.passed, row.acceptable) == (2, 1)


def row(**changes: Any) -> VerifiedEntry:
    counts = {"passed": 0, "partly": 0, "failed": 0, "not_applicable": 0, "acceptable": 0}
    fields = {
        **counts,
        "implementation": "x",
        "target": "host",
        "version": None,
        "problem": None,
        "schemes": {},
        "failures": (),
        "reasons": {},
    }
    return VerifiedEntry(**{**fields, **changes})


@pytest.mark.parametrize(
    ("rows", "code"),
    [
        ([row(passed=1)], ExitCode.OK),
        ([row(partly=1)], ExitCode.OK),
        ([row(passed=1), row(not_applicable=2)], ExitCode.OK),
        ([row(not_applicable=2)], ExitCode.USAGE),
        ([row(passed=5), row(failed=1)], ExitCode.FAILURES),
        ([row(passed=5), row(problem="gone")], ExitCode.FAILURES),
        ([row(failed=1), row()], ExitCode.FAILURES),
    ],
)
def test_the_exit_code_follows_from_the_rows(rows, code) -> None:
    assert exit_code(VerificationEntry(vectors="catalog", implementations=tuple(rows))) is code
