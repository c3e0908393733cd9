"""Rankings of a few cases, all of them: their curves, areas and hulls in exact arithmetic."""
