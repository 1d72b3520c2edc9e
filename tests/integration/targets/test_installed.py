"""Installed wheel: its sources are built in the user's cache, and used from there."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import zipfile
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from motebench.base.paths import data_root
from motebench.version import head

ONE = ("run", "--fast", "--scheme", "sha256", "--size", "64", "--implementation", "mote/sha-256")


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder that a wheel of this checkout was unpacked into, as an installer does, without
    scripts' rights.
    """
    made, site = tmp_path_factory.mktemp("wheel"), tmp_path_factory.mktemp("site")
    build = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(made)]
    subprocess.run(build, cwd=data_root(), check=True, capture_output=True)
    (wheel,) = made.glob("*.whl")
    with zipfile.ZipFile(wheel) as file:
        file.extractall(site)
    return site


class Installation:
    """Calls of the installed command from an empty folder, with an empty HOME."""

    def __init__(self, site: Path, home: Path) -> None:
        self.home, self._site = home, site

    def __call__(self, *words: str, **variables: str) -> subprocess.CompletedProcess[str]:
        return self.limited([], *words, **variables)

    def limited(
        self, before: Sequence[str], *words: str, **variables: str
    ) -> subprocess.CompletedProcess[str]:
        """Call behind another program that limits it."""
        own = {
            name: value
            for name, value in os.environ.items()
            if not name.startswith(("MOTEBENCH_", "XDG_"))
        }
        environment = {**own, "HOME": str(self.home), "PYTHONPATH": str(self._site), **variables}
        command = [*before, sys.executable, "-P", "-m", "motebench", *words]
        return subprocess.run(
            command, cwd=self.home, env=environment, capture_output=True, text=True, check=False
        )

    def tools(self, *without: str, **versions: str) -> str:
        """A folder with the programs of this machine but some; others say that they are of an old
        version.
        """
        folder = self.home / "bin"
        folder.mkdir()
        for place in os.environ["PATH"].split(":"):
            for program in Path(place).iterdir() if Path(place).is_dir() else ():
                link = folder / program.name
                if program.name not in without and not link.is_symlink():
                    link.symlink_to(program)
        for name, line in versions.items():
            (folder / name).unlink(missing_ok=True)
            (folder / name).write_text(f"#!/bin/sh\necho '{line}'\n", encoding="utf-8")
            (folder / name).chmod(0o755)
        return str(folder)


@pytest.fixture
def call(installed: Path, tmp_path: Path) -> Installation:
    return Installation(installed, tmp_path)


def test_a_probe_is_built_in_the_cache_and_measured_by_two_at_once(call: Installation) -> None:
    with ThreadPoolExecutor(2) as pool:
        runs = list(pool.map(lambda number: call(*ONE, "--store", f"{number}.db"), range(2)))
    assert [done.returncode for done in runs] == [0, 0], [done.stderr for done in runs]
    assert any("building the probe of mote/sha-256" in done.stderr for done in runs)
    (home,) = (call.home / ".cache" / "motebench").glob("0*")
    assert (home / "build" / "probes" / "mote" / "motebench-probe-sha-256").is_file()
    for number in range(2):
        again = call("show", "latest", "--store", f"{number}.db")
        assert again.returncode == 0 and "mote/sha-256" in again.stdout


def test_a_wheel_knows_the_commit_that_it_was_built_from(call: Installation) -> None:
    commit = head(data_root())
    if commit is None:
        pytest.skip("these sources are in no repository")
    assert f"(commit {commit[:12]}" in call("--version").stdout
    done = call(
        "run", "--fast", "--scheme", "sha256", "--size", "64", "--implementation", "mote/sha-256"
    )
    assert done.returncode == 0, done.stderr
    words = call("show", "--provenance").stdout
    assert f"(wheel): commit {commit[:12]}, " in words and "/sha-256" in words


def test_reference_results_need_no_compiler(call: Installation) -> None:
    done = call("cost", "aes-128-gcm", "uno", PATH="/nonexistent")
    assert done.returncode == 0, done.stderr
    assert "atmega328p" in done.stdout


def test_without_a_cache_folder_what_builds_nothing_works(call: Installation) -> None:
    for place in ("/proc/nothing", str(call.home / "file")):
        (call.home / "file").touch()
        assert call("list", "schemes", MOTEBENCH_CACHE=place).returncode == 0
        done = call(
            "run", "--scheme", "sha256", "--implementation", "mote/sha-256", MOTEBENCH_CACHE=place
        )
        assert done.returncode == 7, done.stderr
        assert (
            "nothing can be built" in done.stderr
            and place in done.stderr
            and "MOTEBENCH_CACHE=" in done.stderr
        )
        assert "Traceback" not in done.stderr


def test_users_that_begin_at_once_have_one_whole_home(call: Installation) -> None:
    with ThreadPoolExecutor(4) as pool:
        codes = list(pool.map(lambda _: call("list", "studies").returncode, range(4)))
    assert codes == [0] * 4
    (home,) = (call.home / ".cache" / "motebench").iterdir()  # no half one beside it
    assert (home / "core" / "CMakeLists.txt").is_file()


def test_an_older_home_is_left_alone(call: Installation) -> None:
    old = call.home / ".cache" / "motebench" / "0.0.1-0123456789ab"
    (old / "build").mkdir(parents=True)
    assert call("list", "studies").returncode == 0
    assert len(list(old.parent.iterdir())) == 2 and (old / "build").is_dir()


def test_setup_is_for_installations(call: Installation) -> None:
    done = call("setup", "--with", "nosuch")
    assert done.returncode == 7 and "there is no optional adapter nosuch" in done.stderr
    here = [sys.executable, "-m", "motebench", "setup"]
    done = subprocess.run(here, cwd=data_root(), capture_output=True, text=True, check=False)
    assert done.returncode == 2 and "make setup" in done.stderr


def test_the_scripts_of_a_home_use_the_python_of_the_last_start(call: Installation) -> None:
    assert call("list", "studies").returncode == 0
    (program,) = (call.home / ".cache" / "motebench").glob("*/.venv/bin/python")
    program.write_text("#!/bin/sh\nexec /gone/python\n")
    assert call("list", "studies").returncode == 0
    said = subprocess.run(
        [program, "-c", "import sys; print(sys.executable)"],
        capture_output=True,
        text=True,
        check=True,
    )
    assert said.stdout.strip() == sys.executable


# Homes that cannot be made, or were not finished


def test_a_home_that_is_read_only_still_answers(call: Installation) -> None:
    cache = call.home / "cache"
    cache.mkdir()
    cache.chmod(0o555)
    without_rights = (
        ["setpriv", "--bounding-set=-all", "--inh-caps=-all"] if os.geteuid() == 0 else []
    )
    if without_rights and shutil.which("setpriv") is None:
        pytest.skip("root may write everywhere, and setpriv is not installed")
    answer = call.limited(without_rights, "cost", "aes-128-gcm", "uno", MOTEBENCH_CACHE=str(cache))
    assert answer.returncode == 0 and "atmega328p" in answer.stdout, answer.stderr
    refused = call.limited(without_rights, *ONE, MOTEBENCH_CACHE=str(cache))
    assert (
        refused.returncode == 7
        and "Permission denied" in refused.stderr
        and "MOTEBENCH_CACHE=" in refused.stderr
    )
    assert list(cache.iterdir()) == []


def test_a_full_disk_leaves_no_part_of_a_home(call: Installation) -> None:
    limit = ["sh", "-c", 'ulimit -f 256; exec "$@"', "sh"]
    answer = call.limited(limit, "cost", "aes-128-gcm", "uno")
    assert answer.returncode == 0 and "atmega328p" in answer.stdout, answer.stderr
    refused = call.limited(limit, *ONE)
    assert refused.returncode == 7 and ": File too large; make room there" in " ".join(
        refused.stderr.split()
    )
    assert not list((call.home / ".cache" / "motebench").glob("*0*"))
    assert call("list", "studies").returncode == 0  # and with room again it is made
    assert len(list((call.home / ".cache" / "motebench").glob("0*"))) == 1


def test_what_a_killed_process_left_is_removed_a_day_later(call: Installation) -> None:
    cache = call.home / ".cache" / "motebench"
    old, young, other = (
        cache / name for name in (".0.0.1-0123456789ab-aa", ".0.0.1-0123456789ab-bb", ".keep")
    )
    for folder in (old, young, other):
        (folder / "core").mkdir(parents=True)
    os.utime(old, (0, 0))
    os.utime(other, (0, 0))
    assert call("list", "studies").returncode == 0
    assert not old.exists() and young.is_dir() and other.is_dir()
    (home,) = cache.glob("0*")
    assert (home / "core" / "CMakeLists.txt").is_file()


# Building


@pytest.mark.parametrize(
    ("without", "package"),
    [(("cc", "gcc", "clang"), "gcc libc6-dev"), (("cmake",), "cmake"), (("make", "ninja"), "make")],
    ids=lambda value: value[0],
)
def test_without_a_tool_the_package_is_named(
    call: Installation, without: tuple[str, ...], package: str
) -> None:
    done = call(*ONE, PATH=call.tools(*without))
    assert (
        done.returncode in (2, 7)
        and without[0] in done.stderr
        and package in " ".join(done.stderr.split())
    )
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize(
    ("versions", "words"),
    [
        (
            {"cc": "cc (GCC) 4.4.7 20120313 (Red Hat 4.4.7-23)"},
            "cc 4.4.7 is too old: it must be gcc 4.9 or newer",
        ),
        (
            {"cmake": "cmake version 2.8.12.2"},
            "cmake 2.8.12.2 is too old: it must be cmake 3.18 or newer",
        ),
    ],
    ids=["cc", "cmake"],
)
def test_an_old_tool_is_named_with_the_version_that_will_do(
    call: Installation, versions: dict[str, str], words: str
) -> None:
    done = call(*ONE, PATH=call.tools(**versions))
    assert done.returncode in (2, 7) and words in " ".join(done.stderr.split())


def test_without_a_network_the_library_that_is_missing_is_named(call: Installation) -> None:
    nowhere = "http://127.0.0.1:9/"
    done = call(
        "verify",
        "--implementation",
        "monocypher/ed25519",
        PIP_INDEX_URL=nowhere,
        PIP_RETRIES="0",
        PIP_CONFIG_FILE="/dev/null",
    )
    words = " ".join(done.stderr.split() + done.stdout.split())
    assert done.returncode == 3 and "the sources of Monocypher 4.0.3: " in words, words
    assert "Traceback" not in words and "compiling" not in words


# What the wheel brings


def test_the_installation_says_what_it_contains(call: Installation) -> None:
    done = call("--version", "--verbose")
    assert done.returncode == 0, done.stderr
    titles = {line.split()[0] for line in done.stdout.splitlines()}
    assert {
        "motebench",
        "Python",
        "packages",
        "package",
        "home",
        "simulator",
        "probes",
        "tool",
    } <= titles
    assert str(call.home / ".cache" / "motebench") in done.stdout


def test_a_simulator_that_came_with_the_wheel_is_used_if_it_is_for_this_processor(
    call: Installation,
) -> None:
    assert call("list", "studies").returncode == 0
    (home,) = (call.home / ".cache" / "motebench").glob("0*")
    program = home / "prebuilt" / "motebench-sim-avr"
    program.parent.mkdir()
    other = bytearray(Path("/proc/self/exe").read_bytes()[:64])
    program.write_bytes(other)
    program.chmod(0o755)
    assert f"came with this installation: {program}" in call("doctor").stdout
    other[18] ^= 1  # of another processor
    program.write_bytes(other)
    assert (
        "motebench-sim-avr" in (text := call("doctor").stdout)
        and "came with this installation" not in text
    )
