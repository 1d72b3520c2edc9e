#!/usr/bin/env python3
"""Checks of the C and C++ sources: layout (clang-format), width of lines, faults (clang-tidy).
`make lint` calls it.

    tools/lint_c.py            reports; status 1 if there is something to mend
    tools/lint_c.py --format   formats the files, and the examples in C of the documentation

clang-tidy looks at motebench's own portable code; adapters of libraries need headers that not
everybody has, and would take minutes. A file that passed is looked at again when it, a header or
the settings changed.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import re
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
BIN = Path(sys.executable).parent
SUFFIXES = (".c", ".h", ".cpp", ".hpp")
FOLDERS = ("core", "probes", "simulators", "tests")
COLUMNS = 100
ASSEMBLY = frozenset(
    f"core/include/mote/{name}.h"
    for name in (
        "armv6m",
        "armv7m",
        "armv7m_interleave",
        "ntt_armv7m",
        "product_avr",
        "product_riscv32",
        "product_thumb",
        "riscv32",
        "thumb",
    )
)
"""Headers of macros in assembly, which clang-format would take for C."""
TIDIED = {
    "core": (
        "core/probe",
        "core/support",
        "core/mote",
        "core/ciphers",
        "core/launcher",
        "core/ports/posix",
    ),
    "simulators": ("simulators",),
}
"""CMake projects, and their folders that clang-tidy looks at."""
EXAMPLE = re.compile(r"(?<=^```c\n).*?(?=^```$)", re.MULTILINE | re.DOTALL)


def tracked(*folders: str, suffixes: tuple[str, ...] = SUFFIXES) -> list[str]:
    """Files of the repository below these folders."""
    listed = subprocess.run(
        ["git", "ls-files", *folders], cwd=ROOT, capture_output=True, text=True, check=True
    )
    return [
        path
        for path in listed.stdout.split("\n")
        if path.endswith(suffixes) and (ROOT / path).exists()
    ]


def formatted(example: str) -> str:
    """An example as clang-format lays it out."""
    command = [BIN / "clang-format", "--assume-filename=example.c"]
    return subprocess.run(
        command, cwd=ROOT, input=example, capture_output=True, text=True, check=True
    ).stdout


def check_examples(write: bool) -> Iterator[str]:
    """Examples in C of the documentation that are laid out in another way."""
    for name in tracked("*.md", suffixes=(".md",)):
        text = (ROOT / name).read_text(encoding="utf-8")
        laid_out = EXAMPLE.sub(lambda found: formatted(found[0]), text)
        if laid_out != text and write:
            (ROOT / name).write_text(laid_out, encoding="utf-8")
        elif laid_out != text:
            yield f"{name}: an example in C is not laid out as clang-format does it"


def check_layout(write: bool) -> Iterator[str]:
    """Files that clang-format would change, and lines that it leaves too long."""
    sources = tracked(*FOLDERS)
    command = [BIN / "clang-format", *(["-i"] if write else ["--dry-run", "--Werror"])]
    done = subprocess.run(
        [*command, *(path for path in sources if path not in ASSEMBLY)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode != 0:
        yield done.stderr.rstrip()
    for path in sources:
        for number, line in enumerate((ROOT / path).read_text(encoding="utf-8").split("\n"), 1):
            if len(line) > COLUMNS:
                yield f"{path}:{number}: {len(line)} columns, more than {COLUMNS}"


def compile_commands(project: str) -> dict[str, dict[str, str]]:
    """The compiler's command, the first of several, of each source of a CMake project that
    clang-tidy looks at.
    """
    folder = ROOT / "build" / "lint" / project
    options = [
        "-DCMAKE_EXPORT_COMPILE_COMMANDS=ON",
        "-DMOTEBENCH_LIBRARIES=OFF",
        f"-DMOTEBENCH_PROBE_DIR={folder}/probes",
    ]
    subprocess.run(
        ["cmake", "--no-warn-unused-cli", "-S", project, "-B", folder, *options],
        cwd=ROOT,
        stdout=subprocess.DEVNULL,
        check=True,
    )
    commands: dict[str, dict[str, str]] = {}
    for entry in json.loads((folder / "compile_commands.json").read_text(encoding="utf-8")):
        path = Path(entry["file"])
        if path.is_relative_to(ROOT) and str(path.relative_to(ROOT)).startswith(TIDIED[project]):
            commands.setdefault(str(path.relative_to(ROOT)), entry)
    return commands


def digest(*parts: bytes) -> str:
    """One digest of several byte strings."""
    return hashlib.sha256(b"".join(hashlib.sha256(part).digest() for part in parts)).hexdigest()


def check_faults() -> Iterator[str]:
    """Findings of clang-tidy."""
    commands = {
        path: entry for project in TIDIED for path, entry in compile_commands(project).items()
    }
    folder = ROOT / "build" / "lint" / "passed"
    folder.mkdir(parents=True, exist_ok=True)
    tidy = BIN / "clang-tidy"
    version = subprocess.run([tidy, "--version"], capture_output=True, check=True).stdout
    shared = tracked("core", "simulators", suffixes=(".h", ".hpp", ".inc", ".clang-tidy"))
    settings = digest(version, *((ROOT / path).read_bytes() for path in [".clang-tidy", *shared]))

    def findings(path: str) -> str:
        entry = commands[path]
        passed = folder / digest(
            settings.encode(), json.dumps(entry).encode(), (ROOT / path).read_bytes()
        )
        if passed.exists():
            return ""
        done = subprocess.run(
            [tidy, "--quiet", "-p", ROOT / "build" / "lint" / path.split("/", 1)[0], ROOT / path],
            capture_output=True,
            text=True,
            check=False,
        )
        if done.returncode == 0 and not done.stdout.strip():
            passed.touch()
        return done.stdout.strip() or (done.stderr.strip() if done.returncode != 0 else "")

    with ThreadPoolExecutor(2) as pool:
        yield from filter(None, pool.map(findings, sorted(commands)))


def main() -> int:
    """Print the findings; return 1 if there are any."""
    parser = argparse.ArgumentParser(description="Checks the C and C++ sources.")
    parser.add_argument("--format", action="store_true", help="format the files instead")
    write = parser.parse_args().format
    clean = True
    checks = [check_layout(write), check_examples(write), *([] if write else [check_faults()])]
    for check in checks:
        for finding in check:
            print(finding)
            clean = False
    return 0 if clean else 1


if __name__ == "__main__":
    sys.exit(main())
