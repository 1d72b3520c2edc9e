"""``core/vendor/<name>/source.toml``: the origin of a library's sources, and the implementations
from them.

``core/adapters/<name>/source.toml``: the same for a whole library that is built here or for other
machines; no implementations.

``avr-gcc`` copies constants to RAM. Some implementations are therefore built from copies of library
files whose constant tables are in flash. The change is one word in a table's declaration,
``MOTE_FLASH`` (core/include/mote/flash.h); ``source.toml`` has the names of the tables.
"""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from types import MappingProxyType
from typing import Literal

from pydantic import Field

from motebench.base.errors import InputError, MotebenchError
from motebench.base.files import toml
from motebench.base.paths import data_root
from motebench.catalog.schema import Identifier, Record, Text

_FLASH = ".flash"
"""Folder of copies with tables in flash, in an unpacked folder."""
DONE = ".sha256"
"""File in an unpacked folder: the hash of the unpacked archive."""


class PinnedImplementation(Record):
    """Parts of one implementation. Paths are those inside the archive; ``*`` and ``?`` may stand in
    them.

    ``own``: files of motebench's own that it needs, inside ``core``. ``architectures``: of devices
    it is offered for; none: all. ``like``: the implementation that offers the same, and whose
    wrapper and own files are used; then ``flash`` says which tables lie in flash instead of RAM:
    names by file. ``definitions`` go to the library's files: ``{mode}`` stands for the mode of the
    scheme that is built. ``offers``: patterns of exactly its schemes. ``listed_by``: sources for
    boards only have no probe of this machine; that of this implementation (``mbedtls-3/p256``)
    lists the same schemes and gives the same answers.
    """

    offers: tuple[Text, ...] = ()
    sources: tuple[Text, ...] = ()
    own: tuple[Text, ...] = ()
    definitions: tuple[Text, ...] = ()
    architectures: tuple[Text, ...] = ()
    like: Identifier | None = None
    listed_by: Text | None = None
    flash: Mapping[Text, tuple[Text, ...]] = Field(default_factory=dict)

    @property
    def has_probe(self) -> bool:
        """True if it has a probe of its own on this machine."""
        return self.like is None and self.listed_by is None


class PinnedSource(Record):
    """Library, the archive of its sources, and the registry that has the archive.

    ``registry``: ``debian`` (a source package of ``release``, fetched by apt), ``pypi`` (a source
    distribution, fetched by pip) or ``crates`` (a crate, fetched by cargo); ``package`` is its name
    there, ``file`` that of the archive. ``version`` is the library's own. ``config`` is a header
    beside the manifest that is included before all else.
    """

    name: Identifier
    library: Text
    version: Text
    licence: Text
    url: Text
    registry: Literal["debian", "pypi", "crates"]
    package: Text
    release: Text
    file: Text
    sha256: str = Field(pattern=r"^[0-9a-f]{64}$")
    includes: tuple[Text, ...] = ()
    definitions: tuple[Text, ...] = ()
    config: Text | None = None
    implementation: Mapping[Identifier, PinnedImplementation] = Field(default_factory=dict)

    @property
    def wrappers(self) -> Path:
        """The folder of motebench's own files around the library."""
        return (vendor_dir() if self.implementation else adapters_dir()) / self.name

    @property
    def folder(self) -> Path:
        """The folder of the unpacked sources."""
        return unpacked_dir() / f"{self.name}-{self.version}"

    @property
    def fetched(self) -> bool:
        """True if the pinned sources are present."""
        stamp = self.folder / DONE
        return stamp.is_file() and stamp.read_text(encoding="utf-8").strip() == self.sha256

    def files(self, implementation: PinnedImplementation) -> list[Path]:
        """The library's own files of an implementation. InputError if a pattern matches none."""
        files: list[Path] = []
        for pattern in implementation.sources:
            paths = sorted(self.folder.glob(pattern))
            if not paths:
                where = str(self.wrappers / "source.toml")
                raise InputError(f"{self.library} {self.version} has no {pattern}", where=where)
            files += paths
        return files


def vendor_dir() -> Path:
    """The folder with one folder per library."""
    return data_root() / "core" / "vendor"


def adapters_dir() -> Path:
    """The folder with one folder per adapter."""
    return data_root() / "core" / "adapters"


def unpacked_dir() -> Path:
    """The folder of archives and unpacked sources."""
    return data_root() / "build" / "vendor"


def source_files() -> list[Path]:
    """Every ``source.toml``; none if motebench is installed without its sources."""
    return sorted(vendor_dir().glob("*/source.toml"))


def read_source(path: Path) -> PinnedSource:
    """One library. InputError with file, line and key."""
    document = toml.load(path)
    source = toml.validate(document, PinnedSource)
    if source.name != path.parent.name:
        raise InputError(
            "name differs from the name of the folder",
            where=document.where(("name",)),
            valid=path.parent.name,
        )
    for name, implementation in source.implementation.items():
        if implementation.like is not None and implementation.like not in source.implementation:
            where = document.where(("implementation", name, "like"))
            raise InputError(f"unknown implementation {implementation.like!r}", where=where)
    return source


@cache
def sources() -> Mapping[str, PinnedSource]:
    """Every library by name."""
    return MappingProxyType({source.name: source for source in map(read_source, source_files())})


@cache
def libraries() -> Mapping[str, PinnedSource]:
    """Libraries by name that can be built whole for other machines: those with a script
    ``cross.sh``. InputError for a malformed file. The sources of some are those of `sources`.
    """
    pins = {}
    for script in sorted(adapters_dir().glob("*/cross.sh")):
        manifest = script.with_name("source.toml")
        pins[script.parent.name] = (
            read_source(manifest) if manifest.is_file() else sources()[script.parent.name]
        )
    return MappingProxyType(pins)


@cache
def built() -> Mapping[str, PinnedSource]:
    """Every library by name that is built whole for this machine, if a user asks: it has a script
    ``build.sh``. InputError if a file is wrong."""
    scripts = sorted(adapters_dir().glob("*/build.sh"))
    return MappingProxyType(
        {script.parent.name: read_source(script.with_name("source.toml")) for script in scripts}
    )


@cache
def implementations() -> Mapping[str, tuple[PinnedSource, PinnedImplementation]]:
    """Every implementation by name (``bearssl/aes-small``) whose sources are present."""
    return MappingProxyType(
        {
            f"{source.name}/{name}": (source, implementation)
            for source in sources().values()
            if source.fetched
            for name, implementation in source.implementation.items()
        }
    )


def source_of(implementation: str, *, cross: bool) -> PinnedSource | None:
    """The pinned source that an implementation without variant is built from, if it is. ``cross``:
    for a machine whose probes are built here."""
    name, _, of_it = implementation.partition("/")
    if of_it:
        source = sources().get(name)
        return source if source is not None and of_it in source.implementation else None
    return built().get(name) or (libraries().get(name) if cross else None)


def prepare(source: PinnedSource) -> None:
    """Write the copies of every implementation of the source that has tables in flash."""
    for name, implementation in source.implementation.items():
        for file, tables in implementation.flash.items():
            text = (source.folder / file).read_text(encoding="utf-8")
            path = flash_folder(source, name) / file
            changed = in_flash(text, tables, f"{source.wrappers / 'source.toml'}: {name}: {file}")
            if not path.is_file() or path.read_text(encoding="utf-8") != changed:
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(changed, encoding="utf-8")


def flash_folder(source: PinnedSource, name: str) -> Path:
    """The folder with the copies of an implementation."""
    return source.folder / _FLASH / name


def files(source: PinnedSource, name: str, implementation: PinnedImplementation) -> list[Path]:
    """The library's files of an implementation, with the changed copies instead of the
    originals.
    """
    base = source.implementation[implementation.like] if implementation.like else implementation
    copies = flash_folder(source, name)
    return [
        copies / path.relative_to(source.folder)
        if str(path.relative_to(source.folder)) in implementation.flash
        else path
        for path in source.files(base)
    ]


def in_flash(text: str, tables: Iterable[str], where: str) -> str:
    """C text with ``MOTE_FLASH`` in the declarations of these constant tables. InputError if one is
    not declared.
    """
    for table in tables:
        declaration = rf"\bconst\b[\w\s]*?\b(?={table}\s*(?:\[[^]]*\]\s*)+[=;])"
        text, count = re.subn(declaration, lambda match: f"{match[0]}MOTE_FLASH ", text)
        if count == 0:
            raise InputError(f"the sources declare no constant table {table!r}", where=where)
    return text


# Fetching


APT_DIR = Path("/etc/apt")
_HELPER = "/usr/lib/apt/apt-helper"
_SECONDS = 600


class FetchError(MotebenchError):
    """A source is unavailable, or is not the pinned one."""


def fetch(source: PinnedSource) -> bool:
    """Fetch and unpack the sources; False if they were present already. FetchError if that
    fails.
    """
    if source.fetched:
        return False
    unpack(source, download(source))
    return True


def download(source: PinnedSource) -> Path:
    """The archive: an existing one if it is the pinned one, else from the registry. FetchError."""
    folder = unpacked_dir() / "downloads"
    path = folder / source.file
    if path.is_file() and digest(path) == source.sha256:
        return path
    folder.mkdir(parents=True, exist_ok=True)
    path.unlink(missing_ok=True)
    {"debian": _from_debian, "pypi": _from_pypi, "crates": _from_crates}[source.registry](
        source, path
    )
    check(source, path)
    return path


def digest(path: Path) -> str:
    """SHA-256 of a file, in hexadecimal."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def check(source: PinnedSource, path: Path) -> None:
    """FetchError if the archive is missing, or is not the pinned one; then it is removed."""
    if not path.is_file():
        raise FetchError(f"{source.registry} has no {source.file}", hint=_by_hand())
    hashed = digest(path)
    if hashed != source.sha256:
        path.unlink()
        raise FetchError(
            f"{source.file} has the SHA-256 {hashed}, but {source.sha256} is pinned; the file "
            "was removed",
            where=str(source.wrappers / "source.toml"),
            hint=_by_hand(),
        )


def unpack(source: PinnedSource, archive: Path) -> None:
    """Unpack the archive's only folder, completely or not at all. FetchError if that fails."""
    part = source.folder.with_name(f"{source.folder.name}.part")
    shutil.rmtree(part, ignore_errors=True)
    try:
        with tarfile.open(archive) as file:
            # Python before 3.11.4, as in Debian 12, has no filters; the archive is the pinned one
            # all the same.
            file.extraction_filter = getattr(tarfile, "data_filter", lambda member, _: member)
            file.extractall(part)  # noqa: S202 - its hash is checked
    except (tarfile.TarError, OSError) as error:
        raise FetchError(f"{archive.name} cannot be unpacked: {error}") from error
    entries = list(part.iterdir())
    if len(entries) != 1 or not entries[0].is_dir():
        raise FetchError(f"{archive.name} does not have exactly one folder at its top")
    (entries[0] / DONE).write_text(f"{source.sha256}\n", encoding="utf-8")
    shutil.rmtree(source.folder, ignore_errors=True)
    entries[0].rename(source.folder)
    part.rmdir()


def _by_hand() -> str:
    return f"or download the file yourself and put it into {unpacked_dir() / 'downloads'}"


def _run(command: Sequence[str], cwd: Path | None = None) -> str:
    try:
        done = subprocess.run(
            command,
            cwd=cwd,
            capture_output=True,
            text=True,
            errors="replace",
            check=False,
            timeout=_SECONDS,
        )
    except OSError as error:
        raise FetchError(f"{command[0]}: {error.strerror}") from error
    except subprocess.TimeoutExpired as error:
        raise FetchError(f"{command[0]} did not end within {_SECONDS} s") from error
    if done.returncode != 0:
        last = (done.stderr.strip() or done.stdout.strip() or "without a message").splitlines()[-1]
        raise FetchError(f"{command[0]} failed: {last}")
    return done.stdout


def _from_pypi(source: PinnedSource, path: Path) -> None:
    requirement = f"{source.package}=={source.release}"
    options = [
        "--disable-pip-version-check",
        "download",
        "--quiet",
        "--no-deps",
        "--no-binary",
        source.package,
    ]
    _run([*_pip(), *options, "--dest", str(path.parent), requirement])


def _pip() -> list[str]:
    """Command that starts pip: of this environment, of this Python (environments of uv have none),
    or of the system.
    """
    if find_spec("pip"):
        return [sys.executable, "-m", "pip"]
    if of_python := find_spec("ensurepip"):
        bundled = sorted(Path(str(of_python.origin)).parent.glob("_bundled/pip-*.whl"))
        if bundled:
            return [sys.executable, str(bundled[-1] / "pip")]
    if program := shutil.which("pip3") or shutil.which("pip"):
        return [program]
    raise FetchError(
        "this Python has no pip (Debian and Ubuntu: apt-get install python3-pip)", hint=_by_hand()
    )


def _from_crates(source: PinnedSource, path: Path) -> None:
    """Fetch with cargo, as a dependency of an empty crate: it lands in cargo's own cache, from
    where it is copied.
    """
    if shutil.which("cargo") is None:
        raise FetchError(
            "this machine has no cargo (Debian and Ubuntu: apt-get install cargo)", hint=_by_hand()
        )
    with tempfile.TemporaryDirectory(prefix="motebench-") as folder:
        empty = Path(folder)
        (empty / "Cargo.toml").write_text(
            '[package]\nname = "fetch"\nversion = "0.0.0"\nedition = "2018"\n\n[lib]\npath = '
            '"lib.rs"\n\n'
            f'[dependencies]\n{source.package} = "={source.release}"\n',
            encoding="utf-8",
        )
        (empty / "lib.rs").touch()
        _run(["cargo", "fetch", "--quiet"], cwd=empty)
    home = Path(os.environ.get("CARGO_HOME") or Path.home() / ".cargo")
    for archive in sorted((home / "registry" / "cache").glob(f"*/{source.file}")):
        shutil.copyfile(archive, path)
        if digest(path) == source.sha256:
            return


def _from_debian(source: PinnedSource, path: Path) -> None:
    """Fetch with apt, with separate lists, so that neither the system's lists nor its sources
    change.
    """
    if shutil.which("apt-get") is None:
        raise FetchError("this machine has no apt-get", hint=_by_hand())
    apt = unpacked_dir() / "apt"
    options = _apt_options(apt, source.release)
    # A repository without sources, or without the release, fails; the others are read all the same.
    subprocess.run(
        ["apt-get", *options, "-qq", "update"], capture_output=True, check=False, timeout=_SECONDS
    )
    for package in (f"{source.package}/{source.release}", source.package):
        try:
            listing = _run(
                ["apt-get", *options, "-qq", "--only-source", "--print-uris", "source", package]
            )
        except FetchError:
            continue
        for uri, name in re.findall(r"^'([^']+)' (\S+)", listing, re.MULTILINE):
            if name == source.file:
                _run(
                    [_HELPER, *options, "download-file", uri, str(path), f"SHA256:{source.sha256}"]
                )
                return
    raise FetchError(
        f"the repositories that apt knows do not contain {source.file} (package "
        f"{source.package}, {source.release})",
        hint=_by_hand(),
    )


def _apt_options(apt: Path, release: str) -> list[str]:
    """Options that keep apt in a private folder, with the machine's repositories and their
    sources.
    """
    parts = apt / "sources"
    shutil.rmtree(parts, ignore_errors=True)
    for folder in (parts, apt / "lists" / "partial", apt / "cache" / "archives" / "partial"):
        folder.mkdir(parents=True, exist_ok=True)
    debian = "ID=debian\n" in Path("/etc/os-release").read_text(encoding="utf-8")
    for path in (APT_DIR / "sources.list", *sorted((APT_DIR / "sources.list.d").glob("*"))):
        if path.suffix in (".list", ".sources") and path.is_file():
            text = path.read_text(encoding="utf-8", errors="replace")
            (parts / path.name).write_text(
                with_sources(text, path.suffix, release if debian else None), "utf-8"
            )
    settings = {
        "Dir::Etc::SourceList": "/dev/null",
        "Dir::Etc::SourceParts": parts,
        "Dir::State::Lists": apt / "lists",
        "Dir::Cache": apt / "cache",
        "APT::Sandbox::User": "root",
        "Acquire::Languages": "none",
    }
    return [word for key, value in settings.items() for word in ("-o", f"{key}={value}")]


def with_sources(text: str, suffix: str, release: str | None) -> str:
    """A list of repositories (one line each, or deb822) as a list of source packages, also for
    ``release``.
    """
    if suffix == ".sources":
        stanzas = [stanza for stanza in re.split(r"\n\s*\n", text) if "Types:" in stanza]
        here = [re.sub(r"(?m)^Types:.*$", "Types: deb-src", stanza) for stanza in stanzas]
        pinned = (
            [re.sub(r"(?m)^Suites:.*$", f"Suites: {release}", stanza) for stanza in here]
            if release
            else []
        )
        return "\n\n".join([*here, *(stanza for stanza in pinned if not _has(here, stanza))]) + "\n"
    lines = [
        re.sub(r"^deb\s", "deb-src ", line)
        for line in text.splitlines()
        if re.match(r"deb\s", line)
    ]
    pinned = (
        [re.sub(r"^(deb-src (?:\[[^]]*\] *)?\S+) +\S+", rf"\1 {release}", line) for line in lines]
        if release
        else []
    )
    return "\n".join(dict.fromkeys([*lines, *pinned])) + "\n"


def _has(stanzas: Sequence[str], pinned: str) -> bool:
    """True if another stanza of the same repositories has that release."""
    uris, release = (re.findall(rf"(?m)^{key}:\s*(.*)$", pinned) for key in ("URIs", "Suites"))
    return any(
        re.findall(r"(?m)^URIs:\s*(.*)$", stanza) == uris
        and release[0] in " ".join(re.findall(r"(?m)^Suites:\s*(.*)$", stanza)).split()
        for stanza in stanzas
        if release
    )
