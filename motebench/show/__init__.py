"""Stored results and catalog for readers: report, export, lists."""
