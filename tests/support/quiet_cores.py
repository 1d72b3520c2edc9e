"""Processes that work at once as on a machine with nothing else to do: all of their batches
count.
"""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from motebench.measuring.run import timed_case
from motebench.measuring.run.timed_case import CommonWindow, Worked
from motebench.measuring.work import readings


def quiet_cores(monkeypatch: pytest.MonkeyPatch) -> None:
    """However busy the cores are, all processes of a sample worked together, and none was without
    the processor.
    """

    def common(processes: Sequence[Worked]) -> CommonWindow:
        begin = min(process.sent for process in processes)
        end = max(process.came for process in processes)
        return CommonWindow(
            begin, end, tuple(range(len(process.batches)) for process in processes), quiet=True
        )

    monkeypatch.setattr(timed_case, "common", common)
    monkeypatch.setattr(readings, "theft", lambda stolen, elapsed: "")
