"""What to know before the numbers of a scorecard are used, why some are missing, and what their names mean."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from nontrivial._arrays import weight_counts
from nontrivial._draws import Units
from nontrivial.scorecard.answers import Answers, Forecasts, no_shares
from nontrivial.scorecard.estimates import MOST_CLASSES, ClassRow, Estimate, few_units
from nontrivial.terminal import listed

SEEM_LABELS = "they seem to be predicted labels"


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
            f"The scores are only {values[0]:.6g} and {values[1]:.6g}, so {SEEM_LABELS}. Areas and losses need the "
            "scores behind them."
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


def why_no_interval(estimates: Mapping[str, Estimate], n_classes: int, units: Units) -> dict[str, str]:
    """Return why each measure and each area that is defined, but has no interval, has none."""
    many = f"there are more than {MOST_CLASSES} classes"
    other = many if n_classes > MOST_CLASSES else "it is undefined in too many resamples"
    if units.are_few:
        other = few_units(units)
    tuned = "thresholds were tuned on these cases"
    return {
        name: tuned if name.endswith("cost_curve_area") else other
        for name, estimate in estimates.items()
        if not (estimate.method or math.isnan(estimate.value))
    }


def _undefined(estimates: Mapping[str, Estimate]) -> list[str]:
    return [name for name, estimate in estimates.items() if math.isnan(estimate.value)]
