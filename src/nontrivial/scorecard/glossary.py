"""What the names of measures and methods in a scorecard mean."""

from __future__ import annotations

_OF_CLASSES = "Mean over the classes, each against the rest."
GLOSSARY: dict[str, tuple[str, str]] = {
    "accuracy": ("Accuracy", "Share of cases that are predicted correctly."),
    "error_rate": ("Error rate", "Share of cases that are predicted incorrectly."),
    "balanced_accuracy": ("Balanced accuracy", "Mean of the classes' shares of correct predictions."),
    "precision": ("Precision (PPV)", "Share of positives among the cases predicted positive."),
    "recall": ("Recall (sensitivity)", "Share of the positives that are predicted positive."),
    "specificity": ("Specificity", "Share of the negatives that are predicted negative."),
    "negative_predictive_value": ("Negative predictive value", "Negatives among cases predicted negative."),
    "false_positive_rate": ("False positive rate", "Share of the negatives that are predicted positive."),
    "false_negative_rate": ("False negative rate", "Share of the positives that are predicted negative."),
    "false_discovery_rate": ("False discovery rate", "Negatives among the cases predicted positive."),
    "false_omission_rate": ("False omission rate", "Positives among the cases predicted negative."),
    "f_beta": ("F1", "Harmonic mean of precision and recall."),
    "p4": ("P4", "Harmonic mean of precision, recall, specificity and negative predictive value."),
    "matthews_corrcoef": ("Matthews correlation (MCC)", "Correlation of truth and prediction; 0 means none."),
    "fowlkes_mallows": ("Fowlkes-Mallows index", "Geometric mean of precision and recall."),
    "jaccard": ("Jaccard index", "True positives among cases that are positive or predicted positive."),
    "informedness": ("Informedness (Youden's J)", "Recall plus specificity minus 1."),
    "markedness": ("Markedness", "Precision plus negative predictive value minus 1."),
    "prevalence": ("Prevalence", "Share of positives among all cases."),
    "prevalence_threshold": ("Prevalence threshold", "Prevalence below which precision falls steeply."),
    "positive_likelihood_ratio": ("Positive likelihood ratio", "Recall over the false positive rate."),
    "negative_likelihood_ratio": ("Negative likelihood ratio", "False negative rate over specificity."),
    "diagnostic_odds_ratio": ("Diagnostic odds ratio", "Positive likelihood ratio over the negative one."),
    "cohen_kappa": ("Cohen's kappa", "Agreement of truth and prediction beyond chance."),
    "no_information_rate": ("No-information rate", "Accuracy of always predicting the most frequent class."),
    "goodman_kruskal_lambda": (
        "Goodman and Kruskal's lambda",
        "Prediction Advantage if each predicted label is replaced by its most frequent true class.",
    ),
    "prediction_advantage": (
        "Prediction Advantage (PA)",
        "One minus the ratio of the error, or mean loss, to that of the best constant guess: 1 is perfect, 0 trivial, "
        "less than 0 worse.",
    ),
    "precision_gain": (
        "Precision gain",
        "Precision rescaled harmonically: 0 at the prevalence, 1 if perfect.",
    ),
    "recall_gain": ("Recall gain", "Recall rescaled harmonically: 0 at the prevalence, 1 if perfect."),
    "f_beta_gain": ("F1 gain", "F1 rescaled harmonically: 0 at the prevalence, 1 if perfect."),
    "macro_precision": ("Precision, mean of classes", _OF_CLASSES),
    "macro_f1": ("F1, mean of classes", _OF_CLASSES),
    "macro_p4": ("P4, mean of classes", _OF_CLASSES),
    "roc_auc": (
        "Area under the ROC curve (AUC)",
        "Share of pairs of a positive and a negative in which the positive scores higher; 0.5 is chance.",
    ),
    "average_precision": ("Average precision", "Area under the precision-recall curve, drawn in steps."),
    "pr_auc": (
        "Area under the PR curve",
        "Area under the precision-recall curve, with hyperbolic interpolation; a constant score has the prevalence.",
    ),
    "prg_auc": (
        "Area under the PRG curve",
        "Area under the curve of precision gain over recall gain; 0 is calling everything positive.",
    ),
    "expected_f1_gain": (
        "Expected F1 gain",
        "Mean F1 gain of a threshold chosen at random along the ranking.",
    ),
    "cost_curve_area": (
        "Area under the cost curve",
        "Mean cost over all error costs and prevalences; less is better, and 0.25 is trivial.",
    ),
    "cross_entropy": ("Cross-entropy (log loss)", "Mean -log of the outcome's probability; less is better."),
    "squared": (
        "Squared loss (MSE, Brier score)",
        "Mean squared error, of numbers or of probabilities. Of numbers, its Prediction Advantage is R squared.",
    ),
    "absolute": ("Absolute loss (MAE)", "Mean absolute error; the best constant is the median."),
    "pinball": ("Pinball loss", "The loss of a forecast quantile; the best constant is the quantile."),
    "clopper_pearson": ("Clopper-Pearson (interval)", "The exact interval of a share."),
    "bootstrap": (
        "Bayesian bootstrap (interval)",
        "Weights the cases at random, many times, with one more case of each class: half of it is predicted rightly, "
        "half wrongly.",
    ),
    "fieller": (
        "Fieller (interval)",
        "All advantages that Student's test of the losses does not reject; the ends allow for one more case.",
    ),
}


def _plain(name: str) -> str:
    """A name in the glossary; the mean of an area over the classes is that of the area."""
    return name if name in GLOSSARY else name.removeprefix("macro_")


def label_of(name: str) -> str:
    """Return what a measure is called, whatever stands in brackets behind it; anything else as it is.

    Examples
    --------
    >>> label_of("f_beta"), label_of("macro_roc_auc"), label_of("recall (12 cases)"), label_of("0.5")
    ('F1', 'Area under the ROC curve (AUC), mean of classes', 'Recall (sensitivity) (12 cases)', '0.5')
    """
    measure, bracket, more = name.partition(" (")
    plain = _plain(measure)
    if plain not in GLOSSARY:
        return name
    return GLOSSARY[plain][0] + ", mean of classes" * (plain != measure) + bracket + more


def meaning_of(name: str) -> str:
    """Return what a measure or method means."""
    return GLOSSARY[_plain(name)][1]
