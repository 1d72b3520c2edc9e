"""How much memory this process uses."""

from __future__ import annotations


def peak_resident() -> int | None:
    """``VmHWM`` (proc(5)) in bytes, or None where the system has none. Not ru_maxrss, which survives exec."""
    try:
        with open("/proc/self/status", "rb", buffering=0) as status:  # noqa: PTH123 - pathlib is slow to import
            text = status.read(4096)
    except OSError:
        return None
    at = text.find(b"\nVmHWM:")
    if at < 0:
        return None
    return int(text[at:].split()[1]) * 1024
