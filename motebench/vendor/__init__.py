"""Sources of libraries, pinned by hash: which parts are used, and how they are fetched."""

from motebench.vendor.source import Implementation, Source, implementations, sources

__all__ = ["Implementation", "Source", "implementations", "sources"]
