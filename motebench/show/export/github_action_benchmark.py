"""Export for github-action-benchmark with ``tool: customSmallerIsBetter``
(https://github.com/benchmark-action/github-action-benchmark).

Only metrics of which less is better. The format has no place for failures, so disturbed results are
left out.
"""

from __future__ import annotations

import json
import math

from motebench.base.files.access import FileKind
from motebench.base.units import Better, metric
from motebench.catalog.proof import MARK
from motebench.documents.result import Measurement, Result
from motebench.show.export._common import benchmark_name, interval_words

FORM = FileKind.JSON


def render(result: Result) -> str:
    """Medians with their intervals, each metric of a case as a separate entry."""
    entries = [
        _entry(entry)
        for entry in result.measurements
        if entry.quotable and _smaller_is_better(entry)
    ]
    return json.dumps(entries, indent=2, ensure_ascii=False, allow_nan=False) + "\n"


def _smaller_is_better(entry: Measurement) -> bool:
    return (
        metric(entry.metric).better is Better.LOWER
        and entry.median is not None
        and math.isfinite(entry.median)
    )


def _entry(entry: Measurement) -> dict[str, object]:
    benchmark: dict[str, object] = {
        "name": f"{benchmark_name(entry, '/')}/{entry.metric}",
        "unit": entry.unit,
        "value": entry.median,
        "extra": f"{entry.evidence}, n = {entry.n}" + ("" if entry.proven else f", {MARK}"),
    }
    interval = interval_words(entry)
    return benchmark | ({"range": interval} if interval else {})
