"""Completion: names where names stand, in lists too; the scripts of the shells."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import click
import pytest
from click.shell_completion import ShellComplete

from motebench.base.model import Case, Operation
from motebench.cli.app import app
from motebench.cli.completing import NAMES, PROGRAM, SHELLS, VARIABLE, split
from motebench.store import Store

GROUP = click.Context(app)


def completed(line: str) -> list[str]:
    arguments, incomplete = split(f"motebench {line}")
    shell = ShellComplete(app, {}, PROGRAM, VARIABLE)
    return [item.value for item in shell.get_completions(arguments, incomplete)]


@pytest.mark.parametrize(
    ("line", "found"),
    [
        ("ru", "run"),
        ("run --sch", "--scheme"),
        ("run --scheme aes-128-gc", "aes-128-gcm"),
        ("run --scheme aes-128-gcm,aes-256-gc", "aes-128-gcm,aes-256-gcm"),
        ("run --target sim:atmega25", "sim:atmega2560"),
        ("run --target sim:samd21g18a --implementation mote/aes-c", "mote/aes-ct"),
        ("run --target sim:samd21g18a --implementation mote/aes-ct@O2", "mote/aes-ct@O2"),
        ("run --operation encrypt-m", "encrypt-message"),
        ("run quick", "quickstart"),
        ("run --instrument rap", "rapl"),
        ("compare a b --metric through", "throughput"),
        ("export --format mark", "markdown"),
        ("choose --device samd", "samd21g18a"),
        ("choose --lorawan eu8", "eu868"),
        ("choose --policy ni", "nist"),
        ("battery --battery cr20", "cr2032"),
        ("airtime --radio sx127", "sx1276"),
        ("describe samd21", "samd21g18a"),
        ("list targ", "targets"),
        ("list schemes aes-128-gc", "aes-128-gcm"),
        ("list --paper lino", "lino-2022"),
    ],
)
def test_names(line: str, found: str) -> None:
    assert found in completed(line)


def test_variants_come_when_they_are_asked_for() -> None:
    plain = completed("run --target sim:samd21g18a --implementation mote/aes-")
    assert plain and not any("@" in name or "+" in name for name in plain)


def test_runs_of_a_store(tmp_path: Path) -> None:
    place = tmp_path / "m.db"
    with Store.open(place, create=True) as store:
        store.create_run("first", "", {}, {}, 1, "0.1.0", [])
    for line in ("show", "report", "compare", "run --resume", "choose --results"):
        command, _, option = line.partition(" ")
        assert "first" in completed(f"{command} --store {place} {option} "), line
    assert completed("show --store no/such.db fir") == []
    assert not (tmp_path / "no").exists()


def test_filters_complete_what_a_run_has(tmp_path: Path) -> None:
    place = tmp_path / "m.db"
    case = Case("sha256", "tiny", Operation.DIGEST, 64, "host", "tiny")
    with Store.open(place, create=True) as store:
        store.create_run("first", "", {}, {}, 1, "0.1.0", [case])
    for command in ("show", "export", "plot"):
        line = f"{command} --store {place} first"
        assert completed(f"{line} --scheme ") == ["sha256"]
        assert completed(f"{line} --implementation ") == ["tiny"]
        assert completed(f"{line} --operation ") == ["digest"]
    assert "throughput" in completed("plot --sort thr")


def test_every_name_of_an_option_can_be_completed() -> None:
    free = {
        ("airtime", "--sub-band"),
        ("run", "--code-name"),
        ("gate", "--code-name"),
        ("fleet", "--at"),
    }
    completed, others = 0, set()
    for name in app.list_commands(GROUP):
        command = app.get_command(GROUP, name)
        assert command is not None
        for parameter in command.params:
            if isinstance(parameter, click.Option) and parameter.metavar in (
                "NAME",
                "PATTERN",
                "RUN",
                "REGION",
            ):
                if any(word in NAMES for word in parameter.opts):
                    completed += 1
                else:
                    others.add((name, parameter.opts[-1]))
    assert others == free
    assert completed > 80


@pytest.mark.parametrize("shell", SHELLS)
def test_scripts(shell: str) -> None:
    script = SHELLS[shell](app, {}, PROGRAM, VARIABLE).source()
    assert f"{VARIABLE}={shell}_complete" in script


@pytest.mark.parametrize(
    "line", ["run --target sim:atmega25", "run --code-flags=-O2 --target sim:atmega25"]
)
def test_bash_gets_the_rest_of_a_name_with_a_colon(line: str, tmp_path: Path) -> None:
    bash = shutil.which("bash")
    if bash is None:
        pytest.skip("there is no bash here")
    (tmp_path / "motebench.sh").write_text(SHELLS["bash"](app, {}, PROGRAM, VARIABLE).source())
    asked = f"""
        source motebench.sh
        compopt() {{ :; }}
        COMP_LINE="motebench {line}"; COMP_POINT=${{#COMP_LINE}}; COMP_WORDBREAKS=$' \\t\\n:='
        _motebench_completion "$1"
        printf '%s\\n' "${{COMPREPLY[@]}}"
    """
    program = tmp_path / "program"
    program.write_text('#!/bin/sh\nexec "$PYTHON" -m motebench\n')
    program.chmod(0o755)
    import os
    import sys

    done = subprocess.run(
        [bash, "--norc", "-c", asked, "bash", str(program)],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "PYTHON": f"{sys.executable}"},
    )
    assert done.stdout.split() == ["atmega2560"], done.stderr


def test_words_before_the_cursor() -> None:
    assert split("motebench run 'a b' --scheme ") == (["run", "a b", "--scheme"], "")
    assert split("motebench run --scheme aes") == (["run", "--scheme"], "aes")
    assert split("motebench run 'aes") == (["run"], "aes")
    assert split("") == ([], "")
