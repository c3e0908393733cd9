"""What to know before the numbers of a scorecard are used, why some are missing, and what their names mean."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from nontrivial._arrays import weight_counts
from nontrivial.scorecard.answers import Answers, Forecasts, no_shares
from nontrivial.scorecard.estimates import FEW, MOST_CLASSES, ClassRow, Estimate
from nontrivial.terminal import listed


def card_notes(answers: Answers) -> tuple[str, ...]:
    """Return what a reader of the numbers must know, the most important first."""
    notes = _notes_on_numbers if isinstance(answers, Forecasts) else _notes_on_classes
    return (*answers.notes, *notes(answers))


def _notes_on_numbers(forecasts: Any) -> Iterator[str]:
    values = np.unique(forecasts.prediction)
    if len(values) == 2:
        yield (
            f"The predictions are only {values[0]:.15g} and {values[1]:.15g}. If these are the true labels, name their "
            "column with --truth and the scores with --score."
        )


def _notes_on_classes(answers: Any) -> Iterator[str]:
    if answers.positive is not None and answers.n_classes > 2:
        others = [repr(label) for label in answers.labels[: answers.n_classes] if label != answers.positive]
        yield f"Every label but {answers.positive!r} counts as negative: {listed(others, 5)}."
    if answers.unused:
        yield f"The scores in {answers.unused!r} are not used; --positive names the class that they are for."
    if answers.positive is None:
        labels = answers.labels
        true, predicted = (weight_counts(each, len(labels)) for each in (answers.truth, answers.prediction))
        if never := [repr(labels[place]) for place in np.flatnonzero((true == 0) & (predicted > 0))]:
            yield f"Predicted, but not the true class of any case: {listed(never)}."
    for said, groups in (
        ("Labels that are the same number count as one label", answers.merged),
        ("Labels that differ only by case or blanks count as different labels", answers.alike),
    ):
        if groups:
            yield f"{said}: {listed(' and '.join(map(repr, group)) for group in groups)}."
    if answers.positive is None and answers.may_be_numbers:
        yield (
            f"The {answers.n_classes:,} different numbers are treated as classes; --task regression treats them as "
            "numbers to predict."
        )
    if answers.score is not None and len(values := np.unique(answers.score)) == 2:
        yield (
            f"The scores are only {values[0]:.6g} and {values[1]:.6g}, so they seem to be predicted labels. Areas and "
            "losses need the scores behind them."
        )
    if answers.probabilities is not None and (wrong := np.count_nonzero(no_shares(answers.probabilities))):
        yield (
            f"In {wrong:,} of {len(answers.truth):,} cases, a score of a class is negative or the scores do not add up "
            "to 1. The scores are therefore not probabilities, and the losses squared and cross_entropy are left out."
        )


# Why a value or an interval is missing.


def why_undefined(estimates: Mapping[str, Estimate], table: Mapping[str, float]) -> dict[str, str]:
    """Return why each undefined measure of ``fp, tp, fn, tn``, and each undefined area, is so.

    Examples
    --------
    >>> estimates = {"recall": Estimate(0.0), "precision": Estimate(math.nan)}
    >>> why_undefined(estimates, {"fp": 0, "tp": 0, "fn": 3, "tn": 7})
    {'precision': 'no case is predicted positive'}
    """
    one_sided = f"no case is predicted {'negative' if table['tp'] + table['fp'] else 'positive'}"
    special = {
        "p4": "every prediction is wrong",
        "expected_f1_gain": "no negative case scores below the threshold at which recall equals the prevalence",
    }
    return {name: special.get(name, one_sided) for name in _undefined(estimates)}


def why_undefined_of_classes(estimates: Mapping[str, Estimate], rows: Sequence[ClassRow]) -> dict[str, str]:
    """Return why each undefined measure, and each undefined mean of areas, of several classes is so."""
    reasons = {}
    for name in _undefined(estimates):
        plain = name.removeprefix("macro_")
        lacking = [row.label for row in rows if math.isnan((row.measures | row.areas).get(plain, 0.0))]
        reasons[name] = "all cases are predicted to be of the same class"
        if plain != name:
            reasons[name] = f"it is undefined for {listed(lacking) or 'a class that occurs in no case'}"
    return reasons


def why_no_interval(estimates: Mapping[str, Estimate], n_classes: int, *, few: bool) -> dict[str, str]:
    """Return why each measure and each area that is defined, but has no interval, has none.

    `few` says that weights or groups leave too few cases for any interval.
    """
    many = f"there are more than {MOST_CLASSES} classes"
    other = FEW if few else many if n_classes > MOST_CLASSES else "it is undefined in too many resamples"
    tuned = "thresholds were tuned on these cases"
    return {
        name: tuned if name.endswith("cost_curve_area") else other
        for name, estimate in estimates.items()
        if not (estimate.method or math.isnan(estimate.value))
    }


def _undefined(estimates: Mapping[str, Estimate]) -> list[str]:
    return [name for name, estimate in estimates.items() if math.isnan(estimate.value)]


# What the names of measures and methods in a scorecard mean.

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
