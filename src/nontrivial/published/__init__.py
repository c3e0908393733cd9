"""The command `nontrivial published`: it parses printed scores, and judges whether they are better than trivial."""
