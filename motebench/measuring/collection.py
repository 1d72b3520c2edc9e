"""Collections: folders of others' code that are measured together, and the published table that
their numbers stand beside.

A TOML file says all of it (`CollectionFile`; ``docs/reference/collections.md``). Each folder is a
run of its own in the store, so that an interruption loses one at most, and only what changed is
measured again: a run is used while sources, flags, compilers and motebench's own firmware are those
that it was made of (`_identity`).
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Collection, Generator, Iterator, Mapping, Sequence
from contextlib import closing, suppress
from dataclasses import dataclass, field, replace
from fnmatch import fnmatchcase
from functools import cache
from hashlib import sha256
from itertools import count
from pathlib import Path
from threading import Lock
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, model_validator

from motebench.base.errors import AbsentError, InputError, MotebenchError, SetupError, visible
from motebench.base.files import toml
from motebench.base.model import Failure, FailureKind, Operation, Run, RunInfo
from motebench.base.naming import (
    COMPILER,
    SIMULATED,
    VARIANT,
    did_you_mean,
    unplaced,
    variant_marks,
)
from motebench.base.paths import cache_folder, catalog_dir, data_root
from motebench.base.process import cores, each, git
from motebench.base.shapes import part
from motebench.base.units import METRICS
from motebench.catalog import schemes as catalog_schemes
from motebench.measuring.fleet.crew import Crew
from motebench.measuring.request import Measured, Resume, Start, carry_out
from motebench.measuring.run.context import Interrupt
from motebench.measuring.study.load import Options, from_options, to_toml
from motebench.measuring.study.model import Sampling, Seconds, SizeOrNone, WholeFile
from motebench.measuring.study.question import Boards, Question
from motebench.results.places import failures_of
from motebench.store import Store
from motebench.targets.code.building import (
    BOARD_LEVEL,
    HOST_LEVEL,
    LEVELS,
    UserCode,
    host_compiler,
)
from motebench.targets.code.folder import API, path_text, slug
from motebench.targets.firmware.toolchain import DEFAULT_COMPILER, toolchain
from motebench.targets.machine import describe, differences
from motebench.targets.registry import called_target, device_of, open_target
from motebench.targets.wire.messages import ProbeFailure
from motebench.version import __version__

COLLECTION = "collection"
"""Key of the settings of a run of a collection."""
KINDS = ("kem", "sign", "aead", "hash", "scalarmult", "dh", "cipher")
STATISTICS = ("mean", "min", "max", "median")
UNITS = {"ns": {"s": 1e9, "ms": 1e6, "us": 1e3, "ns": 1.0}, "1": {"%": 0.01}}
"""Units of a cell, each in the metric's own unit, by that unit."""
NAMES = ("submission", "scheme", "implementation", "variant", "level", "executions")
EXECUTIONS = 10
"""Most samples of an operation on a simulated board, as in most rows of pqm4: time varies with
random numbers only, and the number of samples must not depend on the speed of this machine."""
COPIED = "published"
"""Cell that is copied from the published row."""
_COMMIT = re.compile(r"[0-9a-f]{40}")
_REPOSITORY = re.compile(r"(https|file)://[^\s'\"]+")
_SLOT = re.compile(r"\{([^{}]*)\}")
_NAME = re.compile(r"[a-z0-9][a-z0-9-]{0,30}")
_VARIANT = re.compile(rf"({'|'.join(LEVELS)})(\{COMPILER}[a-z0-9.-]+)?")
_FETCH_SECONDS = 1800


class _Table(BaseModel):
    # A command uses few of the models that it imports: each is built when it is used first.
    model_config = ConfigDict(extra="forbid", frozen=True, defer_build=True)


def _checked(pattern: re.Pattern[str], valid: str) -> AfterValidator:
    def check(text: str) -> str:
        if not pattern.fullmatch(text):
            raise ValueError(InputError(f"{text!r} is not possible", valid=valid))
        return text

    return AfterValidator(check)


def _inside(path: str) -> str:
    """A path below the tree. ValueError for one that leads out of it, or has parts without a
    name.
    """
    if not {"", ".", ".."}.isdisjoint(path.split("/")):
        raise ValueError(
            InputError(
                f"{path!r} is not a path in the tree", valid="a relative path without `.` and `..`"
            )
        )
    return path


Inside = Annotated[str, AfterValidator(_inside)]


def _of_folders(pattern: str) -> str:
    """A pattern of folders. ValueError for unknown names in braces, and for one that does not say
    which part of a path each of them is.
    """
    names = _SLOT.findall(_inside(pattern))
    if "**" in _SLOT.sub("*", pattern) or len(names) > len(set(names)):
        raise ValueError(
            InputError(
                f"{pattern!r} does not say which part is which",
                valid="each name once, with text between two of them; `*` matches one part",
            )
        )
    for name in names:
        if name not in NAMES[:3]:
            raise ValueError(
                InputError(
                    f"{{{name}}} is not a name of a folder",
                    valid=", ".join(f"{{{folder}}}" for folder in NAMES[:3]),
                    hint=did_you_mean(name, NAMES[:3]),
                )
            )
    return pattern


@dataclass(frozen=True, slots=True)
class CellField:
    """Quantity in a cell of a table: of an operation, one metric, as one statistic over the
    samples.

    operation: None: the largest of all. scale: of the metric's own unit: 1000 for microseconds.
    """

    operation: Operation | None
    metric: str
    statistic: str
    scale: float


def cell_field(text: str) -> CellField:
    """Quantity of ``OPERATION METRIC [STATISTIC] [UNIT]``. ValueError with the valid words."""
    operation, *rest = text.split() or [""]
    operations = [member.value for member in Operation]
    if operation != "*" and operation not in operations:
        raise ValueError(
            InputError(
                f"{operation!r} is neither an operation nor a name",
                valid=f"{', '.join((*NAMES, COPIED))}; or OPERATION METRIC, as in "
                "`keygen cycles mean`, `encrypt-message time us` or `* flash_net`",
                hint=did_you_mean(operation, (*operations, *NAMES)),
            )
        )
    metric, *others = rest or [""]
    if metric not in METRICS:
        raise ValueError(
            InputError(
                f"{metric!r} is not a metric",
                valid=", ".join(METRICS),
                hint=did_you_mean(metric, METRICS),
            )
        )
    statistic, scale = "median", 1.0
    units = UNITS.get(METRICS[metric].unit, {})
    for word in others:
        if word in STATISTICS:
            statistic = word
        elif word in units:
            scale = units[word]
        else:
            raise ValueError(
                InputError(
                    f"{word!r} is neither a statistic nor a unit of {metric}",
                    valid=", ".join((*STATISTICS, *units)),
                )
            )
    named = None if operation == "*" else Operation(operation)
    return CellField(named, metric, statistic, scale)


def slots(cell: str) -> list[str]:
    """Names and quantities in a cell: its parts in braces, or else the whole cell. ValueError for
    a brace alone.
    """
    if "{" in (rest := _SLOT.sub("", cell)) or "}" in rest:
        raise ValueError(InputError(f"{cell!r} has a brace alone", valid="{OPERATION METRIC}"))
    return _SLOT.findall(cell) if "{" in cell else [cell] * bool(cell)


def of_shares(table: PublishedTable) -> bool:
    """True if all numbers of a table are shares of cycles, which are counted on request."""
    cells = [slot for cell in table.columns.values() for slot in slots(cell)]
    numbers = [slot for slot in cells if slot not in (*NAMES, COPIED)]
    return bool(numbers) and all(cell_field(slot).metric == "hash_share" for slot in numbers)


def _cells(columns: dict[str, str]) -> dict[str, str]:
    for name, cell in columns.items():
        if name.count("{size}") > 1 or name.count("{aad}") > 1:
            raise ValueError(
                InputError(f"{name!r} has a size twice", valid="{aad} and {size} once each")
            )
        for slot in slots(cell):
            if slot not in (*NAMES, COPIED):
                cell_field(slot)
    return columns


Columns = Annotated[dict[str, str], Field(max_length=200), AfterValidator(_cells)]


class ExcludedFolders(_Table):
    """Folders that are not measured."""

    match: Annotated[tuple[Inside, ...], Field(min_length=1)]
    """List of patterns: paths in the tree."""
    reason: Annotated[str, Field(min_length=1)]
    """Text: why; it stands in the row of each folder."""


Variant = Annotated[
    str, _checked(_VARIANT, f"{', '.join(LEVELS)}; with another compiler: {LEVELS[0]}+clang")
]


def _once(variants: tuple[str, ...]) -> tuple[str, ...]:
    for name in variants:
        if variants.count(name) > 1:
            raise ValueError(InputError(f"{name} stands there twice", valid="each once"))
    return variants


class MoreSizes(_Table):
    """Further pairs of sizes, which `sizes` and `aad` alone would multiply."""

    sizes: Annotated[tuple[SizeOrNone, ...], Field(min_length=1)]
    """List of sizes: of messages."""
    aad: Annotated[tuple[SizeOrNone, ...], Field(min_length=1)]
    """List of sizes: of additional data."""


class CollectedFolders(_Table):
    """Folders that are measured alike."""

    match: Annotated[tuple[Annotated[str, AfterValidator(_of_folders)], ...], Field(min_length=1)]
    """List of patterns: paths in the tree; `{scheme}`, `{implementation}` and `{submission}` match
    one part and name it. Without them the last two parts are scheme and implementation."""
    variants: Annotated[tuple[Variant, ...], AfterValidator(_once)] = ()
    """List of names: optimisation level, and a compiler after `+`."""
    flags: str = ""
    """Text: additional flags for the compiler."""
    schemes: dict[str, str] = Field(default_factory=dict)
    """Table of names: scheme of the catalog by name of the scheme here; "" if it is none."""
    operations: tuple[Operation, ...] = ()
    """List of names: operations."""
    sizes: tuple[SizeOrNone, ...] = ()
    """List of sizes: of messages."""
    aad: tuple[SizeOrNone, ...] = ()
    """List of sizes: additional data of AEADs."""
    more: tuple[MoreSizes, ...] = ()
    """List of tables: more pairs of `sizes` and `aad` of AEADs, without the others."""
    without_kat: bool = False
    """True or false: code without known answers is measured, after round trips; each result says
    so."""
    exclude: tuple[ExcludedFolders, ...] = ()
    """Blocks: usually written as `[[folders.exclude]]`."""


class PublishedTable(_Table):
    """Table of a project: its columns, and the files in which it is published."""

    title: str = ""
    """Text: heading of the table in its file."""
    section: str = ""
    """Text: heading below the title."""
    kind: Literal[KINDS]  # type: ignore[valid-type]
    """Name: the kind of code that the table has: `kem`, `sign`, `aead`, `hash`, `scalarmult`, `dh`
    or `cipher`."""
    published: dict[str, Inside] = Field(default_factory=dict)
    """Table of paths: by target, the published file, CSV or Markdown (`.md`), in the tree or beside
    the collection file."""
    columns: Columns
    """Table of cells: the columns in order, each with the content of its cells; `{aad}` and
    `{size}` in a name repeat it for all sizes."""
    markdown: Columns = Field(default_factory=dict)
    """Table of cells: the same of Markdown files."""

    @model_validator(mode="after")
    def _names_rows(self) -> PublishedTable:
        if not any(slot in NAMES[:5] for cell in self.columns.values() for slot in slots(cell)):
            raise ValueError(
                InputError("no column names the row", valid=f"a column of {', '.join(NAMES[:5])}")
            )
        return self


class CollectionFile(_Table):
    """A collection file."""

    name: Annotated[str, _checked(_NAME, "small letters, digits and '-', at most 31")]
    """Name: in names of runs."""
    title: Annotated[str, Field(min_length=1)]
    """Text: what it is."""
    repository: Annotated[str, _checked(_REPOSITORY, "https://github.com/OWNER/NAME")] | None = None
    """Address: a git repository with the folders."""
    commit: Annotated[str, _checked(_COMMIT, "40 hexadecimal digits")] | None = None
    """Text: the commit of it; needed with `repository`."""
    submodules: tuple[Inside, ...] = ()
    """List of paths: submodules to fetch, with those in them."""
    targets: Annotated[tuple[str, ...], Field(min_length=1)]
    """List of names: targets if `--target` names none."""
    timeout: Seconds | None = None
    """Time: limit of a request to a board."""
    folders: Annotated[tuple[CollectedFolders, ...], Field(min_length=1)]
    """Blocks: folders to measure; of two that match, the first counts."""
    tables: tuple[PublishedTable, ...] = ()
    """Blocks: the project's own tables."""

    @model_validator(mode="after")
    def _has_commit(self) -> CollectionFile:
        if (self.repository is None) != (self.commit is None):
            raise ValueError(
                InputError("repository and commit belong together", valid="both, or neither")
            )
        return self


def read_collection(name: str) -> tuple[CollectionFile, Path]:
    """Collection of a file, or of a name in ``catalog/collections``, and its path. InputError with
    file, line and key.
    """
    path = Path(name)
    shipped = {file.stem: file for file in sorted((catalog_dir() / "collections").glob("*.toml"))}
    if not path.is_file() and path.name == name and not path.suffix:
        if name not in shipped:
            raise InputError(
                f"there is neither a file nor a collection {visible(name)!r}",
                where="FILE",
                valid=f"a TOML file, or one of {', '.join(shipped)}",
                hint=did_you_mean(name, shipped),
            )
        path = shipped[name]
    return toml.validate(toml.load(path), CollectionFile), path


# The tree


def fetched(collection: CollectionFile) -> Path:
    """The folder with the collection's commit, fetched by git unless it is there. InputError
    without a repository; SetupError if git cannot fetch it.
    """
    if collection.repository is None or collection.commit is None:
        raise InputError(
            f"{collection.name} names no repository",
            where="--from",
            valid="the folder with the code: --from DIR",
        )
    whole = sha256("\0".join((collection.repository, *collection.submodules)).encode()).hexdigest()
    folder = cache_folder() / "collections" / f"{collection.commit[:16]}-{whole[:8]}"
    done = folder / ".git" / "motebench-fetched"
    if done.is_file():
        return folder
    folder.mkdir(parents=True, exist_ok=True)
    _git(folder, "init", "--quiet")
    _git(folder, "fetch", "--quiet", "--depth=1", collection.repository, collection.commit)
    _git(folder, "checkout", "--quiet", "--force", "--detach", collection.commit)
    if collection.submodules:
        paths = ("--", *collection.submodules)
        _git(folder, "submodule", "update", "--init", "--recursive", "--depth=1", *paths)
    done.touch()
    return folder


def _git(folder: Path, *arguments: str) -> str:
    """Output of a call of git. SetupError if it fails."""
    done = git(folder, *arguments, timeout=_FETCH_SECONDS)
    if done.returncode:
        lines = done.stderr.strip().splitlines() or [f"status {done.returncode}"]
        raise SetupError(
            f"git {arguments[0]} fails: {visible(lines[-1])}",
            hint="clone it with its submodules, and give the folder: --from DIR",
        )
    return done.stdout.strip()


def commit_of(tree: Path) -> str | None:
    """Commit of a tree that is the top of a git work tree; None otherwise."""
    try:
        if not (tree / ".git").exists():
            return None
        return _git(tree, "rev-parse", "--verify", "HEAD")
    except SetupError:
        return None


@dataclass(frozen=True, slots=True)
class CollectedFolder:
    """Folder of a collection, with its names. ``path``: from the top of the tree. ``excluded``: the
    reason why it is not measured; empty if it is.
    """

    path: str
    names: Mapping[str, str]
    block: CollectedFolders
    excluded: str = ""

    @property
    def label(self) -> str:
        """Scheme and implementation, as ``--only`` matches them."""
        return f"{self.names['scheme']}/{self.names['implementation']}"


def folders_of(
    collection: CollectionFile, tree: Path, only: Sequence[str]
) -> list[CollectedFolder]:
    """Folders of a collection in a tree, each once, in order of their paths; of several trees
    inside each other that have one name, the first in the file. InputError if none matches, or if
    a pattern of ``only`` matches none.

    ``only``: patterns of ``SCHEME/IMPLEMENTATION`` or of paths.
    """
    chosen: dict[tuple[str, ...], CollectedFolder] = {}
    empty: dict[tuple[str, ...], CollectedFolder] = {}
    paths: set[str] = set()
    for block in collection.folders:
        for pattern in block.match:
            for folder in _matching(block, pattern, tree):
                below = folder.names["implementation"].count("/")
                key = tuple(folder.path.split("/")[-3 - below :])
                these = chosen if _has_files(tree / folder.path) else empty
                if folder.path not in paths and key not in these:
                    paths.add(folder.path)
                    these[key] = folder
    # A submodule that was not fetched must not hide the same folder elsewhere.
    chosen = empty | chosen
    if not chosen:
        raise InputError(
            f"{visible(str(tree))}: no folder matches {collection.name}",
            where="--from",
            valid=", ".join(pattern for block in collection.folders for pattern in block.match),
            hint="it is the top of the repository, with submodules",
        )
    _refuse_absent(collection, chosen.values(), only)
    selected = [folder for folder in chosen.values() if _selected(folder, only)]
    return sorted(selected, key=lambda folder: tuple(folder.names.values()))


def _refuse_absent(
    collection: CollectionFile, folders: Collection[CollectedFolder], only: Sequence[str]
) -> None:
    """InputError for patterns that match no folder."""
    absent = [
        pattern for pattern in only if not any(_selected(folder, (pattern,)) for folder in folders)
    ]
    if absent:
        raise InputError(
            f"no folder of {collection.name} matches {', '.join(absent)}",
            where="--only",
            valid="patterns of SCHEME/IMPLEMENTATION or of paths, each of at least one folder",
            hint=did_you_mean(absent[0], [folder.label for folder in folders]),
        )


def _selected(folder: CollectedFolder, only: Sequence[str]) -> bool:
    """True if a pattern means the folder, or there is none."""
    names = (folder.label, folder.path)
    return not only or any(fnmatchcase(name, pattern) for name in names for pattern in only)


def _has_files(path: Path) -> bool:
    """False for an empty folder, and for a link that leads nowhere."""
    try:
        return any(path.iterdir())
    except OSError:
        return not path.is_symlink()


def _matching(block: CollectedFolders, pattern: str, tree: Path) -> Iterator[CollectedFolder]:
    parts = pattern.split("/")
    for path in sorted(tree.glob(_SLOT.sub("*", pattern))):
        relative = path.relative_to(tree).as_posix()
        if not path.is_dir() and (not path.is_symlink() or path.exists()):
            continue
        names = {"scheme": path.parent.name, "implementation": path.name}
        for given, name in zip(parts, relative.split("/"), strict=True):
            expression = _SLOT.sub(
                r"(?P<\1>.+)",
                re.escape(given).replace(r"\{", "{").replace(r"\}", "}").replace(r"\*", ".*"),
            )
            if match := re.fullmatch(expression, name):
                names |= match.groupdict()
        for inner in _implementations(path):
            below = "" if inner == path else f"/{inner.relative_to(path).as_posix()}"
            ordered = {name: path_text(names[name]) for name in NAMES if name in names}
            ordered["implementation"] += path_text(below)
            place = relative + below
            yield CollectedFolder(place, ordered, block, _reason(block, place))


def _reason(block: CollectedFolders, path: str) -> str:
    """The reason why a folder is excluded; empty if it is not."""
    return next(
        (
            excluded.reason
            for excluded in block.exclude
            for glob in excluded.match
            if fnmatchcase(path, glob)
        ),
        "",
    )


def _implementations(path: Path) -> list[Path]:
    """The folder itself, or those below it that have an ``api.h`` where it has none: SUPERCOP names
    an implementation by its path below the scheme.
    """
    if (path / API).exists():
        return [path]
    return sorted(file.parent for file in path.rglob(API)) or [path]


# Measuring


@dataclass(frozen=True, slots=True)
class CollectionRequest:
    """Request to measure a collection: the file and the folder of its code, and what of it.

    ``command``: as the user typed it. ``again``: measure what is stored, too. ``share``: of the
    cycles, on simulated boards. ``jobs``: folders at once; None: one per processor on simulated
    boards, else one.
    """

    collection: CollectionFile
    tree: Path
    targets: tuple[str, ...] = ()
    only: tuple[str, ...] = ()
    again: bool = False
    timeout: float | None = None
    command: str | None = None
    fleet: Boards | None = None
    share: Literal["hash"] | None = None
    jobs: int | None = None

    @property
    def at_once(self) -> int:
        """Folders at once. InputError for several where one would disturb the other."""
        alone = [name for name in self.names if not name.startswith(SIMULATED)]
        if alone and (self.jobs or 1) > 1:
            raise InputError(
                f"several folders at once would disturb each other on {alone[0]}",
                where="--jobs",
                valid="1; more on simulated boards",
            )
        return self.jobs or (1 if alone else cores())

    @property
    def names(self) -> tuple[str, ...]:
        """The targets by their full names."""
        given = self.targets or self.collection.targets
        return self.fleet.targets(given) if self.fleet else tuple(map(called_target, given))


@dataclass(frozen=True, slots=True)
class FolderCause:
    """Reason why something of a folder has no number. ``operation``: None: nothing of it has."""

    kind: str
    message: str
    operation: str | None = None
    implementation: str | None = None
    size: str = ""
    """``128 B``, with additional data ``16:128 B``, if the operation has numbers of other sizes."""


@dataclass(frozen=True, slots=True)
class FolderOutcome:
    """Outcome of one folder on one target: its run, or why it has none. ``kept``: the run was
    stored before. ``kinds``: of its code.
    """

    folder: CollectedFolder
    target: str
    kinds: tuple[str, ...] = ()
    implementations: tuple[str, ...] = ()
    """By variant: names of the implementation in the run."""
    run: Run | None = None
    kept: bool = False
    causes: tuple[FolderCause, ...] = ()

    @property
    def state(self) -> str:
        """Word for it."""
        if self.folder.excluded:
            return "excluded"
        results = () if self.run is None else self.run.results
        if not any(
            result.finished
            and result.failure is None
            and unplaced(result.case.target) == unplaced(self.target)
            for result in results
        ):
            return "failed"
        return "kept" if self.kept else "measured"


@dataclass(frozen=True, slots=True)
class Collected:
    """Outcomes of a request, by folder and target. ``left``: folders that an
    interruption left out.
    """

    request: CollectionRequest
    outcomes: tuple[FolderOutcome, ...]
    left: int = 0


Watcher = Callable[[int, int, CollectedFolder, Sequence[FolderOutcome] | None], None]
"""Hears of the number of a folder and of all folders: before it is measured (None), and after."""


def collect(
    store: str | os.PathLike[str], request: CollectionRequest, watch: Watcher, crew: Crew | None
) -> Collected:
    """Measure the folders of a collection that the store has no valid run of. Ctrl-C ends it in
    order; the next call goes on there. InputError for a request that cannot be.
    """
    folders = folders_of(request.collection, request.tree, request.only)
    for name in request.names:
        open_target(name, where="--target" if request.targets else "targets")
    for table in request.collection.tables:
        for name in table.published:
            open_target(called_target(name), where="published")
    Store.check(store)
    calls = _Calls(store, request, watch, crew, len(folders), request.at_once)
    with suppress(KeyboardInterrupt), closing(calls.of(folders)) as results:
        for interrupted in results:
            if interrupted:
                break
    outcomes = [outcome for number in sorted(calls.done) for outcome in calls.done[number]]
    return Collected(request, tuple(outcomes), len(folders) - len(calls.ended))


@dataclass(slots=True)
class _Calls:
    """Folders on their way, ``at_once`` at a time. ``done``: their outcomes; ``ended``: those
    that nothing interrupted."""

    store: str | os.PathLike[str]
    request: CollectionRequest
    watch: Watcher
    crew: Crew | None
    count: int
    at_once: int
    done: dict[int, list[FolderOutcome]] = field(default_factory=dict)
    ended: set[int] = field(default_factory=set)
    _interrupt: Interrupt = field(default_factory=Interrupt)
    _watching: Lock = field(default_factory=Lock)

    def of(self, folders: Sequence[CollectedFolder]) -> Generator[bool]:
        """True for each folder that was interrupted, else False, in their order."""
        return each(
            self._measured,
            enumerate(folders, 1),
            parallel=self.at_once > 1,
            hurry=self._hurry,
            threads=self.at_once,
        )

    def _measured(self, numbered: tuple[int, CollectedFolder]) -> bool:
        number, folder = numbered
        way = _Folder(self.store, self.request, folder, self.crew)
        way.first = all(outcome.run is None for done in self.done.values() for outcome in done)
        if self.at_once > 1:
            way.threads = max(1, cores() // self.at_once)
            way.interrupt = self._interrupt
        with self._watching:
            self.watch(number, self.count, folder, None)
        outcomes = way.outcomes()
        if self._interrupt.came:
            # Compilers and probes were ended, so that a folder without a run says nothing.
            way.cut_short(outcomes)
        with self._watching:
            self.watch(number, self.count, folder, outcomes)
            self.done[number] = outcomes
            if not way.interrupted:
                self.ended.add(number)
        return way.interrupted

    def _hurry(self) -> None:
        """End what is on its way, in order, again and again until it has ended."""
        self._interrupt.end()
        self._interrupt.hurry()


@dataclass(slots=True)
class _Folder:
    """One folder on its way. ``first``: the call has no run yet."""

    store: str | os.PathLike[str]
    request: CollectionRequest
    folder: CollectedFolder
    crew: Crew | None
    threads: int | None = None
    interrupt: Interrupt | None = None
    first: bool = False
    interrupted: bool = False
    kinds: tuple[str, ...] = ()
    implementations: dict[str, tuple[str, ...]] = field(default_factory=dict)
    questions: dict[str, Question] = field(default_factory=dict)
    identities: dict[str, str] = field(default_factory=dict)
    refused: dict[str, FolderCause] = field(default_factory=dict)

    def outcomes(self) -> list[FolderOutcome]:
        """The outcome on each target."""
        targets = self.request.names
        if self.folder.excluded:
            return [self._none(target, "excluded", self.folder.excluded) for target in targets]
        self._ask(targets)
        stored = {} if self.request.again else self._stored()
        new = [target for target in self.identities if target not in stored]
        measured = self._measured_or_refused(new) if new else {}
        outcomes = []
        for target in targets:
            run = stored.get(target) or measured.get(target)
            if run is None:
                cause = self.refused.get(target) or FolderCause("lost", "interrupted")
                outcomes.append(self._none(target, cause.kind, cause.message))
            else:
                outcomes.append(self._of_run(target, run, before=target in stored))
        return outcomes

    def cut_short(self, outcomes: list[FolderOutcome]) -> None:
        """Replace the outcomes that an interruption may have made: all without a run."""
        if self.folder.excluded:
            return
        for at, outcome in enumerate(outcomes):
            if outcome.run is None:
                self.interrupted = True
                outcomes[at] = self._none(outcome.target, "lost", "interrupted")

    def _ask(self, targets: Sequence[str]) -> None:
        """Make the question on each target, or say why there is none."""
        for target in targets:
            try:
                question = self._question(target)
                (code,) = question.workspace.code.values()
                self.kinds = code.folder.kinds
                self.identities[target] = _identity(
                    code, target, self.folder.block, self.request.share
                )
                self.questions[target] = question
            except (InputError, SetupError, ProbeFailure) as error:
                self.refused[target] = _cause_of(error)

    def _measured_or_refused(self, targets: Sequence[str]) -> dict[str, Run]:
        """A new run by target; nothing if it cannot be planned."""
        try:
            return self._measured(targets)
        except (InputError, SetupError) as error:
            if self.first and isinstance(error, AbsentError):
                raise
            self.refused |= dict.fromkeys(targets, _cause_of(error))
            return {}

    def _none(self, target: str, kind: str, message: str) -> FolderOutcome:
        return FolderOutcome(self.folder, target, self.kinds, causes=(FolderCause(kind, message),))

    def _of_run(self, target: str, run: Run, *, before: bool) -> FolderOutcome:
        causes = tuple(
            FolderCause(
                failure.kind.value,
                failure.message,
                failure.operation,
                None if failure.implementation == "*" else failure.implementation,
                _size_alone(failure, run),
            )
            for failure in failures_of(run)
            if failure.target == target
        )
        names = self.implementations[target]
        return FolderOutcome(self.folder, target, self.kinds, names, run, before, causes)

    def _question(self, target: str) -> Question:
        """The question of the folder on one target. InputError for code that cannot be used."""
        block, names = self.folder.block, self.folder.names
        path = self.request.tree / self.folder.path
        declared = block.schemes.get(names["scheme"], names["scheme"])
        named = declared in catalog_schemes() or names["scheme"] in block.schemes
        code = f"code/{slug(path.name)}"
        usual = BOARD_LEVEL if is_board(target) else HOST_LEVEL
        variants = tuple(_variant(code, variant, usual) for variant in block.variants) or (code,)
        self.implementations[target] = variants
        options = Options(
            schemes=(declared,) if named and declared else (),
            implementations=variants,
            targets=(target,),
            placements=1,
            operations=tuple(operation.value for operation in block.operations),
            sizes=tuple(map(str, block.sizes)),
            aad=tuple(map(str, block.aad)),
            code=(str(path),),
            code_flags=_flags_on(target, block.flags) or None,
            without_kat=block.without_kat,
        )
        sampling = self._sampling(target)
        questions = [options, *(_with_sizes(options, more) for more in block.more)]
        first, *others = (
            from_options(given, sampling, WholeFile(), self.request.fleet) for given in questions
        )
        groups = tuple(group for question in (first, *others) for group in question.study.measure)
        return replace(first, study=first.study.model_copy(update={"measure": groups}))

    def _sampling(self, target: str) -> Sampling:
        """Sampling of the folder on one target."""
        timeout = self.request.timeout or self.request.collection.timeout
        sampling = Sampling() if timeout is None else Sampling(timeout=f"{timeout}s")
        most = EXECUTIONS if target.startswith(SIMULATED) else None
        return sampling.model_copy(update={"share": self.request.share, "max_samples": most})

    def _stored(self) -> dict[str, Run]:
        """The newest stored run by target that was made of the same and lacks nothing of it; one
        that was begun is finished first.
        """
        try:
            opened = Store.open(self.store, create=False)
        except MotebenchError:
            return {}
        runs: dict[str, Run] = {}
        begun: dict[str, str] = {}
        with opened:
            for info in sorted(opened.runs(), key=lambda info: info.id, reverse=True):
                fitting = [target for target in self._fitting(info) if target not in runs]
                if not fitting:
                    continue
                run = opened.load_run(info.id)
                for target in fitting:
                    if _whole(run, target):
                        runs[target] = run
                    elif _begun(run, target):
                        begun.setdefault(target, info.name)
        left = {target: name for target, name in begun.items() if target not in runs}
        for name in dict.fromkeys(left.values()):
            targets = [target for target, run_name in left.items() if run_name == name]
            if not self.interrupted:
                runs |= self._finished(name, targets)
        return runs

    def _fitting(self, info: RunInfo) -> list[str]:
        """Targets on which a stored run was made of what is there now."""
        made = part(part(info.settings, COLLECTION), "identities")
        targets = [
            target for target, identity in self.identities.items() if made.get(target) == identity
        ]
        if all(map(is_board, targets)) or not differences(info.environment, describe()):
            return targets
        return list(filter(is_board, targets))

    def _finished(self, name: str, targets: Sequence[str]) -> dict[str, Run]:
        """An interrupted run, finished; nothing if it cannot be taken up."""
        try:
            measured = carry_out(
                self.store, Resume(name), workers=self.crew, interrupt=self.interrupt
            )
        except MotebenchError:
            return {}
        self.interrupted = measured.interrupted
        return dict.fromkeys(targets, measured.runs[0])

    def _measured(self, targets: Sequence[str]) -> dict[str, Run]:
        """A new run of these targets."""
        questions = [self.questions[target] for target in targets]
        first = questions[0]
        study = first.study.model_copy(
            update={
                "title": f"{self.request.collection.name}: {self.folder.label}",
                "measure": tuple(
                    group for question in questions for group in question.study.measure
                ),
            }
        )
        boards = {name: board for question in questions for name, board in question.boards.items()}
        question = replace(
            first,
            study=study,
            text=to_toml(study),
            command=self.request.command,
            places=(),
            boards=boards,
        )
        about = {
            "name": self.request.collection.name,
            "folder": path_text(self.folder.path),
            "identities": {target: self.identities[target] for target in targets},
        }
        measured = self._started(question, about)
        self.interrupted = measured.interrupted
        return dict.fromkeys(targets, measured.runs[0])

    def _started(self, question: Question, about: Mapping[str, object]) -> Measured:
        """A new run under a free name; another one if a call beside this one takes that first."""
        label = f"{self.request.collection.name}-{slug(self.folder.label)}"
        while True:
            with Store.open(self.store, create=True) as opened:
                name = _free_name(opened, label)
            try:
                start = Start(question, name, threads=self.threads, collection=about)
                return carry_out(self.store, start, workers=self.crew, interrupt=self.interrupt)
            except InputError as error:
                if f"already has a run {name!r}" not in error.what:
                    raise


def _flags_on(target: str, flags: str) -> str:
    """The flags on a target. ``-march=native`` means this machine, so that no other has it."""
    return flags if target == "host" else re.sub(r"-m(?:arch|cpu|tune)=native\b\s*", "", flags)


def _with_sizes(options: Options, more: MoreSizes) -> Options:
    """The same options for more sizes. A hash of the folder has no additional data."""
    operations = options.operations or ("encrypt-message", "decrypt-message")
    return replace(
        options,
        operations=operations,
        sizes=tuple(map(str, more.sizes)),
        aad=tuple(map(str, more.aad)),
    )


def _size_alone(failure: Failure, run: Run) -> str:
    """Size of a failure if the operation has a number of another size; else empty."""
    measured = {
        (result.case.target, result.case.implementation, result.case.operation.value)
        for result in run.results
        if result.finished and result.failure is None
    }
    failed = (failure.target, failure.implementation, failure.operation)
    if failed not in measured or failure.input_bytes is None:
        return ""
    return f"{f'{failure.aad_bytes}:' if failure.aad_bytes else ''}{failure.input_bytes} B"


def _whole(run: Run, target: str) -> bool:
    """True if a run has an answer to all that was asked of a target: numbers, or failures for
    which neither the board nor this machine is the reason.
    """
    failures = [failure for failure in failures_of(run) if failure.target == target]
    results = [result for result in run.results if result.case.target == target]
    ended = all(result.finished or result.failure is not None for result in results)
    lost = any(failure.kind in (FailureKind.LOST, FailureKind.NO_ROOM) for failure in failures)
    return ended and not lost and bool(results or failures or run.info.status == "finished")


def _begun(run: Run, target: str) -> bool:
    """True if a run has cases of a target, which can be finished."""
    return any(result.case.target == target for result in run.results)


def _variant(code: str, variant: str, usual: str) -> str:
    """Name of a variant of code; that of the usual level has no name of its own."""
    level, plus, compiler = variant.partition(COMPILER)
    return f"{code}{'' if level == usual else VARIANT + level}{plus}{compiler}"


def is_board(target: str) -> bool:
    """True for a microcontroller, which need not answer; False for a machine."""
    return open_target(target).place.board


def variant_of(implementation: str, target_has_board: bool) -> str:
    """The level and compiler in the name of an implementation: ``O3+clang``."""
    rest = variant_marks(implementation)
    usual = BOARD_LEVEL if target_has_board else HOST_LEVEL
    return rest.removeprefix(VARIANT) if rest.startswith(VARIANT) else usual + rest


def _cause_of(error: MotebenchError | ProbeFailure) -> FolderCause:
    if isinstance(error, ProbeFailure):
        return FolderCause(error.kind.value, error.message)
    if isinstance(error, AbsentError):
        message = ": ".join(filter(None, (error.what, error.hint)))
        return FolderCause(FailureKind.LOST.value, message)
    kind = FailureKind.BUILD if isinstance(error, SetupError) else FailureKind.UNSUPPORTED
    # An option is no place in the folder.
    named = error.where is not None and not error.where.startswith("-")
    valid = f"; valid: {error.valid}" if error.valid else ""
    message = f"{error.where}: {error.what}" if named else error.what
    return FolderCause(kind.value, message + valid)


def _free_name(store: Store, name: str) -> str:
    """A name that no run of the store has."""
    name = name[:90]
    names = (name if number == 1 else f"{name}.{number}" for number in count(1))
    return next(candidate for candidate in names if not store.is_run(candidate))


def _identity(code: UserCode, target: str, block: CollectedFolders, share: str | None) -> str:
    """Digest of all that a result on a target depends on: sources and known answers, flags, levels
    and sizes, compilers, motebench's own sources, and ``share`` that is counted too. ProbeFailure
    or SetupError without a compiler.
    """
    facts: dict[str, Any] = code.facts()
    device = device_of(target)
    compilers = {variant.partition(COMPILER)[2] or DEFAULT_COMPILER for variant in block.variants}
    versions = [
        toolchain(device, name).version if device is not None else host_compiler().version
        for name in sorted(compilers or {DEFAULT_COMPILER})
    ]
    measured = block.model_dump_json(exclude={"match", "exclude", "schemes"})
    parts = [
        *(
            code.name,
            facts["digest"],
            facts["flags"],
            repr(facts["schemes"]),
            repr(facts["known_answers"]),
        ),
        *(measured, target, *versions, _own_sources(), __version__, *([share] if share else [])),
    ]
    return sha256("\0".join(parts).encode()).hexdigest()


@cache
def _own_sources() -> str:
    """Digest of motebench's firmware, probes' sources and simulators."""
    whole = sha256()
    for folder in ("core", "simulators"):
        for path in sorted((data_root() / folder).rglob("*")):
            if path.is_file():
                whole.update(f"{path.relative_to(data_root())}\0".encode())
                whole.update(sha256(path.read_bytes()).digest())
    return whole.hexdigest()
