"""Sources of libraries, pinned by hash: the parts in use, and how they are fetched."""
