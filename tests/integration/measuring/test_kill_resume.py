"""kill -9 at moments of a run, resuming after each: the same as the benchmark of that name, in
short.
"""

from __future__ import annotations

import importlib.util
import sqlite3
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

SCRIPT = Path(__file__).parents[3] / "benchmarks" / "kill_resume.py"


@pytest.fixture(scope="module")
def kill_resume() -> Iterator[ModuleType]:
    spec = importlib.util.spec_from_file_location("kill_resume", SCRIPT)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["kill_resume"] = module  # dataclasses look their module up
    spec.loader.exec_module(module)
    yield module
    del sys.modules["kill_resume"]


@pytest.mark.long
def test_nothing_is_lost_and_nothing_is_doubled(kill_resume: ModuleType, tmp_path: Path) -> None:
    report = kill_resume.Torture(tmp_path, seed=11, precision="2%", most_new=500).go(kills=8)
    assert report.kills == 8
    assert report.finished_cases == report.runs * 36
    # Elapsed time, processor time, peak memory and its floor: of each, one sample is there however
    # short the time was.
    assert report.samples >= report.finished_cases * 4


@pytest.fixture(scope="module")
def complete(kill_resume: ModuleType, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Any]:
    """Store with one complete run, and its contents."""
    folder = tmp_path_factory.mktemp("complete")
    seen = kill_resume.Torture(folder, seed=1, precision="50%").once(
        "run", kill_resume.Seen(), kill=False
    )
    return folder / "motebench.db", seen


@pytest.mark.parametrize(
    ("damage", "words"),
    [
        ("UPDATE cases SET state = 'pending' WHERE id = 1", "lost"),
        ("DELETE FROM samples WHERE round = 0", "samples of"),
        ("UPDATE samples SET raw = raw + 1 WHERE round = 0", "samples of"),
        (
            "INSERT INTO samples (series_id, round, raw, batch, position, at) "
            "SELECT series_id, 99, raw, batch, position, at FROM samples WHERE round = 0",
            "again",
        ),
        ("DELETE FROM cases WHERE id = 1", "rows belong to nothing"),
        ("DELETE FROM runs", "rows belong to nothing"),
    ],
)
def test_the_check_itself_sees_damage(
    kill_resume: ModuleType, complete: tuple[Path, Any], tmp_path: Path, damage: str, words: str
) -> None:
    store, seen = complete
    copy = tmp_path / "copy.db"
    with closing(sqlite3.connect(store)) as whole, closing(sqlite3.connect(copy)) as damaged:
        whole.backup(damaged)
        kill_resume.check_after(seen, kill_resume.look(copy, "run"))
        damaged.execute(damage)
        damaged.commit()
    with pytest.raises(kill_resume.BrokenError, match=words):
        kill_resume.check_after(seen, kill_resume.look(copy, "run"))
