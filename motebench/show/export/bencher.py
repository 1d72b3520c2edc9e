"""Bencher Metric Format, read by ``bencher run --adapter json``
(https://bencher.dev/docs/reference/bencher-metric-format).

A benchmark is a name and numbers. The name marks a board whose cycles are not proven. There is no
place for failures or a mark of a single number, so disturbed results are left out; other formats
have both.
"""

from __future__ import annotations

import json

from motebench.base.files.access import FileKind
from motebench.catalog.proof import MARK
from motebench.documents.result import Measurement, Result
from motebench.results.presentation.rows import number
from motebench.show.export._common import by_case

FORM = FileKind.JSON

_MEASURES = {"time": "latency", "throughput": "throughput", "peak_rss": "peak-rss"}
"""Metric to slug of the measure; our units are kept: ns, B/s, B."""


def render(result: Result) -> str:
    """Medians, with their ranges over places of the code or their intervals if there are any."""
    out: dict[str, dict[str, dict[str, float | None]]] = {}
    for name, metrics in by_case(result):
        measures = {
            slug: _measure(metrics[metric])
            for metric, slug in _MEASURES.items()
            if metric in metrics and metrics[metric].quotable
        }
        if measures:
            proven = all(metrics[metric].proven for metric in _MEASURES if metric in metrics)
            out[name if proven else f"{name} ({MARK})"] = measures
    return json.dumps(out, indent=2, allow_nan=False) + "\n"


def _measure(entry: Measurement) -> dict[str, float | None]:
    over_places = entry.places_least is not None and entry.places_most is not None
    ends_of = (
        (entry.places_least, entry.places_most) if over_places else (entry.ci_low, entry.ci_high)
    )
    low, high = map(number, ends_of)
    ends = {} if low is None or high is None else {"lower_value": low, "upper_value": high}
    return {"value": number(entry.median), **ends}
