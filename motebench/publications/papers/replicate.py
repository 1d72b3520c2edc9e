"""Re-runs the study of a paper and compares the results with the published numbers."""

from __future__ import annotations

import json
import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path

from motebench.base.errors import ExitCode, MotebenchError
from motebench.base.identity import CaseId
from motebench.base.model import FailureKind, Run
from motebench.base.naming import unplaced
from motebench.base.process import TemporaryFolder
from motebench.base.units import MAIN
from motebench.catalog.published import Paper, paper
from motebench.documents.result import Result
from motebench.measuring.request import Observer, Resume, Start, carry_out
from motebench.measuring.run.context import WorkLimit
from motebench.measuring.study.question import Question
from motebench.measuring.verify.verification import verify
from motebench.publications.papers.checks import ExampleCheck, Names
from motebench.publications.papers.claims import (
    ClaimsFile,
    PaperClaim,
    ReplicationPart,
    folder_of,
    read_claims,
)
from motebench.publications.papers.judging import JudgedSide, judge
from motebench.publications.papers.looks import (
    EXTRA_SECONDS,
    CaseCost,
    OpenClaim,
    OutlinedPart,
    OutlinedReplication,
    ScheduledPart,
    affordable,
    compared_cases,
    costs_of,
    look_question,
    open_claim,
    outlined,
    pooled,
    seconds_between,
)
from motebench.publications.papers.outcomes import ClaimVerdict, JudgedClaim
from motebench.publications.papers.parts import PUBLISHED, InputScale, check_targets
from motebench.publications.papers.planning import LOOKS, RESOLUTION, ClaimPlanner
from motebench.publications.papers.values import (
    ONE_LOOK,
    ClaimValue,
    LookStarts,
    own_cells,
    published_cells,
)
from motebench.results.document import result
from motebench.stats import EQUIVALENT
from motebench.store import Store
from motebench.targets.code.workspace import Workspace

_OF_THE_CIPHER = (
    FailureKind.TOO_BIG,
    FailureKind.WRONG_ANSWER,
    FailureKind.ERROR,
    FailureKind.CRASH,
    FailureKind.TIMEOUT,
)
"""Failures that say that a case cannot run, and not that a tool was absent or a connection
broke."""
_SOME = 3
"""Cases that a sentence names."""
_WORKED = "mote/*"
"""Implementations of the host that compute a worked example."""


@dataclass(frozen=True, slots=True)
class ClaimVerdicts:
    """A claim with its verdicts: by the published numbers, by the paper's method here, and by our
    own.

    ``lacking``: what would decide it where samples leave it open, by method. A claim that something
    else settles than values has the same verdict everywhere.
    """

    claim: PaperClaim
    published: JudgedClaim
    replicated: JudgedClaim
    own: JudgedClaim | None
    lacking: Mapping[str, OpenClaim] = field(default_factory=dict)

    def by(self, method: str) -> JudgedClaim | None:
        """The verdict by results of a method."""
        return self.replicated if method == "paper" else self.own

    def after(self, earlier: ClaimVerdicts) -> ClaimVerdicts:
        """Verdicts of this look for claims that an earlier look left open, else the earlier
        ones.
        """
        own = (
            earlier.own
            if self.own is not None and earlier.own is not None and earlier.own.told
            else self.own
        )
        return replace(
            self,
            replicated=earlier.replicated if earlier.replicated.told else self.replicated,
            own=own,
        )


@dataclass(frozen=True, slots=True)
class Replication:
    """Everything that a page says of a paper. ``problems``: parts that could not be measured, and
    why. ``abouts``: the part that a run is of, by its name. ``stored``: names of all runs.
    ``waiting``: by name of a run, its cases that have too few samples."""

    paper: Paper
    claims: ClaimsFile
    published: Sequence[ClaimValue]
    replicated: Sequence[ClaimValue]
    own: Sequence[ClaimValue]
    told: Sequence[ClaimVerdicts]
    runs: Sequence[Result]
    scale: str
    problems: Sequence[str] = ()
    abouts: Mapping[str, str] = field(default_factory=dict)
    stored: Sequence[str] = ()
    waiting: Mapping[str, tuple[str, ...]] = field(default_factory=dict)


@dataclass(slots=True)
class MethodRuns:
    """Results of the runs of one method. ``looks``: the most times they are judged. ``resolution``:
    the largest difference that counts as none.
    """

    cells: list[ClaimValue] = field(default_factory=list)
    missing: set[tuple[str, int, str]] = field(default_factory=set)
    disturbed: int = 0
    looks: int = 1
    resolution: float = EQUIVALENT

    def collect(
        self,
        claims: ClaimsFile,
        run: Result,
        sizes: Mapping[int, int],
        starts: LookStarts = ONE_LOOK,
        devices: Names = (),
    ) -> None:
        """Add a run. ``sizes``: the published size of each that was measured. ``devices``: of the
        paper, for which alone its values stand; none: for all."""
        self.cells += own_cells(run, claims.subject, sizes, starts, devices)
        self.disturbed += sum(not row.quotable for row in run.measurements if row.metric in MAIN)
        for failure in run.failures:
            for subject in claims.subject:
                if (
                    failure.scheme in subject.schemes
                    and failure.input_bytes
                    and failure.kind in _OF_THE_CIPHER
                ):
                    size = sizes.get(failure.input_bytes, failure.input_bytes)
                    self.missing.add((subject.name, size, failure.target))

    def side(self, claims: ClaimsFile, answer: _WorkedExamples | None, *, own: bool) -> JudgedSide:
        """Values that claims are judged by, with their facts."""
        side = JudgedSide(
            self.cells,
            True,
            claims.device,
            {},
            frozenset(self.missing),
            answer,
            self.disturbed,
            own,
        )
        return replace(side, looks=self.looks, resolution=self.resolution)


@dataclass(slots=True)
class _MeasuredPart:
    """Part and its runs: the first one, and those of more looks."""

    outline: OutlinedPart
    runs: list[Run]

    @property
    def part(self) -> ReplicationPart:
        return self.outline.prepared.part

    @property
    def about(self) -> str:
        """The part in words."""
        return f"{self.part.name} ({self.part.about})"

    def until(self, look: int) -> tuple[Result, LookStarts]:
        """All samples of the part up to a look."""
        run, starts = pooled([run for run in self.runs if look_of(run) <= look])
        return result(run, samples=True), starts


def look_of(run: Run) -> int:
    """The number of the look that a run is of, by its name."""
    _, _, number = run.info.name.rpartition(_LOOK)
    return int(number.partition(".")[0]) if _LOOK in run.info.name else 1


def run_name(key: str, part: str, scale: InputScale, targets: Sequence[str]) -> str:
    """The name of the run of a part, always the same for the same request."""
    parts = [
        key,
        part,
        *([scale.name] if scale.name else []),
        *(target.replace(":", "-") for target in targets),
    ]
    return "_".join(
        "".join(char if char.isalnum() or char in "-." else "-" for char in word) for word in parts
    )


def check_request(keys: Sequence[str], targets: Sequence[str]) -> None:
    """InputError for an unknown paper, or for a target that no part of these papers can be measured
    on."""
    check_targets([part for key in keys for part in read_claims(key).part], targets)


def replicate(
    key: str,
    store: str,
    *,
    targets: Sequence[str] = (),
    scale: InputScale = PUBLISHED,
    resume: bool = False,
    extra: float = EXTRA_SECONDS,
    observer: Observer | None = None,
) -> Replication:
    """Measure every part of a paper's study, and judge its claims: see `carried_out`."""
    return carried_out(
        outlined(key, targets, scale), store, resume=resume, extra=extra, observer=observer
    )


def carried_out(
    outline: OutlinedReplication,
    store: str,
    *,
    resume: bool = False,
    extra: float = EXTRA_SECONDS,
    budget: float = math.inf,
    observer: Observer | None = None,
) -> Replication:
    """Measure every part of a replication, and judge the claims.

    ``resume``: runs that an earlier call finished count as they are, and one that it left, or that
    has cases with too few samples, is continued. ``budget``: seconds of processor time for the
    samples of all parts; what does not fit is a problem that is told. A part that cannot be
    measured (a program is not installed) is one too; the others are measured. ``extra``: seconds
    for more samples of a small scale, where the noise of this machine leaves claims open.
    """
    runner = _Runner(store, outline, resume, observer, budget)
    runner.measure()
    runner.look_again(extra)
    claims, by_method = outline.claims, runner.found(runner.latest)
    results = [item.until(runner.latest)[0] for item in runner.measured]
    done = told(
        outline.key,
        claims,
        results,
        by_method["paper"],
        by_method["own"],
        outline.scale.name,
        runner.problems,
    )
    done = replace(
        done,
        abouts={item.runs[0].info.name: item.about for item in runner.measured},
        stored=[run.info.name for item in runner.measured for run in item.runs],
        waiting={
            item.runs[0].info.name: unfinished_cases(item.runs[0]) for item in runner.measured
        },
    )
    if not outline.scale.small:
        return done
    verdicts = {verdict.claim.id: verdict for verdict in done.told}
    if runner.latest > 1:
        _, earlier = runner.decided(runner.latest - 1)
        verdicts = {name: verdict.after(earlier[name]) for name, verdict in verdicts.items()}
    lacking: dict[str, dict[str, OpenClaim]] = {claim.id: {} for claim in claims.claim}
    for method, item in runner.open_claims(by_method, verdicts):
        lacking[item.id][method] = item
    return replace(
        done, told=[replace(verdict, lacking=lacking[name]) for name, verdict in verdicts.items()]
    )


class _Runner:
    """Runs of a replication. ``problems``: parts that could not be measured."""

    def __init__(
        self,
        store: str,
        outline: OutlinedReplication,
        resume: bool,
        observer: Observer | None,
        budget: float,
    ) -> None:
        self._store, self._outline, self._resume, self._observer = store, outline, resume, observer
        self._left = budget
        self.measured: list[_MeasuredPart] = []
        self.problems = list(outline.problems)
        self._decided: dict[int, tuple[Mapping[str, MethodRuns], Mapping[str, ClaimVerdicts]]] = {}

    @property
    def latest(self) -> int:
        """The number of the last look that has a run."""
        return max((look_of(run) for item in self.measured for run in item.runs), default=1)

    def measure(self) -> None:
        """The first look at every part."""
        outline = self._outline
        for place, part in enumerate(outline.parts):
            name = run_name(outline.key, part.prepared.part.name, outline.scale, outline.targets)
            # Time that earlier or failed parts did not use is for the others.
            share = part.seconds / sum(later.seconds for later in outline.parts[place:])
            try:
                run = self._run(name, part, part.prepared.question, WorkLimit(self._left * share))
            except MotebenchError as error:
                if error.exit_code is ExitCode.STORE:
                    raise
                self.problems.append(part.problem(error))
                continue
            self.measured.append(_MeasuredPart(part, [run]))
            self.problems += filter(
                None, (_failed(part.prepared.part, result(run)), _unfinished(part, run))
            )

    def found(self, look: int) -> dict[str, MethodRuns]:
        """Values from the runs of each method up to a look."""
        by_method = {"paper": MethodRuns(), "own": MethodRuns()}
        if self._outline.scale.small:
            by_method = {name: MethodRuns(looks=LOOKS, resolution=RESOLUTION) for name in by_method}
        for item in self.measured:
            run, starts = item.until(look)
            sizes = item.outline.prepared.sizes
            by_method[item.part.method].collect(
                self._outline.claims, run, sizes, starts, item.part.devices
            )
        return by_method

    def look_again(self, extra: float) -> None:
        """Take more samples where claims are open, in `LOOKS` looks at the most, for ``extra``
        seconds together."""
        if not self._outline.scale.small:
            return
        if self._resume:
            self._load_looks()
        left = extra
        for look in range(self.latest + 1, LOOKS + 1):
            lacking = [item for _, item in self.open_claims(*self.decided(self.latest))]
            chosen = affordable(lacking, left, last=look == LOOKS)
            memory = any(item.memory for item in lacking)
            for item in self.measured:
                left -= self._look(item, look, chosen, left, memory=memory) if left > 0 else 0.0

    def _judged(self, by_method: Mapping[str, MethodRuns]) -> dict[str, ClaimVerdicts]:
        claims = self._outline.claims
        sides = {
            name: runs.side(claims, None, own=name == "own") for name, runs in by_method.items()
        }
        nothing = JudgedClaim(ClaimVerdict.OPEN, "")
        return {
            claim.id: ClaimVerdicts(
                claim, nothing, judge(claim, sides["paper"]), judge(claim, sides["own"])
            )
            for claim in claims.claim
        }

    def decided(self, look: int) -> tuple[Mapping[str, MethodRuns], Mapping[str, ClaimVerdicts]]:
        """The samples up to a look that is over, and the verdicts: of each claim that of the first
        look that decides it.

        Each look has its share of the level, so that what one of them decides stays.
        """
        if look not in self._decided:
            by_method = self.found(look)
            verdicts = self._judged(by_method)
            if look > 1:
                _, earlier = self.decided(look - 1)
                verdicts = {
                    name: verdict.after(earlier[name]) for name, verdict in verdicts.items()
                }
            self._decided[look] = by_method, verdicts
        return self._decided[look]

    def open_claims(
        self, by_method: Mapping[str, MethodRuns], verdicts: Mapping[str, ClaimVerdicts]
    ) -> list[tuple[str, OpenClaim]]:
        """The claims that samples leave open, by method."""
        lacking = []
        for method, runs in by_method.items():
            items = self._scheduled(method)
            costs: dict[CaseId, CaseCost] = {}
            for item, part in items:
                costs |= costs_of(part, item.runs[0], runs.cells)
            planner = ClaimPlanner(
                self._outline.claims,
                method,
                {name for _, part in items for name in part.plan.targets},
            )
            valued = {cell.case for cell in runs.cells if cell.metric in MAIN}
            for claim in planner.told():
                judged = verdicts[claim.id].by(method)
                compared = {
                    case for _, part in items for case in compared_cases(part, planner, claim)
                }
                open_one = open_claim(claim.id, judged, sorted(compared - valued, key=repr), costs)
                lacking += [(method, open_one)] if open_one is not None else []
        return lacking

    def _scheduled(self, method: str) -> list[tuple[_MeasuredPart, ScheduledPart]]:
        """The measured parts of a method that a small scale has planned."""
        mine = [item for item in self.measured if item.part.method == method]
        return [
            (item, item.outline.scheduled) for item in mine if item.outline.scheduled is not None
        ]

    def _load_looks(self) -> None:
        """Load the looks that an earlier call finished."""
        with Store.open(self._store, create=False) as store:
            infos = store.runs()
            for item in self.measured:
                head = f"{item.runs[0].info.name}{_LOOK}"
                names = [
                    info.name
                    for info in infos
                    if info.name.startswith(head) and info.status == "finished"
                ]
                item.runs += [store.load_run(name) for name in names]

    def _look(
        self,
        item: _MeasuredPart,
        look: int,
        cells: Mapping[CaseId, int],
        left: float,
        *,
        memory: bool,
    ) -> float:
        """Take more samples of these cells of a part. Return the seconds; 0 if the part has none of
        them.
        """
        scheduled = item.outline.scheduled
        question = (
            look_question(scheduled, cells, left, memory=memory) if scheduled is not None else None
        )
        if question is None or self._left <= 0:
            return 0.0
        name = f"{item.runs[0].info.name}{_LOOK}{look}"
        run = self._run(name, item.outline, question, WorkLimit(self._left, leaves=False))
        item.runs.append(run)
        return seconds_between(run)

    def _run(self, name: str, part: OutlinedPart, question: Question, limit: WorkLimit) -> Run:
        """The run of a question: taken up where there is one to resume, else new."""
        with Store.open(self._store, create=True) as opened:
            of_name = [info for info in opened.runs() if _is_named(info.name, name)]
            # The study may have changed since
            same = [info for info in of_name if info.study == question.text]
            if self._resume and same and same[-1].status == "finished":
                return opened.load_run(same[-1].id)
        if self._resume and same:
            request: Start | Resume = Resume(same[-1].name, limit)
        else:
            free = name if not of_name else f"{name}.{len(of_name) + 1}"
            request = Start(question, name=free, found=part.asked(question), limit=limit)
        try:
            done = carry_out(self._store, request, self._observer)
        finally:
            self._left -= limit.spent()
        if done.interrupted:
            raise KeyboardInterrupt
        return done.runs[0]


_LOOK = ".look-"
"""Part of the names of runs that take more samples of another one."""


def _is_named(run: str, name: str) -> bool:
    """True if a run has that name, or the same with a number."""
    rest = run.removeprefix(name)
    return run == name or (run.startswith(name) and rest.startswith(".") and rest[1:].isdigit())


def of_runs(key: str, runs: Sequence[Result]) -> Replication:
    """The claims of a paper by results that exist: their sizes are taken as published."""
    claims = read_claims(key)
    method_runs = MethodRuns()
    for run in runs:
        method_runs.collect(claims, run, {})
    return told(key, claims, runs, method_runs, MethodRuns(), "", ())


def told(
    key: str,
    claims: ClaimsFile,
    runs: Sequence[Result],
    replicated: MethodRuns,
    own: MethodRuns,
    scale: str,
    problems: Sequence[str],
) -> Replication:
    """The verdicts on all claims."""
    published = published_cells(folder_of(key), claims)
    with _worked() as answer:
        published_side = JudgedSide(published, False, claims.device, claims.quantity, answer=answer)
        here, mine = (
            method_runs.side(claims, answer, own=method_runs is own)
            for method_runs in (replicated, own)
        )
        judged = [
            ClaimVerdicts(
                claim,
                judge(claim, published_side),
                judge(claim, here),
                judge(claim, mine) if own.cells else None,
            )
            for claim in claims.claim
        ]
    return Replication(
        paper(key),
        claims,
        published,
        replicated.cells,
        own.cells,
        judged,
        runs,
        scale,
        tuple(problems),
    )


def _failed(part: ReplicationPart, run: Result) -> str | None:
    """Sentence on the cases of a part that failed; None if none did. Code that is too big for a
    board is a result."""
    failures = [failure for failure in run.failures if failure.kind != FailureKind.TOO_BIG]
    if not failures:
        return None
    kinds = Counter(failure.kind for failure in failures)
    counts = ", ".join(f"{count} by {kind}" for kind, count in kinds.most_common())
    return (
        f"{part.name} ({part.about}): {len(failures)} cases failed ({counts}): "
        f"{failures[0].message}"
    )


def _unfinished(part: OutlinedPart, run: Run) -> str | None:
    """The cases of a part that have too few samples, in a sentence."""
    waiting = unfinished_cases(run)
    if not waiting:
        return None
    some = "; ".join(waiting[:_SOME]) + (
        f" and {len(waiting) - _SOME} more" if len(waiting) > _SOME else ""
    )
    cases = {
        replace(measured.case, target=unplaced(measured.case.target)) for measured in run.results
    }
    whole = f"{len(waiting)} of {len(cases)} cases did not fit into the time"
    return (
        f"{part.prepared.part.name} ({part.prepared.part.about}): {whole}; --resume continues "
        f"them: {some}"
    )


def unfinished_cases(run: Run) -> tuple[str, ...]:
    """The cases of a run that wait for more samples, each with the number that it has: the least of
    its places.
    """
    counts: dict[str, int] = {}
    for measured in run.results:
        if not measured.finished and measured.failure is None:
            case = str(replace(measured.case, target=unplaced(measured.case.target)))
            taken = max((len(series.samples) for series in measured.series), default=0)
            counts[case] = min(taken, counts.get(case, taken))
    return tuple(f"{case}, samples: {taken}" for case, taken in counts.items())


class _WorkedExamples:
    """Computes worked examples with our own implementations on this machine."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def __call__(self, check: ExampleCheck) -> tuple[bool, str]:
        data, out = (check.output, check.input) if check.decrypt else (check.input, check.output)
        vector = {
            "id": "worked",
            "op": "encrypt",
            "key": check.key.lower(),
            "data": data.lower(),
            "out": out.lower(),
        }
        file = self._folder / "worked.json"
        file.write_text(
            json.dumps(
                {"format": "motebench-vectors-1", "scheme": check.scheme, "vectors": [vector]}
            )
        )
        verified = verify(Workspace(), ["host"], [_WORKED], [check.scheme], file)
        passed = [
            row.implementation for row in verified.implementations if row.passed and not row.failed
        ]
        failed = [row.implementation for row in verified.implementations if row.failed]
        step = (
            f"{check.scheme} of {check.input} with key {check.key} "
            f"{'decrypts' if check.decrypt else 'encrypts'}"
        )
        if failed or not passed:
            return False, f"{step} to something else than {check.output} ({', '.join(failed)})"
        return True, f"{step} to {check.output} ({', '.join(passed)})"


@contextmanager
def _worked() -> Iterator[_WorkedExamples]:
    with TemporaryFolder() as folder:
        yield _WorkedExamples(Path(folder))
