"""What a protocol costs a device: computation, bytes and time on air, energy, latency, life of the
battery.
"""
