"""Values, derived metrics and comparisons of stored runs."""
