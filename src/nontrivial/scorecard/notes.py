"""The notes of a scorecard, and what the names in it mean."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from nontrivial._arrays import weight_counts
from nontrivial.measures.sign_verdict import SignVerdict
from nontrivial.scorecard.answers import Forecasts, Predictions, no_shares
from nontrivial.scorecard.estimates import (
    FEW,
    FEWEST_BEYOND,
    MOST_CLASSES,
    ClassRow,
    Estimate,
    LossRow,
    few_beyond_quantile,
    few_of_a_class,
    unit_drawn,
)
from nontrivial.terminal import listed

# The notes of a scorecard: what to know before its numbers are used.


NO_RARE_LOSS = "that no rare case has a loss much greater than those seen"
# Above this area under the ROC curve, intervals reflect little more than the cases that the bootstrap adds.
NEARLY_PERFECT = 0.98
CHOSEN = "thresholds were tuned on these cases"
# For a mean over the classes: the measure of a class that may be undefined, and when. F1 and recall never are, since
# each class has cases.
LACKING = {
    "macro_precision": ("precision", "no case is predicted as"),
    "macro_p4": ("p4", "no case is a true positive or a true negative for"),
}


def forecast_notes(forecasts: Forecasts) -> list[str]:
    """Say what the intervals of predicted numbers assume."""
    notes, tested = [], " and the test"
    if few_beyond_quantile(forecasts.quantile, len(forecasts.truth), forecasts.groups):
        tested = ""
        notes.append(
            f"Fewer than {FEWEST_BEYOND} {unit_drawn(forecasts.groups)}s are expected beyond the quantile. That is "
            "too few to show that the forecasts are better or worse than trivial."
        )
    notes.append(
        f"Fieller's intervals{tested} assume {NO_RARE_LOSS}. Each end of an interval supposes one more case "
        "like the one that moves it most."
    )
    return notes


def card_notes(
    answers: Any, table: Mapping[str, float] | None = None, said: Sequence[str] = ()
) -> tuple[str, ...]:
    """Return what a reader of the numbers must know, the most important first.

    Parameters
    ----------
    answers : Predictions or Forecasts
    table
        As in `Scorecard`; for predictions only.
    said : sequence of str
        Notes from the computation of the areas.
    """
    notes = list(answers.notes)
    if isinstance(answers, Forecasts):
        return (*notes, *two_numbers_note(answers))
    if answers.assumed:
        notes.append(
            f"The positive label is assumed to be {answers.positive!r}, the greater of the two labels "
            f"{listed(map(repr, answers.labels))}; --positive names another."
        )
    if answers.positive is not None and answers.n_classes > 2:
        others = [repr(label) for label in answers.labels[: answers.n_classes] if label != answers.positive]
        notes.append(f"Every label but {answers.positive!r} counts as negative: {listed(others, 5)}.")
    if answers.unused:
        notes.append(
            f"The scores in {answers.unused!r} are not used; --positive names the class that they are for."
        )
    notes += never_true_note(answers)
    notes += label_notes(answers.merged, answers.alike)
    if answers.positive is None and answers.may_be_numbers:
        notes.append(
            f"The {answers.n_classes:,} different numbers are treated as classes; --task regression treats them as "
            "numbers to predict."
        )
    if answers.score is not None and len(values := np.unique(answers.score)) == 2:
        notes.append(
            f"The scores are only {values[0]:.6g} and {values[1]:.6g}, so they seem to be predicted labels. Areas and "
            "losses need the scores behind them."
        )
    if answers.probabilities is not None and (wrong := np.count_nonzero(no_shares(answers.probabilities))):
        notes.append(
            f"In {wrong:,} of {len(answers.truth):,} cases, a score of a class is negative or the scores do not add up "
            "to 1. The scores are therefore not probabilities, and the losses squared and cross_entropy are left out."
        )
    if table:
        notes += one_sided_note(answers.rule, table["tp"] + table["fp"], sum(table.values()))
    return (*notes, *said)


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
        "expected_f1_gain": "no negative case scores below the point where recall gain is 0",
    }
    return {name: special.get(name, one_sided) for name in _undefined(estimates)}


def why_undefined_of_classes(estimates: Mapping[str, Estimate], rows: Sequence[ClassRow]) -> dict[str, str]:
    """Return why each undefined measure, and each undefined mean of areas, of several classes is so."""
    return {name: _why_undefined_mean(name, rows) for name in _undefined(estimates)}


def _why_undefined_mean(name: str, rows: Sequence[ClassRow]) -> str:
    if name in LACKING:
        measure, happens = LACKING[name]
        return f"{happens} {listed(row.label for row in rows if math.isnan(row.measures[measure]))}"
    area = name.removeprefix("macro_")
    if area in rows[0].areas:
        lacking = listed(row.label for row in rows if math.isnan(row.areas[area]))
        return f"the area is undefined for {lacking or 'a class that occurs in no case'}"
    return "all cases are predicted to be of the same class"


def why_no_interval(estimates: Mapping[str, Estimate], n_classes: int, *, few: bool) -> dict[str, str]:
    """Return why each measure and each area that is defined, but has no interval, has none.

    `few` says that weights or groups leave too few cases for any interval.
    """
    other = "it is undefined in too many resamples"
    if few:
        other = FEW
    elif n_classes > MOST_CLASSES:
        other = f"there are more than {MOST_CLASSES} classes"
    return {
        name: CHOSEN if name.endswith("cost_curve_area") else other
        for name, estimate in estimates.items()
        if not (estimate.method or math.isnan(estimate.value))
    }


def _undefined(estimates: Mapping[str, Estimate]) -> list[str]:
    return [name for name, estimate in estimates.items() if math.isnan(estimate.value)]


def undefined_notes(undefined: Mapping[str, str]) -> list[str]:
    """Write a sentence for each reason.

    Examples
    --------
    >>> undefined_notes({"precision": "no case is predicted positive", "markedness": "no case is predicted positive"})
    ['Undefined (0/0), because no case is predicted positive: precision, markedness.']
    """
    names: dict[str, list[str]] = {}
    for name, reason in undefined.items():
        names.setdefault(reason, []).append(name)
    return [f"Undefined (0/0), because {reason}: {', '.join(members)}." for reason, members in names.items()]


def never_true_note(predictions: Predictions) -> list[str]:
    """Say which classes are predicted but are the true class of no case; a label may be misspelt."""
    if predictions.positive is not None:
        return []
    labels = predictions.labels
    true, predicted = (
        weight_counts(each, len(labels)) for each in (predictions.truth, predictions.prediction)
    )
    names = [repr(label) for label, never in zip(labels, (true == 0) & (predicted > 0), strict=True) if never]
    return [f"Predicted, but not the true class of any case: {listed(names)}."] if names else []


def label_notes(merged: Sequence[tuple[str, ...]], alike: Sequence[tuple[str, ...]]) -> list[str]:
    """Say which labels count as the same, and which count as different although they look the same.

    Examples
    --------
    >>> label_notes([("1", "1.0")], [("yes", "yes ")])
    ["Labels that are the same number count as one label: '1' and '1.0'.",
     "Labels that differ only by case or blanks count as different labels: 'yes' and 'yes '."]
    """
    said = {
        "Labels that are the same number count as one label": merged,
        "Labels that differ only by case or blanks count as different labels": alike,
    }
    return [
        f"{what}: {listed(' and '.join(map(repr, group)) for group in groups)}."
        for what, groups in said.items()
        if groups
    ]


def end_note(judgement: SignVerdict, advantage: Estimate) -> list[str]:
    """Say so where the interval of the Prediction Advantage has no lower end, or ends at 0 that the verdict excludes.

    Examples
    --------
    >>> end_note(SignVerdict("not shown", 0.5, 1.0, None), Estimate(0.0, 0.0, 0.5, "bootstrap"))
    []
    """
    notes = []
    if np.isneginf(advantage.low):
        notes.append(
            "The interval of the Prediction Advantage has no lower end: there are too few cases, or a few of them make "
            "up most of what the best constant loses."
        )
    if {"better": advantage.low, "worse": advantage.high}.get(judgement.verdict) == 0:
        notes.append(
            "The interval of the Prediction Advantage ends at 0 but does not include 0, because the test behind the "
            "verdict excludes it."
        )
    return notes


def assumption_note(predictions: Predictions, error: float, estimates: Mapping[str, Estimate]) -> list[str]:
    """Say so where intervals rest on the cases that the bootstrap adds more than on the cases of the file."""
    if all(each.method != "bootstrap" for each in estimates.values()):
        return []
    if few := few_of_a_class(predictions):
        why = few
    elif error == 0:
        why = "no prediction is wrong"
    elif "roc_auc" in estimates and estimates["roc_auc"].value > NEARLY_PERFECT:
        why = "hardly any positive case scores below a negative one"
    else:
        return []
    return [
        f"Because {why}, the Bayesian bootstrap intervals rest largely on the assumption that one more "
        f"{unit_drawn(predictions.groups)} of each class may be predicted rightly or wrongly."
    ]


def loss_note(rows: Sequence[LossRow]) -> list[str]:
    """Say what the intervals of the losses of probabilities assume, if there are any.

    Examples
    --------
    >>> squared = LossRow("squared", 0.1, 0.2, None, Estimate(0.5, 0.4, 0.6, "fieller"))
    >>> endless = LossRow("cross_entropy", math.inf, 0.7, None, Estimate(-math.inf), "the loss of a case is infinite")
    >>> loss_note([squared, endless])
    ["The lower end of Fieller's interval (squared) supposes one more case with the worst possible loss. ..."]
    """
    names = " and ".join(row.name for row in rows if row.advantage.method)
    if not names:
        return []
    endless = " and ".join(row.name for row in rows if row.advantage.low == -math.inf)
    because = (
        f" For {endless}, the lower end is -inf, because a probability of 0 or 1 could be wrong."
        if endless
        else ""
    )
    return [
        f"The lower end of Fieller's interval ({names}) supposes one more case with the worst possible loss. Beyond "
        f"that, the interval assumes {NO_RARE_LOSS}.{because}"
    ]


def two_numbers_note(forecasts: Forecasts) -> list[str]:
    """Say so where only two numbers are predicted: they may be the truth, in the place of the predictions."""
    said = forecasts.prediction
    least, greatest = said.min(), said.max()
    if least == greatest or not ((said == least) | (said == greatest)).all():
        return []
    return [
        f"The predictions are only {least:.15g} and {greatest:.15g}. If these are the true labels, name their column "
        "with --truth and the scores with --score."
    ]


def one_sided_note(rule: str, predicted: float, cases: float) -> list[str]:
    """Say so where all cases have the same prediction, and which threshold gave it, if one did.

    Parameters
    ----------
    rule : str
        How predictions were made from scores; empty if they were not.
    predicted, cases : float
        The number, or the weight, of the cases predicted positive and of all cases.
    """
    if 0 < predicted < cases:
        return []
    why = f". The rule is: {rule}" if rule else ", so the predictions are a constant guess"
    return [f"No case is predicted {'positive' if predicted == 0 else 'negative'}{why}."]


# What the names of measures and methods in a scorecard mean.


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
    "informedness": ("Informedness (Youden's J)", "Recall plus specificity minus 1."),
    "markedness": ("Markedness", "Precision plus negative predictive value minus 1."),
    "prevalence": ("Prevalence", "Share of positives among all cases."),
    "prevalence_threshold": (
        "Prevalence threshold",
        "Prevalence below which precision falls steeply as positives become rarer.",
    ),
    "positive_likelihood_ratio": (
        "Positive likelihood ratio",
        "Recall divided by the false positive rate.",
    ),
    "negative_likelihood_ratio": (
        "Negative likelihood ratio",
        "False negative rate divided by specificity.",
    ),
    "diagnostic_odds_ratio": (
        "Diagnostic odds ratio",
        "Positive likelihood ratio divided by the negative one.",
    ),
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
    "macro_precision": ("Precision, mean of classes", "Mean over the classes, each against the rest."),
    "macro_f1": ("F1, mean of classes", "Mean over the classes, each against the rest."),
    "macro_p4": ("P4, mean of classes", "Mean over the classes, each against the rest."),
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
    "cross_entropy": (
        "Cross-entropy (log loss)",
        "Mean negative logarithm of the probability given to the outcome; less is better.",
    ),
    "squared": (
        "Squared loss (MSE, Brier score)",
        "Mean squared error, of numbers or of probabilities; less is better. Of numbers, its Prediction Advantage is R "
        "squared.",
    ),
    "absolute": ("Absolute loss (MAE)", "Mean absolute error; the best constant is the median."),
    "pinball": (
        "Pinball loss",
        "Mean loss by which a forecast quantile is judged; the best constant is the quantile.",
    ),
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


def meaning_of(name: str) -> str:
    """Return what a measure is."""
    return GLOSSARY[name if name in GLOSSARY else name.removeprefix("macro_")][1]
