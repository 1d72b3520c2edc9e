"""Packages of Debian for arm64, fetched by apt with a configuration of its own.

The system's package lists, architectures and installed packages stay as they are, and no root is
needed. Apt checks each package against the lists that Debian signed.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import tarfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from . import Unavailable

ARCHITECTURE = "arm64"
WANTED = (
    "linux-image-arm64",
    "openssh-server",
    "openssh-sftp-server",
    "openssl",
    "busybox-static",
    "dash",
)
"""Packages of the machine, without the libraries."""
APT_SECONDS = 300


def fetch(folder: Path) -> list[Path]:
    """The packages of a machine, as .deb files below ``folder``: `WANTED`, the kernel, and their
    libraries.
    """
    if shutil.which("apt-get") is None or shutil.which("dpkg-deb") is None:
        raise Unavailable("the machine is made of Debian packages, and there is no apt-get here")
    environment = _configuration(folder)
    _apt(environment, "update", "--error-on=any")
    simulated = _apt(environment, "install", "--simulate", "--no-install-recommends", *WANTED)
    installed = re.findall(r"^Inst (\S+)", simulated, flags=re.MULTILINE)
    needed = sorted(
        name
        for name in installed
        if name in WANTED or _library(name) or name.startswith("linux-image-")
    )
    _apt(environment, "download", *needed, where=folder)
    return sorted(folder.glob("*.deb"))


@contextmanager
def opened(package: Path) -> Iterator[tarfile.TarFile]:
    """The files of a .deb, to be read in their order."""
    with subprocess.Popen(
        ["dpkg-deb", "--fsys-tarfile", package], stdout=subprocess.PIPE
    ) as unpacking:
        assert unpacking.stdout is not None
        with tarfile.open(fileobj=unpacking.stdout, mode="r|") as files:
            yield files
        unpacking.stdout.read()  # padding at the end: without a reader, dpkg-deb fails
    if unpacking.returncode:
        raise Unavailable(f"dpkg-deb cannot unpack {package.name}")


def _library(name: str) -> bool:
    """True if a package is a library that a program loads: not one of Perl's, which only package
    scripts need.
    """
    return (name.startswith("lib") and "perl" not in name) or name == "zlib1g"


def _configuration(folder: Path) -> dict[str, str]:
    """The environment in which apt uses lists and packages of ``folder`` alone, from the system's
    Debian mirrors.
    """
    folder = folder.resolve()
    for name in ("lists/partial", "cache/archives/partial"):
        (folder / name).mkdir(parents=True, exist_ok=True)
    (folder / "status").touch()
    (folder / "sources.list").write_text("".join(f"{line}\n" for line in _sources()))
    configuration = folder / "apt.conf"
    configuration.write_text(
        f'Dir::State "{folder}"; Dir::State::lists "{folder}/lists"; Dir::State::status '
        f'"{folder}/status";\n'
        f'Dir::Cache "{folder}/cache";\n'
        f'Dir::Etc::sourcelist "{folder}/sources.list"; Dir::Etc::sourceparts "/dev/null";\n'
        f'APT::Architecture "{ARCHITECTURE}"; APT::Sandbox::User ""; Acquire::Languages "none";\n'
        'Acquire::IndexTargets::deb::DEP-11::DefaultEnabled "false"; Acquire::Retries "3";\n'
        f'#clear APT::Architectures;\nAPT::Architectures {{ "{ARCHITECTURE}"; }};\n'
        "#clear APT::Update::Post-Invoke;\n#clear APT::Update::Post-Invoke-Success;\n"
    )
    return {**os.environ, "APT_CONFIG": str(configuration), "LC_ALL": "C"}


def _sources() -> list[str]:
    """The lines of sources.list for the mirrors of Debian that this system uses; other repositories
    are left out.
    """
    form = "deb $(REPO_URI) $(RELEASE) $(COMPONENT)"
    found = _apt(
        dict(os.environ), "indextargets", "--format", form, "Created-By: Packages"
    ).splitlines()
    debian = [
        line
        for line in sorted(set(found))
        if re.search(r"/debian(-security)?/ [a-z-]+ main$", line)
    ]
    if not debian:
        raise Unavailable("apt has no mirror of Debian here, of whose packages the machine is made")
    return debian


def _apt(environment: dict[str, str], *words: str, where: Path | None = None) -> str:
    """The output of ``apt-get words``."""
    try:
        done = subprocess.run(
            ["apt-get", "-q", *words],
            env=environment,
            cwd=where,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=APT_SECONDS,
            check=False,
        )
    except subprocess.TimeoutExpired:
        raise Unavailable(f"apt-get {words[0]} took longer than {APT_SECONDS} s") from None
    if done.returncode:
        last = (done.stderr or done.stdout).strip().splitlines()[-1:]
        raise Unavailable(
            f"apt-get {words[0]} failed for arm64 packages: {' '.join(last) or done.returncode}"
        )
    return done.stdout
