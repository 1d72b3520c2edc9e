"""State of another machine when one shell script ran there, through the interface of `LinuxSystem`.

What describes this machine (module `host`), its cores and its clock then describes the other one
too. The script needs POSIX ``sh``, ``sed``, ``tr`` and ``head``. Its output is not trusted: what is
too long, too many, not text or not a number of reasonable size is absent, and nothing of it becomes
a path or a command here.
"""

from __future__ import annotations

import fnmatch
import re
import shlex
from collections.abc import Callable, Collection, Mapping, Sequence
from pathlib import Path

from motebench.targets.machine.cores import core_times, numbers
from motebench.targets.machine.system import LinuxSystem
from motebench.targets.wire.messages import ProbeFailure

MOST_BYTES = 1 << 20
"""Longest output of the script that is read."""
_LONGEST_LINE = 4096
_MOST_LINES = 30_000
_HUGE = re.compile(r"[0-9]{20}")
_VERSION = re.compile(r"\d+(?:\.\d+)+")

_CPU = "/sys/devices/system/cpu"
_FUNCTIONS = r"""
LC_ALL=C; export LC_ALL
t=; command -v timeout >/dev/null 2>&1 && t='timeout 5'
first() {
  for f; do
    [ -f "$f" ] && [ -r "$f" ] || continue
    l=; { IFS= read -r l < "$f" || :; } 2>/dev/null
    [ -n "$l" ] && printf '%s=%.1000s\n' "${f#"$r"}" "$l"
  done
}
whole() {
  for f; do [ -f "$f" ] && [ -r "$f" ] &&
    sed -n "1,20000s|^|${f#"$r"}=|p" "$f" 2>/dev/null && echo; done
}
joined() {
  for f; do [ -f "$f" ] && [ -r "$f" ] &&
    printf '%s=%s\n' "${f#"$r"}" "$(tr '\0' ' ' < "$f" | head -c 1000)"; done
}
there() {
  for f; do [ -e "$f" ] && printf '%s=\n' "${f#"$r"}"; done
}
says() {
  command -v "$1" >/dev/null 2>&1 &&
    printf '%s=%s\n' "$*" "$($t "$@" 2>/dev/null </dev/null | head -n 1 | head -c 400)"
}
"""
# Facts that may change while a run lasts.
_BRIEF = r"""
c="$r/sys/devices/system/cpu"
sed -n 's|^cpu|/proc/stat=cpu|p' "$r/proc/stat" 2>/dev/null
first "$c"/cpu[0-9]*/cpufreq/scaling_cur_freq "$c"/cpu[0-9]*/cpufreq/scaling_max_freq
first "$c"/cpu[0-9]*/thermal_throttle/core_throttle_count "$r/proc/loadavg"
first "$r"/sys/class/thermal/thermal_zone*/type "$r"/sys/class/thermal/thermal_zone*/temp
first "$r"/sys/class/thermal/cooling_device*/type "$r"/sys/class/thermal/cooling_device*/cur_state
first "$r"/sys/class/hwmon/hwmon*/name "$r"/sys/class/hwmon/hwmon*/in0_lcrit_alarm
first "$r"/sys/devices/platform/soc/soc:firmware/get_throttled
[ -n "$r" ] || { says vcgencmd get_throttled; says vcgencmd measure_clock arm; }
"""
_FULL = r"""
whole "$r/proc/cpuinfo" "$r/etc/os-release" "$r/usr/lib/os-release" "$r/proc/meminfo" \
  "$r/proc/1/cgroup"
joined "$r/proc/device-tree/model" "$r/proc/device-tree/compatible" \
  "$r/proc/device-tree/hypervisor/compatible"
first "$c"/cpu[0-9]*/cpufreq/scaling_governor "$c"/cpu[0-9]*/cpufreq/scaling_driver
first "$c"/cpu[0-9]*/cpufreq/scaling_min_freq "$c"/cpu[0-9]*/cpufreq/cpuinfo_max_freq
first "$c"/cpu[0-9]*/topology/thread_siblings_list "$c"/cpu[0-9]*/cpu_capacity
first "$c"/intel_pstate/no_turbo "$c"/cpufreq/boost "$c"/smt/active "$c"/online
first "$r"/sys/devices/cpu_core/cpus "$r"/sys/devices/cpu_atom/cpus
first "$r"/sys/devices/system/clocksource/clocksource0/current_clocksource
first "$r"/proc/sys/kernel/perf_event_paranoid "$r"/proc/sys/kernel/randomize_va_space \
  "$r"/proc/sys/kernel/osrelease
first "$r"/sys/kernel/mm/transparent_hugepage/enabled "$r"/sys/hypervisor/type \
  "$r"/run/systemd/container
first "$r"/sys/class/dmi/id/sys_vendor "$r"/sys/class/dmi/id/product_name
first "$r"/sys/class/dmi/id/board_vendor "$r"/sys/class/dmi/id/bios_vendor
first "$r"/sys/class/power_supply/*/type "$r"/sys/class/power_supply/*/online
first "$r"/sys/class/power_supply/*/status "$r"/sys/class/power_supply/*/capacity
there "$r"/sys/bus/event_source/devices/* "$r/.dockerenv" "$r/run/.containerenv" \
  "$r"/lib/ld-musl-*.so.1
sed -n 's|^Cpus_allowed_list:|/proc/self/status=Cpus_allowed_list:|p' \
  "$r/proc/self/status" 2>/dev/null
[ -n "$r" ] || {
  says uname -m; says uname -sr; says id -u
  says getconf GNU_LIBC_VERSION; says getconf PAGE_SIZE; says ldd --version
  says systemd-detect-virt --vm; says systemd-detect-virt --container
}
"""


def script(*, full: bool, root: Path | None = None) -> str:
    """Shell script that prints all facts, or only those that change during a run. ``root``: a
    recorded tree of files to read instead, without starting programs that describe the machine.
    """
    where = shlex.quote(str(root)) if root is not None else "''"
    work = _BRIEF + (_FULL if full else "")
    return (
        f"r={where}\n{_FUNCTIONS}\n{{ {work}\nprintf 'end=\\n'; }} 2>/dev/null | head -c "
        f"{MOST_BYTES}\n"
    )


def parse(output: bytes) -> dict[str, str]:
    """The values of the output by key: a path, or a command line. Several lines of a key are lines
    of its value.

    A key with a line that is too long, that is not text, or that has a number of 20 digits is left
    out; of an output that was cut off, the last key too.
    """
    lines = output[:MOST_BYTES].split(b"\n")
    whole = len(output) < MOST_BYTES and len(lines) <= _MOST_LINES and b"end=" in lines[-2:]
    texts: dict[str, list[str]] = {}
    bad: set[str] = set()
    key = ""
    for line in lines[:_MOST_LINES]:
        name, equals, value = line.partition(b"=")
        if not equals:
            continue
        key = name.decode("utf-8", "replace")
        text = _clean(value)
        if text is None:
            bad.add(key)
        else:
            texts.setdefault(key, []).append(text)
    if not whole:
        bad.add(key)
    return {
        name: "\n".join(parts) for name, parts in texts.items() if name not in bad and name != "end"
    }


def _clean(value: bytes) -> str | None:
    if len(value) > _LONGEST_LINE:
        return None
    try:
        text = value.decode("utf-8").replace("\t", " ").strip("\0 \r")
    except UnicodeDecodeError:
        return None
    return text if text.isprintable() and not _HUGE.search(text) else None


class Snapshot(LinuxSystem):
    """Machine described by the output of the script. ``look`` runs a script there and returns its
    standard output; if it raises ProbeFailure or OSError, the facts are unknown.
    """

    here = False

    def __init__(self, look: Callable[[str], bytes]) -> None:
        super().__init__(Path("/nonexistent"))
        self._look = look
        self._steady: Mapping[str, str] = {}
        self._said: Mapping[str, str] = self._ask(full=True)
        self._steady = self._said

    def refresh(self) -> None:
        """Read the facts anew that change during a run; old values are never kept."""
        now = self._ask(full=False)
        steady = {key: value for key, value in self._steady.items() if not _changes(key)}
        self._said = {**steady, **now}

    def _ask(self, *, full: bool) -> Mapping[str, str]:
        try:
            return parse(self._look(script(full=full)))
        except (OSError, ProbeFailure):
            return {}

    def text(self, path: str) -> str | None:
        """The content of the file, if the script reads it and could."""
        return self._said.get(path)

    def exists(self, path: str) -> bool:
        """True if the script found that file, or one in that folder."""
        return any(key == path or key.startswith(f"{path}/") for key in self._said)

    def match(self, pattern: str) -> list[str]:
        """Sorted paths among those that the script found."""
        depth = pattern.count("/")
        cut = {"/".join(key.split("/")[: depth + 1]) for key in self._said if key.startswith("/")}
        return sorted(
            path for path in cut if path.count("/") == depth and fnmatch.fnmatchcase(path, pattern)
        )

    def which(self, program: str) -> str | None:
        """The name of a program that the script could ask, or None."""
        return program if any(key.split(" ")[0] == program for key in self._said) else None

    def run(
        self, command: Sequence[str], *, codes: Collection[int] = (0,), timeout: float = 10.0
    ) -> str | None:
        """The output of the program when the script ran; None for any other program."""
        del codes, timeout
        return self._said.get(" ".join(command)) or None

    def architecture(self) -> str | None:
        """Machine name of the kernel there."""
        return self.run(["uname", "-m"])

    def kernel(self) -> str | None:
        """Name and release of the kernel there."""
        return self.run(["uname", "-sr"])

    def libc(self) -> str | None:
        """C library there, if a program says which. A static probe does not use it."""
        by_getconf = self.run(["getconf", "GNU_LIBC_VERSION"])
        version_text = self.run(["ldd", "--version"]) or ""
        version = _VERSION.search(version_text)
        if by_getconf or (version and re.search(r"GNU|GLIBC", version_text)):
            return by_getconf or f"glibc {version[0] if version else ''}".strip()
        return "musl" if self.match("/lib/ld-musl-*.so.1") else None

    def page_size(self) -> int | None:
        """Bytes of a memory page there."""
        size = self.run(["getconf", "PAGE_SIZE"]) or ""
        return int(size) if size.isdecimal() else None

    def allowed_cores(self) -> frozenset[int]:
        """The cores that the user's processes may use there; empty if that is unknown."""
        online = numbers(self.text(f"{_CPU}/online")) or frozenset(core_times(self))
        allowed = numbers((self.text("/proc/self/status") or "").removeprefix("Cpus_allowed_list:"))
        return online & allowed if online and allowed else online or allowed

    def privileged(self) -> bool:
        """True if the user there has root's rights."""
        return self.run(["id", "-u"]) == "0"


_CHANGING = re.compile(
    r"/proc/(stat|loadavg)$|.*/(scaling_cur_freq|scaling_max_freq|core_throttle_count|"
    r"temp|cur_state|in0_lcrit_alarm"
    r"|get_throttled)$|vcgencmd "
)


def _changes(key: str) -> bool:
    return _CHANGING.match(key) is not None
