"""Measuring, resuming, loading and comparing runs from Python."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path as FilePath
from typing import TYPE_CHECKING, Any, Literal, TypedDict, Unpack, cast

from motebench.api.answers import ComparisonResult, StoredRun
from motebench.api.arguments import (
    Path,
    Sizes,
    Texts,
    fraction,
    names_arguments,
    quantity,
    result_filter,
    seconds,
    several,
    texts,
)
from motebench.base.errors import InputError
from motebench.base.model import Case, Failure
from motebench.measuring.run.records import Progress, RunState
from motebench.results.groups import Turn

if TYPE_CHECKING:
    from motebench.measuring.fleet.file import Fleet
    from motebench.measuring.plan.plan import Plan
    from motebench.measuring.request import Resume, Start
    from motebench.measuring.study.model import Sampling
    from motebench.measuring.study.question import Question


@dataclass(frozen=True, slots=True)
class Step:
    """Event of a run.

    kind: ``run`` (it begins), ``asking`` (what an implementation offers), ``planned``, ``building``
    (firmware), ``checking`` (known answers), ``sampled``, ``metering`` (an instrument reads),
    ``failed`` or ``waiting`` (for a database that went away; then that it is back). what: in words.
    done, total: how many of them, in the unit of the kind: runs, implementations, scheme
    implementations, cases. share: estimate of the part of the run's work that is done, 0 to 1; None
    where it is not known.
    """

    kind: str
    what: str
    done: int = 0
    total: int = 0
    share: float | None = None


def _nothing(step: Step) -> None:
    del step


class Calls:
    """The observer of runs that calls ``function`` with each `Step`."""

    def __init__(self, function: Callable[[Step], object] | None) -> None:
        self._function = function or _nothing

    @contextmanager
    def run(self, turn: Turn | None, place: int, count: int) -> Iterator[Progress]:
        """Report the start of a run, the ``place``-th of ``count``; the returned observer gets its
        progress.
        """
        self._function(Step("run", turn.name if turn else "", place - 1, count))
        yield self

    def asking(self, subject: str, done: int, total: int) -> None:
        """Report that an implementation is being asked for its offers; a board first gets firmware
        for that.
        """
        self._function(Step("asking", subject, done, total))

    def planned(self, plan: Plan) -> None:
        """Report that the plan is complete."""
        self._function(Step("planned", f"{len(plan.cases)} cases", 0, len(plan.cases)))

    def building(self, subject: str, done: int, total: int) -> None:
        """The firmware of one scheme is about to be built and started."""
        self._function(Step("building", subject, done, total))

    def checking(self, subject: str, done: int, total: int) -> None:
        """Known answers of one scheme are about to be checked."""
        self._function(Step("checking", subject, done, total))

    def sampled(self, case: Case, state: RunState) -> None:
        """A sample of ``case`` was stored."""
        self._function(Step("sampled", str(case), state.finished, state.total, state.share))

    def metering(self, subject: str, done: int, total: int) -> None:
        """An instrument is about to read while one case runs."""
        self._function(Step("metering", subject, done, total))

    def failed(self, failure: Failure) -> None:
        """A case failed; the run continues."""
        label = f"{failure.scheme} {failure.implementation} {failure.operation or ''}".strip()
        self._function(Step("failed", f"{label}: {failure.kind.value}: {failure.message}"))

    def waiting(self, sentence: str) -> None:
        """The run waits for something that went away, or goes on since it is back: one sentence."""
        self._function(Step("waiting", sentence))


STORE = "motebench.db"
Preset = Literal["fast", "normal", "rigorous"]
Listener = Callable[[Step], object]


class Asked(TypedDict, total=False):
    """Arguments of `measure` and `measure_runs` besides ``schemes``; all are optional.

    implementations, excludes: names, or patterns such as ``"aes-128-*"``. targets: ``"host"``
    unless given. sizes, aad: of input and additional data, in bytes or as ``"1 KiB"``. cores: how
    many measure a case at once: numbers, or ``"all"`` for 1, 2, 4, ... and all. code: folders of
    your own code. study: a study file, or the name of one that comes with motebench, instead of
    schemes and all these but targets. fleet: a fleet file, whose boards and groups (``"@all"``) can
    then be targets, and whose workers measure. placements: at how many places the code of simulated
    boards lies; 1: the usual one alone.

    preset: ``"fast"``, ``"normal"`` or ``"rigorous"``. precision: half width of a median's interval
    at which a case is finished, as a fraction (0.01) or ``"1%"``. budget, timeout: of the run and
    of one request to a probe, in seconds or as ``"2min"``. instrument: what reads the power of the
    target; voltage: of its supply, in volts or as ``"3.3V"``. seed: of the random order. name: of
    the run or group. store: a path or an SQLAlchemy URL. progress: called with each `Step`, by the
    thread that measures.
    """

    implementations: Texts
    targets: Texts
    operations: Texts
    sizes: Sizes
    aad: Sizes
    cores: int | Iterable[int] | Literal["all"]
    excludes: Texts
    code: Texts
    study: Path
    placements: int
    fleet: Path
    preset: Preset
    precision: float | str
    budget: float | str
    timeout: float | str
    instrument: str
    voltage: float | str
    seed: int
    name: str
    store: Path
    progress: Listener


@names_arguments
def measure(schemes: Texts = (), **arguments: Unpack[Asked]) -> StoredRun:
    """Measure once, and return the stored run.

    schemes: names, or patterns such as ``"aes-128-*"``. The other arguments are those of
    `motebench.api.measuring.Asked`: implementations, targets, operations, sizes, aad, cores,
    excludes, code, study, placements, fleet; preset, precision, budget, timeout, instrument,
    voltage, seed; name, store, progress.

    Raises MotebenchError: InputError for what cannot be asked, SetupError for what is not
    installed, StoreError. Failures of single cases are in `StoredRun.failures`. Ctrl-C raises
    KeyboardInterrupt when all samples so far are in the store; `resume` goes on.
    """
    (run,) = _start(schemes, arguments, 1, {})
    return run


@names_arguments
def measure_runs(
    schemes: Texts = (),
    *,
    runs: int = 5,
    builds: Mapping[str, Path] | None = None,
    **arguments: Unpack[Asked],
) -> list[StoredRun]:
    """Measure ``runs`` times (2 to 100), as one group of runs; with ``builds``, so often for each
    build in turn.

    builds: folders of probes, or of code, by the name of their group. All else is as for `measure`.
    The runs come back in the order they were made; `compare` takes the names of groups.
    """
    if not isinstance(runs, int) or not 2 <= runs <= 100:
        raise InputError(
            f"{runs!r} is not a number of runs of a group", where="runs", valid="2 to 100"
        )
    return _start(schemes, arguments, runs, builds or {})


@names_arguments
def resume(
    run: str | int = "latest",
    *,
    store: Path = STORE,
    fleet: Path | None = None,
    progress: Listener | None = None,
) -> list[StoredRun]:
    """Finish an interrupted run, or all runs of an interrupted group; finished cases stay
    unchanged.

    Cases that failed as ``no-room``, ``lost`` or ``timeout`` are tried again, those of a finished
    run too.

    run: number, name, name of a group, or ``"latest"``. fleet: the fleet file whose workers
    measure. IncomparableError where machine or libraries are not those of then. Interrupts and the
    rest are as for `measure`.
    """
    from motebench.measuring.request import Resume

    return _carry_out(Resume(str(run)), store, progress, _fleet(fleet))


@names_arguments
def load(store: Path = STORE, run: str | int = "latest") -> StoredRun:
    """A stored run, by number, by name, or ``"latest"``. InputError, with the stored names, if the
    store has no such run.
    """
    from motebench.store import Store

    with Store.open(store, create=False) as opened:
        return StoredRun(opened.load_run(run), str(store))


@names_arguments
def stored_runs(store: Path = STORE) -> list[dict[str, Any]]:
    """Runs of a store, oldest first: number, name, study, start, end and status of every run. Times
    are UTC.
    """
    from motebench.base.shapes import as_document
    from motebench.show.listing import ListingFilter, listing

    return [as_document(row) for row in listing("runs", ListingFilter(store=str(store))).rows]


def _start(
    schemes: Texts, arguments: Asked, runs: int, builds: Mapping[str, Path]
) -> list[StoredRun]:
    from motebench.measuring.fleet.crew import check_alone
    from motebench.measuring.request import Start
    from motebench.results.groups import CODE, parse_builds

    if unknown := sorted(set(arguments) - Asked.__optional_keys__):
        raise TypeError(
            f"unknown argument {unknown[0]!r}; there are: "
            f"{', '.join(sorted(Asked.__optional_keys__))}"
        )
    arguments = cast(Asked, {key: value for key, value in arguments.items() if value is not None})
    parsed_builds = parse_builds([f"{label}={FilePath(path)}" for label, path in builds.items()])
    name, code_name = arguments.get("name"), None
    first = next(iter(parsed_builds.values()), None)
    if not isinstance(name, str | None):
        raise InputError(f"{name!r} is not text", where="name", valid="a text")
    if first is not None and name is not None:
        raise InputError("the labels of the builds are the names of their groups", where="name")
    if first is not None and first.kind == CODE:
        if "study" in arguments or "code" in arguments:
            raise InputError("folders of code stand for code, and for no study", where="builds")
        arguments = {**arguments, "code": first.path}
        code_name = FilePath(first.path).name
    fleet = _fleet(arguments.get("fleet"))
    question = _question(schemes, arguments, code_name, fleet)
    start = Start(question, name, arguments.get("seed"), runs, parsed_builds)
    check_alone(fleet, group=start.of_group)
    return _carry_out(start, arguments.get("store", STORE), arguments.get("progress"), fleet)


def _fleet(file: Path | None) -> Fleet | None:
    from motebench.measuring.fleet.file import load as load_fleet

    return None if file is None else load_fleet(FilePath(file))


def _carry_out(
    request: Start | Resume, store: Path, progress: Listener | None, fleet: Fleet | None
) -> list[StoredRun]:
    from motebench.measuring.fleet.crew import crew_of
    from motebench.measuring.request import carry_out

    with crew_of(fleet) as crew:
        measured = carry_out(store, request, Calls(progress), crew)
    if measured.interrupted:
        raise KeyboardInterrupt
    return [StoredRun(run, str(store)) for run in measured.runs]


def _question(
    schemes: Texts, arguments: Asked, code_name: str | None, fleet: Fleet | None
) -> Question:
    """Study of the arguments, or the named one; boards with an instrument keep theirs."""
    from motebench.measuring.fleet.crew import instruments_of
    from motebench.measuring.study.question import with_instruments

    question = _spelt(schemes, arguments, code_name, fleet)
    return (
        question
        if "instrument" in arguments
        else with_instruments(question, instruments_of(question, fleet))
    )


def _spelt(
    schemes: Texts, arguments: Asked, code_name: str | None, fleet: Fleet | None
) -> Question:
    from motebench.measuring.study.load import Options, find_study, from_file, from_options
    from motebench.measuring.study.model import WholeFile
    from motebench.measuring.study.question import on_targets, with_placements, with_sampling

    placements = _placements(arguments.get("placements"))
    names: dict[str, Any] = {
        "schemes": texts(schemes, "schemes"),
        "implementations": texts(arguments.get("implementations", ()), "implementations"),
        "targets": texts(arguments.get("targets", ()), "targets"),
        "operations": texts(arguments.get("operations", ()), "operations"),
        "excludes": texts(arguments.get("excludes", ()), "excludes"),
        "code": tuple(str(path) for path in several(arguments.get("code", ()))),
        "sizes": tuple(str(size) for size in several(arguments.get("sizes", ()))),
        "aad": tuple(str(size) for size in several(arguments.get("aad", ()))),
        "cores": _cores(arguments.get("cores", ())),
    }
    if "study" in arguments:
        if spelling := next(
            (key for key, value in names.items() if value and key != "targets"), None
        ):
            raise InputError(
                "a study and arguments that spell one are mutually exclusive", where=spelling
            )
        loaded = from_file(find_study(str(arguments["study"])), fleet)
        question = on_targets(loaded, names["targets"], "targets", fleet)
        question = with_sampling(question, _sampling(arguments))
        return with_placements(question, placements, "placements") if placements else question
    if not names["schemes"] and not names["code"]:
        raise InputError(
            "no study and no schemes are given", where="schemes", valid="schemes, code or a study"
        )
    return from_options(
        replace(Options(**names), code_name=code_name, placements=placements),
        _sampling(arguments),
        WholeFile(),
        fleet,
    )


def _placements(given: object) -> int | None:
    if given is not None and (
        isinstance(given, bool) or not isinstance(given, int) or not 1 <= given <= 16
    ):
        raise InputError(
            f"{given!r} is not a number of places", where="placements", valid="1 to 16"
        )
    return given


def _cores(given: object) -> Literal["all"] | tuple[int, ...]:
    if given == "all":
        return "all"
    cores = tuple(given) if isinstance(given, Iterable) and not isinstance(given, str) else (given,)
    for core in cores:
        if not isinstance(core, int) or isinstance(core, bool) or core < 1:
            raise InputError(
                f"{given!r} is not a number of cores",
                where="cores",
                valid="'all', a number, or a list",
            )
    return cores


def _sampling(arguments: Asked) -> Sampling:
    from pydantic import ValidationError

    from motebench.measuring.study.model import STORED, Sampling

    given: dict[str, object] = {
        "preset": arguments.get("preset"),
        "seed": arguments.get("seed"),
        "instrument": arguments.get("instrument"),
        "precision": fraction(arguments.get("precision"), "precision"),
        "budget": seconds(arguments.get("budget"), "budget"),
        "timeout": seconds(arguments.get("timeout"), "timeout"),
        "voltage": quantity(arguments.get("voltage"), "V", "voltage"),
    }
    try:
        values = {key: value for key, value in given.items() if value is not None}
        return Sampling.model_validate(values, context=STORED)  # numbers, in base units already
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        where = str(first["loc"][0]) if first["loc"] else None
        raise InputError(first["msg"].removeprefix("Value error, "), where=where) from None


# Comparing


@names_arguments
def compare(
    a: StoredRun | str,
    b: StoredRun | str,
    *,
    run: StoredRun | str = "latest",
    metrics: Texts = (),
    schemes: Texts = (),
    implementations: Texts = (),
    operations: Texts = (),
    sizes: Sizes = (),
    margin: float | str | None = None,
    across_environments: bool = False,
    store: Path | None = None,
    store_b: Path | None = None,
) -> ComparisonResult:
    """Compare B with A.

    a, b: runs, or names: of a run, of a group of runs (or several with commas, or a pattern), of an
    implementation of ``run``, or ``RUN:IMPLEMENTATION``. metrics: time and instructions unless
    given. schemes, implementations, operations, sizes: only cases that fit; patterns may be used as
    in ``"aes-*"``. margin: the relative difference that is not called, as a fraction or ``"2%"``.
    across_environments: runs of different machines are compared all the same. store: where names
    are looked up, that of ``run`` if it is one, else motebench.db; store_b: of B, if elsewhere.

    Raises InputError for a name that means nothing, IncomparableError for two environments.
    """
    from motebench.results.comparison import compare_stored

    if store is None:
        store = run.store if isinstance(run, StoredRun) else STORE
    where_a = a.store if isinstance(a, StoredRun) else str(store)
    where_b = b.store if isinstance(b, StoredRun) else str(store if store_b is None else store_b)
    comparison = compare_stored(
        (_name(a), _name(b)),
        run=_name(run),
        stores=(where_a, where_b),
        selection=result_filter(schemes, implementations, operations, sizes, metrics),
        margin=fraction(margin, "margin"),
        across=across_environments,
    )
    return ComparisonResult(comparison)


def _name(side: StoredRun | str) -> str:
    return side.name if isinstance(side, StoredRun) else side
