"""Columns of a user's table: the role of each, from its header, its cells and the file beside it; numbers and sizes in
cells."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Literal

from motebench.base import quantities as dimensions
from motebench.base.errors import InputError
from motebench.catalog import csvfile
from motebench.catalog.published import Printed, Statistic, printed
from motebench.catalog.schema import Record
from motebench.publications.audit.findings import algorithm

_STATISTICS: dict[str, Statistic] = {
    "mean": Statistic.MEAN, "avg": Statistic.MEAN, "average": Statistic.MEAN, "median": Statistic.MEDIAN,
    "min": Statistic.MINIMUM, "minimum": Statistic.MINIMUM, "max": Statistic.MAXIMUM, "maximum": Statistic.MAXIMUM,
    "var": Statistic.VARIANCE, "variance": Statistic.VARIANCE, "sd": Statistic.SD, "std": Statistic.SD,
    "stdev": Statistic.SD, "stddev": Statistic.SD, "sigma": Statistic.SD, "\u03c3": Statistic.SD,
    "deviation": Statistic.SD,
    "dev": Statistic.SD, "sem": Statistic.SEM, "se": Statistic.SEM, "stderr": Statistic.SEM,
    "s\u00b2": Statistic.VARIANCE, "\u03c3\u00b2": Statistic.VARIANCE, "error": Statistic.SEM,
}  # fmt: skip
_LABELS: dict[str, str] = {
    "algorithm": "algorithm", "cipher": "algorithm", "algo": "algorithm", "primitive": "algorithm",
    "algorithms": "algorithm", "scheme": "scheme", "mode": "mode", "key": "key_bits", "keybits": "key_bits",
    "keysize": "key_bits", "keylength": "key_bits", "operation": "operation", "op": "operation",
    "direction": "operation", "device": "device", "platform": "device", "board": "device", "target": "device",
    "machine": "device", "library": "implementation", "implementation": "implementation", "impl": "implementation",
    "part": "part", "block": "part",
}  # fmt: skip
_SIZES = {
    "size", "inputsize", "filesize", "datasize", "messagesize", "messagelength", "inputbytes", "payload", "payloadsize",
    "inputlength", "plaintextsize", "buffersize", "datalength", "msgsize", "msglen", "input", "file", "files",
    "message", "length",
}  # fmt: skip
_READINGS = {
    "n", "runs", "repetitions", "samples", "iterations", "reps", "trials", "measurements", "readings", "nreadings",
    "nruns", "samplesize", "iters",
}  # fmt: skip
_METRICS: dict[str, str] = {
    "time": "time", "latency": "time", "duration": "time", "elapsed": "time", "runtime": "time",
    "throughput": "throughput",
    "speed": "throughput", "bandwidth": "throughput", "rate": "throughput", "energy": "energy", "power": "power",
    "current": "current", "voltage": "voltage", "cycles": "cycles", "memory": "memory", "rss": "memory", "ram": "ram",
    "rom": "flash", "flash": "flash", "code": "flash", "stack": "stack", "cpu": "cpu", "battery": "battery",
    "charge": "charge",
}  # fmt: skip
_OPERATIONS = {
    "encryption": "encrypt", "encrypt": "encrypt", "enc": "encrypt", "decryption": "decrypt", "decrypt": "decrypt",
    "dec": "decrypt", "sign": "sign", "signing": "sign", "verify": "verify", "verification": "verify",
}  # fmt: skip
_SKIPPED = {
    "note", "notes", "quote", "comment", "remark", "source", "link", "message", "warnings", "cilow", "cihigh",
    "confidence",
    "interval", "better", "outliers", "effectiven", "lag1", "halves", "batches", "course", "disturbed", "quotable",
    "kind", "vector", "evidence", "version", "id", "no", "row", "rank", "year",
}  # fmt: skip
_NO_LETTERS = re.compile("[^a-z\u03c3\u00b20-9]+")
MISSING = {"", "-", "--", "\u2013", "\u2014", "n/a", "na", "none", "?", "*", "null"}
_WITH_UNIT = re.compile(r"([+-]?[\d.,]+(?:[eE][+-]?\d+)?)\s*([^\d\s].*)", re.ASCII)
_THOUSANDS = re.compile(r"[+-]?[1-9]\d{0,2}(?:,\d{3})+", re.ASCII)


class ColumnEntry(Record):
    """The role of one column, in ``FILE.toml``."""

    role: Literal["label", "size", "number", "readings", "skip"] = "number"
    name: str = ""
    statistic: Statistic = Statistic.VALUE
    unit: str = ""
    operation: str = ""


@dataclass(frozen=True, slots=True)
class ColumnRole:
    """What a column is: ``label``, ``size``, ``number``, ``readings`` or ``skip``."""

    kind: str
    name: str = ""
    """Of a label or a metric."""
    statistic: Statistic = Statistic.VALUE
    unit: str = ""
    operation: str = ""
    rest: str = ""
    """Words of the header that say none of this: a device or an algorithm, where several columns have the same role."""
    label: str = ""
    """The label that ``rest`` is."""

    def __str__(self) -> str:
        if self.kind == "number":
            of = f"of {self.label} {self.rest}" if self.label else ""
            words = [self.name, "" if self.statistic is Statistic.VALUE else str(self.statistic), self.operation, of]
            return " ".join(filter(None, words)) + (f" in {self.unit}" if self.unit else ", no unit known")
        if self.kind == "size":
            return f"input size{f' in {self.unit}' if self.unit else ''}"
        return {"label": f"label {self.name}", "readings": "number of readings", "skip": "not used"}[self.kind]


def column_roles(file: csvfile.CsvFile, stated: Mapping[str, ColumnEntry], *, metrics: bool) -> list[ColumnRole]:
    """Roles of the columns of a table with several numbers a row: as stated, else guessed from header and cells.

    ``metrics``: a column names the metric of each row.
    """
    roles: list[ColumnRole] = []
    last: ColumnRole | None = None
    for index, header in enumerate(file.header):
        texts = [row.texts[index] for row in file.rows if row.texts[index].lower() not in MISSING]
        if metrics and header.lower() in ("metric", "unit"):
            role = ColumnRole("skip")
        elif header in stated:
            role = _stated_role(file, header, stated[header])
        else:
            role = _guessed_role(header, texts, metrics=metrics)
        if role.kind == "number":
            role = last = role if role.name else _named_as(role, _beside(role, roles) or last)
            check_commas(file.where(file.rows[0].line, header), texts)
        roles.append(role)
    return _distinct(_directed(roles), file.header)


def _stated_role(file: csvfile.CsvFile, header: str, entry: ColumnEntry) -> ColumnRole:
    if entry.unit and not dimensions.unit(entry.unit):
        raise InputError(
            f"unknown unit {entry.unit!r}", where=f"{file.path.with_suffix('.toml')}: columns.{header}",
            valid="s, ms, us, B, kB, MB/s, mA, mW, mJ, ...",
        )  # fmt: skip
    return ColumnRole(entry.role, entry.name, entry.statistic, entry.unit, entry.operation)


def _guessed_role(header: str, texts: list[str], *, metrics: bool) -> ColumnRole:
    # One cell that is no size is a mistake; most cells that are none say that this is another column.
    unit = parts(header)[1]
    sizes = sum(is_size(text, unit) for text in texts) * 2 > len(texts)
    role = guess(header, numeric=any(map(is_number, texts)), sizes=sizes)
    if role.kind == "label" and texts and all(is_size(text) and not text.isdigit() for text in texts):
        role = ColumnRole("size")
    if metrics and role.kind == "number" and role.statistic is Statistic.VALUE:
        role = ColumnRole("label", header)
    return role


def _named_as(role: ColumnRole, metric: ColumnRole | None) -> ColumnRole:
    """A column such as "SD" beside "Time (s)": of the same metric, in the same unit."""
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
        if other.kind == "number" and other.statistic.central and dimensions.unit(other.unit) == unit:
            return other
    return None


def _directed(roles: list[ColumnRole]) -> list[ColumnRole]:
    """Where one direction alone is in the headers, columns without one are of it: throughput beside encryption time."""
    named = {role.operation for role in roles if role.kind == "number" and role.operation}
    if len(named) != 1 or any(role.kind == "label" and role.name == "operation" for role in roles):
        return roles
    (operation,) = named
    return [replace(role, operation=operation) if role.kind == "number" else role for role in roles]


def _distinct(roles: list[ColumnRole], header: tuple[str, ...]) -> list[ColumnRole]:
    """Two columns of one metric and statistic are told apart by their headers; a lone value beside an sd is a mean."""
    roles = _means(roles)
    keys = [(role.name, role.statistic, role.operation) for role in roles]
    distinct: list[ColumnRole] = []
    for index, role in enumerate(roles):
        if role.kind != "number" or keys.count(keys[index]) == 1:
            distinct.append(role)
        else:
            alike = [roles[place].rest for place, key in enumerate(keys) if key == keys[index]]
            distinct.append(_told_apart(role, alike, header[index]))
    # A spread has the label of its mean.
    labels = {(role.name, role.operation, role.rest): role.label for role in distinct if role.label}
    return [
        replace(role, label=labels.get((role.name, role.operation, role.rest), role.label))
        if role.kind == "number" else role
        for role in distinct
    ]  # fmt: skip


def _means(roles: list[ColumnRole]) -> list[ColumnRole]:
    """The roles, with a lone value beside an sd or a variance as a mean."""
    spreads = {(role.name, role.operation) for role in roles if role.statistic in (Statistic.SD, Statistic.VARIANCE)}
    return [
        replace(role, statistic=Statistic.MEAN)
        if role.kind == "number" and role.statistic is Statistic.VALUE and (role.name, role.operation) in spreads
        else role
        for role in roles
    ]


def _told_apart(role: ColumnRole, rests: list[str], header: str) -> ColumnRole:
    """The role with the label that the rest of its header is; or named by its whole header if rests are no labels."""
    if not all(rests) or len(set(rests)) < len(rests):
        return replace(role, name=header)
    return replace(role, label="algorithm" if all(algorithm(rest) for rest in rests) else "device")


def parts(header: str) -> tuple[str, str]:
    """Name and unit of a header: ``Time (ms)``, ``time [s]``, ``time_ms``, ``Time, ms``; no unit is empty."""
    found = re.fullmatch(r"(.*?)\s*[(\[]\s*([^()\[\]]+?)\s*[)\]]\s*(.*)", header)
    if found and dimensions.unit(found[2]):
        return f"{found[1]} {found[3]}".strip(), found[2]
    found = re.fullmatch(r"(.*?)\s*[,/]\s*([^\s,/]+(?:/[^\s,/]+)?)", header)
    if found and dimensions.unit(found[2]) and found[1]:
        return found[1], found[2]
    words = re.split(r"[_\s]+", header)
    if len(words) > 1 and words[-1] not in ("1", "x", "b", "d", "C", "V", "A", "h") and dimensions.unit(words[-1]):
        return " ".join(words[:-1]), words[-1]
    return header, ""


def guess(header: str, *, numeric: bool, sizes: bool) -> ColumnRole:
    """The role of a column by its header, and whether some cells are numbers, and all of them sizes."""
    name, unit = parts(header)
    name = re.sub(r"([a-z])([A-Z])", r"\1 \2", name)
    words = [word for word in _NO_LETTERS.split(name.lower()) if word]
    joined = "".join(words)
    if sizes and _names_size(joined, words):
        return ColumnRole("size", unit=unit or ("B" if "bytes" in words else ""))
    if joined in _SKIPPED:
        return ColumnRole("skip")
    if numeric and joined in _READINGS:
        return ColumnRole("readings")
    label = _label(joined, words, numeric=numeric)
    if label is None and numeric:
        return _number_role(header, name, unit, words)
    return ColumnRole("label", header if label is None else label)


def _names_size(joined: str, words: list[str]) -> bool:
    return joined in _SIZES or (joined in ("bytes", "data") and _first(_METRICS, words) is None)


def _label(joined: str, words: list[str], *, numeric: bool) -> str | None:
    """The label that a header names, as a whole or by a word; numbers below "time per block" are times."""
    quantity = numeric and _first(_METRICS, words) is not None
    keys = [key for key in (joined, *words) if not (quantity and key in ("block", "key"))]
    return _first(_LABELS, keys)


def _first(meanings: Mapping[str, str], words: Iterable[str]) -> str | None:
    """The meaning of the first word that has one."""
    return next((meanings[word] for word in words if word in meanings), None)


def _number_role(header: str, name: str, unit: str, words: list[str]) -> ColumnRole:
    # "Std. error" is a standard error, and no standard deviation.
    statistic = next((_STATISTICS[word] for word in sorted(words, key="error".__ne__) if word in _STATISTICS), None)
    known_unit = dimensions.unit(unit)
    metric = _first(_METRICS, words) or (_metric_of(known_unit) if known_unit is not None else None)
    operation = _first(_OPERATIONS, words) or ""
    if metric or statistic:
        return ColumnRole(
            "number", metric or "", statistic or Statistic.VALUE, unit or _usual_unit(words), operation, _rest(name)
        )
    return ColumnRole("number", name.strip() or header, Statistic.VALUE, unit, operation)


def _rest(name: str) -> str:
    """The words of a header that are neither metric nor statistic nor operation."""
    known = {*_METRICS, *_STATISTICS, *_OPERATIONS, "std", "of", "the", "in", "on", "for", "standard", "per", "s", ""}
    return " ".join(word for word in re.split(r"[\s_]+", name) if word.lower().strip(".,:;()") not in known)


def _metric_of(of: dimensions.Unit) -> str | None:
    named = {
        dimensions.TIME: "time", dimensions.SPEED: "throughput", dimensions.ENERGY: "energy", dimensions.POWER: "power",
        dimensions.CURRENT: "current", dimensions.CYCLES: "cycles", dimensions.PER_BYTE: "cycles per byte",
    }  # fmt: skip
    return named.get(of.dimension)


def _usual_unit(words: list[str]) -> str:
    return "cycles" if "cycles" in words and "per" not in words else ""


def is_number(text: str) -> bool:
    """Whether a cell holds a number, with or without a unit."""
    try:
        number_of(text, "", "")
    except InputError:
        return False
    return True


def number_of(text: str, unit: str, where: str) -> tuple[Printed, str]:
    """A cell: a number, perhaps with its unit or a percent sign. InputError for anything else."""
    if text.lower().lstrip("+-") in ("nan", "inf", "infinity"):
        raise InputError(f"{text!r} is not a number", where=where, valid="a finite number; an empty cell if unknown")
    match = _WITH_UNIT.fullmatch(text)
    if match and dimensions.unit(match[2]) and not re.fullmatch(r"[eE][+-]?\d*", match[2]):
        return printed(match[1], where=where), match[2].strip()
    return printed(text, where=where), unit


def check_commas(where: str, texts: list[str]) -> None:
    """InputError for commas that may group thousands: nothing says whether 1,234 is 1234 or 1.234."""
    grouped = [text for text in texts if _THOUSANDS.fullmatch(text)]
    decimal = [text for text in texts if "," in text and not _THOUSANDS.fullmatch(text)]
    if grouped and not decimal:
        raise InputError(
            f"the comma of {grouped[0]!r} can be a decimal comma or group thousands", where=where,
            valid="1234 or 1.234",
        )  # fmt: skip


def is_size(text: str, unit: str = "") -> bool:
    """Whether a cell holds a size in bytes."""
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
            f"{text!r} is not a size", where=where, valid="16, 64 B, 1KB, 100MB, 1 MiB (kB, MB, GB: decimal)"
        )
    return str(size)


def _bytes(number: str, unit: str) -> Fraction | None:
    """The whole number of bytes; None if the unit is no unit of data, or if a part of a byte is left."""
    data_unit = dimensions.unit(unit.replace("Kb", "KB").replace("Mb", "MB"))
    if not data_unit or data_unit.dimension != dimensions.DATA:
        return None
    size = Fraction(number) * data_unit.factor
    return size if size.denominator == 1 else None
