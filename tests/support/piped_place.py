"""A kind of target for tests: another machine, as far as motebench can tell. Its files are a
folder, its programs are started by a shell, and nothing but the shell's standard input and output
leads there."""

from __future__ import annotations

import shlex
import shutil
import subprocess
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from motebench.targets.base import Target, TargetRequest
from motebench.targets.host.machine import Machine, Program
from motebench.targets.host.programs import machine_target
from motebench.targets.wire.stream import ProcessStream, Stream


class PipedMachine(Machine):
    """The machine whose files are in ``folder``."""

    def __init__(self, name: str, folder: Path) -> None:
        self.name, self._folder = name, folder

    @property
    def architecture(self) -> str:
        return subprocess.run(
            ["/bin/sh", "-c", "uname -m"], capture_output=True, text=True, check=True
        ).stdout.strip()

    def probes(self) -> Mapping[str, str]:
        return {
            path.name.removeprefix("probe-"): str(path)
            for path in sorted(self._folder.glob("probe-*"))
        }

    def connect(self, program: Program) -> Stream:
        words = [f"{name}={value}" for name, value in program.environment.items()]
        words = ["env", *(["-i"] if program.isolated else []), *words, *program.command]
        return ProcessStream(
            ["/bin/sh", "-c", f"cd {shlex.quote(str(self._folder))} && exec {shlex.join(words)}"]
        )

    def put(self, file: Path) -> str:
        there = self._folder / file.name
        if not there.exists():  # programs are called after their contents
            shutil.copy(file, there)
        return str(there)

    def environment(self) -> dict[str, Any]:
        kernel = subprocess.run(
            ["/bin/sh", "-c", "uname -sr"], capture_output=True, text=True, check=True
        ).stdout
        return {"host": {"kernel": kernel.strip(), "architecture": self.architecture}}


def names() -> dict[str, str]:
    return {}


def open_kind(asked: TargetRequest) -> Target:
    return machine_target(PipedMachine(asked.name, Path(asked.name.partition(":")[2])), asked.code)
