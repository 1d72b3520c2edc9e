"""Cases of a study, and the plan in which order they are measured."""
