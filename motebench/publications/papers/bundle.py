"""The bundle of a replication: page, document, samples, study and request, as one folder or one
.zip file.

``motebench replicate --rerun BUNDLE`` carries out the request again and compares the verdicts. A
bundle is only read: nothing in it is executed, and no name in it is a path that is written to.
"""

from __future__ import annotations

import hashlib
import json
import zipfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from io import BytesIO
from pathlib import Path
from typing import Any

from pydantic import TypeAdapter, ValidationError

from motebench.base.errors import InputError
from motebench.base.files.access import FileKind, check, write
from motebench.base.process import TemporaryFolder
from motebench.base.shapes import as_document
from motebench.catalog.published import papers
from motebench.documents.papers import (
    ChangedVerdictEntry,
    ClaimEntry,
    JudgedEntry,
    ReplicationEntry,
    RerunEntry,
)
from motebench.publications.papers.claims import folder_of
from motebench.publications.papers.replicate import Replication
from motebench.results.keeping import join
from motebench.store import Store
from motebench.version import __version__

FORMAT = "motebench-replication-bundle-1"
_REQUEST, _DOCUMENT, _SUMS, _STORE = (
    "request.json",
    "replication.json",
    "SHA256SUMS",
    "motebench.db",
)
_MOST_BYTES = 1 << 30
"""Largest number of bytes that are read of a file in a bundle."""
_SIDES = ("published", "replicated", "own", "settled")


@dataclass(frozen=True, slots=True)
class BundledRequest:
    """Original request, complete enough to repeat it. ``extra``, ``budget``: seconds."""

    papers: tuple[str, ...]
    targets: tuple[str, ...] = ()
    scale: str = "1"
    extra: float | None = None
    budget: float | None = None


@dataclass(frozen=True, slots=True)
class Bundle:
    """Bundle as read. ``verdicts``: by paper, claim and side. ``differing``: files of the study
    that differ or are missing in this installation.
    """

    name: str
    version: str
    request: BundledRequest
    verdicts: Mapping[tuple[str, str, str], str]
    differing: tuple[str, ...]


def check_bundle(path: Path, *, force: bool) -> None:
    """InputError if no bundle can be written there."""
    if path.suffix == ".zip":
        check(path, FileKind.ZIP, force=force, where="--bundle")
    elif path.exists() and not (
        path.is_dir() and (not any(path.iterdir()) or (force and (path / _REQUEST).exists()))
    ):
        raise InputError(
            f"{path} exists",
            where="--bundle",
            valid="a new folder, or a name that ends in .zip",
            hint="--force replaces the files of an earlier bundle",
        )


def write_bundle(
    path: Path,
    request: BundledRequest,
    answer: ReplicationEntry,
    page: str,
    replications: Sequence[Replication],
    store: str,
    *,
    force: bool,
) -> None:
    """Write page, document, samples, study and request. InputError if that is not possible."""
    check_bundle(path, force=force)
    files = dict(_files(path.name, request, answer, page, replications, store))
    sums = "".join(
        f"{hashlib.sha256(data).hexdigest()}  {name}\n" for name, data in sorted(files.items())
    )
    files[_SUMS] = sums.encode()
    if path.suffix == ".zip":
        packed = BytesIO()
        with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
            for name, data in files.items():
                archive.writestr(f"{path.stem}/{name}", data)
        write(path, packed.getvalue(), FileKind.ZIP, force=force, where="--bundle")
        return
    try:
        for name, data in files.items():
            target = path / name
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(data)
    except OSError as error:
        raise InputError(
            f"cannot write {path}: {error.strerror or error}", where="--bundle"
        ) from error


def _files(
    name: str,
    request: BundledRequest,
    answer: ReplicationEntry,
    page: str,
    replications: Sequence[Replication],
    store: str,
) -> Iterator[tuple[str, bytes]]:
    """The files of a bundle by their names."""
    yield "README.txt", _readme(name, answer).encode()
    yield "page.html", page.encode("utf-8", "backslashreplace")
    yield _DOCUMENT, (json.dumps(as_document(answer), indent=1, ensure_ascii=False) + "\n").encode()
    request_values = {"format": FORMAT, "version": __version__, **asdict(request)}
    yield _REQUEST, (json.dumps(request_values, indent=1) + "\n").encode()
    for replication in replications:
        key = replication.paper.key
        yield from ((f"study/{key}/{name}", data) for name, data in _study(key).items())
    yield from _stored([name for replication in replications for name in replication.stored], store)


def _study(key: str) -> dict[str, bytes]:
    """The files of a paper's folder in the catalog: claims, tables, studies, code."""
    folder = folder_of(key)
    paths = sorted(
        path for path in folder.rglob("*") if path.is_file() and not path.name.startswith(".")
    )
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in paths}


def _stored(names: Sequence[str], store: str) -> Iterator[tuple[str, bytes]]:
    """A store with these runs alone, and the study of each as it was measured."""
    if not names:
        return
    with TemporaryFolder() as folder:
        place = Path(folder) / _STORE
        with Store.open(store, create=False) as source, Store.open(place, create=True) as copy:
            list(join(copy, source, names))
            for name in names:
                yield f"study/measured/{name}.toml", source.load_run(name).info.study.encode()
        yield _STORE, place.read_bytes()


def _readme(name: str, answer: ReplicationEntry) -> str:
    cites = "\n\n".join(paper.cite for paper in answer.papers)
    keys = ", ".join(paper.key for paper in answer.papers)
    return f"""A replication by motebench {__version__}: {keys}

Measure it again, and compare the verdicts with those in this bundle:

    motebench replicate --rerun {name}

page.html         verdicts, comparisons, machine, versions; opens offline
replication.json  the same as data
motebench.db      every sample: motebench show --store motebench.db
study/            the paper's numbers, claims and studies
study/measured/   each study as it was carried out
request.json      what --rerun asks for
SHA256SUMS        of all other files: sha256sum -c SHA256SUMS

{cites}
"""


# Reading


def check_store(bundle: Path, store: str) -> None:
    """InputError where the samples would go into the bundle itself."""
    if bundle.is_dir() and "://" not in store and bundle.resolve() in Path(store).resolve().parents:
        raise InputError(
            f"{store} is the store of the bundle",
            where="--store",
            valid="another file",
            hint="--store again.db",
        )


def read_bundle(path: Path) -> Bundle:
    """Bundle in a folder or .zip file. InputError for another file, or a damaged one."""
    try:
        files = _read_files(path)
    except (OSError, zipfile.BadZipFile, NotImplementedError, RuntimeError) as error:
        message = error.strerror if isinstance(error, OSError) else ""
        raise _no_bundle(path, message or str(error)) from error
    for name in (_REQUEST, _DOCUMENT, _SUMS):
        if name not in files:
            raise _no_bundle(path, f"it has no {name}")
    for line in files[_SUMS].decode("utf-8", "replace").splitlines():
        digest, _, name = line.partition("  ")
        # A store changes where a program opens it, and is not what is carried out again.
        if name != _STORE and hashlib.sha256(files.get(name, b"")).hexdigest() != digest:
            raise _no_bundle(path, f"{name} is missing, or differs from {_SUMS}")
    try:
        request_read, document = (json.loads(files[name]) for name in (_REQUEST, _DOCUMENT))
        request = TypeAdapter(BundledRequest).validate_python(
            {key: value for key, value in request_read.items() if key not in ("format", "version")}
        )
        if request_read["format"] != FORMAT or not request.papers:
            raise ValueError(f"its format is {request_read['format']!r}, not {FORMAT!r}")
        verdicts = dict(_verdicts_of(document))
    except (ValueError, KeyError, TypeError, AttributeError, ValidationError) as error:
        raise _no_bundle(path, " ".join(str(error).split())[:200]) from error
    return Bundle(
        str(path),
        str(request_read["version"]),
        request,
        verdicts,
        tuple(_differing(files, request)),
    )


def _no_bundle(path: Path, reason: str) -> InputError:
    return InputError(
        f"{path} is not a bundle of a replication: {reason}",
        where="--rerun",
        valid="a folder or .zip file that replicate --bundle wrote",
    )


def _read_files(path: Path) -> dict[str, bytes]:
    if path.is_dir():
        names = (_REQUEST, _DOCUMENT, _SUMS)
        listed = (path / _SUMS).read_text(encoding="utf-8", errors="replace").splitlines()
        inside = [line.partition("  ")[2] for line in listed]
        safe = [
            name for name in inside if not Path(name).is_absolute() and ".." not in Path(name).parts
        ]
        present = [name for name in dict.fromkeys((*names, *safe)) if (path / name).is_file()]
        return {
            name: (path / name).read_bytes()
            for name in present
            if (path / name).stat().st_size <= _MOST_BYTES
        }
    with zipfile.ZipFile(path) as archive:
        infos = [
            info
            for info in archive.infolist()
            if not info.is_dir() and info.file_size <= _MOST_BYTES
        ]
        return {info.filename.partition("/")[2]: archive.read(info) for info in infos}


def _verdicts_of(document: Any) -> Iterator[tuple[tuple[str, str, str], str]]:
    for paper in document["papers"]:
        for claim in paper["claims"]:
            for side in _SIDES:
                if claim.get(side):
                    yield (paper["key"], claim["id"], side), claim[side]["verdict"]


def _differing(files: Mapping[str, bytes], request: BundledRequest) -> Iterator[str]:
    """Files of the papers' folders that the catalog here has otherwise."""
    for key in request.papers:
        here = _study(key) if key in papers() else {}
        head = f"study/{key}/"
        bundled = {
            name.removeprefix(head): data for name, data in files.items() if name.startswith(head)
        }
        yield from (
            f"{key}/{name}"
            for name in sorted(here.keys() | bundled.keys())
            if here.get(name) != bundled.get(name)
        )


def compared(bundle: Bundle, answer: ReplicationEntry) -> RerunEntry:
    """Verdicts of a replication beside those of the bundle that it repeated."""
    now = {
        (paper.key, claim.id, side): judged.verdict
        for paper in answer.papers
        for claim in paper.claims
        for side, judged in _judged(claim)
    }
    places = list(dict.fromkeys((*bundle.verdicts, *now)))
    changed = tuple(
        ChangedVerdictEntry(
            paper=place[0],
            claim=place[1],
            side=place[2],
            before=bundle.verdicts.get(place),
            now=now.get(place),
        )
        for place in places
        if bundle.verdicts.get(place) != now.get(place)
    )
    return RerunEntry(
        bundle=bundle.name,
        version=bundle.version,
        same=len(places) - len(changed),
        changed=changed,
        differing=bundle.differing,
    )


def _judged(claim: ClaimEntry) -> Iterator[tuple[str, JudgedEntry]]:
    for side in _SIDES:
        judged: JudgedEntry | None = getattr(claim, side)
        if judged is not None:
            yield side, judged
