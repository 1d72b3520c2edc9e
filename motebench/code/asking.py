"""What only a compiler knows of a folder: the sizes that its headers compute, and the symbols behind its names."""

from __future__ import annotations

import re
import shutil
import tempfile
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from motebench.firmware.limits import run_limited
from motebench.firmware.sources import core_dir

COMMON = "common"
"""Name of the folder in which PQClean, mupq and pqm4 have what all schemes use."""
_OF_COMMON = ("fips202.h", "randombytes.h")
_LEVELS_UP = 4
_SIZE = "mb_size_"


def host_cc() -> str | None:
    """The C compiler of this machine; None if there is none."""
    return next((found for name in ("cc", "gcc", "clang") if (found := shutil.which(name))), None)


def common_folders(path: Path) -> tuple[Path, ...]:
    """The folders of common files that belong to a folder of code: ``common`` in a folder above it, and pqm4's
    ``mupq/common``."""
    found: list[Path] = []
    for place in path.parents[:_LEVELS_UP]:
        for folder in (place / COMMON, place / "mupq" / COMMON):
            if any((folder / name).is_file() for name in _OF_COMMON):
                found.append(folder)
        if found:
            break
    return tuple(found)


def paths(path: Path) -> tuple[str, ...]:
    """Search path of headers: the folder, our randombytes.h, the common files of its tree, then ours for what is
    missing."""
    core = core_dir()
    after = [word for name in ("code/include", "include") for word in ("-idirafter", str(core / name))]
    shared = [word for folder in common_folders(path) for word in ("-I", str(folder))]
    return ("-I", str(path), "-I", str(core / "code" / "own"), *shared, *after)


def sizes(
    path: Path, headers: Sequence[str], names: Mapping[str, str], flags: Iterable[str] = ()
) -> dict[str, int] | None:
    """The values in bytes of the macros ``names`` (each by the name that it has in the headers), as this machine's
    compiler computes them; None if there is no compiler, or it refuses the headers."""
    compiler = host_cc()
    if compiler is None:
        return None
    lines = ["#include <stddef.h>", "#include <stdint.h>", *(f'#include "{name}"' for name in headers)]
    for name, macro in names.items():
        lines += [f"#ifdef {macro}", f"char {_SIZE}{name}[({macro}) + 1];", "#endif"]
    with tempfile.TemporaryDirectory() as place:
        source, made = Path(place) / "sizes.c", Path(place) / "sizes.o"
        source.write_text("\n".join([*lines, ""]), encoding="utf-8")
        command = [compiler, "-w", "-fno-common", *flags, "-fno-lto", *paths(path), "-c", str(source), "-o", str(made)]
        if run_limited(command, leaves=made).returncode != 0:
            return None
        listed = run_limited(["nm", "-S", str(made)]).stdout
    found = re.findall(rf"^[0-9a-fA-F]+ ([0-9a-fA-F]+) \w {_SIZE}(\w+)$", listed, re.MULTILINE)
    return {name: int(size, 16) - 1 for size, name in found}
