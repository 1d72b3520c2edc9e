"""Leak test: does the time of an operation depend on a secret? Exact on boards, by statistics on
hosts.
"""
