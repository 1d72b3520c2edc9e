"""Published studies: their claims checked by new runs, their tables by arithmetic."""
