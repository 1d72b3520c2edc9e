"""Firmware for boards: the C probe with one scheme of one implementation, built on demand and
cached.
"""

from motebench.targets.firmware.build import (
    REQUESTS,
    FirmwareImage,
    FirmwareRole,
    build,
    check_fit,
    check_net_fit,
    empty,
    flash_of,
)
from motebench.targets.firmware.sources import offered, offers_of, own_implementations

__all__ = [
    "REQUESTS",
    "FirmwareImage",
    "FirmwareRole",
    "build",
    "check_fit",
    "check_net_fit",
    "empty",
    "flash_of",
    "offered",
    "offers_of",
    "own_implementations",
]
