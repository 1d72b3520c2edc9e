"""Sources of the catalog's vectors, one module for each kind."""
