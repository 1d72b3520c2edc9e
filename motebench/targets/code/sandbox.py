"""Whether the sandbox works on this machine: a filter of system calls around user code (core/code/sandbox.c).

The system, not the process, is asked whether a process has the filter.
"""

from __future__ import annotations

import logging
import platform
import re
from functools import cache
from pathlib import Path

SANDBOXED = "ran in a sandbox: memory and clocks only, no files, processes, signals or network"
OPEN = "ran without a sandbox, as the user who started motebench: this system offers no filter of system calls"
UNSEEN = "ran on another machine, as the user who logs in there; whether it has a sandbox there is not visible here"
_MACHINES = ("x86_64", "aarch64")
ACTIONS = Path("/proc/sys/kernel/seccomp/actions_avail")
_COUNT = re.compile(r"^Seccomp_filters:\s*(\d+)", re.MULTILINE)
_MODE = re.compile(r"^Seccomp:\s*(\d)", re.MULTILINE)


def available(actions: str | None = None, machine: str = "") -> bool:
    """Whether a system offers the filter: Linux on x86-64 or AArch64, with seccomp. By default this one.

    actions: the actions that the kernel lists for seccomp. machine: the name of the processor's architecture.
    """
    if actions is None:
        try:
            actions = ACTIONS.read_text(encoding="ascii")
        except (OSError, ValueError):
            return False
    return (machine or platform.machine() or "-") in _MACHINES and {"trap", "errno"} <= set(actions.split())


def holds(pid: int) -> bool:
    """Whether the process has a filter that this process does not have: proc_pid_status(5)."""
    theirs, ours = _filters(str(pid)), _filters("self")
    return theirs > ours


def _filters(pid: str) -> int:
    """How many filters a process has; kernels before 5.9 only report whether it has any."""
    try:
        text = Path(f"/proc/{pid}/status").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return 0
    if found := _COUNT.search(text):
        return int(found[1])
    mode = _MODE.search(text)
    return int(mode is not None and mode[1] == "2")


@cache
def warn() -> None:
    """Warn once that there is no sandbox, when a user gives code."""
    if not available():
        logging.getLogger("motebench").warning(
            "this system offers no sandbox: user code runs with your rights. Use only code that you trust",
        )
