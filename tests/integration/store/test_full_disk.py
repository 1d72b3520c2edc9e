"""Disk that becomes full at any write: reported, nothing stored is lost, and the run continues when
space is free.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.integration.cli.test_endings import samples, skip_without
from tests.integration.conftest import Motebench, Result

pytestmark = pytest.mark.long
RUN = (
    "run",
    "--implementation",
    "openssl",
    "--scheme",
    "aes-128-ctr,sha256",
    "--operation",
    "encrypt,digest",
    "--quiet",
    "--budget",
    "2s",
    "--precision",
    "0.01%",
    "--name",
    "r",
)

Mount = Callable[[int], Path]


def on(folder: Path, *arguments: str, **environment: str) -> Result:
    done = subprocess.run(
        [sys.executable, "-m", "motebench", *arguments],
        cwd=folder,
        env={**os.environ, "NO_COLOR": "1", **environment},
        capture_output=True,
        text=True,
        timeout=1200,
        check=False,
    )
    assert "Traceback" not in done.stderr and "defect" not in done.stderr, done.stderr
    return Result(done.returncode, done.stdout, done.stderr)


@pytest.fixture
def disk(tmp_path: Path) -> Iterator[Mount]:
    """Mounts a disk of so many KiB, or resizes the existing one."""
    place = tmp_path / "disk"
    place.mkdir()
    mounted = False

    def mount(size: int) -> Path:
        nonlocal mounted
        options = f"size={size}k" + ",remount" * mounted
        command = ["mount", "-t", "tmpfs", "-o", options, "tmpfs", str(place)]
        try:
            done = subprocess.run(command, capture_output=True, text=True, check=False)
        except OSError as error:
            pytest.skip(f"mount: {error.strerror}")
        if done.returncode:
            pytest.skip(f"no disk can be mounted here: {done.stderr.strip()}")
        mounted = True
        return place

    yield mount
    if mounted:
        subprocess.run(["umount", "-l", str(place)], check=False)


@pytest.mark.parametrize("size", [4, 48, 64, 80, 100, 120, 160, 240])
def test_a_store_on_a_disk_that_becomes_full(disk: Mount, size: int) -> None:
    skip_without("host", "openssl")
    folder = disk(size)
    run = on(folder, *RUN)
    assert run.code == 6 and "the disk is full" in run.err and "make room" in run.err, run.err
    disk(20_000)
    kept = samples(folder / "motebench.db")
    listed = on(folder, "list", "runs", "--json")
    if listed.code == 0 and json.loads(listed.out)["rows"]:
        resumed = on(folder, "run", "--resume=r", "--quiet")
        assert resumed.code == 0, resumed.err
        assert samples(folder / "motebench.db") >= max(kept, 24)
    else:
        assert kept == 0
        assert on(folder, *RUN).code == 0
    assert on(folder, "show", "r").code == 0


@pytest.fixture
def results(tmp_path: Path) -> Path:
    """A folder with a store that holds the run ``r``."""
    skip_without("host", "openssl")
    folder = tmp_path / "results"
    folder.mkdir()
    assert on(folder, *RUN).code == 0
    return folder


@pytest.mark.parametrize("size", [4, 8])
def test_reports_and_exports_are_whole_or_not_there(disk: Mount, results: Path, size: int) -> None:
    full = disk(size)
    (full / "old").write_text("what was there before")
    for command in (
        ("report", "r", "--output", f"{full}/page.html"),
        *(
            ("export", "r", "--format", form, "--output", f"{full}/out.{form}")
            for form in ("json", "csv", "latex")
        ),
        (*RUN[:-2], "--report", f"{full}/page.html"),
    ):
        done = on(results, *command)
        assert done.code == 2 and "No space left on device" in done.err, (command, done.err)
        assert [path.name for path in full.iterdir()] == ["old"]
    for arguments in (
        ("show", "r", "--json"),
        ("export", "r", "--format", "json"),
        (*RUN[:-2], "--json"),
    ):
        with (full / "out").open("w") as out:
            command = [sys.executable, "-m", "motebench", *arguments]
            done_ = subprocess.run(
                command, cwd=results, stdout=out, stderr=subprocess.PIPE, text=True, check=False
            )
        assert done_.returncode == 2 and "standard output: No space left on device" in done_.stderr
        (full / "out").unlink()
    assert on(results, "show", "r").code == 0


def test_a_store_that_is_repaired_onto_a_full_disk(disk: Mount, results: Path) -> None:
    full = disk(40)
    done = on(results, "doctor", "--store", "motebench.db", "--repair", f"{full}/new.db")
    assert done.code == 6 and "the disk is full" in done.err
    assert on(results, "show", "r").code == 0


def test_files_to_measure_on_a_full_disk(disk: Mount, tmp_path: Path) -> None:
    skip_without("host", "openssl")
    full = disk(900)
    store = ("--store", str(tmp_path / "runs.db"))
    what = (
        "--scheme",
        "aes-128-cbc",
        "--operation",
        "encrypt-file",
        "--file-size",
        "1MB",
        "--budget",
        "1s",
    )
    for where in (("--implementation", "openssl"), ("--target", "command")):
        done = on(full, "run", *where, *what, *store, "--quiet", "--json")
        assert done.code == 3
        assert "3000000 B of free disk space are needed" in {
            item["message"][:39] for item in done.json["failures"]
        }
        assert {item["kind"] for item in done.json["failures"]} == {"no-room"}
        assert "motebench run --resume=" in done.err
        assert not list(full.iterdir())
        disk(20_000)
        resumed = on(full, "run", "--resume", *store, "--quiet", "--json")
        assert resumed.code == 0, resumed.err
        assert resumed.json["failures"] == []
        disk(900)


def test_temporary_files_on_a_full_disk(disk: Mount, motebench: Motebench, tmp_path: Path) -> None:
    full = disk(4)
    (full / "filler").write_bytes(bytes(4096))
    skip_without("sim:atmega2560", "mote/xtea")
    flag = f"-DFULL={os.getpid()}"  # so that it was never built before
    import code_folders

    code = code_folders.submission(tmp_path / "given")
    done = motebench(
        "run", "--code", str(code), "--code-flags", flag, "--quiet", "--json", TMPDIR=str(full)
    )
    assert done.code == 3
    assert {item["kind"] for item in done.json["failures"]} == {"no-room"}
    assert all("No space left on device" in item["message"] for item in done.json["failures"])
    assert [path.name for path in full.iterdir()] == ["filler"]


def test_a_cache_of_firmware_on_a_full_disk(tmp_path: Path) -> None:
    """Cache of firmware on a full disk, mounted in a separate name space."""
    skip_without("sim:atmega2560", "mote/xtea")
    from motebench.targets.firmware.build import cache_dir

    script = (
        f'mount -t tmpfs -o size=40k tmpfs {cache_dir()} || exit 99; "$@"; code=$?; '
        f"find {cache_dir()} -name '*.o.*' -o -name '*.elf.*' >parts; exit $code"
    )
    command = [
        sys.executable,
        "-m",
        "motebench",
        "run",
        "--target",
        "sim:atmega2560",
        "--implementation",
        "mote/xtea",
    ]
    command += [
        "--scheme",
        "xtea-ecb",
        "--operation",
        "encrypt",
        "--size",
        "8",
        "--quiet",
        "--json",
    ]
    try:
        done = subprocess.run(
            ["unshare", "-m", "sh", "-c", script, "sh", *command],
            cwd=tmp_path,
            capture_output=True,
            text=True,
            check=False,
        )
    except OSError as error:
        pytest.skip(f"unshare: {error.strerror}")
    if done.returncode in (1, 99) and "motebench" not in done.stderr:
        pytest.skip(f"no disk can be mounted here: {done.stderr.strip()}")
    assert done.returncode == 3, done.stderr
    (failure,) = json.loads(done.stdout)["failures"]
    assert failure["kind"] == "no-room" and "No space left on device" in failure["message"]
    assert (tmp_path / "parts").read_text() == ""
