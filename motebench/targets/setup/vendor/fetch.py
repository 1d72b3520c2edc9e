"""Fetches sources from their registry with the registry's own tool, and checks them against the pinned hash.

The tools use the mirrors, proxies and credentials that the user configured.
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
from collections.abc import Sequence
from pathlib import Path

from motebench.base.errors import MotebenchError
from motebench.targets.setup.vendor.source import DONE, PinnedSource, unpacked_dir

APT_DIR = Path("/etc/apt")
_HELPER = "/usr/lib/apt/apt-helper"
_SECONDS = 600


class FetchError(MotebenchError):
    """A source is unavailable, or is not the pinned one."""


def fetch(source: PinnedSource) -> bool:
    """Fetch and unpack the sources; False if they were present already. FetchError if that fails."""
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
    {"debian": _from_debian, "pypi": _from_pypi, "crates": _from_crates}[source.registry](source, path)
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
    found = digest(path)
    if found != source.sha256:
        path.unlink()
        raise FetchError(
            f"{source.file} has the SHA-256 {found}, but {source.sha256} is pinned; the file was removed",
            where=str(source.wrappers / "source.toml"),
            hint=_by_hand(),
        )


def unpack(source: PinnedSource, archive: Path) -> None:
    """Unpack the archive's only folder; it appears completely or not at all. FetchError if that fails."""
    part = source.folder.with_name(f"{source.folder.name}.part")
    shutil.rmtree(part, ignore_errors=True)
    try:
        with tarfile.open(archive) as file:
            file.extractall(part, filter="data")
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
            command, cwd=cwd, capture_output=True, text=True, errors="replace", check=False, timeout=_SECONDS
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
    wanted = f"{source.package}=={source.release}"
    pip = [sys.executable, "-m", "pip", "--disable-pip-version-check", "download", "--quiet", "--no-deps"]
    _run([*pip, "--no-binary", source.package, "--dest", str(path.parent), wanted])


def _from_crates(source: PinnedSource, path: Path) -> None:
    """Fetch with cargo, as a dependency of an empty crate: it lands in cargo's own cache, from where it is copied."""
    if shutil.which("cargo") is None:
        raise FetchError("this machine has no cargo (Debian and Ubuntu: apt-get install cargo)", hint=_by_hand())
    with tempfile.TemporaryDirectory(prefix="motebench-") as folder:
        empty = Path(folder)
        (empty / "Cargo.toml").write_text(
            f'[package]\nname = "fetch"\nversion = "0.0.0"\nedition = "2018"\n\n[lib]\npath = "lib.rs"\n\n'
            f'[dependencies]\n{source.package} = "={source.release}"\n',
            encoding="utf-8",
        )
        (empty / "lib.rs").touch()
        _run(["cargo", "fetch", "--quiet"], cwd=empty)
    home = Path(os.environ.get("CARGO_HOME") or Path.home() / ".cargo")
    for found in sorted((home / "registry" / "cache").glob(f"*/{source.file}")):
        shutil.copyfile(found, path)
        if digest(path) == source.sha256:
            return


def _from_debian(source: PinnedSource, path: Path) -> None:
    """Fetch with apt, with separate lists, so that neither the system's lists nor its sources change."""
    if shutil.which("apt-get") is None:
        raise FetchError("this machine has no apt-get", hint=_by_hand())
    apt = unpacked_dir() / "apt"
    options = _apt_options(apt, source.release)
    # A repository without sources, or without the release, fails; the others are read all the same.
    subprocess.run(["apt-get", *options, "-qq", "update"], capture_output=True, check=False, timeout=_SECONDS)
    for wanted in (f"{source.package}/{source.release}", source.package):
        try:
            said = _run(["apt-get", *options, "-qq", "--only-source", "--print-uris", "source", wanted])
        except FetchError:
            continue
        for uri, name in re.findall(r"^'([^']+)' (\S+)", said, re.MULTILINE):
            if name == source.file:
                _run([_HELPER, *options, "download-file", uri, str(path), f"SHA256:{source.sha256}"])
                return
    raise FetchError(
        f"the repositories that apt knows do not contain {source.file} (package {source.package}, {source.release})",
        hint=_by_hand(),
    )


def _apt_options(apt: Path, release: str) -> list[str]:
    """Options that keep apt in a folder of our own; the repositories are those of the machine, with sources."""
    parts = apt / "sources"
    shutil.rmtree(parts, ignore_errors=True)
    for folder in (parts, apt / "lists" / "partial", apt / "cache" / "archives" / "partial"):
        folder.mkdir(parents=True, exist_ok=True)
    debian = "ID=debian\n" in Path("/etc/os-release").read_text(encoding="utf-8")
    for path in (APT_DIR / "sources.list", *sorted((APT_DIR / "sources.list.d").glob("*"))):
        if path.suffix in (".list", ".sources") and path.is_file():
            text = path.read_text(encoding="utf-8", errors="replace")
            (parts / path.name).write_text(with_sources(text, path.suffix, release if debian else None), "utf-8")
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
    """A list of repositories (one line each, or deb822) as a list of source packages, also for ``release``."""
    if suffix == ".sources":
        stanzas = [stanza for stanza in re.split(r"\n\s*\n", text) if "Types:" in stanza]
        here = [re.sub(r"(?m)^Types:.*$", "Types: deb-src", stanza) for stanza in stanzas]
        pinned = [re.sub(r"(?m)^Suites:.*$", f"Suites: {release}", stanza) for stanza in here] if release else []
        return "\n\n".join([*here, *(stanza for stanza in pinned if not _has(here, stanza))]) + "\n"
    lines = [re.sub(r"^deb\s", "deb-src ", line) for line in text.splitlines() if re.match(r"deb\s", line)]
    pinned = (
        [re.sub(r"^(deb-src (?:\[[^]]*\] *)?\S+) +\S+", rf"\1 {release}", line) for line in lines] if release else []
    )
    return "\n".join(dict.fromkeys([*lines, *pinned])) + "\n"


def _has(stanzas: Sequence[str], pinned: str) -> bool:
    """Whether another stanza of the same repositories has that release."""
    uris, release = (re.findall(rf"(?m)^{key}:\s*(.*)$", pinned) for key in ("URIs", "Suites"))
    return any(
        re.findall(r"(?m)^URIs:\s*(.*)$", stanza) == uris
        and release[0] in " ".join(re.findall(r"(?m)^Suites:\s*(.*)$", stanza)).split()
        for stanza in stanzas
        if release
    )
