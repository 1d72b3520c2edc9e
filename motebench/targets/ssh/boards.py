"""Targets behind SSH by name: boards with probes built here, and boards that build them,
``ssh:HOST+native``.

A board that builds uses its own compiler and the libraries that it has installed. The sources are
brought there in one archive, and removed when the program is made. The program is kept here until
the run ends, and brought there like any other; it is never started here.
"""

from __future__ import annotations

import gzip
import io
import tarfile
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from shlex import quote

from motebench.base.errors import SetupError
from motebench.base.model import FailureKind, Scheme
from motebench.base.naming import plain
from motebench.base.paths import data_root
from motebench.base.process import TemporaryFolder
from motebench.targets.base import Target, TargetRequest
from motebench.targets.code.building import UserCode
from motebench.targets.host.cross_machines import cross_machines, cross_target
from motebench.targets.host.programs import offered
from motebench.targets.setup import building
from motebench.targets.setup.declared import may_offer
from motebench.targets.setup.needs import AdapterNeeds, adapter_files, read_adapter
from motebench.targets.setup.steps import waited_for
from motebench.targets.ssh.connection import SshConnection
from motebench.targets.ssh.link import Unreachable, cleaned
from motebench.targets.ssh.name import parse
from motebench.targets.ssh.place import SshMachine
from motebench.targets.wire.messages import ProbeFailure

_SECONDS = 1800.0
"""Seconds for a build on a small board."""
_LIMIT = 1 << 20
_FLAGS = "-std=c11 -O2 -DNDEBUG"
_NO_TOOLS, _NO_COMPILER, _NO_HEADERS, _FAILED = 10, 11, 12, 13
_PARTS = ("include", "probe", "support", "ports/posix")


@dataclass(frozen=True, slots=True)
class _Linked:
    """Options that link an adapter without pkg-config. ``macros``: those of its CMakeLists.txt."""

    libraries: str
    macros: str = ""


ADAPTERS = {
    "openssl": _Linked("-lcrypto"),
    "libsodium": _Linked("-lsodium"),
    "mbedtls": _Linked("-lmbedcrypto", "-DMBEDTLS_ALLOW_PRIVATE_ACCESS"),
}
"""Adapters that are built on boards: each is C, and its library is one."""


class NativeBoard(SshMachine):
    """A Linux board behind SSH. Its probes are those that its own compiler made
    in this run."""

    def __init__(
        self, name: str, connection: SshConnection, machine: str | None, where: str | None
    ) -> None:
        super().__init__(name, connection, machine, where)
        self._folder: TemporaryFolder | None = None
        self._failed: dict[str, str] = {}

    def probes(self) -> Mapping[str, str]:
        """Probes that were built on the board."""
        if self._folder is None:
            return {}
        return {
            path.name: str(path)
            for path in sorted(self._folder.path.iterdir())
            if path.name in ADAPTERS
        }

    def buildable(self) -> Sequence[str]:
        """The adapters of libraries that boards have installed."""
        return sorted(ADAPTERS.keys() - self.probes().keys())

    def usual(self, implementation: str) -> bool:
        """Every one that the board can build."""
        return implementation in ADAPTERS

    def build(self, implementations: Sequence[str]) -> None:
        """Build these on the board. What failed is not tried again; `problem` has all failures."""
        for name in implementations:
            if name in self.buildable() and name not in self._failed:
                try:
                    self._make(name)
                except ProbeFailure as failure:
                    self._failed[name] = failure.message
                    self.problem = "; ".join(self._failed.values())

    def _make(self, name: str) -> None:
        work = f"building the probe of {name} on {self.name}"
        building.say(f"{work}, once a run")
        needs = _needs(name)
        try:
            with self.connection.session():  # the folder is there now
                script = _script(
                    needs, f"{self.connection.folder}/build-{self.connection.number()}"
                )
            with waited_for(work, "compiling there"):
                output, status = self.connection.call(script, data=archive(name), seconds=_SECONDS)
        except Unreachable as trouble:
            raise trouble.failure() from None
        size, _, content = output.partition(b"\n")
        if status != 0:
            raise ProbeFailure(FailureKind.BUILD, self._why(needs, status, output))
        if not size.isdigit() or not 0 < int(size) <= min(len(content), _LIMIT):
            raise ProbeFailure(
                FailureKind.BUILD, f"{self.name}: the program that it built did not arrive whole"
            )
        self._folder = self._folder or TemporaryFolder()
        path = self._folder.path / name
        path.write_bytes(content[: int(size)])
        path.chmod(0o600)

    def _why(self, needs: AdapterNeeds, status: int, output: bytes) -> str:
        message = (
            cleaned(" ".join(output[-2000:].decode("utf-8", "replace").split()))[-700:]
            or "no message"
        )
        install = f"apt-get install {needs.debian}"
        return {
            _NO_TOOLS: f"{self.name} has no {message}, which unpacks the sources",
            _NO_COMPILER: f"{self.name} has no C compiler (cc, gcc or clang): apt-get install gcc "
            "libc6-dev there, "
            "or leave out +native",
            _NO_HEADERS: (
                f"{self.name} has no {needs.header} of {needs.library}: {install} there, or "
                "leave out +native"
            ),
        }.get(status, f"{self.name}: the probe of {needs.library} cannot be built: {message}")


def native_target(board: NativeBoard, codes: Mapping[str, UserCode]) -> Target:
    """The target of a board that builds its own probes: all of `ADAPTERS` are measured without
    being named."""

    def prepare(names: Sequence[str]) -> None:
        board.build(sorted({plain(name) for name in names}))

    def may(name: str, schemes: Collection[Scheme]) -> bool:
        return may_offer(plain(name), schemes)

    return Target(board, lambda: dict(offered(board, codes)), prepare=prepare, may_offer=may)


def _needs(name: str) -> AdapterNeeds:
    (path,) = (path for path in adapter_files() if path.parent.name == name)
    return read_adapter(path)


def archive(name: str) -> bytes:
    """The sources of the probe of an adapter: a compressed tar file, the same each time."""
    core, packed = data_root() / "core", io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w") as file:
        for part in (*_PARTS, f"adapters/{name}"):
            for path in sorted((core / part).rglob("*")):
                if path.suffix in (".c", ".h") and path.is_file():
                    entry = tarfile.TarInfo(str(path.relative_to(core)))
                    entry.size = path.stat().st_size
                    file.addfile(entry, io.BytesIO(path.read_bytes()))
    return gzip.compress(packed.getvalue(), mtime=0)


def _script(needs: AdapterNeeds, work: str) -> str:
    """Script that unpacks its standard input in the new folder ``work``, builds, and prints the
    program after its length.

    The folder is removed however it ends.
    """
    linked, folder = ADAPTERS[needs.name], f"adapters/{needs.name}"
    compiled = " ".join(f"{part}/*.c" for part in ("probe", "support", "ports/posix", folder))
    searched = " ".join(f"-I{part}" for part in ("include", "probe", "ports/posix", ".", folder))
    module = quote(needs.pkg_config or "none")
    return f"""
umask 077
for tool in tar gzip; do command -v $tool >/dev/null || {{ echo $tool; exit {_NO_TOOLS}; }}; done
cc=
for tool in cc gcc clang; do if command -v $tool >/dev/null; then cc=$tool; break; fi; done
[ "$cc" ] || exit {_NO_COMPILER}
work={quote(work)}
mkdir "$work" || exit {_FAILED}
trap 'cd /; rm -rf "$work"' EXIT
trap 'exit {_FAILED}' HUP INT TERM
cd "$work" && gzip -dc | tar xf - 2>log || {{ tail -c 1500 log; exit {_FAILED}; }}
flags=$(pkg-config --cflags {module} 2>/dev/null) || flags=
libraries=$(pkg-config --libs {module} 2>/dev/null) || libraries='{linked.libraries}'
echo '#include <{needs.header}>' | $cc $flags -E - >/dev/null 2>&1 || exit {_NO_HEADERS}
version=$($cc --version 2>/dev/null | head -n 1 | tr -cd 'A-Za-z0-9 ._()+~:-')
$cc {_FLAGS} -s -D_GNU_SOURCE -D_FILE_OFFSET_BITS=64 {linked.macros} \
    "-DMOTEBENCH_COMPILER=\\"$version\\"" \
    '-DMOTEBENCH_FLAGS="{_FLAGS}"' {searched} $flags -o program {compiled} $libraries >log 2>&1 ||
    {{ tail -c 1500 log; exit {_FAILED}; }}
wc -c <program | tr -d ' '
cat program
"""


def names() -> dict[str, str]:
    """Any number of boards."""
    return {}


def open_kind(request: TargetRequest) -> Target:
    """Target that the request names; None if this kind has no such target."""
    if not cross_machines():
        raise SetupError(
            "boards behind SSH need a checkout with motebench's sources", where=request.where
        )
    name = parse(request.name, request.where)
    connection = SshConnection(name.address)
    if name.native:
        return native_target(
            NativeBoard(request.name, connection, name.machine, request.where), request.code
        )
    return cross_target(
        SshMachine(request.name, connection, name.machine, request.where), request.code
    )
