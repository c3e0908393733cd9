"""The Prediction Advantage under each loss (PA paper, Section 2)."""
