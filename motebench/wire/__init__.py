"""The probe protocol, as specified in ``docs/protocol.md``: frames, requests, checked replies."""
