"""Rows of a result document with a reader's words, for tables, reports, exports and choices."""
