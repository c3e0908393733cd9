"""The cases that claims are about: confusion tables, numbers by name and forecasts, as the searches go through them."""
