"""Boards: simulated ones and those on a serial port, with the same firmware."""
