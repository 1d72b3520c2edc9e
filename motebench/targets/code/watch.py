"""The clock of a probe that holds user code, watched from outside: the code could stop it, or slow it down.

Two things that a busy machine cannot break are compared with the time that the probe says a request took:

- the processor time that the kernel accounts to the process. It cannot work for longer than time passes, whatever waits
  in between. What the probe does outside its own readings, frames above all, is allowed for;
- the time between request and reply on this machine's clock, which no part of the request can exceed.

Code that makes the clock wrong by less than the allowance, some per cent of short requests, is not found.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from motebench.base.model import FailureKind
from motebench.targets.wire.messages import ProbeFailure, Timing

_ONCE, _EACH, _BYTE = 20e-3, 0.3e-3, 200e-9
"""Seconds of processor time outside the readings: for starting a process and for accidents, for each request, for each
byte sent."""
_SHARE = 0.02
_CLOCKS, _STEP = 0.01, 5e-3
"""Relative and absolute (seconds) difference that is allowed between clocks of one machine."""


@dataclass(slots=True)
class ClockCheck:
    """All requests to one code so far, in seconds and bytes. ``unsaid``: processor time that the probe's clock did not
    show."""

    requests: int = 0
    worked: float = 0.0
    unsaid: float = 0.0
    sent: int = 0

    def see(self, timing: Timing, *, hz: int, worked: float | None, sent: int) -> None:
        """Compare a timing with the processor time that it took, None if not known, and with its span.

        hz: ticks of the probe's clock in a second. sent: bytes of the request. ProbeFailure of kind ``wrong-answer``.
        """
        if timing.before is None or timing.after is None:
            return
        said = (timing.before + sum(timing.ticks) + timing.after) / hz
        if timing.span is not None:
            passed = timing.span[1] - timing.span[0]
            if said > passed * (1 + _CLOCKS) + _STEP:
                raise _wrong(f"reports {said:.4g} s for a request that took {passed:.4g} s")
        if worked is None:
            return
        self.requests += 1
        self.worked += worked
        self.sent += sent
        self.unsaid += max(0.0, worked - said)
        allowed = _ONCE + _EACH * self.requests + _BYTE * self.sent + _SHARE * self.worked
        if self.unsaid > allowed:
            shown = self.worked - self.unsaid
            raise _wrong(f"shows {shown:.3g} s of the {self.worked:.3g} s that the system accounts to the code")


def _wrong(what: str) -> ProbeFailure:
    return ProbeFailure(
        FailureKind.WRONG_ANSWER, f"the probe's clock {what}: the code changes the clock or the readings"
    )


def processor_seconds(pid: int | None) -> float | None:
    """Processor time of a process with one thread, in ns resolution; None if the system does not report it."""
    try:
        return int(Path(f"/proc/{pid}/schedstat").read_text(encoding="ascii").split()[0]) / 1e9
    except (OSError, ValueError, IndexError):
        return None
