"""Runs from their beginning to their end: started, taken up again, in groups. One function does it: `measure`."""
