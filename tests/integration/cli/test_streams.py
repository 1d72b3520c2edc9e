"""Standard streams that are full, closed, or cannot take every character: reported, and never a
defect.
"""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

COMMAND = (sys.executable, "-m", "motebench")


def shell(line, tmp_path, **environment):
    return subprocess.run(
        ["sh", "-c", f'exec "$@" {line}', "sh", *COMMAND],
        cwd=tmp_path,
        env={**os.environ, **environment},
        capture_output=True,
        timeout=1200,
        check=False,
    )


@pytest.mark.parametrize(
    "arguments", ["--version", "--help", "list schemes", "list devices --json"]
)
def test_output_that_cannot_be_written_does_not_end_well(arguments, tmp_path):
    done = shell(f"{arguments} >/dev/full", tmp_path)
    assert done.returncode == 2
    assert done.stderr.decode() == "motebench: standard output: No space left on device\n"


@pytest.mark.parametrize("unbuffered", ["", "1"])
def test_output_that_fits_in_part_does_not_end_well(unbuffered, tmp_path):
    """Of a limit on the length of files as of a full disk: the first write is short, the next one
    fails.
    """
    script = 'ulimit -f 8; exec "$@" >out.json'
    done = subprocess.run(
        ["sh", "-c", script, "sh", *COMMAND, "list", "schemes", "--json"],
        cwd=tmp_path,
        env={**os.environ, "PYTHONUNBUFFERED": unbuffered},
        capture_output=True,
        text=True,
        timeout=1200,
        check=False,
    )
    assert (tmp_path / "out.json").stat().st_size == 4096
    assert (done.returncode, done.stderr) == (2, "motebench: standard output: File too large\n")


def test_closed_standard_output_is_told(tmp_path):
    done = shell("list schemes >&-", tmp_path)
    assert done.returncode == 2
    assert "standard output is closed" in done.stderr.decode()
    assert shell("list schemes 2>&-", tmp_path).returncode == 0


@pytest.mark.parametrize(
    "environment",
    [
        {"PYTHONIOENCODING": "ascii"},
        {"PYTHONIOENCODING": "latin-1"},
        {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"},
    ],
)
def test_other_encodings_get_marks_of_their_own(environment, tmp_path):
    done = shell("airtime --app-payload 20 --lorawan eu868 --dr 5", tmp_path, **environment)
    assert (done.returncode, done.stderr) == (0, b"")
    plain = shell("describe device samd21g18a", tmp_path, **environment)
    assert plain.returncode == 0, plain.stderr
    found = shell("describe device samd21g18a --json", tmp_path, **environment)
    assert found.stdout.isascii() and found.stdout.startswith(b"{")
