"""The doctor: checks of what is installed and built, each with the command that installs what is
missing."""

from __future__ import annotations

import itertools
import platform
import sys
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from enum import StrEnum
from pathlib import Path

from motebench.base import paths
from motebench.base.errors import MotebenchError
from motebench.base.paths import data_root, prebuilt, probes_in, setup_line
from motebench.documents.checks import AdviceEntry, CheckEntry, DoctorEntry
from motebench.targets.firmware.sources import own_implementations
from motebench.targets.machine.description import describe
from motebench.targets.machine.facts import read_host
from motebench.targets.machine.noise import Advice, noise_sources
from motebench.targets.machine.system import LinuxSystem
from motebench.targets.setup.needs import (
    AdapterNeeds,
    BoardNeeds,
    LanguageNeeds,
    adapter_files,
    board_files,
    install_line,
    language_files,
    python_needs,
    read_adapter,
    read_board,
    read_language,
    version_key,
)
from motebench.targets.setup.vendor.source import read_source, source_files
from motebench.version import described

LAUNCHER = "motebench-launch"
NOT_BUILT = "not built"
MINIMUM_PYTHON = (3, 11)
_CXX = ("c++", "g++", "clang++")
_TOOLS = (
    ("compiler", "C compiler", ("cc", "gcc", "clang"), "gcc libc6-dev"),
    ("c++", "C++ compiler", _CXX, "g++"),
    ("cmake", "CMake", ("cmake",), "cmake"),
    ("make", "make", ("make",), "make"),
    ("pkg-config", "pkg-config", ("pkg-config", "pkgconf"), "pkg-config"),
)
_BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
_DRIVERS = ("chromedriver", "chromium.chromedriver")
_OF_TESTS = (
    (
        "valgrind",
        ("valgrind",),
        "leak --secret-flow on this machine, tests of constant time",
        "valgrind",
    ),
    (
        "QEMU",
        ("qemu-i386", "qemu-ppc", "i686-linux-gnu-gcc", "powerpc-linux-gnu-gcc"),
        "tests of own ciphers on other machines",
        "qemu-user gcc-i686-linux-gnu libc6-dev-i386-cross gcc-powerpc-linux-gnu "
        "libc6-dev-powerpc-cross",
    ),
    ("git", ("git",), "working on motebench itself", "git"),
)


class CheckStatus(StrEnum):
    """``missing``: motebench cannot work without it. ``optional``: only its own purpose needs
    it.
    """

    OK = "ok"
    MISSING = "missing"
    OPTIONAL = "optional"


@dataclass(frozen=True, slots=True)
class DoctorCheck:
    """Result of one check. ``found``: the version, or the defect; ``remedy``: the command that
    helps.
    """

    id: str
    group: str
    title: str
    status: CheckStatus
    found: str
    needed_for: str
    remedy: str | None = None


def python_checks(
    machine: LinuxSystem, requirements: Sequence[str] | None
) -> Iterator[DoctorCheck]:
    """The running interpreter, and the packages that motebench depends on."""
    group, version = "Python", ".".join(str(part) for part in sys.version_info[:3])
    enough = sys.version_info[:2] >= MINIMUM_PYTHON
    yield DoctorCheck(
        "python",
        group,
        "Python",
        CheckStatus.OK if enough else CheckStatus.MISSING,
        version,
        "everything",
        None
        if enough
        else install_line(
            machine, "python3.11 python3.11-venv", otherwise="install Python 3.11 or later"
        ),
    )
    for need in python_needs(requirements):
        requirement = f"{need.name}>={need.minimum}" if need.minimum else need.name
        state = need.installed or "not installed"
        if need.installed and not need.satisfied:
            state += f", older than {need.minimum}"
        yield DoctorCheck(
            f"python:{need.name}",
            group,
            need.name,
            CheckStatus.OK if need.satisfied else CheckStatus.MISSING,
            state,
            "everything",
            None
            if need.satisfied
            else f"{sys.executable or 'python3'} -m pip install '{requirement}'",
        )


def tool_checks(machine: LinuxSystem, *, needed: bool) -> Iterator[DoctorCheck]:
    """Programs that build probes; optional unless ``needed``. Without a C++ compiler, only adapters
    in C++ are not built."""
    for name, title, commands, package in _TOOLS:
        line = install_line(machine, package)
        command = next((command for command in commands if machine.which(command)), None)
        version_text = machine.run([command, "--version"]) if command else None
        if version_text:
            status, state, remedy = CheckStatus.OK, version_text.splitlines()[0], None
        else:
            status = (
                CheckStatus.MISSING if needed and commands is not _CXX else CheckStatus.OPTIONAL
            )
            state, remedy = f"{command} --version fails" if command else "not found", line
        purpose = (
            "building the probes"
            if commands is not _CXX
            else "building the probes of libraries in C++"
        )
        yield DoctorCheck(name, "Build tools", title, status, state, purpose, remedy)


def library_checks(
    machine: LinuxSystem, folder: Path | None, *, needed: bool
) -> Iterator[DoctorCheck]:
    """The libraries for which there are adapters (optional unless ``needed``), and OpenSSL's old
    algorithms.
    """
    for path in adapter_files(folder):
        try:
            needs = read_adapter(path)
            yield library_check(
                machine,
                needs,
                CheckStatus.MISSING if needed and not needs.optional else CheckStatus.OPTIONAL,
            )
        except MotebenchError as problem:
            name = path.parent.name
            yield DoctorCheck(
                f"library:{name}",
                "Libraries",
                name,
                CheckStatus.MISSING,
                str(problem),
                f"implementation {name}",
            )
    modules = machine.match("/usr/lib/*/ossl-modules/legacy.so") + machine.match(
        "/usr/lib*/ossl-modules/legacy.so"
    )
    named = machine.run(["pkg-config", "--variable=modulesdir", "libcrypto"])
    if named and machine.exists(f"{named}/legacy.so"):
        modules.insert(0, f"{named}/legacy.so")
    yield DoctorCheck(
        "openssl-legacy",
        "Libraries",
        "OpenSSL legacy provider",
        CheckStatus.OK if modules else CheckStatus.OPTIONAL,
        modules[0] if modules else "not found",
        "DES, Blowfish, CAST5, IDEA, RC2, RC4, SEED of openssl",
        None if modules else install_line(machine, "openssl-provider-legacy"),
    )


def language_checks(machine: LinuxSystem, folder: Path | None) -> Iterator[DoctorCheck]:
    """The languages of probes outside ``core/``; without one, only its own probes are missing."""
    for path in language_files(folder):
        try:
            yield _language(machine, read_language(path))
        except MotebenchError as problem:
            name = path.parent.name
            yield DoctorCheck(
                f"language:{name}",
                "Languages",
                name,
                CheckStatus.MISSING,
                str(problem),
                f"probes in {name}",
            )


def _language(machine: LinuxSystem, needs: LanguageNeeds) -> DoctorCheck:
    commands = needs.commands.split()
    lacking = [command for command in commands if not machine.which(command)]
    version_text = None if lacking else machine.run([commands[0], "--version"])
    return DoctorCheck(
        f"language:{needs.language.lower()}",
        "Languages",
        needs.language,
        CheckStatus.OPTIONAL if lacking else CheckStatus.OK,
        f"{' and '.join(lacking)} not found"
        if lacking
        else (version_text or commands[0]).splitlines()[0],
        "implementations " + " and ".join(needs.implementations.split()),
        install_line(machine, needs.debian, needs.ubuntu, otherwise=f"see {needs.url}")
        if lacking
        else None,
    )


def library_check(machine: LinuxSystem, needs: AdapterNeeds, missing: CheckStatus) -> DoctorCheck:
    """Check whether the library of an adapter is installed and new enough; ``missing`` is the
    status if not.
    """
    if needs.from_source:
        return _built_library_check(needs)
    version = _library_found(machine, needs)
    problem = f"{needs.header} not found"
    remedy = install_line(machine, needs.debian, needs.ubuntu, otherwise=f"see {needs.url}")
    if (
        version
        and needs.minimum
        and version[0].isdigit()
        and version_key(version) < version_key(needs.minimum)
    ):
        # An installed package comes from apt.
        version, problem, remedy = (
            None,
            f"{version}, older than {needs.minimum}",
            f"see {needs.url}",
        )
    return DoctorCheck(
        f"library:{needs.name}",
        "Libraries",
        needs.library,
        CheckStatus.OK if version else missing,
        version or problem,
        f"building implementation {needs.name}" + (f", {needs.licence}" if needs.optional else ""),
        None if version else remedy,
    )


def _built_library_check(needs: AdapterNeeds) -> DoctorCheck:
    """Check whether a library that is built from pinned sources was built."""
    built = (data_root() / "build" / "libraries" / f"{needs.name}.stamp").is_file()
    return DoctorCheck(
        f"library:{needs.name}",
        "Libraries",
        needs.library,
        CheckStatus.OK if built else CheckStatus.OPTIONAL,
        "built from its sources" if built else "not built",
        f"building implementation {needs.name}",
        None if built else needs.build_line,
    )


def _library_found(machine: LinuxSystem, needs: AdapterNeeds) -> str | None:
    """The version from pkg-config, else the path of the header."""
    version = (
        machine.run(["pkg-config", "--modversion", needs.pkg_config]) if needs.pkg_config else None
    )
    return version or _header(machine, needs.header)


def _header(machine: LinuxSystem, name: str) -> str | None:
    """The compiler's default folders for headers; a library elsewhere needs pkg-config."""
    places = [f"/usr/include/{name}", f"/usr/local/include/{name}"]
    places += machine.match(f"/usr/include/*-linux-gnu*/{name}")
    return next((place for place in places if machine.exists(place)), None)


def board_checks(machine: LinuxSystem, folder: Path | None) -> Iterator[DoctorCheck]:
    """Programs that build firmware, and simulators; only simulated boards need them."""
    for path in board_files(folder):
        try:
            yield _board(machine, path.parent.name, read_board(path))
        except MotebenchError as problem:
            name = path.parent.name
            yield DoctorCheck(
                f"board:{name}",
                "Boards",
                name,
                CheckStatus.MISSING,
                str(problem),
                f"boards of {name}",
            )


def _board(machine: LinuxSystem, name: str, needs: BoardNeeds) -> DoctorCheck:
    commands = needs.commands.split()
    lacking = [command for command in commands if not machine.which(command)]
    if needs.header and not _header(machine, needs.header):
        lacking.append(needs.header)
    version_text = None if lacking else machine.run([commands[0], "--version"])
    return DoctorCheck(
        f"board:{name}",
        "Boards",
        needs.title,
        CheckStatus.OPTIONAL if lacking else CheckStatus.OK,
        f"{' and '.join(lacking)} not found"
        if lacking
        else (version_text or commands[0]).splitlines()[0],
        "simulated boards",
        _board_line(machine, name, needs) if lacking else None,
    )


def _board_line(machine: LinuxSystem, name: str, needs: BoardNeeds) -> str:
    if needs.optional:
        return setup_line(name)
    return install_line(machine, needs.debian, needs.ubuntu, otherwise=f"see {needs.url}")


def simulator_checks(folder: Path | None) -> Iterator[DoctorCheck]:
    """The programs that simulate boards: brought by the installation, or built here."""
    root = folder or data_root() / "simulators"
    for source in sorted(root.glob("*/sim_*.c")):
        program = f"motebench-{source.stem.replace('_', '-')}"
        built, brought = data_root() / "build" / "simulators" / program, prebuilt(program)
        state = f"{NOT_BUILT} yet: naming a simulated board builds it"
        if brought or built.is_file():
            state = f"came with this installation: {brought}" if brought else f"built here: {built}"
        yield DoctorCheck(
            f"simulator:{source.parent.name}",
            "Boards",
            program,
            CheckStatus.OK if brought or built.is_file() else CheckStatus.OPTIONAL,
            state,
            "simulated boards",
        )


def compiler_checks(machine: LinuxSystem) -> Iterator[DoctorCheck]:
    """Compilers for firmware other than the default ones; only cases that name them need them."""
    from motebench.targets.firmware.toolchain import VARIABLE, named

    try:
        compilers = named(find=machine.which)
    except MotebenchError as problem:
        yield DoctorCheck(
            "compilers",
            "Boards",
            VARIABLE,
            CheckStatus.OPTIONAL,
            str(problem),
            "firmware by other compilers",
        )
        return
    for name, tool in compilers.items():
        version_text = (
            machine.run([tool.program, "--version"]) if machine.which(tool.program) else None
        )
        line = (
            install_line(machine, "clang")
            if tool.program == name == "clang"
            else f"{VARIABLE} says where it is"
        )
        yield DoctorCheck(
            f"compiler:{name}",
            "Boards",
            name,
            CheckStatus.OK if version_text else CheckStatus.OPTIONAL,
            version_text.splitlines()[0] if version_text else f"{tool.program} not found",
            f"firmware of implementations named NAME+{name}",
            None if version_text else line,
        )


def programmer_checks(machine: LinuxSystem) -> Iterator[DoctorCheck]:
    """Programs that upload firmware; only real boards need them."""
    from motebench.catalog.devices import programmable

    devices = [device for device in programmable().values() if device.serial is not None]
    ways = [
        (device, upload) for device in devices if device.serial for upload in device.serial.uploads
    ]
    for name in sorted({upload.command[0] for _, upload in ways}):
        path = machine.which(name)
        boards: dict[
            str, dict[str, None]
        ] = {}  # names by the line that installs the program for them
        for device, upload in (way for way in ways if way[1].command[0] == name):
            line = upload.install or install_line(machine, upload.package or name)
            boards.setdefault(line, {})[device.name] = None
        names = dict.fromkeys(itertools.chain.from_iterable(boards.values()))
        status, remedy = (
            (CheckStatus.OK, None) if path else (CheckStatus.OPTIONAL, _install_lines(boards))
        )
        purpose = f"real boards with {' or '.join(names)}"
        yield DoctorCheck(
            f"programmer:{name}", "Boards", name, status, path or "not found", purpose, remedy
        )


def _install_lines(boards: Mapping[str, Iterable[str]]) -> str:
    """The lines that install a program, each with its boards if there are several lines."""
    if len(boards) == 1:
        return next(iter(boards))
    return "; ".join(f"{line} ({' and '.join(names)})" for line, names in boards.items())


def ssh_check(machine: LinuxSystem) -> Iterator[DoctorCheck]:
    """The client that reaches Linux boards."""
    path = machine.which("ssh")
    remedy = None if path else install_line(machine, "openssh-client")
    status = CheckStatus.OK if path else CheckStatus.OPTIONAL
    yield DoctorCheck(
        "ssh",
        "Boards",
        "OpenSSH client",
        status,
        path or "not found",
        "Linux boards (ssh:)",
        remedy,
    )


def vendor_checks() -> Iterator[DoctorCheck]:
    """Pinned sources of libraries; only their own implementations need them."""
    for path in source_files():
        name = path.parent.name
        try:
            source = read_source(path)
        except MotebenchError as problem:
            yield DoctorCheck(
                f"vendor:{name}",
                "Pinned sources",
                name,
                CheckStatus.MISSING,
                str(problem),
                f"{name}/*",
            )
            continue
        yield DoctorCheck(
            f"vendor:{name}",
            "Pinned sources",
            source.library,
            CheckStatus.OK if source.fetched else CheckStatus.OPTIONAL,
            f"{source.version}, {source.licence}" if source.fetched else "not fetched",
            f"{name}/*",
            None if source.fetched else setup_line(),
        )


def probe_checks(
    machine: LinuxSystem,
    folder: Path | None,
    languages: Path | None,
    dirs: Sequence[Path],
    ask: Callable[[str], str] | None,
) -> Iterator[DoctorCheck]:
    """One check per built probe and per probe that could be built.

    A probe that is not built is missing; it is optional if its adapter says so, or if its language
    or its compiler is not installed.
    """
    built = probes_in(dirs)
    adapters: dict[str, AdapterNeeds | None] = dict.fromkeys(
        own_implementations(folder and folder.parent)
    )
    adapters |= {path.parent.name: _needs(path) for path in adapter_files(folder)}
    without = dict(_without_language(machine, languages))
    if not any(map(machine.which, _CXX)):
        without |= {
            name: "a C++ compiler"
            for name, needs in adapters.items()
            if needs and needs.language == "C++"
        }
    if not built and not adapters and not without:
        places = ", ".join(str(directory) for directory in dirs)
        yield DoctorCheck(
            "probes",
            "Probes",
            "probes",
            CheckStatus.MISSING,
            f"none in {places}",
            "measuring",
            setup_line(),
        )
    for name in sorted(built.keys() | adapters.keys() | without.keys()):
        check = _probe(name, built.get(name), adapters.get(name), ask)
        if (lacking := without.get(name)) and check.status is not CheckStatus.OK:
            check = replace(
                check,
                status=CheckStatus.OPTIONAL,
                found=f"{check.found}; {lacking} is not installed",
            )
        yield check


def _without_language(machine: LinuxSystem, folder: Path | None) -> Iterator[tuple[str, str]]:
    """Implementations measured by probes in another language, and the language if it is not
    installed, else an empty text."""
    for path in language_files(folder):
        try:
            needs = read_language(path)
        except MotebenchError:
            continue  # reported among the languages
        here = all(machine.which(command) for command in needs.commands.split())
        for name in needs.implementations.split():
            yield name, "" if here else needs.language


def _needs(path: Path) -> AdapterNeeds | None:
    """Needs of the adapter; None if its file is invalid, which is reported among the libraries."""
    try:
        return read_adapter(path)
    except MotebenchError:
        return None


def _probe(
    name: str, path: Path | None, needs: AdapterNeeds | None, ask: Callable[[str], str] | None
) -> DoctorCheck:
    status, remedy, build = CheckStatus.OK, None, needs.build_line if needs else setup_line()
    if path is None:
        status, state, remedy = CheckStatus.MISSING, NOT_BUILT, build
        if needs and needs.optional:
            status, state = (
                CheckStatus.OPTIONAL,
                f"not built by default: {needs.library} {needs.reason}",
            )
    elif ask is None:
        state = str(path)
    else:
        try:
            state = ask(name)
        # The doctor reports every failure of this question, whatever it is.
        except Exception as problem:
            status, state, remedy = CheckStatus.MISSING, f"{path} does not answer: {problem}", build
    return DoctorCheck(
        f"probe:{name}", "Probes", f"probe {name}", status, state, f"implementation {name}", remedy
    )


def command_checks(machine: LinuxSystem, dirs: Sequence[Path]) -> Iterator[DoctorCheck]:
    """Programs that are measured as whole processes, and the program that accounts for them."""
    path = machine.which("openssl")
    version_text = machine.run([path, "version"]) if path else None
    launcher = next(
        (str(folder / LAUNCHER) for folder in dirs if machine.exists(str(folder / LAUNCHER))), None
    )
    if version_text and launcher:
        status, remedy, state = (
            CheckStatus.OK,
            None,
            f"{version_text.partition(' (Library:')[0]}, {path}",
        )
    elif version_text:
        status, remedy, state = CheckStatus.OPTIONAL, setup_line(), f"{LAUNCHER} is not built"
    else:
        status, remedy, state = CheckStatus.OPTIONAL, install_line(machine, "openssl"), "not found"
    yield DoctorCheck(
        "command:openssl", "Commands", "openssl", status, state, "target command", remedy
    )


def sandbox_check(machine: LinuxSystem) -> Iterator[DoctorCheck]:
    """The sandbox of user code on this machine."""
    from motebench.targets.code.guards import ACTIONS, available

    has_filter = available(machine.text(str(ACTIONS)) or "", machine.architecture() or "")
    yield DoctorCheck(
        "sandbox",
        "User code",
        "sandbox",
        CheckStatus.OK if has_filter else CheckStatus.OPTIONAL,
        "a filter of system calls (seccomp)"
        if has_filter
        else "not on this system: user code runs with your rights",
        "--code with code that you do not trust",
    )


def extra_checks(machine: LinuxSystem) -> Iterator[DoctorCheck]:
    """Checks of programs that only tests and development of motebench need."""
    browser = next((place for name in _BROWSERS if (place := machine.which(name))), None)
    driver = next((place for name in _DRIVERS if (place := machine.which(name))), None)
    lacking = [
        title for title, place in (("Chromium", browser), ("its driver", driver)) if place is None
    ]
    line = install_line(
        machine, "chromium chromium-driver", "chromium-browser chromium-chromedriver"
    )
    yield _test_check(
        "chromium", "Chromium", lacking, str(browser), "browser tests in make test", line
    )
    for name, commands, needed_for, packages in _OF_TESTS:
        lacking = [command for command in commands if not machine.which(command)]
        path = str(machine.which(commands[0]))
        yield _test_check(name, name, lacking, path, needed_for, install_line(machine, packages))


def _test_check(
    name: str, title: str, lacking: Sequence[str], path: str, needed_for: str, line: str
) -> DoctorCheck:
    """Check of a tool for tests: its path, or what is missing; ``line`` installs it."""
    if lacking:
        status, finding, remedy = CheckStatus.OPTIONAL, f"{' and '.join(lacking)} not found", line
        return DoctorCheck(name, "For tests", title, status, finding, needed_for, remedy)
    return DoctorCheck(name, "For tests", title, CheckStatus.OK, path, needed_for)


def contents() -> Iterator[str]:
    """Version, Python, packages, folders, simulators, probes and compilers of this installation."""
    machine = LinuxSystem()
    yield described()
    yield _titled("Python", f"{platform.python_version()}, {sys.executable}")
    packages = (f"{need.name} {need.installed or 'not installed'}" for need in python_needs())
    yield _titled("packages", ", ".join(packages))
    yield _titled("package", str(paths.PACKAGE))
    place = "checkout" if paths.in_checkout() else "home"
    yield _titled(place, paths.unwritable() or str(paths.data_root()))
    for check in simulator_checks(None):
        yield _titled("simulator", f"{check.title}, {check.found}")
    yield _titled(
        "probes", ", ".join(sorted(paths.probes_in(paths.probe_dirs()))) or "none built yet"
    )
    for check in (*tool_checks(machine, needed=False), *board_checks(machine, None)):
        yield _titled("tool", f"{check.title}, {check.found}")


def _titled(title: str, value: str) -> str:
    return f"{title:<10} {value}"


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
