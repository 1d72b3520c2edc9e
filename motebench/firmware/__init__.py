"""Firmware for boards: the C probe with one scheme of one implementation, built on demand and kept."""

from motebench.firmware.build import Image, build
from motebench.firmware.sources import own_implementations

__all__ = ["Image", "build", "own_implementations"]
