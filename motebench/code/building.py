"""A folder of code as something to measure: a probe on this host, or the firmware of a board."""

from __future__ import annotations

import os
import shlex
import shutil
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any

from motebench.catalog.devices import Device
from motebench.code import elf
from motebench.code.compiling import Joined, joined, resolvers
from motebench.code.folder import Folder, printable
from motebench.code.hosted import hosted
from motebench.code.watch import Watch
from motebench.firmware.build import Image, assemble, cache_dir, compiled, digest, made
from motebench.firmware.compilers import DEFAULT_COMPILER, output_of
from motebench.firmware.sources import core_dir
from motebench.firmware.toolchain import Toolchain, toolchain
from motebench.model import FailureKind
from motebench.vectors.model import Vector
from motebench.wire.messages import Offer, ProbeFailure

LEVELS = ("Os", "O1", "O2", "O3")
BOARD_LEVEL, HOST_LEVEL = "Os", "O2"
"""Optimisation levels of the plain name: those that firmware, and programs, are usually built with."""
EARLY = frozenset({".init", ".preinit_array"})
"""Sections of code that runs before the sandbox of a static program is there."""
_FIRST = ".init_array.00000"
_AEAD_OPERATIONS = frozenset({"encrypt-message", "decrypt-message", "encrypt-new-key"})


@dataclass(frozen=True, eq=False)
class Code:
    """A folder of user code, as an implementation of one scheme or two.

    name: ``code/<folder>``. schemes: names of what it computes, by kind (``aead``, ``hash``). answers: its own known
    answers by scheme, with the file that each kind came from. flags: for the compiler, beside the level.
    unproved: measured although there is no known answer.
    """

    name: str
    folder: Folder
    schemes: dict[str, str]
    answers: dict[str, list[Vector]]
    answer_files: dict[str, Path]
    flags: tuple[str, ...] = ()
    unproved: bool = False
    remarks: dict[str, None] = field(default_factory=dict)
    """Remarks on the build, as text for the run, in order."""
    asked_here: dict[str, str] = field(default_factory=dict)
    """By scheme: the result of all its known answers, which the same files computed on this machine."""
    watch: Watch = field(default_factory=Watch)
    """Checks the probe's clock from outside, on this host."""

    def kind_of(self, scheme: str) -> str | None:
        """``aead`` or ``hash``; None if it does not compute the scheme."""
        return next((kind for kind, name in self.schemes.items() if name == scheme), None)

    def offers(self) -> dict[str, Offer]:
        """The offered operations, by scheme."""
        return {name: self._offer(kind, name) for kind, name in self.schemes.items()}

    def _offer(self, kind: str, name: str) -> Offer:
        sizes = self.folder.sizes
        if kind == "hash":
            size = sizes["CRYPTO_BYTES"]
            return Offer(name, frozenset({"digest"}), (0, 0), (0, 0), (size, size), 1, stream=False)
        key, nonce, tag = (sizes[f"CRYPTO_{part}BYTES"] for part in ("KEY", "NPUB", "A"))
        return Offer(name, _AEAD_OPERATIONS, (key, key), (nonce, nonce), (tag, tag), 1, stream=False)

    def firmware(
        self, device: Device, scheme: str, level: str, compiler: str = DEFAULT_COMPILER, script: Path | None = None
    ) -> Image:
        """The firmware that offers ``scheme``. ProbeFailure of kind ``unsupported``, ``build`` or ``too-big``.

        ``compiler``, ``script``: see `motebench.firmware.build.assemble`.
        """
        kind = self.kind_of(scheme)
        if kind is None:
            raise ProbeFailure(FailureKind.UNSUPPORTED, f"{self.name} does not compute {scheme}")
        return _firmware(self, device, kind, level, compiler, script=script)

    def empty(self, device: Device, scheme: str, level: str, compiler: str = DEFAULT_COMPILER) -> Image:
        """The firmware with functions that do nothing."""
        return _firmware(self, device, self.kind_of(scheme) or "", level, compiler, empty=True)

    def program(self, level: str, tools: Toolchain | None = None) -> Path:
        """The probe program of this host, or of the machine that ``tools`` builds for. ProbeFailure, kind ``build``."""
        return _program(self, level, tools or host_compiler())

    def facts(self) -> dict[str, Any]:
        """The folder and its contents, for the environment of a run."""
        return {
            "folder": printable(str(self.folder.path)),
            "digest": self.folder.digest,
            "files": {printable(name): sha256(content).hexdigest() for name, content in self.folder.files.items()},
            "flags": shlex.join(self.flags),
            "schemes": dict(self.schemes),
            "known_answers": {
                kind: {"file": printable(str(path)), "sha256": sha256(path.read_bytes()).hexdigest()}
                for kind, path in self.answer_files.items()
            },
        }

    def note(self, code: Joined) -> None:
        """Keep a remark on how the code was built."""
        for word in code.left_out:
            self.remarks[f"{self.name}: left out {word}"] = None
        for name in self.folder.ignored:
            self.remarks[f"{self.name}: {name} is neither C nor assembly, and not used"] = None


@cache
def _firmware(
    code: Code, device: Device, kind: str, level: str, compiler: str, empty: bool = False, script: Path | None = None
) -> Image:
    tools = toolchain(device, compiler)
    flags = (f"-{level}", f"-DF_CPU={device.clock_hz}UL", *code.flags)
    whole = joined(code.folder, tools, flags, (kind,))
    code.note(whole)
    library = hosted(device, tools, whole.path, code.flags)
    defined = (*_defined(code, whole, (kind,)), *library.defined)
    if library.remark:
        code.remarks[f"{code.name}: {library.remark}"] = None
    nothing = [(_adapter().with_name("null.c"), defined)]
    return assemble(
        device,
        nothing if empty else (),
        level,
        objects=() if empty else (whole.path,),
        adapter=[(_adapter(), defined), (_adapter().with_name("hosted.c"), defined)],
        flags=shlex.join(code.flags),
        script=script,
        compiler=compiler,
    )


@cache
def _program(code: Code, level: str, tools: Toolchain) -> Path:
    kinds = tuple(code.schemes)
    whole = joined(code.folder, tools, (f"-{level}", *code.flags), kinds)
    code.note(whole)
    if resolved := resolvers(tools, whole.path):
        raise ProbeFailure(
            FailureKind.BUILD,
            f"{', '.join(resolved)}: a function that the loader chooses (ifunc) runs before the sandbox is there; "
            "choose when the function is called",
        )
    if early := sorted(EARLY & elf.sections(whole.path)) if tools.foreign else ():
        raise ProbeFailure(
            FailureKind.BUILD, f"section {early[0]}: what is in it runs before the sandbox is there; use a constructor"
        )
    core = core_dir()
    flags = f"-{level} {shlex.join(code.flags)}".strip().replace("\\", "\\\\").replace('"', '\\"')
    common: tuple[str, ...] = (
        "-std=gnu11",
        "-O2",
        "-DNDEBUG",
        "-DMB_GUARDED",
        "-D_GNU_SOURCE",
        "-D_FILE_OFFSET_BITS=64",
    )
    common += tuple(f"-I{core / name}" for name in ("include", "probe", "ports/posix", ".", "support"))
    if tools.foreign:  # musl has no .preinit_array
        common += (f'-DMB_FIRST_SECTION="{_FIRST}"',)
    told = (f'-DMOTEBENCH_COMPILER="{tools.version}"', f'-DMOTEBENCH_FLAGS="{flags}"')
    files = [*sorted((core / "probe").glob("*.c")), *sorted((core / "ports" / "posix").glob("*.c"))]
    # The sandbox comes first: it starts before all other code that runs before main.
    jobs: list[tuple[Path, tuple[str, ...]]] = [(core / "code" / "sandbox.c", common)]
    jobs += [(path, (*common, *(told if path.name == "port.c" else ()))) for path in files]
    jobs += [(core / "support" / f"{name}.c", common) for name in ("driver", "kind")]
    jobs += [(_adapter(), (*common, *_defined(code, whole, kinds)))]
    with ThreadPoolExecutor(os.cpu_count() or 1) as pool:
        sandbox, *others = pool.map(lambda job: compiled(tools, "host-", *job), jobs)
    objects = [sandbox, whole.path, *others]
    name = digest(path.name.encode() for path in objects).hex()[:32]
    static = ("-O2", "-static") if tools.foreign else ()
    link = (*tools.linker, *static, "-Wl,--gc-sections,-z,relro,-z,now", *map(str, objects), "-lm")
    return made(cache_dir() / "code" / name, link)


def _adapter() -> Path:
    return core_dir() / "code" / "adapter.c"


def _defined(code: Code, whole: Joined, kinds: tuple[str, ...]) -> Iterator[str]:
    """The macros that configure the adapter."""
    sizes = code.folder.sizes
    yield f'-DMB_CODE_NAME="{code.name}"'
    yield f'-DMB_CODE_VERSION="files {code.folder.digest[:16]}"'
    if "aead" in kinds:
        yield f'-DMB_CODE_AEAD="{code.schemes["aead"]}"'
        yield f"-DMB_CODE_AEAD_LENGTH={whole.lengths['aead']}"
        for word, size in (("KEY", "CRYPTO_KEYBYTES"), ("NONCE", "CRYPTO_NPUBBYTES"), ("TAG", "CRYPTO_ABYTES")):
            yield f"-DMB_CODE_{word}={sizes[size]}"
    if "hash" in kinds:
        yield f'-DMB_CODE_HASH="{code.schemes["hash"]}"'
        yield f"-DMB_CODE_HASH_LENGTH={whole.lengths['hash']}"
        yield f"-DMB_CODE_DIGEST={sizes['CRYPTO_BYTES']}"


@cache
def host_compiler() -> Toolchain:
    """The C compiler of this machine. ProbeFailure of kind ``build`` if there is none."""
    compiler = next((found for name in ("cc", "gcc", "clang") if (found := shutil.which(name))), None)
    if compiler is None:
        raise ProbeFailure(
            FailureKind.BUILD, "this machine has no C compiler; motebench doctor prints the line that installs one"
        )
    version = output_of([compiler, "--version"]).splitlines()
    return Toolchain(
        compiler=compiler,
        device_flags=(),
        driver=compiler,
        driver_flags=(),
        size="size",
        version=version[0] if version else compiler,
        room=(),
        script=None,
        alignment=64,
        ram=range(0),
        placed="",
    )


def split_flags(text: str) -> tuple[str, ...]:
    """Flags for the compiler, split as a shell splits them. ValueError for unbalanced quotes."""
    return tuple(shlex.split(text))
