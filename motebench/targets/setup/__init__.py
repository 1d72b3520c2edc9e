"""Set-up: missing probes, sources of libraries, what is installed."""
