"""Tables as papers have them: thirty kinds, sound or with one planted error, in the forms that
people have.

A kind makes a table from random measurements, rounds every number properly, and can plant its
error. The words of the headers come in several languages. A form writes the table to a file.
"""

from __future__ import annotations

import io
import random
import re
import zipfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from html import escape
from pathlib import Path
from statistics import fmean, median, stdev

LEFT, ABOVE = "<", "^"
"""Markers of a cell that is merged with the cell to its left, or above."""
WORDS = {
    "en": (
        "Algorithm Size Time Energy Power Total Share Speedup Throughput Memory Encryption "
        "Decryption Mean Cycles"
    ),
    "de": "Verfahren Größe Zeit Energie Leistung Gesamt Anteil Beschleunigung Durchsatz Speicher "
    "Verschlüsselung "
    "Entschlüsselung Mittelwert Zyklen",
    "fr": "Algorithme Taille Temps Énergie Puissance Total Part Accélération Débit Mémoire "
    "Chiffrement Déchiffrement "
    "Moyenne Cycles",
    "es": "Algoritmo Tamaño Tiempo Energía Potencia Total Proporción Aceleración Caudal Memoria "
    "Cifrado Descifrado "
    "Media Ciclos",
    "pt": "Algoritmo Tamanho Tempo Energia Potência Total Proporção Aceleração Vazão Memória "
    "Cifragem Decifragem "
    "Média Ciclos",
    "zh": "算法 大小 时间 能耗 功率 总计 占比 加速比 吞吐量 内存 加密 解密 平均 周期",
}
SPREADS = {
    "en": "Std. dev.",
    "de": "Standardabweichung",
    "fr": "Écart-type",
    "es": "Desviación estándar",
    "pt": "Desvio padrão",
    "zh": "标准差",
}
CIPHERS = {
    "AES": 30.0,
    "Blowfish": 25.0,
    "ChaCha20": 55.0,
    "DES": 12.0,
    "3DES": 4.1,
    "PRESENT": 2.3,
}
"""MB/s of a slow computer."""


@dataclass
class PaperTable:
    """A table of a paper: title, one or two header rows, rows, notes. ``wrong``: the planted number
    as printed.
    """

    title: str
    head: list[list[str]]
    rows: list[list[str]]
    notes: list[str] = field(default_factory=list)
    wrong: str = ""


class Author:
    """Words of a language, random measurements, and whether an error is planted."""

    def __init__(self, seed: int, language: str, planted: bool) -> None:
        self.random = random.Random(seed)
        self.planted = planted
        names = WORDS["en"].split()
        self._words = dict(zip(names, WORDS[language].split(), strict=True)) | {
            "SD": SPREADS[language]
        }

    def word(self, name: str) -> str:
        """A word of a header in the language."""
        return self._words[name]

    def times(self, size: float = 4096.0, noise: float = 0.02) -> dict[str, float]:
        """Milliseconds by cipher."""
        return {
            name: (0.02 + size / speed / 1e3) * self.random.lognormvariate(0, noise)
            for name, speed in CIPHERS.items()
        }

    def error(self, table: PaperTable, row: int, column: int, factor: float) -> PaperTable:
        """The table, with one number times a factor if an error is planted, to the same digits."""
        if self.planted:
            text = table.rows[row][column]
            number = re.search(r"\d+(?:\.\d+)?", text)[0]  # type: ignore[index]
            decimals = len(number.partition(".")[2])
            wrong = f"{float(number) * factor:.{decimals}f}"
            table.rows[row][column] = text.replace(number, wrong, 1)
            table.wrong = wrong
        return table


def speedup(a: Author) -> PaperTable:
    rows = []
    for name, ms in a.times().items():
        fast = ms / a.random.uniform(2, 6)
        rows.append([name, f"{ms:.3f}", f"{fast:.3f}", f"{ms / fast:.2f}"])
    table = PaperTable(
        "Table 3: C against assembly",
        [
            [
                a.word("Algorithm"),
                f"{a.word('Time')} C (ms)",
                f"{a.word('Time')} ASM (ms)",
                f"{a.word('Speedup')} (x)",
            ]
        ],
        rows,
    )
    return a.error(table, 2, 3, 1.3)


def parts_and_total(a: Author) -> PaperTable:
    rows = []
    for name, ms in a.times().items():
        parts = [ms * a.random.uniform(0.1, 0.3), ms, ms * a.random.uniform(0.05, 0.2)]
        rows.append([name, *(f"{part:.2f}" for part in parts), f"{sum(parts):.2f}"])
    table = PaperTable(
        "Tab. 1",
        [
            [
                a.word("Algorithm"),
                "Set-up [ms]",
                f"{a.word('Encryption')} [ms]",
                "MAC [ms]",
                f"{a.word('Total')} [ms]",
            ]
        ],
        rows,
        ["All times are means of 100 runs."],
    )
    return a.error(table, 3, 4, 1.1)


def shares(a: Author) -> PaperTable:
    parts = {
        name: a.random.uniform(20, 300)
        for name in ("Radio", "Sensor", "Encryption", "Flash", "Sleep")
    }
    total = sum(parts.values())
    rows = [[name, f"{mj:.1f}", f"{100 * mj / total:.1f} %"] for name, mj in parts.items()]
    rows.append([a.word("Total"), f"{total:.1f}", "100.0 %"])
    table = PaperTable(
        "Energy of a day", [["Part", f"{a.word('Energy')} (mJ)", a.word("Share")]], rows
    )
    return a.error(table, 2, 2, 1.35)


def overhead(a: Author) -> PaperTable:
    rows = []
    for name, ms in a.times().items():
        more = ms * a.random.uniform(1.05, 1.6)
        rows.append([name, f"{ms:.3f}", f"{more:.3f}", f"{100 * (more / ms - 1):.1f}"])
    table = PaperTable(
        "Cost of masking",
        [
            [
                a.word("Algorithm"),
                f"Plain {a.word('Time')} (ms)",
                f"Masked {a.word('Time')} (ms)",
                "Overhead (%)",
            ]
        ],
        rows,
    )
    return a.error(table, 1, 3, 1.8)


def relative_to_row(a: Author) -> PaperTable:
    times = a.times()
    rows = [[name, f"{ms * 16e3:.0f}", f"{ms / times['AES']:.2f}"] for name, ms in times.items()]
    table = PaperTable(
        "Cycles on a Cortex-M4",
        [[a.word("Algorithm"), a.word("Cycles"), "Relative to AES"]],
        rows,
        ["* without DMA"],
    )
    return a.error(table, 3, 2, 1.4)


def sizes_with_mean(a: Author) -> PaperTable:
    names = list(CIPHERS)
    by_size = [a.times(size) for size in (1000, 10_000, 100_000, 1_000_000)]
    rows = [
        [text, *(f"{of[name]:.2f}" for name in names)]
        for text, of in zip(("1 KB", "10 KB", "100 KB", "1 MB"), by_size, strict=True)
    ]
    rows.append([a.word("Mean"), *(f"{fmean(of[name] for of in by_size):.2f}" for name in names)])
    table = PaperTable(f"{a.word('Time')} (ms)", [[a.word("Size"), *names]], rows)
    return a.error(table, 4, 2, 1.25)


def growth(a: Author) -> PaperTable:
    mj, rows = 40.0, []
    for index, payload in enumerate((16, 32, 64, 128, 256, 512)):
        before, mj = mj, mj * a.random.uniform(1.1, 1.7)
        rows.append([str(payload), f"{mj:.2f}", f"{100 * (mj / before - 1):.1f}" if index else "–"])
    table = PaperTable(
        "Energy by payload",
        [[f"{a.word('Size')} (B)", f"{a.word('Energy')} (mJ)", "Increase (%)"]],
        rows,
    )
    return a.error(table, 3, 2, 1.5)


def efficiency(a: Author) -> PaperTable:
    rows = []
    for name, ms in a.times().items():
        speed, watt = 4.096 / ms, a.random.uniform(0.9, 1.4)
        rows.append([name, f"{speed:.3f}", f"{watt:.3f}", f"{speed / watt:.3f}"])
    table = PaperTable(
        "Efficiency",
        [
            [
                a.word("Algorithm"),
                f"{a.word('Throughput')} (MB/s)",
                f"{a.word('Power')} (W)",
                "Efficiency (MB/J)",
            ]
        ],
        rows,
    )
    return a.error(table, 4, 3, 0.8)


def plus_minus(a: Author) -> PaperTable:
    rows = []
    for name, ms in a.times(16384).items():
        row = [f"{name} [{a.random.randrange(3, 40)}]"]
        for factor in (1, 1.05, 8.0):
            mean = ms * factor * a.random.lognormvariate(0, 0.01)
            row.append(f"{mean:.2f} ± {mean * a.random.uniform(0.01, 0.03):.2f}")
        rows.append(row)
    table = PaperTable(
        "Times of 16 KB",
        [
            ["", "PC", LEFT, "Board"],
            [
                a.word("Algorithm"),
                f"{a.word('Encryption')} (ms)",
                f"{a.word('Decryption')} (ms)",
                f"{a.word('Encryption')} (ms)",
            ],
        ],
        rows,
    )
    return a.error(table, 3, 3, 10)


def sd_is_variance(a: Author) -> PaperTable:
    rows = []
    for index, (name, ms) in enumerate(a.times(65536).items()):
        readings = [a.random.gauss(ms, ms * 0.04) for _ in range(20)]
        sd = stdev(readings)
        printed = sd * sd if a.planted and index == 3 else sd
        rows.append([name, f"{fmean(readings):.3f}", f"{printed:.4f}", f"{sd * sd:.4f}"])
    wrong = rows[3][2] if a.planted else ""
    heads = [
        a.word("Algorithm"),
        f"{a.word('Time')} (ms)",
        f"{a.word('SD')} (ms)",
        "Variance (ms²)",
    ]
    return PaperTable("Spread", [heads], rows, wrong=wrong)


def energy_product(a: Author) -> PaperTable:
    rows = []
    for name, ms in a.times().items():
        mw = a.random.uniform(60, 90)
        rows.append([name, f"{mw:.2f}", f"{ms:.3f}", f"{mw * ms:.1f}"])
    heads = [
        a.word("Algorithm"),
        f"{a.word('Power')} (mW)",
        f"{a.word('Time')} (ms)",
        f"{a.word('Energy')} (µJ)",
    ]
    return a.error(PaperTable("Table IV", [heads], rows, ["ᵃ supply of 3.3 V"]), 2, 1, 1.2)


def exchanged_rows(a: Author) -> PaperTable:
    by_size = {size: a.times(size) for size in (1000, 10_000, 100_000)}
    rows = [[name, *(f"{of[name]:.3f}" for of in by_size.values())] for name in CIPHERS]
    if a.planted:
        rows[3][1:], rows[4][1:] = rows[4][1:], rows[3][1:]
    heads = [a.word("Algorithm"), *(f"{size // 1000} KB" for size in by_size)]
    wrong = "3DES is faster than DES" if a.planted else ""
    return PaperTable(f"{a.word('Time')} (ms) by input size", [heads], rows, wrong=wrong)


def flash_and_ram(a: Author) -> PaperTable:
    rows = []
    for name in CIPHERS:
        text, data, bss = (
            a.random.randrange(900, 9000),
            a.random.randrange(40, 2000),
            a.random.randrange(30, 900),
        )
        rows.append([name, *map(str, (text, data, bss, text + data, data + bss))])
    heads = [a.word("Algorithm"), ".text (B)", ".data (B)", ".bss (B)", "Flash (B)", "RAM (B)"]
    return a.error(PaperTable("Footprint", [heads], rows), 4, 5, 1.2)


def extremes(a: Author) -> PaperTable:
    rows = []
    for name, ms in a.times(65536).items():
        readings = [a.random.gauss(ms, ms * 0.05) for _ in range(30)]
        rows.append([name, *(f"{of(readings):.3f}" for of in (min, fmean, median, max))])
    heads = [a.word("Algorithm"), "Min (ms)", f"{a.word('Mean')} (ms)", "Median (ms)", "Max (ms)"]
    return a.error(PaperTable("30 readings", [heads], rows), 3, 2, 1.4)


def cycles_per_byte(a: Author) -> PaperTable:
    rows = []
    for name, ms in a.times(1024).items():
        cycles = round(ms * 64e3)
        rows.append([name, "1024", f"{cycles:,}".replace(",", "\u202f"), f"{cycles / 1024:.1f}"])
    heads = [a.word("Algorithm"), f"{a.word('Size')} (B)", a.word("Cycles"), "cycles/byte"]
    return a.error(PaperTable("Cycles", [heads], rows), 2, 3, 1.3)


def threads(a: Author) -> PaperTable:
    first, rows = a.random.uniform(800, 1200), []
    for count in (1, 2, 4, 8, 16):
        ms = first / count ** a.random.uniform(0.85, 0.95)
        rows.append(
            [str(count), f"{ms:.1f}", f"{first / ms:.2f}", f"{100 * first / ms / count:.0f} %"]
        )
    heads = ["Threads", f"{a.word('Time')} (ms)", a.word("Speedup"), "Efficiency"]
    return a.error(PaperTable("Scaling", [heads], rows), 3, 2, 1.25)


def standard_error(a: Author) -> PaperTable:
    rows = []
    for name, ms in a.times(65536).items():
        readings = [a.random.gauss(ms, ms * 0.06) for _ in range(25)]
        sd = stdev(readings)
        rows.append([name, "25", f"{fmean(readings):.3f}", f"{sd:.3f}", f"{sd / 5:.4f}"])
    heads = [
        a.word("Algorithm"),
        "n",
        f"{a.word('Mean')} (ms)",
        f"{a.word('SD')} (ms)",
        "Std. error (ms)",
    ]
    return a.error(PaperTable("Precision", [heads], rows), 4, 4, 1.5)


def variation(a: Author) -> PaperTable:
    rows = []
    for name, ms in a.times(65536).items():
        sd = ms * a.random.uniform(0.02, 0.09)
        rows.append([name, f"{ms:.3f}", f"{sd:.4f}", f"{100 * sd / ms:.2f}"])
    heads = [a.word("Algorithm"), f"{a.word('Mean')} (ms)", f"{a.word('SD')} (ms)", "CV (%)"]
    return a.error(PaperTable("Variation", [heads], rows), 1, 3, 2)


def improvement(a: Author) -> PaperTable:
    rows = []
    for name, ms in a.times().items():
        new = ms * a.random.uniform(0.3, 0.8)
        rows.append([name, f"{ms * 3:.2f}", f"{new * 3:.2f}", f"{100 * (1 - new / ms):.0f}%"])
    heads = [a.word("Algorithm"), "Before (mJ)", "After (mJ)", "Improvement"]
    return a.error(PaperTable("Saved energy", [heads], rows), 3, 3, 0.6)


def signatures(a: Author) -> PaperTable:
    rows = []
    for bits, ms in ((1024, 9.0), (2048, 55.0), (3072, 150.0), (4096, 340.0)):
        sign = ms * a.random.uniform(0.95, 1.05)
        pair = [f"{sign:.2f}", f"{sign / (bits / 35):.3f}"]
        rows.append([f"RSA-{bits}", *(reversed(pair) if a.planted else pair)])
    heads = ["Scheme", "Sign (ms)", "Verify (ms)"]
    return PaperTable("Signatures", [heads], rows, wrong="RSA-2048" if a.planted else "")


def copied_column(a: Author) -> PaperTable:
    by_size = {size: a.times(size) for size in (1000, 10_000, 100_000, 1_000_000)}
    rows = [
        [
            f"{size // 1000} kB",
            *(f"{of[name]:.3f}" for name in ("AES", "Blowfish", "ChaCha20", "3DES")),
        ]
        for size, of in by_size.items()
    ]
    if a.planted:
        for row in rows:
            row[3] = row[2]
    heads = [
        ["", f"{a.word('Time')} (ms)", LEFT, LEFT, LEFT],
        [a.word("Size"), "AES", "Blowfish", "ChaCha20", "3DES"],
    ]
    return PaperTable("Table 2", heads, rows, wrong=rows[2][2] if a.planted else "")


def bits_for_bytes(a: Author) -> PaperTable:
    rows = []
    for name, ms in a.times(4096).items():
        speed = 4.096 / ms * (8 if a.planted else 1)
        rows.append([name, "4096", f"{ms:.4f}", f"{speed:.3f}"])
    heads = [
        a.word("Algorithm"),
        f"{a.word('Size')} (B)",
        f"{a.word('Time')} (ms)",
        f"{a.word('Throughput')} (MB/s)",
    ]
    return PaperTable("Throughput", [heads], rows, wrong=rows[0][3] if a.planted else "")


def energy_of_a_day(a: Author) -> PaperTable:
    rows = []
    for name, ms in a.times().items():
        mj, messages = ms * 0.25, a.random.choice((96, 144, 288))
        rows.append([name, f"{mj:.4f}", str(messages), f"{mj * messages:.2f}"])
    heads = [
        a.word("Algorithm"),
        "Energy per message (mJ)",
        "Messages per day",
        "Energy per day (mJ)",
    ]
    return a.error(PaperTable("A day", [heads], rows), 4, 3, 1.4)


def metrics_in_rows(a: Author) -> PaperTable:
    times, rows = a.times(), []
    watts = {name: a.random.uniform(60, 90) for name in CIPHERS}
    rows.append([f"{a.word('Time')} (ms)", *(f"{ms:.3f}" for ms in times.values())])
    rows.append([f"{a.word('Power')} (mW)", *(f"{mw:.2f}" for mw in watts.values())])
    rows.append(
        [f"{a.word('Energy')} (µJ)", *(f"{times[name] * watts[name]:.1f}" for name in CIPHERS)]
    )
    return a.error(PaperTable("Ciphers on a board", [["", *CIPHERS]], rows), 2, 4, 0.7)


def sizes_as_heads(a: Author) -> PaperTable:
    sizes = (16, 64, 256, 1024, 4096)
    by_size = {size: a.times(size) for size in sizes}
    rows = [[name, *(f"{of[name] * 1e3:.1f}" for of in by_size.values())] for name in CIPHERS]
    heads = [
        ["", f"{a.word('Size')} (bytes)", *[LEFT] * 4],
        [a.word("Algorithm"), *map(str, sizes)],
    ]
    return a.error(
        PaperTable(f"{a.word('Encryption')}: {a.word('Time')} in µs", heads, rows), 2, 4, 0.1
    )


def total_row(a: Author) -> PaperTable:
    rows = [
        [name, str(a.random.randrange(900, 20_000)), str(a.random.randrange(50, 900))]
        for name in ("Boot", "Driver", "AES-CCM", "CoAP", "Application")
    ]
    rows.append([a.word("Total"), *(str(sum(int(row[at]) for row in rows)) for at in (1, 2))])
    table = PaperTable("Firmware", [["Module", "Flash (bytes)", "RAM (bytes)"]], rows)
    return a.error(table, 5, 1, 1.02)


def difference(a: Author) -> PaperTable:
    rows = []
    for name, ms in a.times().items():
        back = ms * a.random.uniform(1.05, 1.3)
        rows.append([name, f"{ms:.3f}", f"{back:.3f}", f"{back - ms:.3f}"])
    heads = [
        a.word("Algorithm"),
        f"{a.word('Encryption')} (ms)",
        f"{a.word('Decryption')} (ms)",
        "Difference (ms)",
    ]
    return a.error(PaperTable("Both directions", [heads], rows), 1, 3, 1.6)


def packets(a: Author) -> PaperTable:
    rows = []
    for protocol in ("DTLS 1.2", "DTLS 1.3", "OSCORE", "EDHOC", "TLS 1.3"):
        head, payload = a.random.randrange(12, 60), a.random.randrange(60, 400)
        rows.append(
            [
                protocol,
                str(head),
                str(payload),
                str(head + payload),
                f"{100 * head / (head + payload):.1f}",
            ]
        )
    heads = ["Protocol", "Header (B)", "Payload (B)", f"{a.word('Total')} (B)", "Header share (%)"]
    return a.error(PaperTable("Bytes on air", [heads], rows), 3, 4, 1.3)


def energy_per_byte(a: Author) -> PaperTable:
    rows = []
    for name, ms in a.times(1024).items():
        uj = ms * 66
        rows.append([name, "1024", f"{uj:.2f}", f"{uj / 1024 * 1e3:.2f}"])
    heads = [
        a.word("Algorithm"),
        f"{a.word('Size')} (B)",
        f"{a.word('Energy')} (µJ)",
        "Energy per byte (nJ/B)",
    ]
    return a.error(PaperTable("Energy", [heads], rows), 3, 3, 1.35)


def normalised(a: Author) -> PaperTable:
    rows, group = [], ABOVE
    for device in ("ESP32", "nRF52840"):
        times = a.times(noise=0.1)
        for name, ms in list(times.items())[:4]:
            group = device if name == "AES" else ABOVE
            rows.append([group, name, f"{ms:.3f}", f"{100 * ms / times['AES']:.0f}"])
    heads = ["Device", a.word("Algorithm"), f"{a.word('Time')} (ms)", "Normalized (%)"]
    return a.error(PaperTable("Two boards", [heads], rows), 6, 3, 1.5)


TUNED: tuple[Callable[[Author], PaperTable], ...] = (
    speedup,
    parts_and_total,
    relative_to_row,
    sizes_with_mean,
    plus_minus,
    sd_is_variance,
    energy_product,
    exchanged_rows,
    cycles_per_byte,
    threads,
    copied_column,
    metrics_in_rows,
    total_row,
    normalised,
    packets,
)
"""Kinds that the checks were made with."""
HELD_OUT: tuple[Callable[[Author], PaperTable], ...] = (
    shares,
    overhead,
    growth,
    efficiency,
    flash_and_ram,
    extremes,
    standard_error,
    variation,
    improvement,
    signatures,
    bits_for_bytes,
    energy_of_a_day,
    sizes_as_heads,
    difference,
    energy_per_byte,
)
"""Kinds that were unknown while the checks were written."""


# Forms


def numbers_in(table: PaperTable, comma: bool, thousands: str = "") -> PaperTable:
    """The table with decimal commas, and thousands grouped."""

    def convert(text: str) -> str:
        return (
            " ".join(map(part, text.split(" "))) if any(sign.isdigit() for sign in text) else text
        )

    def part(text: str) -> str:
        number, ending = (text[:-1], "%") if text.endswith("%") else (text, "")
        whole, dot, decimals = number.partition(".")
        if not whole.isdigit() or (dot and not decimals.isdigit()):
            return text
        if thousands and len(whole) > 3 and dot:
            whole = f"{int(whole):,}".replace(",", thousands)
        return f"{whole}{(',' if comma else '.') if dot else ''}{decimals}{ending}"

    rows = [[row[0], *map(convert, row[1:])] for row in table.rows]
    return PaperTable(table.title, table.head, rows, table.notes, convert(table.wrong))


def _filled(rows: Sequence[Sequence[str]]) -> list[list[str]]:
    """Merged cells as spreadsheets export them: empty but for the first."""
    return [["" if text in (LEFT, ABOVE) else text for text in row] for row in rows]


def as_csv(table: PaperTable, delimiter: str = ",") -> bytes:
    """A spreadsheet's export, with title and notes."""
    import csv

    out = io.StringIO()
    writer = csv.writer(out, delimiter=delimiter)
    width = len(table.rows[0])
    writer.writerow([table.title, *[""] * (width - 1)])
    writer.writerow([""] * width)
    writer.writerows(_filled(table.head + table.rows))
    for note in table.notes:
        writer.writerow([note, *[""] * (width - 1)])
    return out.getvalue().encode("utf-8-sig")


def as_markdown(table: PaperTable) -> bytes:
    """A pipe table between text."""
    heads, *more = _filled(table.head)
    lines = [
        f"## {table.title}",
        "",
        f"| {' | '.join(heads)} |",
        "|---|" + "--:|" * (len(heads) - 1),
    ]
    lines += [f"| {' | '.join(row)} |" for row in (*more, *_filled(table.rows))]
    return "\n".join([*lines, "", *table.notes]).encode()


def _spans(rows: list[list[str]]) -> list[list[tuple[str, int, int]]]:
    """Text, columns and rows of each cell that is the first of its merged cells."""
    spans = []
    for at, row in enumerate(rows):
        line = []
        for column, text in enumerate(row):
            if text in (LEFT, ABOVE):
                continue
            wide = 1
            while column + wide < len(row) and row[column + wide] == LEFT:
                wide += 1
            high = 1
            while at + high < len(rows) and rows[at + high][column] == ABOVE:
                high += 1
            line.append((text, wide, high))
        spans.append(line)
    return spans


def as_html(table: PaperTable) -> bytes:
    """A page with a table, its merged cells and its notes."""
    lines = [
        (
            "<!doctype html><html><head><style>td {color: red}</style></head><body><p>Text &amp; "
            "more</p><table>"
        )
    ]
    lines.append(f"<caption>{escape(table.title)}</caption>")
    for tag, rows in (("th", table.head), ("td", table.rows)):
        for line in _spans(rows):
            cells = [
                (
                    f"<{tag} colspan={wide} "
                    f"rowspan={high}>{escape(text).replace('±', '&plusmn;')}</{tag}>"
                )
                for text, wide, high in line
            ]
            lines.append(f"<tr>{''.join(cells)}</tr>")
    for note in table.notes:
        lines.append(f"<tr><td colspan={len(table.rows[0])}><i>{escape(note)}</i></td></tr>")
    return ("\n".join(lines) + "</table></body></html>").encode()


def _latex(text: str) -> str:
    for sign, command in (
        ("%", r"\%"),
        ("±", r"$\pm$"),
        ("µ", r"$\mu$"),
        ("²", "$^2$"),
        ("–", "--"),
        ("#", r"\#"),
    ):
        text = text.replace(sign, command)
    return text


def as_latex(table: PaperTable, numbers: bool = False) -> bytes:
    r"""A tabular with booktabs; ``numbers``: each plain number in ``\num``."""

    def cell(text: str, wide: int, high: int) -> str:
        written = (
            rf"\num{{{text}}}" if numbers and text.replace(".", "", 1).isdigit() else _latex(text)
        )
        if high > 1:
            written = rf"\multirow{{{high}}}{{*}}{{{written}}}"
        return rf"\multicolumn{{{wide}}}{{c}}{{{written}}}" if wide > 1 else written

    def lines(rows: list[list[str]]) -> list[str]:
        return [
            " & ".join("" if text == ABOVE else cell(*next(spans)) for text in row if text != LEFT)
            + r" \\ % checked"
            for row, spans in zip(rows, map(iter, _spans(rows)), strict=True)
        ]

    text = [
        r"\begin{table}[t]\centering",
        rf"\caption{{{_latex(table.title)}}}\label{{tab:x}}",
        rf"\begin{{tabular}}{{l{'r' * (len(table.rows[0]) - 1)}}}",
        r"\toprule",
    ]
    text += [*lines(table.head), r"\midrule", *lines(table.rows), r"\bottomrule", r"\end{tabular}"]
    return "\n".join([*text, *map(_latex, table.notes), r"\end{table}"]).encode()


def as_xlsx(table: PaperTable) -> bytes:
    """A workbook with one sheet: numbers as numbers with their formats where they are plain, merged
    cells.
    """
    rows = [[table.title], *table.head, *table.rows, *([note] for note in table.notes)]
    strings: list[str] = []
    lines, merged, first = [], [], 1
    for at, line in enumerate(_spans(table.head + table.rows)):
        column, row = 0, (table.head + table.rows)[at]
        for _, wide, high in line:
            while row[column] in (LEFT, ABOVE):
                column += 1
            if wide * high > 1:
                merged.append(f"{_name(column)}{at + 2}:{_name(column + wide - 1)}{at + 1 + high}")
            column += wide
    for at, row in enumerate(rows):
        cells = []
        for column, text in enumerate(row):
            place = f"{_name(column)}{at + first}"
            number = text.removesuffix(" %").removesuffix("%")
            if text in (LEFT, ABOVE, ""):
                continue
            if at > 0 and number.replace(".", "", 1).isdigit() and number == text:
                decimals = len(text.partition(".")[2])
                cells.append(f'<c r="{place}" s="{decimals}"><v>{float(text)!r}</v></c>')
            else:
                strings.append(text)
                cells.append(f'<c r="{place}" t="s"><v>{len(strings) - 1}</v></c>')
        lines.append(f'<row r="{at + first}">{"".join(cells)}</row>')
    return _workbook(lines, strings, merged)


def _name(column: int) -> str:
    return "ABCDEFGHIJKLMNOPQRSTUVWXYZ"[column]


def _workbook(lines: list[str], strings: list[str], merged: list[str]) -> bytes:
    main = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"'
    relations = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
    merges = "".join(f'<mergeCell ref="{place}"/>' for place in merged)
    formats = "".join(
        f'<numFmt numFmtId="{170 + n}" formatCode="0{"." if n else ""}{"0" * n}"/>'
        for n in range(7)
    )
    styles = "".join(f'<xf numFmtId="{170 + n}"/>' for n in range(7))
    files = {
        "xl/workbook.xml": f'<workbook {main} xmlns:r="{relations}"><sheets><sheet '
        'name="Data" sheetId="1" '
        'r:id="r1"/>'
        "</sheets></workbook>",
        "xl/_rels/workbook.xml.rels": '<Relationships xmlns="'
        "http://schemas.openxmlformats.org/package/2006/"
        f'relationships"><Relationship Id="r1" Type="{relations}/worksheet" '
        'Target="worksheets/sheet1.xml"/>'
        "</Relationships>",
        "xl/styles.xml": (
            "<styleSheet "
            f"{main}><numFmts>{formats}</numFmts><cellXfs>{styles}</cellXfs></styleSheet>"
        ),
        "xl/sharedStrings.xml": f"<sst {main}>"
        + "".join(f"<si><t>{escape(text)}</t></si>" for text in strings)
        + "</sst>",
        "xl/worksheets/sheet1.xml": f"<worksheet {main}><sheetData>{''.join(lines)}</sheetData>"
        f"<mergeCells>{merges}</mergeCells></worksheet>",
    }
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in files.items():
            archive.writestr(name, text)
    return out.getvalue()


@dataclass(frozen=True)
class Form:
    """A kind of file: its ending, its language and how it is written."""

    ending: str
    language: str
    write: Callable[[PaperTable], bytes]


FORMS = (
    Form("csv", "en", as_csv),
    Form("csv", "de", lambda table: as_csv(numbers_in(table, True, "."), ";")),
    Form("xlsx", "en", as_xlsx),
    Form("html", "fr", lambda table: as_html(numbers_in(table, True, "\u202f"))),
    Form("md", "es", lambda table: as_markdown(numbers_in(table, True))),
    Form("tex", "en", lambda table: as_latex(table, numbers=True)),
    Form("tsv", "pt", lambda table: as_csv(numbers_in(table, True, "."), "\t")),
    Form("html", "zh", as_html),
    Form("tex", "de", lambda table: as_latex(numbers_in(table, True))),
    Form("csv", "zh", as_csv),
)


def written(
    kind: Callable[[Author], PaperTable], form: Form, folder: Path, *, seed: int, planted: bool
) -> tuple[Path, PaperTable]:
    """The file of a table, and the table."""
    table = kind(Author(seed, form.language, planted))
    path = folder / f"{kind.__name__}.{form.ending}"
    path.write_bytes(form.write(table))
    return path, table
