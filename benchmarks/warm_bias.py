"""Excess of the first timed batch of a fresh process over the batches behind it, by the time it was
warmed up for.

A visit starts a fresh probe, runs the operation untimed for a while and then times one batch. This
prints by how much that batch is slower than the median of batches 10 to 24 behind it, in the same
process: the bias that a run has. Each figure is the median over processes, with its 95 % interval;
batches during which the process had not the processor are left out. Warm-up times take turns, in a
new random order for each process.

    .venv/bin/python benchmarks/warm_bias.py [--processes 60] [--warm 0.25ms,2ms,5ms,10ms] [--batch
    2ms]
"""

from __future__ import annotations

import argparse
import math
import random
from statistics import median

from motebench.base.model import Case, Operation
from motebench.base.units import parse_duration
from motebench.catalog import schemes
from motebench.measuring.work import jobs
from motebench.measuring.work.readings import away
from motebench.stats import describe
from motebench.targets.base import Session
from motebench.targets.host.this_machine import this_machine
from motebench.targets.wire.messages import Job

CASES = (
    ("openssl", "aes-128-cbc", "encrypt", 1024),
    ("openssl", "3des-cbc", "encrypt", 1024),
    ("nettle", "sha256", "digest", 64),
    ("mbedtls", "aes-128-cbc", "encrypt-message", 16),
)
BATCHES, TAIL = 25, 10
QUIET = 0.01


def a_job(session: Session, case: Case) -> Job:
    """Job that a run would give to that session."""
    return jobs.build(case, schemes()[case.scheme], session.offers()[case.scheme], session, 60.0)


def seconds_each(session: Session, job: Job) -> float:
    """Seconds of one operation, roughly."""
    timing = session.measure(job, batch=200, count=20, warm=200, timeout=60.0)
    return min(timing.ticks) / 200 / session.hello.clock.hz


def bias(case: Case, warm: float, batch: float, each: float) -> float | None:
    """The first batch of a fresh process over the median of later ones, less 1; None where either
    was disturbed.
    """
    session = this_machine().open(case.provider)
    try:
        job = a_job(session, case)
        asked = math.ceil(batch / each), math.ceil(warm / each)
        timing = session.measure(job, batch=asked[0], count=BATCHES, warm=asked[1], timeout=60.0)
    finally:
        session.close()
    assert timing.cpu is not None
    quiet = [away(*pair) < QUIET for pair in zip(timing.ticks, timing.cpu, strict=True)]
    tail = [ticks for ticks, good in list(zip(timing.ticks, quiet, strict=True))[TAIL:] if good]
    return timing.ticks[0] / median(tail) - 1 if quiet[0] and len(tail) > 2 else None


def main() -> None:
    """Print a line for each case and warm-up."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--processes", type=int, default=60)
    parser.add_argument("--warm", default="0.25ms,2ms,5ms,10ms")
    parser.add_argument("--batch", default="2ms")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    warms, batch = (
        [parse_duration(text) for text in options.warm.split(",")],
        parse_duration(options.batch),
    )
    rng = random.Random(options.seed)
    print(f"{'case':<44} {'warm-up':>8} {'bias':>8}  95 % interval        processes")
    for implementation, scheme, operation, size in CASES:
        case = Case(scheme, implementation, Operation(operation), size, "host", implementation)
        session = this_machine().open(implementation)
        each = seconds_each(session, a_job(session, case))
        session.close()
        found: dict[float, list[float]] = {warm: [] for warm in warms}
        for _ in range(options.processes):
            for warm in rng.sample(warms, len(warms)):
                read = bias(case, warm, batch, each)
                if read is not None:
                    found[warm].append(read)
        for warm, values in found.items():
            said = describe(values)
            low, high = (
                ("", "") if said.ci_low is None else (f"{said.ci_low:+.2%}", f"{said.ci_high:+.2%}")
            )
            name = f"{scheme} {implementation} {operation} {size} B"
            print(
                f"{name:<44} {warm * 1e3:>5g} ms {said.median:>+8.2%}  {low:>8} to {high:<8} "
                f"{said.n:>6}"
            )


if __name__ == "__main__":
    main()
