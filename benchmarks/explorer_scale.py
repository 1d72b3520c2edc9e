"""Times of the explorer over a large store: its first page, each filter, a result, a comparison.

    .venv/bin/python benchmarks/explorer_scale.py [--store PLACE] [--runs 2000] [--repeat 5]
        [--writers 2] [--cpu]

Makes the store if it is not there: 2,000 runs of 500 measured cases with 20 samples each, which is
1,000,000 measurements and 20,000,000 samples, of 24 boards and hosts over 18 months; the seed is
fixed. `--store postgresql` starts a PostgreSQL server of its own, whose tables nobody has analysed.
Each page is asked for by the application alone, and by HTTP from a server of its own. *First* is
the first request to a new process, *again* the median of the others. `--writers`: programs that
store 100 samples a second each meanwhile. `--cpu`: CPU time of the application and of the database
instead, for a machine that is busy with other programs. Exit status 1 if a first page takes 1 s or
more, or a filter 0.3 s or more.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Callable, Iterable, Iterator, Mapping
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from common import LACKING, machine, say, table
from sqlalchemy import Connection, Table, make_url

from motebench.store import schema
from motebench.store.opening import Opened, Writer

SEED = 20261130
CASES, SAMPLES = 500, 20
FIRST_PAGE, FILTER = 1.0, 0.3
"""Limits in seconds."""
_SCHEMES = (
    "aes-128-gcm", "aes-256-gcm", "aes-128-ccm", "aes-128-cbc", "aes-128-ctr", "aes-128-cmac",
    "chacha20-poly1305", "ascon-aead128", "ascon-hash256", "sha256", "sha512", "sha3-256",
    "blake2s-256", "hmac-sha256", "present-80", "speck-64-128", "simon-64-128", "gift-cofb",
    "xoodyak", "tinyjambu-128",
)  # fmt: skip
_IMPLEMENTATIONS = ("openssl", "mbedtls", "wolfssl", "mote/reference", "mote/small", "botan")
_SIZES = (16, 64, 256, 1024, 4096)
_TARGETS = (
    "host", "ssh:pi-zero", "ssh:pi-4", "board:/dev/ttyACM0", "sim:samd21g18a", "sim:atmega328p",
    "sim:nrf52840", "sim:rp2040", "sim:rp2350", "sim:stm32f405rg", "sim:esp32c3", "sim:fe310",
    *(f"ssh:lab-{number}" for number in range(12)),
)  # fmt: skip
_NOTES = ("the fan was loud", "after the update of the compiler", "battery at 3.0 V")

PAGES = {
    "first page": "/",
    "page 20 of runs": "/?page=20",
    "scheme": "/?scheme=sha256",
    "scheme, pattern": "/?scheme=aes-*",
    "implementation": "/?implementation=botan",
    "implementation, none": "/?implementation=none",
    "target": "/?target=sim:rp2040",
    "device": "/?device=rp2040",
    "operation": "/?operation=digest",
    "size": "/?size=1+KiB",
    "version": "/?version=0.2.0",
    "date": "/?since=2026-03-01&until=2026-03-31",
    "tag": "/?tag=nightly",
    "words of a note": "/?q=fan+loud",
    "words of cases": "/?q=rp2350",
    "words, none": "/?q=nothing-has-this",
    "four filters": "/?scheme=sha256&implementation=botan&target=ssh:*&size=64",
    "results": "/results",
    "results, scheme": "/results?scheme=sha256",
    "results, implementation": "/results?implementation=openssl",
    "results, operation and size": "/results?operation=digest&size=64",
    "results, target and date": "/results?target=host&since=2026-03-01",
    "results, words": "/results?q=rp2350",
    "a run": "/runs/1234",
    "one result": "/runs/1234/cases/616600",
    "form of comparison": "/compare",
    "comparison of two runs": "/compare?a=24&b=48",
    "difference of two runs": "/diff?a=24&b=48",
    "history": "/history?case=616600",
    "changes": "/changes",
    "changes, target": "/changes?target=host",
    "map": "/map",
    "map, scheme": "/map?scheme=sha256",
    "trade-off": "/tradeoff",
    "trade-off, target": "/tradeoff?target=sim:rp2350",
    "choose": "/choose?device=nrf52840&message=64&every=10min&battery=cr2032",
}
_FILTERS = range(1, 23)
"""Places of the pages that only filter."""


# The store


def make(place: str, runs: int) -> None:
    """A store of that many runs, written by the store's own writer."""
    from motebench.targets.machine import describe

    random = np.random.default_rng(SEED)
    environment = describe()
    start = datetime(2025, 1, 1, tzinfo=UTC)
    with Opened(place, create=True) as opened, opened.connection.begin():
        writer = _Copier(opened.connection) if opened.backend.serves else Writer(opened.connection)
        for run in range(1, runs + 1):
            target = _TARGETS[run % len(_TARGETS)]
            began = start + timedelta(minutes=run * 18 * 30 * 24 * 60 // runs)
            writer.write(schema.runs, [_run(run, target, began, environment)])
            cases = _cases(run, target)
            ids = [case["id"] for case in cases]
            writer.write(schema.cases, cases)
            writer.write(schema.series, map(_series, ids))
            writer.write(schema.samples, _samples(ids, random))
            if run % 10 == 0:
                text = _NOTES[run // 10 % len(_NOTES)]
                note = {"id": run, "run_id": run, "case_id": None, "text": text}
                writer.write(schema.notes, [note])
            if run % 100 == 0:
                say(f"{run} runs of {runs}")
        if opened.backend.serves:  # rows that brought their ids have not counted
            for name in ("runs", "cases", "series", "notes"):
                last = f"SELECT setval(pg_get_serial_sequence('{name}', 'id'), max(id)) FROM {name}"
                opened.connection.exec_driver_sql(last)


class _Copier(Writer):
    """Writes by COPY, without checking references: 20 million inserts take an hour."""

    def __init__(self, connection: Connection) -> None:
        super().__init__(connection)
        self._driver: Any = connection.connection.driver_connection
        connection.exec_driver_sql("SET LOCAL session_replication_role = replica")

    def write(self, table: Table, rows: Iterable[Mapping[str, Any]]) -> None:
        """Copy the rows of a table; texts of this file need no escapes."""
        if table is schema.runs:
            super().write(table, rows)
            return
        names = table.columns.keys()
        values = ([row[name] for name in names] for row in rows)
        lines = ("\t".join("\\N" if part is None else str(part) for part in row) for row in values)
        with self._driver.cursor().copy(f"COPY {table.name} FROM STDIN") as copy:
            copy.write("".join(f"{line}\n" for line in lines))


def _run(run: int, target: str, began: datetime, environment: dict[str, Any]) -> dict[str, Any]:
    settings: dict[str, Any] = {"command": f"motebench run --target {target} --seed {run}"}
    if run % 7 == 0:
        settings["tags"] = ["nightly"]
    return {
        "id": run,
        "name": f"{began:%Y-%m-%d}-{run}",
        "study": "",
        "started": began.isoformat(),
        "finished": (began + timedelta(minutes=10)).isoformat(),
        "status": "finished",
        "version": f"0.{1 + run // 700}.0",
        "seed": run,
        "settings": settings,
        "environment": environment,
        "environment_end": None,
    }


def _cases(run: int, target: str) -> list[dict[str, Any]]:
    rows = []
    for number in range(CASES):
        scheme = _SCHEMES[number % 20]
        digest = scheme.startswith(("sha", "blake", "ascon-hash"))
        rows.append(
            {
                "id": (run - 1) * CASES + number + 1,
                "run_id": run,
                "scheme": scheme,
                "implementation": _IMPLEMENTATIONS[number // 20 % 5 + (run % 50 == 0)],
                "operation": "digest" if digest else "encrypt-message",
                "input_bytes": _SIZES[number // 100],
                "aad_bytes": 0,
                "cores": 0,
                "target": target,
                "provider": "made",
                "file": "",
                "state": "finished" if number % 100 else "failed",
            }
        )
    return rows


def _series(number: int) -> dict[str, Any]:
    return {
        "id": number,
        "case_id": number,
        "metric": "time",
        "raw_unit": "ns",
        "scale": 1.0,
        "overhead": 20.0,
        "source": "clock_gettime",
        "evidence": "measured",
        "type_b": None,
    }


def _samples(ids: list[int], random: np.random.Generator) -> Iterator[dict[str, Any]]:
    levels = random.lognormal(8.0, 1.5, len(ids))
    for number, level in zip(ids, levels, strict=True):
        values = level * (1 + 0.02 * random.random(SAMPLES)) + 20
        for place, value in enumerate(values.tolist()):
            yield {
                "series_id": number,
                "round": place,
                "raw": value,
                "batch": 1,
                "position": number % CASES,
                "at": place * 30.0,
                "invocation": None,
                "disturbed": "",
            }


@contextlib.contextmanager
def _place(name: str, runs: int) -> Iterator[str]:
    """The store, made if it is not there."""
    if name != "postgresql":
        if "://" not in name and not Path(name).exists():
            make(name, runs)
        yield name
        return
    sys.path.insert(0, str(Path(__file__).parents[1] / "tests" / "support"))
    import postgres_server

    reason = postgres_server.missing()
    if reason is not None:
        say(reason)
        raise SystemExit(LACKING)
    with postgres_server.running(durable=False) as server:
        place = server.place("scale")
        make(place, runs)
        yield place


# Writers


@contextlib.contextmanager
def _writing(place: str, writers: int) -> Iterator[None]:
    """Programs that write into the store meanwhile. SystemExit if one of them has ended."""
    call = [sys.executable, __file__, "--store", place, "--write"]
    with contextlib.ExitStack() as stack:
        running = [stack.enter_context(subprocess.Popen(call)) for _ in range(writers)]
        try:
            yield
            if any(writer.poll() is not None for writer in running):
                raise SystemExit("a writer has failed")
        finally:
            for writer in running:
                writer.terminate()


def write(place: str) -> None:
    """Store runs until it is ended."""
    from motebench.base.model import Case, Evidence, Operation, Sample, Series
    from motebench.store import Store

    operation, target = Operation.ENCRYPT_MESSAGE, "sim:rp2040"
    cases = [
        Case(scheme, implementation, operation, 16, target, "made")
        for scheme in _SCHEMES
        for implementation in _IMPLEMENTATIONS
    ]
    series = Series("time", "ns", 1.0, 20.0, "clock_gettime", Evidence.MEASURED)
    with Store.open(place, create=True) as store:
        while True:
            run = store.create_run(None, "", {}, {}, 1, "0.3.0", cases)
            for number in range(SAMPLES):
                for case in cases:
                    store.add_samples(run, case, [(series, Sample(number, 5e3 + number))])
                    time.sleep(0.01)
            for case in cases:
                store.finish_case(run, case)
            store.finish_run(run, "finished")


# Times


def _server_seconds(place: str) -> float:
    """CPU time of the connections to the benchmark's PostgreSQL server that have ended; 0 for a
    file.
    """
    if "://" not in place:
        return 0.0
    time.sleep(0.1)  # the last connection ends
    folder = Path(str(make_url(place).query["host"]))
    process = (folder / "data" / "postmaster.pid").read_text(encoding="utf-8").split()[0]
    fields = Path(f"/proc/{process}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()
    return (int(fields[13]) + int(fields[14])) / os.sysconf("SC_CLK_TCK")


def _cpu_seconds(place: str) -> float:
    return time.process_time() + _server_seconds(place)


def by_cpu(place: str, repeat: int) -> list[list[str]]:
    """A line for each page with the CPU time of its answers."""
    lines = []
    for name, address in PAGES.items():
        say(name)
        first, *others = by_application(place, address, repeat, "--cpu")
        lines.append([name, f"{first:.2f}", f"{statistics.median(others or [first]):.2f}"])
    return lines


def by_application(place: str, address: str, repeat: int, *options: str) -> list[float]:
    """Seconds of each answer of a new process, without a network."""
    call = [sys.executable, __file__, "--store", place, "--ask", address, "--repeat", str(repeat)]
    done = subprocess.run([*call, *options], check=True, capture_output=True, text=True)
    times: list[float] = json.loads(done.stdout)
    return times


def ask(place: str, address: str, repeat: int, clock: Callable[[], float]) -> list[float]:
    """Seconds of each answer of the application by a clock."""
    from starlette.testclient import TestClient

    from motebench.cli.commands.serve import OptionsChooser
    from motebench.show.site.app import application
    from motebench.show.site.views import Site

    site = Site(place, OptionsChooser(place))
    client = TestClient(application(site), base_url="http://127.0.0.1")
    client.get("/static/page.css")  # threads and templates, not the store
    times = []
    for _ in range(repeat):
        start = clock()
        answer = client.get(address)
        times.append(clock() - start)
        if answer.status_code != 200:
            raise SystemExit(f"{address}: {answer.status_code}: {answer.text[:500]}")
    return times


@contextlib.contextmanager
def served(place: str) -> Iterator[str]:
    """A server of the store; its address."""
    call = [sys.executable, "-m", "motebench", "serve", "--store", place, "--port", "0"]
    with subprocess.Popen(call, stderr=subprocess.PIPE, text=True) as server:
        try:
            assert server.stderr is not None
            line = server.stderr.readline()
            yield next(word for word in line.split() if word.startswith("http://")).rstrip("/")
        finally:
            server.terminate()


def by_http(address: str, repeat: int) -> list[float]:
    """Seconds of each answer of a server."""
    times = []
    for _ in range(repeat):
        start = time.perf_counter()
        with urllib.request.urlopen(address, timeout=600) as answer:
            answer.read()
        times.append(time.perf_counter() - start)
    return times


def main() -> int:
    """Make the store, ask for every page, print the table, judge."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--store", default=str(Path(tempfile.gettempdir()) / "scale.db"))
    parser.add_argument("--runs", type=int, default=2000)
    parser.add_argument("--repeat", type=int, default=5)
    parser.add_argument("--writers", type=int, default=0)
    parser.add_argument("--cpu", action="store_true")
    parser.add_argument("--ask", metavar="ADDRESS", help=argparse.SUPPRESS)
    parser.add_argument("--write", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.ask:
        clock = partial(_cpu_seconds, options.store) if options.cpu else time.perf_counter
        print(json.dumps(ask(options.store, options.ask, options.repeat, clock)))
        return 0
    if options.write:
        write(options.store)
    head = machine()
    with _place(options.store, options.runs) as place, _writing(place, options.writers):
        if options.cpu:
            lines = by_cpu(place, options.repeat)
            print(f"{head}\n\n{table(('page', 'first, CPU s', 'again, CPU s'), lines)}")
            return 0
        lines, slow = _measured(place, options.repeat)
    print(f"{head}\n")
    columns = ("page", "first, s", "again, s", "HTTP, s", "limit, s")
    print(table(columns, lines))
    for line in slow:
        say(f"slow: {line}")
    return int(bool(slow))


def _measured(place: str, repeat: int) -> tuple[list[list[str]], list[str]]:
    lines, slow = [], []
    with served(place) as server:
        for number, (name, address) in enumerate(PAGES.items()):
            say(name)
            first, *others = by_application(place, address, repeat)
            again = statistics.median(others or [first])
            http = statistics.median(by_http(server + address, repeat))
            limit = FILTER if number in _FILTERS else None
            if name == "first page":
                limit = FIRST_PAGE
                again = max(first, again)
            if limit is not None and max(again, http) >= limit:
                slow.append(name)
            times = (f"{seconds:.3f}" for seconds in (first, again, http))
            lines.append([name, *times, "" if limit is None else f"{limit:.1f}"])
    return lines, slow


if __name__ == "__main__":
    os.environ.setdefault("PYTHONHASHSEED", "0")
    raise SystemExit(main())
