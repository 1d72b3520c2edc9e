"""Set-up: missing probes, sources of libraries, checks of the installation."""
