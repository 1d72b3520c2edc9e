"""The JSON that Google Benchmark writes with ``--benchmark_report_aggregates_only``, for tools that
read it.

Layout: https://github.com/google/benchmark/blob/main/docs/user_guide.md (output formats) and its
``json_reporter.cc``.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterator
from typing import Any

from motebench.base.files.access import FileKind
from motebench.catalog.proof import MARK
from motebench.documents.result import Measurement, Result
from motebench.results.presentation.provenance import origin_line
from motebench.results.presentation.rows import DISTURBED_NOTE
from motebench.show.export._common import benchmark_name, by_case
from motebench.targets.machine import read_host

FORM = FileKind.JSON


def render(result: Result) -> str:
    """Mean, median and standard deviation of each case's time; failures and disturbed times as
    ``error_occurred``.
    """
    host = read_host(result.environment)
    context: dict[str, Any] = {
        "date": result.run.started,
        "executable": f"motebench {result.run.version}",
        "num_cpus": host.threads,
        "mhz_per_cpu": host.frequency_now // 1000 if host.frequency_now else None,
        "cpu_scaling_enabled": None if host.governor is None else host.governor != "performance",
        "load_avg": host.load,
        "json_schema_version": 1,
        "provenance": origin_line(result),
    }
    benchmarks = [*_measured(result), *_failed(result)]
    given = {key: value for key, value in context.items() if value is not None}
    return (
        json.dumps({"context": given, "benchmarks": benchmarks}, indent=2, allow_nan=False) + "\n"
    )


def _measured(result: Result) -> Iterator[dict[str, Any]]:
    for family, (name, metrics) in enumerate(by_case(result)):
        time, cpu, rate = (metrics.get(metric) for metric in ("time", "cpu_time", "throughput"))
        if time is None:
            continue
        if not time.quotable:
            why = next(
                (note for note in time.notes if DISTURBED_NOTE in note), "too few other readings"
            )
            yield _error(name, f"disturbed: {why}")
            continue
        times, loads, rates = (_aggregates(entry) for entry in (time, cpu, rate))
        for aggregate, value in times.items():
            entry: dict[str, Any] = {
                "name": f"{name}_{aggregate}",
                "family_index": family,
                "per_family_instance_index": 0,
                "run_name": name,
                "run_type": "aggregate",
                **({} if time.proven else {"label": MARK}),
                "repetitions": time.n,
                "threads": 1,
                "aggregate_name": aggregate,
                "aggregate_unit": "time",
                "iterations": time.n,
                "real_time": value,
            }
            if aggregate in loads:
                entry["cpu_time"] = loads[aggregate]
            entry["time_unit"] = "ns"
            if aggregate in rates:
                entry["bytes_per_second"] = rates[aggregate]
            yield entry


def _aggregates(entry: Measurement | None) -> dict[str, float]:
    """Aggregates of one metric, in the order of Google Benchmark."""
    if entry is None:
        return {}
    values = {"mean": entry.mean, "median": entry.median, "stddev": entry.stddev}
    return {
        name: value for name, value in values.items() if value is not None and math.isfinite(value)
    }


def _failed(result: Result) -> Iterator[dict[str, Any]]:
    for failure in result.failures:
        yield _error(benchmark_name(failure, "/"), f"{failure.kind}: {failure.message}")


def _error(name: str, message: str) -> dict[str, Any]:
    """An entry without a time. As an aggregate, because Google's compare.py takes the times of all
    others.
    """
    return {
        "name": name,
        "run_name": name,
        "run_type": "aggregate",
        "error_occurred": True,
        "error_message": message,
    }
