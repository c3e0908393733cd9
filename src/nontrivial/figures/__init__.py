"""The documents' figures, drawn from the study's tables."""
