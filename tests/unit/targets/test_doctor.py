"""The doctor finds what is missing, names the line that installs it, and never falls over."""

from __future__ import annotations

import json
import re
from pathlib import Path

import jsonschema
import pytest

from motebench.base.errors import InputError, SetupError
from motebench.base.shapes import as_document
from motebench.documents import schema
from motebench.targets.machine.system import LinuxSystem
from motebench.targets.setup.checks import CheckStatus, DoctorScope, examine, render
from motebench.targets.setup.needs import (
    adapter_files,
    install_line,
    python_needs,
    read_adapter,
    version_key,
)

ADAPTER = """\
name = "blue"
library = "Libblue"
licence = "MIT"
url = "https://example.org/"
header = "blue.h"
debian = "libblue-dev"
ubuntu = "libblue2-dev"
pkg_config = "libblue"
minimum = "1.2"
"""


class StagedMachine(LinuxSystem):
    """Machine with only the files below its root, and the given programs with their answers."""

    def __init__(self, root: Path, programs: dict[str, dict[str, str]] | None = None) -> None:
        super().__init__(root)
        self.programs = programs or {}

    def which(self, program):
        return f"/usr/bin/{program}" if program in self.programs else None

    def run(self, command, *, codes=(0,), timeout=10.0):
        return self.programs.get(command[0], {}).get(" ".join(command[1:]))

    def privileged(self):
        return False


@pytest.fixture
def adapters(tmp_path):
    folder = tmp_path / "adapters"
    (folder / "blue").mkdir(parents=True)
    (folder / "blue" / "adapter.toml").write_text(ADAPTER)
    return folder


def checks(report):
    return {check.id: check for check in report.checks}


def look(tmp_path, adapters, programs=None, **more):
    return examine(
        DoctorScope(
            machine=StagedMachine(tmp_path, programs),
            adapters=adapters,
            languages=tmp_path / "languages",
            boards=tmp_path / "boards",
            probe_dirs=[tmp_path / "probes"],
            **more,
        )
    )


def build(tmp_path, name="blue"):
    family, _, name = name.rpartition("/")
    folder = tmp_path / "probes" / family
    folder.mkdir(parents=True, exist_ok=True)
    probe = folder / f"motebench-probe-{name}"
    probe.write_text("")
    probe.chmod(0o755)


def test_own_implementations_are_looked_for_where_their_sources_are(tmp_path, adapters):
    (tmp_path / "ciphers" / "toy").mkdir(parents=True)
    (tmp_path / "ciphers" / "toy" / "toy_small.c").write_text(
        "static int x;\nMOTE_IMPLEMENTATION(toy_small) = {0};\n"
    )
    (tmp_path / "mote" / "public").mkdir(parents=True)
    (tmp_path / "mote" / "public" / "toy_kem.c").write_text(
        "static int y;\nMOTE_ADAPTER(toy_kem)\n"
    )
    build(tmp_path)
    assert checks(look(tmp_path, adapters))["probe:mote/toy-kem"].status is CheckStatus.MISSING
    missing = checks(look(tmp_path, adapters))["probe:mote/toy-small"]
    assert (missing.status, missing.remedy) == (CheckStatus.MISSING, "make setup")
    build(tmp_path, "mote/toy-small")
    assert checks(look(tmp_path, adapters))["probe:mote/toy-small"].status is CheckStatus.OK


def add_optional(adapters):
    text = (
        ADAPTER.replace("blue", "red")
        .replace("Libblue", "Libred")
        .replace('"MIT"', '"GPL-3.0-only"')
    )
    (adapters / "red").mkdir()
    (adapters / "red" / "adapter.toml").write_text(text + "optional = true\n")


def test_optional_library_is_never_missing_and_has_both_lines(tmp_path, adapters):
    add_optional(adapters)
    build(tmp_path, "blue")
    report = look(tmp_path, adapters, {"apt-get": {}}, requirements=[])
    library, probe = checks(report)["library:red"], checks(report)["probe:red"]
    assert library.status is probe.status is CheckStatus.OPTIONAL
    assert library.remedy == "sudo apt-get install -y libred-dev"
    assert "GPL-3.0-only" in library.needed_for and "GPL-3.0-only" in probe.found
    assert probe.remedy == "make setup WITH=red"
    assert report.healthy and checks(report)["compiler"].status is CheckStatus.OPTIONAL
    assert "make setup WITH=red" in render(report)


def test_library_from_sources_is_built_on_request_and_not_installed(
    tmp_path, adapters, monkeypatch
):
    monkeypatch.setattr("motebench.targets.setup.checks.data_root", lambda: tmp_path)
    add_optional(adapters)
    path = adapters / "red" / "adapter.toml"
    path.write_text(path.read_text() + "from_source = true\n")
    library, probe = (
        checks(look(tmp_path, adapters))[name] for name in ("library:red", "probe:red")
    )
    assert (library.found, library.remedy) == ("not built", "make setup WITH=red")
    assert probe.found == "not built by default: Libred is built from its sources"
    (tmp_path / "build" / "libraries").mkdir(parents=True)
    (tmp_path / "build" / "libraries" / "red.stamp").touch()
    assert checks(look(tmp_path, adapters))["library:red"].status is CheckStatus.OK


def test_optional_library_stays_optional_where_everything_is_missing(tmp_path, adapters):
    add_optional(adapters)
    found = checks(look(tmp_path, adapters))
    assert found["library:blue"].status is found["probe:blue"].status is CheckStatus.MISSING
    assert found["library:red"].status is found["probe:red"].status is CheckStatus.OPTIONAL


def test_optional_probe_that_is_built_is_asked(tmp_path, adapters):
    add_optional(adapters)
    build(tmp_path, "red")
    assert (
        checks(look(tmp_path, adapters, ask_probe=lambda name: "red 2"))["probe:red"].found
        == "red 2"
    )

    def ask(name):
        raise SetupError("wrong version")

    broken = checks(look(tmp_path, adapters, ask_probe=ask))["probe:red"]
    assert broken.status is CheckStatus.MISSING and broken.remedy == "make setup WITH=red"


def test_programmers_of_real_boards_are_optional_and_have_their_line(tmp_path, adapters):
    found = checks(look(tmp_path, adapters, {"apt-get": {}, "avrdude": {}}))
    assert found["programmer:avrdude"].status is CheckStatus.OK
    bossac = found["programmer:bossac"]
    assert bossac.status is CheckStatus.OPTIONAL and bossac.needed_for.endswith(
        "nRF52840 or SAM3X8E or SAMD21G18A"
    )
    # That of Debian does not know the nRF52840.
    assert "sudo apt-get install -y bossa-cli (SAM3X8E and SAMD21G18A)" in str(bossac.remedy)
    assert "Nano Boards" in str(bossac.remedy)
    assert found["programmer:openocd"].remedy == "sudo apt-get install -y openocd"


def test_other_compilers_for_boards_are_optional_and_have_their_line(
    tmp_path, adapters, monkeypatch
):
    monkeypatch.setenv("MOTEBENCH_COMPILERS", "gcc-14=/usr/local/gcc-14/bin/avr-,clang-19=clang-19")
    programs = {"apt-get": {}, "clang-19": {"--version": "clang version 19.1.7"}}
    report = look(tmp_path, adapters, programs)
    found = {
        key.partition(":")[2]: check
        for key, check in checks(report).items()
        if key.startswith("compiler:")
    }
    assert {name: (check.status, check.found) for name, check in found.items()} == {
        "clang": (CheckStatus.OPTIONAL, "clang not found"),
        "gcc-14": (CheckStatus.OPTIONAL, "/usr/local/gcc-14/bin/avr-gcc not found"),
        "clang-19": (CheckStatus.OK, "clang version 19.1.7"),
    }
    assert (
        found["clang"].remedy == "sudo apt-get install -y clang"
        and "NAME+clang" in found["clang"].needed_for
    )
    assert "MOTEBENCH_COMPILERS" in str(found["gcc-14"].remedy)
    monkeypatch.setenv("MOTEBENCH_COMPILERS", "nonsense")
    broken = checks(look(tmp_path, adapters))["compilers"]
    assert (
        broken.status is CheckStatus.OPTIONAL
        and "nonsense" in broken.found
        and "NAME=PREFIX" in broken.found
    )


LANGUAGE = """\
language = "Kotlin"
implementations = "green yellow"
commands = "kotlinc gradle"
debian = "kotlin gradle"
ubuntu = "kotlin gradle"
url = "https://example.org/kotlin"
"""


def add_language(tmp_path, text=LANGUAGE):
    folder = tmp_path / "languages" / "kotlin"
    folder.mkdir(parents=True)
    (folder / "probe.toml").write_text(text)


def test_missing_language_costs_its_own_probes_only(tmp_path, adapters):
    add_language(tmp_path)
    build(tmp_path, "blue")
    report = look(tmp_path, adapters, {"apt-get": {}, "gradle": {}}, requirements=[])
    language, probe = checks(report)["language:kotlin"], checks(report)["probe:green"]
    assert (
        language.status
        is probe.status
        is checks(report)["probe:yellow"].status
        is CheckStatus.OPTIONAL
    )
    assert language.found == "kotlinc not found" and "green and yellow" in language.needed_for
    assert language.remedy == "sudo apt-get install -y kotlin gradle"
    assert probe.found == "not built; Kotlin is not installed"
    assert report.healthy


def test_language_that_is_there_without_its_probes_is_a_finding(tmp_path, adapters):
    add_language(tmp_path)
    programs = {"kotlinc": {"--version": "kotlinc 9\nmore"}, "gradle": {}}
    report = look(tmp_path, adapters, programs, requirements=[])
    assert checks(report)["language:kotlin"].found == "kotlinc 9"
    assert checks(report)["probe:green"].status is CheckStatus.MISSING
    assert checks(report)["probe:green"].remedy == "make setup"


def add_red_in_cxx(adapters):
    (adapters / "red").mkdir()
    text = ADAPTER.replace('name = "blue"', 'name = "red"') + 'language = "C++"\n'
    (adapters / "red" / "adapter.toml").write_text(text)


def test_without_a_cxx_compiler_only_probes_of_libraries_in_cxx_are_optional(tmp_path, adapters):
    add_red_in_cxx(adapters)
    (tmp_path / "etc").mkdir()
    (tmp_path / "etc" / "os-release").write_text("ID=debian\n")
    found = checks(look(tmp_path, adapters, {"gcc": {"--version": "gcc 12"}, "apt-get": {}}))
    assert (
        found["c++"].status is CheckStatus.OPTIONAL
        and found["c++"].remedy == "sudo apt-get install -y g++"
    )
    assert (
        found["probe:red"].status is CheckStatus.OPTIONAL
        and "a C++ compiler is not installed" in found["probe:red"].found
    )
    assert found["probe:blue"].status is CheckStatus.MISSING


def test_with_a_cxx_compiler_every_probe_has_to_be_there(tmp_path, adapters):
    add_red_in_cxx(adapters)
    found = checks(look(tmp_path, adapters, {"g++": {"--version": "g++ 12"}}))
    assert found["c++"].status is CheckStatus.OK and found["c++"].found == "g++ 12"
    assert found["probe:red"].status is found["probe:blue"].status is CheckStatus.MISSING


def test_bad_probe_toml_is_a_finding(tmp_path, adapters):
    add_language(tmp_path, LANGUAGE.replace("url", "uri"))
    found = checks(look(tmp_path, adapters))["language:kotlin"]
    assert found.status is CheckStatus.MISSING and "unknown key 'uri'" in found.found


def test_bare_machine_lists_everything_missing(tmp_path, adapters):
    report = look(tmp_path, adapters)
    found = checks(report)
    for name in ("compiler", "cmake", "make", "pkg-config", "library:blue", "probe:blue"):
        assert found[name].status is CheckStatus.MISSING
        assert found[name].remedy
    assert (
        found["chromium"].status
        is found["git"].status
        is found["openssl-legacy"].status
        is CheckStatus.OPTIONAL
    )
    assert not report.healthy
    text = render(report)
    assert (
        "make setup" in text
        and "see https://example.org/" in text
        and text.endswith("missing; the lines above install them.")
    )


def test_empty_path_on_the_real_machine_is_no_traceback(monkeypatch, tmp_path):
    monkeypatch.setenv("PATH", str(tmp_path))
    report = examine(DoctorScope(probe_dirs=[tmp_path]))
    assert checks(report)["compiler"].status is CheckStatus.MISSING
    assert "C compiler" in render(report)


@pytest.mark.parametrize(
    ("system", "package"), [("debian", "libblue-dev"), ("ubuntu", "libblue2-dev")]
)
def test_remedy_is_the_line_for_this_system(tmp_path, adapters, system, package):
    (tmp_path / "etc").mkdir()
    (tmp_path / "etc" / "os-release").write_text(f"ID={system}\n")
    report = look(tmp_path, adapters, {"apt-get": {}})
    assert checks(report)["library:blue"].remedy == f"sudo apt-get install -y {package}"
    assert checks(report)["cmake"].remedy == "sudo apt-get install -y cmake"


def test_without_apt_the_library_is_named_by_its_home(tmp_path, adapters):
    assert checks(look(tmp_path, adapters))["library:blue"].remedy == "see https://example.org/"
    assert install_line(StagedMachine(tmp_path), "cmake") == "install what Debian calls cmake"


@pytest.mark.parametrize(
    ("version", "status"),
    [("1.2", CheckStatus.OK), ("1.10.1", CheckStatus.OK), ("1.1.9", CheckStatus.MISSING)],
)
def test_library_by_pkg_config_must_be_new_enough(tmp_path, adapters, version, status):
    report = look(
        tmp_path, adapters, {"pkg-config": {"--modversion libblue": version, "--version": "1.8"}}
    )
    assert checks(report)["library:blue"].status is status
    assert version in checks(report)["library:blue"].found


def test_library_is_found_by_its_header_without_pkg_config(tmp_path, adapters):
    header = tmp_path / "usr" / "include" / "x86_64-linux-gnu" / "blue.h"
    header.parent.mkdir(parents=True)
    header.touch()
    assert checks(look(tmp_path, adapters))["library:blue"].status is CheckStatus.OK


def test_built_probes_make_build_tools_optional(tmp_path, adapters):
    build(tmp_path)
    report = look(tmp_path, adapters, requirements=[], ask_probe=lambda name: f"{name} 1.2")
    found = checks(report)
    assert found["probe:blue"].status is CheckStatus.OK and found["probe:blue"].found == "blue 1.2"
    assert found["compiler"].status is found["library:blue"].status is CheckStatus.OPTIONAL
    assert report.healthy
    assert render(report).endswith("Everything motebench needs is here.")


@pytest.mark.parametrize(
    "problem", [SetupError("wrong version"), OSError("exec format error"), ValueError("x")]
)
def test_probe_that_does_not_answer_is_a_finding(tmp_path, adapters, problem):
    build(tmp_path)

    def ask(name):
        raise problem

    found = checks(look(tmp_path, adapters, ask_probe=ask))["probe:blue"]
    assert found.status is CheckStatus.MISSING
    assert str(problem) in found.found and found.remedy == "make setup"


def test_probe_without_an_adapter_folder_is_examined_too(tmp_path, adapters):
    build(tmp_path, "green")
    assert checks(look(tmp_path, adapters))["probe:green"].status is CheckStatus.OK
    (tmp_path / "probes" / "motebench-probe-green").chmod(0o644)
    assert "probe:green" not in checks(look(tmp_path, adapters))


def test_no_adapters_and_no_probes_is_one_finding(tmp_path):
    found = checks(look(tmp_path, tmp_path / "none"))
    assert (
        found["probes"].status is CheckStatus.MISSING
        and str(tmp_path / "probes") in found["probes"].found
    )


def test_broken_compiler_is_missing(tmp_path, adapters):
    found = checks(look(tmp_path, adapters, {"gcc": {}}))["compiler"]
    assert found.status is CheckStatus.MISSING and "gcc --version fails" in found.found


def test_report_is_plain_data(tmp_path, adapters):
    content = as_document(look(tmp_path, adapters).document())
    assert json.loads(json.dumps(content)) == content
    assert content["healthy"] is False
    jsonschema.Draft202012Validator(schema("doctor")).validate(content)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("library =", "libary =", "unknown key 'libary'"),
        ('"blue.h"', "3", "header must be text"),
        ('url = "https://example.org/"\n', "", "url is missing"),
        ('licence = "MIT"\n', "", "licence is missing"),
        ('licence = "MIT"', 'licence = "MIT"\noptional = "yes"', "optional must be true or false"),
        ('licence = "MIT"', 'licence = "MIT"\nlanguage = "C#"', "unknown language 'C#'"),
        ('name = "blue"', 'name = "red"', "name differs from the name of the folder"),
        ('"Libblue"', '"Libblue', "cannot be read"),
    ],
)
def test_bad_adapter_file_is_refused_and_reported(tmp_path, adapters, old, new, message):
    path = adapters / "blue" / "adapter.toml"
    path.write_text(ADAPTER.replace(old, new))
    with pytest.raises(InputError, match=message) as caught:
        read_adapter(path)
    assert caught.value.where == str(path)
    found = checks(look(tmp_path, adapters))["library:blue"]
    assert found.status is CheckStatus.MISSING and message in found.found


def test_adapters_that_come_with_motebench_say_what_they_need():
    adapters = {needs.name: needs for needs in map(read_adapter, adapter_files())}
    assert {"openssl", "libgcrypt", "wolfssl"} <= adapters.keys()


def test_library_under_the_gpl_is_optional():
    libraries = [read_adapter(path) for path in adapter_files()]
    copyleft = {
        needs.name: needs.optional
        for needs in libraries
        if all(
            choice.startswith(("GPL-", "AGPL-"))
            for choice in re.split(r"\s+OR\s+", needs.licence.strip("()"))
        )
    }
    assert copyleft == {"wolfssl": True}
    assert len(libraries) > 10


def test_python_packages():
    numpy, nonsense, old = python_needs(["numpy>=2.4", "no-such-package-at-all>=3", "click>=999"])
    assert numpy.satisfied and numpy.minimum == "2.4"
    assert not nonsense.satisfied and nonsense.installed is None
    assert not old.satisfied and old.installed


def test_missing_python_package_has_its_line(tmp_path, adapters):
    found = checks(
        look(tmp_path, adapters, requirements=["no-such-package-at-all>=3", "click>=999"])
    )
    assert found["python:no-such-package-at-all"].remedy.endswith(
        "-m pip install 'no-such-package-at-all>=3'"
    )
    assert "older than 999" in found["python:click"].found


def test_own_requirements_are_found():
    assert {"numpy", "click", "cbor2"} <= {need.name for need in python_needs()}
    assert "ruff" not in {need.name for need in python_needs()}


def test_versions_compare_by_number():
    assert version_key("1.10") > version_key("1.9.9")
    assert version_key("2.0") == version_key("2")
    assert version_key("1.9.0.post1") == (1, 9)
    assert version_key("unknown") == ()
