"""Where results are kept: one SQLite file by default, any database that SQLAlchemy reaches by URL.

Nothing outside this package knows a table or a column. The schema and its history: ``schema.py``.
"""

from motebench.store.store import Store

__all__ = ["Store"]
