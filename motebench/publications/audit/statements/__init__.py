"""Sentences and formulas of a paper as data, and their checks. ``docs/audit.md`` describes ``statements.toml``."""
