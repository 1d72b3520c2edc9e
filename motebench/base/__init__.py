"""Words, units, user errors, files and processes for every room; no cryptography."""
