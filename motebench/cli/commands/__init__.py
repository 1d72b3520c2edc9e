"""One module per subcommand, found by name; each defines ``command``."""
