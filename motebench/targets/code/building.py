"""A folder of code as something to measure: a probe on this host, or the firmware of a board."""

from __future__ import annotations

import re
import shlex
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache, partial
from hashlib import sha256
from pathlib import Path
from typing import Any

from motebench.base.files import elf
from motebench.base.model import FailureKind
from motebench.base.naming import COMPILER, VARIANT
from motebench.base.process import cores, in_parallel
from motebench.catalog.devices import Device
from motebench.catalog.vectors.keys import public_key
from motebench.catalog.vectors.model import Vector
from motebench.targets.code import tree
from motebench.targets.code.compiling import JoinedCode, joined, resolvers, stack_frames, wanted_of
from motebench.targets.code.folder import (
    AGREED,
    CIPHER_NONCE,
    KEYED,
    CodeFolder,
    path_text,
)
from motebench.targets.code.guards import ClockCheck
from motebench.targets.code.interface import KeyInterface
from motebench.targets.firmware.architecture import architecture
from motebench.targets.firmware.build import (
    REQUESTS,
    FirmwareImage,
    FirmwareParts,
    FirmwareRole,
    FlaggedSource,
    assemble,
    cache_dir,
    compiled,
    digest,
    made,
)
from motebench.targets.firmware.sources import cipher_sources, core_dir, declared
from motebench.targets.firmware.toolchain import DEFAULT_COMPILER, Toolchain, output_of, toolchain
from motebench.targets.wire.messages import Offer, ProbeFailure

HEAP_SHARE = 8
"""The heap has this part of the device's RAM, unless the flag says otherwise."""
_HEAP = re.compile(r"-DMOTEBENCH_HEAP=(.*)", re.DOTALL)
_ALLOCATES = frozenset({"malloc", "calloc", "realloc", "strdup"})
_PRINTS = frozenset(
    {
        "printf",
        "puts",
        "putchar",
        "vprintf",
        "fprintf",
        "fputs",
        "fputc",
        "putc",
        "fwrite",
        "perror",
    }
)
_SETS = "--code-flags=-DMOTEBENCH_HEAP=BYTES sets it"
_ENDS = frozenset({"mb_code_assert", "abort", "exit", "_exit"})


@dataclass(frozen=True, slots=True)
class HostedLibrary:
    """``defined``: macros for ``hosted.c`` and the adapter. ``heap``, ``prints``: remarks, or
    empty.
    """

    defined: tuple[str, ...]
    heap: str
    prints: str


def hosted(device: Device, tools: Toolchain, whole: Path, flags: Sequence[str]) -> HostedLibrary:
    """Library functions that ``whole``, the object of the code, needs, with macros and remarks.
    ProbeFailure of kind ``build`` if the size of the heap is invalid.
    """
    needed = wanted_of(tools, whole)
    heap = _heap(device, flags)
    # Streams of avr-libc need no heap, and a full one ends nothing.
    avr = architecture(device.architecture).tools.machine == "avr"
    on_heap = needed & _ALLOCATES or (needed & _PRINTS and not avr)
    defined = [f"-DMB_CODE_HEAP={heap}"]
    if needed & _ENDS or (on_heap and not avr):
        defined.append("-DMB_CODE_ENDS")
    if "exit" in needed:
        defined.append("-DMB_CODE_EXIT")
    size = (
        f"on {device.id} malloc has a heap of {heap} B, static RAM of code that calls it; {_SETS}"
    )
    return HostedLibrary(
        tuple(defined),
        size if on_heap else "",
        f"on {device.id} what it prints is discarded" if needed & _PRINTS else "",
    )


def _heap(device: Device, flags: Sequence[str]) -> int:
    """Bytes of the heap: a multiple of 8."""
    given = [match[1] for flag in flags if (match := _HEAP.fullmatch(flag))]
    if not given:
        return device.ram_bytes // HEAP_SHARE
    if not given[-1].isdecimal() or not 8 <= int(given[-1]) <= device.ram_bytes:
        raise ProbeFailure(
            FailureKind.BUILD,
            f"-DMOTEBENCH_HEAP={given[-1]}: the heap of {device.id} has 8 to {device.ram_bytes} "
            "bytes",
        )
    return int(given[-1]) // 8 * 8


LEVELS = ("Os", "O0", "O1", "O2", "O3")
_UNOPTIMISED = "O0"
"""Level that shows what a compiler may do, and that no message advises."""
BOARD_LEVEL, HOST_LEVEL = "Os", "O2"
"""Optimisation levels of the plain name: those that firmware, and programs, are usually built with.
"""
EARLY = frozenset({".init", ".preinit_array"})
"""Sections of code that runs before the sandbox of a static program is there."""
_CONSTRUCTORS = ".init_array"
_FIRST = ".init_array.00000"
_SHA3 = "sha3"
_LINKED = "--code-flags=-lcrypto, in a collection flags, links a library of this machine"
_AEAD_OPERATIONS = frozenset({"encrypt-message", "decrypt-message", "encrypt-new-key"})


@dataclass(frozen=True, eq=False)
class UserCode:
    """Folder of user code, as an implementation of one scheme or two.

    name: ``code/<folder>``. schemes: names of what it computes, by kind of
    `motebench.targets.code.folder.SIZES`. answers: its own known answers by scheme, with the file
    that each kind came from. flags: for the compiler, in addition to the level.
    unproved: measured although there is no known answer. seed_bytes: of a private key of the
    scheme, if that is the seed that the code's private key begins with; else 0.
    """

    name: str
    folder: CodeFolder
    schemes: dict[str, str]
    answers: dict[str, list[Vector]]
    answer_files: dict[str, Path]
    flags: tuple[str, ...] = ()
    unproved: bool = False
    seed_bytes: int = 0
    levels_tried: dict[tuple[object, ...], str] = field(default_factory=dict)
    """Note on other optimisation levels: files that fail at the default level and build at another
    one, by purpose of the build.
    """
    remarks: dict[str, None] = field(default_factory=dict)
    """Remarks on the build, as text for the run, in order."""
    asked_here: dict[str, tuple[str, Vector | None]] = field(default_factory=dict)
    """Results of all known answers by scheme, which the same files computed on this machine: a
    remark, and the answer that is wrong.
    """
    keys: dict[str, tuple[bytes, bytes]] = field(default_factory=dict)
    """Private and public key for measuring by scheme, once they were made."""
    watch: ClockCheck = field(default_factory=ClockCheck)
    """Checks the probe's clock from outside, on this host."""

    def kind_of(self, scheme: str) -> str | None:
        """``aead``, ``hash``, ``kem``, ``sign`` or ``cipher``; None if it does not compute the
        scheme.
        """
        return next((kind for kind, name in self.schemes.items() if name == scheme), None)

    def offers(self) -> dict[str, Offer]:
        """The offered operations, by scheme."""
        return {name: self._offer(kind, name) for kind, name in self.schemes.items()}

    def _offer(self, kind: str, name: str) -> Offer:
        sizes = self.folder.sizes
        if kind in KEYED:
            return self._keyed(kind, name)
        if kind == "hash":
            size = sizes["CRYPTO_BYTES"]
            return Offer(name, frozenset({"digest"}), (0, 0), (0, 0), (size, size), 1, stream=False)
        if kind == "cipher":
            return self._cipher(name)
        if kind in AGREED:
            private = sizes[AGREED[kind][1]]
            return Offer(
                name, frozenset({"agree"}), (private, private), (0, 0), (0, 0), 1, stream=False
            )
        key, nonce, tag = (sizes[f"CRYPTO_{part}BYTES"] for part in ("KEY", "NPUB", "A"))
        return Offer(
            name,
            _AEAD_OPERATIONS,
            (key, key),
            (nonce, nonce),
            (self.least_tag(name), tag),
            1,
            stream=False,
        )

    def _cipher(self, name: str) -> Offer:
        sizes = self.folder.sizes
        key, block, nonce = (
            sizes["CRYPTO_KEYBYTES"],
            sizes["CRYPTO_BLOCKBYTES"],
            sizes.get(CIPHER_NONCE, 0),
        )
        forward, backward = (
            ("encrypt-message", "decrypt-message") if nonce else ("encrypt", "decrypt")
        )
        operations = frozenset(
            {"key-setup", forward, *([backward] if self.folder.decrypts else ())}
        )
        return Offer(name, operations, (key, key), (nonce, nonce), (0, 0), block, stream=False)

    def least_tag(self, scheme: str) -> int:
        """Bytes of the shortest tag of an AEAD. Less than ``CRYPTO_ABYTES`` if all its ciphertexts
        have that length: the rest of one is then the tag."""
        tag = self.folder.sizes["CRYPTO_ABYTES"]
        return min((vector.tag_bytes for vector in self.answers.get(scheme, ())), default=tag)

    def _keyed(self, kind: str, name: str) -> Offer:
        sizes = self.folder.sizes
        public, result = sizes["CRYPTO_PUBLICKEYBYTES"], sizes["CRYPTO_BYTES"]
        private = self.private_bytes(kind)
        key = (min(public, private), max(public, private))
        if kind == "sign":
            operations = frozenset({"keygen", "sign", "verify"})
            return Offer(
                name, operations, key, (0, 255), (result, result), 1, stream=False, seeds=True
            )
        return Offer(
            name,
            frozenset({"keygen", "encapsulate", "decapsulate"}),
            key,
            (0, 0),
            (0, 0),
            1,
            stream=False,
            pair=(public, private),
            outputs=(sizes["CRYPTO_CIPHERTEXTBYTES"], result),
            seeds=True,
        )

    def paired(self, kind: str) -> bool:
        """True if private keys have the public ones behind them: the interface of signatures cannot
        compute these.
        """
        return kind == "sign" and self.schemes[kind].startswith("code-")

    def private_bytes(self, kind: str) -> int:
        """Bytes of a private key in requests and replies."""
        sizes = self.folder.sizes
        return self.seed_bytes or sizes["CRYPTO_SECRETKEYBYTES"] + (
            sizes["CRYPTO_PUBLICKEYBYTES"] if self.paired(kind) else 0
        )

    def firmware(
        self,
        device: Device,
        scheme: str,
        level: str,
        compiler: str = DEFAULT_COMPILER,
        role: FirmwareRole = REQUESTS,
    ) -> FirmwareImage:
        """The firmware that offers ``scheme``. ProbeFailure of kind ``unsupported``, ``build`` or
        ``too-big``.

        ``compiler``: see `motebench.targets.firmware.build.assemble`.
        """
        kind = self.kind_of(scheme)
        if kind is None:
            raise ProbeFailure(FailureKind.UNSUPPORTED, f"{self.name} does not compute {scheme}")
        try:
            return _firmware(self, device, kind, level, compiler, role=role)
        except ProbeFailure as failure:
            if level != BOARD_LEVEL or failure.kind is not FailureKind.BUILD:
                raise
            by = "" if compiler == DEFAULT_COMPILER else f"{COMPILER}{compiler}"
            tools = partial(toolchain, device, compiler)
            raise _with_levels(self, failure, level, tools, (kind,), device, by) from failure

    def empty(
        self, device: Device, scheme: str, level: str, compiler: str = DEFAULT_COMPILER
    ) -> FirmwareImage:
        """The firmware with functions that do nothing."""
        return _firmware(self, device, self.kind_of(scheme) or "", level, compiler, empty=True)

    def stack_frames(
        self, device: Device, level: str, compiler: str = DEFAULT_COMPILER
    ) -> dict[str, int]:
        """Bytes of stack of each of its C functions in firmware for the device."""
        flags = (f"-{level}", f"-DF_CPU={device.clock_hz}UL", *self.flags)
        return stack_frames(self.folder, toolchain(device, compiler), flags)

    def program(
        self, level: str, tools: Toolchain | None = None, role: FirmwareRole = REQUESTS
    ) -> Path:
        """The probe program of this host, or of the machine that ``tools`` builds for. ``role``: it
        may mark secrets for valgrind. ProbeFailure, kind ``build``.
        """
        compiler = tools or host_compiler()
        try:
            return _program(self, level, compiler, role)
        except ProbeFailure as failure:
            if level != HOST_LEVEL or failure.kind is not FailureKind.BUILD:
                raise
            raise _with_levels(
                self, failure, level, lambda: compiler, tuple(self.schemes)
            ) from failure

    def facts(self) -> dict[str, Any]:
        """The folder and its contents, for the environment of a run."""
        return {
            "folder": path_text(str(self.folder.path)),
            "digest": self.folder.digest,
            "files": {
                **{
                    path_text(name): sha256(content).hexdigest()
                    for name, content in self.folder.files.items()
                },
                **{
                    path_text(str(path)): sha256(content).hexdigest()
                    for path, content in self.folder.shared.items()
                },
            },
            "flags": shlex.join(self.flags),
            "schemes": dict(self.schemes),
            "known_answers": {
                kind: {
                    "file": path_text(str(path)),
                    "sha256": sha256(path.read_bytes()).hexdigest(),
                }
                for kind, path in self.answer_files.items()
            },
        }

    def note(self, code: JoinedCode) -> None:
        """Keep a remark on how the code was built."""
        for word in code.left_out:
            self.remarks[f"{self.name}: left out {word}"] = None
        if code.shared:
            ours = " (fips202.c: motebench's own SHA-3)" if code.own_sha3 else ""
            self.remarks[
                (
                    f"{self.name}: built with the common files "
                    f"{', '.join(map(path_text, code.shared))}{ours}"
                )
            ] = None
        if self.folder.flags:
            defined = " ".join(self.folder.flags)
            self.remarks[f"{self.name}: built with {defined}, as its tree defines"] = None
        for name in self.folder.ignored:
            self.remarks[f"{self.name}: {name} is neither C, C++ nor assembly, and not used"] = None


@cache
def _firmware(
    code: UserCode,
    device: Device,
    kind: str,
    level: str,
    compiler: str,
    empty: bool = False,
    role: FirmwareRole = REQUESTS,
) -> FirmwareImage:
    tools = toolchain(device, compiler)
    flags = (f"-{level}", f"-DF_CPU={device.clock_hz}UL", *role.flags, *code.flags)
    whole = joined(code.folder, tools, flags, (kind,))
    code.note(whole)
    if any(name.startswith(_CONSTRUCTORS) for name in elf.sections(whole.path)):
        raise ProbeFailure(
            FailureKind.BUILD,
            f"the code has constructors that run before main ({_CONSTRUCTORS}), which firmware of "
            f"{device.id} does not call; make these objects local, or constexpr",
        )
    library = hosted(device, tools, whole.path, code.flags)
    defined = (*_defined(code, whole, (kind,)), *library.defined)
    for remark in filter(None, (library.heap, library.prints)):
        code.remarks[f"{code.name}: {remark}"] = None
    if empty:
        measured: list[FlaggedSource] = [(core_dir() / "code" / "null.c", defined)]
    else:
        measured = [(path, ()) for path in _own_sha3(device)] if whole.own_sha3 else []
    parts = FirmwareParts(
        measured,
        objects=() if empty else (whole.path,),
        own=() if empty else whole.own,
        adapter=[(_adapter(kind), defined), (core_dir() / "code" / "hosted.c", defined)],
        flags=shlex.join(code.flags),
        public_key=kind in (*KEYED, *AGREED),
        role=role,
    )
    try:
        return assemble(device, parts, level, compiler)
    except ProbeFailure as failure:
        if (
            failure.kind is not FailureKind.TOO_BIG
            or not library.heap
            or "of flash are missing" in failure.message
        ):
            raise
        raise ProbeFailure(failure.kind, f"{failure.message}; {library.heap}") from failure


_MARKING: tuple[tuple[str, ...], tuple[str, ...]] = (("-g", "-DMB_MEMCHECK"), ("marks",))
"""Flags of programs that mark secrets for valgrind, and the group of their additional sources."""


@cache
def _program(code: UserCode, level: str, tools: Toolchain, role: FirmwareRole) -> Path:
    kinds = tuple(code.schemes)
    marking, marks = _MARKING if role.marks else ((), ())
    marking = (*marking, *role.flags)
    whole = joined(code.folder, tools, (f"-{level}", *marking, *code.flags), kinds)
    code.note(whole)
    if resolved := resolvers(tools, whole.path):
        raise ProbeFailure(
            FailureKind.BUILD,
            f"{', '.join(resolved)}: a function that the loader chooses (ifunc) runs before the "
            "sandbox is there; choose when the function is called",
        )
    if early := sorted(EARLY & elf.sections(whole.path)) if tools.foreign else ():
        raise ProbeFailure(
            FailureKind.BUILD,
            f"section {early[0]} runs before the sandbox is in place; use a constructor",
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
        *marking,
    )
    common += tuple(
        f"-I{core / name}" for name in ("include", "probe", "ports/posix", ".", "support")
    )
    if tools.foreign:  # musl has no .preinit_array
        common += (f'-DMB_FIRST_SECTION="{_FIRST}"',)
    defines = (f'-DMOTEBENCH_COMPILER="{tools.version}"', f'-DMOTEBENCH_FLAGS="{flags}"')
    files = declared("bytes", "probe", *marks, "identity", "main", "posix")
    # The sandbox comes first: it starts before all other code that runs before main.
    jobs: list[tuple[Path, tuple[str, ...]]] = [(core / "code" / "sandbox.c", common)]
    jobs += [(path, (*common, *(defines if path.name == "port.c" else ()))) for path in files]
    jobs += [(path, common) for path in declared("support") if path.stem in ("driver", "kind")]
    jobs += [(_adapter(kinds[0]), (*common, *_defined(code, whole, kinds)))]
    if whole.own_sha3:
        jobs += [
            (path, (*common, f"-{level}"))
            for path in sorted((core / "ciphers" / _SHA3).glob("*.c"))
        ]
    sandbox, *others = in_parallel(lambda job: compiled(tools, "host-", *job), jobs, cores())
    objects = [sandbox, whole.path, *others]
    return _linked(code, tools, objects)


def _linked(code: UserCode, tools: Toolchain, objects: Sequence[Path]) -> Path:
    """The program of these objects and the libraries of the flags."""
    # -l:libc.a is of a board: an archive of this machine's C library would be a second one.
    of_board = [flag for flag in code.flags if tools.foreign or flag.endswith(".a")]
    libraries = [flag for flag in code.flags if flag.startswith("-l") and flag not in of_board]
    inputs = (*(path.name for path in objects), *libraries)
    name = digest(text.encode() for text in inputs).hex()[:32]
    static = ("-O2", "-static") if tools.foreign else ()
    link = (*tools.linker, *static, "-Wl,--gc-sections,-z,relro,-z,now", *map(str, objects))
    try:
        return made(cache_dir() / "code" / name, (*link, *libraries, "-lm"))
    except ProbeFailure as failure:
        if tools.foreign or not failure.message.startswith("undefined: "):
            raise
        raise ProbeFailure(failure.kind, f"{failure.message}; {_LINKED}") from failure


def _with_levels(
    code: UserCode,
    failure: ProbeFailure,
    level: str,
    tools: Callable[[], Toolchain],
    kinds: tuple[str, ...],
    device: Device | None = None,
    by: str = "",
) -> ProbeFailure:
    """Failure of a build at the default level, extended by the levels at which the files do
    compile. Each level is tried once.

    ``device``: the board that it is for; None for a machine. ``by``: the end of the name that says
    the compiler.
    """
    place = () if device is None else (f"-DF_CPU={device.clock_hz}UL",)
    key = (kinds, None if device is None else device.id, level, failure.message)
    if key not in code.levels_tried:
        advised = [other for other in LEVELS if other != _UNOPTIMISED]
        built = [other for other in advised if _compiles(code, tools, other, place, kinds)]
        built = [] if level in built else built
        named = " or ".join(f"{code.name}{VARIANT}{other}{by}" for other in built)
        code.levels_tried[key] = (
            (
                f"; that was with -{level}, and it builds with "
                f"{', '.join(f'-{other}' for other in built)}: measure {named}"
            )
            if built
            else ""
        )
    return ProbeFailure(failure.kind, f"{failure.message}{code.levels_tried[key]}")


def _compiles(
    code: UserCode,
    tools: Callable[[], Toolchain],
    level: str,
    place: tuple[str, ...],
    kinds: tuple[str, ...],
) -> bool:
    try:
        joined(code.folder, tools(), (f"-{level}", *place, *code.flags), kinds)
    except ProbeFailure:
        return False
    return True


def _own_sha3(device: Device) -> list[Path]:
    """Our SHA-3 for a device."""
    return [path for path in cipher_sources(device.architecture) if path.parent.name == _SHA3]


def _adapter(kind: str) -> Path:
    return (
        core_dir()
        / "code"
        / {
            **dict.fromkeys(KEYED, "keys.c"),
            **dict.fromkeys(AGREED, "agree.c"),
            "cipher": "cipher.c",
        }.get(kind, "adapter.c")
    )


def _defined(code: UserCode, whole: JoinedCode, kinds: tuple[str, ...]) -> Iterator[str]:
    """The macros that configure the adapter."""
    sizes = code.folder.sizes
    yield f'-DMB_CODE_NAME="{code.name}"'
    yield f'-DMB_CODE_VERSION="files {code.folder.digest[:16]}"'
    yield from (f"-DMB_CODE_{kind.upper()}_STRUCTURE" for kind in whole.structures)
    if "aead" in kinds:
        yield f'-DMB_CODE_AEAD="{code.schemes["aead"]}"'
        yield f"-DMB_CODE_AEAD_LENGTH={whole.lengths['aead']}"
        for word, size in (
            ("KEY", "CRYPTO_KEYBYTES"),
            ("NONCE", "CRYPTO_NPUBBYTES"),
            ("TAG", "CRYPTO_ABYTES"),
        ):
            yield f"-DMB_CODE_{word}={sizes[size]}"
        if (least := code.least_tag(code.schemes["aead"])) < sizes["CRYPTO_ABYTES"]:
            yield f"-DMB_CODE_TAG_MIN={least}"
    if "hash" in kinds:
        yield f'-DMB_CODE_HASH="{code.schemes["hash"]}"'
        yield f"-DMB_CODE_HASH_LENGTH={whole.lengths['hash']}"
        yield f"-DMB_CODE_DIGEST={sizes['CRYPTO_BYTES']}"
    if "cipher" in kinds:
        yield f'-DMB_CODE_CIPHER="{code.schemes["cipher"]}"'
        size_names = (
            ("KEY", "CRYPTO_KEYBYTES"),
            ("BLOCK", "CRYPTO_BLOCKBYTES"),
            ("STATE", "CRYPTO_STATEBYTES"),
        )
        yield from (
            f"-DMB_CODE_{word}={sizes[size]}"
            for word, size in (*size_names, ("NONCE", CIPHER_NONCE))
            if size in sizes
        )
        if CIPHER_NONCE not in sizes:
            yield "-DMB_CODE_NONCE=0"
        if code.folder.decrypts:
            yield "-DMB_CODE_DECRYPTS"
    if kinds[0] in AGREED:
        yield from _of_agreement(code, kinds[0], whole.keys)
    elif whole.keys is not None:
        yield from _of_keys(code, whole.keys, kinds[0])


def _of_agreement(code: UserCode, kind: str, keys: KeyInterface | None) -> Iterator[str]:
    """The same of a key agreement."""
    sizes, name = code.folder.sizes, code.schemes[kind]
    public, private = (sizes[size] for size in AGREED[kind])
    yield f'-DMB_CODE_{kind.upper()}="{name}"'
    yield f"-DMB_CODE_PUBLIC={public}"
    yield f"-DMB_CODE_PRIVATE={private}"
    yield f"-DMB_CODE_SECRET={sizes['CRYPTO_BYTES']}"
    if public < len(public_key(name)):
        yield "-DMB_CODE_UNCOMPRESSED"
    if keys is not None:
        yield f"-DMB_CODE_RANDOM_LENGTH={keys.random}"


def _of_keys(code: UserCode, keys: KeyInterface, kind: str) -> Iterator[str]:
    """The same of a KEM or a signature."""
    sizes = code.folder.sizes
    yield f'-DMB_CODE_{kind.upper()}="{code.schemes[kind]}"'
    yield f"-DMB_CODE_PUBLIC={sizes['CRYPTO_PUBLICKEYBYTES']}"
    yield f"-DMB_CODE_PRIVATE={sizes['CRYPTO_SECRETKEYBYTES']}"
    yield f"-DMB_CODE_RANDOM_LENGTH={keys.random}"
    if code.folder.draws:
        yield "-DMB_CODE_OWN_RANDOM"
    yield from (f"-DMB_CODE_{role}={symbol}" for role, symbol in keys.symbols.items())
    if kind == "kem":
        yield f"-DMB_CODE_CIPHERTEXT={sizes['CRYPTO_CIPHERTEXTBYTES']}"
        yield f"-DMB_CODE_SECRET={sizes['CRYPTO_BYTES']}"
        return
    yield f"-DMB_CODE_SIGNATURE={sizes['CRYPTO_BYTES']}"
    yield f"-DMB_CODE_LENGTH={keys.length}"
    if code.seed_bytes:
        yield f"-DMB_CODE_SEED={code.seed_bytes}"
    for word, holds in (
        ("PAIR", code.paired(kind)),
        ("WHOLE", keys.whole),
        ("DETACHED", keys.whole and not code.paired(kind)),
        ("CONTEXT", keys.context),
    ):
        if holds:
            yield f"-DMB_CODE_{word}"


@cache
def host_compiler() -> Toolchain:
    """C compiler of this machine. ProbeFailure of kind ``build`` if it has none."""
    compiler = tree.host_cc()
    if compiler is None:
        raise ProbeFailure(
            FailureKind.BUILD,
            "this machine has no C compiler; motebench doctor prints the line that installs one",
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
