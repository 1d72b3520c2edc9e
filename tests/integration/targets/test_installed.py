"""A wheel in a folder of its own: what it carries is built in the user's cache, and used from there."""

from __future__ import annotations

import os
import subprocess
import sys
import zipfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from motebench.base.paths import data_root
from motebench.version import head


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder that a wheel of this checkout was unpacked into, as an installer does, without scripts' rights."""
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
        own = {name: value for name, value in os.environ.items() if not name.startswith(("MOTEBENCH_", "XDG_"))}
        environment = {**own, "HOME": str(self.home), "PYTHONPATH": str(self._site), **variables}
        command = [sys.executable, "-P", "-m", "motebench", *words]
        return subprocess.run(command, cwd=self.home, env=environment, capture_output=True, text=True, check=False)


@pytest.fixture
def call(installed: Path, tmp_path: Path) -> Installation:
    return Installation(installed, tmp_path)


def test_a_probe_is_built_in_the_cache_and_measured(call: Installation) -> None:
    done = call("run", "--fast", "--scheme", "sha256", "--size", "64", "--implementation", "mote/sha-256")
    assert done.returncode == 0, done.stderr
    assert "building the probe of mote/sha-256" in done.stderr
    (home,) = (call.home / ".cache" / "motebench").glob("0*")
    assert (home / "build" / "probes" / "mote" / "motebench-probe-sha-256").is_file()
    again = call("show", "latest")
    assert again.returncode == 0 and "mote/sha-256" in again.stdout


def test_a_wheel_knows_the_commit_that_it_was_built_from(call: Installation) -> None:
    commit = head(data_root())
    if commit is None:
        pytest.skip("these sources are in no repository")
    assert f"(commit {commit[:12]}" in call("--version").stdout
    done = call("run", "--fast", "--scheme", "sha256", "--size", "64", "--implementation", "mote/sha-256")
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
        done = call("run", "--scheme", "sha256", "--implementation", "mote/sha-256", MOTEBENCH_CACHE=place)
        assert done.returncode == 7, done.stderr
        assert "nothing can be built" in done.stderr and place in done.stderr and "MOTEBENCH_CACHE=" in done.stderr
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
        [program, "-c", "import sys; print(sys.executable)"], capture_output=True, text=True, check=True
    )
    assert said.stdout.strip() == sys.executable
