"""Contents of an installation: lines for a report of a defect."""

from __future__ import annotations

import platform
import sys
from collections.abc import Iterator

from motebench.base import paths
from motebench.targets.machine.system import LinuxSystem
from motebench.targets.setup.checks import board_checks, simulator_checks, tool_checks
from motebench.targets.setup.needs import python_needs
from motebench.version import described


def contents() -> Iterator[str]:
    """Version, Python, packages, folders, simulators, probes and compilers of this installation."""
    machine = LinuxSystem()
    yield described()
    yield _line("Python", f"{platform.python_version()}, {sys.executable}")
    packages = (f"{need.name} {need.installed or 'not installed'}" for need in python_needs())
    yield _line("packages", ", ".join(packages))
    yield _line("package", str(paths.PACKAGE))
    place = "checkout" if paths.in_checkout() else "home"
    yield _line(place, paths.unwritable() or str(paths.data_root()))
    for check in simulator_checks(None):
        yield _line("simulator", f"{check.title}, {check.found}")
    yield _line(
        "probes", ", ".join(sorted(paths.probes_in(paths.probe_dirs()))) or "none built yet"
    )
    for check in (*tool_checks(machine, needed=False), *board_checks(machine, None)):
        yield _line("tool", f"{check.title}, {check.found}")


def _line(title: str, value: str) -> str:
    return f"{title:<10} {value}"
