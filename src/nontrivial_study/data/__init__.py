"""Data sets as canonical tables: where they come from, what they hold, and a digest that pins them."""
