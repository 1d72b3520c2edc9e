"""Where the vectors of the catalog come from, one module for each kind of source."""
