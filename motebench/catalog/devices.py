"""Devices: kinds of hardware, one file each, ``catalog/devices/<id>.toml``; ``docs/catalog.md`` describes the keys."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import Annotated

from pydantic import Field

from motebench import toml
from motebench.catalog.schema import Count, Identifier, Record, Source, Text
from motebench.errors import InputError
from motebench.paths import catalog_dir


class Device(Record):
    """A microcontroller, as far as firmware and simulator need to know it.

    ``clock_hz`` is the clock of its firmware; ``flash_bytes`` and ``ram_bytes`` are what the part has, of which a boot
    loader takes the first ``boot_loader_bytes`` of flash; ``mcu`` is its name for compiler and simulator, ``core`` that
    of its core, where the compiler asks for one. ``port`` names the chip's own part of the port of the probe, where the
    architecture alone does not say it. ``boards`` are those that carry the part.

    ``wait_states`` and ``cache``: of its flash at that clock; None where it has no such settings.
    """

    id: Identifier
    name: Text
    architecture: Text
    clock_hz: Count
    flash_bytes: Count
    ram_bytes: Count
    mcu: Text
    source: Source
    core: Text | None = None
    port: Identifier | None = None
    boards: tuple[Text, ...] = ()
    boot_loader_bytes: Annotated[int, Field(strict=True, ge=0)] = 0
    wait_states: Annotated[int, Field(strict=True, ge=0, le=15)] | None = None
    cache: bool | None = None


def device_files(catalog: Path) -> list[Path]:
    """Every device file of a catalog folder, by id."""
    return sorted((catalog / "devices").glob("*.toml"))


def read_device(path: Path) -> Device:
    """One device. InputError with file, line and key."""
    document = toml.load(path)
    device = toml.validate(document, Device)
    if device.id != path.stem:
        raise InputError("id is not the name of the file", where=document.where(("id",)), valid=path.stem)
    return device


@cache
def devices() -> Mapping[str, Device]:
    """Every device by id."""
    return MappingProxyType({device.id: device for device in map(read_device, device_files(catalog_dir()))})
