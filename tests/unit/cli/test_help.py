"""Help: every command in one group, examples that are understood as they stand, nothing heavy loaded for it."""

from __future__ import annotations

import shlex
import subprocess
import sys

import click
import pytest

from motebench.cli.app import ENTRIES, GROUPS, app

GROUP = click.Context(app, info_name="motebench")
EXAMPLES = [(name, example) for name, entry in ENTRIES.items() for example in entry.examples]


def helped(*arguments: str) -> str:
    command, context = app, GROUP
    for name in arguments:
        found = app.get_command(GROUP, name)
        assert found is not None
        command, context = found, click.Context(found, info_name=name, parent=GROUP, terminal_width=80)
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
    line = example.partition("$(")[2].rstrip(')"') if example.startswith("eval") else example.partition(" |")[0]
    program, command, *arguments = shlex.split(line)
    assert (program, command) == ("motebench", name)
    found = app.get_command(GROUP, command)
    assert found is not None
    found.make_context(command, arguments, parent=GROUP)


@pytest.mark.parametrize("arguments", [("--help",), ("list", "--help"), ("run", "--help"), ("no-such",)])
def test_help_loads_nothing_heavy(arguments: tuple[str, ...]) -> None:
    told = (
        "import sys; from motebench.cli.app import run_app; sys.argv[1:] = sys.argv[1:]; run_app();"
        "print(*sorted(set(sys.modules)), file=sys.stderr)"
    )
    done = subprocess.run([sys.executable, "-c", told, *arguments], capture_output=True, text=True, check=True)
    loaded = {name.partition(".")[0] for name in done.stderr.split()}
    assert not loaded & {"numpy", "scipy", "sqlalchemy", "altair", "rich", "pydantic", "pandas"}
