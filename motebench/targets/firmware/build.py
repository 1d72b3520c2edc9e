"""Building: objects and images are cached under a digest of all their inputs, so that nothing is
built twice.
"""

from __future__ import annotations

import hashlib
import os
import re
import subprocess
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

from motebench.base.files.elf import ObjectError, bytes_by_symbol
from motebench.base.model import FailureKind, Kind, Scheme
from motebench.base.paths import check_writable, data_root
from motebench.base.process import cores, in_parallel
from motebench.catalog.devices import Device
from motebench.targets.firmware import sources
from motebench.targets.firmware.architecture import architecture, folder
from motebench.targets.firmware.limits import run_limited
from motebench.targets.firmware.toolchain import DEFAULT_COMPILER, Toolchain, toolchain
from motebench.targets.wire.messages import Hello, ProbeFailure

PROBE_LEVEL = "Os"
"""Optimisation level of the probe itself: always size, because the probe is not measured."""
IDENTITY_BYTES = 8
_KINDS = {Kind.CIPHER: 1, Kind.STREAM: 2, Kind.AEAD: 4, Kind.HASH: 8, Kind.MAC: 16}
_AEAD_MODES = ("gcm", "ccm", "eax")
_MAC_MODES = {"cmac": 32, "gmac": 64}
_OVERFLOW = re.compile(
    r"region [`']\S+?'.*? overflowed by |will not fit in region |is not within region "
)
_FATAL = re.compile(r"^.*\bfatal error: .*$", re.MULTILINE)
_ERROR = re.compile(r"^(?:.*/)?([^/\n]+:\d+(?::\d+)?: [Ee]rror: .*)$", re.MULTILINE)
_UNDEFINED = re.compile(r"undefined (?:reference to [`']|symbol: )([^\s']+)")
_ERRORS_KEPT = 3
_NAMES_KEPT = 5
_WORDS_KEPT = 2000
PROBE, LIBRARY = "probe-", "library-"
"""Prefixes of object names: the probe's own code, and replacements of C library functions. Linker
scripts use them to find the measured code."""
_LIBRARY_FLAGS = ("-Os", "-ffreestanding", "-fno-tree-loop-distribute-patterns")
"""Default flags of such libraries; memcpy must not become a call of itself."""
FlaggedSource = tuple[Path, Sequence[str]]
"""A source with its own flags."""


@dataclass(frozen=True, slots=True)
class FirmwareImage:
    """A firmware image: its ELF file, its identity as in hello, the compiler, and its sizes in
    bytes.

    ``flash`` is code, constants and the initial values of data; ``static_ram`` is data and zeroed
    data. ``linked``: the objects that it is made of; `motebench.targets.firmware.forms` links them
    again. ``own``: those of the user's folder.
    """

    path: Path
    identity: bytes
    compiler: str
    flags: str
    flash: int
    static_ram: int
    tools: Toolchain | None = None
    linked: tuple[Path, ...] = ()
    own: tuple[Path, ...] = ()

    def expect(self, hello: Hello) -> None:
        """ProbeFailure if this hello is from other firmware."""
        if hello.image != self.identity:
            who = (
                f"firmware {hello.image.hex()} of {hello.implementation}"
                if hello.image
                else hello.implementation
            )
            raise ProbeFailure(
                FailureKind.LOST, f"{who} answers instead of the firmware {self.identity.hex()}"
            )

    def functions(self) -> tuple[frozenset[str], frozenset[str]]:
        """Functions of the probe alone, which the harness of an operation calls, and those of the
        implementation. Those of the compiler's library are neither.
        """
        names: dict[bool, set[str]] = {True: set(), False: set()}
        for path in self.linked:
            with suppress(ObjectError):
                names[path.name.startswith(PROBE)] |= {name for _, name in bytes_by_symbol(path)}
        return frozenset(names[True] - names[False]), frozenset(names[False])


_LIBRARY_MARKS = ("-DMLK_CONFIG_CT_TESTING_ENABLED", "-DMLD_CONFIG_CT_TESTING_ENABLED")
"""Flags with which mlkem-native and mldsa-native declare values public, as under valgrind."""


@dataclass(frozen=True, slots=True)
class FirmwareRole:
    """Purpose of firmware, beside answering requests.

    ``script``: it is standalone, and answers only the requests in that header (``core/alone``).
    ``marks``: it marks secrets for a simulator, and has line numbers; the code is the same where it
    marks nothing itself.
    """

    script: Path | None = None
    marks: bool = False

    @property
    def flags(self) -> tuple[str, ...]:
        """Flags of every source. Some compilers have another form of line numbers by default."""
        headers = str(sources.core_dir() / "code" / "board")  # of memcheck's requests
        marking = ("-gdwarf-4", "-DMB_MARKS", "-DMOTE_MARKS", "-isystem", headers)
        return (*marking, *_LIBRARY_MARKS) if self.marks else ()


REQUESTS = FirmwareRole()
"""The usual role: firmware answers requests of a host."""


@dataclass(frozen=True, slots=True)
class FirmwareParts:
    """Everything in a firmware except the probe.

    ``measured``: sources of the measured code, each with its own flags. ``objects``: measured code
    that is compiled already, with ``flags`` in addition to the level; ``own``: what of it is of the
    user's own folder. ``adapter``: sources that
    belong to the probe and are compiled like it. ``public_key``: the scheme is one of signatures,
    agreement or key encapsulation; other firmware is built without these (MB_PUBLIC_KEY in
    ``motebench/adapter.h``).
    """

    measured: Sequence[FlaggedSource]
    objects: Sequence[Path] = ()
    own: Sequence[Path] = ()
    adapter: Sequence[FlaggedSource] = ()
    flags: str = ""
    public_key: bool = False
    role: FirmwareRole = REQUESTS


@cache  # a run opens boards in every round, always with the same firmware
def build(
    device: Device,
    implementation: str,
    scheme: Scheme,
    level: str,
    portable: bool = False,
    role: FirmwareRole = REQUESTS,
    compiler: str = DEFAULT_COMPILER,
) -> FirmwareImage:
    """The firmware that offers ``scheme`` of ``implementation``, optimised as ``-<level>`` says.

    ``portable``: everything in C, even if there is assembly.
    ``compiler``: by name (`toolchain`), of the probe as well.

    ProbeFailure: ``build`` with the compiler's words, ``too-big`` with the bytes that are missing.
    """
    if implementation in sources.offered(device.architecture):
        measured = sources.parts(implementation, scheme, device.architecture)
        public_key = scheme.kind.public_key
    else:
        choice = ("-DMOTE_PORTABLE",) if portable else ()
        measured = [
            (path, choice) for path in sources.own_sources(implementation, device.architecture)
        ]
        public_key = sources.is_public(implementation)
        if public_key:
            named = (*sources.picked(scheme), f'-DMOTE_NAME="{implementation}"')
            measured += [(path, named) for path in sources.public_sources(implementation)]
        else:
            selected = _selected(implementation, scheme)
            measured += [(path, selected) for path in sources.adapter_sources()]
    parts = FirmwareParts(measured, public_key=public_key, role=role)
    return assemble(device, parts, level, compiler)


@cache
def empty(
    device: Device, scheme: Scheme, level: str, compiler: str = DEFAULT_COMPILER
) -> FirmwareImage:
    """The firmware of a no-op cipher: the probe, the adapter and motebench's own mode of
    ``scheme``.
    """
    selected = _selected("mote/null", scheme)
    shared = [(path, ()) for path in sources.shared_sources(device.architecture)]
    measured = [*shared, *((path, selected) for path in sources.empty_sources())]
    parts = FirmwareParts(measured, public_key=scheme.kind.public_key)
    return assemble(device, parts, level, compiler)


def assemble(
    device: Device, parts: FirmwareParts, level: str, compiler: str = DEFAULT_COMPILER
) -> FirmwareImage:
    """Link the probe with these parts; ``level`` is that of the measured code.

    ProbeFailure: ``build`` with the compiler's words, ``too-big`` with the bytes that are missing.
    """
    tools = toolchain(device, compiler)
    common = (*_common_flags(device, tools), *parts.role.flags)
    built_as = _flags(tools, level, parts.flags)
    jobs = _jobs(device, tools, parts, level)
    library = [
        (LIBRARY, path, (*common, *_LIBRARY_FLAGS)) for path in sources.library_sources(device)
    ]
    work = [(tools, *job) for job in jobs] + [(tools.of_library, *job) for job in library]
    linked = [*parts.objects, *in_parallel(lambda job: compiled(*job), work, cores())]
    made_of = [*(path.name for path in linked), *tools.linked_by]
    identity = digest(word.encode() for word in made_of)[:IDENTITY_BYTES]
    defines = (
        f'-DMOTEBENCH_DEVICE="{device.id}"',
        f"-DMOTEBENCH_IMAGE={','.join(map(str, identity))}",
    )
    linked.append(compiled(tools, PROBE, sources.identity_source(), (*common, *defines)))
    elf = link(tools, linked)
    flash, static_ram = sizes(tools, elf)
    check_simulated_fit(device, flash)
    _check("RAM", static_ram, device.ram_bytes)
    simulator_script = architecture(device.architecture).simulator.script
    if flash > flash_of(device) and simulator_script is not None:
        tools = replace(tools, script=folder(device.architecture) / simulator_script)
        elf = link(tools, linked)
    return FirmwareImage(
        elf,
        identity,
        tools.version,
        built_as,
        flash,
        static_ram,
        tools,
        tuple(linked),
        tuple(parts.own),
    )


def _common_flags(device: Device, tools: Toolchain) -> tuple[str, ...]:
    """Flags of every source: device and serial line."""
    includes = (f"-I{folder}" for folder in _includes(device))
    flags = (*tools.compile_flags, *includes, f"-DF_CPU={device.clock_hz}UL")
    if device.serial is not None:
        flags = (*flags, f"-DMOTEBENCH_BAUD={device.serial.baud}UL")
        if device.serial.pins is not None:
            transmit, receive = device.serial.pins
            flags = (*flags, f"-DMOTEBENCH_TX_PIN={transmit}", f"-DMOTEBENCH_RX_PIN={receive}")
    return flags


def _probe_flags(
    device: Device, tools: Toolchain, parts: FirmwareParts, level: str
) -> tuple[str, ...]:
    """The flags of the probe itself."""
    in_ram = ("-DMB_RAM_CODE",) if architecture(device.architecture).ram_code else ()
    shown_flags = _flags(tools, level, parts.flags).replace("\\", "\\\\").replace('"', '\\"')
    return (
        *_common_flags(device, tools),
        *parts.role.flags,
        *in_ram,
        f"-{PROBE_LEVEL}",
        f"-DMB_ALIGNMENT={tools.alignment}",
        f'-DMOTEBENCH_COMPILER="{tools.version}"',
        f'-DMOTEBENCH_FLAGS="{shown_flags}"',
        *(("-DMB_PUBLIC_KEY=1",) if parts.public_key else ()),
        *(("-DMB_GUARDED",) if parts.adapter else ()),  # user code: guards surround its inputs
    )


def _jobs(
    device: Device, tools: Toolchain, parts: FirmwareParts, level: str
) -> Iterator[tuple[str, Path, tuple[str, ...]]]:
    """Everything to compile, with the role of each object (`compiled`) and its flags."""
    role = parts.role
    common = (*_common_flags(device, tools), *role.flags)
    probe = _probe_flags(device, tools, parts, level)
    small = architecture(device.architecture).smaller if tools.is_gcc else ()
    for path in (*sources.probe_sources(device), *(sources.mark_sources() if role.marks else ())):
        if role.script is None or path != sources.main_source():
            yield PROBE, path, (*probe, *small) if path.parent.name == "probe" else probe
    if role.script is not None:
        yield PROBE, sources.alone_source(), (*probe, *small, "-include", str(role.script))
    for path in sources.support_sources():
        yield "", path, (*common, f"-{level}")
    for path, own in parts.measured:
        yield "", path, (*common, f"-{level}", *own)
    for path, own in parts.adapter:
        yield PROBE, path, (*probe, *own)


def flash_of(device: Device) -> int:
    """Bytes of flash that firmware can have on the device."""
    return device.flash_bytes - device.boot_loader_bytes


def check_simulated_fit(device: Device, flash: int) -> None:
    """ProbeFailure of kind ``too-big`` if so many bytes fit neither the part nor its simulator."""
    _check(
        "flash",
        flash,
        max(flash_of(device), architecture(device.architecture).simulator.flash_bytes),
    )


def check_fit(device: Device, image: FirmwareImage) -> None:
    """ProbeFailure of kind ``too-big`` if the image, including the probe, does not fit the part."""
    _check("flash", image.flash, flash_of(device))


def check_net_fit(device: Device, image: FirmwareImage, empty: FirmwareImage) -> None:
    """ProbeFailure of kind ``too-big`` if the increase over empty firmware alone would not fit the
    part.
    """
    _check("flash", image.flash - empty.flash, flash_of(device))


def _includes(device: Device) -> tuple[Path, ...]:
    core, name = sources.core_dir(), device.architecture
    ports = (core / "ports" / part for part in ("", name, *architecture(name).shares))
    return (core / "include", core / "probe", *ports, core)


def _flags(tools: Toolchain, level: str, flags: str) -> str:
    """The text about the build in hello and results."""
    return ", ".join(filter(None, (f"-{level} {flags}".strip(), tools.placed)))


def _selected(implementation: str, scheme: Scheme) -> tuple[str, ...]:
    """Macros that include only the code of the scheme."""
    mode = scheme.mode or ""
    kind = _KINDS.get(scheme.kind, 0)
    chained, authenticated = "", ""
    if mode in _MAC_MODES:
        kind = _MAC_MODES[mode]
    if scheme.kind is Kind.AEAD and mode in _AEAD_MODES:
        kind, authenticated = 1, f"MODE({mode})"
    elif scheme.kind is Kind.CIPHER:
        chained = f"MODE({mode})"
    return (
        f"-DMOTE_SYMBOL={sources.symbol_of(implementation)}",
        f'-DMOTE_NAME="{implementation}"',
        f"-DMOTE_KINDS={kind}",
        f"-DMOTE_MODES={chained}",
        f"-DMOTE_AEAD_MODES={authenticated}",
    )


def cache_dir() -> Path:
    """The folder of cached objects and images."""
    return data_root() / "build" / "firmware"


@cache
def _headers_digest() -> bytes:
    return digest(path.read_bytes() for path in sources.headers())


def digest(parts: Iterable[bytes]) -> bytes:
    """One digest of several byte strings, with clear boundaries between them."""
    whole = hashlib.sha256()
    for part in parts:
        whole.update(hashlib.sha256(part).digest())
    return whole.digest()


def compiled(tools: Toolchain, role: str, source: Path, flags: Sequence[str]) -> Path:
    """The object of one of our sources; its name begins with ``role``. ProbeFailure of kind
    ``build``.
    """
    command = (*tools.front(source), *flags)
    command_bytes = "\0".join((tools.version, *command)).encode()
    name = digest((command_bytes, _headers_digest(), source.read_bytes())).hex()[:32]
    return made(cache_dir() / "objects" / f"{role}{name}.o", (*command, "-c", str(source)))


def link(tools: Toolchain, objects: Sequence[Path]) -> Path:
    """ELF file of these objects. ProbeFailure of kind ``build`` or ``too-big``."""
    name = digest(
        word.encode() for word in (*(path.name for path in objects), *tools.linked_by)
    ).hex()[:32]
    return made(cache_dir() / f"{name}.elf", (*tools.linker, *tools.link_flags, *map(str, objects)))


def made(path: Path, command: Sequence[str]) -> Path:
    """File that ``command -o path`` makes, from the cache if it exists; it appears completely or
    not at all.
    """
    if path.exists():
        return path
    check_writable()
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_name(f"{path.name}.{os.getpid()}-{id(command)}")
    try:
        done = run_limited([*command, "-o", str(part)], leaves=part)
        if done.returncode != 0:
            raise _failure(done.stderr)
        part.replace(path)
    except OSError as error:
        raise ProbeFailure(
            FailureKind.of(error, FailureKind.BUILD), f"{command[0]}: {error.strerror}"
        ) from error
    finally:
        part.unlink(missing_ok=True)
    return path


_AROUND = re.compile(
    r"^(?:In file included from .*|\s+from .*[,:]|.*: In function .*:|.*: At top level:|\s*\d* "
    r"\|.*)$\n?",
    re.MULTILINE,
)
"""Lines of GCC and Clang around an error: the way to the file, the function, the line of code with
a mark below.
"""


def _failure(output: str) -> ProbeFailure:
    kind = (
        FailureKind.TOO_BIG
        if _OVERFLOW.search(output)
        else FailureKind.of(output, FailureKind.BUILD)
    )
    if match := _FATAL.search(output):
        output = match[0]  # a compiler that crashes may print a long stack of its own
    elif len(errors := _ERROR.findall(output)) > _ERRORS_KEPT:
        # The first ones say what is wrong, with each line for the wrong assembler
        more = len(errors) - _ERRORS_KEPT
        output = f"{'; '.join(errors[:_ERRORS_KEPT])}; and {more} more errors"
    elif names := list(dict.fromkeys(_UNDEFINED.findall(output))):
        rest = f" and {len(names) - _NAMES_KEPT} more" if len(names) > _NAMES_KEPT else ""
        listed = f"{', '.join(names[:_NAMES_KEPT])}{rest}"
        output = f"undefined: {listed}: neither the code nor a linked library has them"
    else:
        output = _AROUND.sub("", output) or output
    return ProbeFailure(
        kind, " ".join(output.split())[-_WORDS_KEPT:] or "the compiler failed without a message"
    )


def sizes(tools: Toolchain, elf: Path) -> tuple[int, int]:
    """Flash and static RAM from the toolchain's ``size``.

    Flash is text and data of its Berkeley format; RAM is all sections with addresses in RAM,
    including code.
    """
    try:
        text, data = (int(word) for word in _size(tools, elf, "-B")[1].split()[:2])
        sections = [line.split() for line in _size(tools, elf, "-A", "-d") if line.startswith(".")]
        ram = sum(int(size) for _, size, address in sections if int(address) in tools.ram)
    except (IndexError, ValueError) as error:
        raise ProbeFailure(
            FailureKind.BUILD, f"{tools.size} does not report the sizes of {elf.name}"
        ) from error
    return text + data, ram


def _size(tools: Toolchain, elf: Path, *how: str) -> list[str]:
    command = [tools.size, *how, str(elf)]
    return subprocess.run(
        command, capture_output=True, text=True, check=False, timeout=30
    ).stdout.splitlines()


def _check(memory: str, needed: int, available: int) -> None:
    if needed > available:
        raise ProbeFailure(
            FailureKind.TOO_BIG,
            f"{needed - available} B of {memory} are missing: {needed} B of {available} B",
        )
