"""Columns of a user's table: the role of each, from its header, its cells and the file beside it;
numbers and sizes in cells.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Literal

from motebench.base import quantities as dimensions
from motebench.base.errors import InputError
from motebench.catalog import csvfile
from motebench.catalog.published import Printed, Statistic, printed
from motebench.catalog.schema import Record
from motebench.publications.audit.findings import NO_WORK, algorithm

_STATISTICS: dict[str, Statistic] = {
    "mean": Statistic.MEAN,
    "avg": Statistic.MEAN,
    "average": Statistic.MEAN,
    "median": Statistic.MEDIAN,
    "min": Statistic.MINIMUM,
    "minimum": Statistic.MINIMUM,
    "max": Statistic.MAXIMUM,
    "maximum": Statistic.MAXIMUM,
    "var": Statistic.VARIANCE,
    "variance": Statistic.VARIANCE,
    "sd": Statistic.SD,
    "std": Statistic.SD,
    "stdev": Statistic.SD,
    "stddev": Statistic.SD,
    "sigma": Statistic.SD,
    "\u03c3": Statistic.SD,
    "deviation": Statistic.SD,
    "dev": Statistic.SD,
    "sem": Statistic.SEM,
    "se": Statistic.SEM,
    "stderr": Statistic.SEM,
    "s\u00b2": Statistic.VARIANCE,
    "\u03c3\u00b2": Statistic.VARIANCE,
    "error": Statistic.SEM,
}
_LABELS: dict[str, str] = {
    "algorithm": "algorithm",
    "cipher": "algorithm",
    "algo": "algorithm",
    "primitive": "algorithm",
    "algorithms": "algorithm",
    "scheme": "scheme",
    "mode": "mode",
    "key": "key_bits",
    "keybits": "key_bits",
    "keysize": "key_bits",
    "keylength": "key_bits",
    "operation": "operation",
    "op": "operation",
    "direction": "operation",
    "device": "device",
    "platform": "device",
    "board": "device",
    "target": "device",
    "machine": "device",
    "library": "implementation",
    "implementation": "implementation",
    "impl": "implementation",
    "part": "part",
    "block": "part",
}
_SIZES = {
    "size",
    "inputsize",
    "filesize",
    "datasize",
    "messagesize",
    "messagelength",
    "inputbytes",
    "payload",
    "payloadsize",
    "inputlength",
    "plaintextsize",
    "buffersize",
    "datalength",
    "msgsize",
    "msglen",
    "input",
    "file",
    "files",
    "message",
    "length",
}
_READINGS = {
    "n",
    "runs",
    "repetitions",
    "samples",
    "iterations",
    "reps",
    "trials",
    "measurements",
    "readings",
    "nreadings",
    "nruns",
    "samplesize",
    "iters",
}
_METRICS: dict[str, str] = {
    "time": "time",
    "latency": "time",
    "duration": "time",
    "elapsed": "time",
    "runtime": "time",
    "throughput": "throughput",
    "speed": "throughput",
    "bandwidth": "throughput",
    "rate": "throughput",
    "energy": "energy",
    "power": "power",
    "current": "current",
    "voltage": "voltage",
    "cycles": "cycles",
    "memory": "memory",
    "rss": "memory",
    "ram": "ram",
    "rom": "flash",
    "flash": "flash",
    "code": "flash",
    "stack": "stack",
    "cpu": "cpu",
    "battery": "battery",
    "charge": "charge",
}
_OPERATIONS = {
    "encryption": "encrypt",
    "encrypt": "encrypt",
    "enc": "encrypt",
    "decryption": "decrypt",
    "decrypt": "decrypt",
    "dec": "decrypt",
    "sign": "sign",
    "signing": "sign",
    "verify": "verify",
    "verification": "verify",
}
_SKIPPED = {
    "note",
    "notes",
    "quote",
    "comment",
    "remark",
    "source",
    "link",
    "message",
    "warnings",
    "cilow",
    "cihigh",
    "confidence",
    "interval",
    "better",
    "outliers",
    "effectiven",
    "lag1",
    "halves",
    "batches",
    "course",
    "disturbed",
    "quotable",
    "kind",
    "vector",
    "evidence",
    "version",
    "id",
    "no",
    "row",
    "rank",
    "year",
}
_NO_LETTERS = re.compile("[^a-z\u03c3\u00b20-9]+")
MISSING = {
    "",
    "-",
    "--",
    "---",
    "\u2013",
    "\u2014",
    "\u2212",
    "n/a",
    "na",
    "n.a.",
    "n. a.",
    "none",
    "?",
    "*",
    "null",
    "/",
    "...",
    "\u2026",
    "k. a.",
    "k.a.",
    "s.o.",
    "n.d.",
    "s/d",
    "tbd",
}
"""Texts of cells without a number, in small letters."""
SPREAD, BRACKET = " ±", " (in brackets)"
"""Endings of the headers of columns that were split."""
_WITH_UNIT = re.compile(r"([+-]?[\d.,]+(?:[eE][+-]?\d+)?)\s*([^\d\s.,].*)", re.ASCII)
_THOUSANDS = re.compile(r"[+-]?[1-9]\d{0,2}(?:,\d{3})+", re.ASCII)
_SIZE_WORDS = ("size", "length", "bytes", "payload", "message")
_SECTIONS = {"bss", "rodata", "text"}
"""Names of the sections of a program, among which "data" is a section, too."""
_INDEXES = {
    "thread", "threads", "core", "cores", "node", "nodes", "id", "no", "nr", "year", "round",
    "rounds", "level", "security",
    "sf", "hops", "clients", "users", "ref", "reference", "experiment", "test", "case", "figure",
    "port", "channel", "blocks",
    "index", "step", "word", "degree", "modulus", "parallelism", "jobs", "workers", "processes",
    "devices", "distance",
}  # fmt: skip
"""Words of headers above numbers that label a row, and measure nothing."""
_DERIVED = {
    "total",
    "sum",
    "share",
    "percentage",
    "ratio",
    "speedup",
    "overhead",
    "improvement",
    "reduction",
    "saving",
    "savings",
    "saved",
    "relative",
    "normalized",
    "normalised",
    "increase",
    "decrease",
    "growth",
    "change",
    "difference",
    "diff",
    "delta",
    "efficiency",
    "cv",
    "rsd",
    "gain",
    "factor",
    "slowdown",
    "versus",
    "vs",
    "overall",
    "variation",
    "faster",
    "slower",
}
"""Words of headers above numbers that are computed from others."""
_STEMS = tuple((re.compile(rf"\b(?:{stem})\b"), word) for stem, word in (
    (r"verschl(?:u|ue)ssel(?:ungs?|n)?", "encryption"), (r"entschl(?:u|ue)ssel(?:ungs?|n)?",
    "decryption"),
    (r"verschl(?:u|ue)sselungs?(?:zeit|dauer)", "encryption time"),
    (r"entschl(?:u|ue)sselungs?(?:zeit|dauer)", "decryption time"),
    (r"schl(?:u|ue)ssel(?:l(?:a|ae)nge|gr(?:o|oe)sse)?|cle|clef|clave|chave|chiave", "key"),
    (r"(?:lauf|rechen|ausf(?:u|ue)hrungs)?zeit(?:en)?|dauer|latenz|temps|duree|latence|tiempos?|"
    r"duracion"
     r"|latencia|tempos?|duracao", "time"),
    (r"durchsatz|datenrate|debit|caudal|rendimiento|vazao|debito", "throughput"),
    (r"energie(?:verbrauch|bedarf)?|energia", "energy"),
    (r"leistung(?:saufnahme)?|puissance|potencia|potenza", "power"),
    (r"strom(?:aufnahme|verbrauch|st(?:a|ae)rke)?|courant|corriente|corrente", "current"),
    (r"spannung|tension|voltaje|tensao", "voltage"),
    (r"(?:arbeits)?speicher(?:bedarf|verbrauch)?|memoire|memoria", "memory"),
    (r"mittelwert(?:e)?|mittlerer?|mittel|durchschnitt(?:lich)?|moyenne?|media|promedio", "mean"),
    (r"standardabweichung|stabw|streuung|ecart type|desviacion(?: (?:estandar|tipica))?|"
     r"desvio(?: padrao)?|et", "sd"),
    (r"varianz|varianza|variancia", "variance"),
    (r"standardfehler|erreur type|error estandar|erro padrao", "sem"),
    (r"verfahren|algorithm(?:us|en|e|es)|algoritmos?|chiffre|cifrador|kryptoverfahren",
    "algorithm"),
    (r"(?:datei|daten|nachrichten|eingabe|paket|block)?(?:gr(?:o|oe)ss?e|l(?:a|ae)nge)|taille|"
     r"tamano|"
     r"tamanho"
     r"|dimensione", "size"),
    (r"chiffrement|cifrado|cifragem|criptografia|encriptacao|cifracao|encriptacion|cifratura",
    "encryption"),
    (r"dechiffrement|descifrado|decifragem|descriptografia|desencriptacao|decriptacao|"
     r"desencriptacion|decifratura",
     "decryption"),
    (r"ger(?:a|ae)te?|plattform|appareil|carte|plateforme|dispositivo|placa|plataforma", "device"),
    (r"zyklen|takte|ciclos|cicli", "cycles"),
    (r"summe|gesamt\w*|insgesamt|somme|suma|soma|totale|totaux", "total"),
    (r"anteil(?:ig)?|proporcion|proporcao|pourcentage|porcentaje|porcentagem|prozent", "share"),
    (r"verh(?:a|ae)ltnis|rapport|relacion|razao|relacao", "ratio"),
    (r"beschleunigung|acceleration|aceleracion|aceleracao", "speedup"),
    (r"effizienz|wirkungsgrad|efficacite|eficiencia", "efficiency"),
    (r"mehraufwand|surcout|sobrecarga", "overhead"),
    (r"wiederholungen|messungen|anzahl|durchl(?:a|ae)ufe|repeticiones|repeticoes|mesures", "runs"),
    (r"betriebsart|modus|modo", "mode"), (r"nachricht|mensaje|mensagem", "message"),
    (r"archivo|arquivo|fichier|datei", "file"), (r"differenz|diferencia|diferenca|unterschied",
    "difference"),
    (r"verbesserung|amelioration|mejora|melhoria", "improvement"),
    (r"zunahme|wachstum|croissance|crecimiento|crescimento|aumento", "growth"),
))  # fmt: skip
"""Words of headers in German, French, Spanish, Portuguese and Italian, without accents."""
_PHRASES = (
    ("δ", "difference"),
    ("speed up", "speedup"),
    ("standard deviation", "sd"),
    ("std deviation", "sd"),
    ("std dev", "sd"),
    ("standard error", "sem"),
    ("std error", "sem"),
)
_CHINESE = {
    "时间": "time", "耗时": "time", "延迟": "latency", "加密": "encryption", "解密": "decryption",
    "算法": "algorithm",
    "密码": "cipher", "大小": "size", "长度": "length", "吞吐量": "throughput",
    "吞吐率": "throughput", "能耗": "energy",
    "能量": "energy", "功耗": "power", "功率": "power", "电流": "current",
    "电压": "voltage", "内存": "memory",
    "存储": "memory",
    "平均值": "mean", "平均": "mean", "均值": "mean", "标准差": "sd",
    "标准偏差": "sd", "方差": "variance", "标准误": "sem",
    "密钥": "key", "设备": "device", "平台": "device", "周期": "cycles",
    "加速比": "speedup", "总计": "total",
    "合计": "total",
    "占比": "share", "比例": "share", "百分比": "share", "比率": "ratio", "效率": "efficiency",
    "开销": "overhead",
    "次数": "runs", "模式": "mode", "数据": "data", "消息": "message",
    "文件": "file", "最大": "max",
    "最小": "min",
    "中位数": "median", "签名": "sign", "验证": "verify", "增长": "growth",
    "总": "total", "操作": "operation",
}  # fmt: skip
_UNIT_WORDS = {
    "sekunde": "s", "sekunden": "s", "sek": "s", "secondes": "s", "seconde": "s", "segundos": "s",
    "segundo": "s", "秒": "s",
    "millisekunden": "ms", "millisecondes": "ms", "milisegundos": "ms", "milissegundos": "ms",
    "毫秒": "ms",
    "mikrosekunden": "us", "microseconds": "us", "microsecondes": "us", "microsegundos": "us",
    "微秒": "us",
    "nanosekunden": "ns", "nanosecondes": "ns", "nanosegundos": "ns",
    "纳秒": "ns", "zyklen": "cycle",
    "takte": "cycle",
    "ciclos": "cycle", "周期": "cycle", "octets": "B", "octet": "B", "字节": "B", "比特": "bit",
    "ko": "kB", "mo": "MB",
    "go": "GB", "ko/s": "kB/s", "mo/s": "MB/s", "octets/s": "B/s", "kcycles": "kcycle",
    "mcycles": "Mcycle",
    "10^3 cycles": "kcycle", "10^6 cycles": "Mcycle", "clock cycles": "cycle", "clk": "cycle",
    "cc": "cycle",
    "prozent": "%", "por ciento": "%", "pour cent": "%", "×": "x", "times": "x",
    "zyklen/byte": "cycle/B",
    "takte/byte": "cycle/B", "cycles/octet": "cycle/B", "ciclos/byte": "cycle/B",
    "周期/字节": "cycle/B", "焦耳": "J",
    "毫焦": "mJ", "微焦": "uJ", "毫瓦": "mW", "瓦": "W", "毫安": "mA",
    "kilocycles": "kcycle", "mips": "",
}  # fmt: skip


class ColumnEntry(Record):
    """The role of one column, in ``FILE.toml``."""

    role: Literal["label", "size", "number", "readings", "skip"] = "number"
    name: str = ""
    statistic: Statistic = Statistic.VALUE
    unit: str = ""
    operation: str = ""


@dataclass(frozen=True, slots=True)
class ColumnRole:
    """Role of a column: ``label``, ``size``, ``number``, ``derived``, ``readings`` or ``skip``."""

    kind: str
    name: str = ""
    """Name of a label or a metric."""
    statistic: Statistic = Statistic.VALUE
    unit: str = ""
    operation: str = ""
    rest: str = ""
    """Words of the header that say none of this: a device or an algorithm, where several columns
    have the same role.
    """
    label: str = ""
    """The label that ``rest`` is."""

    def __str__(self) -> str:
        if self.kind == "number":
            labelled = f"of {self.label} {self.rest}" if self.label else ""
            parts = [
                self.name,
                "" if self.statistic is Statistic.VALUE else str(self.statistic),
                self.operation,
                labelled,
            ]
            return " ".join(filter(None, parts)) + (
                f" in {self.unit}" if self.unit else ", no unit known"
            )
        if self.kind == "size":
            return f"input size{f' in {self.unit}' if self.unit else ''}"
        return {
            "label": f"label {self.name}",
            "readings": "number of readings",
            "skip": "not used",
            "derived": f"computed from others{f', in {self.unit}' if self.unit else ''}",
        }[self.kind]


def column_roles(
    file: csvfile.CsvFile, stated: Mapping[str, ColumnEntry], *, metrics: bool, title: str = ""
) -> list[ColumnRole]:
    """Roles of the columns of a table with several numbers a row: as stated, else guessed from
    header and cells.

    ``metrics``: a column names the metric of each row. ``title``: says what the numbers are where
    no header does.
    """
    roles: list[ColumnRole] = []
    last: ColumnRole | None = None
    of_title = _title_role(title)
    for index, header in enumerate(file.header):
        texts = _present(row.texts[index] for row in file.rows)
        if metrics and header.lower() in ("metric", "unit"):
            role = ColumnRole("skip")
        elif header in stated:
            role = _stated_role(file, header, stated[header])
        elif header.endswith((SPREAD, BRACKET)):
            role = _second_role(header, texts, roles, title)
        else:
            role = _guessed_role(header, texts, metrics=metrics)
            role = role if metrics else _among(file.header, index, role, texts, of_title)
        if _averages(role, roles):
            role = ColumnRole("derived", header, unit=role.unit or roles[-1].unit)
        if role.kind == "number":
            role = last = _named(role, roles, last)
            check_commas(file.where(file.rows[0].line, header), texts)
        roles.append(role)
    return _distinct(_directed(roles), file.header)


def _among(
    headers: Sequence[str], index: int, role: ColumnRole, texts: list[str], of_title: ColumnRole
) -> ColumnRole:
    """The role of a column as its place, the other headers and the title of the table make it."""
    header = headers[index]
    role = _headed_by_label(header, role, of_title, headers[0], texts)
    if role.kind == "number" and _of_title(headers, of_title):
        return replace(of_title, rest=header, label="label")
    if role.kind == "number" and role.name == "time" and NO_WORK.search(english(header)):
        return replace(role, name=header)
    if (
        role.kind == "size"
        and _words(header)[:1] == ["data"]
        and _SECTIONS & set(_words(" ".join(headers)))
    ):
        return ColumnRole("number", header, unit=parts(header)[1])
    named = index == 0 and role.kind == "skip" and not any(map(is_number, texts))
    return (
        ColumnRole("label", header) if named or _is_index(role, texts, first=index == 0) else role
    )


def _averages(role: ColumnRole, before: list[ColumnRole]) -> bool:
    """True if a column "Average" is the mean of several columns before it."""
    alone = role.kind == "number" and not role.rest and role.statistic is Statistic.MEAN
    values = [
        column
        for column in before
        if column.kind == "number" and column.statistic is Statistic.VALUE
    ]
    alike = {(column.name, column.unit) for column in values}
    return alone and len(values) > 1 and len(alike) == 1 and role.unit in ("", values[0].unit)


def _title_role(title: str) -> ColumnRole:
    """Role of a table's numbers by its title: ``Encryption time in ms``."""
    name, unit = _title_parts(title)
    role = _number_role(title, name, unit, _words(name)) if title else ColumnRole("number")
    title_words = _words(title)
    metric = _first(_METRICS, title_words) or (role.name if role.unit else "")
    unit_known = role.unit if dimensions.unit(role.unit) else ""
    return ColumnRole(
        "number",
        metric or "",
        Statistic.VALUE,
        unit_known or _usual_unit(title_words),
        role.operation,
    )


_IN_UNIT = re.compile(r"\b(?:in|en|em)\s+([^\s,;:()]{1,30})")
_NO_UNITS = ("1", "x", "b", "d", "C", "V", "A", "h")
"""Letters that stand for a unit only where nothing else can be meant."""


def _title_parts(title: str) -> tuple[str, str]:
    """Name and unit of a title, where the unit may stand inside: ``Time in ms on four boards``."""
    for inside in _IN_UNIT.finditer(title[:300]):
        symbol = unit_symbol(inside[1])
        if symbol not in _NO_UNITS and dimensions.unit(symbol):
            return f"{title[: inside.start()]} {title[inside.end() :]}".strip(), symbol
    return parts(title)


def _of_title(headers: Sequence[str], of_title: ColumnRole) -> bool:
    """True if only the title tells the meaning of the numbers: all headers are unknown names."""
    if not (of_title.name and of_title.unit):
        return False
    return not any(_says_what(header) for header in headers[1:])


_KNOWN = {*_METRICS, *_STATISTICS, *_SIZES, *_READINGS, *_DERIVED, *_OPERATIONS, *_INDEXES}


def _says_what(header: str) -> bool:
    """True if a header tells the meaning of its column: a quantity, a unit, a size or an
    algorithm.
    """
    header_words = {header.lower(), *(word for word in _words(header) if len(word) > 1)}
    name, unit = parts(header)
    says = bool(unit) or bool(_KNOWN & header_words) or algorithm(name) is not None
    return says or is_number(header) or bool(_headed_by_size(header, header))


def _headed_by_label(
    header: str, role: ColumnRole, of_title: ColumnRole, corner: str, texts: list[str]
) -> ColumnRole:
    """Role of a column of numbers below the name of an algorithm or a size: that of the title."""
    if not any(map(is_number, texts)) or role.kind not in ("number", "label", "size"):
        return role
    name, unit = parts(header)
    own = ColumnRole(
        "number", of_title.name or "value", of_title.statistic, of_title.unit, of_title.operation
    )
    sized = _below_size(header, role, own, corner)
    if sized is not None:
        return sized
    if (
        role.kind == "number"
        and not role.unit
        and algorithm(name)
        and not _first(_METRICS, _words(name))
    ):
        return replace(own, rest=name, label="algorithm", operation=role.operation or own.operation)
    if role.kind == "number" and not unit and not role.unit and role.name in (of_title.name, ""):
        return replace(role, unit=of_title.unit)
    return role


def _below_size(header: str, role: ColumnRole, own: ColumnRole, corner: str) -> ColumnRole | None:
    """Role of a column below a size, with or without a unit: ``1 KB``, ``64 B (ms)``; None for
    other headers.
    """
    size = _headed_by_size(header, f"{corner} {header}")
    if size:
        return replace(own, rest=size, label="input_bytes")
    name, unit = parts(header)
    size = _headed_by_size(name, name) if unit and role.kind == "number" else ""
    return replace(role, rest=size, label="input_bytes") if size else None


def _headed_by_size(header: str, around: str) -> str:
    """The bytes of a header that is a size: ``1 KB``, or ``1024`` where the words around speak of
    sizes.
    """
    match = re.fullmatch(r"(?:(.*?)\s*[(\[]?\s*)?(\d+(?:\.\d+)?)\s*([A-Za-z]*)", header)
    if not match:
        return ""
    before, unit = parts(match[1] or "")
    sized = any(word in _SIZE_WORDS for word in _words(before if match[1] else around))
    if ((match[1] or not match[3]) and not sized) or _first(_METRICS, _words(before)):
        return ""
    whole = f"{match[2]} {match[3] or unit or unit_symbol(' '.join(_words(around)[-1:])) or 'B'}"
    for text in (whole, *([] if match[3] else [f"{match[2]} B"])):
        if is_size(text):
            return size_of(text, "", "")
    return ""


def _second_role(header: str, texts: list[str], before: list[ColumnRole], title: str) -> ColumnRole:
    """Role of the second number of each cell: a spread, or the number in brackets."""
    first = before[-1]
    units = {number_of(text, "", "")[1] for text in texts if is_number(text)}
    if header.endswith(BRACKET):
        if units & {"%", "x"}:
            return ColumnRole("derived", unit=next(iter(units & {"%", "x"})))
        if not re.search(
            r"\bsd\b|\bstd|\u03c3|deviation|\u00b1", f"{english(header)} {english(title)}"
        ):
            return ColumnRole("skip")
    if first.kind != "number" or ("%" in units and first.unit != "%"):
        return ColumnRole("skip")
    if re.search(
        r"\bci\b|\b9[059] ?%|confidence|konfidenz|confian[cz]",
        f"{english(header)} {english(title)}",
    ):
        return ColumnRole("skip")
    sem = re.search(r"\bsem\b|standard error", english(title))
    return replace(first, statistic=Statistic.SEM if sem else Statistic.SD)


def _is_index(role: ColumnRole, texts: list[str], *, first: bool) -> bool:
    """True if whole numbers without a unit label a row: a year, threads, rounds; or the first of
    the columns.
    """
    if (
        role.kind not in ("number", "skip")
        or not texts
        or role.unit
        or not all(text.isdigit() for text in texts)
    ):
        return False
    if role.kind == "skip" or role.statistic is not Statistic.VALUE or not role.name:
        return False
    name_words = _words(role.name)
    if _first(_METRICS, name_words):
        return False
    return any(word in _INDEXES for word in name_words) or (
        first and 1 < len(set(texts)) == len(texts)
    )


def _stated_role(file: csvfile.CsvFile, header: str, entry: ColumnEntry) -> ColumnRole:
    if entry.unit and not dimensions.unit(entry.unit):
        raise InputError(
            f"unknown unit {entry.unit!r}",
            where=f"{file.path.with_suffix('.toml')}: columns.{header}",
            valid="s, ms, us, B, kB, MB/s, mA, mW, mJ, ...",
        )
    return ColumnRole(entry.role, entry.name, entry.statistic, entry.unit, entry.operation)


def _guessed_role(header: str, texts: list[str], *, metrics: bool) -> ColumnRole:
    # One cell that is no size is a mistake; most cells that are none say that this is another
    # column.
    unit = parts(header)[1]
    sizes = sum(is_size(text, unit) for text in texts) * 2 > len(texts)
    role = guess(header, numeric=any(map(is_number, texts)), sizes=sizes)
    if (
        role.kind == "label"
        and texts
        and all(is_size(text) and not text.isdigit() for text in texts)
    ):
        role = ColumnRole("size")
    if metrics and role.kind == "number" and role.statistic is Statistic.VALUE:
        role = ColumnRole("label", header)
    return role


def _present(texts: Iterable[str]) -> list[str]:
    return [text for text in texts if text.lower() not in MISSING]


def _named(role: ColumnRole, before: list[ColumnRole], last: ColumnRole | None) -> ColumnRole:
    return role if role.name else _named_as(role, _beside(role, before) or last)


def _named_as(role: ColumnRole, metric: ColumnRole | None) -> ColumnRole:
    """Role of a column such as "SD" beside "Time (s)": of the same metric, in the same unit."""
    if metric is None:
        return replace(role, name="value")
    return replace(
        role,
        name=metric.name,
        unit=role.unit or metric.unit,
        operation=role.operation or metric.operation,
        rest=role.rest or metric.rest,
    )


def _beside(role: ColumnRole, before: list[ColumnRole]) -> ColumnRole | None:
    """The nearest column before a spread that has its unit; a variance has the square of it."""
    square = role.statistic is Statistic.VARIANCE
    unit = dimensions.unit(role.unit.replace("²", "").removesuffix("^2") if square else role.unit)
    if not role.unit or unit is None:
        return None
    for other in reversed(before):
        if (
            other.kind == "number"
            and other.statistic.central
            and dimensions.unit(other.unit) == unit
        ):
            return other
    return None


def _directed(roles: list[ColumnRole]) -> list[ColumnRole]:
    """Roles in which every number has a direction, if the headers name one direction alone:
    throughput beside encryption time.
    """
    named = {role.operation for role in roles if role.kind == "number" and role.operation}
    if len(named) != 1 or any(role.kind == "label" and role.name == "operation" for role in roles):
        return roles
    (operation,) = named
    return [replace(role, operation=operation) if role.kind == "number" else role for role in roles]


def _distinct(roles: list[ColumnRole], header: tuple[str, ...]) -> list[ColumnRole]:
    """Roles in which the headers distinguish two columns of one metric and statistic; a lone value
    beside an sd is a mean.
    """
    roles = _means(roles)
    keys = [(role.name, role.statistic, role.operation) for role in roles]
    distinct: list[ColumnRole] = []
    for index, role in enumerate(roles):
        if role.kind != "number" or keys.count(keys[index]) == 1:
            distinct.append(role)
        else:
            alike = [
                roles[place].rest
                for place, key in enumerate(keys)
                if key == keys[index] and roles[place].kind == "number"
            ]
            distinct.append(role if role.label else _told_apart(role, alike, header[index]))
    # A spread has the label of its mean.
    labels = {(role.name, role.rest): role.label for role in distinct if role.label}
    return [
        replace(role, label=labels.get((role.name, role.rest), role.label))
        if role.kind == "number"
        else role
        for role in distinct
    ]


def _means(roles: list[ColumnRole]) -> list[ColumnRole]:
    """Roles, with a lone value beside an sd or a variance as a mean."""
    spreads = {
        (role.name, role.operation)
        for role in roles
        if role.statistic in (Statistic.SD, Statistic.VARIANCE)
    }
    return [
        replace(role, statistic=Statistic.MEAN)
        if role.kind == "number"
        and role.statistic is Statistic.VALUE
        and (role.name, role.operation) in spreads
        else role
        for role in roles
    ]


def _told_apart(role: ColumnRole, rests: list[str], header: str) -> ColumnRole:
    """The role with the label that the rest of its header is; or named by its whole header if rests
    are no labels.
    """
    if not all(rests) or len(set(rests)) < len(rests):
        return replace(role, name=header)
    return replace(role, label="algorithm" if all(algorithm(rest) for rest in rests) else "device")


def parts(header: str) -> tuple[str, str]:
    """Name and unit of a header: ``Time (ms)``, ``time [s]``, ``time_ms``, ``Time, ms``; no unit is
    empty.
    """
    header = re.sub(r" #\d+$", "", header).translate(_ASCII_BRACKETS)
    if "/" in header and dimensions.unit(unit_symbol(header)):
        return header, unit_symbol(header)
    for bracket in re.finditer(r"[(\[]\s*([^()\[\]]+?)\s*[)\]]", header[:300]):
        if dimensions.unit(unit_symbol(bracket[1])):
            return (
                f"{header[: bracket.start()].strip()} {header[bracket.end() :].strip()}".strip(),
                unit_symbol(bracket[1]),
            )
    return _parts_without_brackets(header)


def _parts_without_brackets(header: str) -> tuple[str, str]:
    """Name and unit of ``Rate MB/s``, ``Time, ms``, ``Time in ms`` and ``time_ms``."""
    before, _, last = header.rpartition(" ")
    if before.strip() and "/" in last and dimensions.unit(unit_symbol(last)):
        return before.strip(), unit_symbol(last)
    for pattern in (r"(.*?)\s*[,/]\s*([^\s,/]+(?:/[^\s,/]+)?)", r"(.*)\s+(?:in|en|em)\s+(\S+)"):
        match = re.fullmatch(pattern, header[:300])
        if match and match[1] and dimensions.unit(unit_symbol(match[2])):
            if "/" in header and _counts(match[1], unit_symbol(match[2])):
                return header, f"1/{unit_symbol(match[2])}"
            return match[1], unit_symbol(match[2])
    header_words = re.split(r"[_\s]+", header)
    if (
        len(header_words) > 1
        and header_words[-1] not in _NO_UNITS
        and header_words[-2] != "per"
        and dimensions.unit(header_words[-1])
    ):
        return " ".join(header_words[:-1]), header_words[-1]
    return header, ""


_COUNTS = re.compile(
    r"\b(?:operations?|ops?|messages?|packets?|signatures?|signs?|verif\w+|frames?|requests?|"
    r"transactions?|handshakes?"
    r"|blocks?|calls?|iterations?|hash(?:es)?|keys?|encryptions|decryptions|exchanges?)$"
)


def _counts(name: str, symbol: str) -> bool:
    """True if ``Messages/s`` counts things in a time; ``Time/s`` is a quantity and its unit."""
    unit = dimensions.unit(symbol)
    return (
        unit is not None
        and unit.dimension == dimensions.TIME
        and bool(_COUNTS.search(english(name)))
    )


_ASCII_BRACKETS = str.maketrans("（）［］，／", "()[],/")


def unit_symbol(text: str) -> str:
    """The symbol of a unit that is written as a word in some language; else the text itself."""
    text = text.strip().strip(".")
    return _UNIT_WORDS.get(text.lower(), text)


def english(text: str) -> str:
    """Words of a header in English, in small letters without accents, as far as they are known."""
    text = _folded(text)
    for stem, word in _STEMS:
        text = stem.sub(word, text)
    for phrase, word in _PHRASES:
        text = re.sub(rf"\b{phrase}\b", word, text)
    return text


def has_decimal_commas(header: str) -> bool:
    """True if a header is in a language whose decimal sign is a comma."""
    text = _folded(header)
    return any(stem.search(text) for stem, _ in _STEMS)


def _folded(text: str) -> str:
    """A header in small letters without accents; Chinese words in English."""
    text = re.sub(r"([a-z])([A-Z])", r"\1 \2", text[:300])
    for word in sorted(_CHINESE, key=len, reverse=True):
        text = text.replace(word, f" {_CHINESE[word]} ")
    text = unicodedata.normalize("NFKD", text.casefold().replace("\u00b2", "\u00b2_")).replace(
        "2_", "\u00b2"
    )
    text = "".join(sign for sign in text if not unicodedata.combining(sign))
    text = re.sub(r"(?<=[a-z])[-.](?=\s|[a-z]|$)", " ", text)
    return " ".join(text.split())


def _words(text: str) -> list[str]:
    return [word for word in _NO_LETTERS.split(english(text)) if word]


def names_quantity(text: str, *, strict: bool = False) -> bool:
    """True if a text names a quantity: by its unit, or by a word of a metric; ``strict``: with no
    other words.
    """
    name, unit = parts(text)
    name_words = _words(name)
    metric = _first(_METRICS, name_words)
    if unit:
        return bool(metric or _first(_OPERATIONS, name_words) or (name_words and not strict))
    return (
        bool(metric)
        and (not strict or len(name_words) <= 2)
        and not any(sign.isdigit() for sign in text)
    )


def counts_whole(header: str) -> bool:
    """True if a header names a quantity that is counted in whole numbers: cycles, bytes."""
    name, unit = parts(header)
    unit_named = dimensions.unit(unit)
    return (
        unit in ("B", "bytes")
        or bool(unit_named and unit_named.dimension == dimensions.CYCLES)
        or "cycles" in _words(name)
    )


def guess(header: str, *, numeric: bool, sizes: bool) -> ColumnRole:
    """The role of a column by its header, and whether some cells are numbers, and most of them
    sizes.
    """
    name, unit = parts(header)
    name_words = _words(name)
    joined = "".join(name_words)
    if sizes and _names_size(joined, name_words):
        return ColumnRole("size", unit=unit or ("B" if "bytes" in name_words else ""))
    if joined in _SKIPPED:
        return ColumnRole("skip")
    if numeric and joined in _READINGS:
        return ColumnRole("readings")
    if numeric and _is_derived(unit, name_words):
        return ColumnRole("derived", name, Statistic.VALUE, unit)
    return _other_role(header, name, unit, name_words, numeric=numeric)


def _other_role(
    header: str, name: str, unit: str, header_words: list[str], *, numeric: bool
) -> ColumnRole:
    """The role of a column that is neither a size nor computed from others: a number or a label."""
    label = _label("".join(header_words), header_words, unit, numeric=numeric)
    if label is None and (numeric or _measures(unit, header_words)):
        return _number_role(header, name, unit, header_words)
    # A block has a number; a part with a name is a label of its own.
    return ColumnRole(
        "label", header if label is None or (label == "part" and not numeric) else label
    )


def _is_derived(unit: str, header_words: list[str]) -> bool:
    """True if a header names a quantity that is computed from other columns."""
    used = _first(_METRICS, header_words) in ("cpu", "ram", "memory", "battery", "flash")
    return any(word in _DERIVED for word in header_words) or (unit in ("%", "x") and not used)


def _measures(unit: str, header_words: list[str]) -> bool:
    """True if a header without numbers below it names a quantity with its unit: its cells are not
    read, then.
    """
    return bool(unit) and _first(_METRICS, header_words) is not None


def _names_size(joined: str, header_words: list[str]) -> bool:
    return joined in _SIZES or (
        joined in ("bytes", "data") and _first(_METRICS, header_words) is None
    )


def _label(joined: str, header_words: list[str], unit: str, *, numeric: bool) -> str | None:
    """The label that a header names, as a whole or by a word; numbers of a metric, or in its unit,
    are no labels.
    """
    unit_named = dimensions.unit(unit) if unit else None
    measured = unit_named is not None and unit_named.dimension not in (
        dimensions.DATA,
        dimensions.NONE,
    )
    asymmetric = any(
        word in ("public", "private", "secret", "signature", "ciphertext") for word in header_words
    )
    if numeric and (measured or asymmetric or _first(_METRICS, header_words) is not None):
        return None if measured else _LABELS.get(joined)
    return _first(_LABELS, (joined, *header_words))


def _first(meanings: Mapping[str, str], header_words: Iterable[str]) -> str | None:
    """The meaning of the first word that has one."""
    return next((meanings[word] for word in header_words if word in meanings), None)


def _number_role(header: str, name: str, unit: str, header_words: list[str]) -> ColumnRole:
    # "Std. error" is a standard error, and no standard deviation.
    statistic = next(
        (
            _STATISTICS[word]
            for word in sorted(header_words, key="error".__ne__)
            if word in _STATISTICS
        ),
        None,
    )
    known_unit = dimensions.unit(unit)
    by_unit = _metric_of(known_unit) if known_unit is not None else None
    metric = by_unit or _first(_METRICS, header_words)
    operation = _first(_OPERATIONS, header_words) or ""
    if metric or statistic:
        return ColumnRole(
            "number",
            metric or "",
            statistic or Statistic.VALUE,
            unit or _usual_unit(header_words),
            operation,
            _rest(name),
        )
    return ColumnRole("number", name.strip() or header, Statistic.VALUE, unit, operation)


def _rest(name: str) -> str:
    """The words of a header that are neither metric nor statistic nor operation."""
    known_words = {
        *_METRICS,
        *_STATISTICS,
        *_OPERATIONS,
        "std",
        "of",
        "the",
        "in",
        "on",
        "for",
        "standard",
        "per",
        "s",
        "",
    }
    return " ".join(
        word
        for word in re.split(r"[\s_]+", name)
        if not known_words.issuperset(_words(word.strip(".,:;()")) or [""])
    )


def _metric_of(unit: dimensions.Unit) -> str | None:
    named = {
        dimensions.TIME: "time",
        dimensions.SPEED: "throughput",
        dimensions.ENERGY: "energy",
        dimensions.POWER: "power",
        dimensions.CURRENT: "current",
        dimensions.CYCLES: "cycles",
        dimensions.PER_BYTE: "cycles per byte",
    }
    return named.get(unit.dimension)


def _usual_unit(header_words: list[str]) -> str:
    if re.search(r"\bcycles per (?:byte|octet)\b", " ".join(header_words)):
        return "cycle/B"
    return "cycles" if "cycles" in header_words and "per" not in header_words else ""


def is_number(text: str) -> bool:
    """True if a cell holds a number, with or without a unit."""
    try:
        number_of(text, "", "")
    except InputError:
        return False
    return True


def number_of(text: str, unit: str, where: str) -> tuple[Printed, str]:
    """A cell: a number, perhaps with its unit or a percent sign. InputError for anything else."""
    if text.lower().lstrip("+-") in ("nan", "inf", "infinity"):
        raise InputError(
            f"{text!r} is not a number",
            where=where,
            valid="a finite number; an empty cell if unknown",
        )
    match = _WITH_UNIT.fullmatch(text)
    symbol = unit_symbol(match[2]) if match else ""
    if match and dimensions.unit(symbol) and not re.fullmatch(r"[eE][+-]?\d*", match[2]):
        return printed(match[1], where=where), symbol
    return printed(text, where=where), unit


def check_commas(where: str, texts: list[str]) -> None:
    """InputError for commas that may group thousands: nothing says whether 1,234 is 1234 or
    1.234.
    """
    grouped = [text for text in texts if _THOUSANDS.fullmatch(text)]
    decimal = [text for text in texts if "," in text and not _THOUSANDS.fullmatch(text)]
    if grouped and not decimal:
        raise InputError(
            f"the comma of {grouped[0]!r} can be a decimal comma or group thousands",
            where=where,
            valid="1234 or 1.234",
        )


def is_size(text: str, unit: str = "") -> bool:
    """True if a cell holds a size in bytes."""
    try:
        size_of(text, unit, "")
    except InputError:
        return False
    return True


def size_of(text: str, unit: str, where: str) -> str:
    """The bytes of a size, as text. InputError for anything else."""
    match = re.fullmatch(r"(\d+(?:\.\d+)?)\s*([A-Za-z]*)", text, re.ASCII)
    size = _bytes(match[1], match[2] or unit or "B") if match else None
    if size is None:
        raise InputError(
            f"{text!r} is not a size",
            where=where,
            valid="16, 64 B, 1KB, 100MB, 1 MiB (kB, MB, GB: decimal)",
        )
    return str(size)


def _bytes(number: str, unit: str) -> Fraction | None:
    """The whole number of bytes; None if the unit is no unit of data, or if a part of a byte is
    left.
    """
    data_unit = dimensions.unit(unit.replace("Kb", "KB").replace("Mb", "MB"))
    if not data_unit or data_unit.dimension != dimensions.DATA:
        return None
    size = Fraction(number) * data_unit.factor
    return size if size.denominator == 1 else None
