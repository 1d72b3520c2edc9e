"""motebench's own ciphers as programs: known answers under sanitizers, and names with a slash all
the way through.
"""

from __future__ import annotations

import csv
import io
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from motebench.base.paths import probes_in
from motebench.targets.firmware import own_implementations
from tests.integration.conftest import as_if_undisturbed

ROOT = Path(__file__).parents[3]
SANITIZED = ROOT / "build" / "sanitize" / "probes"


CHAINED = ("mote/lms", "mote/slh-dsa", "mote/xmss")
CHAINED_SCHEMES = (
    "*-h5-w?,*-h5-h10-w8,xmss-*-10-*,xmssmt-*-20-4-*,slh-dsa-sha2-*f,slh-dsa-shake-128f-prehash-*"
)
"""Hash-based signatures have 212 sets, which take long under the sanitizers: each hash, node and
digit once.
"""


def motebench(*words: str, cwd: Path, probes: Path | None = None) -> str:
    done = subprocess.run(
        [sys.executable, "-m", "motebench", *words],
        cwd=cwd,
        env={
            "PATH": "/usr/bin:/bin",
            "PYTHONPATH": str(ROOT),
            "MOTEBENCH_CACHE": os.environ["MOTEBENCH_CACHE"],
            **({"MOTEBENCH_PROBES": str(probes)} if probes else {}),
        },
        capture_output=True,
        text=True,
        timeout=600,
        stdin=subprocess.DEVNULL,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_every_implementation_has_a_probe_and_keeps_to_the_known_answers(tmp_path):
    names = sorted(name for name in probes_in([SANITIZED]) if name.startswith("mote/"))
    assert names == sorted(own_implementations()) and "mote/xtea" in names
    chained = [name for name in names if name in CHAINED]
    parts = (
        ([name for name in names if name not in CHAINED], ()),
        (chained, ("--scheme", CHAINED_SCHEMES)),
    )
    rows = {}
    for some, more in parts:
        words = ("verify", "--implementation", ",".join(some), *more, "--json")
        said = motebench(*words, cwd=tmp_path, probes=SANITIZED)
        rows |= {row["implementation"]: row for row in json.loads(said)["implementations"]}
    assert sorted(rows) == names
    for name, row in rows.items():
        assert row["version"].startswith("motebench ")
        assert row["passed"] > 0 and not row["failed"] and not row["problem"], (
            name,
            row["failures"],
            row["problem"],
        )


@pytest.fixture(scope="module")
def store(tmp_path_factory) -> Path:
    folder: Path = tmp_path_factory.mktemp("store")
    motebench(
        *(
            "run",
            "--scheme",
            "xtea-cbc",
            "--implementation",
            "mote/*,mine=mote/xtea",
            "--operation",
            "encrypt",
        ),
        *("--size", "64", "--fast", "--budget", "500ms", "--report", "report.html"),
        cwd=folder,
    )
    as_if_undisturbed(folder / "motebench.db")
    return folder


def test_name_is_the_same_in_tables_and_exports(store):
    rows = list(csv.DictReader(io.StringIO(motebench("export", "latest", "-f", "csv", cwd=store))))
    assert {row["implementation"] for row in rows} == {"mote/xtea", "mine"}
    for form in ("json", "markdown", "latex", "google-benchmark", "bencher"):
        assert "mote/xtea" in motebench("export", "latest", "-f", form, cwd=store), form
    assert "mote/xtea" in motebench("show", "latest", cwd=store)
    assert "mote/xtea" in (store / "report.html").read_text(encoding="utf-8")


def test_implementations_of_a_run_can_be_compared(store):
    assert "mote/xtea" in motebench("compare", "mote/xtea", "mine", cwd=store)
    assert "mote/xtea" in motebench("compare", "latest:mine", "latest:mote/xtea", cwd=store)
