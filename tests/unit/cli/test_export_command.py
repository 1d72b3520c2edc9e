"""`motebench export`: which format it writes, and where."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from pathlib import Path

import pytest

from motebench.base.errors import InputError
from motebench.base.model import Case, Evidence, Operation, Sample, Series
from motebench.cli.app import app
from motebench.store import Store

AES = Case("aes-128-cbc", "openssl", Operation.ENCRYPT, 16, "host", "openssl")


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a store of one run."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("MOTEBENCH_STORE", raising=False)
    series = Series("time", "ns", 1.0, 0.0, "clock", Evidence.MEASURED, ())
    with Store.open("motebench.db", create=True) as store:
        run = store.create_run("one", "title = 'x'\n", {}, {"host": {}}, 1, "0.1.0", [AES])
        store.add_samples(run, AES, [(series, Sample(place, 100.0 + place)) for place in range(8)])
        store.finish_case(run, AES)
        store.finish_run(run, "finished")
    return tmp_path


def group(medians: Sequence[float]) -> None:
    """A group of runs in the store, called trio."""
    session = {"groups": ["trio"], "runs": len(medians), "seed": 1, "builds": {}}
    series = Series("time", "ns", 1.0, 0.0, "clock", Evidence.MEASURED, ())
    with Store.open("motebench.db", create=True) as store:
        for number, median in enumerate(medians, 1):
            settings = {"group": {"name": "trio", "number": number, "session": session}}
            run = store.create_run(
                f"trio-{number}", "title = 'x'\n", settings, {"host": {}}, 1, "0.1.0", [AES]
            )
            store.add_samples(run, AES, [(series, Sample(place, median)) for place in range(8)])
            store.finish_case(run, AES)
            store.finish_run(run, "finished")


def export(*words: str) -> None:
    app.main(["export", *words], prog_name="motebench", standalone_mode=False)


@pytest.mark.parametrize(
    ("name", "begins"),
    [("a.csv", "scheme,"), ("a.json", "{"), ("a.MD", "# "), ("a.tex", "% needs")],
)
def test_the_name_of_the_file_says_the_format(here: Path, name: str, begins: str) -> None:
    export("-o", name)
    assert (here / name).read_text(encoding="utf-8").startswith(begins)


def test_a_format_that_is_named_counts_more_than_the_ending(here: Path) -> None:
    export("-f", "markdown", "-o", "a.txt")
    assert (here / "a.txt").read_text(encoding="utf-8").startswith("# ")


def test_a_dash_is_standard_output(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    export("-f", "csv", "-o", "-")
    assert capsys.readouterr().out.startswith("scheme,")
    assert not (here / "-").exists()


@pytest.mark.parametrize("words", [(), ("-o", "a.gif"), ("-o", "-")])
def test_without_a_format_the_error_lists_them_and_the_endings(
    here: Path, words: tuple[str, ...]
) -> None:
    with pytest.raises(InputError) as caught:
        export(*words)
    assert "latex" in str(caught.value.valid) and ".tex" in str(caught.value.valid)


def test_a_group_is_exported_as_the_medians_of_its_runs(
    here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    group([100.0, 130.0, 110.0])
    export("trio", "-f", "csv")
    (row,) = [
        row
        for row in csv.DictReader(io.StringIO(capsys.readouterr().out))
        if row["metric"] == "time"
    ]
    assert (row["n"], float(row["median"])) == ("3", 110.0)
    for form in ("markdown", "latex"):
        export("trio", "-f", form)
        assert (
            "3 runs, trio (medians of the medians of runs; n counts runs)"
            in capsys.readouterr().out.replace("\n", " ")
        )
    export("trio", "-f", "markdown", "--by", "size")
    assert "| 110.0 |" in capsys.readouterr().out
