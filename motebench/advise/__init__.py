"""Answers for a device: choice, protocols, energy, radio, and the reference results they rest
on.
"""
