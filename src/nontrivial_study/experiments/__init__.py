"""The experiments: what is trained, drawn and computed, and the figures of it; one folder for each."""
