"""Compiling a folder of code: all its files become one object, which exports only the functions of
the interface.

Files that need anything outside the folder and the compiler's own headers, and programs with
``main``, are left out and reported. All other symbols become local, so that they cannot clash with
those of the probe.
"""

from __future__ import annotations

import os
import re
import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, partial
from pathlib import Path

from motebench.base.files import elf
from motebench.base.model import FailureKind
from motebench.base.process import TemporaryFolder, cores, in_parallel
from motebench.targets.code import tree
from motebench.targets.code.folder import KEYED, SOURCES, CodeFolder, path_text
from motebench.targets.code.interface import RANDOM, KeyInterface, find, random_type
from motebench.targets.firmware.build import cache_dir, compiled, digest, made
from motebench.targets.firmware.limits import LimitReached, run_limited
from motebench.targets.firmware.sources import core_dir
from motebench.targets.firmware.toolchain import CXX_SOURCES, Toolchain
from motebench.targets.wire.messages import ProbeFailure

FUNCTIONS = {
    "aead": ("crypto_aead_encrypt", "crypto_aead_decrypt"),
    "hash": ("crypto_hash",),
    "scalarmult": ("crypto_scalarmult", "crypto_scalarmult_base"),
    "dh": ("crypto_dh", "crypto_dh_keypair"),
    "cipher": ("crypto_cipher_key", "crypto_cipher_encrypt"),
}
STRUCTURES = {"aead": "lwc_aead_cipher", "hash": "lwc_hash_ctx"}
"""Structures of NIST's benchmark that have the functions of a kind as members."""
_DECRYPT = "crypto_cipher_decrypt"
_LIBRARY = re.compile(r"-l.")
LENGTHS = {"aead": 3, "hash": 2}
"""Index of the length among the parameters of the first function of a kind."""
_DIALECTS = ("-std=gnu11", "-std=gnu99", "-std=gnu89")
_CXX_DIALECTS = ("-std=gnu++17", "-std=gnu++14", "-std=gnu++98")
_CXX_FLAGS = (
    "-fno-exceptions",
    "-fno-rtti",
    "-fno-threadsafe-statics",
    "-fno-use-cxa-atexit",
)
"""Flags of an Arduino core, less what needs libstdc++."""
_NEW = re.compile(r"_Zn[wa][jm]")
_SECTIONS = ("-ffunction-sections", "-fdata-sections")
_LACKS = re.compile(
    r"fatal error: (?:([^\s:]+): No such file or directory|'([^']+)' file not found)"
)
_WORDS_KEPT = 2000
_NO_OPERANDS = re.compile(
    "impossible constraint|more registers than available|find a register to spill"
)
_LOW_LEVELS = ("-Os", "-Oz", "-Og", "-O0", "-O1")
_HIGHER_LEVEL = "a higher level may find operands for the assembly: @O2 behind the implementation; "
_OTHER_COMPILER = (
    "another compiler may find operands for the assembly: for Ascon's ARMv6-M code GCC 8.3 at -O2; "
    "motebench setup --compiler gcc-8.3 fetches it, @O2+gcc-8.3 behind the implementation takes it"
)
_FEW_REGISTERS = (
    "the assembly wants more registers than this processor has, perhaps those of another one: "
    "choose a --target that has them, or a folder without it"
)
_NO_INSTRUCTION = re.compile(
    "(?i)unknown opcode|unrecognized opcode|bad instruction|no such instruction|instruction "
    "mnemonic"
    "|cannot honor width suffix|invalid instruction suffix"
    "|not supported in 64-bit mode|unrecognized character is `@'"
    "|unknown pseudo-op|selected processor does not support|ARM register expected|register "
    ".*required"
)
_OTHER_PROCESSOR = (
    "the assembly is for another processor: choose a --target that has it, or a folder without it"
)
_BLOCKER = "_optblocker"
_NO_FLOATS = re.compile("FPU does not support")
_WITHOUT_UNIT = (
    "the assembly needs a floating-point unit, which this processor does not have: choose a "
    "--target with one"
)
_TOO_WIDE = re.compile(r"size of (?:array|variable) \S+ is (?:negative|too large)")
_NARROW = "on an AVR int has 16 bits and an array at most 32,767 bytes"
_PLAIN = "unsigned long long"
_INTEGERS = {
    "unsigned long long": _PLAIN,
    "unsigned long long int": _PLAIN,
    "long long unsigned int": _PLAIN,
    "unsigned long": "unsigned long",
    "unsigned long int": "unsigned long",
    "long unsigned int": "unsigned long",
    "unsigned int": "unsigned int",
    "unsigned": "unsigned int",
    "int": "int",
    "long": "long",
    "long int": "long",
    "long long": "long long",
    "long long int": "long long",
    "unsigned short": "unsigned short",
    "short unsigned int": "unsigned short",
}


@dataclass(frozen=True, slots=True)
class JoinedCode:
    """The code as one object. ``left_out``: files that are not part of it, each with the reason.

    ``lengths``: the integer type of lengths, by kind. ``keys``: how a KEM or signature is called.
    ``shared``: the common files that are part of it; ``own_sha3``: our SHA-3 is among them.
    ``structures``: kinds whose functions are members of `STRUCTURES`. ``own``: the objects of the
    folder's own files, unless they become code with the others (``-flto``).
    """

    path: Path
    left_out: tuple[str, ...]
    lengths: Mapping[str, str]
    keys: KeyInterface | None = None
    shared: tuple[str, ...] = ()
    own_sha3: bool = False
    structures: tuple[str, ...] = ()
    own: tuple[Path, ...] = ()


@dataclass(frozen=True, slots=True)
class _Work:
    """Folder, tools and flags of a compilation into one object. ``common``: folders of common
    files, searched in this order.

    ``libraries``: flags of the libraries that are linked into it.
    """

    folder: CodeFolder
    tools: Toolchain
    flags: tuple[str, ...]
    kinds: tuple[str, ...]
    common: tuple[Path, ...]
    libraries: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _Made:
    """The result for one source: its object, or why it is left out."""

    source: Path
    object: Path | None
    reason: str = ""


@cache
def joined(
    folder: CodeFolder, tools: Toolchain, flags: tuple[str, ...], kinds: tuple[str, ...]
) -> JoinedCode:
    """The folder compiled with ``flags``. ProbeFailure of kind ``build`` with the compiler's
    message.
    """
    libraries = tuple(flag for flag in flags if _LIBRARY.match(flag) and tools.ram)
    flags = (*_SECTIONS, "-w", *folder.flags, *(flag for flag in flags if not _LIBRARY.match(flag)))
    if _as_one(flags) and not tools.is_gcc:
        raise ProbeFailure(
            FailureKind.BUILD, "-flto works only if one GCC compiles and links the code"
        )
    first: ProbeFailure | None = None
    for common in folder.common or ((),):
        try:
            return _joined_anew(_Work(folder, tools, flags, kinds, common, libraries))
        except _OfCommon as failure:
            first = first or failure
    assert first is not None
    raise first


class _OfCommon(ProbeFailure):
    """Common files that the code needs do not compile for this machine."""


def _joined_anew(work: _Work) -> JoinedCode:
    try:
        return _joined(work)
    except ProbeFailure as failure:
        # Until GCC 10, variables that several files define were one variable.
        if "multiple definition of" not in failure.message or "-fcommon" in work.flags:
            raise
        return _joined(replace(work, flags=(*work.flags, "-fcommon")))


@dataclass(frozen=True, slots=True)
class _Interfaces:
    """Interfaces of the code. ``symbols``: to be exported; ``macros``: that say them; the others as
    in `JoinedCode`.
    """

    symbols: list[str]
    macros: list[str]
    keys: KeyInterface | None = None
    shared: tuple[Path, ...] = ()
    structures: tuple[str, ...] = ()


def _joined(work: _Work) -> JoinedCode:
    names = _tool(work.tools, "gcc-nm" if _as_one(work.flags) else "nm")
    keyed = next((kind for kind in work.kinds if kind in KEYED), None)
    objects, left_out = _objects(work, names, keyed=keyed is not None or "dh" in work.kinds)
    own = () if _as_one(work.flags) else tuple(objects)
    if keyed:
        interfaces = _of_pairs(work, keyed, names, objects, left_out)
    else:
        interfaces = _of_functions(work, names, objects, left_out)
    macros = [*(f"-DMB_CODE_{kind.upper()}" for kind in work.kinds), *interfaces.macros]
    extra = _extra_objects(work, names, objects, macros)
    whole = _link(work, [*objects, *extra], interfaces.symbols)
    lengths = {
        kind: _PLAIN if kind in interfaces.structures else _length(work, kind)
        for kind in work.kinds
        if kind in LENGTHS
    }
    own_sha3 = any(path.parent == _own_common() for path in interfaces.shared)
    shared = tuple(map(_told, interfaces.shared))
    return JoinedCode(
        whole,
        tuple(left_out),
        lengths,
        interfaces.keys,
        shared,
        own_sha3,
        interfaces.structures,
        own,
    )


def _of_pairs(
    work: _Work, kind: str, names: str, objects: dict[Path, set[str]], left_out: Sequence[str]
) -> _Interfaces:
    """The interface of a KEM or a signature; adds the common files that it needs to the objects."""
    keys = _interface(work, kind, set().union(*objects.values()), left_out)
    macros = [f"-DMB_CODE_{role}={symbol}" for role, symbol in keys.symbols.items()]
    shared = tuple(_shared(work, names, objects))
    return _Interfaces(list(keys.symbols.values()), macros, keys, shared)


def _of_functions(
    work: _Work, names: str, objects: dict[Path, set[str]], left_out: Sequence[str]
) -> _Interfaces:
    """The interfaces of all other kinds; adds the common files of SUPERCOP that they need."""
    symbols = set().union(*objects.values())
    structures = tuple(kind for kind in work.kinds if _is_structure(kind, symbols))
    exported = _functions(work, structures, symbols, left_out)
    macros = [f"-DMB_CODE_{kind.upper()}_STRUCTURE" for kind in structures]
    if _DECRYPT in exported:
        macros.append("-DMB_CODE_DECRYPTS")
    keys = None
    if "dh" in work.kinds:
        length = random_type(work.folder, partial(_preprocess, work), _integer)
        keys = KeyInterface({}, random=length)
    shared = tuple(_shared(work, names, objects)) if work.folder.shared else ()
    return _Interfaces(exported, macros, keys, shared, structures)


def _extra_objects(
    work: _Work, names: str, objects: Mapping[Path, set[str]], macros: Sequence[str]
) -> list[Path]:
    """Objects of ours that are linked to the code: the run-time library of C++, and the list of
    functions to keep when all is optimised as one program.
    """
    extra = []
    if any(source.suffix in CXX_SOURCES for source in work.folder.sources):
        allocates = any(_NEW.match(name) for path in objects for name in _undefined(names, path))
        given = (*_SECTIONS, "-Os", *(("-DMB_CODE_NEW",) if allocates else ()))
        extra.append(compiled(work.tools, "cxx-", core_dir() / "code" / "cxx.c", given))
    if _as_one(work.flags):
        list_of_kept = core_dir() / "code" / "kept.c"
        extra.append(compiled(work.tools, "kept-", list_of_kept, (*work.flags, *macros)))
    return extra


def _is_structure(kind: str, symbols: set[str]) -> bool:
    """True if the code has the structure of a kind, and not its functions by their own names."""
    return STRUCTURES.get(kind) in symbols and not symbols.issuperset(FUNCTIONS[kind])


def _functions(
    work: _Work, structures: Sequence[str], symbols: set[str], left_out: Sequence[str]
) -> list[str]:
    """The symbols of the interfaces that the code has. ProbeFailure if one is missing."""
    names = [
        name
        for kind in work.kinds
        for name in ([STRUCTURES[kind]] if kind in structures else FUNCTIONS[kind])
    ]
    if "cipher" in work.kinds and work.folder.decrypts:
        names.append(_DECRYPT)
    if missing := [name for name in names if name not in symbols]:
        mangled = any(name in symbol for name in missing for symbol in symbols)
        raise _missing(", ".join(missing) + (_MANGLED if mangled else ""), left_out)
    return names


def _objects(work: _Work, names: str, *, keyed: bool) -> tuple[dict[Path, set[str]], list[str]]:
    """The object of each source with the symbols that it defines; and the files left out, each with
    the reason.

    ``names``: the program that lists symbols. ``keyed``: the code is a KEM or a signature.
    """
    made_of = list(in_parallel(lambda source: _source(work, source), work.folder.sources, cores()))
    defined = {
        result.object: _defined(names, result.object)
        for result in made_of
        if result.object is not None
    }
    left_out = [
        f"{path_text(result.source.name)}: {result.reason}"
        for result in made_of
        if result.object is None
    ]
    for result in made_of:
        if result.object is None:
            continue
        reason = ""
        if "main" in defined[result.object]:
            reason = "it is a program of its own, with main"
        elif keyed and RANDOM & defined[result.object]:
            reason = "motebench provides randombytes"
        if reason:
            left_out.append(f"{path_text(result.source.name)}: {reason}")
            del defined[result.object]
    return defined, left_out


def _told(common_file: Path) -> str:
    """A common file with the tree that it is of: ``pqm4/common/keccakf1600.S``; ours by its
    name.
    """
    return (
        common_file.name
        if common_file.parent == _own_common()
        else "/".join(common_file.parts[-3:])
    )


_MANGLED = ' for C (the declarations lack extern "C")'


def _missing(names: str, left_out: Sequence[str]) -> ProbeFailure:
    remark = f"; left out: {'; '.join(left_out)}" if left_out else ""
    return ProbeFailure(FailureKind.BUILD, f"no file of the folder defines {names}{remark}")


def _preprocess(work: _Work, text: str) -> str:
    """The text that the compiler sees of a file, or of the text itself if it has lines."""
    command = [work.tools.compiler, *work.tools.device_flags, *work.flags, _DIALECTS[0]]
    command += [*tree.paths(work.folder.path, work.common), "-E", "-P"]
    if "\n" in text:
        return run_limited([*command, "-x", "c", "-"], given=text).stdout
    return run_limited([*command, text]).stdout


def _interface(work: _Work, kind: str, symbols: set[str], left_out: Sequence[str]) -> KeyInterface:
    """Names and types of the functions of a KEM or signature. ProbeFailure if one is missing."""

    interface = find(work.folder, kind, symbols, partial(_preprocess, work), _integer)
    if isinstance(interface, str):
        raise _missing(interface, left_out)
    return interface


def _own_common() -> Path:
    return core_dir() / "code" / "common"


def _shared(work: _Work, names: str, objects: dict[Path, set[str]]) -> list[Path]:
    """Add the common files that define missing symbols, then motebench's own; return their
    paths.
    """
    texts = {path: path.read_text(encoding="latin-1") for path in _common_sources(work)}
    taken: list[Path] = []
    failed: dict[
        Path, ProbeFailure
    ] = {}  # assembly for another processor, perhaps, of which there is C elsewhere
    while True:
        defined = set().union(*objects.values())
        lacks = set().union(*(_undefined(names, path) for path in objects)) - defined - RANDOM
        for path, text in texts.items():
            if path in taken or path in failed or not _may_define(path, text, lacks):
                continue
            try:
                made_of = _source(work, path).object
            except ProbeFailure as failure:
                failed[path] = failure
                continue
            if made_of is None:
                continue
            symbols = _defined(names, made_of)
            if symbols & lacks and not symbols & defined:
                objects[made_of] = symbols
                taken.append(path)
                break
        else:
            for path, refused in failed.items():
                if _names_one(texts[path], lacks):
                    raise _OfCommon(refused.kind, refused.message) from refused
            return taken


def _may_define(path: Path, text: str, names: set[str]) -> bool:
    """True if a common file seems to define one of the names. Ours do it by macros, and so do
    SUPERCOP's variables that stop an optimiser.
    """
    by_macros = path.parent == _own_common() or path.stem.endswith(_BLOCKER)
    return by_macros or _names_one(text, names)


def _common_sources(work: _Work) -> list[Path]:
    """The common files of the tree in the order of its folders, then ours."""
    files = [
        path for path in work.folder.shared if path.suffix in SOURCES and path.stem not in RANDOM
    ]
    ordered = [path for place in work.common for path in files if path.parent == place]
    return [*ordered, *sorted(_own_common().glob("*.c"))]


def _names_one(text: str, names: set[str]) -> bool:
    """True if a text seems to define one: at the beginning of a line, before a parenthesis, or as a
    label.
    """
    return any(
        re.search(rf"^(?:\w[^;={{}}()\n]*\b)?{re.escape(name)}\s*[(:]", text, re.MULTILINE)
        for name in names
    )


@cache  # objects are named after what they are made of
def _undefined(names: str, path: Path) -> set[str]:
    """Symbols that an object needs of others."""
    done = run_limited([names, "-u", str(path)])
    return {line.split()[-1] for line in done.stdout.splitlines() if line.split()}


def _source(work: _Work, source: Path) -> _Made:
    """The object of one source. ProbeFailure if the compiler refuses it."""
    folder, tools = work.folder, work.tools
    if source.suffix in CXX_SOURCES and not tools.cxx:
        reason = (
            "which is compiled for this machine and for boards only"
            if tools.foreign
            else f"and no C++ compiler is there beside {Path(tools.driver).name}"
        )
        return _Made(source, None, f"it is C++, {reason}")
    first: ProbeFailure | None = None
    for dialect in _dialects(source):
        command = (
            *tools.front(source),
            *work.flags,
            *dialect,
            *_paths(folder, work.common),
            *_hosted(tools, source),
        )
        try:
            # The object is identified by its preprocessed source, wherever the headers are.
            seen = source.read_text(encoding="latin-1")
            if source.suffix != ".s" or dialect:
                seen = run_limited([*command, "-E", str(source)]).stdout
            name = digest(
                _bytes(part) for part in (tools.version, *command, str(source), seen)
            ).hex()[:32]
            return _Made(
                source, made(cache_dir() / "code" / f"{name}.o", (*command, "-c", str(source)))
            )
        except LimitReached:
            raise  # another dialect would fail in the same way
        except ProbeFailure as failure:
            lacks = _LACKS.search(failure.message)
            header = lacks and (lacks[1] or lacks[2])
            if header and header not in folder.files:
                return _Made(
                    source, None, f"it needs {path_text(header)}, which {_absence(folder, header)}"
                )
            first = first or failure
    assert first is not None
    raise _advised(first, work, source)


def stack_frames(folder: CodeFolder, tools: Toolchain, flags: tuple[str, ...]) -> dict[str, int]:
    """Bytes that each function of the C files takes on the stack, as the compiler says
    (``-fstack-usage``); of functions of one name the largest. Files that do not compile by
    themselves are left out."""
    flags = ("-w", *folder.flags, *(flag for flag in flags if not _LIBRARY.match(flag)))
    common = next(iter(folder.common), ())
    frames: dict[str, int] = {}
    for source in (source for source in folder.sources if source.suffix == ".c"):
        with TemporaryFolder() as scratch:
            made_of = (
                *tools.front(source),
                *flags,
                _DIALECTS[0],
                *_paths(folder, common),
                *_hosted(tools, source),
            )
            command = [*made_of, "-fstack-usage", "-c", str(source), "-o", str(scratch / "code.o")]
            run_limited(command)
            table = scratch / "code.su"
            lines = (
                table.read_text(encoding="utf-8", errors="replace").splitlines()
                if table.exists()
                else []
            )
        for fields in (line.split("\t") for line in lines):
            if len(fields) == 3 and fields[1].isdecimal():
                name = fields[0].rpartition(":")[2]
                frames[name] = max(frames.get(name, 0), int(fields[1]))
    return frames


def _advised(failure: ProbeFailure, work: _Work, source: Path) -> ProbeFailure:
    """The compiler's message, with advice if we know its cause."""
    causes = [(_NO_FLOATS, _WITHOUT_UNIT), (_NO_INSTRUCTION, _OTHER_PROCESSOR)]
    if "avr" in Path(work.tools.driver).name:
        causes.append((_TOO_WIDE, _NARROW))
    if _NO_OPERANDS.search(failure.message):
        advice: str | None = _about_operands(work, source)
    else:
        advice = next((text for pattern, text in causes if pattern.search(failure.message)), None)
    return failure if advice is None else ProbeFailure(failure.kind, f"{failure.message}; {advice}")


def _about_operands(work: _Work, source: Path) -> str:
    """Advice for assembly that the compiler finds no operands for. On Arm a higher level often
    finds them; the assembler then says whether the processor has the instructions.
    """
    if re.search("avr|riscv", Path(work.tools.driver).name):
        return _FEW_REGISTERS
    low = _level(work.flags) in _LOW_LEVELS
    higher = (*work.tools.front(source), *work.flags, "-O2", *_dialects(source)[0])
    place = (*_paths(work.folder, work.common), *_hosted(work.tools, source))
    done = run_limited([*higher, *place, "-c", str(source), "-o", os.devnull])
    if _NO_INSTRUCTION.search(done.stderr):
        return _OTHER_PROCESSOR
    return (_HIGHER_LEVEL if low else "") + _OTHER_COMPILER


def _dialects(source: Path) -> Sequence[tuple[str, ...]]:
    """The flags to try for a source, one after the other."""
    if source.suffix == ".c":
        return [(dialect,) for dialect in _DIALECTS]
    if source.suffix in CXX_SOURCES:
        return [(dialect, *_CXX_FLAGS) for dialect in _CXX_DIALECTS]
    # GCC does not preprocess .s, but files from systems without case-sensitive names may need it.
    return [()] if source.suffix == ".S" else [(), ("-x", "assembler-with-cpp")]


def _level(flags: Sequence[str]) -> str:
    """The flag of the optimisation level that holds: the last one."""
    return next((flag for flag in reversed(flags) if flag.startswith("-O")), "")


def _absence(folder: CodeFolder, header: str) -> str:
    """Reason why a header was not found, as a predicate."""
    if (link := tree.broken_link(folder.path, header)) is None:
        return "is not in the folder"
    target = path_text(str(link.readlink()))
    return (
        f"is a link to {target}, which is not there; if that is a submodule: git submodule "
        "update --init --recursive"
    )


def _bytes(text: str) -> bytes:
    return text.encode("utf-8", "surrogateescape")


def _paths(folder: CodeFolder, common: tuple[Path, ...]) -> tuple[str, ...]:
    """Search path of headers: the folder, then ours (for folders without headers of the
    interface).
    """
    if folder.kinds[0] in (*KEYED, "dh"):
        return tree.paths(folder.path, common)
    return tree.plain_paths(folder.path, common)


def _hosted(tools: Toolchain, source: Path) -> tuple[str, ...]:
    """Flags for boards: our <assert.h>, which names the source but not its folder."""
    if not tools.ram:
        return ()
    name = re.sub(r"[^\w.+-]", "?", source.name)
    return ("-isystem", str(core_dir() / "code" / "board"), f'-DMOTEBENCH_FILE="{name}"')


def _tool(tools: Toolchain, name: str) -> str:
    """Another program of the compiler's family: ``avr-nm`` beside ``avr-gcc``."""
    driver = Path(tools.driver)
    prefix = driver.name.removesuffix("gcc") if driver.name.endswith("-gcc") else ""
    return str(driver.with_name(prefix + name)) if prefix else name


def _as_one(flags: Sequence[str]) -> bool:
    """True if the flags tell the compiler to optimise all files together when it links them."""
    lto_flags = [
        flag for flag in flags if flag in ("-flto", "-fno-lto") or flag.startswith("-flto=")
    ]
    return bool(lto_flags) and lto_flags[-1] != "-fno-lto"


@cache
def _native(tools: Toolchain) -> tuple[str, ...]:
    """Flag with which link-time optimisation writes machine code into an object; empty for GCC
    before 9, which lacks it.
    """
    word = "-flinker-output=nolto-rel"
    done = run_limited([tools.driver, word, "-E", "-x", "c", "-"])
    return (word,) if done.returncode == 0 else ()


@cache  # objects are named after what they are made of
def _defined(names: str, path: Path) -> set[str]:
    """Global symbols that an object defines, as the program ``names`` lists them."""
    done = run_limited([names, "-g", "--defined-only", str(path)])
    return {line.split()[-1] for line in done.stdout.splitlines() if len(line.split()) >= 3}


def resolvers(tools: Toolchain, path: Path) -> list[str]:
    """Symbols of an object that the loader resolves by calling a function (type ``i``)."""
    listed = run_limited([_tool(tools, "nm"), str(path)]).stdout
    return [
        columns[2]
        for line in listed.splitlines()
        if len(columns := line.split()) == 3 and columns[1] == "i"
    ]


def wanted_of(tools: Toolchain, path: Path) -> frozenset[str]:
    """Symbols that an object takes from elsewhere: from the C library, or `core/code/hosted.c`."""
    listed = run_limited([_tool(tools, "nm"), "-u", str(path)]).stdout
    return frozenset(line.split()[-1] for line in listed.splitlines() if line.split())


def _link(work: _Work, objects: list[Path], exported: list[str]) -> Path:
    """Link all objects into one that exports only the given functions, with the library functions
    that they need.
    """
    tools, flags, libraries = work.tools, work.flags, work.libraries
    made_by = (tools.version, work.folder.digest, tools.compiler, *tools.device_flags, *flags)
    inputs = (*made_by, *exported, *libraries, *(path.name for path in objects))
    path = cache_dir() / "code" / f"{digest(map(_bytes, inputs)).hex()[:32]}.o"
    if path.exists():
        return path
    if tools.foreign:
        return _renamed(
            made(
                path.with_suffix(".whole.o"),
                (*tools.linker, "-r", *tools.partial, "-nostdlib", *map(str, objects)),
            ),
            exported,
            path,
        )
    # -d: common symbols get an address now, since local symbols must have one.
    optimised = (*flags, "-fwhole-program", *_native(tools)) if _as_one(flags) else ()
    command = (
        *tools.linker,
        *optimised,
        "-r",
        *tools.partial,
        "-nostdlib",
        "-Wl,-d",
        *map(str, objects),
    )
    command = (*command, *libraries)
    whole = made(path.with_suffix(".whole.o"), command)
    # Boards in parallel need it at once
    part = path.with_suffix(f".{os.getpid()}-{threading.get_ident()}")
    # Link-time optimisation has already made them local; objcopy refuses to do both at once.
    for word, given in (("globalize", whole), ("keep-global", part)):
        done = run_limited(
            [
                _tool(tools, "objcopy"),
                *(f"--{word}-symbol={name}" for name in exported),
                str(given),
                str(part),
            ]
        )
        if done.returncode != 0:
            message = " ".join(done.stderr.split())[-_WORDS_KEPT:]
            raise ProbeFailure(FailureKind.of(message, FailureKind.BUILD), message)
    part.replace(path)
    return path


def _renamed(whole: Path, exported: list[str], path: Path) -> Path:
    """Object with unique names for all symbols but ``exported``, which makes them as good as
    local.
    """
    part = path.with_suffix(f".{os.getpid()}-{threading.get_ident()}")
    try:
        part.write_bytes(elf.keep_only(whole, exported, ".code"))
    except elf.ObjectError as error:
        raise ProbeFailure(FailureKind.BUILD, str(error)) from None
    except OSError as error:
        raise ProbeFailure(
            FailureKind.of(error, FailureKind.BUILD), f"{part.parent}: {error.strerror}"
        ) from error
    part.replace(path)
    return path


def _length(work: _Work, kind: str) -> str:
    """Integer type of lengths in the code, which may differ from the interface."""
    name = FUNCTIONS[kind][0]
    definition = re.compile(rf"\b{name}\s*\(([^()]*)\)\s*\{{")
    for source in work.folder.sources:
        if source.suffix != ".c" or name.encode() not in work.folder.files[source.name]:
            continue
        command = [
            *work.tools.front(source),
            *work.flags,
            _DIALECTS[0],
            *_paths(work.folder, work.common),
        ]
        text = run_limited([*command, "-E", "-P", str(source)]).stdout
        if match := definition.search(text):
            parameters = match[1].split(",")
            if len(parameters) > LENGTHS[kind]:
                return _integer(parameters[LENGTHS[kind]], text)
    return _PLAIN


def _integer(parameter: str, text: str) -> str:
    """Type of a parameter such as ``const size_t mlen``, with its typedefs resolved."""
    type_words = [
        word for word in parameter.split() if word not in ("const", "volatile", "register")
    ]
    for _ in range(8):
        for count in (len(type_words), len(type_words) - 1):
            if (integer := _INTEGERS.get(" ".join(type_words[:count]))) is not None:
                return integer
        alias = type_words[0] if type_words else ""
        match = re.search(rf"\btypedef\s+([\w\s]+?)\s+{re.escape(alias)}\s*;", text)
        if not match:
            break
        type_words = match[1].split()
    return _PLAIN
