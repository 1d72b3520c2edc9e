"""motebench: measure, compare and choose cryptography for the device you will ship."""

__version__ = "0.1.0"
