"""Studies: the question as a file or as options, and its expansion to cases."""
