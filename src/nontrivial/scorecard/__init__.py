"""The scorecard of a file of predictions: measures with intervals, and whether the model is better than trivial."""
