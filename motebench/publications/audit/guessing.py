"""What the columns of a user's table are, from their headers."""

from __future__ import annotations

import re
from dataclasses import dataclass

from motebench.base import dimensions
from motebench.catalog.published import Statistic

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
_DIRECTED = re.compile("[^a-z\u03c3\u00b20-9]+")


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
    words = [word for word in _DIRECTED.split(name.lower()) if word]
    joined = "".join(words)
    of = dimensions.unit(unit)
    if joined in _SKIPPED and not (sizes and joined in _SIZES):
        return ColumnRole("skip")
    # "Std. error" is a standard error, and no standard deviation.
    statistic = next((_STATISTICS[word] for word in sorted(words, key="error".__ne__) if word in _STATISTICS), None)
    metric = next((_METRICS[word] for word in words if word in _METRICS), None)
    operation = next((_OPERATIONS[word] for word in words if word in _OPERATIONS), "")
    if numeric and joined in _READINGS:
        return ColumnRole("readings")
    if sizes and (joined in _SIZES or (joined in ("bytes", "data") and not metric)):
        return ColumnRole("size", unit=unit or ("B" if "bytes" in words else ""))
    for key in (joined, *words):
        if key in _LABELS and not (metric and numeric and key == "block") and not (metric and numeric and key == "key"):
            return ColumnRole("label", _LABELS[key])
    if not numeric:
        return ColumnRole("label", header)
    if metric is None and of is not None:
        metric = _metric_of(of)
    if metric or statistic:
        rest = _rest(name)
        return ColumnRole("number", metric or "", statistic or Statistic.VALUE, unit or _usual(words), operation, rest)
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


def _usual(words: list[str]) -> str:
    return "cycles" if "cycles" in words and "per" not in words else ""
