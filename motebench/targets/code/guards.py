"""Guards against user code: the sandbox around it, and the clock of its probe, watched from
outside.

The sandbox is a filter of system calls (core/code/sandbox.c). The system, not the process, is asked
whether a process has the filter.

The code could stop the probe's clock, or slow it down. Two things that a busy machine cannot break
are compared with the time that the probe says a request took:

- the processor time that the kernel accounts to the process. It cannot work for longer than time
  passes, whatever waits in between. What the probe does outside its own readings, frames above all,
  is allowed for;
- the time between request and reply on this machine's clock, which no part of the request can
  exceed.

Code that makes the clock wrong by less than the allowance, some per cent of short requests, is not
found.
"""

from __future__ import annotations

import logging
import platform
import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from motebench.base.model import FailureKind
from motebench.targets.wire.messages import ProbeFailure, Timing

SANDBOXED = "ran in a sandbox: memory and clocks only, no files, processes, signals or network"
OPEN = (
    "ran without a sandbox, as the user who started motebench: this system offers no filter of "
    "system calls"
)
UNSEEN = (
    "ran on another machine, as the user who logs in there; whether it has a sandbox there is "
    "not visible here"
)
_MACHINES = ("x86_64", "aarch64")
ACTIONS = Path("/proc/sys/kernel/seccomp/actions_avail")
_COUNT = re.compile(r"^Seccomp_filters:\s*(\d+)", re.MULTILINE)
_MODE = re.compile(r"^Seccomp:\s*(\d)", re.MULTILINE)


def available(actions: str | None = None, machine: str = "") -> bool:
    """True if a system offers the filter: Linux on x86-64 or AArch64, with seccomp. By default this
    one.

    actions: the actions that the kernel lists for seccomp. machine: the name of the processor's
    architecture.
    """
    if actions is None:
        try:
            actions = ACTIONS.read_text(encoding="ascii")
        except (OSError, ValueError):
            return False
    return (machine or platform.machine() or "-") in _MACHINES and {"trap", "errno"} <= set(
        actions.split()
    )


def holds(pid: int) -> bool:
    """True if the process has a filter that this process does not have: proc_pid_status(5)."""
    theirs, ours = _filters(str(pid)), _filters("self")
    return theirs > ours


def _filters(pid: str) -> int:
    """Number of seccomp filters of a process; kernels before 5.9 only report whether it has any."""
    try:
        text = Path(f"/proc/{pid}/status").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return 0
    if match := _COUNT.search(text):
        return int(match[1])
    mode = _MODE.search(text)
    return int(mode is not None and mode[1] == "2")


@cache
def warn() -> None:
    """Warn once that the sandbox is unavailable, when a user gives code."""
    if not available():
        logging.getLogger("motebench").warning(
            "this system offers no sandbox: user code runs with your rights. Use only code that "
            "you trust",
        )


_ONCE, _EACH, _BYTE = 20e-3, 0.3e-3, 200e-9
"""Seconds of processor time outside the readings: for starting a process and for accidents, for
each request, for each byte sent."""
_SHARE = 0.02
_CLOCKS, _STEP = 0.01, 5e-3
"""Relative and absolute (seconds) difference that is allowed between clocks of one machine."""


@dataclass(slots=True)
class ClockCheck:
    """All requests to one code so far, in seconds and bytes. ``unsaid``: processor time that the
    probe's clock did not show."""

    requests: int = 0
    worked: float = 0.0
    unsaid: float = 0.0
    sent: int = 0

    def see(self, timing: Timing, *, hz: int, worked: float | None, sent: int) -> None:
        """Compare a timing with the processor time that it took, None if not known, and with its
        span.

        hz: ticks of the probe's clock in a second. sent: bytes of the request. ProbeFailure of kind
        ``wrong-answer``.
        """
        if timing.before is None or timing.after is None:
            return
        reported = (timing.before + sum(timing.ticks) + timing.after) / hz
        if timing.span is not None:
            passed = timing.span[1] - timing.span[0]
            if reported > passed * (1 + _CLOCKS) + _STEP:
                raise _wrong(f"reports {reported:.4g} s for a request that took {passed:.4g} s")
        if worked is None:
            return
        self.requests += 1
        self.worked += worked
        self.sent += sent
        self.unsaid += max(0.0, worked - reported)
        allowed = _ONCE + _EACH * self.requests + _BYTE * self.sent + _SHARE * self.worked
        if self.unsaid > allowed:
            shown = self.worked - self.unsaid
            raise _wrong(
                f"shows {shown:.3g} s of the {self.worked:.3g} s that the system accounts to the "
                "code"
            )


def _wrong(problem: str) -> ProbeFailure:
    return ProbeFailure(
        FailureKind.WRONG_ANSWER,
        f"the probe's clock {problem}: the code changes the clock or the readings",
    )


def processor_seconds(pid: int | None) -> float | None:
    """Processor time of a process with one thread, in ns resolution; None if the system does not
    report it.
    """
    try:
        return int(Path(f"/proc/{pid}/schedstat").read_text(encoding="ascii").split()[0]) / 1e9
    except (OSError, ValueError, IndexError):
        return None
