"""Sources of libraries, pinned by hash: the parts in use, and how they are fetched."""

from motebench.targets.setup.vendor.source import (
    PinnedImplementation,
    PinnedSource,
    implementations,
    libraries,
    sources,
)

__all__ = ["PinnedImplementation", "PinnedSource", "implementations", "libraries", "sources"]
