"""The tree that a folder of code belongs to (PQClean, mupq, pqm4, SUPERCOP): common files, macros,
search paths; and the sizes that only a compiler can read from its headers."""

from __future__ import annotations

import re
import shutil
import tempfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

from motebench.targets.firmware.limits import run_limited
from motebench.targets.firmware.sources import core_dir

COMMON = "common"
"""Name of the folder in which PQClean, mupq and pqm4 keep code that all schemes share."""
_OF_COMMON = ("fips202.h", "randombytes.h", "randombytes.c", "keccakf1600.S")
"""Files by which such a folder is recognised: at least one is in it."""
_MUPQ, _PQCLEAN = "mupq", "pqclean"
"""Folders of one tree inside another: pqm4 contains mupq, which contains PQClean."""
_SETTINGS = "config.mk"
_LEVELS_UP = 4
_SIZE = "mb_size_"
_OPERATION = re.compile(r"crypto_([a-z]+)")
_CHECKSUMS = ("checksumsmall", "checksumbig")
_TRY = "try-anything.c"
_INTEGERS, _HEADERS = "cryptoint", "include"
"""Folders of SUPERCOP: integer types with their functions, and other headers."""
_DEEPEST = 6


def host_cc() -> str | None:
    """C compiler of this machine; None if it has none."""
    return next(
        (compiler for name in ("cc", "gcc", "clang") if (compiler := shutil.which(name))), None
    )


def supercop(path: Path) -> tuple[Path, str] | None:
    """The top of the SUPERCOP tree that a folder of code belongs to, and the operation that it is
    of: ``hash``; None elsewhere. Recognised by the checksums of a primitive, or SUPERCOP's own
    program at the top (https://bench.cr.yp.to/call-hash.html).
    """
    for place, below in zip(path.parents[:_DEEPEST], (path, *path.parents), strict=False):
        if operation := _OPERATION.fullmatch(place.name):
            files = (*(below / name for name in _CHECKSUMS), place.parent / _TRY)
            return (place.parent, operation[1]) if any(map(Path.is_file, files)) else None
    return None


def supercop_flags(operation: str, sizes: Mapping[str, int]) -> tuple[str, ...]:
    """The macros that SUPERCOP defines when it compiles a folder, with its own names left plain;
    and those of the header ``crypto_hash.h`` that it makes of ``api.h``: ``crypto_hash_BYTES``.
    """
    name = f"crypto_{operation}"
    spaces = [
        f"-D{before}CRYPTO_{shared}NAMESPACE(name)={before}{name}_##name"
        for before in ("", "_")
        for shared in ("", "SHARED_")
    ]
    return (
        "-DSUPERCOP",
        *(f"-D{before}CRYPTO_NAMESPACETOP={before}{name}" for before in ("", "_")),
        *spaces,
        "-DCRYPTO_ALIGN(n)=__attribute__((aligned(n)))",
        *(f"-D{name}_{size.removeprefix('CRYPTO_')}={value}" for size, value in sizes.items()),
    )


def common_folders(path: Path) -> tuple[tuple[Path, ...], ...]:
    """Folders of common files that belong to a folder of code: ``common`` in a folder above it, and
    that of mupq inside. Several sets if one tree is inside another, the outermost first: pqm4
    measures code of mupq and PQClean with its own files, but a machine that these are not for needs
    those of the inner tree. Files of one set fit each other. Of SUPERCOP: its integer types.
    """
    if (top := supercop(path)) is not None:
        integers = top[0] / _INTEGERS
        return ((integers,),) if integers.is_dir() else ()
    return tuple(_within(root) for root in _roots(path))


def tree_flags(path: Path) -> tuple[str, ...]:
    """The macros that the makefiles of its tree define for a folder of code: ``-D`` in
    ``mk/config.mk`` of pqm4 and mupq, and in a ``config.mk`` of the folder. OSError if one cannot
    be read."""
    roots = _roots(path)
    if not roots:
        return ()
    places = (roots[0] / "mk", roots[0] / _MUPQ / "mk", path)
    texts = [
        file.read_text(encoding="latin-1")
        for place in places
        if (file := place / _SETTINGS).is_file()
    ]
    return tuple(dict.fromkeys(flag for text in texts for flag in _macros(text)))


def _macros(makefile: str) -> Iterator[str]:
    """The ``-D`` of a makefile for all targets on boards, except those under a condition. A value
    that is a variable of make is taken to be empty, as ``MUPQ_NAMESPACE`` is for a tree's own
    code."""
    guards: list[
        bool
    ] = []  # of each condition around a line: whether it only guards against a second inclusion
    lines = makefile.replace("\\\n", " ").splitlines()
    for line, following in zip(lines, [*lines[1:], ""], strict=True):
        if condition := re.match(r"\s*if(?:n?eq|n?def)\b\s*(\w*)", line):
            name = condition[1]
            guards.append(bool(name) and re.match(rf"\s*{name}\s*:?=\s*$", following) is not None)
        elif re.match(r"\s*endif\b", line):
            guards = guards[:-1]
        elif all(guards) and (
            match := re.match(r"(?:[^#=]*:)?\s*C(?:PP)?FLAGS\s*[+:]?=(.*)", line)
        ):
            flags = re.sub(r"=\$\(\w+\)(?=\s|$)", "=", match[1]).split()
            yield from (word for word in flags if re.fullmatch(r"-D\w+(=[\w.+-]*)?", word))


def broken_link(path: Path, header: str) -> Path | None:
    """A link of that name, in the folder or its common folders, to a file that is not there."""
    places = [path, *(place for folders in common_folders(path) for place in folders)]
    candidates = [place / header for place in places]
    return next((link for link in candidates if link.is_symlink() and not link.exists()), None)


def _roots(path: Path) -> list[Path]:
    """The trees that a folder of code belongs to, the outermost first."""
    near = next((place for place in path.parents[:_LEVELS_UP] if _within(place)), None)
    roots = [] if near is None else [near]
    while roots:
        inner = roots[0]
        if not (inner.name == _PQCLEAN and inner.parent.name == _MUPQ) and not (
            inner.name == _MUPQ and _within(inner.parent)
        ):
            break
        roots.insert(0, inner.parent)
    return [root for root in roots if _within(root)]


def _within(root: Path) -> tuple[Path, ...]:
    folders = (root / COMMON, root / _MUPQ / COMMON)
    return tuple(
        folder for folder in folders if any((folder / name).is_file() for name in _OF_COMMON)
    )


def paths(path: Path, common: Iterable[Path] | None = None) -> tuple[str, ...]:
    """Search path of headers: the folder, our randombytes.h, the common files of its tree (the
    ``common`` folders, of several sets the first), then our replacements for missing ones, and
    those of SUPERCOP.
    """
    if common is None:
        common = next(iter(common_folders(path)), ())
    core = core_dir()
    after = [
        word for name in ("code/include", "include") for word in ("-idirafter", str(core / name))
    ]
    shared = [word for folder in common for word in ("-I", str(folder))]
    return ("-I", str(path), "-I", str(core / "code" / "own"), *shared, *after, *_last(path))


def plain_paths(path: Path, common: Iterable[Path]) -> tuple[str, ...]:
    """Search path of headers for code without keys in pairs."""
    shared = [word for folder in common for word in ("-I", str(folder))]
    ours = ("-idirafter", str(core_dir() / "code" / "include"))
    return ("-I", str(path), *shared, *ours, *_last(path))


def _last(path: Path) -> tuple[str, ...]:
    top = supercop(path)
    return () if top is None else ("-idirafter", str(top[0] / _HEADERS))


def sizes(
    path: Path, headers: Sequence[str], names: Mapping[str, str], flags: Iterable[str] = ()
) -> dict[str, int] | None:
    """Values in bytes of the macros ``names`` (each by its name in the headers), as this machine's
    compiler computes them; None without a compiler, or if it refuses the headers.
    """
    compiler = host_cc()
    if compiler is None:
        return None
    lines = [
        "#include <stddef.h>",
        "#include <stdint.h>",
        *(f'#include "{name}"' for name in headers),
    ]
    for name, macro in names.items():
        lines += [f"#ifdef {macro}", f"char {_SIZE}{name}[({macro}) + 1];", "#endif"]
    with tempfile.TemporaryDirectory() as place:
        source, made = Path(place) / "sizes.c", Path(place) / "sizes.o"
        source.write_text("\n".join([*lines, ""]), encoding="utf-8")
        command = [
            compiler,
            "-w",
            "-fno-common",
            *flags,
            "-fno-lto",
            *paths(path),
            "-c",
            str(source),
            "-o",
            str(made),
        ]
        if run_limited(command, leaves=made).returncode != 0:
            return None
        listed = run_limited(["nm", "-S", str(made)]).stdout
    lengths = re.findall(rf"^[0-9a-fA-F]+ ([0-9a-fA-F]+) \w {_SIZE}(\w+)$", listed, re.MULTILINE)
    return {name: int(size, 16) - 1 for size, name in lengths}
