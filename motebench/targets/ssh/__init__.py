"""Linux boards behind SSH."""
