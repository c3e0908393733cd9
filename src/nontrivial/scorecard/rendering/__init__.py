"""A scorecard written out: as text for a terminal, and as a page with figures."""
