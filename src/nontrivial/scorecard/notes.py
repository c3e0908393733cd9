"""What to know before the numbers of a scorecard are used."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from nontrivial._arrays import weight_counts
from nontrivial.scorecard.answers import Answers, Forecasts, no_shares
from nontrivial.terminal import listed

SEEM_LABELS = "they seem to be predicted labels"
RANKED_LOWER = "have higher scores"


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
