"""motebench as a package: what it loads, what it measures, what it says of mistakes, how it
ends.
"""

from __future__ import annotations

import inspect
import subprocess
import sys
import threading
from pathlib import Path

import docs_python
import pytest
from quiet_cores import quiet_cores

import motebench
from motebench.api.answers import html_table
from motebench.api.arguments import argument
from motebench.cli.commands.choose import command as choose_command

CASE = {
    "implementations": "mote/xtea",
    "targets": "sim:atmega328p",
    "sizes": 16,
    "operations": "encrypt",
}


@pytest.fixture(scope="module")
def run(tmp_path_factory) -> motebench.StoredRun:
    return motebench.measure(
        "xtea-ecb", **CASE, name="one", store=tmp_path_factory.mktemp("api") / "m.db"
    )


def test_importing_it_loads_nothing_heavy():
    told = "import sys, motebench; print(*sorted(set(sys.modules)))"
    loaded = subprocess.run(
        [sys.executable, "-c", told], capture_output=True, text=True, check=True
    ).stdout.split()
    heavy = {"numpy", "scipy", "pydantic", "sqlalchemy", "click", "rich", "pandas", "motebench.api"}
    assert not heavy & set(loaded)


def test_every_public_name_is_there_and_documented():
    assert [name for name in motebench.__all__ if not getattr(motebench, name).__doc__] == []
    assert set(dir(motebench)) == set(motebench.__all__)
    with pytest.raises(AttributeError, match="no attribute 'mesure'"):
        motebench.mesure  # noqa: B018


def test_the_examples_of_the_page_print_what_it_shows(tmp_path, monkeypatch):
    pytest.importorskip("pandas")
    monkeypatch.chdir(tmp_path)
    shown = [output for _, output in docs_python.examples()]
    assert len(shown) == 5
    assert list(docs_python.outputs()) == shown


def test_a_run_is_in_the_store_and_says_what_it_holds(run):
    again = motebench.load(run.store, "one")
    assert again.document() == run.document()
    assert (again.id, again.name, again.status, again.failures) == (1, "one", "finished", [])
    (cycles,) = [row for row in run.rows() if row["metric"] == "cycles"]
    assert (cycles["median"], cycles["unit"], cycles["evidence"]) == (23294, "cycles", "simulated")
    assert {tuple(row) for row in run.rows()} == {tuple(cycles)}, "all rows have the same keys"
    assert [entry["name"] for entry in motebench.stored_runs(run.store)] == ["one"]
    assert "sim:atmega328p" in str(run.environment)


def test_a_frame_has_the_rows(run):
    pd = pytest.importorskip("pandas")
    frame = run.frame()
    assert isinstance(frame, pd.DataFrame)
    assert len(frame) == len(run.rows())
    assert list(frame.columns) == list(run.rows()[0])


def test_without_pandas_rows_remain(run, monkeypatch):
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(motebench.SetupError, match=r"need pandas") as told:
        run.frame()
    assert "rows()" in (told.value.hint or "")
    assert run.rows()


def test_a_notebook_shows_tables(run):
    html = run._repr_html_()
    assert "<td>xtea-ecb</td>" in html
    assert "run one, finished" in html
    assert "&lt;b&gt;" in html_table("<b>", [{"a": 1}])


def test_reports_and_exports(run, tmp_path):
    assert run.report(tmp_path / "r.html").read_text().startswith("<!")
    assert run.export("csv").startswith("scheme,")
    with pytest.raises(motebench.InputError, match="unknown format 'word'"):
        run.export("word")


def test_a_part_of_a_run(run, tmp_path):
    (row,) = run.rows()[:1]
    part = run.select(
        implementations=row["implementation"], metrics="time", sizes=row["input_bytes"]
    )
    assert {row["metric"] for row in part.rows()} == {"time"}
    assert part.document() == run.document()
    assert (
        part.export("csv", by="size")
        .splitlines()[0]
        .endswith(f"evidence,proven,{row['input_bytes']} B")
    )
    assert part.plot(tmp_path / "time.svg").read_text().startswith("<svg")
    with pytest.raises(motebench.InputError) as told:
        run.select(schemes="aes-128-gcm")
    assert told.value.where == "schemes" and row["scheme"] in (told.value.valid or "")
    with pytest.raises(motebench.InputError, match="not an arrangement"):
        run.export("csv", by="scheme")


def test_boards_of_a_fleet_are_targets(tmp_path):
    file = tmp_path / "fleet.toml"
    file.write_text(
        '[board.uno]\ntarget = "sim:atmega328p"\n[board.mega]\ntarget = "sim:atmega2560"\n'
    )
    asked = {**CASE, "targets": ["@all"], "fleet": file, "store": tmp_path / "m.db"}
    run = motebench.measure("xtea-ecb", **asked)
    assert {row["target"] for row in run.rows()} == {"sim:atmega328p", "sim:atmega2560"}
    assert run.document()["run"]["settings"]["boards"] == {
        "sim:atmega328p": "uno",
        "sim:atmega2560": "mega",
    }
    assert [again.id for again in motebench.resume(store=tmp_path / "m.db", fleet=file)] == [run.id]
    file.write_text(file.read_text() + '[scheduler]\naddress = "tcp://127.0.0.1:1"\n')
    with pytest.raises(motebench.MotebenchError, match="made by one process") as told:
        motebench.measure_runs("xtea-ecb", runs=2, **asked)
    assert told.value.where == "runs"


def test_cores_are_those_of_the_study(tmp_path, monkeypatch):
    quiet_cores(monkeypatch)
    run = motebench.measure(
        "xtea-ecb",
        implementations="mote/xtea",
        operations="encrypt",
        sizes=1024,
        cores=1,
        budget=2,
        store=tmp_path / "m.db",
    )
    assert {row["cores"] for row in run.rows()} == {1}
    assert "throughput" in {row["metric"] for row in run.rows()}


def test_a_group_of_runs_and_its_comparison(tmp_path):
    store, steps = tmp_path / "m.db", []
    runs = motebench.measure_runs(
        "xtea-ecb", runs=2, **CASE, name="base", store=store, progress=steps.append
    )
    assert [run.name for run in runs] == ["base-1", "base-2"]
    assert [(step.what, step.done, step.total) for step in steps if step.kind == "run"] == [
        ("base-1", 0, 2),
        ("base-2", 1, 2),
    ]
    assert {"checking", "sampled"} <= {step.kind for step in steps}
    compared = motebench.compare(*runs, metrics="cycles")
    (row,) = compared.rows()
    assert (row["ratio"], row["median_a"]) == (1.0, 23294)
    assert compared.slower_than(0.05) == []
    assert "ratio" in compared._repr_html_()
    assert [run.name for run in motebench.resume("base", store=store)] == ["base-1", "base-2"]


@pytest.mark.parametrize(
    ("call", "where", "said"),
    [
        (lambda: motebench.measure(), "schemes", "no study and no schemes are given"),
        (lambda: motebench.measure("aes-129-gcm"), "schemes", "aes-129-gcm"),
        (lambda: motebench.measure(["xtea-ecb", 7]), "schemes", "7 is not text"),
        (
            lambda: motebench.measure("xtea-ecb", implementations=7, seed=None),
            "implementations",
            "7 is not text",
        ),
        (lambda: motebench.measure("xtea-ecb", name=7), "name", "7 is not text"),
        (lambda: motebench.measure("xtea-ecb", targets="sim:nothing"), "targets", "nothing"),
        (lambda: motebench.measure("xtea-ecb", sizes="16 words"), "sizes", "16 words"),
        (lambda: motebench.measure("xtea-ecb", budget=-1), "budget", "-1 is not a time"),
        (lambda: motebench.measure("xtea-ecb", budget=True), "budget", "True is not a time"),
        (lambda: motebench.measure("xtea-ecb", precision=5), "precision", "5 is not a fraction"),
        (lambda: motebench.measure("xtea-ecb", preset="slow"), "preset", "fast"),
        (lambda: motebench.measure("xtea-ecb", seed=-1), "seed", "greater than or equal to 0"),
        (
            lambda: motebench.measure("xtea-ecb", study="quickstart"),
            "schemes",
            "mutually exclusive",
        ),
        (lambda: motebench.measure_runs("xtea-ecb", runs=1), "runs", "not a number of runs"),
        (
            lambda: motebench.measure("xtea-ecb", cores="many"),
            "cores",
            "'many' is not a number of cores",
        ),
        (lambda: motebench.measure("xtea-ecb", cores=[0]), "cores", "[0] is not a number of cores"),
        (lambda: motebench.measure("xtea-ecb", targets="@all"), "targets", "needs a fleet"),
        (lambda: motebench.measure("xtea-ecb", fleet="no.toml"), "no.toml", "no.toml"),
        (lambda: motebench.choose("samd12", 24), "device", "samd12"),
        (lambda: motebench.choose("samd21g18a", -1), "message", "-1 is not a length"),
        (lambda: motebench.choose("samd21g18a", 24, dr=5), "dr", "without lorawan"),
        (lambda: motebench.choose("samd21g18a", 24, need="secrecy"), "need", "secrecy"),
        (lambda: motebench.choose("samd21g18a", 24, equal=1.5), "equal", "1.5"),
        (lambda: motebench.choose("samd21g18a", 24, flash="1 GB"), "flash", "has"),
    ],
)
def test_mistakes_name_the_argument(tmp_path, monkeypatch, call, where, said):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(motebench.MotebenchError) as told:
        call()
    assert told.value.where == where
    assert said in str(told.value)
    assert not list(tmp_path.iterdir()), "nothing was written"


def test_an_unknown_argument_is_a_type_error():
    with pytest.raises(TypeError, match=r"unknown argument 'size'; there are: .*sizes"):
        motebench.measure("xtea-ecb", size=16)


def test_arguments_of_options():
    assert [argument(f"--{name}") for name in ("scheme", "max-latency", "alternate", "dr")] == [
        "schemes",
        "max_latency",
        "builds",
        "dr",
    ]


def test_choose_has_the_options_and_defaults_of_the_command():
    options = {option.name: option for option in choose_command.params}
    of_command = {"image", "within", "details", "show", "form", "report", "force", "store"}
    of_command |= {"as_json", "credentials", "handshake", "intermediates", "secret_until"}
    renamed = {"own": "catalog", "include": "research"}
    arguments = inspect.signature(motebench.choose).parameters
    assert {renamed.get(name, name) for name in options.keys() - of_command} == arguments.keys()
    for name in ("need", "policy", "strength"):
        assert options[name].default == arguments[name].default


def test_it_measures_in_a_thread(tmp_path):
    found = []
    thread = threading.Thread(
        target=lambda: found.append(motebench.measure("xtea-ecb", **CASE, store=tmp_path / "m.db"))
    )
    thread.start()
    thread.join()
    assert found[0].status == "finished"


def test_it_prints_nothing(tmp_path, capfd):
    motebench.measure("xtea-ecb", **CASE, store=tmp_path / "m.db")
    assert capfd.readouterr() == ("", "")


def test_an_interrupt_leaves_the_store_whole(tmp_path):
    store = tmp_path / "m.db"

    def stop(step: motebench.Step) -> None:
        if step.kind == "sampled":
            raise KeyboardInterrupt

    asked = {**CASE, "operations": ["encrypt", "decrypt"], "name": "cut", "store": store}
    with pytest.raises(KeyboardInterrupt):
        motebench.measure("xtea-ecb", **asked, progress=stop)
    assert motebench.load(store).status == "interrupted"
    (whole,) = motebench.resume("cut", store=store)
    assert whole.status == "finished"
    assert {row["median"] for row in whole.rows() if row["metric"] == "cycles"} >= {23294}


def test_a_choice(tmp_path: Path):
    choice = motebench.choose(
        "samd21g18a", 24, every="10min", battery="cr2032", lorawan="EU868", dr=5
    )
    first = choice.rows()[0]
    assert choice.chosen == f"{first['scheme']} by {first['implementation']}"
    assert first["life_years"] > 0
    assert choice.rejected
    assert choice.chosen in choice._repr_html_()
    assert choice.report(tmp_path / "c.html").is_file()
    assert motebench.choose("samd21g18a", 24, ram=1).chosen is None
