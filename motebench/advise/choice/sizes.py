"""The flash and static RAM that an implementation adds with its mode, from the sizes of firmware with the probe.

Firmware of a no-op cipher is subtracted. It is of the same kind, because the probe takes more for one kind than for
another, and without a mode of operation, because a device needs the mode.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from motebench.base.interval import Interval
from motebench.base.model import Kind
from motebench.catalog import schemes

WHOLE = ("flash", "static_ram")
"""Metrics of the whole firmware. With ``_net``: the increase over the firmware of a no-op cipher in the same mode."""
_BARE = {Kind.CIPHER: Kind.STREAM, Kind.MAC: Kind.HASH}
"""Kinds whose no-op firmware always has a mode, and the kind whose probe is nearest to theirs without it: a stream
cipher has the interface of a block cipher in a mode, a hash that of a MAC."""
_ONLY_OF_HASHES = 320
"""Bytes of the probe for hashes that firmware of a MAC may be without: linked by hand, AES-CMAC of Mbed TLS took 228
more on a SAMD21 than its firmware took more than that of a no-op hash."""


class Floors:
    """The sizes of no-op firmware of one board, by kind and mode."""

    def __init__(self, measured: Iterable[tuple[str, Mapping[str, float]]]) -> None:
        """``measured``: schemes with the values of their metrics."""
        self._empty: dict[tuple[str, Kind | None, str | None], float] = {}
        self._least: dict[str, float] = {}
        for scheme, values in measured:
            for name in WHOLE:
                if name not in values:
                    continue
                empty = values[name]
                if f"{name}_net" in values:
                    empty -= values[f"{name}_net"]
                    key = (name, *_sort(scheme))
                    self._empty[key] = min(empty, self._empty.get(key, empty))
                self._least[name] = min(empty, self._least.get(name, empty))

    def added(self, scheme: str, known: Mapping[str, Interval]) -> dict[str, Interval]:
        """Bytes of flash and static RAM by name, as far as they are known.

        With a mode of operation the lower bound is without the mode, and the typical and upper value with it and with
        what the probe may take more for this kind; of a MAC the upper value is more by what only the probe for hashes
        has. If no firmware without a mode was measured, the upper bound is the
        whole firmware.
        """
        return {name: self._added(name, scheme, known) for name in WHOLE if name in known}

    def _added(self, name: str, scheme: str, known: Mapping[str, Interval]) -> Interval:
        whole, (kind, mode) = known[name], _sort(scheme)
        empty = self._empty.get((name, kind, mode))
        if empty is None:
            low = max(whole.low - self._least.get(name, whole.low), 0.0)
            return Interval(low, low, whole.high)
        net = Interval(*(max(end - empty, 0.0) for end in (whole.low, whole.typical, whole.high)))
        if kind is None or (mode is None and kind not in _BARE):
            return net
        bare = self._empty.get((name, _BARE.get(kind, kind), None))
        if bare is None:
            return Interval(net.low, net.typical, whole.high)
        most = max(whole.high - bare, net.high)
        beyond = _ONLY_OF_HASHES if kind is Kind.MAC and name == "flash" else 0
        return Interval(net.low, most, most + beyond)


def _sort(scheme: str) -> tuple[Kind | None, str | None]:
    """Kind and mode of a scheme; None for one that the catalog does not have."""
    found = schemes().get(scheme)
    return (None, None) if found is None else (found.kind, found.mode)
