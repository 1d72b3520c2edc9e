"""One package per library. Each has an ``adapter.toml`` that says what it needs, and ``ADAPTER``."""
