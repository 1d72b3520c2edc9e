"""Whether the time of an operation depends on a secret: counted on boards, by statistics on hosts."""
