"""Words, units, user errors, files and processes: what every room needs, and nothing of
cryptography.
"""
