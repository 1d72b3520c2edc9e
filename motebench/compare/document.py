"""The comparison as one JSON document, described in ``docs/results.md``."""

from __future__ import annotations

from typing import Any

from motebench.compare.model import Comparison, Pair, Side, Unmatched
from motebench.results import plain
from motebench.stats.family import BENJAMINI_HOCHBERG, HOLM

SCHEMA = "motebench-comparison-1"


def document(comparison: Comparison, allowed: float | None = None) -> dict[str, Any]:
    """The comparison as plain data that JSON can hold. ``allowed`` is the threshold of ``--fail-if-slower``."""
    slower = None if allowed is None else comparison.slower_than(allowed)
    out = {
        "schema": SCHEMA,
        "a": _side(comparison.a),
        "b": _side(comparison.b),
        "paired": comparison.paired,
        "margin": comparison.margin,
        "environment_differences": [
            {"fact": item.name, "a": item.left, "b": item.right} for item in comparison.environment
        ],
        "software_differences": list(comparison.software),
        "adjustment": BENJAMINI_HOCHBERG,
        "comparisons": [
            _pair_data(pair, None if slower is None else any(pair is one for one in slower))
            for pair in comparison.pairs
        ],
        "geometric_means": [
            {
                "metric": name,
                "evidence": evidence,
                "ratio": mean.ratio,
                "ci_low": mean.low,
                "ci_high": mean.high,
                "confidence": mean.confidence,
                "cases": mean.cases,
                "method": mean.method,
            }
            for (name, evidence), mean in comparison.means.items()
        ],
        "only_in_a": [_case_data(item) for item in comparison.only_in_a],
        "only_in_b": [_case_data(item) for item in comparison.only_in_b],
        "fail_if_slower": allowed,
        "slower": None if slower is None else len(slower),
        "slower_adjustment": None if slower is None else HOLM,
        "slower_undecided": None if slower is None else len(comparison.undecided()),
    }
    done: dict[str, Any] = plain(out)
    return done


def _side(of: Side) -> dict[str, Any]:
    info = of.run.info
    return {"run": info.id, "name": info.name, "implementation": of.implementation, "started": info.started}


def _pair_data(pair: Pair, slower: bool | None) -> dict[str, Any]:
    case, verdict = pair.a.case, pair.verdict
    return {
        "scheme": case.scheme,
        "implementation_a": case.implementation,
        "implementation_b": pair.b.case.implementation,
        "target": case.target,
        "operation": case.operation.value,
        "input_bytes": case.input_bytes,
        "aad_bytes": case.aad_bytes,
        **({"file": case.file} if case.file else {}),
        "metric": pair.a.metric,
        "unit": pair.a.unit,
        "better": pair.a.better,
        "evidence": pair.a.evidence.value,
        "n_a": verdict.n_a,
        "n_b": verdict.n_b,
        "median_a": pair.median_a,
        "median_b": pair.median_b,
        "ratio": verdict.ratio,
        "ci_low": verdict.low,
        "ci_high": verdict.high,
        "confidence": verdict.confidence,
        "p": verdict.p,
        "p_adjusted": verdict.adjusted,
        "test": verdict.test,
        "verdict": pair.word,
        "equivalent": verdict.equivalent,
        "needed": verdict.needed,
        "inflation": verdict.inflation,
        "note": verdict.note,
        "slower_than_allowed": slower,
    }


def _case_data(item: Unmatched) -> dict[str, Any]:
    return {
        "scheme": item.scheme,
        "implementation": item.implementation,
        "target": item.target,
        "operation": item.operation,
        "input_bytes": item.input_bytes,
        "aad_bytes": item.aad_bytes,
        **({"file": item.file} if item.file else {}),
        "reason": item.reason,
    }
