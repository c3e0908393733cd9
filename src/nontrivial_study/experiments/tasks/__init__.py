"""Models trained on binary tasks: their predictions, measures and areas under curves."""
