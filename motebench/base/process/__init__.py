"""This process: temporary folders, signals."""
