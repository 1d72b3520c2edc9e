"""Targets: the places where motebench can measure now, and sessions with the probes on them."""
