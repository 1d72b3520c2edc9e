"""Costs of a protocol on a device: computation, bytes and time on air, energy, latency, life of the
battery.
"""
