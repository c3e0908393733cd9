"""How areas under curves rank models (PRG paper, Section 4)."""
