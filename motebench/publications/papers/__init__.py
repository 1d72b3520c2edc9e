"""Published studies again: their numbers and claims beside results of motebench."""
