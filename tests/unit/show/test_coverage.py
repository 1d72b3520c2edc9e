"""Coverage: what has results, what could have some, and why it has none."""

from __future__ import annotations

import csv
import io
import json
from collections import Counter
from pathlib import Path

import pytest
from click.testing import CliRunner

from motebench.advise.reference.table import outcomes, references
from motebench.base.errors import InputError
from motebench.base.model import Case, Failure, FailureKind, Operation
from motebench.cli.commands.coverage import command
from motebench.show import coverage as module
from motebench.show.coverage import CoverageFilter, coverage
from motebench.store import Store

UNO = "sim:atmega328p"


def states(only: CoverageFilter, store: str | None = None) -> dict[tuple[str, str | None], str]:
    return {
        (entry.scheme, entry.implementation): entry.state for entry in coverage(only, store).entries
    }


@pytest.fixture
def planted(tmp_path: Path) -> str:
    """A store with a measured case, a case that never began, and a failure, on targets of two
    kinds.
    """
    place = str(tmp_path / "planted.db")
    cases = [
        Case("hight-cfb", "mote/hight", Operation.ENCRYPT, size, target, "mote/hight")
        for target in (UNO, f"{UNO}+place=2", "serial:/dev/ttyUSB0")
        for size in (16, 64)
    ]
    pending = Case("idea-cfb", "mote/idea", Operation.ENCRYPT, 16, UNO, "mote/idea")
    with Store.open(place, create=True) as store:
        run = store.create_run("planted", "", {}, {}, 1, "0.1.0", [*cases, pending])
        for case in cases:
            store.finish_case(run, case)
        store.add_failure(
            run,
            Failure("lea-128-cfb", "mote/lea", UNO, FailureKind.TOO_BIG, "12 B of RAM are missing"),
        )
    return place


# Reference results


def test_counts_of_outcomes_are_those_of_the_whole_table() -> None:
    target = "sim:atmega4809"
    entries = references()[target].entries.values()
    counted = Counter(
        (entry.scheme, entry.implementation) for entry in entries if not entry.failure
    )
    failed = {(entry.scheme, entry.implementation) for entry in entries if entry.failure}
    found = outcomes(target)
    assert {key: outcome.cases for key, outcome in found.items() if outcome.cases} == dict(counted)
    assert {key for key, outcome in found.items() if outcome.failure} == failed
    assert all(outcome.message for outcome in found.values() if outcome.failure)


def test_names_as_people_say_them_choose_targets_and_schemes() -> None:
    found = coverage(
        CoverageFilter(targets=("uno",), schemes=("aes256",), implementations=("mote/*",)), None
    )
    assert {entry.target for entry in found.entries} == {UNO}
    assert {entry.implementation for entry in found.entries} == {
        "mote/aes-ct",
        "mote/aes-fast",
        "mote/aes-sbox",
        "mote/aes-small",
    }
    assert all(entry.scheme.startswith("aes-256-") for entry in found.entries)


def test_what_is_too_big_is_told_with_the_bytes_that_are_missing() -> None:
    found = coverage(
        CoverageFilter(targets=(UNO,), schemes=("aes-128-ecb",), implementations=("mbedtls/aes",)),
        None,
    )
    (entry,) = found.entries
    assert entry.state == "does not fit" and entry.cases == 0
    assert entry.reason is not None and "RAM are missing" in entry.reason


def test_a_scheme_that_nothing_for_boards_offers_has_no_code_and_no_command() -> None:
    found = coverage(CoverageFilter(targets=(UNO,), schemes=("romulus-n",)), None)
    (entry,) = found.entries
    assert (entry.state, entry.implementation, entry.command) == ("no code", None, None)
    assert found.counts[0].no_code == 1 and found.counts[0].results == 0


def test_what_was_never_measured_is_told_with_the_command_for_it() -> None:
    only = CoverageFilter(targets=(UNO,), schemes=("hight-cfb",), implementations=("mote/hight",))
    (entry,) = coverage(only, None).entries
    assert entry.state == "not measured"
    assert (
        entry.command
        == f"motebench run --target {UNO} --scheme hight-cfb --implementation mote/hight"
    )


def test_a_compiler_that_is_missing_is_the_reason(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module.shutil, "which", lambda _: None)
    module._lacking.cache_clear()
    only = CoverageFilter(targets=(UNO,), schemes=("hight-cfb",), implementations=("mote/hight",))
    (entry,) = coverage(only, None).entries
    module._lacking.cache_clear()
    assert entry.reason == "avr-gcc is not installed; motebench doctor shows the line"


# A store


def test_results_of_a_store_count_once_whatever_the_place_of_the_code(planted: str) -> None:
    only = CoverageFilter(schemes=("hight-cfb", "idea-cfb", "lea-128-cfb"), targets=(UNO,))
    found = {
        (entry.scheme, entry.implementation): entry for entry in coverage(only, planted).entries
    }
    hight = found["hight-cfb", "mote/hight"]
    assert (hight.state, hight.sources, hight.cases) == ("results", ("store",), 2)
    assert found["idea-cfb", "mote/idea"].state == "not measured"  # its case never began
    lea = found["lea-128-cfb", "mote/lea"]
    assert (lea.state, lea.reason) == ("does not fit", "too-big: 12 B of RAM are missing")


def test_targets_of_a_store_have_rows_of_what_they_measured(planted: str) -> None:
    found = coverage(CoverageFilter(schemes=("hight-cfb",)), planted)
    of_board = [entry for entry in found.entries if entry.target == "serial:/dev/ttyUSB0"]
    assert [(entry.implementation, entry.state) for entry in of_board] == [
        ("mote/hight", "results")
    ]


def test_an_empty_store_changes_nothing(tmp_path: Path) -> None:
    place = str(tmp_path / "empty.db")
    Store.open(place, create=True).close()
    only = CoverageFilter(targets=(UNO,), need="kem")
    assert coverage(only, place).entries == coverage(only, None).entries


# Names that nothing has


@pytest.mark.parametrize(
    ("only", "where", "words"),
    [
        (CoverageFilter(targets=("unno",)), "--target", "unknown target"),
        (CoverageFilter(targets=("sim:atmega328",)), "--target", "atmega328p"),
        (CoverageFilter(targets=("none-*",)), "--target", "unknown target"),
        (CoverageFilter(schemes=("aes-129-ecb",)), "--scheme", "unknown scheme"),
        (CoverageFilter(implementations=("mote/aes-smal",)), "--implementation", "mote/aes-small"),
        (CoverageFilter(schemes=("md5",), need="kem"), "--scheme", "ml-kem-512"),
    ],
)
def test_names_that_nothing_has_are_errors(
    only: CoverageFilter, where: str | None, words: str
) -> None:
    with pytest.raises(InputError) as refused:
        coverage(only, None)
    assert refused.value.where == where
    assert words in " ".join(
        filter(None, (refused.value.what, refused.value.valid, refused.value.hint))
    )


# Output


def run(*arguments: str) -> tuple[int, str]:
    done = CliRunner().invoke(command, list(arguments), standalone_mode=False)
    assert done.exception is None
    return done.return_value, done.output


def test_the_table_counts_pairs_by_target_and_kind() -> None:
    code, text = run("--target", "uno", "--scheme", "aes-128-ecb", "--implementation", "mote/*")
    assert code == 0
    head, row, *_ = text.splitlines()
    assert head.split() == ["target", "cipher"] and row.split() == [UNO, "4/4"]


def test_nothing_measured_is_exit_code_3_and_says_what_would_measure_it() -> None:
    code, text = run("--target", "uno", "--scheme", "hight-cfb", "--implementation", "mote/hight")
    assert code == 3
    assert (
        "not measured yet: 1, for example: motebench run --target sim:atmega328p --scheme hight-cfb"
        in text
    )


def test_csv_and_json_have_the_same_entries() -> None:
    filters = ("--target", "uno", "--need", "hash")
    rows = list(csv.DictReader(io.StringIO(run(*filters, "--format", "csv")[1])))
    entries = json.loads(run(*filters, "--json")[1])["entries"]
    assert [(row["scheme"], row["implementation"], row["state"]) for row in rows] == [
        (entry["scheme"], entry["implementation"] or "", entry["state"]) for entry in entries
    ]
    assert {row["family"] for row in rows} == {"hash"}


def test_no_name_from_a_store_is_a_formula_in_csv(tmp_path: Path) -> None:
    place, case = (
        str(tmp_path / "m.db"),
        Case("aes-128-ecb", "=1+1", Operation.ENCRYPT, 16, UNO, "=1+1"),
    )
    with Store.open(place, create=True) as store:
        store.finish_case(store.create_run("planted", "", {}, {}, 1, "0.1.0", [case]), case)
    _, text = run("--target", "uno", "--scheme", "aes-128-ecb", "--store", place, "--format", "csv")
    assert "'=1+1" in {row["implementation"] for row in csv.DictReader(io.StringIO(text))}
