"""Sources of libraries, pinned by hash: the parts in use, and how they are fetched."""

from motebench.targets.setup.vendor.source import Implementation, Source, implementations, libraries, sources

__all__ = ["Implementation", "Source", "implementations", "libraries", "sources"]
