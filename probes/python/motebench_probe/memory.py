"""Memory of this process."""

from __future__ import annotations

from contextlib import suppress


def forget_peak() -> None:
    """Reset the peak to the memory in use now (proc(5), clear_refs), if the system supports it."""
    with suppress(OSError), open("/proc/self/clear_refs", "wb", buffering=0) as clear:  # noqa: PTH123
        clear.write(b"5")


def peak_resident() -> int | None:
    """``VmHWM`` (proc(5)) in bytes, or None if the system lacks it. Not ru_maxrss, which survives
    exec.
    """
    try:
        with open("/proc/self/status", "rb", buffering=0) as status:  # noqa: PTH123 - pathlib is slow to import
            text = status.read(4096)
    except OSError:
        return None
    at = text.find(b"\nVmHWM:")
    if at < 0:
        return None
    return int(text[at:].split()[1]) * 1024
