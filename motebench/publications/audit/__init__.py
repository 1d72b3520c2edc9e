"""Checks published tables without measuring anything: whether their numbers agree with each other,
with the formulas and sentences around them, and with facts of the catalog.
``docs/reference/audit.md`` has the checks and their references.
"""
