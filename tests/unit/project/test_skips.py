"""Skipped tests: counted by reason at the end, and a failure with ``--no-skips``."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

TESTS = Path(__file__).parents[2]
SKIPPING = """import pytest

def test_one():
    pytest.skip("no such board")

def test_two():
    pytest.skip("no such board")

def test_three():
    assert True
"""


def run(folder: Path, text: str, *options: str) -> tuple[int, str]:
    (folder / "conftest.py").write_text((TESTS / "conftest.py").read_text("utf-8"), "utf-8")
    (folder / "test_it.py").write_text(text, encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", *options, "test_it.py"],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(TESTS / "support")},
        capture_output=True,
        text=True,
        check=False,
    )
    return done.returncode, done.stdout


@pytest.mark.parametrize(("options", "code"), [((), 0), (("--no-skips",), 1)])
def test_skips_are_counted_and_may_fail_the_session(
    tmp_path: Path, options: tuple[str, ...], code: int
) -> None:
    returned, output = run(tmp_path, SKIPPING, *options)
    assert returned == code
    assert "    2 skipped: no such board" in output.splitlines()


def test_without_a_skip_no_skips_passes(tmp_path: Path) -> None:
    returned, output = run(tmp_path, "def test_it():\n    assert True\n", "--no-skips")
    assert returned == 0
    assert "what this machine lacks" not in output


def test_long_tests_and_absent_texts_are_left_out_not_skipped(tmp_path: Path) -> None:
    text = (
        "import pytest\n"
        "@pytest.mark.long\ndef test_long():\n    assert True\n"
        "@pytest.mark.absent\ndef test_absent():\n    assert True\n"
        "def test_it():\n    assert True\n"
    )
    returned, output = run(tmp_path, text, "--no-skips")
    assert returned == 0
    assert "1 passed, 2 deselected" in output
