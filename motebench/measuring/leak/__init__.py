"""Whether the time of an operation depends on a secret: exact on boards, by statistics on hosts."""
