"""Comparing from the command line, with the exit codes that continuous integration relies on."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest

from tests.integration.conftest import Motebench, as_if_undisturbed, plant

RUN = ("run", "--scheme", "sha256", "--size", "64", "--fast", "--budget", "500ms", "--quiet")
SPREAD = [1000.0 + number % 5 for number in range(20)]
"""Times in ns."""


def test_two_implementations_of_a_run(motebench: Motebench, tmp_path: Path) -> None:
    assert motebench(*RUN).code == 0
    as_if_undisturbed(tmp_path / "motebench.db")
    document = motebench("compare", "openssl", "libgcrypt", "--json").json
    (pair,) = document["comparisons"]
    assert (pair["implementation_a"], pair["implementation_b"]) == ("openssl", "libgcrypt")
    assert document["paired"]
    assert pair["verdict"] in ("faster", "slower", "not distinguishable", "too few samples")
    assert motebench("compare", "latest:openssl", "1:libgcrypt").code == 0


def test_a_regression_has_its_exit_code(motebench: Motebench, tmp_path: Path) -> None:
    for name in ("before", "after"):
        assert motebench(*RUN, "--name", name, "--implementation", "openssl").code == 0
    plant(tmp_path / "motebench.db", 1, SPREAD)
    plant(tmp_path / "motebench.db", 2, [10 * time for time in SPREAD])
    assert motebench("compare", "before", "after").code == 0
    result = motebench("compare", "before", "after", "--fail-if-slower", "50%")
    assert result.code == 4
    assert "slower" in result.out
    assert motebench("compare", "after", "before", "--fail-if-slower", "50%").code == 0


def test_what_fails_now_does_not_pass_a_check(
    motebench: Motebench, pysha: dict[str, str], tmp_path: Path
) -> None:
    assert motebench(*RUN, "--implementation", "openssl,pysha", "--name", "a", **pysha).code == 0
    broken = motebench(
        *RUN,
        "--implementation",
        "openssl,pysha",
        "--name",
        "b",
        **pysha,
        MOTEBENCH_TEST_MISBEHAVE="crash",
    )
    assert broken.code == 3
    as_if_undisturbed(tmp_path / "motebench.db")
    result = motebench("compare", "a", "b", "--fail-if-slower", "99%")
    assert result.code == 3
    assert "SIGABRT" in result.out


@pytest.mark.parametrize("asked", [False, True])
def test_other_environments_are_refused_unless_asked(
    motebench: Motebench, tmp_path: Path, asked: bool
) -> None:
    for name in ("here", "there"):
        assert motebench(*RUN, "--name", name, "--implementation", "openssl").code == 0
    as_if_undisturbed(tmp_path / "motebench.db")
    database = sqlite3.connect(tmp_path / "motebench.db")
    database.execute(
        "update runs set environment = json_set(environment, '$.host.cpu_model', 'Another CPU') "
        "where name = 'there'"
    )
    database.commit()
    database.close()
    result = motebench("compare", "here", "there", *(["--across-environments"] if asked else []))
    assert result.code == (0 if asked else 5)
    assert "Another CPU" in (result.out if asked else result.err)
