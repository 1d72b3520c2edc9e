"""Sound tables as a paper could publish them: random readings, means and spreads with proper
rounding.
"""

from __future__ import annotations

import csv
import io
import random
from collections.abc import Iterable, Mapping, Sequence
from statistics import fmean, stdev

Row = dict[str, str]

SPEEDS = {
    "AES": (30.0, 128),
    "DES": (12.0, 56),
    "3DES": (4.3, 168),
    "Blowfish": (25.0, 128),
    "RC4": (60.0, 128),
}
"""MB/s of a slow machine, and bits of the key."""


def rounded(value: float, digits: int) -> str:
    """The value with ``digits`` significant digits, without an exponent."""
    return f"{float(f'{value:.{digits}g}'):.12f}".rstrip("0").rstrip(".")


def text(rows: Sequence[Mapping[str, str]]) -> str:
    out = io.StringIO()
    writer = csv.DictWriter(out, list(rows[0]), lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return out.getvalue()


def benchmark(
    seed: int,
    *,
    n: int = 30,
    sizes: Iterable[int] = (1000, 10_000, 100_000, 1_000_000),
    start: float = 2e-6,
    noise: float = 0.03,
    decimals: int = 4,
    variance: bool = True,
) -> list[Row]:
    """Times in ms of several ciphers at several sizes, in both directions: mean, sd, variance and
    throughput.
    """
    rng = random.Random(seed)
    rows = []
    speeds = {name: speed * rng.uniform(0.8, 1.25) for name, (speed, _) in SPEEDS.items()}
    speeds["3DES"] = speeds["DES"] / rng.uniform(2.5, 3.1)
    for name, speed in speeds.items():
        for direction in ("encrypt", "decrypt"):
            for size in sizes:
                ideal = start + size / (speed * 1e6)
                readings = [1e3 * ideal * rng.lognormvariate(0, noise) for _ in range(n)]
                mean, sd = fmean(readings), stdev(readings)
                row = {
                    "Algorithm": name,
                    "Key (bits)": str(SPEEDS[name][1]),
                    "Operation": direction,
                    "Size": f"{size} B",
                    "n": str(n),
                    "Mean (ms)": rounded(mean, decimals),
                    "SD (ms)": rounded(sd, max(2, decimals - 1)),
                    "Throughput (MB/s)": rounded(size / 1e3 / mean, 4),
                }
                if variance:
                    row["Variance (ms^2)"] = rounded(sd * sd, decimals)
                rows.append(row)
    return rows


def counts(seed: int, *, n: int = 20) -> list[Row]:
    """Whole cycles of a board: means of n integer readings to two decimals, their sd, minimum and
    maximum.
    """
    rng = random.Random(seed)
    rows = []
    for name, (speed, bits) in SPEEDS.items():
        for size in (16, 64, 256):
            base = 900 + size * 2000 / speed
            readings = [int(base * rng.uniform(0.98, 1.02)) for _ in range(n)]
            rows.append(
                {
                    "cipher": name,
                    "key size": str(bits),
                    "bytes": str(size),
                    "runs": str(n),
                    "mean cycles": f"{fmean(readings):.2f}",
                    "std cycles": f"{stdev(readings):.2f}",
                    "min cycles": str(min(readings)),
                    "max cycles": str(max(readings)),
                }
            )
    return rows


def power(seed: int) -> list[Row]:
    """Current, power, time and energy of messages, each derived from unrounded numbers."""
    rng = random.Random(seed)
    rows = []
    for name, (speed, _) in SPEEDS.items():
        for size in (1000, 4000, 16000):
            current, seconds = (
                rng.uniform(0.019, 0.022),
                (0.0003 + size / speed / 1e6) * rng.uniform(0.98, 1.02),
            )
            rows.append(
                {
                    "Algorithm": name,
                    "Message size (bytes)": str(size),
                    "Current (mA)": f"{current * 1e3:.2f}",
                    "Power (mW)": f"{current * 5e3:.1f}",
                    "Time (ms)": rounded(seconds * 1e3, 4),
                    "Energy (mJ)": rounded(current * 5 * seconds * 1e3, 4),
                }
            )
    return rows
