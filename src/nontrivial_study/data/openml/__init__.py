"""Tasks and archived runs of OpenML."""
