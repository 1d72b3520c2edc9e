"""Requests to a probe for one case, and checks of its output."""
