"""Answers as text: each module prints one kind of document."""
