"""Find the confusion tables that printed scores allow, and test whether all of them are better than trivial."""
