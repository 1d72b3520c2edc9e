"""The Python probe against the C probe, where the same code runs below both.

    .venv/bin/python benchmarks/python_probe.py

`cryptography` is OpenSSL behind Python. With long inputs its price vanishes, and it must read what the probe of OpenSSL
reads, for code that both versions of OpenSSL have alike. With short ones the difference is the price of Python, which
is shown and not judged. Exit status 1 if a long one is further off than the goal.
"""

from __future__ import annotations

from common import machine, say, table

from motebench.base.model import Operation
from motebench.catalog import schemes
from motebench.measuring.work.jobs import input_seed, symmetric
from motebench.targets.base import Session
from motebench.targets.host.this_machine import this_machine
from motebench.targets.wire.messages import Fill

GOAL = 0.03
REPEATS = 40
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
"""So many of them have long inputs and make no long output."""


def fastest(sessions: tuple[Session, Session], scheme: str, operation: Operation, size: int) -> tuple[float, float]:
    """Least processor time per iteration of each, in ns; readings alternate.

    The fastest, not the median: what else ran on the machine only adds, and not to both alike.
    """
    jobs = [
        symmetric(schemes()[scheme], session.offers()[scheme], operation, Fill(input_seed(scheme), size))
        for session in sessions
    ]
    least = [float("inf"), float("inf")]
    batches = [1, 1]
    for _ in range(REPEATS):
        for i, session in enumerate(sessions):
            timing = session.measure(
                jobs[i], batch=batches[i], count=1, warm=1 + batches[i] // 4, timeout=LIMIT_SECONDS
            )
            assert timing.cpu is not None
            least[i] = min(least[i], timing.cpu[0] / batches[i])
            batches[i] = max(1, round(BATCH_NS / least[i]))
    return least[0], least[1]


def main() -> int:
    """Prints the table."""
    sessions = (this_machine().open("openssl"), this_machine().open("cryptography"))
    rows, missed = [], 0
    for index, (scheme, operation, size) in enumerate(CELLS):
        say(f"{scheme} {operation.value} {size}")
        c, python = fastest(sessions, scheme, operation, size)
        off = python / c - 1
        good = abs(off) <= GOAL
        judged = index < JUDGED
        missed += judged and not good
        rows.append(
            [
                scheme,
                operation.value,
                str(size),
                f"{c:.0f}",
                f"{python:.0f}",
                f"{100 * off:+.1f} %" if judged else f"{python - c:+.0f} ns",
                ("yes" if good else "no") if judged else "not judged",
            ]
        )
    version, loop = sessions[1].hello.version, sessions[1].hello.loop
    print(f"{sessions[0].hello.version} and {version}; an empty iteration in Python {loop:.1f} ns; {machine()}")
    print()
    head = ["scheme", "operation", "B", "openssl ns", "cryptography ns", "off", f"within {100 * GOAL:g} %"]
    print(table(head, rows, left=2))
    for session in sessions:
        session.close()
    return 1 if missed else 0


if __name__ == "__main__":
    raise SystemExit(main())
