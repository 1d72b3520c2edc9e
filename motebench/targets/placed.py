"""Probe processes of this machine, each started with a memory layout of its own and kept on one core."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from motebench.targets.session import PROGRAM_SECONDS, ProbeSession
from motebench.targets.stream import ProcessStream, Stream
from motebench.wire.messages import Hello


@dataclass
class Placing:
    """Where and how the next processes are started. ``core``: None leaves that to the system. ``layout``: gives the
    variables of a process that say how its memory is laid out."""

    core: int | None = None
    layout: Callable[[], Mapping[str, str]] | None = None


class HostProbe(ProbeSession):
    """A session with a program of this machine.

    A virtual machine is not pinned: its compilers and collectors are threads that it would have to share one core with.
    """

    def __init__(
        self, command: list[str], placing: Placing, *, environment: Mapping[str, str] | None = None, alone: bool = False
    ) -> None:
        """``alone``: see `ProcessStream`."""
        self._command, self._placing, self._alone = command, placing, alone
        self._environment = dict(environment or {})
        self._process: ProcessStream | None = None
        super().__init__(self._start, check=self._pin, starting=PROGRAM_SECONDS)

    @property
    def pid(self) -> int | None:
        """Of the process under way or the last one; None before the first."""
        return None if self._process is None else self._process.pid

    def _start(self) -> Stream:
        drawn = self._placing.layout() if self._placing.layout is not None else {}
        self._process = ProcessStream(self._command, environment={**self._environment, **drawn}, alone=self._alone)
        return self._process

    def _pin(self, hello: Hello) -> None:
        if self._placing.core is not None and self._process is not None and not hello.jit:
            self._process.pin(self._placing.core)
