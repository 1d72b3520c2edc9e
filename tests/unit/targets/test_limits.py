"""Programs under limits: what they reach is named, and nothing of them stays."""

from __future__ import annotations

import sys

import pytest

from motebench.base.model import FailureKind
from motebench.targets.firmware.limits import CompilerLimits, LimitReached, run_limited


def python(text: str) -> list[str]:
    return [sys.executable, "-S", "-c", text]


def test_what_a_program_reads_and_writes_passes():
    done = run_limited(
        python("import sys; print(sys.stdin.read()); print('w', file=sys.stderr); sys.exit(3)"),
        "given",
    )
    assert (done.returncode, done.stdout, done.stderr) == (3, "given\n", "w\n")


FILLS = "import os, signal; signal.signal(25, 0); [os.write(1, b'x' * 9999) for _ in range(999)]"


@pytest.mark.parametrize(
    ("text", "limits", "words"),
    [
        (
            "import sys; sys.stderr.write('out of memory'); sys.exit(1)",
            CompilerLimits(),
            "2048 MiB of memory: out of memory",
        ),
        ("while True: pass", CompilerLimits(processor=1), "1 s of processor time"),
        ("import time; time.sleep(60)", CompilerLimits(elapsed=1), "did not end within 1 s"),
        ("import time; time.sleep(60)", CompilerLimits(idle=1), "did not compute for 1 s"),
        (FILLS, CompilerLimits(file=1), "1 MiB for a file that it writes"),
    ],
)
def test_a_limit_that_is_reached_is_named(text, limits, words):
    with pytest.raises(LimitReached) as caught:
        run_limited(python(text), limits=limits)
    assert caught.value.kind is FailureKind.BUILD and words in caught.value.message


def test_a_program_that_is_not_there_says_so():
    done = run_limited(["motebench-no-such-program"])
    assert done.returncode == 127 and "motebench-no-such-program" in done.stderr


def test_memory_is_limited():
    assert (
        "MemoryError"
        in run_limited(
            python("b = bytearray(1 << 32)"), limits=CompilerLimits(memory=1 << 10)
        ).stderr
    )
