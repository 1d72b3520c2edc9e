"""Bencher Metric Format, read by ``bencher run --adapter json``
(https://bencher.dev/docs/reference/bencher-metric-format).

The format has no place for failures or marks, so disturbed results are left out. Other formats have both.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from motebench.base.files.access import FileKind
from motebench.show.export._common import by_case, quotable

FORM = FileKind.JSON

_MEASURES = {"time": "latency", "throughput": "throughput", "peak_rss": "peak-rss"}
"""Metric to slug of the measure; our units are kept: ns, B/s, B."""


def render(document: Mapping[str, Any]) -> str:
    """Medians, with their intervals if there are any."""
    out: dict[str, dict[str, dict[str, float]]] = {}
    for name, metrics in by_case(document):
        measures = {
            slug: _measure(metrics[metric])
            for metric, slug in _MEASURES.items()
            if metric in metrics and quotable(metrics[metric])
        }
        if measures:
            out[name] = measures
    return json.dumps(out, indent=2, allow_nan=False) + "\n"


def _measure(entry: Mapping[str, Any]) -> dict[str, float]:
    found = {"value": entry["median"]}
    if entry["ci_low"] is not None and entry["ci_high"] is not None:
        found |= {"lower_value": entry["ci_low"], "upper_value": entry["ci_high"]}
    return found
