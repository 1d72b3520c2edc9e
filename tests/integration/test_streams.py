"""Standard streams that are full, closed, or cannot take every character: told, and never a defect."""

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
        timeout=60,
        check=False,
    )


@pytest.mark.parametrize("arguments", ["--version", "--help", "list schemes", "list devices --json"])
def test_output_that_cannot_be_written_does_not_end_well(arguments, tmp_path):
    done = shell(f"{arguments} >/dev/full", tmp_path)
    assert done.returncode == 2
    assert done.stderr.decode() == "motebench: standard output: No space left on device\n"


def test_closed_standard_output_is_told(tmp_path):
    done = shell("list schemes >&-", tmp_path)
    assert done.returncode == 2
    assert "standard output is closed" in done.stderr.decode()
    assert shell("list schemes 2>&-", tmp_path).returncode == 0


@pytest.mark.parametrize(
    "environment",
    [{"PYTHONIOENCODING": "ascii"}, {"PYTHONIOENCODING": "latin-1"},
     {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}],
)  # fmt: skip
def test_other_encodings_get_marks_of_their_own(environment, tmp_path):
    done = shell("airtime --app-payload 20 --lorawan eu868 --dr 5", tmp_path, **environment)
    assert (done.returncode, done.stderr) == (0, b"")
    plain = shell("describe device samd21g18a", tmp_path, **environment)
    assert plain.returncode == 0, plain.stderr
    found = shell("describe device samd21g18a --json", tmp_path, **environment)
    assert found.stdout.isascii() and found.stdout.startswith(b"{")
