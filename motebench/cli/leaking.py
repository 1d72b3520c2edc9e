"""Looking for leaks through time, and showing what was found."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

import click

from motebench import __version__
from motebench.catalog import match, schemes
from motebench.environment import describe
from motebench.errors import ExitCode, InputError, SetupError
from motebench.leak.checking import Finding, Question, check, usual_operations, usual_schemes
from motebench.leak.exact import Spread
from motebench.leak.inputs import data_of
from motebench.leak.statistical import FIXED, Suspicion
from motebench.misspelt import no_implementation
from motebench.model import Failure, Operation, Scheme
from motebench.naming import split_list
from motebench.stats.leak import FEWEST, SURE, Welch
from motebench.targets.base import Target
from motebench.targets.registry import open_target
from motebench.units import parse_size
from motebench.wire.messages import Hello, Job, ProbeFailure

EXACT_SAMPLES, HOST_SAMPLES = 300, 20_000
_MOST_SCHEMES = 12
"""More are not examined unless they are named: it would take long."""
_FEWEST_ON_HOST = 8 * FIXED * FEWEST


def leak(
    name: str,
    implementation: str,
    patterns: Sequence[str],
    operations: Sequence[str],
    *,
    size: str,
    samples: int | None,
    seed: int,
) -> dict[str, Any]:
    """The document of an examination. InputError for what there is not; SetupError if the probe cannot be had."""
    target = open_target(name, where="--target")
    available = target.implementations()
    if implementation not in available:
        raise no_implementation(implementation, available, name, where="--implementation")
    if not target.exact and samples is not None and samples < _FEWEST_ON_HOST:
        raise InputError("so few readings tell nothing", where="--samples", valid=f"at least {_FEWEST_ON_HOST}")
    asked = _operations(operations)
    length = parse_size(size, where="--size")
    try:
        session = target.open(implementation)
        try:
            chosen = _schemes(patterns, list(session.offers()), implementation, asked)
            if samples is None:
                samples = EXACT_SAMPLES if target.exact else HOST_SAMPLES
            question = Question(implementation, chosen, asked, length, samples, seed)
            found = list(check(target, session, question))
            hello = session.hello
        finally:
            session.close()
    except ProbeFailure as failure:
        raise SetupError(f"{implementation} on {name}: {failure.kind.value}: {failure.message}") from None
    return _document(target, question, found, hello)


def _operations(entries: Sequence[str]) -> list[Operation]:
    names = split_list(entries)
    valid = [operation.value for operation in Operation if not operation.on_file and operation is not Operation.VERIFY]
    for name in names:
        if name not in valid:
            what = "handles no secret" if name == Operation.VERIFY.value else "cannot be examined"
            raise InputError(f"operation {name!r} {what}", where="--operation", valid=", ".join(valid))
    return [Operation(name) for name in names]


def _schemes(
    patterns: Sequence[str], offered: list[str], implementation: str, operations: Sequence[Operation]
) -> list[Scheme]:
    there = [scheme for name, scheme in schemes().items() if name in offered]
    parts = split_list(patterns)
    wanted = {scheme.name for part in parts for scheme in match(part)}
    chosen = [scheme for scheme in there if scheme.name in wanted] if parts else usual_schemes(there)
    chosen = [scheme for scheme in chosen if set(operations or usual_operations(scheme)) & set(scheme.operations)]
    if not chosen:
        raise InputError(
            f"{implementation} has none of these with such an operation",
            where="--scheme", valid=", ".join(scheme.name for scheme in there) or None,
        )  # fmt: skip
    if not parts and len(chosen) > _MOST_SCHEMES:
        raise InputError(
            f"{implementation} has {len(chosen)} schemes to examine", valid="--scheme with those you mean",
            hint=f"motebench list schemes --implementation {implementation}",
        )  # fmt: skip
    return chosen


def _document(target: Target, question: Question, found: Sequence[Finding | Failure], hello: Hello) -> dict[str, Any]:
    return {
        "motebench": __version__,
        "target": target.name,
        "implementation": question.implementation,
        "evidence": target.evidence.value,
        "method": "every cycle counted" if target.exact else "Welch's t-test, fixed against random inputs",
        "samples": question.samples,
        "seed": question.seed,
        "environment": {
            "version": hello.version,
            "compiler": hello.compiler,
            "flags": hello.flags,
            "host": describe()["host"],
        },
        "findings": [_entry(item) for item in found if isinstance(item, Finding)],
        "failures": [asdict(item) for item in found if isinstance(item, Failure)],
    }


def _entry(item: Finding) -> dict[str, Any]:
    entry: dict[str, Any] = {
        "scheme": item.scheme,
        "operation": item.operation.value,
        "input_bytes": item.input_bytes,
        "varied": item.varied.value,
        "leaks": item.leaks,
    }
    if isinstance(item.result, Spread):
        return {**entry, **_counted(item.result, item)}
    return {**entry, **_judged(item.result)}


def _counted(spread: Spread, item: Finding) -> dict[str, Any]:
    example = None
    if not spread.constant:
        example = {
            "fewest": {**_input(spread.low), "cycles": spread.fewest},
            "most": {**_input(spread.high), "cycles": spread.most},
            "repeats": spread.repeats,
        }
        if item.without_cache:
            low, high = item.without_cache.low, item.without_cache.high
            example["without_cache"] = {"fewest": low, "most": high}
    return {
        "verdict": "constant" if spread.constant else "leaks" if spread.repeats else "varies, not with the input alone",
        "cycles": {"fewest": spread.fewest, "most": spread.most, "distinct": spread.distinct},
        "example": example,
    }


def _judged(found: Suspicion) -> dict[str, Any]:
    verdict = "machine too noisy" if found.noisy else "leaks" if found.leaks else "no difference found"
    return {
        "verdict": verdict,
        "median_ns": found.median,
        "test": _test(found.worst),
        "fixed": _input(found.fixed),
        "control": _test(found.control),
        "sure_below_p": SURE,
    }


def _test(test: Welch) -> dict[str, Any]:
    return {
        "t": test.t if math.isfinite(test.t) else None,
        "p": test.p,
        "difference_ns": test.difference,
        "low_ns": test.low,
        "high_ns": test.high,
        "share_of_readings": test.share,
        "detectable_ns": test.detectable,
    }


def _input(job: Job) -> dict[str, str]:
    return {"key": job.key.hex(), "nonce": job.nonce.hex(), "message": data_of(job).hex()}


def exit_code(document: dict[str, Any]) -> ExitCode:
    """LEAK if there is one; else FAILURES if something could not be examined."""
    if any(entry["leaks"] for entry in document["findings"]):
        return ExitCode.LEAK
    return ExitCode.FAILURES if document["failures"] else ExitCode.OK


def show(document: dict[str, Any]) -> None:
    """The document as text."""
    from motebench.cli.rows import print_rows

    findings = document["findings"]
    click.echo(
        f"{document['implementation']} on {document['target']}: {document['method']}, {document['evidence']}, "
        f"{document['samples']} inputs for each secret"
    )
    print_rows([_row(entry) for entry in findings])
    for entry in findings:
        if entry.get("example"):
            _show_example(entry)
    if findings and "test" in findings[0]:
        click.echo(
            f"\nA leak is called at an error probability of {SURE:g}. No difference found is no proof "
            "that there is none: it may be smaller than what would have been seen, or show only where caches and "
            "predictors are cold."
        )
    for failure in document["failures"]:
        what = f"{failure['scheme']} {failure['operation'] or ''}".strip()
        click.echo(f"\nfailed: {what} ({failure['kind']}): {failure['message']}")


def _row(entry: dict[str, Any]) -> dict[str, Any]:
    row = {
        "scheme": entry["scheme"],
        "operation": entry["operation"],
        "bytes": entry["input_bytes"] or None,
        "random": entry["varied"],
    }
    if "cycles" in entry:
        cycles = entry["cycles"]
        spread = cycles["most"] - cycles["fewest"]
        return {**row, **cycles, "spread": spread, "verdict": entry["verdict"]}
    test = entry["test"]
    return {
        **row,
        "median": f"{entry['median_ns']:.4g} ns",
        "difference": f"{test['difference_ns']:+.3g} ns",
        "95 %": f"{test['low_ns']:+.3g} to {test['high_ns']:+.3g} ns",
        "t": "infinite" if test["t"] is None else f"{test['t']:.1f}",
        "p": f"{test['p']:.2g}",
        "would be seen": f"{test['detectable_ns']:.2g} ns",
        "verdict": entry["verdict"],
    }


def _show_example(entry: dict[str, Any]) -> None:
    example = entry["example"]
    click.echo(f"\n{entry['scheme']} {entry['operation']}, random {entry['varied']}: an example pair")
    for which in ("fewest", "most"):
        side = example[which]
        parts = [f"{name} {side[name]}" for name in ("key", "nonce", "message") if side[name]]
        click.echo(f"  {side['cycles']} cycles: {', '.join(parts)}")
    if not example["repeats"]:
        click.echo("  put again, the same input took other cycles: something else than the input decides, too")
    without = example.get("without_cache")
    if without and without["fewest"] == without["most"]:
        click.echo(
            f"  without the cache of the flash both take {without['most']} cycles: the cache is what tells them apart, "
            "as it does with look-ups in tables; on a part without a cache there is no such leak"
        )
    elif without:
        click.echo(f"  without the cache of the flash they take {without['fewest']} and {without['most']} cycles")
