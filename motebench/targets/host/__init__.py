"""Machines with Linux: this one, and emulated processors."""
