"""Selective prediction (PA paper, Section 6)."""
