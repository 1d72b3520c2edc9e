"""Pictures and bars of a run: what is drawn, in which unit, how doubt is drawn, and what is no
picture.
"""

from __future__ import annotations

import subprocess
import sys
from dataclasses import replace

import pytest
from report_sample import case, document, measurement
from result_documents import read

from motebench.base.errors import InputError, SetupError
from motebench.base.identity import CaseId
from motebench.base.model import Failure, FailureKind
from motebench.cli.text.forms import show_bars
from motebench.results.presentation.panels import panels_of
from motebench.results.selection import EVERY_CASE, ChosenCases
from motebench.show.plot import MOST_MARKS, MOST_PANELS, caption_of, drawing, write_picture

NOISE = (0.99, 0.995, 1.0, 1.0, 1.005, 1.01, 1.0, 0.998)
LEVELS = {("aes-128-gcm", "openssl"): (100.0, 1500.0), ("aes-128-gcm", "mote/aes"): (400.0, 6000.0)}
VECTOR_BYTES = 300_000


def timed(scheme, implementation, size, level, **more):
    where = case(scheme, implementation, "encrypt-message", size)
    return {**measurement(where, "time", [level * factor for factor in NOISE]), **more}


@pytest.fixture(scope="module")
def run():
    entries = [
        timed(*who, *pair)
        for who, levels in LEVELS.items()
        for pair in zip((16, 1024), levels, strict=True)
    ]
    keygen = measurement(
        case("ed25519", "openssl", "keygen", 0), "time", [50_000.0 * factor for factor in NOISE]
    )
    memory = measurement(case("ed25519", "openssl", "keygen", 0), "peak_rss_net", [8192.0] * 3)
    return read(document([*entries, keygen, memory]))


def drawn(run, chosen=EVERY_CASE, *, by_size=False):
    return panels_of(run, chosen, by_size=by_size, where="--metric")


def picture(run, path, chosen=EVERY_CASE, *, by_size=False, force=False):
    panels = drawn(run, chosen, by_size=by_size)
    caption = caption_of(run.run.name, run.run.started, run.run.version, panels.rows)
    return write_picture(panels, caption, path, force=force, where="--output")


def test_each_operation_and_size_has_a_panel_of_bars(run):
    panels = drawn(run).panels
    assert [(panel.title, len(panel.rows), panel.lines) for panel in panels] == [
        ("aes-128-gcm, encrypt one message, 16 B, measured, on host", 2, False),
        ("aes-128-gcm, encrypt one message, 1 KiB, measured, on host", 2, False),
        ("ed25519, make a key, measured, on host", 1, False),
    ]


def test_lines_are_for_operations_with_several_sizes(run):
    panels = drawn(run, by_size=True).panels
    assert [(panel.title, panel.lines) for panel in panels] == [
        ("aes-128-gcm, encrypt one message, measured, on host", True),
        ("ed25519, make a key, measured, on host", False),
    ]


def test_the_best_comes_first_where_that_is_asked_for(run):
    first = drawn(run, ChosenCases(sort="time")).panels[0]
    assert [row.implementation for row in first.rows] == ["openssl", "mote/aes"]


def test_a_picture_has_one_metric(run):
    with pytest.raises(InputError, match="one metric"):
        drawn(run, ChosenCases(metrics=("time", "peak_rss_net")))
    with pytest.raises(InputError) as error:
        drawn(run, ChosenCases(metrics=("peak_rss_net",), sizes=frozenset([16])))
    assert "no chosen case has memory added" in str(error.value) and error.value.valid == "time"


def test_bars_have_value_unit_and_interval(run, capsys):
    show_bars(drawn(run, ChosenCases(sizes=frozenset([16]))))
    lines = capsys.readouterr().out.splitlines()
    assert lines[:3] == [
        "time, lower is better",
        "",
        "aes-128-gcm, encrypt one message, 16 B, measured, on host",
    ]
    long, short = (
        next(line for line in lines if line.startswith(name)) for name in ("mote/aes", "openssl")
    )
    assert "400 ns ±" in long and "100 ns ±" in short and short.endswith(" %")
    assert long.count("█") == 4 * short.count("█")


def test_a_disturbed_value_is_hollow(run, capsys):
    lost = replace(run, measurements=(replace(run.measurements[0], quotable=False, disturbed=7),))
    show_bars(drawn(lost))
    text = capsys.readouterr().out
    assert "░" in text and "█" not in text and "~100 ns (disturbed)" in text
    assert "Hollow: disturbed, not to be quoted (1 of 1)." in text


def test_bars_are_ascii_where_nothing_else_can_be_written(run, capsys, monkeypatch):
    monkeypatch.setattr("motebench.cli.text.forms.takes_unicode", lambda stream: False)
    show_bars(drawn(run))
    assert "####" in capsys.readouterr().out


@pytest.mark.parametrize("by_size", [False, True])
def test_a_picture_says_what_it_shows(run, tmp_path, by_size):
    failure = Failure.of_case(
        CaseId("rc4-128", "openssl", "encrypt-message", 16, "host"), FailureKind.CRASH, "11"
    )
    path = picture(replace(run, failures=(failure,)), tmp_path / "a.svg", by_size=by_size)
    text = path.read_text()
    for words in (
        "time (µs), lower is better",
        "encrypt one message",
        "measured, on host",
        "Run quickstart-7",
        "Medians.",
        "Lines: intervals of 95 %.",
        "Not shown: 1 case that failed.",
        "openssl",
        "mote/aes",
    ):
        assert words in text, words
    assert ("1 KiB" in text) and ("size of the input" in text) == by_size


def test_colour_is_the_implementation_in_every_panel(run):
    spec = str(drawing(drawn(run), ""))
    assert spec.count("'domain': ['mote/aes', 'openssl'], 'range': ['#0072b2', '#d55e00']") >= 3


def test_intervals_and_doubt_are_drawn(run, tmp_path):
    quiet = picture(run, tmp_path / "quiet.svg").read_text()
    lost = replace(
        run, measurements=tuple(replace(entry, quotable=False) for entry in run.measurements)
    )
    hollow = picture(lost, tmp_path / "hollow.svg").read_text()
    assert 'stroke-dasharray="3,2"' in hollow and 'stroke-dasharray="3,2"' not in quiet
    rules = 'class="mark-rule role-mark'
    assert quiet.count(rules) == hollow.count(rules) and len(quiet) > len(hollow)


@pytest.mark.parametrize(
    ("name", "begins"), [("a.svg", b"<svg"), ("a.pdf", b"%PDF-"), ("A.PNG", b"\x89PNG")]
)
def test_the_ending_is_the_format(run, tmp_path, name, begins):
    assert picture(run, tmp_path / name).read_bytes().startswith(begins)
    assert picture(run, tmp_path / name).exists(), "a picture of the same kind is replaced"


def test_names_that_are_no_pictures(run, tmp_path):
    for name, hint in (("a.sgv", "'.svg'"), ("a", ".svg, .pdf, .png"), ("a.jpeg", ".png")):
        with pytest.raises(InputError, match="not the name of a picture") as error:
            picture(run, tmp_path / name)
        assert hint in str(error.value)
    with pytest.raises(InputError, match="there is no folder"):
        picture(run, tmp_path / "no" / "a.svg")


def test_a_file_of_another_kind_stays_unless_it_is_forced(run, tmp_path):
    letter = tmp_path / "letter.svg"
    letter.write_text("Dear reader")
    with pytest.raises(InputError, match="another kind of file than SVG"):
        picture(run, letter)
    assert letter.read_text() == "Dear reader"
    assert "<svg" in picture(run, letter, force=True).read_text()


@pytest.mark.parametrize("ending", ["svg", "pdf"])
def test_the_fullest_picture_is_small(tmp_path, ending):
    bars, sizes = divmod(MOST_MARKS, MOST_PANELS)[0], range(16, 16 + MOST_PANELS)
    many = [
        timed(f"s{n}", f"library-{n}/aes@O2+clang", size, 100.0 + n)
        for n in range(bars)
        for size in sizes
    ]
    path = picture(read(document(many)), tmp_path / f"many.{ending}")
    assert path.stat().st_size < VECTOR_BYTES


def test_more_than_anybody_can_read_is_no_picture(tmp_path):
    many = [timed("aes-128-gcm", f"i{n}", 16, 100.0) for n in range(MOST_MARKS + 1)]
    with pytest.raises(InputError) as error:
        picture(read(document(many)), tmp_path / "a.svg")
    assert f"{MOST_MARKS + 1} values are too many" in str(error.value) and "--scheme" in str(
        error.value
    )
    many = [timed("aes-128-gcm", "x", size, 100.0) for size in range(MOST_PANELS + 1)]
    with pytest.raises(InputError, match="25 operations and sizes are too many"):
        picture(read(document(many)), tmp_path / "a.svg")
    picture(read(document(many)), tmp_path / "a.svg", by_size=True)


def test_long_names_are_whole(tmp_path):
    name = "library/" + "long-" * 30 + "name"
    assert (
        name
        in picture(
            read(document([timed("aes-128-gcm", name, 16, 9.0)])), tmp_path / "a.svg"
        ).read_text()
    )


def test_a_machine_that_cannot_draw_says_so(run, tmp_path, monkeypatch):
    monkeypatch.setattr("motebench.show.plot._DRAW", "import os; os.abort()")
    with pytest.raises(SetupError, match="vl-convert ended with -6") as error:
        picture(run, tmp_path / "a.svg")
    assert "draws in the terminal" in (error.value.hint or "") and not list(tmp_path.iterdir())


def test_a_file_beside_the_reader_is_no_program_of_ours(run, tmp_path, monkeypatch):
    (tmp_path / "vl_convert.py").write_text("raise SystemExit('loaded')")
    monkeypatch.chdir(tmp_path)
    assert picture(run, tmp_path / "a.svg").exists()


def test_one_value_of_zero_is_drawn(tmp_path, capsys):
    entry = measurement(
        case("sha256", "tiny", "digest", 64), "static_ram_net", [0.0], evidence="simulated"
    )
    zero = read(document([entry]))
    assert "0" in picture(zero, tmp_path / "a.svg").read_text()
    show_bars(drawn(zero))
    assert "tiny" in capsys.readouterr().out


def test_bars_in_the_terminal_load_no_drawing():
    code = (
        "import sys, motebench.cli.commands.plot, motebench.cli.text.forms, "
        "motebench.results.presentation.panels;"
        "sys.exit(any(name in sys.modules for name in ('altair', 'vl_convert', 'pandas')))"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


@pytest.mark.parametrize(
    ("checkout", "command"), [(True, "make setup"), (False, "-m pip install altair vl-convert")]
)
def test_without_the_packages_that_draw_it_says_how_to_install_them(
    run, tmp_path, monkeypatch, checkout, command
):
    monkeypatch.setattr("motebench.show.plot.alt", None)
    monkeypatch.setattr("motebench.show.plot.in_checkout", lambda: checkout)
    with pytest.raises(SetupError, match="the extra 'plot'") as error:
        picture(run, tmp_path / "a.svg")
    assert command in (error.value.hint or "") and "install motebench" not in str(error.value)
    assert not list(tmp_path.iterdir())
    with pytest.raises(InputError, match="is not the name of a picture"):
        picture(run, tmp_path / "a.gif")
