"""The language of claims: printed numbers, exact arithmetic and formulas."""
