"""Simulators for a wheel: static programs of one architecture, made by ``zig cc``, equal to the
byte wherever they are made. ``build_hook.py`` calls it."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator
from pathlib import Path

TARGETS = {
    "x86_64": ("x86_64-linux-musl", "-mcpu=x86_64"),
    "aarch64": ("aarch64-linux-musl", "-mcpu=generic"),
}
"""``-target`` and processor for zig cc, by architecture: the least that each has."""
_FLAGS = "-g0 -fno-sanitize=undefined"


class PrebuiltError(Exception):
    """The simulators cannot be built."""


def tag(architecture: str) -> str:
    """The tag of the wheel. The programs are static, so they need neither glibc nor musl: both
    lines of systems may install it, from the oldest on."""
    _target(architecture)
    systems = ("manylinux_2_17", "manylinux2014", "musllinux_1_1")
    return "py3-none-" + ".".join(f"{system}_{architecture}" for system in systems)


def _target(architecture: str) -> tuple[str, str]:
    if architecture not in TARGETS:
        raise PrebuiltError(
            f"MOTEBENCH_WHEEL: no wheel is made for {architecture!r}; valid: {', '.join(TARGETS)}"
        )
    return TARGETS[architecture]


def programs(root: Path) -> Iterator[str]:
    """Names of the simulators: ``simulators/avr/sim_avr.c`` is motebench-sim-avr."""
    for source in sorted(root.glob("simulators/*/sim_*.c")):
        yield f"motebench-{source.stem.replace('_', '-')}"


def build(root: Path, architecture: str, work: Path) -> list[Path]:
    """Build the simulators in an empty folder; return the files for a wheel. PrebuiltError if a
    tool is missing or fails.
    """
    try:
        import ziglang
    except ImportError:
        raise PrebuiltError(
            "the compiler zig is missing: pip install -c constraints.txt ziglang"
        ) from None
    target, processor = _target(architecture)
    zig = Path(str(ziglang.__file__)).parent / "zig"
    work.mkdir(parents=True)
    for name in ("cc", "ar", "ranlib"):
        script = work / name
        script.write_text(f'#!/bin/sh\nexec "{zig}" {name} "$@"\n', encoding="utf-8")
        script.chmod(0o755)
    made = work / "made"
    settings = {
        "CMAKE_BUILD_TYPE": "Release",
        "CMAKE_SYSTEM_NAME": "Linux",
        "CMAKE_SYSTEM_PROCESSOR": architecture,
        "CMAKE_C_COMPILER": f"{work}/cc",
        "CMAKE_AR": f"{work}/ar",
        "CMAKE_RANLIB": f"{work}/ranlib",
        "CMAKE_C_FLAGS": (
            f"-target {target} {processor} {_FLAGS} -ffile-prefix-map={root}=. "
            f"-ffile-prefix-map={work}=."
        ),
        "CMAKE_EXE_LINKER_FLAGS": "-static -s",
        "MOTEBENCH_SIMULATOR_DIR": str(made),
    }
    names = list(programs(root))
    _run(
        [
            "cmake",
            "-S",
            str(root / "simulators"),
            "-B",
            str(work / "tree"),
            *(f"-D{key}={value}" for key, value in settings.items()),
        ]
    )
    _run(
        ["cmake", "--build", str(work / "tree"), "-j", str(os.cpu_count() or 1), "--target", *names]
    )
    licence = work / "COPYRIGHT.musl"  # of the C library, which is in the programs
    licence.write_bytes((zig.parent / "lib/libc/musl/COPYRIGHT").read_bytes())
    return [*(made / name for name in names), licence]


def _run(command: list[str]) -> None:
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=False)
    except FileNotFoundError:
        raise PrebuiltError(
            f"{command[0]} is missing: apt-get install -y {command[0]} make"
        ) from None
    if done.returncode:
        raise PrebuiltError(f"{' '.join(command)}\n{done.stdout[-2000:]}{done.stderr[-2000:]}")
