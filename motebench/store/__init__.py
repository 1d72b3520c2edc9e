"""The store of results: one SQLite file by default, or a PostgreSQL database.

No code outside this package uses a table or a column. ``schema.py`` has the schema and its history.
"""

from motebench.store.store import Store

__all__ = ["Store"]
