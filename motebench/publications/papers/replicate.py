"""Carries out the study of a paper again, and lays what comes of it beside what was printed."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from motebench.base.errors import MotebenchError
from motebench.base.metrics import MAIN
from motebench.base.model import FailureKind, Run
from motebench.base.process import TemporaryFolder
from motebench.catalog.papers import Paper, paper
from motebench.documents.result import Result
from motebench.measuring.run.measure import measure
from motebench.measuring.run.request import Observer, Resume, Start
from motebench.measuring.verify.verification import verify
from motebench.publications.papers.cells import ClaimValue, own_cells
from motebench.publications.papers.judging import JudgedSide, judge
from motebench.publications.papers.model import ClaimsFile, ExampleCheck, PaperClaim, ReplicationPart
from motebench.publications.papers.parts import InputScale, PreparedPart, check_targets, prepare
from motebench.publications.papers.published import published_cells
from motebench.publications.papers.reading import folder_of, read_claims
from motebench.publications.papers.verdict import JudgedClaim
from motebench.results.results import result
from motebench.store import Store
from motebench.targets.code.workspace import Workspace

PUBLISHED = InputScale()
"""The sizes of the paper."""
_OF_THE_CIPHER = (
    FailureKind.TOO_BIG,
    FailureKind.WRONG_ANSWER,
    FailureKind.ERROR,
    FailureKind.CRASH,
    FailureKind.TIMEOUT,
)
"""Failures that say that a case cannot run, and not that a tool was absent or a connection broke."""
_WORKED = "mote/*"
"""Implementations of the host that compute a worked example."""


@dataclass(frozen=True, slots=True)
class ClaimVerdicts:
    """A claim with its verdicts: by the published numbers, by the paper's method here, and by our own."""

    claim: PaperClaim
    published: JudgedClaim
    replicated: JudgedClaim
    own: JudgedClaim | None


@dataclass(frozen=True, slots=True)
class Replication:
    """Everything that a page says of a paper. ``problems``: parts that could not be measured, and why."""

    paper: Paper
    claims: ClaimsFile
    published: Sequence[ClaimValue]
    replicated: Sequence[ClaimValue]
    own: Sequence[ClaimValue]
    told: Sequence[ClaimVerdicts]
    runs: Sequence[Result]
    scale: str
    problems: Sequence[str] = ()


@dataclass(slots=True)
class _MethodRuns:
    """What the runs of one method gave."""

    cells: list[ClaimValue] = field(default_factory=list)
    missing: set[tuple[str, int, str]] = field(default_factory=set)
    disturbed: int = 0


def run_name(key: str, part: str, scale: InputScale, targets: Sequence[str]) -> str:
    """The name of the run of a part, always the same for the same request."""
    words = [key, part, *([scale.name] if scale.name else []), *(target.replace(":", "-") for target in targets)]
    return "_".join("".join(char if char.isalnum() or char in "-." else "-" for char in word) for word in words)


def check_request(keys: Sequence[str], targets: Sequence[str]) -> None:
    """InputError for an unknown paper, or for a target that no part of these papers can be measured on."""
    check_targets([part for key in keys for part in read_claims(key).part], targets)


def replicate(
    key: str,
    store: str,
    *,
    targets: Sequence[str] = (),
    scale: InputScale = PUBLISHED,
    resume: bool = False,
    observer: Observer | None = None,
) -> Replication:
    """Measure every part of a paper's study, and judge its claims.

    ``resume``: runs that an earlier call finished count as they are, and one that it left is continued. A part that
    cannot be measured (a program is not installed) is a problem that is told; the others are measured.
    """
    claims = read_claims(key)
    folder = folder_of(key)
    runs, problems, found = [], [], {"paper": _MethodRuns(), "own": _MethodRuns()}
    for part in claims.part:
        try:
            prepared = prepare(part, folder, targets, scale)
            run = _measured(store, key, prepared, scale, targets, resume=resume, observer=observer)
        except MotebenchError as error:
            if error.exit_code.name == "STORE":
                raise
            problems.append(f"{part.name} ({part.about}): {error.what}{f'; {error.hint}' if error.hint else ''}")
            continue
        runs.append(result(run))
        if failed := _failed(part, runs[-1]):
            problems.append(failed)
        _collect(found[part.method], claims, runs[-1], prepared.sizes)
    return told(key, claims, runs, found["paper"], found["own"], scale.name, problems)


def of_runs(key: str, runs: Sequence[Result]) -> Replication:
    """The claims of a paper by results that exist: their sizes are taken as published."""
    claims = read_claims(key)
    found = _MethodRuns()
    for run in runs:
        _collect(found, claims, run, {})
    return told(key, claims, runs, found, _MethodRuns(), "", ())


def told(
    key: str,
    claims: ClaimsFile,
    runs: Sequence[Result],
    replicated: _MethodRuns,
    own: _MethodRuns,
    scale: str,
    problems: Sequence[str],
) -> Replication:
    """The verdicts on all claims."""
    published = published_cells(folder_of(key), claims)
    with _worked() as answer:
        there = JudgedSide(published, False, claims.device, claims.quantity, answer=answer)
        here, mine = (
            JudgedSide(
                found.cells, True, claims.device, {}, frozenset(found.missing), answer, found.disturbed, found is own
            )
            for found in (replicated, own)
        )
        judged = [
            ClaimVerdicts(claim, judge(claim, there), judge(claim, here), judge(claim, mine) if own.cells else None)
            for claim in claims.claim
        ]
    return Replication(paper(key), claims, published, replicated.cells, own.cells, judged, runs, scale, tuple(problems))


def _collect(found: _MethodRuns, claims: ClaimsFile, run: Result, sizes: Mapping[int, int]) -> None:
    found.cells += own_cells(run, claims.subject, sizes)
    found.disturbed += sum(not row.quotable for row in run.measurements if row.metric in MAIN)
    for failure in run.failures:
        for subject in claims.subject:
            if failure.scheme in subject.schemes and failure.input_bytes and failure.kind in _OF_THE_CIPHER:
                found.missing.add((subject.name, sizes.get(failure.input_bytes, failure.input_bytes), failure.target))


def _failed(part: ReplicationPart, run: Result) -> str | None:
    """What of a part has no number and should have one, in a sentence. Code that is too big for a board is a result."""
    failures = [failure for failure in run.failures if failure.kind != FailureKind.TOO_BIG]
    if not failures:
        return None
    kinds = Counter(failure.kind for failure in failures)
    said = ", ".join(f"{count} by {kind}" for kind, count in kinds.most_common())
    return f"{part.name} ({part.about}): {len(failures)} cases failed ({said}): {failures[0].message}"


def _measured(
    store: str,
    key: str,
    prepared: PreparedPart,
    scale: InputScale,
    targets: Sequence[str],
    *,
    resume: bool,
    observer: Observer | None,
) -> Run:
    """The run of a part: taken up where there is one to resume, else new."""
    name = run_name(key, prepared.part.name, scale, targets)
    with Store.open(store, create=True) as opened:
        there = [info for info in opened.runs() if info.name == name or info.name.startswith(f"{name}.")]
        same = [info for info in there if info.study == prepared.question.text]  # the study may have changed since
        if resume and same and same[-1].status == "finished":
            return opened.load_run(same[-1].id)
    if resume and same:
        done = measure(store, Resume(same[-1].name), observer)
        if done.interrupted:
            raise KeyboardInterrupt
        return done.runs[0]
    new = name if not there else f"{name}.{len(there) + 1}"
    done = measure(store, Start(prepared.question, name=new), observer)
    if done.interrupted:
        raise KeyboardInterrupt
    return done.runs[0]


class _WorkedExamples:
    """Computes worked examples with our own implementations on this machine."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def __call__(self, check: ExampleCheck) -> tuple[bool, str]:
        data, out = (check.output, check.input) if check.decrypt else (check.input, check.output)
        vector = {"id": "worked", "op": "encrypt", "key": check.key.lower(), "data": data.lower(), "out": out.lower()}
        file = self._folder / "worked.json"
        file.write_text(json.dumps({"format": "motebench-vectors-1", "scheme": check.scheme, "vectors": [vector]}))
        found = verify(Workspace(), ["host"], [_WORKED], [check.scheme], file)
        passed = [row.implementation for row in found.implementations if row.passed and not row.failed]
        failed = [row.implementation for row in found.implementations if row.failed]
        step = f"{check.scheme} of {check.input} with key {check.key} {'decrypts' if check.decrypt else 'encrypts'}"
        if failed or not passed:
            return False, f"{step} to something else than {check.output} ({', '.join(failed)})"
        return True, f"{step} to {check.output} ({', '.join(passed)})"


@contextmanager
def _worked() -> Iterator[_WorkedExamples]:
    with TemporaryFolder() as folder:
        yield _WorkedExamples(Path(folder))
