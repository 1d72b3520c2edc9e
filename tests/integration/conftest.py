"""Running the command as a user does, in an empty folder."""

from __future__ import annotations

import json
import os
import shutil
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, ExitStack, closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from machines import Unavailable
from machines.lab import Lab
from machines.machine import Linux

from motebench.base.paths import probe_dirs, probes_in
from motebench.catalog.devices import Device
from motebench.documents import schema
from motebench.targets.board.simulated import simulator_program
from motebench.targets.firmware.architecture import architecture

PROBES = Path(__file__).parent / "probes"
HANGS = 1200.0
"""Seconds after which a command hangs: a hundred times the duration of the slowest one on a quiet
machine.
"""
SAME_FIRMWARE = {
    "cortex-m3-nows",
    "nrf52840",
    "rp2040-xip",
    "rp2350-m33",
    "sam3x8e",
    "stm32f103",
    "stm32f407",
    "stm32l4",
    "stm32wl",
} | {f"attiny{number}" for number in (1614, 3216, 3217, 3224, 3226, 3227)}
"""Devices whose firmware is that of another one, linked or started in another way: most tests of
them are long ones.
"""


def holds_probe(device: Device) -> bool:
    """True if the flash of the device is long enough for the probe."""
    return device.flash_bytes >= 30_000


def each_board(names: Iterable[str], before: str = "", late: Iterable[str] = ()) -> list[Any]:
    """Parameters of a test: the devices, those of `SAME_FIRMWARE` and ``late`` only in long runs.
    ``before``: begins each name.
    """
    long = SAME_FIRMWARE.union(late)
    return [
        pytest.param(f"{before}{name}", marks=[pytest.mark.long] * (name in long))
        for name in sorted(names)
    ]


def probe_of(implementation: str) -> Path:
    """The probe of an implementation of this machine; the test is skipped where it is not built."""
    built = probes_in(probe_dirs()).get(implementation)
    if built is None:
        pytest.skip(f"no probe for {implementation} is built: make setup")
    return built


@dataclass(frozen=True)
class Result:
    """Exit code and output of one call."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        """The printed document, validated by its schema if it names one."""
        found = json.loads(self.out)
        if isinstance(found, dict) and "schema" in found:
            name, _, _ = found["schema"].removeprefix("motebench-").rpartition("-")
            jsonschema.Draft202012Validator(schema(name)).validate(found)
        return found


Motebench = Callable[..., Result]


def prefix_of(device: Device) -> str:
    """Prefix of the names of the compiler's programs."""
    return architecture(device.architecture).tools.prefix


def need_simulator(device: Device) -> None:
    """Skip the test where the device cannot be built for or simulated; `make test` installs both
    where apt may.
    """
    program = simulator_program(device.architecture)
    if shutil.which(f"{prefix_of(device)}gcc") is None or not program.exists():
        pytest.skip(
            f"the compiler for {device.id}, or {program.name}, is missing; motebench doctor "
            "names the line"
        )


@pytest.fixture
def motebench(tmp_path: Path) -> Motebench:
    """Calls the command in a new folder; no call may end in a traceback."""

    def call(*arguments: str, timeout: float = HANGS, **environment: str) -> Result:
        done = subprocess.run(
            [sys.executable, "-m", "motebench", *arguments],
            cwd=tmp_path,
            env={**os.environ, "NO_COLOR": "1", "COLUMNS": "200", **environment},
            capture_output=True,
            text=True,
            timeout=timeout,
            check=False,
        )
        assert "Traceback" not in done.stderr, done.stderr
        assert "defect" not in done.stderr, done.stderr
        return Result(done.returncode, done.stdout, done.stderr)

    return call


def as_from_a_terminal() -> None:
    """Default signal handlers for a new process, as in a terminal, also if the tests run in the
    background.
    """
    for number in (signal.SIGINT, signal.SIGHUP, signal.SIGQUIT, signal.SIGTERM):
        signal.signal(number, signal.SIG_DFL)


def as_if_undisturbed(store: Path) -> None:
    """Remove the marks of disturbed readings, on which the tested part does not depend."""
    with closing(sqlite3.connect(store)) as database, database:
        database.execute("update samples set disturbed = ''")


def plant(store: Path, run: int, nanoseconds: Sequence[float]) -> None:
    """Give each case of a stored run these times, whatever the machine did meanwhile, and however
    few there were.
    """
    chosen = (
        "select series.id, scale from series join cases on cases.id = case_id where run_id = ? "
        "and metric = ?"
    )
    with closing(sqlite3.connect(store)) as database, database:
        for metric, values in (("time", nanoseconds), ("reference_loop", ())):
            for series, scale in database.execute(chosen, (run, metric)).fetchall():
                database.execute("update series set overhead = 0 where id = ?", (series,))
                database.execute("delete from samples where series_id = ?", (series,))
                database.executemany(
                    "insert into samples (series_id, round, raw, batch, position, at) values (?, "
                    "?, ?, 1, 0, ?)",
                    [
                        (series, number, value / scale, float(number))
                        for number, value in enumerate(values)
                    ],
                )


def without_time(store: Path) -> None:
    """Take away the budget of the runs of a store: when they are resumed, they soon come to their
    end.
    """
    with closing(sqlite3.connect(store)) as database, database:
        database.execute(
            "update runs set settings = json_set(settings, '$.policy.budget', 0.001, "
            "'$.budget_seconds', 0.001)"
        )


@pytest.fixture
def pysha(tmp_path: Path) -> dict[str, str]:
    """Environment in which a second implementation is there: a probe in Python, run by this
    interpreter.
    """
    folder = tmp_path / "probes"
    folder.mkdir()
    script = PROBES / "motebench-probe-pysha"
    wrapper = folder / "motebench-probe-pysha"
    wrapper.write_text(f'#!/bin/sh\nexec "{sys.executable}" "{script}"\n')
    wrapper.chmod(0o755)
    assert shutil.which("sh")
    return {"MOTEBENCH_PROBES": str(folder)}


Boards = Callable[..., Linux]


@pytest.fixture(scope="session")
def lab(tmp_path_factory: pytest.TempPathFactory) -> Lab:
    """Keys and a configuration of SSH for `board` and `boards`."""
    try:
        return Lab(tmp_path_factory.mktemp("lab"))
    except Unavailable as missing:
        pytest.skip(str(missing))


Booted = Callable[..., AbstractContextManager[Linux]]


@pytest.fixture(scope="session")
def booted(lab: Lab) -> Booted:
    """Booted machine of that name, as a context; the test is skipped where machines are
    unavailable.
    """

    @contextmanager
    def boot(name: str, **options: Any) -> Iterator[Linux]:
        with ExitStack() as running:
            try:
                machine = running.enter_context(Linux(lab, name, **options))
            except Unavailable as missing:
                pytest.skip(str(missing))
            yield machine

    return boot


@pytest.fixture(scope="session")
def board(booted: Booted) -> Iterator[Linux]:
    """An ARM machine with Linux, `ssh:board`, for tests that leave it as it was. MOTEBENCH_SSH is
    to be `lab.ssh`.
    """
    with booted("board") as machine:
        yield machine


@pytest.fixture
def boards(booted: Booted) -> Iterator[Boards]:
    """Boots machines for one test, which may break them: ``boards("red", cpu="max")``."""
    with ExitStack() as machines:

        def boot(name: str, **options: Any) -> Linux:
            return machines.enter_context(booted(name, **options))

        yield boot
