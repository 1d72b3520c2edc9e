"""The checks of published tables: planted errors are found, sound tables have no material
finding.
"""

from __future__ import annotations

import contextlib
import random
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from statistics import fmean, stdev

import pytest
from audit_tables import Row, benchmark, counts, power, rounded, text

from motebench.base.errors import InputError
from motebench.documents.papers import AuditEntry, Weight
from motebench.publications.audit.auditing import audit_file

SEEDS = range(3)


def audited(folder: Path, rows: list[Row], toml: str = "") -> AuditEntry:
    (folder / "t.csv").write_text(text(rows))
    if toml:
        (folder / "t.toml").write_text(toml)
    return audit_file(folder / "t.csv")


def found(entry: AuditEntry) -> set[str]:
    return {finding.check for finding in entry.findings}


def material(entry: AuditEntry) -> list[str]:
    return [
        f"{finding.check}: {finding.what}"
        for finding in entry.findings
        if finding.weight == Weight.MATERIAL
    ]


SOUND: dict[str, Callable[[int], list[Row]]] = {
    "quiet": benchmark,
    "noisy": lambda seed: benchmark(seed, noise=0.3, n=10),
    "very noisy": lambda seed: benchmark(seed, noise=1.0, n=10),
    "two digits": lambda seed: benchmark(seed, decimals=2),
    "whole processes": lambda seed: benchmark(seed, start=0.004, noise=0.1),
    "many readings": lambda seed: benchmark(seed, n=100, noise=0.01),
    "without variance": lambda seed: benchmark(seed, n=5, variance=False),
    "cycles": counts,
    "energy": power,
}


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("kind", SOUND)
def test_a_sound_table_has_no_material_finding(tmp_path: Path, kind: str, seed: int) -> None:
    entry = audited(tmp_path, SOUND[kind](seed))
    assert material(entry) == []
    assert sum(look.looks for look in entry.checks) > 20


def cells_of(entry: AuditEntry, check: str) -> set[int | None]:
    return {
        cell.line for finding in entry.findings if finding.check == check for cell in finding.cells
    }


def slipped_sd(rows: list[Row]) -> None:
    rows[7]["SD (ms)"] = rounded(float(rows[7]["Variance (ms^2)"]) / 100, 4)


def exchanged(rows: list[Row]) -> None:
    sd = rows[7]["SD (ms)"].ljust(6, "1")
    rows[7]["SD (ms)"] = f"9{sd}"


def moved(column: str, factor: float) -> Callable[[list[Row]], None]:
    def change(rows: list[Row]) -> None:
        rows[7][column] = rounded(float(rows[7][column]) * factor, 4)

    return change


def copied(rows: list[Row]) -> None:
    for column in ("Mean (ms)", "SD (ms)", "Variance (ms^2)"):
        rows[7][column] = rows[31][column]


def labelled_again(rows: list[Row]) -> None:
    rows[7]["Size"] = rows[6]["Size"]


def falling(rows: list[Row]) -> None:
    rows[7]["Mean (ms)"] = rounded(float(rows[6]["Mean (ms)"]) / 5, 4)


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize(
    ("plant", "check"),
    [
        (slipped_sd, "sd-variance"),
        (exchanged, "sd-variance"),
        (moved("Mean (ms)", 10), "digit-slip"),
        (moved("Mean (ms)", 0.01), "digit-slip"),
        (moved("Throughput (MB/s)", 1.3), "product"),
        (copied, "repeated-row"),
        (labelled_again, "repeated-label"),
        (falling, "falling-time"),
    ],
)
def test_one_wrong_cell_is_found_where_it_is(
    tmp_path: Path, plant: Callable[[list[Row]], None], check: str, seed: int
) -> None:
    rows = benchmark(seed, decimals=5, noise=0.01)
    plant(rows)
    entry = audited(tmp_path, rows)
    assert check in found(entry)
    assert cells_of(entry, check) & {9, 33}
    assert any(
        finding.check == check and finding.weight == Weight.MATERIAL for finding in entry.findings
    )


def squares(rows: list[Row], n: int = 30) -> None:
    """Means of squares in place of variances."""
    for row in rows:
        mean, sd = float(row["Mean (ms)"]), float(row["SD (ms)"])
        square = mean * mean + sd * sd * (n - 1) / n
        row["Variance (ms^2)"], row["SD (ms)"] = rounded(square, 6), rounded(square**0.5, 5)


def exactly(rows: list[Row]) -> None:
    """Every time is that of the smallest size times the ratio of sizes."""
    for first in range(0, len(rows), 4):
        base = float(rows[first]["Mean (ms)"])
        for step in range(4):
            rows[first + step]["Mean (ms)"] = f"{base * 10**step:.9f}".rstrip("0").rstrip(".")


def tripled(rows: list[Row]) -> None:
    des = {
        (row["Operation"], row["Size"]): row["Mean (ms)"]
        for row in rows
        if row["Algorithm"] == "DES"
    }
    for row in rows:
        if row["Algorithm"] == "3DES":
            mean = des[row["Operation"], row["Size"]]
            row["Mean (ms)"] = f"{3 * float(mean):.{len(mean.partition('.')[2])}f}"


def in_bits(rows: list[Row]) -> None:
    for row in rows:
        size = int(row["Size"].split()[0])
        row["Throughput (MB/s)"] = rounded(8 * size / 1e3 / float(row["Mean (ms)"]), 4)


def limited(rows: list[Row]) -> None:
    """Storage of 3 MB/s limits all at the largest size."""
    rng = random.Random(1)
    for row in rows:
        if row["Size"] == "1000000 B" and row["Algorithm"] != "3DES":
            mean = 333 * rng.uniform(0.997, 1.003)
            row["Mean (ms)"], row["SD (ms)"], row["Variance (ms^2)"] = rounded(mean, 5), "3", "9"
            row["Throughput (MB/s)"] = rounded(1000 / mean, 4)


def one_way(rows: list[Row]) -> None:
    for row in rows:
        if row["Algorithm"] == "Blowfish" and row["Operation"] == "decrypt":
            row["Mean (ms)"] = rounded(1.4 * float(row["Mean (ms)"]), 5)
            row["Throughput (MB/s)"] = rounded(float(row["Throughput (MB/s)"]) / 1.4, 4)


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize(
    ("plant", "checks"),
    [
        (squares, {"second-moment"}),
        (exactly, {"too-exact"}),
        (tripled, {"constant-ratio"}),
        (in_bits, {"product"}),
        (limited, {"falling-throughput", "common-speed"}),
        (one_way, {"direction"}),
    ],
)
def test_an_error_of_a_whole_table_is_found(
    tmp_path: Path, plant: Callable[[list[Row]], None], checks: set[str], seed: int
) -> None:
    rows = benchmark(seed, decimals=5)
    plant(rows)
    entry = audited(tmp_path, rows)
    assert checks <= {
        finding.check for finding in entry.findings if finding.weight == Weight.MATERIAL
    }


@pytest.mark.parametrize("mode", ["CBC", "ECB"])
@pytest.mark.parametrize("factor", [0.5, 2.0])
def test_decryption_may_be_faster_where_blocks_are_chained(
    tmp_path: Path, mode: str, factor: float
) -> None:
    rows = [{**row, "Mode": mode} for row in benchmark(0, decimals=5)]
    for row in rows:
        if row["Algorithm"] == "DES" and row["Operation"] == "decrypt":
            row["Mean (ms)"] = rounded(factor * float(row["Mean (ms)"]), 5)
    assert ("direction" in found(audited(tmp_path, rows))) is (mode == "ECB" or factor > 1)


@pytest.mark.parametrize("seed", SEEDS)
def test_means_off_the_grid_and_impossible_spreads(tmp_path: Path, seed: int) -> None:
    rows = counts(seed, n=17)
    assert not {"grim", "grimmer", "sd-bound", "range"} & found(audited(tmp_path, rows))
    rows[3]["mean cycles"] = f"{float(rows[3]['mean cycles']) + 0.03:.2f}"
    rows[5]["std cycles"] = str(int(rows[5]["max cycles"]) - int(rows[5]["min cycles"]))
    rows[8]["mean cycles"] = f"{int(rows[8]['max cycles']) + 2:.2f}"
    entry = audited(tmp_path, rows)
    assert {"grim", "sd-bound", "range"} <= found(entry)
    assert 5 in cells_of(entry, "grim")
    assert cells_of(entry, "sd-bound") >= {7}
    assert cells_of(entry, "range") == {10}


def whole(seed: int, divisors: dict[str, int]) -> Iterator[Row]:
    """Memory in pages of 4: mean and variance of 50 readings, with a divisor for each column."""
    rng = random.Random(seed)
    for size in (100, 1000):
        for name in ("AES", "DES", "3DES", "RC4"):
            for operation, less in divisors.items():
                readings = [4 * rng.randrange(600, 680) for _ in range(50)]
                variance = stdev(readings) ** 2 * 49 / (50 - less)
                yield {
                    "Algorithm": name,
                    "Operation": operation,
                    "Size": f"{size} kB",
                    "n": "50",
                    "Mean memory (KB)": f"{fmean(readings):.2f}",
                    "Variance": f"{variance:.2f}",
                }


@pytest.mark.parametrize("seed", SEEDS)
def test_the_divisor_of_a_variance_is_told_from_its_digits(tmp_path: Path, seed: int) -> None:
    toml = "[resolution]\nmemory = 4\n"
    alike = audited(tmp_path, list(whole(seed, {"encrypt": 1, "decrypt": 1})), toml)
    assert not {"divisor", "grimmer"} & found(alike)
    apart = audited(tmp_path, list(whole(seed, {"encrypt": 1, "decrypt": 0})), toml)
    assert "divisor" in found(apart)
    assert "grimmer" not in found(apart)
    rows = list(whole(seed, {"encrypt": 1, "decrypt": 1}))
    rows[2]["Variance"] = f"{float(rows[2]['Variance']) + 1.37:.2f}"
    assert cells_of(audited(tmp_path, rows, toml), "grimmer") == {4}


def test_amperes_that_can_only_be_milliamperes(tmp_path: Path) -> None:
    rows = [
        {
            **{name: value for name, value in row.items() if "mA" not in name},
            "Current (A)": row["Current (mA)"],
        }
        for row in power(0)
    ]
    entry = audited(tmp_path, rows)
    assert any(
        finding.check == "product" and "off by 1000" in finding.what for finding in entry.findings
    )


STRANGE = (
    "0",
    "-1",
    "",
    "-",
    "1e9",
    "1e-30",
    "12 %",
    "5 ms",
    "0,5",
    "999999999999",
    "00",
    "+7",
    "100 MB",
    "3DES",
)


@pytest.mark.parametrize("seed", range(20))
def test_strange_cells_are_checked_or_refused(tmp_path: Path, seed: int) -> None:
    rng = random.Random(seed)
    rows = rng.choice(
        [lambda: benchmark(seed, sizes=(16, 1000)), lambda: counts(seed), lambda: power(seed)]
    )()
    for _ in range(6):
        row = rng.choice(rows)
        row[rng.choice(list(row))] = rng.choice(STRANGE)
    with contextlib.suppress(InputError):
        assert audited(tmp_path, rows).checks


def test_a_negative_spread_is_found(tmp_path: Path) -> None:
    rows = benchmark(0)
    rows[7]["SD (ms)"] = "-0.3"
    assert 9 in cells_of(audited(tmp_path, rows), "sd-bound")


def test_a_finding_has_its_computation(tmp_path: Path) -> None:
    rows = benchmark(0)
    slipped_sd(rows)
    (finding,) = [each for each in audited(tmp_path, rows).findings if each.check == "sd-variance"]
    assert finding.formula and finding.reference
    (cell,) = finding.cells
    assert cell.printed == rows[7]["SD (ms)"]
    assert float(cell.computed) == pytest.approx(float(rows[7]["Variance (ms^2)"]) ** 0.5, rel=1e-3)


SIZES = (64, 512, 4096, 32768)


def measured(seed: int) -> dict[str, list[float]]:
    """Times in ms of four ciphers at `SIZES`, of one reading each."""
    rng = random.Random(seed)
    speeds = {"AES": 22.0, "3DES": 5.0, "ChaCha20": 40.0, "PRESENT": 2.2}
    return {
        name: [(0.02 + size / speed / 1e3) * rng.uniform(0.97, 1.03) for size in SIZES]
        for name, speed in speeds.items()
    }


def checked(tmp_path: Path, header: str, rows: Iterable[str]) -> list[str]:
    """The checks that found something more than a note."""
    path = tmp_path / "table.csv"
    path.write_text("\n".join((header, *rows)) + "\n", encoding="utf-8")
    return [each.check for each in audit_file(path).findings if each.weight != "note"]


@pytest.mark.parametrize("seed", range(3))
def test_a_column_that_is_a_copy_of_another_ciphers(tmp_path: Path, seed: int) -> None:
    times = measured(seed)
    header = f"Message,{','.join(f'{name} (ms)' for name in times)}"

    def rows() -> list[str]:
        return [
            f"{size} B,{','.join(f'{of[at]:.5g}' for of in times.values())}"
            for at, size in enumerate(SIZES)
        ]

    assert not checked(tmp_path, header, rows())
    times["ChaCha20"] = times["AES"]
    assert "repeated-row" in checked(tmp_path, header, rows())


@pytest.mark.parametrize(
    ("volts", "clock", "found"), [(3.3, 48, False), (1.0, 48, True), (3.3, 16, True)]
)
def test_a_factor_that_is_missing_in_every_row(
    tmp_path: Path, volts: float, clock: float, found: bool
) -> None:
    times = measured(1)
    header = "Scheme,Bytes,Power (mW),Time (ms),Energy (uJ),Cycles,Clock (MHz)"
    rows = [
        f"{name},{size},{3.3 * 8.5:.4f},{ms:.6g},{volts * 8.5 * ms:.6g},{ms * clock * 1e3:.6g},48"
        for name, of in times.items()
        for size, ms in zip(SIZES, of, strict=True)
    ]
    assert ("product" in checked(tmp_path, header, rows)) is found
