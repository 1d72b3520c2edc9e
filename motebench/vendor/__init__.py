"""Sources of others, pinned by hash: what is used of them, and how they are fetched."""

from motebench.vendor.source import Implementation, Source, implementations, sources

__all__ = ["Implementation", "Source", "implementations", "sources"]
