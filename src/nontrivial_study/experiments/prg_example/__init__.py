"""The PRG paper's running example and its Figures 1 to 3."""
