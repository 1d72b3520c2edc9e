"""Programs of the command line, as whole processes on files."""
