"""Files: TOML with positions, files that a user names, ELF."""
