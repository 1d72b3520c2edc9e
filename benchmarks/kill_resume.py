"""kill -9 at random moments of a run, ``run --resume`` after each: nothing stored is lost, nothing
is there twice.

    .venv/bin/python benchmarks/kill_resume.py

A fifth of the kills come at a random moment of the start-up, the others a random while after a
random number of new samples is in the store. After each, the store is looked at with SQLite alone.
When a run is complete before all kills are spent, the next one is begun. A run that ended by itself
must hold exactly the cases that were asked for, each of them finished. Exit status 1 at the first
finding against any of this.
"""

from __future__ import annotations

import argparse
import itertools
import json
import os
import random
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections import Counter
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

SCHEMES = (
    "aes-128-cbc",
    "aes-256-ctr",
    "camellia-128-cbc",
    "3des-cbc",
    "blowfish-128-cbc",
    "chacha20",
)
OPERATIONS = ("encrypt", "decrypt")
SIZES = (16, 256, 1024)
POLL_SECONDS = 0.003
START_UP_SECONDS = 1.0
PATIENCE_SECONDS = 120.0

TARGET = "host"
Key = tuple[str, str, int, str]
"""Scheme, operation, size and target of a case."""
Samples = dict[tuple[str, int], tuple[float, int]]
"""Raw value and batch by metric and round."""


class BrokenError(AssertionError):
    """Violation of a property that must always hold."""


@dataclass
class Seen:
    """One run as the store holds it: its status (None: it is not there), state and samples by
    case.
    """

    status: str | None = None
    states: dict[Key, str] = field(default_factory=dict)
    samples: dict[Key, Samples] = field(default_factory=dict)

    @property
    def finished(self) -> set[Key]:
        """Cases that need nothing more."""
        return {key for key, state in self.states.items() if state == "finished"}

    @property
    def count(self) -> int:
        """Number of samples."""
        return sum(map(len, self.samples.values()))


@dataclass
class Report:
    """Numbers of interruptions, runs, cases and samples."""

    kills: int = 0
    runs: int = 0
    before_run: int = 0
    between: int = 0
    finished_cases: int = 0
    samples: int = 0


def look(store: Path, name: str) -> Seen:
    """Read a run with SQLite alone. BrokenError if the file, its keys or its rows are not whole."""
    if not store.exists():
        return Seen()
    with closing(sqlite3.connect(store)) as connection:
        _expect(
            connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)],
            "the file is damaged",
        )
        _expect(
            not connection.execute("PRAGMA foreign_key_check").fetchall(), "rows belong to nothing"
        )
        if not connection.execute("SELECT 1 FROM sqlite_master WHERE name = 'runs'").fetchall():
            return Seen()
        found = connection.execute("SELECT id, status FROM runs WHERE name = ?", (name,)).fetchall()
        _expect(len(found) <= 1, "the run is there twice")
        if not found:
            return Seen()
        ((run_id, status),) = found
        cases = connection.execute(
            "SELECT id, scheme, operation, input_bytes, target, state FROM cases WHERE run_id = ?",
            (run_id,),
        ).fetchall()
        read = connection.execute(
            "SELECT case_id, metric, round, raw, batch FROM samples JOIN series ON series.id = "
            "series_id JOIN cases ON cases.id = case_id WHERE run_id = ?",
            (run_id,),
        ).fetchall()
    return _sorted(status, cases, read)


def _sorted(status: str, cases: list[Any], read: list[Any]) -> Seen:
    keys: dict[int, Key] = {case_id: tuple(parts) for case_id, *parts, _ in cases}
    _expect(len(set(keys.values())) == len(cases), "a case is there twice")
    twice = [where for where, count in Counter(row[:3] for row in read).items() if count > 1]
    _expect(not twice, f"samples are there twice: {twice[:5]}")
    seen = Seen(
        status, {keys[row[0]]: row[-1] for row in cases}, {key: {} for key in keys.values()}
    )
    for case_id, metric, number, raw, batch in read:
        seen.samples[keys[case_id]][metric, number] = (raw, batch)
    return seen


def check_after(before: Seen, after: Seen) -> None:
    """Check that earlier results are unchanged, and a finished case has the same samples."""
    if before.status is None:
        return
    _expect(after.status is not None, "the run is gone")
    _expect(before.states.keys() == after.states.keys(), "the set of cases changed")
    _expect(before.finished <= after.finished, f"lost: {sorted(before.finished - after.finished)}")
    for key, samples in before.samples.items():
        now = after.samples[key]
        _expect(samples.items() <= now.items(), f"samples of {key} were lost or changed")
        _expect(
            key not in before.finished or samples == now,
            f"{key} was finished and was measured again",
        )


def _expect(holds: bool, otherwise: str) -> None:
    if not holds:
        raise BrokenError(otherwise)


class Torture:
    """Runs in one store, killed again and again."""

    def __init__(
        self, folder: Path, seed: int, precision: str = "1%", most_new: int = 1500
    ) -> None:
        self._folder = folder
        self._random = random.Random(seed)
        self._precision = precision
        self._most_new = most_new
        self._store = folder / "motebench.db"
        self.report = Report()

    @property
    def expected(self) -> set[Key]:
        """The cases of the study."""
        return set(itertools.product(SCHEMES, OPERATIONS, SIZES, [TARGET]))

    def go(self, kills: int) -> Report:
        """Kill so often, then let the last run come to its end. BrokenError if anything is lost or
        doubled.
        """
        while self.report.kills < kills:
            name = f"run-{self.report.runs}"
            self.report.runs += 1
            seen = Seen()
            while seen.status != "finished":
                after = self.once(name, seen, kill=self.report.kills < kills)
                check_after(seen, after)
                seen = after
            self._check_complete(name, seen)
        return self.report

    def once(self, name: str, before: Seen, *, kill: bool) -> Seen:
        """Start or resume the run, kill it or wait for its end; return the contents of the
        store.
        """
        process = self._start(name, resume=before.status is not None)
        try:
            if kill and self._wait_for_the_moment(process, name, before):
                process.send_signal(signal.SIGKILL)
            _, err = process.communicate(timeout=PATIENCE_SECONDS)
        finally:
            process.kill()
            process.wait()
        after = look(self._store, name)
        if process.returncode == -signal.SIGKILL:
            self.report.kills += 1
            self.report.before_run += after.status is None
            self.report.between += bool(after.finished) and after.finished != self.expected
        else:
            _expect(process.returncode == 0, f"status {process.returncode}: {err.strip()}")
            _expect(after.status == "finished", f"it ended with 0, but the run is {after.status}")
        return after

    def _start(self, name: str, *, resume: bool) -> subprocess.Popen[str]:
        what = [f"--resume={name}"] if resume else [*self._question(), "--name", name]
        return subprocess.Popen(
            [sys.executable, "-m", "motebench", "run", *what, "--quiet"],
            cwd=self._folder,
            env={**os.environ, "NO_COLOR": "1"},
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            text=True,
        )

    def _question(self) -> list[str]:
        sizes = ",".join(map(str, SIZES))
        cases = [
            "--scheme",
            ",".join(SCHEMES),
            "--operation",
            ",".join(OPERATIONS),
            "--size",
            sizes,
        ]
        return [*cases, "--implementation", "openssl", "--fast", "--precision", self._precision]

    def _wait_for_the_moment(self, process: subprocess.Popen[str], name: str, before: Seen) -> bool:
        """Wait until it is time to kill; False if the process ended before."""
        early = self._random.random() < 0.2
        wanted = before.count + self._random.randint(1, self._most_new)
        pause = self._random.uniform(0, START_UP_SECONDS if early else 0.02)
        while not early and self._count(name) < wanted:
            if process.poll() is not None:
                return False
            time.sleep(POLL_SECONDS)
        time.sleep(pause)
        return process.poll() is None

    def _count(self, name: str) -> int:
        if not self._store.exists():
            return 0
        query = (
            "SELECT count(*) FROM samples JOIN series ON series.id = series_id JOIN cases ON "
            "cases.id = case_id JOIN runs ON runs.id = run_id WHERE runs.name = ?"
        )
        try:
            with closing(sqlite3.connect(f"file:{self._store}?mode=ro", uri=True)) as connection:
                return int(connection.execute(query, (name,)).fetchone()[0])
        except sqlite3.OperationalError:  # the tables are being made
            return 0

    def _check_complete(self, name: str, seen: Seen) -> None:
        _expect(set(seen.states) == self.expected, "the cases are not those that were asked for")
        _expect(
            seen.finished == self.expected, f"unfinished: {sorted(self.expected - seen.finished)}"
        )
        done = subprocess.run(
            [sys.executable, "-m", "motebench", "show", name, "--json"],
            cwd=self._folder,
            capture_output=True,
            text=True,
            check=True,
        )
        rows = [row for row in json.loads(done.stdout)["measurements"] if row["metric"] == "time"]
        shown = [
            (row["scheme"], row["operation"], row["input_bytes"], row["target"]) for row in rows
        ]
        _expect(
            sorted(shown) == sorted(self.expected),
            "the result document does not show each case once",
        )
        self.report.finished_cases += len(seen.finished)
        self.report.samples += seen.count


def main() -> int:
    """Kill, check, print what happened."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--kills", type=int, default=50)
    parser.add_argument("--seed", type=int, default=random.SystemRandom().getrandbits(32))
    chosen = parser.parse_args()
    from common import machine, table

    head = machine()
    with tempfile.TemporaryDirectory() as folder:
        torture = Torture(Path(folder), chosen.seed)
        try:
            report = torture.go(chosen.kills)
        except BrokenError as finding:
            print(f"seed {chosen.seed}, after {torture.report.kills} kills: {finding}")
            return 1
    print(f"{head}; seed {chosen.seed}\n")
    lines = [
        ["kills", str(report.kills)],
        ["... before the run was in the store", str(report.before_run)],
        ["... with some cases finished and some not", str(report.between)],
        ["runs brought to their end", str(report.runs)],
        ["cases in them, each finished once", str(report.finished_cases)],
        ["samples in them, each once", str(report.samples)],
        ["findings", "0"],
    ]
    print(table(["", "number"], lines))
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
