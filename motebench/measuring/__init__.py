"""Studies carried out: planned, proven by known answers, measured, stored."""
