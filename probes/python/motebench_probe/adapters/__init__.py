"""One package per library. Each has an ``adapter.toml`` with its requirements, and ``ADAPTER``."""
