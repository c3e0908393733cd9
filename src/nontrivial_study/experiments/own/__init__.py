"""One's own data and predictions."""
