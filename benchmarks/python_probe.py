"""The Python probe beside the C probe, where the same code runs below both.

    .venv/bin/python benchmarks/python_probe.py

`cryptography` is OpenSSL behind Python. With long inputs its price vanishes, and it must read what
the probe of OpenSSL reads, for code that both versions of OpenSSL have alike. With short ones the
difference is the price of Python, which is shown and not judged. Two processes of the C probe and
one of the Python probe take turns of 3 ms, in random order. Exit status 1 if a long one differs by
more than the C probe from itself, 3 if none does but the machine was too noisy to see 3 %.
"""

from __future__ import annotations

import argparse
import random

from common import LACKING, machine, say, table
from turns import Beside, Triple, report

from motebench.base.model import Operation
from motebench.catalog import schemes
from motebench.measuring.work.jobs import input_seed, symmetric
from motebench.targets.base import Session
from motebench.targets.host.this_machine import this_machine
from motebench.targets.wire.messages import Fill

LIMIT = 0.03
BLOCKS = 9
REPEATS = 5
BATCH_NS = 3e6
LIMIT_SECONDS = 60.0
# AES-GCM and Blowfish are left out: OpenSSL 4 has other code for them than OpenSSL 3.
LONG = 1 << 20
CELLS = (
    ("aes-128-ctr", Operation.ENCRYPT, LONG),
    ("aes-128-cbc", Operation.ENCRYPT, LONG),
    ("3des-cbc", Operation.ENCRYPT, LONG),
    ("sha256", Operation.DIGEST, LONG),
    ("aes-128-ctr", Operation.ENCRYPT, 16),
    ("aes-128-cbc", Operation.ENCRYPT_MESSAGE, 16),
    ("aes-128-ctr", Operation.ENCRYPT_MESSAGE, LONG),
    ("sha256", Operation.DIGEST, 16),
)
JUDGED = 4
"""Number of cases with long inputs and without long outputs: the first ones."""


def read(sessions: tuple[Session, ...], scheme: str, operation: Operation, size: int) -> Beside:
    """Processor time of an iteration in ns: the C probe, again, the Python probe. All three take
    turns. Of each block of turns the shortest counts, because other programs only add time.
    """
    jobs = [
        symmetric(
            schemes()[scheme], session.offers()[scheme], operation, Fill(input_seed(scheme), size)
        )
        for session in sessions
    ]
    batches = [1, 1, 1]
    triples = []
    for _ in range(BLOCKS):
        least = [float("inf")] * 3
        for _ in range(REPEATS):
            for i in random.sample(range(3), 3):
                timing = sessions[i].measure(
                    jobs[i],
                    batch=batches[i],
                    count=1,
                    warm=1 + batches[i] // 4,
                    timeout=LIMIT_SECONDS,
                )
                assert timing.cpu is not None
                least[i] = min(least[i], timing.cpu[0] / batches[i])
                batches[i] = max(1, round(BATCH_NS / least[i]))
        triples.append(Triple(*least))
    return Beside(tuple(triples), LIMIT)


def main() -> int:
    """Prints the tables."""
    argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0]).parse_args()
    lacking = [
        name for name in ("openssl", "cryptography") if name not in this_machine().implementations()
    ]
    if lacking:
        say(f"python_probe.py lacks the probe of {' and '.join(lacking)}: make setup")
        return LACKING
    head = machine()
    sessions = tuple(this_machine().open(name) for name in ("openssl", "openssl", "cryptography"))
    judged, shown = [], []
    for index, (scheme, operation, size) in enumerate(CELLS):
        say(f"{scheme} {operation.value} {size}")
        beside = read(sessions, scheme, operation, size)
        c, python = beside.medians()
        cells = [scheme, operation.value, str(size), f"{c:.0f}", f"{python:.0f}"]
        if index < JUDGED:
            judged.append((cells, beside))
        else:
            shown.append([*cells, f"{python - c:+.0f} ns"])
    version, loop = sessions[2].hello.version, sessions[2].hello.loop
    print(
        f"{sessions[0].hello.version} and {version}; an empty iteration in Python {loop:.1f} ns; "
        f"{head}"
    )
    print()
    columns = ["scheme", "operation", "B", "openssl ns", "cryptography ns"]
    print(table([*columns, "difference"], shown, left=2))
    print("\nJudged:\n")
    status = report(columns, judged, left=2, limit=LIMIT)
    for session in sessions:
        session.close()
    return status


if __name__ == "__main__":
    raise SystemExit(main())
