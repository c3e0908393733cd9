"""A file of predictions as a scorecard: every measure with its interval, and whether it beats the trivial one."""
