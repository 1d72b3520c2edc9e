"""Instruments that measure power: a contract, drivers, recordings that replay, and what they add up to."""
