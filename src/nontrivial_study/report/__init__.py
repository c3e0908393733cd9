"""The study's results as one page for people."""
