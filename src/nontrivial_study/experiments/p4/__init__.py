"""The P4 article's examples and its measures over imbalance and noise."""
