"""Runner of a study: answers checked first, then rounds of samples until enough is known."""
