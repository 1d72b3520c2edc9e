"""Targets: what can be measured on right now, and sessions with the probes on them."""
