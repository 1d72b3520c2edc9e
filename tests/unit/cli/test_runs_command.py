"""`motebench runs` and the filters of `list runs`: what they change, what they ask, and what they
refuse.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import click
import pytest

from motebench.base.errors import InputError, MotebenchError, StoreError
from motebench.base.model import Case, Operation
from motebench.cli.app import app, of_click
from motebench.results.groups import GROUP, GroupSession, group_of
from motebench.store import Store

AES = Case("aes-128-cbc", "openssl", Operation.ENCRYPT, 16, "host", "openssl")
SHA = Case("sha256", "openssl", Operation.DIGEST, 16, "sim:atmega2560", "openssl")


def create(store: Store, name: str, case: Case = AES, seed: int = 1, **settings: Any) -> int:
    run = store.create_run(name, "title = 'x'\n", settings, {"host": {}}, seed, "0.1.0", [case])
    store.finish_case(run, case)
    store.finish_run(run, "finished")
    return run


def group(store: Store, name: str, seed: int = 1) -> None:
    session = GroupSession((name,), 2, seed)
    for turn in session.turns():
        create(store, turn.name, seed=session.seed_of(turn), **{GROUP: session.settings(turn)})


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a store: runs ``one`` and ``two``, and the group ``base``."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("MOTEBENCH_STORE", raising=False)
    with Store.open("motebench.db", create=True) as store:
        create(store, "one")
        create(store, "two", SHA)
        group(store, "base")
    return tmp_path


def call(*arguments: str) -> None:
    app.main(list(arguments), prog_name="motebench", standalone_mode=False)


def mistake(*arguments: str) -> MotebenchError:
    try:
        call(*arguments)
    except MotebenchError as error:
        return error
    except click.ClickException as error:
        return of_click(error)
    raise AssertionError(f"{arguments} is accepted")


def names(place: str = "motebench.db") -> list[str]:
    with Store.open(place, create=False) as store:
        return [info.name for info in store.runs()]


def listed(capsys: pytest.CaptureFixture[str], *filters: str) -> list[str]:
    capsys.readouterr()
    call("list", "runs", "--json", *filters)
    return [row["name"] for row in json.loads(capsys.readouterr().out)["rows"]]


@pytest.mark.parametrize(
    ("words", "left"),
    [
        (["one"], ["two", "base-1", "base-2"]),
        (["2"], ["one", "base-1", "base-2"]),
        (["base"], ["one", "two"]),
        (["*o*"], ["base-1", "base-2"]),
        (["latest", "one"], ["two", "base-1"]),
    ],
)
def test_rm_takes_names_numbers_groups_and_patterns(
    here: Path, words: Iterable[str], left: list[str]
) -> None:
    call("runs", "rm", *words, "--yes")
    assert names() == left


def test_without_a_terminal_nothing_is_removed(here: Path) -> None:
    for line in (("rm", "one"), ("prune", "--keep-last", "0")):
        error = mistake("runs", *line)
        assert error.where == "--yes"
        assert "nothing was removed" in error.what
    assert len(names()) == 4


@pytest.mark.parametrize(("answer", "left"), [("y\n", 3), ("n\n", 4), ("\n", 4)])
def test_at_a_terminal_the_answer_counts(
    here: Path, monkeypatch: pytest.MonkeyPatch, answer: str, left: int
) -> None:
    monkeypatch.setattr(sys.stdin, "isatty", lambda: True, raising=False)
    monkeypatch.setattr("click.confirm", lambda *_, **__: answer == "y\n")
    call("runs", "rm", "one")
    assert len(names()) == left


def test_dry_run_lists_and_removes_nothing(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    call("runs", "rm", "base", "--dry-run")
    out = capsys.readouterr()
    assert "base-1" in out.out and "base-2" in out.out and "one" not in out.out
    assert "2 runs would be removed" in out.err
    assert len(names()) == 4


def test_a_running_run_is_removed_only_when_said(here: Path) -> None:
    with Store.open("motebench.db", create=True) as store:
        store.finish_run(1, "running")
    assert "marked as running" in mistake("runs", "rm", "one", "two", "--yes").what
    assert len(names()) == 4
    call("runs", "rm", "one", "--yes", "--running")
    assert "one" not in names()


def test_a_group_is_renamed_as_a_whole_and_a_run_of_it_is_not(here: Path) -> None:
    call("runs", "rename", "base", "new")
    assert names() == ["one", "two", "new-1", "new-2"]
    with Store.open("motebench.db", create=False) as store:
        assert [group_of(info.settings) for info in store.runs()] == [None, None, "new", "new"]
        assert store.runs()[3].settings[GROUP]["session"]["groups"] == ["new"]
    assert "one of the group 'new'" in mistake("runs", "rename", "new-1", "x").what
    assert "is a group" in mistake("runs", "rename", "one", "new").what
    assert "already has" in mistake("runs", "rename", "new", "one").what
    assert "already has" in mistake("runs", "rename", "one", "two").what
    assert mistake("runs", "rename", "one", "latest").where == "NAME"


def test_tags_are_added_listed_and_taken_away(
    here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    call("runs", "tag", "base", "paper", "final")
    call("runs", "tag", "base-1", "final", "--remove")
    assert listed(capsys, "--tag", "paper") == ["base-1", "base-2"]
    assert listed(capsys, "--tag", "final") == ["base-2"]
    assert mistake("list", "runs", "--tag", "papr").valid == "final, paper"
    assert "has no tag 'x'" in mistake("runs", "tag", "base-1", "x", "--remove").what
    assert mistake("runs", "tag", "one", "a*").where == "TAG"


def test_a_note_is_stored(here: Path) -> None:
    call("runs", "note", "one", "with the fan off")
    with Store.open("motebench.db", create=False) as store:
        assert store.load_run("one").info.notes == ("with the fan off",)
    assert mistake("runs", "note", "one", " ").where == "TEXT"
    assert "too many words" in mistake("runs", "note", "one", "with", "fan").what


def test_merge_copies_what_is_not_here_and_loses_nothing(
    here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with Store.open("other.db", create=True) as store:
        create(store, "one", SHA, seed=7)
        group(store, "base", seed=9)
        create(store, "more", seed=8)
        store.set_tags(1, ["far"])
    call("runs", "merge", "other.db")
    merged = ["one", "two", "base-1", "base-2", "one.2", "base.2-1", "base.2-2", "more"]
    assert names() == merged
    assert listed(capsys, "base.2-1") == ["base.2-1"]
    with Store.open("motebench.db", create=False) as store:
        assert group_of(store.load_run("base.2-1").info.settings) == "base.2"
    with Store.open("other.db", create=True) as store:
        store.add_note(1, "said later")
    call("runs", "merge", "other.db")
    assert names() == merged
    with Store.open("motebench.db", create=False) as store:
        here_now = store.load_run("one.2").info
    assert (here_now.notes, here_now.settings["tags"]) == (("said later",), ["far"])


def test_merge_makes_a_store_of_some_runs(here: Path) -> None:
    call("runs", "merge", "motebench.db", "base", "--store", "new.db")
    assert names("new.db") == ["base-1", "base-2"]
    assert "the store itself" in mistake("runs", "merge", "./motebench.db").what
    assert isinstance(mistake("runs", "merge", "none.db", "--store", "fresh.db"), StoreError)
    assert not Path("fresh.db").exists()


def test_prune_keeps_the_newest_the_tagged_and_whole_sessions(here: Path) -> None:
    call("runs", "prune", "--older-than", "1d", "--yes")
    assert len(names()) == 4
    call("runs", "prune", "--older-than", "9998-01-01", "--keep-last", "1", "--dry-run")
    assert len(names()) == 4
    call("runs", "tag", "one", "paper")
    call("runs", "prune", "--keep-last", "1", "--yes")
    assert names() == ["one", "base-1", "base-2"]
    call("runs", "tag", "base-1", "paper")
    call("runs", "prune", "--keep-last", "0", "--yes")
    assert names() == ["one", "base-1", "base-2"]


@pytest.mark.parametrize(
    ("line", "where"),
    [
        (("prune",), "--older-than"),
        (("prune", "--older-than", "gestern"), "--older-than"),
        (("prune", "--older-than", "999999999999999999d"), "--older-than"),
        (("prune", "one", "--keep-last", "1"), "WORD"),
        (("rm",), "WORD"),
        (("rename", "one"), "WORD"),
        (("rm", "one", "--keep-last", "1"), "--keep-last"),
        (("tag", "one", "x", "--yes"), "--yes"),
        (("drop", "one"), "ACTION"),
    ],
)
def test_words_and_options_that_do_not_fit(here: Path, line: tuple[str, ...], where: str) -> None:
    assert mistake("runs", *line).where == where
    assert len(names()) == 4


def test_an_unknown_run_is_told_with_the_known(here: Path) -> None:
    error = mistake("runs", "rm", "one", "tow", "--yes")
    assert isinstance(error, InputError)
    assert "two (2)" in str(error.valid)
    assert len(names()) == 4


# list runs


def test_runs_by_scheme_target_and_time(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert listed(capsys, "--scheme", "sha256") == ["two"]
    assert listed(capsys, "--scheme", "aes-*", "--target", "host") == ["one", "base-1", "base-2"]
    assert listed(capsys, "--scheme", "aes-*", "--target", "sim:*") == []
    assert listed(capsys, "--since", "1d") == names()
    assert listed(capsys, "--since", "9998-01-01") == []
    assert mistake("list", "runs", "--target", "sim:none").valid == "host, sim:atmega2560"
    assert mistake("list", "runs", "--since", "soon").where == "--since"


@pytest.mark.parametrize(
    ("line", "where"),
    [
        (("implementations", "--scheme", "x"), "--scheme"),
        (("runs", "--available"), "--available"),
        (("targets", "--since", "1d"), "--since"),
        (("schemes", "--catalog", "."), "--catalog"),
        (("devices", "--store", "motebench.db"), "--store"),
        (("schemes", "--paper", "temirbekova-2024", "--available"), "--paper"),
    ],
)
def test_an_option_without_effect_on_what_is_listed_is_refused(
    here: Path, line: tuple[str, ...], where: str
) -> None:
    assert mistake("list", *line).where == where


def test_a_store_by_the_environment_is_no_option_of_the_list(
    here: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("MOTEBENCH_STORE", "motebench.db")
    call("list", "devices")
    assert "atmega328p" in capsys.readouterr().out
