"""Repetition of published studies: their numbers and claims beside results of motebench."""
