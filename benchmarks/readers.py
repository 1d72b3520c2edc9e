"""Exports, read by the programs that they are for.

    .venv/bin/python benchmarks/readers.py motebench.db --python ENV/bin/python --google-benchmark
    DIR \
        --github-action-benchmark DIR --bencher DIR

A run of the store is exported in each format and read by the reader itself, of which one says where
it is:

- ``--python``: an interpreter with ``prometheus_client`` and ``pandas``;
- the others: checkouts of google/benchmark, benchmark-action/github-action-benchmark (with
  ``npm install zod @actions/github esbuild`` in it) and bencherdev/bencher, whose schema of its
  metric format is used.

Prints what each reader found; exit code 1 where one refuses, or finds other numbers than the run
has.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

import jsonschema

import motebench

OPENMETRICS = """\
import json, sys
from prometheus_client.openmetrics.parser import text_string_to_metric_families
families = text_string_to_metric_families(open(sys.argv[1], encoding="utf-8").read())
times = [f for f in families if f.name == "motebench_time_nanoseconds"]
print(json.dumps(sorted(s.value for f in times for s in f.samples)))
"""
CSV = """\
import json, sys
import pandas
rows = pandas.read_csv(sys.argv[1])
rows = rows[(rows.metric == "time") & rows.quotable.astype(bool)]
print(json.dumps(sorted(map(float, rows["median"]))))
"""
GOOGLE = """\
import json, sys
from pathlib import Path
sys.path.insert(0, sys.argv[2])
from gbench import report, util
found = util.run_or_load_benchmark(sys.argv[1], [])
report.get_difference_report(found, found)
medians = [b for b in found["benchmarks"] if b.get("aggregate_name") == "median"]
print(json.dumps(sorted(b["real_time"] for b in medians)))
"""
ACTION = """\
import { extractResult } from "./src/extract";
const config = { tool: "customSmallerIsBetter", outputFilePath: process.argv[2] } as any;
const answer = extractResult(config);
answer.then((found) => {
    const times = found.benches.filter((b) => b.name.endsWith("/time"));
    console.log(JSON.stringify(times.map((b) => b.value)));
});
"""


def output(command: list[str], **environment: str) -> list[float]:
    """The list of numbers that a reader prints, in order."""
    done = subprocess.run(
        command, capture_output=True, text=True, check=False, env={**os.environ, **environment}
    )
    if done.returncode:
        raise RuntimeError(done.stderr.strip().splitlines()[-1])
    found: list[float] = json.loads(done.stdout.strip().splitlines()[-1])
    return sorted(found)


def of_action(folder: Path, file: Path) -> list[float]:
    """Numbers, read as github-action-benchmark reads them."""
    entry, bundle, event = (
        folder / name for name in ("motebench.ts", "motebench.cjs", "motebench.json")
    )
    entry.write_text(ACTION)
    who = {"name": "A Tester", "username": "tester", "email": "tester@example.org"}
    event.write_text(
        json.dumps(
            {"head_commit": {"author": who, "committer": who, "id": "0", "message": "", "url": ""}}
        )
    )
    bundled = [
        "npx",
        "esbuild",
        entry.name,
        "--bundle",
        "--platform=node",
        f"--outfile={bundle}",
        "--log-level=error",
    ]
    subprocess.run(bundled, cwd=folder, check=True)
    return output(
        ["node", str(bundle), str(file)],
        GITHUB_EVENT_PATH=str(event),
        GITHUB_REPOSITORY="me/cipher",
    )


def of_bencher(folder: Path, file: Path) -> list[float]:
    """Numbers, read by the schema of Bencher."""
    found = json.loads(file.read_text(encoding="utf-8"))
    schema = json.loads((folder / "services/console/public/bmf.json").read_text(encoding="utf-8"))
    jsonschema.Draft7Validator(schema).validate(found)
    return sorted(
        measures["latency"]["value"] for measures in found.values() if "latency" in measures
    )


def main() -> int:
    """Export and read."""
    parser = argparse.ArgumentParser()
    parser.add_argument("store")
    parser.add_argument("--run", default="latest")
    parser.add_argument("--python", default=sys.executable)
    for name in ("google-benchmark", "github-action-benchmark", "bencher"):
        parser.add_argument(f"--{name}", type=Path)
    given = parser.parse_args()
    run = motebench.load(given.store, given.run)
    rows = [row for row in run.rows() if row["metric"] == "time" and row["quotable"]]
    times = sorted(float(row["median"]) for row in rows)
    readers: dict[str, Callable[[Path], list[float]]] = {
        "openmetrics": lambda file: output([given.python, "-c", OPENMETRICS, str(file)]),
        "csv": lambda file: output([given.python, "-c", CSV, str(file)]),
    }
    if given.google_benchmark:
        tools = str(given.google_benchmark / "tools")
        readers["google-benchmark"] = lambda file: output(
            [given.python, "-c", GOOGLE, str(file), tools]
        )
    if given.github_action_benchmark:
        readers["github-action-benchmark"] = lambda file: of_action(
            given.github_action_benchmark, file
        )
    if given.bencher:
        readers["bencher"] = lambda file: of_bencher(given.bencher, file)
    wrong = 0
    with tempfile.TemporaryDirectory() as folder:
        for form, reader in readers.items():
            file = (
                Path(folder)
                / f"{form}.{'csv' if form == 'csv' else 'txt' if form == 'openmetrics' else 'json'}"
            )
            file.write_text(run.export(form), encoding="utf-8")
            try:
                found = reader(file)
                same = found == times
                words = f"{len(found)} times, {'those' if same else 'NOT those'} of the run"
            except (
                RuntimeError,
                subprocess.CalledProcessError,
                jsonschema.ValidationError,
            ) as error:
                same, words = False, f"refused: {error}"
            wrong += not same
            print(f"{form:24} {words}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
