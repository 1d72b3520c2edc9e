"""The document of a stored leak test, from the results of its cases.

A leak test keeps its results and not its readings, so nothing is computed here: the store may come
from elsewhere, and what does not have the shape of a result is left out with a note.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, fields, replace
from functools import cache
from typing import Any

from pydantic import TypeAdapter, ValidationError

from motebench.base.errors import ExitCode, InputError, StoreError
from motebench.base.model import Evidence, Failure, LeakRecord, Run, RunInfo, RunKind
from motebench.base.naming import probe_key
from motebench.base.shapes import part
from motebench.documents.leak import (
    CountedEntry,
    FlowCaseEntry,
    FlowVerdict,
    FollowedEntry,
    LeakEntry,
    LeakJudgedEntry,
    LeakRunEntry,
    LeakVerdict,
    LeftOutEntry,
    ProgramEntry,
    SecretFlowEntry,
)
from motebench.results.places import counts
from motebench.store import Store
from motebench.targets.machine import host_of

SCOPE = "leak"
"""Key of the `LeakScope` in the settings of a run."""
FOLLOWED = "secret flow"
"""Name of the result of a case whose secrets were followed."""
LeakResult = CountedEntry | LeakJudgedEntry | LeftOutEntry | FlowCaseEntry


@dataclass(frozen=True, slots=True)
class LeakScope:
    """The scope of a leak test, as the settings of its run keep it. ``samples``: for each
    secret. ``flow``: it follows secrets, by the program ``tool`` on a host, and the branches of the
    functions ``public`` are declared to be on public values.
    """

    target: str
    implementation: str
    evidence: str
    method: str
    samples: int
    flow: bool = False
    tool: str | None = None
    public: tuple[str, ...] = ()


def leak_test_of(store: Store, reference: str) -> LeakEntry | None:
    """The leak test of that number or name, or ``latest``; None if the text means something
    else.
    """
    run_id = store.leak_test(reference)
    return None if run_id is None else leak_document(store.load_run(run_id))


def leak_document(run: Run) -> LeakEntry:
    """Document of a leak test. StoreError if the store lacks the question."""
    info, scope = run.info, _scope(run.info)
    results, notes = _results(run)
    probe = part(part(info.environment, "probes"), probe_key(scope.target, scope.implementation))
    document = LeakEntry(
        run=LeakRunEntry(
            id=info.id,
            name=info.name,
            started=info.started,
            finished=info.finished,
            status=info.status,
            command=_text(info.settings.get("command")),
            notes=tuple(notes),
            cases=counts(run),
        ),
        motebench=info.version,
        target=scope.target,
        implementation=scope.implementation,
        evidence=scope.evidence,
        method=scope.method,
        samples=scope.samples,
        seed=info.seed,
        environment=ProgramEntry(
            version=_text(probe.get("version")) or "",
            compiler=_text(probe.get("compiler")) or "",
            flags=_text(probe.get("flags")) or "",
            host=host_of(part(part(info.environment, "machines"), scope.target))
            or host_of(info.environment),
        ),
        findings=tuple(
            entry for entry in results if isinstance(entry, CountedEntry | LeakJudgedEntry)
        ),
        left_out=tuple(entry for entry in results if isinstance(entry, LeftOutEntry)),
        failures=tuple(_failures(run)),
    )
    if not scope.flow:
        return document
    cases = tuple(case for case in results if isinstance(case, FlowCaseEntry))
    return _followed(document, scope, cases)


def _results(run: Run) -> tuple[list[LeakResult], list[str]]:
    """Results of all cases, and notes: those of the run, and on malformed results."""
    notes = dict.fromkeys(
        [*run.info.notes, *(note for result in run.results for note in result.notes)]
    )
    results: list[LeakResult] = []
    for result in run.results:
        for record in result.leaks:
            entry = _entry(record)
            if entry is not None:
                results.append(entry)
                continue
            problem = f"the result of varying {record.varied} of {result.case} is malformed"
            notes[f"store: {problem}; left out"] = None
    return results, list(notes)


def _followed(
    entry: LeakEntry, scope: LeakScope, cases: tuple[FlowCaseEntry, ...]
) -> FollowedEntry:
    """The leak test with the document of its secrets."""
    flow = SecretFlowEntry(
        run=entry.run,
        motebench=entry.motebench,
        target=entry.target,
        implementation=entry.implementation,
        evidence=entry.evidence,
        tool=scope.tool,
        compiler=entry.environment.compiler,
        flags=entry.environment.flags,
        seed=entry.seed,
        public=scope.public,
        host=entry.environment.host,
        cases=cases,
        failures=entry.failures,
    )
    common = {part.name: getattr(entry, part.name) for part in fields(entry)}
    return FollowedEntry(**common, flow=flow)


def printed(document: LeakEntry) -> LeakEntry | SecretFlowEntry:
    """The document as JSON shows it."""
    return document.flow if isinstance(document, FollowedEntry) else document


def exit_code(document: LeakEntry) -> ExitCode:
    """INTERRUPTED if the run was interrupted; else LEAK for a leak; else FAILURES for failed
    examinations or open conclusions.
    """
    if document.run.status == "interrupted":
        return ExitCode.INTERRUPTED
    flows = document.flow.cases if isinstance(document, FollowedEntry) else ()
    reached = any(case.verdict == FlowVerdict.REACHES for case in flows)
    if reached or any(entry.leaks for entry in document.findings):
        return ExitCode.LEAK
    still_open = any(LeakVerdict(entry.verdict).open for entry in document.findings)
    return ExitCode.FAILURES if document.failures or still_open else ExitCode.OK


def _scope(info: RunInfo) -> LeakScope:
    if info.kind is not RunKind.LEAK:
        raise InputError(
            f"run {info.name} is not a leak test", where="RUN", hint=f"motebench show {info.name}"
        )
    try:
        scope: LeakScope = _adapter(LeakScope).validate_python(info.settings.get(SCOPE))
        Evidence(scope.evidence)
    except ValueError:
        raise StoreError(
            f"run {info.name} cannot be shown: its settings lack the question",
            where="--store",
        ) from None
    return scope


def _entry(record: LeakRecord) -> LeakResult | None:
    content = record.content
    shape: Any = (
        LeftOutEntry
        if "reason" in content
        else CountedEntry
        if "cycles" in content
        else FlowCaseEntry
        if record.varied == FOLLOWED
        else LeakJudgedEntry
    )
    try:
        entry: LeakResult = _adapter(shape).validate_python(content)
    except (ValidationError, RecursionError):
        return None
    if isinstance(entry, LeftOutEntry):
        return entry
    if isinstance(entry, FlowCaseEntry):
        return entry if entry.verdict in set(FlowVerdict) else None
    without_arms = isinstance(entry, LeakJudgedEntry) and not entry.arms
    return entry if entry.verdict in set(LeakVerdict) and not without_arms else None


@cache
def _adapter(shape: Any) -> TypeAdapter[Any]:
    return TypeAdapter(shape)


def _failures(run: Run) -> Iterator[Failure]:
    """Failures of the run; several operations of a scheme that failed alike are one, of no
    operation.
    """
    by_message: dict[tuple[str, str, str], list[Failure]] = {}
    for failure in [
        *run.failures,
        *(result.failure for result in run.results if result.failure is not None),
    ]:
        by_message.setdefault((failure.scheme, failure.kind, failure.message), []).append(failure)
    for alike in by_message.values():
        yield alike[0] if len(alike) == 1 else replace(alike[0], operation=None, input_bytes=None)


def _text(value: object) -> str | None:
    return value if isinstance(value, str) else None
