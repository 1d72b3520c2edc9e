"""The probe protocol of ``docs/protocol.md``: frames, requests, checked replies."""
