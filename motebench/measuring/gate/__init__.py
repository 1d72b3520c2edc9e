"""Two commits of a user's repository, measured in turn and compared."""
