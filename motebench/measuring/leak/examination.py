"""Examination of an implementation for timing leaks: its scope, and the document of its findings."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from motebench.base.errors import ExitCode, InputError, SetupError
from motebench.base.model import Failure, Operation, Scheme
from motebench.base.naming import split_list
from motebench.base.units import parse_size
from motebench.catalog import Schemes
from motebench.documents.leak import (
    ControlEntry,
    CountedEntry,
    CyclesEntry,
    ExampleEntry,
    InputEntry,
    LeakArmEntry,
    LeakDifferenceEntry,
    LeakEntry,
    LeakJudgedEntry,
    LeakTestEntry,
    LeakVerdict,
    LeftOutEntry,
    ProgramEntry,
    ShiftEntry,
    TimedInputEntry,
    WithoutCacheEntry,
)
from motebench.measuring.leak.checking import (
    CycleSpread,
    LeakFinding,
    LeakQuestion,
    LeftOut,
    WithoutCache,
    check,
    usual_operations,
    usual_schemes,
)
from motebench.measuring.leak.inputs import Input, data_of
from motebench.measuring.leak.statistical import LeakArm, Suspicion, fewest_samples
from motebench.stats.leak import CONFIDENCE, SURE, UNFIT, LeakShift
from motebench.targets.base import Target
from motebench.targets.code.workspace import Workspace
from motebench.targets.machine import describe
from motebench.targets.registry import implementations_of, missing_implementation, open_target
from motebench.targets.wire.messages import Hello, ProbeFailure
from motebench.version import __version__

EXACT_SAMPLES, HOST_SAMPLES = 300, 20_000
_MOST_SCHEMES = 12
"""Most schemes that are examined unless the user names them: more would take long."""
_MOST_FIXED = 30
"""Most fixed inputs of one secret: DES has many weak keys."""
_FEWEST_ON_HOST = fewest_samples(_MOST_FIXED)


@dataclass(frozen=True, slots=True)
class LeakRequest:
    """Request of a leak test, as the command line names things. ``schemes``, ``operations``: none means the usual ones.

    ``size``: of messages, as text; ``samples``: None means `EXACT_SAMPLES` or `HOST_SAMPLES`.
    """

    target: str
    implementation: str
    schemes: Sequence[str]
    operations: Sequence[str]
    size: str
    samples: int | None
    seed: int


def examine(workspace: Workspace, request: LeakRequest) -> LeakEntry:
    """The document of an examination. InputError for unknown names; SetupError if the probe is unavailable."""
    name, implementation = request.target, request.implementation
    target = open_target(name, where="--target", code=workspace.code)
    _check_target(target, request)
    _check_offered(workspace.schemes, target, request)
    operations = _operations(request.operations)
    length = parse_size(request.size, where="--size")
    try:
        session = target.open(implementation)
        try:
            offered = list(session.offers())
            chosen = _schemes(workspace.schemes, request.schemes, offered, implementation, operations)
            samples = request.samples
            if samples is None:
                samples = EXACT_SAMPLES if target.place.exact else HOST_SAMPLES
            code = workspace.code_of(implementation)
            question = LeakQuestion(implementation, chosen, operations, length, samples, request.seed, code=code)
            findings = list(check(target, session, question))
            hello = session.hello
        finally:
            session.close()
    except ProbeFailure as failure:
        raise SetupError(f"{implementation} on {name}: {failure.kind.value}: {failure.message}") from None
    return _document(target, question, findings, hello)


def _check_target(target: Target, request: LeakRequest) -> None:
    if target.place.metric != "time":
        raise InputError(
            f"{request.target} counts {target.place.metric}: two inputs with one count may still differ in time",
            where="--target", valid="targets with a clock: host, a simulated board (sim:), a board (serial:)",
        )  # fmt: skip
    if request.implementation not in implementations_of(target, [request.implementation]):
        raise missing_implementation(request.implementation, target, where="--implementation")
    if not target.place.exact and request.samples is not None and request.samples < _FEWEST_ON_HOST:
        raise InputError("too few readings for a test", where="--samples", valid=f"at least {_FEWEST_ON_HOST}")


def _check_offered(known: Schemes, target: Target, request: LeakRequest) -> None:
    """InputError if the implementation is known to have none of the schemes: nothing is built for it then."""
    named = [scheme for part in split_list(request.schemes) for scheme in known.match(part)]
    if named and not target.may_offer(request.implementation, named):
        available = [scheme.name for scheme in known.values() if target.may_offer(request.implementation, [scheme])]
        raise _none(request.implementation, available)


def _none(implementation: str, available: Sequence[str]) -> InputError:
    return InputError(
        f"{implementation} has none of these schemes with an operation that leak examines",
        where="--scheme", valid=", ".join(available) or None,
    )  # fmt: skip


def _operations(entries: Sequence[str]) -> list[Operation]:
    names = split_list(entries)
    valid = [operation.value for operation in Operation if not operation.on_file and operation is not Operation.VERIFY]
    for name in names:
        if name not in valid:
            what = "handles no secret" if name == Operation.VERIFY.value else "cannot be examined"
            raise InputError(f"operation {name!r} {what}", where="--operation", valid=", ".join(valid))
    return [Operation(name) for name in names]


def _named(known: Schemes, parts: Sequence[str], available: Sequence[Scheme]) -> list[Scheme]:
    """The available schemes that a name or pattern means."""
    matching = {scheme.name for part in parts for scheme in known.match(part)}
    return [scheme for scheme in available if scheme.name in matching]


def _schemes(
    known: Schemes,
    patterns: Sequence[str],
    offered: list[str],
    implementation: str,
    operations: Sequence[Operation],
) -> list[Scheme]:
    available = [scheme for name, scheme in known.items() if name in offered]
    parts = split_list(patterns)
    named = _named(known, parts, available) if parts else usual_schemes(available)
    chosen = [scheme for scheme in named if set(operations or usual_operations(scheme)) & set(scheme.operations)]
    if not chosen:
        raise _none(implementation, [scheme.name for scheme in available])
    if not parts and len(chosen) > _MOST_SCHEMES:
        raise InputError(
            f"{implementation} has {len(chosen)} schemes to examine", valid="--scheme with the schemes to examine",
            hint=f"motebench list schemes --implementation {implementation}",
        )  # fmt: skip
    return chosen


def _document(
    target: Target, question: LeakQuestion, found: Sequence[LeakFinding | LeftOut | Failure], hello: Hello
) -> LeakEntry:
    return LeakEntry(
        motebench=__version__,
        target=target.name,
        implementation=question.implementation,
        evidence=target.place.evidence,
        method="every cycle counted" if target.place.exact else "rank tests, fixed against random inputs",
        samples=question.samples,
        seed=question.seed,
        environment=ProgramEntry(
            version=hello.version,
            compiler=hello.compiler,
            flags=hello.flags,
            host=target.place.environment().get("host") or describe()["host"],
        ),
        findings=tuple(_entry(item) for item in found if isinstance(item, LeakFinding)),
        left_out=tuple(
            LeftOutEntry(scheme=item.scheme, operation=item.operation, varied=item.varied, reason=item.reason)
            for item in found
            if isinstance(item, LeftOut)
        ),
        failures=tuple(item for item in found if isinstance(item, Failure)),
    )


def _entry(item: LeakFinding) -> CountedEntry | LeakJudgedEntry:
    common: dict[str, Any] = {
        "scheme": item.scheme,
        "operation": item.operation,
        "input_bytes": item.input_bytes,
        "varied": item.varied,
        "verdict": item.verdict,
        "leaks": item.leaks,
        "refused": item.result.refused,
    }
    if isinstance(item.result, CycleSpread):
        spread = item.result
        return CountedEntry(
            **common,
            inputs=spread.samples,
            cycles=CyclesEntry(fewest=spread.fewest, most=spread.most, distinct=spread.distinct),
            accepted_cycles=spread.accepted,
            example=None if spread.constant else _example(spread, item.without_cache),
        )
    return _judged(item.result, common)


def _example(spread: CycleSpread, without: WithoutCache | None) -> ExampleEntry:
    return ExampleEntry(
        fewest=TimedInputEntry(**_input(spread.low), cycles=spread.fewest),
        most=TimedInputEntry(**_input(spread.high), cycles=spread.most),
        repeats=spread.repeats,
        without_cache=None if without is None else WithoutCacheEntry(fewest=without.low, most=without.high),
    )


def _judged(found: Suspicion, common: dict[str, Any]) -> LeakJudgedEntry:
    arms = tuple(_arm(found, arm) for arm in found.ranked)
    return LeakJudgedEntry(**common, arms=arms, arms_left_out=found.left_out)


def _arm(found: Suspicion, arm: LeakArm) -> LeakArmEntry:
    judgement = arm.judgement
    chosen, leak, control = found.fixed[judgement.chosen], judgement.leak, judgement.control
    return LeakArmEntry(
        caches=arm.caches,
        leaks=judgement.leaks,
        median_ns=arm.median,
        test=LeakTestEntry(
            p=leak.p, share_of_readings=leak.share, input=found.fixed[leak.which].name, sure_below_p=SURE
        ),
        difference=LeakDifferenceEntry(input=InputEntry(**_input(chosen)), **_shift(judgement.difference)),
        would_be_seen_ns=judgement.detectable,
        control=ControlEntry(
            p=control.p,
            share_of_readings=control.share,
            input=found.fixed[control.which].name if control.which >= 0 else "random",
            unfit_below_p=UNFIT,
        ),
        accepted=None if arm.accepted is None else ShiftEntry(**_shift(arm.accepted)),
    )


def _shift(shift: LeakShift) -> dict[str, float]:
    return {"ns": shift.estimate, "low_ns": shift.low, "high_ns": shift.high, "confidence": CONFIDENCE}


def _input(item: Input) -> dict[str, str]:
    job = item.job
    return {
        "name": item.name,
        "key": job.key.hex(),
        "nonce": job.nonce.hex(),
        "message": data_of(job).hex(),
        "peer": job.peer.hex(),
        "tag": job.tag.hex(),
        "ciphertext": job.ciphertext.hex(),
        "coins": job.seed.hex(),
    }


def exit_code(found: LeakEntry) -> ExitCode:
    """LEAK if there is a leak; else FAILURES if something could not be examined, or if there is no conclusion."""
    if any(entry.leaks for entry in found.findings):
        return ExitCode.LEAK
    still_open = any(LeakVerdict(entry.verdict).open for entry in found.findings)
    return ExitCode.FAILURES if found.failures or still_open else ExitCode.OK
