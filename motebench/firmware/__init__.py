"""Firmware for boards: the C probe with one scheme of one implementation, built on demand and kept."""

from motebench.firmware.build import Image, build, empty
from motebench.firmware.sources import own_implementations
from motebench.firmware.vendored import offered, offers_of

__all__ = ["Image", "build", "empty", "offered", "offers_of", "own_implementations"]
