"""Runs whose store is a PostgreSQL database: every command reads it, and its server may be killed
during a run.
"""

from __future__ import annotations

import csv
import io
import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import postgres_server
import pytest
from conftest import Motebench

SMALL = (
    "--implementation",
    "openssl,libgcrypt",
    "--size",
    "16,1KiB",
    "--operation",
    "encrypt,decrypt",
)


def test_every_command_reads_it(
    motebench: Motebench, postgresql: postgres_server.Server, tmp_path: Path
) -> None:
    store = ("--store", postgresql.place("commands"))
    run = motebench(
        "run",
        "--scheme",
        "aes-128-cbc",
        *SMALL,
        *store,
        "--budget",
        "2s",
        "--name",
        "first",
        "--json",
    )
    assert run.code == 0, run.err
    # What is looked at does not depend on a busy machine
    postgresql.sql("UPDATE commands.samples SET disturbed = ''")
    shown = motebench("show", "first", *store, "--json").json
    assert shown["run"]["name"] == "first"
    assert {row["implementation"] for row in shown["measurements"]} == {"openssl", "libgcrypt"}
    rows = list(
        csv.DictReader(io.StringIO(motebench("export", "first", "--format", "csv", *store).out))
    )
    assert {row["implementation"] for row in rows} == {"openssl", "libgcrypt"}
    assert motebench("list", "runs", MOTEBENCH_STORE=store[1]).out.count("first") >= 1
    compared = motebench("compare", "libgcrypt", "openssl", *store, "--json")
    assert len(compared.json["comparisons"]) > 0
    assert motebench("report", "first", *store, "--output", "r.html").code == 0
    assert (tmp_path / "r.html").stat().st_size > 10_000
    assert motebench("doctor", *store).out.startswith("postgresql://lab@")
    chosen = motebench(
        "choose", "--device", "samd21g18a", "--message", "24", "--results", "first", *store
    )
    assert "postgresql" not in chosen.err, chosen.err
    assert not (tmp_path / "motebench.db").exists()


@pytest.fixture
def server() -> Iterator[postgres_server.Server]:
    reason = postgres_server.missing()
    if reason is not None:
        pytest.skip(reason)
    with postgres_server.running(durable=True) as found:
        yield found


def _counts(server: postgres_server.Server, schema: str) -> tuple[int, int]:
    """Samples that are stored, and the rows that would be there if a round came twice."""
    ((samples, different),) = server.sql(
        f"SELECT count(*), count(DISTINCT (series_id, round)) FROM {schema}.samples"
    )
    return samples, different


@pytest.mark.long
def test_the_server_is_killed_twice_during_a_run(
    motebench: Motebench, server: postgres_server.Server, tmp_path: Path
) -> None:
    store = server.place("torture")
    line = [
        sys.executable,
        "-m",
        "motebench",
        "run",
        "--scheme",
        "aes-128-cbc",
        *SMALL,
        "--store",
        store,
        "--name",
        "hard",
        "--budget",
        "30s",
        "--precision",
        "0.1%",
        "--json",
    ]
    seen = 0
    with subprocess.Popen(
        line,
        cwd=tmp_path,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=os.environ,
    ) as run:
        for _ in range(2):
            while _sampled(server) <= seen + 20:
                assert run.poll() is None, run.communicate()
                time.sleep(0.05)
            seen = _sampled(server)
            server.kill()
            time.sleep(1)
            server.start()
        out, err = run.communicate()
    assert run.returncode == 0, err
    assert "is away: trying again for 120 s" in err
    assert "is back after" in err
    document = json.loads(out)
    samples, different = _counts(server, "torture")
    assert samples == different >= seen
    assert len(document["measurements"]) > 0
    # Of every case all rounds are there, without a gap: each visit was stored once.
    gaps = server.sql(
        "SELECT series_id FROM torture.samples GROUP BY series_id HAVING count(*) <> max(round) + 1"
    )
    assert gaps == []


def _sampled(server: postgres_server.Server) -> int:
    there = server.sql(
        "SELECT 1 FROM pg_tables WHERE schemaname = 'torture' AND tablename = 'samples'"
    )
    return _counts(server, "torture")[0] if there else 0


@pytest.mark.long
def test_a_server_that_stays_away_ends_the_run_and_resume_completes_it(
    motebench: Motebench, server: postgres_server.Server, tmp_path: Path
) -> None:
    store = server.place("torture")
    # The command itself, with less patience: 120 s would only make the test longer.
    program = (
        "import motebench.store.database as t; t.PATIENCE = 1.0; from motebench.cli import main; "
        "main()"
    )
    line = [
        sys.executable,
        "-c",
        program,
        "run",
        "--scheme",
        "aes-128-cbc",
        *SMALL,
        "--store",
        store,
        "--name",
        "hard",
        "--budget",
        "20s",
        "--precision",
        "0.1%",
    ]
    with subprocess.Popen(
        line, cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as run:
        while _sampled(server) < 20:
            assert run.poll() is None, run.communicate()
            time.sleep(0.05)
        server.kill()
        _, err = run.communicate(timeout=30)
    assert run.returncode == 6, err
    assert "Traceback" not in err
    assert "this is not stored: aes-128-cbc" in " ".join(err.split())
    assert "motebench run --resume" in " ".join(err.split())
    server.start()
    resumed = motebench("run", "--resume=hard", "--store", store, "--json")
    assert resumed.code == 0, resumed.err
    assert resumed.json["run"]["status"] == "finished"
    samples, different = _counts(server, "torture")
    assert samples == different
