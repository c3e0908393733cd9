"""Published numbers: which tables they can belong to, and whether these are better than trivial."""
