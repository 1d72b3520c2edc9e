"""Own ciphers beside Mbed TLS, BearSSL and LibTomCrypt on simulated boards: same compiler, same
flags, same probe.

A table for each target, in Markdown; ``--target`` and ``--scheme`` choose. Cycles are
exact, so that they need neither repetition nor a quiet machine.

- key: the key schedule. first: ``encrypt`` of one block. block: half of what four cost more than
  two, since some work on two at once; back: ``decrypt``, likewise. ChaCha20: blocks of 64 bytes.
- flash and RAM: beyond the same firmware with an empty cipher; stack: the deepest of the
  operations; state: the caller's memory, schedule and mode.
"""

from __future__ import annotations

import argparse
import tempfile
from collections import defaultdict
from collections.abc import Iterable
from typing import Any

from common import motebench, table

SCHEMES = (
    "aes-128-ecb",
    "aes-128-cbc",
    "aes-128-ctr",
    "aes-128-gcm",
    "des-cbc",
    "3des-cbc",
    "blowfish-128-cbc",
    "camellia-128-cbc",
    "twofish-128-cbc",
    "rc2-128-cbc",
    "rc5-128-cbc",
    "rc6-128-cbc",
    "cast-128-cbc",
    "seed-cbc",
    "xtea-cbc",
    "chacha20",
)
LONG = {"chacha20": 64, "aes-128-gcm": 16}
SMALL = ("des", "3des", "blowfish", "rc2", "rc5-", "cast", "xtea")


def block_of(scheme: str) -> int:
    """Bytes of a block."""
    return LONG.get(scheme, 8 if scheme.startswith(SMALL) else 16)


def measured(target: str, scheme: str, folder: str) -> dict[str, dict[str, float]]:
    """Figures of each implementation by column, and under ``failed`` the reason of a failure."""
    size = block_of(scheme)
    document = motebench(
        "run",
        "--target",
        target,
        "--implementation",
        "mote/*,mbedtls/*,bearssl/*,libtomcrypt/*",
        "--scheme",
        scheme,
        "--operation",
        "key-setup,encrypt,decrypt",
        "--size",
        f"{size},{2 * size},{4 * size}",
        "--budget",
        "900s",
        folder=folder,
    )
    found: dict[str, dict[str, float]] = defaultdict(dict)
    for row in document["measurements"]:
        place(found[row["implementation"]], row, size)
    for failure in document["failures"]:
        found[failure["implementation"]].setdefault("failed", failure["kind"])
    return found


def place(into: dict[str, Any], row: Any, size: int) -> None:
    """One measurement into its column."""
    value = row["median"]
    if row["metric"] == "cycles":
        into[
            (
                f"{row['operation']} "
                f"{0 if row['operation'] == 'key-setup' else row['input_bytes'] // size}"
            )
        ] = value
    elif row["metric"] == "stack":
        into["stack"] = max(value, into.get("stack", 0))
    elif row["metric"] in ("flash_net", "static_ram_net", "state"):
        into[row["metric"]] = value


def line(scheme: str, name: str, of: dict[str, Any]) -> list[str]:
    """A row of the table."""

    def cell(value: float | None) -> str:
        return "" if value is None else f"{value:,.0f}"

    def further(operation: str) -> float | None:
        two, four = of.get(f"{operation} 2"), of.get(f"{operation} 4")
        return (four - two) / 2 if two is not None and four is not None else None

    if "failed" in of and "encrypt 1" not in of:
        return [scheme, name, *[""] * 4, of["failed"], *[""] * 3]
    return [
        scheme,
        name,
        cell(of.get("key-setup 0")),
        cell(of.get("encrypt 1")),
        cell(further("encrypt")),
        cell(further("decrypt")),
        cell(of.get("flash_net")),
        cell(of.get("static_ram_net")),
        cell(of.get("state")),
        cell(of.get("stack")),
    ]


def report(target: str, schemes: Iterable[str], folder: str) -> str:
    """The table of one target."""
    found = {scheme: measured(target, scheme, folder) for scheme in schemes}
    rows = [
        line(scheme, name, of) for scheme, by in found.items() for name, of in sorted(by.items())
    ]
    head = (
        "scheme",
        "implementation",
        "key",
        "first",
        "block",
        "back",
        "flash",
        "RAM",
        "state",
        "stack",
    )
    return f"`{target}`\n\n{table(head, rows, left=2)}"


def main() -> None:
    """Print the table of each target."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--target", default="sim:atmega2560,sim:samd21g18a", help="comma-separated")
    parser.add_argument("--scheme", default=",".join(SCHEMES), help="comma-separated")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        for target in arguments.target.split(","):
            print(report(target, arguments.scheme.split(","), folder), end="\n\n", flush=True)


if __name__ == "__main__":
    main()
