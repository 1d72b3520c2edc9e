"""Checks what is installed and built, and gives the command that installs what is missing."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from motebench.base import paths
from motebench.documents.doctor import AdviceEntry, CheckEntry, DoctorEntry
from motebench.targets.machine.description import describe
from motebench.targets.machine.noise import Advice, noise_sources
from motebench.targets.machine.system import LinuxSystem
from motebench.targets.setup.checks import (
    NOT_BUILT,
    CheckStatus,
    DoctorCheck,
    board_checks,
    command_checks,
    compiler_checks,
    extra_checks,
    language_checks,
    library_checks,
    probe_checks,
    programmer_checks,
    python_checks,
    sandbox_check,
    ssh_check,
    tool_checks,
    vendor_checks,
)


@dataclass(frozen=True, slots=True)
class DoctorReport:
    """All checks in their order, the machine, and its sources of noise."""

    checks: tuple[DoctorCheck, ...]
    environment: Mapping[str, Any]
    noise: tuple[Advice, ...]

    @property
    def healthy(self) -> bool:
        """Whether everything that measuring needs is installed."""
        return all(check.status is not CheckStatus.MISSING for check in self.checks)

    def document(self) -> DoctorEntry:
        """As a document."""
        return DoctorEntry(
            healthy=self.healthy,
            checks=tuple(CheckEntry(**asdict(check)) for check in self.checks),
            noise=tuple(AdviceEntry(**asdict(advice)) for advice in self.noise),
            environment=self.environment,
        )


def examine(
    *,
    machine: LinuxSystem | None = None,
    environment: Mapping[str, Any] | None = None,
    ask_probe: Callable[[str], str] | None = None,
    probe_dirs: Sequence[Path] | None = None,
    adapters: Path | None = None,
    languages: Path | None = None,
    boards: Path | None = None,
    requirements: Sequence[str] | None = None,
    buildable: Collection[str] = (),
) -> DoctorReport:
    """Look for everything motebench needs: packages, build tools, libraries, probes. Never raises for what it finds.

    ask_probe: given the name of an implementation, starts its probe, says hello and returns what answered (as text); an
    exception from it is a finding. Without it probes are only looked for. The rest defaults to this machine: adapters
    is the folder of adapters, languages that of probes in other languages, boards that of simulators,
    requirements the Python packages as in pyproject.toml. buildable: implementations that are built when they are
    named; their probes are not missing.
    """
    machine = machine or LinuxSystem()
    environment = environment if environment is not None else describe(machine)
    dirs = paths.probe_dirs() if probe_dirs is None else probe_dirs
    probes = [_unbuilt(check, buildable) for check in probe_checks(machine, adapters, languages, dirs, ask_probe)]
    # If every probe is built, a missing compiler or header only prevents building them again.
    build = any(check.status is CheckStatus.MISSING for check in probes)
    checks = (
        *python_checks(machine, requirements),
        *tool_checks(machine, needed=build),
        *library_checks(machine, adapters, needed=build),
        *language_checks(machine, languages),
        *probes,
        *command_checks(machine, dirs),
        *board_checks(machine, boards),
        *compiler_checks(machine),
        *programmer_checks(machine),
        *ssh_check(machine),
        *vendor_checks(),
        *sandbox_check(machine),
        *extra_checks(machine),
    )
    return DoctorReport(checks, environment, tuple(noise_sources(environment)))


def _unbuilt(check: DoctorCheck, buildable: Collection[str]) -> DoctorCheck:
    """The check of a probe that is built when it is named: nothing is missing."""
    if check.found == NOT_BUILT and check.id.removeprefix("probe:") in buildable:
        return replace(check, status=CheckStatus.OPTIONAL, found=f"{NOT_BUILT} yet: naming it builds it")
    return check


def render(report: DoctorReport) -> str:
    """The report as text for people, with the command to type below each missing item."""
    host = report.environment.get("host") or {}
    known = (host.get(name) for name in ("os", "architecture", "board", "cpu_model"))
    lines = ["This machine: " + ", ".join(value for value in known if value)]
    width = max((len(check.title) for check in report.checks), default=0)
    group = None
    for check in report.checks:
        if check.group != group:
            group = check.group
            lines += ["", group]
        tail = "" if check.status is CheckStatus.OK else f" (for {check.needed_for})"
        found = check.found.replace("\n", " ")
        lines.append(f"  {check.status.value:<8}  {check.title:<{width}}  {found}{tail}")
        if check.remedy:
            lines.append(f"{'':12}{check.remedy}")
    lines += ["", "Noise on this machine"]
    if not report.noise:
        lines.append("  nothing found")
    for advice in report.noise:
        lines.append(f"  {advice.severity.value:<8}  {advice.what}: {advice.why}")
        if advice.remedy:
            lines.append(f"{'':12}{advice.remedy}")
    missing = sum(check.status is CheckStatus.MISSING for check in report.checks)
    verdict = (
        "Everything motebench needs is here." if not missing else f"{missing} missing; the lines above install them."
    )
    return "\n".join([*lines, "", verdict])
