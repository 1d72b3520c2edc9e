"""`motebench choose` asked again: the same bytes without a new answer, until a file changes."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from motebench.api import choosing
from motebench.base.paths import catalog_dir
from motebench.cli.commands.choose import command

LINE = "--device samd21g18a --message 24 --scheme aes-128-ccm"


@pytest.fixture
def remembered(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The file of answers, which is not there yet."""
    monkeypatch.setenv("MOTEBENCH_CACHE", str(tmp_path / "cache"))
    return tmp_path / "cache" / "answers.json"


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The device of every question that was answered anew."""
    devices: list[str] = []
    choose: Callable[..., choosing.ChoiceResult] = choosing.choose

    def counted(device: str, **rest: object) -> choosing.ChoiceResult:
        devices.append(device)
        return choose(device, **rest)

    monkeypatch.setattr(choosing, "choose", counted)
    return devices


def ask(line: str = LINE) -> Result:
    result = CliRunner().invoke(command, line.split(), standalone_mode=False)
    if result.exception is not None:
        raise result.exception
    return result


@pytest.mark.usefixtures("remembered")
@pytest.mark.parametrize("form", ["", "--json", "--format md", "--details --show 0"])
def test_the_second_answer_has_the_same_bytes_and_is_not_made_anew(
    form: str, asked: list[str]
) -> None:
    first, second = ask(f"{LINE} {form}"), ask(f"{LINE} {form}")
    assert first.stdout_bytes == second.stdout_bytes
    assert first.stdout.strip()
    assert asked == ["samd21g18a"]


@pytest.mark.usefixtures("remembered")
def test_that_nothing_keeps_the_limits_is_remembered_with_its_exit_code(asked: list[str]) -> None:
    line = f"{LINE} --flash 100"
    assert [ask(line).return_value, ask(line).return_value] == [9, 9]
    assert len(asked) == 1


@pytest.mark.usefixtures("remembered")
def test_other_questions_and_widths_have_answers_of_their_own(
    asked: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    for line in (LINE, f"{LINE} --details", LINE.replace("24", "25")):
        ask(line)
    monkeypatch.setenv("COLUMNS", "60")
    narrow = ask(f"{LINE} --details").stdout
    assert len(asked) == 4
    monkeypatch.delenv("COLUMNS")
    assert ask(f"{LINE} --details").stdout != narrow
    assert len(asked) == 4


def test_a_changed_file_of_an_own_catalog_makes_the_answer_anew(
    remembered: Path, asked: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    own = tmp_path / "own" / "devices" / "samd21g18a.toml"
    own.parent.mkdir(parents=True)
    shutil.copy(catalog_dir() / "devices" / own.name, own)
    monkeypatch.setenv("MOTEBENCH_CATALOG", str(own.parents[1]))
    ask(), ask()
    assert len(asked) == 1
    own.write_text(own.read_text() + "\n")
    ask()
    assert len(asked) == 2
    assert len(json.loads(remembered.read_text())["answers"]) == 1, "older ones are dropped"


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"\xff\xfe",
        b"[]",
        b"{}",
        b'{"state": 1, "answers": {}}',
        b"[" * 100_000,
        b"gASVKAAAAAAAAAA=",
    ],
)
def test_damage_counts_as_empty(content: bytes, remembered: Path, asked: list[str]) -> None:
    first = ask().stdout_bytes
    remembered.write_bytes(content)
    assert ask().stdout_bytes == first
    assert len(asked) == 2
    assert ask().stdout_bytes == first
    assert len(asked) == 2, "the damaged file was replaced"


@pytest.mark.parametrize(
    "entry", [{"text": 1, "code": 0}, {"text": "x", "code": 1}, {"text": "x"}, "x", None]
)
def test_an_entry_of_another_form_counts_as_empty(
    entry: object, remembered: Path, asked: list[str]
) -> None:
    first = ask().stdout_bytes
    document = json.loads(remembered.read_text())
    document["answers"] = dict.fromkeys(document["answers"], entry)
    remembered.write_text(json.dumps(document))
    assert ask().stdout_bytes == first
    assert len(asked) == 2


@pytest.mark.usefixtures("remembered")
def test_a_file_of_somebody_else_is_not_read(
    asked: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    ask()
    monkeypatch.setattr(os, "getuid", lambda: 4_000_000)
    ask()
    assert len(asked) == 2


def test_a_cache_that_cannot_be_written_is_no_failure(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, remembered: Path, asked: list[str]
) -> None:
    (tmp_path / "file").write_text("no folder")
    monkeypatch.setenv("MOTEBENCH_CACHE", str(tmp_path / "file"))
    assert ask().stdout == ask().stdout
    assert len(asked) == 2
    assert not remembered.exists()
