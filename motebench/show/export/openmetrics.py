"""OpenMetrics text (https://prometheus.io/docs/specs/om/open_metrics_spec/): gauges for Prometheus,
and for the metrics reports of GitLab.

The format has no place for failures, so disturbed results are left out. Other formats have both.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass, replace

from motebench.base.files.access import FileKind
from motebench.base.identity import CaseId
from motebench.base.units import METRICS
from motebench.documents.result import Measurement, Result

FORM = FileKind.OPENMETRICS

_UNITS = {
    "ns": "nanoseconds",
    "B": "bytes",
    "B/s": "bytes_per_second",
    "J": "joules",
    "J/B": "joules_per_byte",
    "W": "watts",
    "A": "amperes",
    "1": "ratio",
}


@dataclass(frozen=True, slots=True)
class MetricSample:
    """A value of a family. family: its name with the unit at its end, and that unit. labels: of the
    case.
    """

    family: str
    unit: str
    meaning: str
    labels: tuple[tuple[str, str], ...]
    value: float | None

    @classmethod
    def of(cls, case: CaseId, name: str, unit: str, value: float | None) -> MetricSample:
        """Sample of a metric of a case; ``name`` may be a metric of ours with more words after
        it.
        """
        suffix = _UNITS.get(unit, unit)
        family = (
            f"motebench_{name}"
            if name == suffix or name.endswith(f"_{suffix}")
            else f"motebench_{name}_{suffix}"
        )
        entry = METRICS.get(name)
        meaning = (
            entry.meaning
            if entry is not None
            else f"{name.removesuffix('_ratio')} of the head by that of the base"
        )
        labels = tuple(
            (key, str(part))
            for key, part in case.entry().items()
            if part is not None and part != ""
        )
        return cls(family, suffix, meaning, labels, value)


def render(result: Result) -> str:
    """Medians, each with its case in labels, and ``proven`` where its cycles are not."""
    return exposition(_sample(entry) for entry in result.measurements if entry.quotable)


def _sample(entry: Measurement) -> MetricSample:
    sample = MetricSample.of(entry.id, entry.metric, entry.unit, entry.median)
    return sample if entry.proven else replace(sample, labels=(*sample.labels, ("proven", "false")))


def exposition(samples: Iterable[MetricSample]) -> str:
    """Text of all samples, those of a family together."""
    families: dict[str, list[MetricSample]] = {}
    for sample in samples:
        if sample.value is not None and math.isfinite(sample.value):
            families.setdefault(sample.family, []).append(sample)
    lines = []
    for family, members in families.items():
        first = members[0]
        lines += [
            f"# TYPE {family} gauge",
            f"# UNIT {family} {first.unit}",
            f"# HELP {family} {_escaped(first.meaning)}",
        ]
        lines += [f"{family}{{{_labels(sample)}}} {sample.value!r}" for sample in members]
    return "\n".join([*lines, "# EOF"]) + "\n"


def _labels(sample: MetricSample) -> str:
    return ",".join(f'{name}="{_escaped(value)}"' for name, value in sample.labels)


def _escaped(text: str) -> str:
    return text.replace("\\", "\\\\").replace("\n", "\\n").replace('"', '\\"')
