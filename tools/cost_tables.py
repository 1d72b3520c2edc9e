"""Tables of costs on simulated boards, from the reference results."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fnmatch import fnmatchcase

from motebench.advise.reference.table import references
from motebench.base.naming import is_variant

_BOARDS = ("sim:atmega2560", "sim:samd21g18a", "sim:rp2040", "sim:cortex-m4-nows")
_SHOWN = (
    ("*-ecb", "encrypt", 16),
    ("sha3-256", "digest", 64),
    ("*", "encrypt-message", 64),
    ("*", "digest", 64),
)
"""Cases that a table can show of an own implementation: it shows the first that has a result."""
_OWN = "mote/"
OWN_HEAD = (
    "implementation",
    "scheme",
    "ATmega2560",
    "SAMD21",
    "RP2040 (SRAM)",
    "Cortex-M4",
    "flash added, AVR and SAMD21",
)


def operations(name: str) -> tuple[list[str], list[list[str]]]:
    """Head and rows of ``TARGET PATTERN...``: cycles of each operation, deepest stack, flash."""
    target, *patterns = name.split()
    entries = references()[target].entries
    keys = [
        key
        for key in entries
        if not is_variant(key[1]) and any(fnmatchcase(key[0], pattern) for pattern in patterns)
    ]
    operation_names = list(dict.fromkeys(key[2] for key in sorted(keys, key=_rank) if key[2]))
    rows = []
    for scheme, implementation in dict.fromkeys((key[0], key[1]) for key in keys):
        values = {
            key[2]: entries[key].values for key in keys if key[:2] == (scheme, implementation)
        }
        if not any("cycles" in of_operation for of_operation in values.values()):
            continue
        stack = max(int(of_operation.get("stack", 0)) for of_operation in values.values())
        flash = max(int(of_operation.get("flash_net", 0)) for of_operation in values.values())
        cycles = [_cycles(values.get(operation, {})) for operation in operation_names]
        rows.append([scheme, f"`{implementation}`", *cycles, f"{stack:,}", f"{flash:,}"])
    return ["scheme", "implementation", *operation_names, "stack, B", "flash added, B"], rows


_ORDER = ("keygen", "encapsulate", "decapsulate", "sign", "verify", "agree")


def _rank(key: tuple[str, str, str, int]) -> int:
    return _ORDER.index(key[2]) if key[2] in _ORDER else len(_ORDER)


def _cycles(values: Mapping[str, float]) -> str:
    return f"{int(values['cycles']):,}" if "cycles" in values else ""


def own_ciphers() -> Iterator[list[str]]:
    """A row for each own cipher and hash: cycles of one call on four boards."""
    tables = [references()[board].entries for board in _BOARDS]
    own = {key[1] for entries in tables for key in entries if key[1].startswith(_OWN)}
    names = sorted(name for name in own if not is_variant(name))
    for name in names:
        keys = sorted({key for entries in tables for key in entries if key[1] == name})
        for pattern, operation, size in _SHOWN:
            fits = [
                key for key in keys if fnmatchcase(key[0], pattern) and key[2:] == (operation, size)
            ]
            if fits:
                values = [
                    dict(entries[fits[0]].values) if fits[0] in entries else {}
                    for entries in tables
                ]
                flash = [f"{int(of.get('flash_net', 0)):,}" if of else "-" for of in values[:2]]
                cycles = [_cycles(of) or "-" for of in values]
                yield [f"`{name}`", fits[0][0], *cycles, ", ".join(flash)]
                break
