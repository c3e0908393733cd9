"""The scorecard of a file of predictions: measures with intervals, and verdicts on whether it is better than trivial."""
