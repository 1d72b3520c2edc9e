"""What holds user code on this machine: a filter of system calls that its program sets up before it runs (core/code/sandbox.c).

Whether a process has the filter is asked of the system, not of the process.
"""

from __future__ import annotations

import platform
import re
import sys
from functools import cache
from pathlib import Path

SANDBOXED = "ran in a sandbox: memory and clocks only, no files, processes, signals or network"
OPEN = "ran without a sandbox, as the user who started motebench: this system offers no filter of system calls"
_MACHINES = ("x86_64", "aarch64")
_ACTIONS = Path("/proc/sys/kernel/seccomp/actions_avail")
_COUNT = re.compile(r"^Seccomp_filters:\s*(\d+)", re.MULTILINE)
_MODE = re.compile(r"^Seccomp:\s*(\d)", re.MULTILINE)


def available() -> bool:
    """Whether this system offers the filter: Linux on x86-64 or AArch64, with seccomp."""
    if not sys.platform.startswith("linux") or platform.machine() not in _MACHINES:
        return False
    try:
        return {"trap", "errno"} <= set(_ACTIONS.read_text(encoding="ascii").split())
    except OSError:
        return False


def holds(pid: int) -> bool:
    """Whether the process has a filter that this one has not: proc_pid_status(5)."""
    theirs, ours = _filters(str(pid)), _filters("self")
    return theirs > ours


def _filters(pid: str) -> int:
    """How many filters a process has; kernels before 5.9 only tell whether it has any."""
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
    """Say once, where user code is given, that nothing holds it."""
    if not available():
        print(
            "motebench: this system offers no sandbox: user code runs as you, and may do what you may. Give code that you "
            "trust",
            file=sys.stderr,
        )
