"""What the names of a scorecard mean, measures and methods, for readers."""

from __future__ import annotations

GLOSSARY: dict[str, tuple[str, str]] = {
    "accuracy": ("Accuracy", "Share of cases that are predicted correctly."),
    "error_rate": ("Error rate", "Share of cases that are predicted incorrectly."),
    "balanced_accuracy": (
        "Balanced accuracy",
        "Mean over the classes of the share that is predicted correctly.",
    ),
    "precision": ("Precision (PPV)", "Share of positives among the cases predicted positive."),
    "recall": ("Recall (sensitivity)", "Share of the positives that are predicted positive."),
    "specificity": ("Specificity", "Share of the negatives that are predicted negative."),
    "negative_predictive_value": (
        "Negative predictive value",
        "Share of negatives among the cases predicted negative.",
    ),
    "false_positive_rate": ("False positive rate", "Share of the negatives that are predicted positive."),
    "false_negative_rate": ("False negative rate", "Share of the positives that are predicted negative."),
    "false_discovery_rate": (
        "False discovery rate",
        "Share of negatives among the cases predicted positive.",
    ),
    "false_omission_rate": ("False omission rate", "Share of positives among the cases predicted negative."),
    "f_beta": ("F1", "Harmonic mean of precision and recall."),
    "p4": ("P4", "Harmonic mean of precision, recall, specificity and negative predictive value."),
    "matthews_corrcoef": (
        "Matthews correlation (MCC)",
        "Correlation of truth and prediction; 0 means none.",
    ),
    "fowlkes_mallows": ("Fowlkes-Mallows index", "Geometric mean of precision and recall."),
    "jaccard": (
        "Jaccard index",
        "Share of true positives among the cases that are positive or predicted positive.",
    ),
    "informedness": ("Informedness (Youden's J)", "Recall plus specificity, less 1."),
    "markedness": ("Markedness", "Precision plus negative predictive value, less 1."),
    "prevalence": ("Prevalence", "Share of positives among all cases."),
    "prevalence_threshold": (
        "Prevalence threshold",
        "Prevalence below which precision drops fastest as positives become rarer.",
    ),
    "positive_likelihood_ratio": (
        "Positive likelihood ratio",
        "How many times as often a positive is predicted positive as a negative is.",
    ),
    "negative_likelihood_ratio": (
        "Negative likelihood ratio",
        "How many times as often a positive is predicted negative as a negative is.",
    ),
    "diagnostic_odds_ratio": ("Diagnostic odds ratio", "Quotient of the two likelihood ratios."),
    "cohen_kappa": ("Cohen's kappa", "Agreement of truth and prediction beyond chance."),
    "no_information_rate": ("No-information rate", "Accuracy of always predicting the most frequent class."),
    "goodman_kruskal_lambda": (
        "Goodman and Kruskal's lambda",
        "Prediction Advantage after each predicted label is renamed to its most frequent true class.",
    ),
    "prediction_advantage": (
        "Prediction Advantage (PA)",
        "One minus the error over that of the best constant guess: 0 is trivial, less is worse, 1 is perfect.",
    ),
    "precision_gain": ("Precision gain", "Precision on a scale where 0 is calling everything positive."),
    "recall_gain": ("Recall gain", "Recall on the same scale."),
    "f_beta_gain": ("F1 gain", "F1 on the same scale."),
    "macro_precision": ("Precision, mean of classes", "Mean over the classes, each against the rest."),
    "macro_f1": ("F1, mean of classes", "Mean over the classes, each against the rest."),
    "macro_p4": ("P4, mean of classes", "Mean over the classes, each against the rest."),
    "roc_auc": (
        "Area under the ROC curve (AUC)",
        "Share of pairs of a positive and a negative in which the positive scores higher; 0.5 is chance.",
    ),
    "average_precision": ("Average precision", "Area under the precision-recall curve, by steps."),
    "pr_auc": (
        "Area under the PR curve",
        "Area under the precision-recall curve, with hyperbolic interpolation; a random ranking has the prevalence.",
    ),
    "prg_auc": (
        "Area under the PRG curve",
        "Area under precision gain over recall gain; 0 is calling everything positive.",
    ),
    "expected_f1_gain": ("Expected F1 gain", "F1 gain of a threshold chosen at random along the ranking."),
    "cost_curve_area": (
        "Area under the cost curve",
        "Mean cost over all costs of errors and prevalences; less is better, at most 0.25.",
    ),
    "brier_score": ("Brier score", "Mean squared distance of probability and outcome; less is better."),
    "log_loss": ("Log loss", "Mean of minus the logarithm of the outcome's probability; less is better."),
    "squared": ("Squared loss (MSE)", "Mean squared error; its Prediction Advantage is R squared."),
    "absolute": ("Absolute loss (MAE)", "Mean absolute error; the best constant is the median."),
    "quantile": ("Quantile loss", "Mean pinball loss of the forecast quantile."),
    "exact": (
        "exact (interval)",
        "Holds its level for any number of cases, by Clopper and Pearson's bounds of the errors.",
    ),
    "clopper_pearson": ("Clopper-Pearson (interval)", "The exact interval of a share."),
    "bayesian_bootstrap": (
        "Bayesian bootstrap (interval)",
        "Weighs the cases at random, many times, and supposes one more case of each class that is right or wrong.",
    ),
    "fieller": ("Fieller (interval)", "All ratios of two mean losses that Student's test does not reject."),
}


def label_of(name: str) -> str:
    """Return what a measure is called.

    Examples
    --------
    >>> label_of("f_beta"), label_of("macro_roc_auc")
    ('F1', 'Area under the ROC curve (AUC), mean of classes')
    """
    if name in GLOSSARY:
        return GLOSSARY[name][0]
    return f"{GLOSSARY[name.removeprefix('macro_')][0]}, mean of classes"


def meaning_of(name: str) -> str:
    """Return what a measure is."""
    return GLOSSARY[name if name in GLOSSARY else name.removeprefix("macro_")][1]
