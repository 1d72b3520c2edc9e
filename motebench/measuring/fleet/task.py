"""Tasks of workers: parcels of work as they are sent, and the functions that Dask calls by their
names in a worker.

A parcel is plain data, read by the same version only.
"""

from __future__ import annotations

import hashlib
import pickle
import uuid
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from typing import TYPE_CHECKING, Any, TypeVar

from motebench.base.errors import MotebenchError, SetupError
from motebench.base.model import Case, CaseResult, Evidence, Failure, Sample, Series
from motebench.base.paths import PACKAGE, data_root
from motebench.catalog.devices import Device, devices
from motebench.measuring.fleet.file import Seen, look
from motebench.measuring.plan.offers import TargetOffers, ask
from motebench.measuring.plan.plan import Plan, find_targets, make_plan
from motebench.measuring.run.context import Interrupt
from motebench.measuring.run.lane import Lane, LaneTask
from motebench.measuring.run.records import ForwardedRecords, LaneEntry
from motebench.measuring.study.load import from_text
from motebench.measuring.study.model import SamplingPolicy
from motebench.measuring.study.question import Question
from motebench.measuring.work.proof import Consensus
from motebench.measuring.work.readings import Meter
from motebench.targets.base import Place, Sharing
from motebench.targets.registry import open_target
from motebench.version import __version__

if TYPE_CHECKING:
    from distributed import Worker


@cache
def identity() -> str:
    """Version of motebench, and a digest of its sources and those of the firmware: equal identities
    give equal numbers.
    """
    root = data_root()
    digest = hashlib.sha256()
    for top, folder, ends in (
        (PACKAGE.parent, "motebench", (".py",)),
        (root, "core", (".c", ".h", ".toml", ".S", ".ld")),
        (root, "catalog", (".toml",)),
    ):
        for path in sorted((top / folder).rglob("*")):
            if path.suffix in ends and path.is_file():
                digest.update(f"{path.relative_to(top)}\0".encode())
                digest.update(path.read_bytes())
    return f"{__version__} {digest.hexdigest()[:16]}"


@dataclass(frozen=True)
class PlaceFacts:
    """A place that another process reaches."""

    name: str
    apart: str
    evidence: Evidence
    exact: bool
    metric: str
    sharing: Sharing
    batches: bool
    device: str | None
    usual_sizes: tuple[int, ...]
    cores: tuple[int, ...]
    clock: tuple[float, str]
    environment: dict[str, Any]

    @classmethod
    def of(cls, place: Place, at: str) -> PlaceFacts:
        """Facts of that place. ``at``: the lab host it hangs on."""
        return cls(
            place.name,
            f"{at} {place.apart}",
            place.evidence,
            place.exact,
            place.metric,
            place.sharing,
            place.batches,
            None if place.device is None else place.device.id,
            place.usual_sizes,
            tuple(place.cores()),
            place.clock(),
            {"lab_host": at, **place.environment()},
        )


class RemotePlace(Place):
    """A place that another process reaches; only that process measures there."""

    def __init__(self, facts: PlaceFacts) -> None:
        self._facts = facts
        self.name, self.apart = facts.name, facts.apart
        self.evidence, self.exact, self.metric = facts.evidence, facts.exact, facts.metric
        self.sharing, self.batches = facts.sharing, facts.batches

    @property
    def device(self) -> Device | None:
        """The board's device in the catalog."""
        return None if self._facts.device is None else devices()[self._facts.device]

    @property
    def usual_sizes(self) -> tuple[int, ...]:
        """Default input sizes in bytes."""
        return self._facts.usual_sizes

    def cores(self) -> tuple[int, ...]:
        """The cores on which processes can be kept, in the order in which several of them are
        taken; empty if none can be chosen.
        """
        return self._facts.cores

    def environment(self) -> dict[str, Any]:
        """Facts of the place, with the lab host."""
        return self._facts.environment

    def clock(self) -> tuple[float, str]:
        """The relative tolerance of its clock's rate, with a note."""
        return self._facts.clock


@dataclass(frozen=True)
class Parcel:
    """Work of a lane for another process. ``topic``: where it reports its entries."""

    identity: str
    topic: str
    question: str
    name: str
    policy: SamplingPolicy
    cases: tuple[Case, ...]
    earlier: Mapping[Case, CaseResult]
    first_round: int
    seed: int
    seconds: float
    meters: Mapping[str, Meter] = field(default_factory=dict)
    builds: Mapping[tuple[str, str], tuple[str, str]] = field(default_factory=dict)
    """Version and compiler of each implementation as the run records them, by target and
    implementation.
    """

    @classmethod
    def of(cls, work: LaneTask, topic: str) -> Parcel:
        """The parcel of that work."""
        plan, cases = work.plan, set(work.plan.cases)
        return cls(
            identity(),
            topic,
            part_of(plan.question, plan.cases),
            plan.question.name,
            plan.policy,
            plan.cases,
            {case: result for case, result in work.earlier.items() if case in cases},
            work.first_round,
            work.seed,
            work.seconds,
            work.meters,
            _builds(plan),
        )

    def work(self) -> LaneTask:
        """Work whose targets are opened here. Errors are those of `find_targets` and
        `make_plan`.
        """
        question = from_text(self.question, self.name)
        plan_there = make_plan(find_targets(question))
        plan = Plan(
            question,
            self.policy,
            self.cases,
            (),
            (),
            plan_there.targets,
            plan_there.offers,
            plan_there.hellos,
        )
        there_is = _builds(plan)
        for build, expected in self.builds.items():
            if there_is.get(build, expected) != expected:
                built_there, other = " by ".join(there_is[build]), " by ".join(expected)
                raise SetupError(
                    f"{build[1]} on {build[0]} is {built_there} there, and {other} where the "
                    "study runs",
                    hint="install the same compilers on all machines",
                )
        return LaneTask(plan, self.earlier, self.first_round, self.seed, self.seconds, self.meters)


def _builds(plan: Plan) -> dict[tuple[str, str], tuple[str, str]]:
    providers = {(case.target, case.provider) for case in plan.cases}
    return {
        (target, name): (hello.version, hello.compiler)
        for target, hellos in plan.hellos.items()
        for name, hello in hellos.items()
        if (target, name) in providers
    }


def part_of(question: Question, cases: Sequence[Case]) -> str:
    """Stored question, limited to the targets and implementations of these cases."""
    targets = tuple(dict.fromkeys(case.target for case in cases))
    providers = tuple(dict.fromkeys(case.provider for case in cases))
    return _asked_of(question, targets, {"implementations": providers})


def asked_of(question: Question, target: str) -> str:
    """Stored question, limited to one target."""
    return _asked_of(question, (target,), {})


def _asked_of(question: Question, targets: tuple[str, ...], changes: Mapping[str, object]) -> str:
    groups = tuple(
        group.model_copy(update={"targets": kept_targets, **changes})
        for group in question.study.measure
        if (kept_targets := tuple(target for target in targets if target in group.targets))
    )
    sampling = question.study.sampling.model_copy(
        update={"instrument": None, "instruments": None, "voltage": None, "energy": None}
    )
    return question.study.model_copy(
        update={"measure": groups, "sampling": sampling}
    ).model_dump_json()


@dataclass(frozen=True)
class Done:
    """End of a parcel. ``execution``: which process and time; ``entries``: everything that was
    recorded.
    """

    execution: str
    entries: tuple[LaneEntry, ...]
    interrupted: bool = False
    problem: str | None = None


def after(work: LaneTask, entries: Iterable[LaneEntry]) -> LaneTask:
    """Rest of a task once these entries are recorded, as after an interruption."""
    results = dict(work.earlier)
    last = work.first_round - 1
    for entry in entries:
        if entry.call == "samples":
            case, readings = entry.arguments
            results[case] = _with_samples(results.get(case, CaseResult(case)), readings)
            last = max(last, *(sample.round for _, sample in readings))
        elif entry.call == "finish":
            case = entry.arguments[0]
            results[case] = replace(results.get(case, CaseResult(case)), finished=True)
        elif entry.call == "fail":
            case, failure = entry.arguments
            results[case] = replace(results.get(case, CaseResult(case)), failure=failure)
        elif entry.call == "mark":
            for case, metric, number in entry.arguments[0]:
                results[case] = _marked(results[case], metric, number, entry.arguments[1])
    return replace(work, earlier=results, first_round=last + 1, seed=work.seed + last + 1)


def unfinished(work: LaneTask) -> list[Case]:
    """Cases of work that are neither finished nor failed."""
    ended = {case for case, result in work.earlier.items() if result.finished or result.failure}
    return [case for case in work.plan.cases if case not in ended]


def lost(case: Case, failure: Failure) -> LaneEntry:
    """The entry that the case failed."""
    return LaneEntry("fail", (case, failure))


def _with_samples(result: CaseResult, readings: Sequence[tuple[Series, Sample]]) -> CaseResult:
    series = {item.metric: item for item in result.series}
    for entry, sample in readings:
        earlier = series.get(entry.metric, replace(entry, samples=()))
        series[entry.metric] = replace(earlier, samples=(*earlier.samples, sample))
    return replace(result, series=tuple(series.values()))


def _marked(result: CaseResult, metric: str, number: int, reason: str) -> CaseResult:
    return replace(
        result,
        series=tuple(
            replace(
                entry,
                samples=tuple(
                    replace(sample, disturbed=sample.disturbed or reason)
                    if sample.round == number
                    else sample
                    for sample in entry.samples
                ),
            )
            if entry.metric == metric
            else entry
            for entry in result.series
        ),
    )


T = TypeVar("T")
R = TypeVar("R")


class Abandoned(Interrupt):
    """The task is no longer wanted: the study was interrupted, or the scheduler cannot be
    reached.
    """

    def __init__(self, worker: Worker, key: str) -> None:
        super().__init__()
        self._worker, self._key = worker, key

    @property
    def came(self) -> bool:
        """True if the signal came; for other threads, which get no signals."""
        task = self._worker.state.tasks.get(self._key)
        running = task is not None and task.state in ("executing", "long-running")
        return super().came or not running or self._worker.status.name != "running"


class Refused(SetupError):  # noqa: N818 - what happened, not a defect
    """The worker refuses: the message says why. A plain text, so that any version can read it."""


def same_version(theirs: str, at: str) -> None:
    """Refused unless both sides are the same version of motebench and of the firmware."""
    if theirs != identity():
        raise Refused(
            f"lab host {at} has motebench {identity()} and the study {theirs}: version and "
            "sources must be the same"
        )


def seen(target: str) -> Seen:
    """Look at a board from this lab host."""
    return look(target)


def asked(
    question: str, name: str, target: str, *, dry: bool, theirs: str
) -> tuple[PlaceFacts, TargetOffers]:
    """Place and offers of a target's implementations; see `motebench.measuring.plan.offers.ask`."""
    at = _at()
    same_version(theirs, at)
    try:
        opened = open_target(target)
        try:
            answer = ask(opened, from_text(question, name), dry=dry)
            return PlaceFacts.of(opened.place, at), answer
        finally:
            opened.place.close()
    except MotebenchError as error:
        raise Refused(": ".join(filter(None, (error.what, error.hint)))) from None


def measure(parcel: Parcel) -> Done:
    """Carry out a lane; tell every entry at once, and give all of them back at the end."""
    from distributed import get_worker

    worker = get_worker()
    key = str(worker.get_current_task())
    execution = uuid.uuid4().hex
    same_version(parcel.identity, _at())
    entries: list[LaneEntry] = []

    def send(entry: LaneEntry) -> None:
        number = None
        if entry.of_records:
            number = len(entries)
            entries.append(entry)
        worker.log_event(parcel.topic, pickle.dumps((key, execution, number, entry)))

    sink = ForwardedRecords(send)
    interrupted, problem = False, None
    places: list[Place] = []
    try:
        work = parcel.work()
        places += [target.place for target in work.plan.targets.values()]
        # A worker runs as many tasks as it has processors for: each takes one.
        Lane(work, sink, sink, Abandoned(worker, key), Consensus(), threads=1).run()
    except KeyboardInterrupt:
        interrupted = True
    except MotebenchError as error:
        problem = ": ".join(filter(None, (error.what, error.hint)))
    finally:
        for place in places:
            place.close()
    return Done(execution, tuple(entries), interrupted, problem)


def unit_of(work: Callable[[T], R], unit: T, theirs: str) -> R:
    """The work of a unit, if both sides are the same version."""
    same_version(theirs, _at())
    return work(unit)


def scheduler_facts() -> dict[str, Any]:
    """Identity and settings of the scheduler, read before anything is sent to it."""
    import dask

    return {
        "identity": identity(),
        "allowed_failures": dask.config.get("distributed.scheduler.allowed-failures"),
    }


def _at() -> str:
    """The lab host of this worker: its name, up to the number of its start."""
    from distributed import get_worker

    return str(get_worker().name).partition(" ")[0]
