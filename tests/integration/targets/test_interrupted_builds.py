"""Signals end compilers too, and half-written output is made again."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.integration.conftest import as_from_a_terminal
from tests.support.code_folders import HASH_API

ROOT = Path(__file__).parents[3]
LIMIT = 60.0
"""Seconds after which a process counts as still running. The programs below would take ten times as
long.
"""
HASH = (
    "int crypto_hash(unsigned char *out, const unsigned char *in, unsigned long long inlen) { "
    "return 0; }\n"
)
SLOW = """#!/bin/sh
# Answers questions about itself; what it is to make takes ten minutes, in a child that does not
# want to end.
case " $* " in *" -c "*|*" --build "*|*" -S "*) ;; *) exec {real} "$@" ;; esac
(trap '' TERM INT; echo half >{half}; exec sleep 600) &
echo "$$ $!" >>{pids}
wait
"""


def living(pids: set[int]) -> set[int]:
    """Processes, of the given ones, that have not ended."""
    found = set()
    for pid in pids:
        try:
            state = (
                Path(f"/proc/{pid}/stat")
                .read_text(encoding="utf-8", errors="replace")
                .rpartition(")")[2]
                .split()
            )
        except OSError:
            continue
        found |= {pid} if state[0] not in "ZX" else set()
    return found


def until(happened: Callable[[], object], what: str) -> None:
    end = time.monotonic() + LIMIT
    while not happened():
        assert time.monotonic() < end, what
        time.sleep(0.02)


class Slow:
    """Slow program of that name, first on the path. ``half``: the part of its output that it has
    written.
    """

    def __init__(self, folder: Path, name: str) -> None:
        self.bin, self._list, self.half = folder / "bin", folder / "pids", folder / "half"
        self.bin.mkdir()
        program = self.bin / name
        program.write_text(
            SLOW.format(real=shutil.which(name) or "false", pids=self._list, half=self.half)
        )
        program.chmod(0o755)

    @property
    def pids(self) -> set[int]:
        """The programs and their children so far."""
        return set(map(int, self._list.read_text().split())) if self._list.exists() else set()


@pytest.fixture
def started(tmp_path: Path) -> Iterator[Callable[..., subprocess.Popen[str]]]:
    """Starts motebench with a slow program on the path. Whatever is left at the end is killed."""
    processes: list[subprocess.Popen[str]] = []
    slow: list[Slow] = []

    def start(program: Slow, *arguments: str, root: Path = ROOT) -> subprocess.Popen[str]:
        slow.append(program)
        processes.append(
            subprocess.Popen(
                [sys.executable, "-m", "motebench", *arguments],
                cwd=tmp_path,
                env={
                    **os.environ,
                    "PATH": f"{program.bin}:{os.environ['PATH']}",
                    "PYTHONPATH": str(root),
                },
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                text=True,
                preexec_fn=as_from_a_terminal,
            )
        )
        return processes[-1]

    yield start
    for process in processes:
        process.kill()
        process.communicate()
    for pid in living(set().union(*(program.pids for program in slow))):
        os.kill(pid, signal.SIGKILL)


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """A checkout without anything that is built."""
    root = tmp_path / "checkout"
    shutil.copytree(
        ROOT / "motebench",
        root / "motebench",
        ignore=shutil.ignore_patterns("__pycache__", "_data"),
    )
    for name in ("catalog", "core", "probes", "simulators", "studies", ".venv"):
        (root / name).symlink_to(ROOT / name)
    (root / "tools").mkdir()
    shutil.copy(ROOT / "tools" / "setup.sh", root / "tools")
    for name in ("pyproject.toml", "constraints.txt"):
        shutil.copy(ROOT / name, root)
    return root


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM], ids=lambda number: number.name)
def test_a_signal_ends_the_compilers_of_code(
    started, tmp_path: Path, number: signal.Signals
) -> None:
    code = tmp_path / "code"
    code.mkdir()
    (code / "api.h").write_text(HASH_API)
    (code / "hash.c").write_text(HASH)
    compiler = Slow(tmp_path, "cc")
    process = started(compiler, "run", "--code", str(code), "--without-kat", "--size", "16")
    until(lambda: len(compiler.pids) >= 2, "the compiler runs")
    process.send_signal(number)
    _, said = process.communicate(timeout=LIMIT)
    assert process.returncode == 130, said
    until(lambda: not living(compiler.pids), "the compiler ended with its child")


@pytest.mark.parametrize(
    "arguments",
    [
        (
            "firmware",
            "--target",
            "sim:atmega2560",
            "--implementation",
            "mote/aes-small",
            "--scheme",
            "aes-128-ecb",
            "-o",
            "aes.elf",
        ),
        # Two boards: each is built for in a thread of its own.
        (
            "run",
            "--target",
            "sim:atmega2560,sim:atmega328p",
            "--implementation",
            "mote/aes-small",
            "--scheme",
            "aes-128-ecb",
            "--size",
            "16",
        ),
    ],
    ids=["firmware", "run"],
)
def test_a_signal_ends_the_compilers_of_firmware(started, tmp_path: Path, arguments) -> None:
    if shutil.which("avr-gcc") is None:
        pytest.skip("avr-gcc is not installed: tools/setup.sh")
    compiler = Slow(tmp_path, "avr-gcc")
    process = started(compiler, *arguments)
    until(lambda: len(compiler.pids) >= 2, "the compiler runs")
    process.send_signal(signal.SIGINT)
    _, said = process.communicate(timeout=LIMIT)
    assert process.returncode == 130, said
    until(lambda: not living(compiler.pids), "the compiler ended with its child")
    assert not (tmp_path / "aes.elf").exists()


@pytest.mark.parametrize(
    "number", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL], ids=lambda number: number.name
)
def test_a_signal_ends_the_build_of_a_probe(
    started, checkout: Path, tmp_path: Path, number: signal.Signals
) -> None:
    cmake = Slow(tmp_path, "cmake")
    process = started(
        cmake,
        "verify",
        "--implementation",
        "mote/aes-small",
        "--scheme",
        "aes-128-ecb",
        root=checkout,
    )
    until(lambda: len(cmake.pids) >= 2, "the build runs")
    process.send_signal(number)
    _, said = process.communicate(timeout=LIMIT)
    assert process.returncode == (-number if number == signal.SIGKILL else 130), said
    assert "building the probe of mote/aes-small, once" in said
    until(lambda: not living(cmake.pids), "the build ended with its child")
    assert (checkout / ".setup" / "begun").exists(), (
        "the next build must know that this one was cut off"
    )
    assert not (checkout / "build" / "times.json").exists(), "how long it takes is not known"


EVERYTHING = """
import sys
from pathlib import Path
from motebench.targets.setup import building
building._script = lambda: Path(sys.argv[1])
building.check_writable = lambda: None
building.build_everything([])
"""


def test_a_signal_ends_the_build_of_everything(tmp_path: Path) -> None:
    script = Slow(tmp_path, "setup")
    # What it does takes long, whatever it is asked for.
    (script.bin / "setup").write_text(
        (script.bin / "setup").read_text().replace('case " $* "', 'case " -c "')
    )
    command = [sys.executable, "-c", EVERYTHING, str(script.bin / "setup")]
    process = subprocess.Popen(
        command, env={**os.environ, "PYTHONPATH": str(ROOT)}, preexec_fn=as_from_a_terminal
    )
    try:
        until(lambda: len(script.pids) >= 2, "the build runs")
        process.send_signal(signal.SIGINT)
        process.wait(LIMIT)
        assert not living(script.pids)
    finally:
        process.kill()
        for pid in living(script.pids):
            os.kill(pid, signal.SIGKILL)


def test_what_was_half_written_is_made_again(checkout: Path, tmp_path: Path) -> None:
    cmake = tmp_path / "bin" / "cmake"
    cmake.parent.mkdir()
    cmake.write_text("#!/bin/sh\nexit 0\n")
    cmake.chmod(0o755)
    objects, stamps = checkout / "build" / "core", checkout / ".setup"
    for folder in (objects, stamps, checkout / "build" / "cross" / "cache"):
        folder.mkdir(parents=True)
    begun = 1_700_000_000
    ages = {"core/before.o": -5, "core/half.o": 5, "core/notes.txt": 5, "cross/cache/others.o": 5}
    for name, age in ages.items():
        path = checkout / "build" / name
        path.write_text("text")
        os.utime(path, (begun + age, begun + age))

    def build() -> set[str]:
        subprocess.run(
            [checkout / "tools" / "setup.sh", "build", "mote/aes-small"],
            env={**os.environ, "PATH": f"{cmake.parent}:{os.environ['PATH']}"},
            check=True,
            capture_output=True,
        )
        return {name for name in ages if (checkout / "build" / name).exists()}

    assert build() == set(ages), "nothing was cut off"
    (stamps / "begun").touch()
    os.utime(stamps / "begun", (begun, begun))
    assert build() == set(ages) - {"core/half.o"}
    assert not (stamps / "begun").exists()
