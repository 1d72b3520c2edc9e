"""Files: TOML with positions, output that is whole or absent, pipes."""
