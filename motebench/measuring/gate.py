"""The gate: user code of two commits, built and measured in turn, compared by the verdicts of
`results.comparison`.

Runs take turns in an order drawn from a seed, as ``run --alternate`` makes them
(`motebench.measuring.request`). Simulated boards and emulated processors count, so that one run of
each commit is enough for them. Elsewhere runs are added until nothing is open: the gate looks after
as many runs as `LOOKS` has, and each look has its share of the level, so that looking more often
makes no false alarm more likely (Bonferroni).

The commits are git work trees in a temporary folder, which leave nothing behind. The user's own
files, index and branch stay as they are. No hook of the repository runs.
"""

from __future__ import annotations

import os
import random
import subprocess
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path

from motebench.base.errors import InputError, visible
from motebench.base.files.elf import ObjectError, bytes_by_symbol
from motebench.base.identity import CaseId
from motebench.base.model import Case, Failure, Run
from motebench.base.naming import EMULATED, SERIAL, SIMULATED, unplaced
from motebench.base.process import Cleanup, TemporaryFolder, git
from motebench.base.units import MAIN
from motebench.documents.comparison import FunctionBytesEntry, FunctionCyclesEntry, GateAnswer
from motebench.measuring.images import provider_of
from motebench.measuring.request import Measured, Observer, Start, carry_out, of_build
from motebench.measuring.study.model import Study
from motebench.measuring.study.question import Question
from motebench.measuring.work import jobs
from motebench.results.comparison import Comparison, compare_stored
from motebench.results.comparison.matching import check_metrics, wanted_metrics
from motebench.results.comparison.model import left_open
from motebench.results.groups import CODE, Build, group_of
from motebench.results.places import failures_of
from motebench.results.results import rows
from motebench.results.selection import ResultFilter
from motebench.stats import ALPHA
from motebench.store import Store
from motebench.targets.board.board import BoardSession, CallProfile, UserFirmware
from motebench.targets.board.simulated import Simulation
from motebench.targets.code.workspace import Workspace
from motebench.targets.registry import device_of, open_target
from motebench.targets.wire.messages import ProbeFailure

LOOKS = (5, 10, 20)
"""Runs of each commit after which the gate looks, where something is not counted. It ends when
every case is decided, or with the last look.
"""
TIME, PROCESSOR = "time", "cpu_time"
"""Metric that decides on a host, and its substitute where other programs disturb it."""
COUNTS = ("cycles", "flash_net", "static_ram_net", "stack")
"""Metrics of boards that are compared exactly, beside the deciding ones."""


@dataclass(frozen=True, slots=True)
class GateRequest:
    """Request for a gate: two commits, and the cases to measure.

    base, head: as the user names them. question: makes the question of the files of a commit: given
    a function from paths in the repository to paths in that commit's folder. allowed: the slowdown
    that is (0.01: 1 %). runs: of each commit; None: as many as `LOOKS` says. seed: None for a
    random one. metrics: those that decide; empty: time, or instructions of emulated processors.
    """

    base: str
    head: str
    question: Callable[[Repository, Callable[[Path], Path]], Question]
    allowed: float
    runs: int | None = None
    seed: int | None = None
    metrics: tuple[str, ...] = ()
    folder: Path = field(default_factory=Path)

    def looks(self, study: Study) -> tuple[int, ...]:
        """The numbers of runs of each commit after which the gate looks."""
        if self.runs is not None:
            return (self.runs,)
        return (1,) if _counted(study) else LOOKS


@dataclass(frozen=True, slots=True)
class GateOutcome:
    """Result of a gate. ``comparison``: of the metrics that decide; None if nothing can be
    compared, with ``reason``. ``counts``: metrics that boards count. ``failures``: by side.
    ``code``: the folder in the repository. ``looks``: the numbers of runs after which it might have
    ended.
    """

    request: GateRequest
    commits: tuple[Commit, Commit]
    groups: tuple[str, str]
    uncommitted: tuple[str, ...]
    code: Path
    seed: int
    measured: Measured
    comparison: Comparison | None
    reason: str | None
    counts: Comparison | None
    cycles: tuple[FunctionCyclesEntry, ...]
    bytes: tuple[FunctionBytesEntry, ...]
    failures: tuple[tuple[str, Failure], ...]
    notes: tuple[str, ...]
    looks: tuple[int, ...] = ()

    @property
    def answer(self) -> GateAnswer:
        """Verdict of the gate: a proven slowdown before open cases."""
        if self.comparison is not None and self.comparison.slower_than(self.request.allowed):
            return GateAnswer.SLOWER
        return GateAnswer.UNDECIDED if self.why_undecided else GateAnswer.PASSED

    @property
    def why_undecided(self) -> str | None:
        """Reason why the answer is undecided; None if it is decided."""
        return _why_open(self.comparison, self.reason, self.request.allowed)

    @property
    def runs_needed(self) -> int | None:
        """Runs of each commit that would decide the open cases; None without open cases, or if it
        is unknown.
        """
        if self.comparison is None:
            return None
        more = [item.more for item in left_open(self.comparison, self.request.allowed)]
        counts = [count for count in more if count is not None]
        return self.runs + max(counts) if counts and len(counts) == len(more) else None

    @property
    def runs(self) -> int:
        """Runs of each commit."""
        return max((len(runs) for runs in self.measured.groups.values()), default=1)


def gate(store: str, request: GateRequest, observer: Observer | None = None) -> GateOutcome:
    """Measure and compare two commits. The work trees are removed at the end.

    InputError for what is no commit, no folder of code in both, or no repository. KeyboardInterrupt
    after Ctrl-C.
    """
    check_metrics(wanted_metrics(ResultFilter(metrics=request.metrics)))
    repository = Repository(request.folder)
    commits = (repository.commit(request.base, "BASE"), repository.commit(request.head, "HEAD"))
    if commits[0].name == commits[1].name:
        raise InputError(
            f"{visible(request.base)} and {visible(request.head)} are the same commit "
            f"{commits[0].short}",
            where="HEAD",
            valid="two different commits",
        )
    uncommitted = repository.uncommitted()
    with repository.trees(commits) as trees:
        question = _code_alone(request.question(repository, lambda path: trees[1] / path))
        code = _code_of(question, trees[1])
        builds = _builds(trees, code, commits)
        groups = _free_names(store, commits)
        looks = request.looks(question.study)
        seed = random.SystemRandom().getrandbits(48) if request.seed is None else request.seed
        by_group = dict(zip(groups, builds, strict=True))
        seen = _Seen(store, groups, request, looks)
        start = Start(question, None, seed, looks[-1], by_group, enough=seen.decided)
        measured = carry_out(store, start, observer)
        if measured.interrupted:
            raise KeyboardInterrupt
        runs_of = tuple(measured.groups[name] for name in groups)
        comparison, reason, deciding = seen.compared(len(runs_of[0]), measured.runs)
        counts = _compared(store, groups, COUNTS)[0] if _boards(question.study) else None
        cases = [*_cases(runs_of[0]), *_cases(runs_of[1])]
        sides = (of_build(question, builds[0]).workspace, of_build(question, builds[1]).workspace)
        cycles, notes = function_cycles(sides, cases)
        return GateOutcome(
            request,
            commits,
            groups,
            uncommitted,
            code,
            seed,
            measured,
            comparison,
            reason,
            counts,
            cycles,
            function_bytes(sides, cases),
            _failures(runs_of),
            (*deciding, *notes),
            looks,
        )


def _why_open(comparison: Comparison | None, reason: str | None, allowed: float) -> str | None:
    """Reason why the comparison is undecided; None if it is decided."""
    if comparison is None:
        return reason
    lost = comparison.only_in_a
    if lost:
        return f"{len(lost)} cases of the base have no comparison: {lost[0].reason}"
    short = comparison.undecided()
    if short:
        most = max(needed for _, needed in short)
        return f"{len(short)} cases have too few samples; up to {most} are needed"
    left = left_open(comparison, allowed)
    return f"{len(left)} cases are left open" if left else None


@dataclass(frozen=True, slots=True)
class _Seen:
    """The runs of a gate so far, and their comparison.

    Each of its ``looks`` has its share of the level, as its number of runs is of all of them
    together: the later a look, the more it decides.
    """

    store: str
    groups: tuple[str, str]
    request: GateRequest
    looks: tuple[int, ...]

    def decided(self, runs_each: int, runs: Sequence[Run]) -> bool:
        """True if no more runs are needed: the last look decides nothing, it is the end."""
        if runs_each not in self.looks[:-1]:
            return False
        comparison, reason, _ = self.compared(runs_each, runs)
        return _why_open(comparison, reason, self.request.allowed) is None or _hopeless(comparison)

    def compared(
        self, runs_each: int, runs: Sequence[Run]
    ) -> tuple[Comparison | None, str | None, tuple[str, ...]]:
        """The comparison at a look; None with the reason where nothing can be compared. And a note
        where processor time decides.
        """
        alpha = ALPHA * runs_each / sum(self.looks)
        disturbed = () if self.request.metrics else _disturbed(runs)
        metrics = self.request.metrics
        if disturbed:
            metrics = tuple(PROCESSOR if name == TIME else name for name in MAIN)
        comparison, reason = _compared(self.store, self.groups, metrics, alpha)
        if not disturbed or comparison is None:
            return comparison, reason, ()
        note = f"other programs disturbed the time of {len(disturbed)} of {len(runs)} runs"
        return comparison, reason, (f"{note}: processor time decides",)


def _hopeless(comparison: Comparison | None) -> bool:
    """True if more runs would compare nothing more: a commit has no numbers for a case."""
    return comparison is None or any(item.failed for item in comparison.only_in_a)


def _disturbed(runs: Sequence[Run]) -> list[Run]:
    """Runs with a disturbed time; none if a case has no processor time."""
    disturbed = []
    for run in runs:
        measured = rows(run)
        timed = {row.case for row in measured if row.metric == TIME}
        if not timed or timed != {row.case for row in measured if row.metric == PROCESSOR}:
            return []
        if any(row.metric == TIME and not row.quotable for row in measured):
            disturbed.append(run)
    return disturbed


def _code_alone(question: Question) -> Question:
    """The question without its blocks that measure no user code: the commits do not change
    those.
    """
    groups = tuple(group for group in question.study.measure if group.code)
    if not groups:
        raise InputError(
            f"{question.name} measures no code of the repository",
            where="--study",
            valid='a study with code = ["FOLDER"] in a [[measure]] block, or --code FOLDER',
        )
    return replace(question, study=question.study.model_copy(update={"measure": groups}))


def _code_of(question: Question, tree: Path) -> Path:
    """The one folder of code, from the top of the repository."""
    folders = {Path(path) for group in question.study.measure for path in group.code}
    if len(folders) != 1:
        names = ", ".join(visible(folder.name) for folder in sorted(folders))
        raise InputError(
            f"the gate measures one folder of code, not {len(folders)}: {names}",
            where="--code",
            valid="one folder",
            hint="call it once for each folder",
        )
    (folder,) = folders
    if not folder.is_relative_to(tree):
        raise InputError(
            f"{visible(str(folder))} is not in the repository",
            where="--study",
            valid="a folder of code that both commits have",
        )
    return folder.relative_to(tree)


def _builds(
    trees: Sequence[Path], code: Path, commits: tuple[Commit, Commit]
) -> tuple[Build, Build]:
    """Builds of both commits. InputError if a commit has no such folder."""
    for commit, tree, side in zip(commits, trees, SIDES, strict=True):
        if not (tree / code / "api.h").is_file():
            lacks = "has no api.h" if (tree / code).is_dir() else "does not exist"
            raise InputError(
                f"{visible(str(code))} {lacks} in commit {commit.short} ({visible(commit.asked)})",
                where=side.upper(),
                valid="two commits that both have the folder with api.h",
                hint="the gate compares from the first commit on that has it",
            )
    base, head = (Build(CODE, str(tree / code)) for tree in trees)
    return base, head


def _free_names(store: str, commits: tuple[Commit, Commit]) -> tuple[str, str]:
    """Names of the groups of runs: side and commit, with a number where the store has them
    already.
    """
    taken: set[str] = set()
    if _exists(store):
        with Store.open(store, create=False) as opened:
            infos = opened.runs()
        taken = {info.name for info in infos} | {
            group for info in infos if (group := group_of(info.settings))
        }
    number = 1
    while True:
        end = "" if number == 1 else f"-again{number}"
        base, head = (
            f"{side}-{commit.short}{end}" for side, commit in zip(SIDES, commits, strict=True)
        )
        if not {base, head} & taken:
            return base, head
        number += 1


def _exists(store: str) -> bool:
    return "://" in store or Path(store).exists()


def _targets(study: Study) -> set[str]:
    return {target for group in study.measure for target in group.targets}


def _counted(study: Study) -> bool:
    """True if everything is counted by simulators and emulators, without noise."""
    return all(target.startswith((SIMULATED, EMULATED)) for target in _targets(study))


def _boards(study: Study) -> bool:
    return any(target.startswith((SIMULATED, SERIAL)) for target in _targets(study))


def _compared(
    store: str, groups: tuple[str, str], metrics: Sequence[str], alpha: float = ALPHA
) -> tuple[Comparison | None, str | None]:
    """The comparison of two groups; None with the reason where they have nothing in common."""
    selection = ResultFilter(metrics=tuple(metrics))
    try:
        comparison = compare_stored(
            groups,
            run="latest",
            stores=(store, store),
            selection=selection,
            margin=None,
            across=False,
            alpha=alpha,
        )
    except InputError as error:
        return None, error.what
    return comparison, None


def _cases(runs: Sequence[Run]) -> list[Case]:
    return [result.case for result in runs[0].results if result.failure is None] if runs else []


def _failures(runs: Sequence[Sequence[Run]]) -> tuple[tuple[str, Failure], ...]:
    """Failures of each side, each once."""
    failures = {
        (side, failure): None
        for side, side_runs in zip(SIDES, runs, strict=True)
        for run in side_runs
        for failure in failures_of(run)
    }
    return tuple(failures)


# Functions that differ


_SECONDS = 300.0
_FEWEST = 16
"""Operations of which the cycles of a function are the mean, at least: their differences are then
exact."""
_ByFunction = Mapping[str, int]


def function_cycles(
    sides: tuple[Workspace, Workspace], cases: Iterable[Case]
) -> tuple[tuple[FunctionCyclesEntry, ...], tuple[str, ...]]:
    """The functions whose cycles differ, the largest difference of a case first; and why others are
    unknown.
    """
    entries: list[FunctionCyclesEntry] = []
    unknown: dict[str, None] = {}
    for case in at_usual_place(cases):
        try:
            base, head = (
                profile_of(workspace, case, fewest=_FEWEST).by_function() for workspace in sides
            )
        except ProbeFailure as failure:
            unknown[f"cycles by function on {case.target}: {failure.message}"] = None
            continue
        values = {name: value for name, value in case.entry().items() if name != "file"}
        entries += (
            FunctionCyclesEntry(**values, function=name, base=before, head=after)
            for name, before, after in _different(base, head)
        )
    return tuple(entries), tuple(unknown)


def function_bytes(
    sides: tuple[Workspace, Workspace], cases: Iterable[Case]
) -> tuple[FunctionBytesEntry, ...]:
    """The functions and objects whose bytes in flash, in RAM or on the stack differ."""
    entries: list[FunctionBytesEntry] = []
    for case in at_usual_place(cases, ("operation", "input_bytes", "aad_bytes", "cores")):
        try:
            base, head = (_bytes_of(workspace, case) for workspace in sides)
        except (ProbeFailure, ObjectError):
            continue  # the failure of the case says so
        named = {name: getattr(case, name) for name in ("scheme", "implementation", "target")}
        for memory in ("flash", "RAM", "stack"):
            entries += (
                FunctionBytesEntry(**named, memory=memory, function=name, base=before, head=after)
                for name, before, after in _different(base.get(memory, {}), head.get(memory, {}))
            )
    return tuple(entries)


def at_usual_place(cases: Iterable[Case], without: Sequence[str] = ()) -> Iterator[Case]:
    """Cases of simulated boards at the usual place of their code, each once; ``without``: parts
    that do not matter.
    """
    seen: set[CaseId] = set()
    for case in cases:
        if unplaced(case.target) != case.target or not isinstance(
            open_target(case.target).place, Simulation
        ):
            continue
        key = case.without(*without)
        if key not in seen:
            seen.add(key)
            yield case


def _different(base: _ByFunction, head: _ByFunction) -> list[tuple[str, int | None, int | None]]:
    names = [name for name in {**base, **head} if base.get(name) != head.get(name)]
    names.sort(key=lambda name: (-abs(head.get(name, 0) - base.get(name, 0)), name))
    return [(name, base.get(name), head.get(name)) for name in names]


def profile_of(workspace: Workspace, case: Case, *, fewest: int = 1) -> CallProfile:
    """Cycles of a case of a simulated board by path of calls, as the mean of ``fewest`` operations
    or more. ProbeFailure if it fails, or if the simulator does not count them.
    """
    scheme = workspace.schemes[case.scheme]
    session = open_target(case.target, code=workspace.code).open(case.provider)
    assert isinstance(session, BoardSession)
    try:
        job = jobs.build(case, scheme, session.offers()[case.scheme], session, timeout=_SECONDS)
        return session.profile(job, fewest=fewest, timeout=_SECONDS)
    finally:
        session.close()


def _bytes_of(workspace: Workspace, case: Case) -> dict[str, dict[str, int]]:
    device = device_of(case.target)
    assert device is not None
    provider = provider_of(workspace, device, case.provider)
    image = provider.image(device, case.scheme)
    sizes: dict[str, dict[str, int]] = {}
    for (memory, name), size in bytes_by_symbol(image.path).items():
        sizes.setdefault(memory, {})[name] = size
    if isinstance(provider, UserFirmware):
        sizes["stack"] = provider.code.stack_frames(device, provider.level, provider.compiler)
    return sizes


# Commits as folders

SHORT = 10
"""Digits of a commit's name in messages and in names of runs."""
SIDES = ("base", "head")
"""Folders of the two commits: names of one length, because code may contain the path of its file.
"""
_GONE = "; ".join(f'git -C "$1" worktree remove --force "${place}"' for place in (2, 3))
_LISTED = 10


@dataclass(frozen=True, slots=True)
class Commit:
    """A commit: as the user wrote it, its full name, and its subject."""

    asked: str
    name: str
    subject: str

    @property
    def short(self) -> str:
        """The beginning of its name."""
        return self.name[:SHORT]


class Repository:
    """The git repository around a folder."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        done = self._git("rev-parse", "--show-toplevel")
        top = done.stdout.strip()
        if done.returncode or not top:
            raise InputError(
                f"{visible(str(folder))} is not in the work tree of a git repository: "
                f"{_words(done)}",
                where="BASE",
                hint="call motebench gate in your repository, with the commits that it has",
            )
        self.top = Path(top)

    def commit(self, spelling: str, where: str) -> Commit:
        """Commit of a name. InputError for an unknown one."""
        done = (
            None
            if spelling.startswith("-")
            else self._git("rev-parse", "--verify", "--quiet", f"{spelling}^{{commit}}")
        )
        if done is None or done.returncode:
            shallow = self._git("rev-parse", "--is-shallow-repository").stdout.strip() == "true"
            raise InputError(
                f"{visible(spelling)!r} is not a commit of {visible(str(self.top))}",
                where=where,
                valid="a commit, a branch or a tag that this clone has",
                hint="the clone is shallow: `git fetch --unshallow`, or in CI fetch-depth: 0 "
                "(GitHub), "
                "GIT_DEPTH: 0 (GitLab)"
                if shallow
                else "`git log --oneline --all` lists the commits; "
                "`git fetch` gets those of the server",
            )
        name = done.stdout.strip()
        return Commit(spelling, name, self._git("log", "-1", "--format=%s", name).stdout.strip())

    def uncommitted(self) -> tuple[str, ...]:
        """Changes that no commit has, as ``git status`` writes them: at most 10, then how many
        more.
        """
        done = self._git("status", "--porcelain", "--untracked-files=no")
        lines = [visible(line.strip()) for line in done.stdout.splitlines()]
        more = len(lines) - _LISTED
        return (*lines[:_LISTED], *([f"and {more} more"] if more > 0 else []))

    def inside(self, path: Path, where: str) -> Path:
        """The path from the top of the repository. InputError if it lies elsewhere."""
        absolute = Path(os.path.realpath(self._folder / path))
        if not absolute.is_relative_to(os.path.realpath(self.top)):
            raise InputError(
                f"{visible(str(path))} is not in the repository {visible(str(self.top))}",
                where=where,
                valid="a path in the repository, which both commits have",
            )
        return absolute.relative_to(os.path.realpath(self.top))

    @contextmanager
    def trees(self, commits: Sequence[Commit]) -> Iterator[tuple[Path, ...]]:
        """Files of both commits, in folders that are removed at the end, also if this process is
        killed.
        """
        with TemporaryFolder() as folder:
            trees = tuple(folder / side for side in SIDES)
            cleanup = Cleanup(_GONE, str(self.top), *map(str, trees))
            try:
                for commit, tree in zip(commits, trees, strict=True):
                    made = self._git(
                        "worktree", "add", "--quiet", "--detach", str(tree), commit.name
                    )
                    if made.returncode:
                        raise InputError(
                            f"git cannot check out {commit.short}: {_words(made)}",
                            where=commit.asked,
                        )
                yield trees
            finally:
                for tree in trees:
                    self._git("worktree", "remove", "--force", str(tree))
                cleanup.cancel()

    def _git(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        return git(self._folder, *arguments)


def _words(done: subprocess.CompletedProcess[str]) -> str:
    lines = done.stderr.strip().splitlines()
    return visible(lines[-1]) if lines else f"git ends with status {done.returncode}"
