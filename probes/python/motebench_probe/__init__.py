"""A probe in Python (``docs/reference/probe-protocol.md``, version 1), for libraries that have a
Python interface.

Every round starts it anew, so that start-up counts: nothing here imports ``typing``,
``dataclasses`` or ``cbor2``, which would double the time of the interpreter itself, and adapters
import their library when they first need it.
"""

PROTOCOL = 2
VERSION = "0.1.0"
