"""Reference loop of a probe in each language, and of probes without one."""

from __future__ import annotations

import sys

import pytest

from motebench.targets.session import ProbeSession
from motebench.targets.wire.messages import Fill, Job
from motebench.targets.wire.stream import ProcessStream
from tests.integration.conftest import PROBES, probe_of

JOB = Job("sha256", "digest", data=Fill(1, 64))


@pytest.mark.parametrize("implementation", ["openssl", "pycryptodome", "sunjce"])
def test_a_probe_times_the_reference_loop_beside_each_batch_where_it_is_asked(
    implementation: str,
) -> None:
    session = ProbeSession(lambda: ProcessStream([str(probe_of(implementation))]))
    try:
        timing = session.measure(JOB, batch=2, count=3, warm=1, timeout=60, reference=True)
        assert (
            timing.reference_loop is not None
            and len(timing.reference_loop) == len(timing.ticks) == 3
        )
        plain = session.measure(JOB, batch=2, count=3, warm=1, timeout=60)
        assert plain.reference_loop is None and plain.crc == timing.crc
    finally:
        session.close()


def test_a_probe_that_does_not_know_the_loop_answers_without_it() -> None:
    session = ProbeSession(
        lambda: ProcessStream([sys.executable, str(PROBES / "motebench-probe-pysha")])
    )
    try:
        timing = session.measure(JOB, batch=2, count=3, warm=1, timeout=60, reference=True)
        assert len(timing.ticks) == 3 and timing.reference_loop is None
    finally:
        session.close()
