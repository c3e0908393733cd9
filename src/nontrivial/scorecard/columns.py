"""Which columns of a file hold the true labels, the scores and the predicted labels."""

from __future__ import annotations

from collections.abc import Sequence

from nontrivial.terminal import listed

# The names that a column is known by, in any case of letters; the first that is there counts.
TRUTH = ("truth", "y_true", "label", "target", "true", "true_label", "actual", "class", "y")
SCORE = ("score", "y_score", "probability", "proba", "prob", "y_proba", "y_prob", "p")
PREDICTION = ("prediction", "y_pred", "predicted", "pred", "predicted_label", "predicted_class", "y_hat")


def find_columns(
    names: Sequence[str], file: str, *, truth: str | None, score: str | None, prediction: str | None
) -> tuple[str, str | None, str | None]:
    """Return the columns of truth, score and prediction, of which one of the last two may be None.

    Parameters
    ----------
    names : sequence of str
        The columns of the file.
    file : str
        What to call the file in an error.
    truth, score, prediction : str or None
        The columns, if they are named; a column that is named for one thing is not taken for another.

    Raises
    ------
    ValueError
        If a named column is not there or is named for the truth and for something else, there is no column of true
        labels, there is neither a score nor a prediction, or a name is that of several columns.

    Examples
    --------
    >>> find_columns(["id", "Label", "proba"], "a.csv", truth=None, score=None, prediction=None)
    ('Label', 'proba', None)
    """
    given = {"--truth": truth, "--score": score, "--prediction": prediction}
    has = listed(names)
    for option, column in given.items():
        if column is not None and column not in names:
            raise ValueError(f"{option} is {column!r}, which {file} does not have; it has {has}.")
    free = [name for name in names if name not in given.values()]
    if truth is None:
        truth = _first(TRUTH, free) or _first(TRUTH, names)
    if truth is None:
        raise ValueError(
            f"{file} has no column {', '.join(TRUTH)}; name the column of true labels with --truth; it has {has}."
        )
    for option in ("--score", "--prediction"):
        if given[option] == truth:
            raise ValueError(
                f"{option} is {truth!r}, which holds the true labels of {file}; name a column of predictions, "
                "or the column of the true labels with --truth."
            )
    score = _first(SCORE, free) if score is None else score
    prediction = _first(PREDICTION, free) if prediction is None else prediction
    if score is None and prediction is None:
        raise ValueError(
            f"{file} has no column of scores or predictions among {has}; name a column of predicted labels with "
            "--prediction, or one of scores with --score and, for three or more classes, the class that they are for "
            "with --positive."
        )
    for column in (truth, score, prediction):
        if names.count(column) > 1:
            raise ValueError(f"{file} has {names.count(column):,} columns named {column!r}; one is needed.")
    return truth, score, prediction


def _first(known: Sequence[str], names: Sequence[str]) -> str | None:
    places = {name.lower(): name for name in reversed(names)}
    return next((places[name] for name in known if name in places), None)
