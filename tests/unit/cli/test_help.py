"""Help: every command in one group, examples that are understood as they stand, nothing heavy
loaded for it.
"""

from __future__ import annotations

import shlex
import subprocess
import sys
from pathlib import Path

import click
import pytest

from motebench.cli.app import ENTRIES, GROUPS, app
from motebench.store import Store

GROUP = click.Context(app, info_name="motebench")
EXAMPLES = [(name, example) for name, entry in ENTRIES.items() for example in entry.examples]


def helped(*arguments: str) -> str:
    command, context = app, GROUP
    for name in arguments:
        found = app.get_command(GROUP, name)
        assert found is not None
        command, context = (
            found,
            click.Context(found, info_name=name, parent=GROUP, terminal_width=80),
        )
    return command.get_help(context)


def test_every_command_is_in_one_group() -> None:
    named = [name for group in GROUPS.values() for name in group]
    assert sorted(named) == app.list_commands(GROUP)


def test_the_overview_has_groups_and_whole_sentences() -> None:
    text = helped()
    heads = [line for line in text.splitlines() if line.rstrip(":") in GROUPS]
    assert heads == [f"{title}:" for title in GROUPS]
    assert all(f"{entry.summary}\n" in text for entry in ENTRIES.values())
    assert max(map(len, text.splitlines())) <= 80


@pytest.mark.parametrize("name", ENTRIES)
def test_help_of_a_command_ends_with_an_example_that_fits(name: str) -> None:
    text = helped(name)
    examples = text.partition("Examples:\n")[2]
    assert examples.count("motebench ") >= len(ENTRIES[name].examples) > 0
    assert max(map(len, text.splitlines())) <= 80


@pytest.mark.parametrize(("name", "example"), EXAMPLES)
def test_examples_are_understood(name: str, example: str) -> None:
    line = (
        example.partition("$(")[2].rstrip(')"')
        if example.startswith("eval")
        else example.partition(" |")[0]
    )
    program, command, *arguments = shlex.split(line)
    assert (program, command) == ("motebench", name)
    found = app.get_command(GROUP, command)
    assert found is not None
    found.make_context(command, arguments, parent=GROUP)


LOADED = (
    "import sys; from motebench.cli.app import run_app; run_app(); "
    "print(*sorted(set(sys.modules)), file=sys.stderr)"
)


def loaded(*arguments: str, folder: Path | None = None) -> set[str]:
    """Modules that are there when a command has ended."""
    command = [sys.executable, "-c", LOADED, *arguments]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=True)
    return set(done.stderr.splitlines()[-1].split())


def packages(modules: set[str]) -> set[str]:
    return {name.partition(".")[0] for name in modules}


@pytest.mark.parametrize(
    "arguments", [("--help",), ("list", "--help"), ("run", "--help"), ("no-such",)]
)
def test_help_loads_nothing_heavy(arguments: tuple[str, ...]) -> None:
    heavy = {"numpy", "scipy", "sqlalchemy", "altair", "rich", "pydantic", "pandas", "elftools"}
    assert not packages(loaded(*arguments)) & heavy


@pytest.mark.parametrize(
    "arguments",
    [
        ("run", "--scheme", "aes-128-gcm", "--budget", "soon"),
        ("list", "schemes"),
        ("describe", "aes-128-gcm"),
        ("reference", "show", "--target", "sim:samd21g18a", "--scheme", "aes-128-ccm"),
        ("choose", "--device", "samd21g18a", "--message", "24"),
    ],
    ids=" ".join,
)
def test_what_neither_measures_nor_reads_a_store_loads_neither_numbers_nor_databases(
    arguments,
) -> None:
    assert not packages(loaded(*arguments)) & {"numpy", "scipy", "sqlalchemy", "altair", "pandas"}


def test_a_mistake_in_an_option_asks_no_probe() -> None:
    assert not packages(loaded("run", "--scheme", "aes-128-gcm", "--budget", "soon")) & {
        "cbor2",
        "cobs",
    }


def test_runs_are_listed_and_shown_without_the_parts_of_leak_tests(tmp_path: Path) -> None:
    with Store.open(tmp_path / "motebench.db", create=True) as store:
        store.create_run("first", "", {}, {}, 1, "0.1.0", [])
    listed = loaded("list", "runs", folder=tmp_path)
    assert not packages(listed) & {"numpy", "scipy", "pydantic", "cbor2"}
    shown = loaded("show", folder=tmp_path)
    assert "motebench.results.document" in shown
    assert not {"motebench.results.leaks", "motebench.documents.leak", "cbor2"} & shown
    assert not packages(shown) & {"pydantic"}, "no file of the catalog says anything about it"
