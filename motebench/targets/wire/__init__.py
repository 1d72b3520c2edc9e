"""The probe protocol of ``docs/reference/probe-protocol.md``: frames, requests, checked replies."""
