"""Instruments that measure power: the contract, drivers, recordings, and their evaluation."""
