"""The experiments: tasks, models, folds, imbalance and noise, ranks, and the documents' worked examples."""
