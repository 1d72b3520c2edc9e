"""Variants of implementations: the same library with some features of the processor switched off.

Each library's folder has a ``variants.toml``; ``docs/reference.md`` describes its keys.
"""

from __future__ import annotations

import platform
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from types import MappingProxyType

from motebench.base.errors import InputError
from motebench.base.naming import VARIANT
from motebench.base.paths import data_root

_GLOBS = ("core/adapters/*/variants.toml", "probes/*/*variants.toml")
_KEYS = {"name": str, "meaning": str, "architectures": list, "environment": dict, "source": str}


@dataclass(frozen=True, slots=True)
class Variant:
    """One variant: the environment variables of its probe, and the architectures on which it exists."""

    implementation: str
    name: str
    meaning: str
    architectures: tuple[str, ...]
    environment: Mapping[str, str]
    source: str

    @property
    def label(self) -> str:
        """Its name in studies and results."""
        return f"{self.implementation}{VARIANT}{self.name}"


def read_variants(path: Path) -> list[Variant]:
    """The variants of one file. InputError with file, line and key."""
    from motebench.base.files import toml

    document = toml.load(path)
    implementation = document.data.get("implementation")
    if not isinstance(implementation, str) or not implementation:
        raise InputError("implementation is missing", where=str(path), valid="the name of an implementation")
    found = []
    for index, entry in enumerate(document.data.get("variant", [])):
        for key, kind in _KEYS.items():
            if not isinstance(entry.get(key), kind):
                raise InputError(f"{key} is missing", where=document.where(("variant", index)), valid=", ".join(_KEYS))
        if unknown := set(entry) - set(_KEYS):
            where = document.where(("variant", index, sorted(unknown)[0]))
            raise InputError(f"unknown key {sorted(unknown)[0]!r}", where=where, valid=", ".join(_KEYS))
        environment = MappingProxyType({str(key): str(value) for key, value in entry["environment"].items()})
        architectures = tuple(str(item) for item in entry["architectures"])
        found.append(
            Variant(implementation, entry["name"], entry["meaning"], architectures, environment, entry["source"])
        )
    return found


@cache
def variants(architecture: str | None = None) -> Mapping[str, Variant]:
    """Every variant that exists on an architecture (``uname -m``; None: this machine's), by label."""
    files = [path for pattern in _GLOBS for path in sorted(data_root().glob(pattern))]
    every = [variant for path in files for variant in read_variants(path)]
    here = architecture or platform.machine()
    return MappingProxyType({variant.label: variant for variant in every if here in variant.architectures})
