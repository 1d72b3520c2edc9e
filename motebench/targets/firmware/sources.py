"""The source files of firmware."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from types import MappingProxyType

from motebench.base.paths import data_root
from motebench.catalog.devices import Device
from motebench.targets.firmware.architecture import architecture, folder, port

_LINE = re.compile(r"^MOTE_(?:IMPLEMENTATION|ADAPTER)\(([a-z0-9_]+)\)", re.MULTILINE)


def core_dir() -> Path:
    """The folder of the C sources."""
    return data_root() / "core"


@cache
def own_implementations() -> Mapping[str, Path]:
    """motebench's own implementations by name (``mote/aes-small``), each with its file.

    That is one in ``core/ciphers``, or of an algorithm with public keys its adapter in ``core/mote/public``.
    """
    found = {}
    for path in (*sorted((core_dir() / "ciphers").glob("*/*.c")), *sorted(_public().glob("*.c"))):
        for symbol in _LINE.findall(path.read_text(encoding="utf-8")):
            found[f"mote/{symbol.replace('_', '-')}"] = path
    return MappingProxyType(found)


def _public() -> Path:
    return core_dir() / "mote" / "public"


def is_public(implementation: str) -> bool:
    """Whether that own implementation has public keys: its file is an adapter itself."""
    return own_implementations()[implementation].parent == _public()


def symbol_of(implementation: str) -> str:
    """The C symbol of an own implementation: ``mote_aes_small`` of ``mote/aes-small``."""
    return implementation.replace("/", "_").replace("-", "_")


def headers() -> list[Path]:
    """Every header, and every separate table file, that a source may include."""
    found = (path for pattern in ("*.h", "*.inc") for path in core_dir().rglob(pattern))
    return sorted(path for path in found if "adapters" not in path.parts)


def probe_sources(device: Device) -> list[Path]:
    """The probe itself and its port."""
    core = core_dir()
    shared = architecture(device.architecture).shares
    names = ("small", *shared, device.architecture, *port(device.port).shares, device.port)
    folders = [core / "ports" / name for name in names if name]
    probe = sorted(path for path in (core / "probe").glob("*.c") if path != identity_source())
    found = [path for folder in folders for path in sorted([*folder.glob("*.c"), *folder.glob("*.S")])]
    return [*probe, *found]


def support_sources() -> list[Path]:
    """The other sources that adapters need; they are part of what is measured."""
    names = ("block_buffer", "driver", "hashes", "kind", "pkcs7", "steps")
    return [core_dir() / "support" / f"{name}.c" for name in names]


def library_sources(device: Device) -> list[Path]:
    """Sources that replace functions of the C library."""
    names = (*architecture(device.architecture).shares, device.architecture)
    return [path for name in names for path in sorted((folder(name) / "library").glob("*.c"))]


def identity_source() -> Path:
    """The identity of the firmware, compiled for each one."""
    return core_dir() / "probe" / "identity.c"


def main_source() -> Path:
    """The main function of a probe that answers requests from a host."""
    return core_dir() / "probe" / "main.c"


def alone_source() -> Path:
    """The main function of standalone firmware."""
    return core_dir() / "alone" / "alone.c"


def cipher_sources(name: str) -> list[Path]:
    """All own implementations, including assembly for the architecture of that name, and the modes.

    The linker selects what the firmware uses.
    """
    return [*_found("ciphers/*", name), *shared_sources(name)]


def shared_sources(name: str) -> list[Path]:
    """The modes, and other code that every implementation may use."""
    return [*_found("mote", name), *_found("mote/modes", name)]


def _found(where: str, name: str) -> list[Path]:
    patterns = (f"{where}/*.c", f"{where}/*_{architecture(name).assembly}.S")
    return sorted(path for pattern in patterns for path in core_dir().glob(pattern))


def public_sources(implementation: str) -> list[Path]:
    """The adapter of an own implementation with public keys, and what such adapters share."""
    return [own_implementations()[implementation], core_dir() / "support" / "der.c"]


def empty_sources() -> list[Path]:
    """The adapter with a no-op cipher."""
    return [*sorted((core_dir() / "mote" / "empty").glob("*.c")), *adapter_sources()]


def adapter_sources() -> list[Path]:
    """The adapter, compiled anew for each scheme."""
    return sorted((core_dir() / "mote" / "adapter").glob("*.c"))
