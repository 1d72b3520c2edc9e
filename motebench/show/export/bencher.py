"""Bencher Metric Format, read by ``bencher run --adapter json``
(https://bencher.dev/docs/reference/bencher-metric-format).

The format has no place for failures or marks, so disturbed results are left out. Other formats have both.
"""

from __future__ import annotations

import json

from motebench.base.files.access import FileKind
from motebench.documents.result import Measurement, Result
from motebench.results.presentation.rows import number
from motebench.show.export._common import by_case

FORM = FileKind.JSON

_MEASURES = {"time": "latency", "throughput": "throughput", "peak_rss": "peak-rss"}
"""Metric to slug of the measure; our units are kept: ns, B/s, B."""


def render(result: Result) -> str:
    """Medians, with their intervals if there are any."""
    out: dict[str, dict[str, dict[str, float | None]]] = {}
    for name, metrics in by_case(result):
        measures = {
            slug: _measure(metrics[metric])
            for metric, slug in _MEASURES.items()
            if metric in metrics and metrics[metric].quotable
        }
        if measures:
            out[name] = measures
    return json.dumps(out, indent=2, allow_nan=False) + "\n"


def _measure(entry: Measurement) -> dict[str, float | None]:
    low, high = number(entry.ci_low), number(entry.ci_high)
    ends = {} if low is None or high is None else {"lower_value": low, "upper_value": high}
    return {"value": number(entry.median), **ends}
