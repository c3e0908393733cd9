"""What the columns of a file of predictions mean: who is positive, and what was predicted."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from nontrivial._arrays import Floats, Mask
from nontrivial.scorecard.columns import find_columns
from nontrivial.scorecard.labels import (
    Labels,
    Numbers,
    alike_but_for_blanks,
    merged,
    value_of,
    values_of,
)
from nontrivial.scorecard.reading import open_file, read_pieces
from nontrivial.terminal import listed

Places = NDArray[Any]  # booleans, or the places of labels
ROUNDING = 1e-6  # as far beyond 0 and 1 computed probabilities may lie


@dataclass(frozen=True, eq=False)
class Predictions:
    """The cases of a file.

    Attributes
    ----------
    name : str
        The file's name, without its folder.
    columns : dict of str to str
        The columns that were read, by what they hold.
    truth, prediction : ndarray of shape (n,)
        For two classes, or one against the rest, booleans that are True for the positive class; else the places of the
        labels in `labels`.
    score : ndarray of shape (n,) or None
        The greater, the more positive.
    positive : str or None
        The positive label; None for more than two classes without one.
    labels : tuple of str
        The labels as they are printed: the true ones in their order, which are numbered as in `truth`, and then those
        that are only predicted.
    n_classes : int
        How many of these are true labels.
    rule : str
        How predictions were made of scores, where they were; otherwise empty.
    merged, alike : tuple of tuples of str
        Labels that count as one, as they are the same number; and such that do not, though they differ only by blanks.
    """

    name: str
    columns: dict[str, str]
    truth: Places
    prediction: Places
    score: Floats | None = None
    positive: str | None = None
    labels: tuple[str, ...] = ()
    n_classes: int = 0
    rule: str = ""
    merged: tuple[tuple[str, ...], ...] = ()
    alike: tuple[tuple[str, ...], ...] = ()


def read_predictions(
    path: str | Path,
    *,
    truth: str | None = None,
    score: str | None = None,
    prediction: str | None = None,
    positive: str | None = None,
    threshold: float | None = None,
) -> Predictions:
    """Read the true labels of cases, and what was predicted of them.

    Parameters
    ----------
    path : path
        CSV or Parquet (by the ending ``.parquet``), one row per case. Commas, semicolons or tabs divide the columns of
        a CSV file, whichever make the most of its first line. Labels are text, kept as printed; see
        `nontrivial.scorecard.labels` for when two of them are one.
    truth, score, prediction : str, optional
        The columns; by default those with one of the names that `nontrivial.scorecard.columns` knows. One of score
        and prediction is enough.
    positive : str, optional
        The positive label, as printed or as the same number; of two labels, by default the greater. With more labels,
        it is set against all others.
    threshold : float, optional
        The score from which on a case is predicted positive. By default the file's predictions count; if it has
        none, the threshold is 0.5 where all scores lie in [0, 1], and 0 elsewhere, if some scores lie on either side.

    Returns
    -------
    Predictions

    Raises
    ------
    ValueError
        If the file cannot be read or is beyond a limit, a column is not there or holds what it cannot, a value is
        missing, there is no such label, or a threshold has no scores to cut or does not follow from them.
    """
    path = Path(path)
    file = open_file(path)
    named = {"truth": truth, "score": score, "prediction": prediction}
    truth_column, score_column, prediction_column = find_columns(file.names, path.name, **named)
    if threshold is not None:
        _check_threshold(threshold, score_column, prediction, path)
        prediction_column = None
    truth_place, prediction_place = _place(truth_column, path), _place(prediction_column, path)
    truths = Labels(truth_place, "a column of classes is needed, not of numbers to be predicted")
    guesses = Labels(prediction_place, "if they are scores, name the column with --score")
    numbers = Numbers(_place(score_column, path))
    wanted: list[tuple[str | None, Labels | Numbers]]
    wanted = [(truth_column, truths), (prediction_column, guesses), (score_column, numbers)]
    parts = [(column, part) for column, part in wanted if column is not None]
    for before, piece in read_pieces(file, list(dict.fromkeys(column for column, _ in parts))):
        for column, part in parts:
            part.add(piece.column(column), before)

    classes = _Classes.of(truths.texts)
    if len(classes.names) < 2:
        raise ValueError(f"{truth_place} has one class only; two or more are needed.")
    label = _positive(positive, classes, truth_place)
    labels: Places = classes.number(truths)
    predicted: Places | None = None
    strangers: list[str] = []
    if prediction_column is not None:
        strangers = [text for text in guesses.texts if classes.find(text) is None]
        _check_strangers(strangers, guesses.texts, classes, prediction_place)
        predicted = classes.number(guesses, strangers)
    scores, rule = None, ""
    if label is None:
        if predicted is None:
            raise ValueError(
                f"{truth_place} has {len(classes.names):,} classes, and a score is for one: name it with --positive."
            )
    else:
        labels = labels == label
        scores = None if score_column is None else numbers.cases
        if predicted is None:
            assert score_column is not None  # `find_columns` wants one of the two
            assert scores is not None
            predicted, rule = _apply_threshold(scores, score_column, threshold)
        else:
            predicted = predicted == label
    read = {"truth": truth_column, "score": None if scores is None else score_column}
    read["prediction"] = prediction_column
    return Predictions(
        name=path.name,
        columns={what: column for what, column in read.items() if column is not None},
        truth=labels,
        prediction=predicted,
        score=scores,
        positive=None if label is None else classes.names[label],
        labels=(*classes.names, *strangers),
        n_classes=len(classes.names),
        rule=rule,
        merged=merged(classes.values),
        alike=alike_but_for_blanks((*classes.names, *strangers)),
    )


@dataclass(frozen=True)
class _Classes:
    """The true classes in their order: their names, and which of them each printed label and each number is."""

    names: tuple[str, ...]
    places: dict[str, int]
    values: dict[str, Decimal]
    value_places: dict[Decimal, int]

    @classmethod
    def of(cls, texts: list[str]) -> _Classes:
        """Sort labels, as numbers where they are numbers. Of those that are one number the first gives the name."""
        values = values_of(texts)
        keys: Mapping[str, Any] = values or {text: text for text in texts}
        order = {key: place for place, key in enumerate(sorted(set(keys.values())))}
        places = {text: order[key] for text, key in keys.items()}
        names = {place: text for text, place in reversed(places.items())}
        return cls(
            tuple(names[place] for place in range(len(order))), places, values, order if values else {}
        )

    def find(self, text: str) -> int | None:
        """Return the place of the class that a label is, as printed or as the same number, or None."""
        value = value_of(text)
        return self.places.get(text, None if value is None else self.value_places.get(value))

    def number(self, column: Labels, strangers: list[str] | None = None) -> NDArray[np.int32]:
        """Return the place of the class of each case; labels that are no class are numbered after the classes."""
        others = {text: place for place, text in enumerate(strangers or (), start=len(self.names))}
        places = [others[text] if text in others else self.find(text) for text in column.texts]
        return np.array(places, dtype=np.int32)[column.cases]


def _place(column: str | None, path: Path) -> str:
    return f"Column {column!r} of {path.name}"


def _positive(text: str | None, classes: _Classes, place: str) -> int | None:
    if text is None:
        return 1 if len(classes.names) == 2 else None
    found = classes.find(text)
    if found is None:
        raise ValueError(
            f"--positive is {text!r}, which {place[0].lower()}{place[1:]} does not hold; "
            f"it holds {listed(classes.names)}."
        )
    return found


def _check_strangers(strangers: list[str], predicted: list[str], classes: _Classes, place: str) -> None:
    """Refuse predictions that are no labels: scores, or something that a file of two classes cannot hold."""
    if not strangers:
        return
    known = listed(classes.names)
    values = {text: value_of(text) for text in strangers}
    fraction = next(
        (text for text, value in values.items() if value is not None and value != value.to_integral_value()),
        None,
    )
    if fraction is not None:
        raise ValueError(
            f"{place} holds numbers that are not labels, such as {fraction}, where those are {known}; if they are "
            "scores, name the column with --score."
        )
    if len(classes.names) == 2 or len(strangers) == len(predicted):
        raise ValueError(f"{place} predicts {strangers[0]!r}, which is not a true label; those are {known}.")


def _check_threshold(threshold: float, score_column: str | None, prediction: str | None, path: Path) -> None:
    if prediction is not None:
        raise ValueError(
            "--threshold makes predictions of scores, and --prediction names a column of them; give one."
        )
    if score_column is None:
        raise ValueError(
            f"--threshold needs scores, and {path.name} has none; name their column with --score."
        )
    if not np.isfinite(threshold):
        raise ValueError(f"--threshold is {threshold}; it must be a finite number.")


def _apply_threshold(scores: Floats, column: str, threshold: float | None) -> tuple[Mask, str]:
    if threshold is not None:
        written = repr(threshold + 0.0).removesuffix(".0")  # no sign of a zero
        return scores >= threshold, f"positive where {column} >= {written}"
    probabilities = scores.min() >= -ROUNDING and scores.max() <= 1 + ROUNDING
    threshold, reason = (
        (0.5, "all scores lie in [0, 1]") if probabilities else (0, "scores lie outside [0, 1]")
    )
    positive = scores >= threshold
    if not probabilities and (positive.all() or not positive.any()):
        raise ValueError(
            f"Column {column!r} holds scores from {scores.min():.6g} to {scores.max():.6g}, and no threshold follows "
            "from them: at 0, all cases would be predicted alike; name one with --threshold."
        )
    return positive, f"positive where {column} >= {threshold:g}, as {reason}; --threshold sets another"
