"""Checks of installed and built parts, each with the command that installs a missing one."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path

from motebench.base import paths
from motebench.documents.checks import AdviceEntry, CheckEntry, DoctorEntry
from motebench.targets.machine.description import describe
from motebench.targets.machine.facts import read_host
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
    simulator_checks,
    ssh_check,
    tool_checks,
    vendor_checks,
)


@dataclass(frozen=True, slots=True)
class DoctorReport:
    """All checks in their order, the machine, and its sources of noise."""

    checks: tuple[DoctorCheck, ...]
    environment: Mapping[str, object]
    noise: tuple[Advice, ...]

    @property
    def healthy(self) -> bool:
        """True if everything that measuring needs is installed."""
        return all(check.status is not CheckStatus.MISSING for check in self.checks)

    def document(self) -> DoctorEntry:
        """The report as a document."""
        return DoctorEntry(
            healthy=self.healthy,
            checks=tuple(CheckEntry(**asdict(check)) for check in self.checks),
            noise=tuple(AdviceEntry(**asdict(advice)) for advice in self.noise),
            environment=self.environment,
        )


@dataclass(frozen=True, slots=True)
class DoctorScope:
    """Scope of the doctor's checks: by default this machine and this checkout.

    ``ask_probe``: given the name of an implementation, starts its probe, says hello and returns
    what answered (as text); an exception from it is a finding. Without it probes are only looked
    for. ``adapters``: the folder of adapters; ``languages``: that of probes in other languages;
    ``boards``: that of simulators; ``requirements``: the Python packages as in pyproject.toml.
    ``buildable``: implementations that are built when they are named; their probes are not missing.
    """

    machine: LinuxSystem = field(default_factory=LinuxSystem)
    environment: Mapping[str, object] | None = None
    ask_probe: Callable[[str], str] | None = None
    probe_dirs: Sequence[Path] = field(default_factory=paths.probe_dirs)
    adapters: Path | None = None
    languages: Path | None = None
    boards: Path | None = None
    requirements: Sequence[str] | None = None
    buildable: Collection[str] = ()


def examine(scope: DoctorScope) -> DoctorReport:
    """Look for everything motebench needs: packages, build tools, libraries, probes. Never raises
    for a finding.
    """
    machine = scope.machine
    environment = scope.environment if scope.environment is not None else describe(machine)
    probes = _probes(scope)
    # If every probe is built, a missing compiler or header only prevents building them again.
    needed = any(check.status is CheckStatus.MISSING for check in probes)
    checks = (
        *python_checks(machine, scope.requirements),
        *tool_checks(machine, needed=needed),
        *library_checks(machine, scope.adapters, needed=needed),
        *language_checks(machine, scope.languages),
        *probes,
        *command_checks(machine, scope.probe_dirs),
        *board_checks(machine, scope.boards),
        *simulator_checks(scope.boards),
        *compiler_checks(machine),
        *programmer_checks(machine),
        *ssh_check(machine),
        *vendor_checks(),
        *sandbox_check(machine),
        *extra_checks(machine),
    )
    return DoctorReport(checks, environment, tuple(noise_sources(environment)))


def _probes(scope: DoctorScope) -> list[DoctorCheck]:
    """The checks of probes."""
    checks = probe_checks(
        scope.machine, scope.adapters, scope.languages, scope.probe_dirs, scope.ask_probe
    )
    return [_unbuilt(check, scope.buildable) for check in checks]


def _unbuilt(check: DoctorCheck, buildable: Collection[str]) -> DoctorCheck:
    """The check of a probe that is built when it is named: nothing is missing."""
    if check.found == NOT_BUILT and check.id.removeprefix("probe:") in buildable:
        return replace(
            check, status=CheckStatus.OPTIONAL, found=f"{NOT_BUILT} yet: naming it builds it"
        )
    return check


def render(report: DoctorReport) -> str:
    """The report as text for people, with the command to type below each missing item."""
    host = read_host(report.environment)
    facts = (host.os, host.architecture, host.board, host.cpu_model)
    missing = sum(check.status is CheckStatus.MISSING for check in report.checks)
    verdict = (
        f"{missing} missing; the lines above install them."
        if missing
        else "Everything motebench needs is here."
    )
    return "\n".join(
        [
            "This machine: " + ", ".join(fact for fact in facts if fact),
            *_check_lines(report.checks),
            "",
            "Noise on this machine",
            *_noise_lines(report.noise),
            "",
            verdict,
        ]
    )


def _check_lines(checks: Sequence[DoctorCheck]) -> Iterator[str]:
    width = max((len(check.title) for check in checks), default=0)
    group = None
    for check in checks:
        if check.group != group:
            group = check.group
            yield from ("", group)
        tail = "" if check.status is CheckStatus.OK else f" (for {check.needed_for})"
        finding = check.found.replace("\n", " ")
        yield f"  {check.status.value:<8}  {check.title:<{width}}  {finding}{tail}"
        if check.remedy:
            yield f"{'':12}{check.remedy}"


def _noise_lines(noise: Sequence[Advice]) -> Iterator[str]:
    if not noise:
        yield "  nothing found"
    for advice in noise:
        yield f"  {advice.severity.value:<8}  {advice.what}: {advice.why}"
        if advice.remedy:
            yield f"{'':12}{advice.remedy}"
