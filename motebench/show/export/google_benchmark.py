"""The JSON that Google Benchmark writes with ``--benchmark_report_aggregates_only``, for tools that read it.

Layout: https://github.com/google/benchmark/blob/main/docs/user_guide.md (output formats) and its ``json_reporter.cc``.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from motebench.base.files.access import FileKind
from motebench.show.export._common import benchmark_name, by_case, quotable
from motebench.targets.machine import read_host

FORM = FileKind.JSON

_AGGREGATES = ("mean", "median", "stddev")


def render(document: Mapping[str, Any]) -> str:
    """Mean, median and standard deviation of each case's time; failures and disturbed times as ``error_occurred``."""
    host = read_host(document["environment"])
    context: dict[str, Any] = {
        "date": document["run"]["started"],
        "executable": f"motebench {document['run']['version']}",
        "num_cpus": host.threads,
        "mhz_per_cpu": host.frequency_now // 1000 if host.frequency_now else None,
        "cpu_scaling_enabled": None if host.governor is None else host.governor != "performance",
        "load_avg": host.load,
        "json_schema_version": 1,
    }
    benchmarks = [*_measured(document), *_failed(document)]
    known = {key: value for key, value in context.items() if value is not None}
    return json.dumps({"context": known, "benchmarks": benchmarks}, indent=2, allow_nan=False) + "\n"


def _measured(document: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    for family, (name, metrics) in enumerate(by_case(document)):
        time, cpu, rate = (metrics.get(metric) for metric in ("time", "cpu_time", "throughput"))
        if time is None:
            continue
        if not quotable(time):
            why = next((note for note in time["notes"] if "readings disturbed" in note), "too few other readings")
            yield _error(name, f"disturbed: {why}")
            continue
        for aggregate in _AGGREGATES:
            if time[aggregate] is None:
                continue
            entry: dict[str, Any] = {
                "name": f"{name}_{aggregate}",
                "family_index": family,
                "per_family_instance_index": 0,
                "run_name": name,
                "run_type": "aggregate",
                "repetitions": time["n"],
                "threads": 1,
                "aggregate_name": aggregate,
                "aggregate_unit": "time",
                "iterations": time["n"],
                "real_time": time[aggregate],
            }
            if cpu is not None and cpu[aggregate] is not None:
                entry["cpu_time"] = cpu[aggregate]
            entry["time_unit"] = "ns"
            if rate is not None and rate[aggregate] is not None:
                entry["bytes_per_second"] = rate[aggregate]
            yield entry


def _failed(document: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    for failure in document["failures"]:
        name = benchmark_name(failure, "/")
        yield _error(name, f"{failure['kind']}: {failure['message']}")


def _error(name: str, message: str) -> dict[str, Any]:
    return {
        "name": name,
        "run_name": name,
        "run_type": "iteration",
        "error_occurred": True,
        "error_message": message,
    }
