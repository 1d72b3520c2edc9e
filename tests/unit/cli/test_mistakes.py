"""Mistakes that people make: each message names what is wrong and where, and what to do or what is
valid.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import click
import pytest

from motebench.base.errors import ExitCode, MotebenchError, shortened
from motebench.cli.app import app, of_click, run_app
from motebench.measuring.instruments.registry import Rapl
from motebench.store import Store

STUDY = """title = "t"

[[measure]]
schemes = ["sha256"]
implementations = ["mote/sha-256"]
sizes = ["64 B"]
"""


def mistake(*arguments: str) -> MotebenchError:
    """The message of a command line that is wrong."""
    try:
        app.main(list(arguments), prog_name="motebench", standalone_mode=False)
    except MotebenchError as error:
        return error
    except click.ClickException as error:
        return of_click(error)
    raise AssertionError(f"{arguments} is accepted")


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a store that has one run, an empty folder of code, and files that are something
    else.
    """
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("MOTEBENCH_STORE", raising=False)
    with Store.open("motebench.db", create=True) as store:
        store.create_run("first", "", {}, {}, 1, "0.1.0", [])
    Path("code").mkdir()
    Path("text.db").write_text("not a database")
    Path("bad.json").write_text('{"x": 1}')
    Path("study.toml").write_text(STUDY)
    return tmp_path


LINES = [
    # command line, what is wrong, where, hint or valid value that must be said
    ("bench", "no command 'bench'", "", "motebench run"),
    ("rnu", "no command 'rnu'", "", "'run'"),
    ("targets", "no command 'targets'", "", "motebench list targets"),
    ("run", "no study and no schemes", "", "motebench run quickstart"),
    ("run quikstart", "neither a file nor a study", "STUDY", "'quickstart'"),
    ("run sha256", "neither a file nor a study", "STUDY", "--scheme sha256"),
    ("run study", "neither a file nor a study", "STUDY", "study.toml"),
    ("run a b", "too many arguments: b", "", "--help"),
    ("run --shceme sha256", "run has no option --shceme", "", "'--scheme'"),
    ("run studdy.toml", "no such file", "studdy.toml", "'study.toml'"),
    ("run nowhere/study.toml", "no such file", "nowhere/study.toml", "no folder nowhere"),
    ("run --scheme sha256 --report code", "'code' is a folder", "--report", "name of a file"),
    ("run --scheme", "needs a value", "--scheme", "--help"),
    ("run --scheme sha265", "unknown scheme 'sha265'", "--scheme", "'sha256'"),
    ("run --scheme sha-?99", "no scheme matches", "--scheme", "motebench list schemes"),
    ("run --scheme sha256 --target sim:atmega", "'sim:atmega'", "--target", "'sim:atmega2560'"),
    ("run --scheme sha256 --target sim:samd2x", "'sim:samd2x'", "--target", "'sim:samd21g18a'"),
    ("run --scheme sha256 --operation digset", "'digset'", "--operation", "'digest'"),
    ("run --scheme sha256 --operation encrypt", "'encrypt'", "--operation", "digest"),
    ("run --scheme sha256 --implementation mote/sha-265", "'mote/sha-265'", "--implementation",
    "'mote/sha-256'"),
    ("run --scheme sha256 --size 1M", "'M'", "--size", "MB or MiB"),
    ("run --scheme sha256 --size 1,x", "'x' is not a size", "--size", "KiB"),
    ("run --scheme sha256 --budget 60", "'60' is not a duration", "--budget", "'60s'"),
    ("run --scheme sha256 --precision 1", "'1' is not a percentage", "--precision", "'1%'"),
    ("run --resume=frist", "no run 'frist'", "", "'first'"),
    ("run --code nowhere", "no such folder", "--code", "api.h"),
    ("run --code code", "code is empty", "--code", "api.h"),
    ("show frist", "no run 'frist'", "", "'first'"),
    ("show --store nowhere.db", "no store nowhere.db", "--store", "motebench run"),
    ("show --store text.db", "not a motebench store", "--store", "another file"),
    ("compare first secnod", "'secnod'", "", "first"),
    ("compare first first --metric tiem", "unknown metric 'tiem'", "--metric", "'time'"),
    ("compare first first --margin 5", "'5' is not a percentage", "--margin", "'5%'"),
    ("report first -o nodir/x.html", "there is no folder", "--output", "a folder that exists"),
    ("report first -o page.pdf", "a name of PDF", "--output", ".html"),
    ("report first -o -", "not a file name", "--output", "/dev/stdout"),
    ("export first -f latex -o x.csv", "a name of CSV", "--output", ".tex"),
    ("show first --scheme ,", "no name is given", "--scheme", "without --scheme"),
    ("report first -o text.db", "another kind of file than HTML", "--output", "--force"),
    ("export first", "no format is given", "--format", "csv, github-action-benchmark"),
    ("export first -f cvs", "unknown format 'cvs'", "--format", "'csv'"),
    ("list", "list needs WHAT", "", "motebench list targets"),
    ("list scheme", "'scheme' is not a valid value", "WHAT", "'schemes'"),
    ("list runs frist", "none of the runs is called 'frist'", "", "'first'"),
    ("list targets sim:atmega", "none of the targets", "", "'sim:atmega2560'"),
    ("describe samd2x", "unknown name 'samd2x'", "", "'samd21'"),
    ("describe devcie samd21g18a", "'devcie' is not a kind", "KIND", "'device'"),
    ("describe lino-2022", "lino-2022 is a study and a paper", "", "describe paper lino-2022"),
    ("describe device feather", "unknown device 'feather'", "", "'nrf52840'"),
    ("cost falcon pico", "stands for several", "SCHEME", "fn-dsa-512, fn-dsa-1024"),
    ("describe device samd12", "unknown device 'samd12'", "", "'samd21'"),
    ("verify --vectors nowhere.json", "No such file", "nowhere.json", "Wycheproof"),
    ("verify --vectors bad.json", "neither 'vectors' nor 'testGroups'", "bad.json", "Wycheproof"),
    ("verify --timeout 20", "'20' is not a duration", "--timeout", "'20s'"),
    ("choose --message 24", "choose needs this option", "--device", "--device samd21g18a"),
    ("choose --device samd2 --message 24", "unknown device 'samd2'", "--device", "'samd21g18a'"),
    ("choose --device samd21g18a --message 24X", "'X' in '24X'", "--message", "KiB"),
    ("choose --device samd21g18a --message 24 --policy nits", "'nits'", "--policy", "'nist'"),
    ("choose --device samd21g18a --message 24 --rank lfie", "'lfie'", "--rank", "'life'"),
    ("choose --device samd21g18a --message 24 --need aaed", "'aaed'", "--need", "'aead'"),
    ("airtime --sf 12 --bw 124 --payload 51", "no bandwidth of 124 kHz", "--bw", "125"),
    ("airtime --sf 12 --bw wide --payload 51", "'wide' is not a frequency", "--bw", "125 kHz"),
    ("battery --battery cr2032", "battery needs this option", "--every", "--every 10min"),
    ("energy --device samd21g18a --cycles 5k", "'5k' is not a number", "--cycles", "50000"),
    ("energy --device samd21g18a --cycles 1 --clock 48", "clock of 48 Hz", "--clock", "'48MHz'"),
    ("energy --device samd21g18a --cycles 1 --current 5", "'5' is not a current", "--current",
    "mA"),
    ("meter", "meter needs this option", "--instrument", "--instrument rapl"),
    ("meter --instrument ralp", "unknown instrument 'ralp'", "--instrument", "'rapl'"),
    ("leak --samples 1", "1 is out of range", "--samples", "2 to 1000000"),
    ("firmware --target host --implementation mote/xtea --scheme xtea-ecb -o x", "not a board",
    "--target", "sim:"),
    ("firmware --target sim:samd21g18a --implementation openssl --scheme sha256 -o x.elf",
     "unknown implementation 'openssl'", "--implementation", "motebench describe openssl"),
    ("flash --target sim:samd21g18a --implementation mote/xtea --scheme xtea-ecb",
    "not a board on a serial port",
     "--target", "serial:"),
    ("reference shwo", "'shwo' is not a valid value", "ACTION", "'show'"),
    ("doctor --repair new.db", "needs --store", "--repair", "--store FILE"),
    ("choose --device samd21g18a --message 24 --strength foo", "'foo' is not a whole number",
    "--strength",
     "0 to 1024"),
    ("coverage --scheme sha265", "unknown scheme 'sha265'", "--scheme", "'sha256'"),
    ("coverage --scheme ,", "no scheme is named", "--scheme", "aes-128-ecb"),
    ("verify --scheme sha265", "unknown scheme 'sha265'", "--scheme", "'sha256'"),
    ("list runs --scheme sha265", "unknown scheme 'sha265'", "--scheme", "'sha256'"),
    ("cost sha265 pico", "unknown scheme 'sha265'", "SCHEME", "'sha256'"),
    ("runs merge text.db", "not a motebench store", "STORE", "another file"),
    ("runs merge nowhere.db", "no store nowhere.db", "STORE", ""),
    ("signing --scheme ml-dsa-44 --messages 1", "1 messages are too few", "--messages",
    "10 to 2000"),
    ("energy --time 1ms --current 0mA --voltage 3V", "gives no power", "--current", "4.6mA"),
    ("run --scheme sha256 --implementation mote/sha-256 --size 64 --name a/b --dry-run",
     "'a/b' cannot be the name", "--name", "100 characters"),
    ("run --scheme sha256 --file-size 0", "0 B cannot be timed, one of 1 B", "--file-size", ""),
    ("completion tcsh", "'tcsh' is not a valid value", "SHELL", "bash"),
]  # fmt: skip


@pytest.mark.parametrize(
    ("line", "what", "where", "helped"), LINES, ids=[line for line, *_ in LINES]
)
def test_a_command_line(here: Path, line: str, what: str, where: str, helped: str) -> None:
    del here
    error = mistake(*line.split())
    assert what in error.what
    assert where in (error.where or "")
    assert helped in f"{error.hint} {error.valid}"
    assert error.exit_code in (ExitCode.USAGE, ExitCode.STORE)
    assert all(len(part) <= 300 for part in str(error).splitlines())


def test_a_store_without_a_name_is_named_as_such(here: Path) -> None:
    del here
    error = mistake("show", "first", "--store", "")
    assert error.what == "no store is named" and "postgresql://" in (error.valid or "")
    assert error.exit_code == ExitCode.STORE


KEYS = [
    # old text, new text, line, what is wrong, hint or valid value that must be said
    ("schemes =", "scheme =", 4, "unknown key 'scheme'", "'schemes'"),
    ("sizes =", "size =", 6, "unknown key 'size'", "'sizes'"),
    ("[[measure]]", "[[mesure]]", 3, "unknown key 'mesure'", "'measure'"),
    ('sizes = ["64 B"]', "sizes = []", 6, "sizes is empty", "at least one"),
    ("[[measure]]", "[measure]", 3, "a table is not a possible value", "[[measure]]"),
    ('title = "t"', "title = t", 1, "invalid value", "quotes"),
    ('"sha256"', '"sha256', 4, "illegal character", "quotes"),
    ('title = "t"', "title = 1", 1, "1 is not a possible value", '"1"'),
    (
        'schemes = ["sha256"]',
        'schemes = "sha256"',
        4,
        "'sha256' is not a possible value",
        '["sha256"]',
    ),
    ('schemes = ["sha256"]', "", 3, "the key 'schemes' is missing", 'schemes = ["..."]'),
    ('"64 B"', '"64 M"', 6, "'M' in '64 M' is not a unit of size", "MB or MiB"),
    ('"64 B"', "64.5", 6, "not a whole number of bytes", "KiB"),
    ("sha256", "sha265", 4, "unknown scheme 'sha265'", "'sha256'"),
    ("mote/sha-256", "mote/sha-265", 5, "unknown implementation 'mote/sha-265'", "'mote/sha-256'"),
    ('sizes = ["64 B"]', 'targets = ["sim:atmega"]', 6, "unknown target", "'sim:atmega2560'"),
    ('sizes = ["64 B"]', 'operations = ["digset"]', 6, "'digset'", "'digest'"),
    ('sizes = ["64 B"]', '[sampling]\nprecison = "1%"', 7, "unknown key 'precison'", "'precision'"),
    ('sizes = ["64 B"]', "[sampling]\nprecision = 1", 7, "1 is not a percentage", "'1%'"),
    ('sizes = ["64 B"]', "[sampling]\nbudget = 60", 7, "60 is not a duration", "'60s'"),
    (
        'sizes = ["64 B"]',
        '[sampling]\npreset = "quick"',
        7,
        "'quick' is not a possible value",
        "fast",
    ),
]


def test_an_option_that_is_like_no_other_has_no_suggestion() -> None:
    error = mistake("gate", "--base", "HEAD~1")
    assert error.what == "gate has no option --base"
    assert error.hint == "`motebench gate --help` lists the options"


@pytest.mark.parametrize(
    ("old", "new", "line", "what", "helped"), KEYS, ids=[new for _, new, *_ in KEYS]
)
def test_a_study_file(here: Path, old: str, new: str, line: int, what: str, helped: str) -> None:
    assert old in STUDY
    (here / "study.toml").write_text(STUDY.replace(old, new))
    error = mistake("run", "study.toml")
    assert what in error.what
    assert (error.where or "").startswith(f"study.toml:{line}")
    assert helped in f"{error.hint} {error.valid}"


def test_an_instrument_that_is_not_there_is_said_first(
    here: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Rapl.__init__, "__defaults__", (here,))
    error = mistake("meter", "--instrument", "rapl")
    assert "there is no RAPL counter" in error.what
    assert error.exit_code is ExitCode.SETUP


def test_a_long_list_is_shown_in_part_and_last() -> None:
    names = [f"name-{number}" for number in range(100)]
    text = shortened(", ".join(names))
    assert len(text) < 250
    assert text.startswith("name-0, name-1, ") and text.endswith(" more)")
    assert shortened("a, b") == "a, b"
    assert shortened(f"near, mote/{{{', '.join(names)}}}") == "near, ... (100 more)"
    lines = str(
        MotebenchError("what", where="where", valid=", ".join(names), hint="try this")
    ).splitlines()
    assert lines[:2] == ["where: what", "  hint: try this"]
    assert lines[2].startswith("  valid: name-0, ") and lines[2].count("name-") < 40


@pytest.fixture
def port() -> Iterator[str]:
    """The name of a serial line with nothing at its other end."""
    ends = os.openpty()
    yield os.ttyname(ends[1])
    for end in ends:
        os.close(end)


@pytest.mark.parametrize("line", ["leak", "firmware -o image.hex", "flash"])
def test_a_missing_implementation_is_answered_with_those_that_offer_the_scheme(
    here: Path, port: str, line: str
):
    target = f"serial:{port},nrf52840" if line == "flash" else "sim:nrf52840"
    error = mistake(*line.split(), "--target", target, "--scheme", "sha256")
    assert (error.what, error.where) == ("no implementation is given", "--implementation")
    head = f"implementations of sha256 on {target}: "
    assert error.valid is not None and error.valid.startswith(head)
    names = error.valid.removeprefix(head).split(", ")
    assert {"mote/sha-256", "mote/sha-256-small"} <= set(names)
    assert not {"mote/sha-512", "mote/ascon", "mote/aes-ct"} & set(names)
    assert error.hint == f"--implementation {names[0]}"


@pytest.mark.parametrize(
    ("target", "where", "what"),
    [
        ("serial:/dev/no-such,nrf52840", "--implementation", "no implementation is given"),
        ("serial:/dev/no-such,no-board", "--target", "'no-board' is not a setting"),
        ("serial:/dev/no-such,board=no-board", "--target", "'board=no-board' is not a setting"),
    ],
)
def test_only_a_board_that_is_not_there_is_passed_over_for_what_is_missing(
    here: Path, target: str, where: str, what: str
):
    error = mistake("flash", "--target", target, "--scheme", "sha256")
    assert error.where == where and what in error.what


def test_without_a_scheme_a_missing_implementation_is_answered_with_all_of_the_target(here: Path):
    error = mistake("leak", "--target", "sim:nrf52840")
    assert error.valid is not None and {"mote/sha-512", "mote/ascon"} <= set(
        error.valid.split(", ")
    )
    assert "@" not in error.valid


def test_a_target_that_is_not_there_is_said_before_implementations_are(here: Path):
    assert mistake("leak", "--target", "sim:nothing").where == "--target"


def test_a_library_that_there_is_no_memory_for_is_no_defect(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def without_memory(*_: object, **__: object) -> None:
        raise ImportError("numpy.so: failed to map segment from shared object")

    monkeypatch.setattr(app, "main", without_memory)
    assert run_app() == ExitCode.USAGE
    assert capsys.readouterr().err.startswith("motebench: there is not enough memory")
