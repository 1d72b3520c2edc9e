"""RAPL: the energy counters of Intel and AMD processors, as Linux shows them under /sys/class/powercap.

Files: Documentation/power/powercap/powercap.rst of the kernel. ``energy_uj`` counts microjoules and restarts at 0 after
``max_energy_range_uj``; the processor updates it about every millisecond (Intel SDM, volume 3B, RAPL).
"""

from __future__ import annotations

from pathlib import Path

from motebench.base.errors import InputError, SetupError
from motebench.measuring.instruments.base import Clock, Info, InstrumentLost, Sample, Shape
from motebench.measuring.instruments.polling import Pace
from motebench.measuring.instruments.settings import WHERE, read

ROOT = Path("/sys/class/powercap")
_MOST_W = 1000.0
"""No processor takes more. The counter must not wrap at this power between two readings."""


def zones(root: Path = ROOT) -> dict[str, str]:
    """Counters by the name of their folder, with what they count."""
    found = {}
    for path in sorted(root.glob("intel-rapl:*")):
        try:
            found[path.name] = (path / "name").read_text().strip()
        except OSError:
            continue
    return found


class Rapl:
    """An `Instrument`. Setting: ``zone``, by default the only package."""

    def __init__(self, text: str, root: Path = ROOT) -> None:
        there = zones(root)
        packages = [zone for zone, counts in there.items() if counts.startswith("package")]
        zone = read(text, ("zone",)).get("zone") or (packages[0] if len(packages) == 1 else None)
        if not there:
            raise SetupError(
                f"there is no RAPL counter in {root}",
                hint="it needs an Intel or AMD processor, not a virtual machine, and the module intel_rapl_msr",
            )
        if zone not in there:
            what = f"unknown counter {zone!r}" if zone else "there are several counters, and none is chosen"
            valid = ", ".join(f"rapl:{name} ({counts})" for name, counts in there.items())
            raise InputError(what, where=WHERE, valid=valid)
        self._folder = root / zone
        self.info = Info(
            name=f"rapl:{zone}",
            measures=f"the processor's {there[zone]}, as it estimates itself",
            shape=Shape.MEAN,
            rate_hz=100.0,
            accuracy=None,
            accuracy_of="the makers of processors state no accuracy for RAPL",
            timing_s=0.001,
            counts=True,
            polled=True,
        )
        try:
            self._range = self._number("max_energy_range_uj")
            self._last = self._number("energy_uj")
        except PermissionError as error:
            raise SetupError(f"{error.filename} may not be read", hint=f"as root: chmod a+r {error.filename}") from None
        except OSError as error:
            raise SetupError(f"{error.filename} cannot be read: {error.strerror}") from None
        self._time: float | None = None

    def start(self, clock: Clock) -> None:
        """Begin."""
        self._pace = Pace(clock, self.info.period_s)

    def read(self) -> list[Sample]:
        """The mean power since the last reading."""
        now, count = self._pace.wait(), self._number("energy_uj")
        if self._time is None:
            self._time, self._last = now, count
            return [Sample(now, 0.0)]
        seconds = now - self._time
        if seconds <= 0:
            return []
        if seconds * _MOST_W * 1e6 > self._range:
            raise InstrumentLost(f"was not read for {seconds:.0f} s: its counter may have begun again more than once")
        used = count - self._last if count >= self._last else count - self._last + self._range
        self._time, self._last = now, count
        return [Sample(now, used * 1e-6 / seconds)]

    def stop(self) -> None:
        """Nothing to release."""

    def _number(self, name: str) -> int:
        text = (self._folder / name).read_text()
        try:
            return int(text)
        except ValueError:
            raise InstrumentLost(f"{self._folder / name} contains {text.strip()!r}, which is not a number") from None
