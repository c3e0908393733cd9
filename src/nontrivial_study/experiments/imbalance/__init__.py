"""Measures over class imbalance and label noise (PA paper, Section 5)."""
