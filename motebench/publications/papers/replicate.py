"""Carries out the study of a paper again, and lays what comes of it beside what was printed."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path

from motebench.base.errors import InputError, MotebenchError
from motebench.base.model import FailureKind, Run
from motebench.base.paths import studies_dir
from motebench.base.process import TemporaryFolder
from motebench.base.units import MAIN
from motebench.catalog.published import Paper, paper
from motebench.documents.result import Result
from motebench.measuring.request import Observer, Resume, Start, carry_out
from motebench.measuring.study.load import from_file, to_toml
from motebench.measuring.study.model import Group
from motebench.measuring.study.question import Question
from motebench.measuring.verify.verification import verify
from motebench.publications.papers.checks import ExampleCheck
from motebench.publications.papers.claims import ClaimsFile, PaperClaim, ReplicationPart, folder_of, read_claims
from motebench.publications.papers.judging import JudgedSide, judge
from motebench.publications.papers.outcomes import JudgedClaim
from motebench.publications.papers.values import ClaimValue, own_cells, published_cells
from motebench.results.document import result
from motebench.store import Store
from motebench.targets.code.workspace import Workspace

SMALL = "small"
KEPT = 1000
"""Bytes of the largest size that is never made smaller."""
_STEP = 16


@dataclass(frozen=True, slots=True)
class InputScale:
    """How much smaller than published inputs are: a factor, or what each part calls ``small``."""

    factor: float = 1.0
    small: bool = False

    @classmethod
    def of(cls, text: str) -> InputScale:
        """``small``, or a factor of at most 1. InputError for anything else."""
        if text == SMALL:
            return cls(small=True)
        try:
            factor = float(text)
        except ValueError:
            factor = 0.0
        if not 0 < factor <= 1:
            raise InputError(f"{text!r} is not a scale", where="--scale", valid="small, or a number up to 1: 0.1")
        return cls(factor)

    def for_part(self, part: ReplicationPart) -> float:
        """The factor of the sizes of a part."""
        return (part.small if self.small else self.factor) if part.scales else 1.0

    @property
    def name(self) -> str:
        """A word for names of runs; empty for the published sizes."""
        return SMALL if self.small else "" if self.factor == 1 else f"x{self.factor:g}"


@dataclass(frozen=True, slots=True)
class PreparedPart:
    """A part that can be run. ``sizes``: the published size of each that is measured."""

    part: ReplicationPart
    question: Question
    sizes: Mapping[int, int]


def kind_of(target: str) -> str:
    """``command`` for whole processes, ``board`` for what firmware runs on, else ``machine``."""
    if target == "command" or target.startswith("command:"):
        return "command"
    return "board" if target.startswith(("sim:", "serial:")) else "machine"


def targets_for(part: ReplicationPart, asked: Sequence[str]) -> tuple[str, ...]:
    """The targets of a part: those asked for that are of the kind of its own, else its own."""
    fitting = tuple(target for target in asked if kind_of(target) == kind_of(part.target))
    return fitting or (part.target,)


def check_targets(parts: Iterable[ReplicationPart], asked: Sequence[str]) -> None:
    """InputError for a target that no part can be measured on."""
    kinds = {kind_of(part.target): part.target for part in parts}
    for target in asked:
        if kind_of(target) not in kinds:
            raise InputError(
                f"this paper has no part that runs on {target!r}",
                where="--target",
                valid=", ".join(f"a target like {name}" for name in kinds.values()),
            )


def prepare(part: ReplicationPart, folder: Path, asked: Sequence[str], scale: InputScale) -> PreparedPart:
    """The question of a part, with its targets and sizes."""
    path = folder / part.study
    question = from_file(path if path.exists() else studies_dir() / part.study)
    wanted = [number - 1 for number in part.groups] or range(len(question.study.measure))
    factor = scale.for_part(part)
    sizes: dict[int, int] = {}
    groups = []
    for number in wanted:
        group = question.study.measure[number]
        own = group.targets
        kinds = {kind_of(name) for name in own}
        targets = targets_for(part, asked) if kinds == {kind_of(part.target)} and (asked or len(own) == 1) else own
        changes = {"targets": targets, **({"schemes": part.schemes} if part.schemes else {})}
        if part.implementations:
            changes["implementations"] = part.implementations
        groups.append(_scaled(group.model_copy(update=changes), factor, sizes))
    study = question.study.model_copy(update={"measure": tuple(groups)})
    short = part.model_dump(include={"budget", "warmup", "invocations"}, exclude_none=True) if scale.small else {}
    if short:
        study = study.model_copy(update={"sampling": study.sampling.model_copy(update=short)})
    return PreparedPart(part, replace(question, study=study, text=to_toml(study), name=part.study), sizes)


def _scaled(group: Group, factor: float, sizes: dict[int, int]) -> Group:
    changes = {}
    for name in ("sizes", "file_sizes"):
        found = []
        for size in getattr(group, name):
            new = size if factor == 1 or size <= KEPT else max(KEPT, round(size * factor / _STEP) * _STEP)
            if sizes.setdefault(new, size) != size:
                raise InputError(
                    f"with this scale, {size} and {sizes[new]} bytes become one size",
                    where="--scale",
                    valid="a larger one",
                )
            found.append(new)
        changes[name] = tuple(found)
    return group.model_copy(update=changes)


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
        done = carry_out(store, Resume(same[-1].name), observer)
        if done.interrupted:
            raise KeyboardInterrupt
        return done.runs[0]
    new = name if not there else f"{name}.{len(there) + 1}"
    done = carry_out(store, Start(prepared.question, name=new), observer)
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
