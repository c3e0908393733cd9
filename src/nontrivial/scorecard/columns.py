"""Which columns of a file hold the true labels and the answers of models."""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from nontrivial.scorecard.options import Options
from nontrivial.terminal import listed

# The names by which a column is found, in upper or lower case, with blanks, hyphens or points for underscores. The
# first name that the file has counts.
TRUTH = ("truth", "y_true", "label", "target", "true", "true_label", "actual", "class", "y")
SCORE = ("score", "y_score", "probability", "proba", "prob", "y_proba", "y_prob", "p")
PREDICTION = ("prediction", "y_pred", "predicted", "pred", "predicted_label", "predicted_class", "y_hat")
# Names of columns that tell models apart, that tell tests apart, and that number the cases.
MODEL = ("model", "classifier", "algorithm", "estimator", "learner")
PARTS = ("task", "dataset", "data_set", "repeat", "fold", "split")
CASE = ("row_id", "row", "case_id", "case", "id", "sample_id", "patient_id")
# A probability of each class: one of these, and the class.
_OF_CLASS = re.compile(
    r"(?i)(confidence[._]|y_prob_|y_score_|probability_|proba_|prob_|score_|p_)(?P<label>.+)"
)

Names = Sequence[str]


@dataclass(frozen=True)
class Model:
    """The columns of one model: of its scores, of its predictions, or both."""

    score: str | None = None
    prediction: str | None = None

    @property
    def name(self) -> str:
        return self.score or self.prediction or "probabilities"


@dataclass(frozen=True)
class Columns:
    """The columns that are read.

    Attributes
    ----------
    truth : str
    models : tuple of Model
        One or more; a single one without columns if there are only `probabilities`.
    unread : str
        A column with a usual name of scores or predictions that may belong to a model that is not named; or "".
    probabilities : dict of str to str
        The column of probabilities of each class, by the class; only if there is one model.
    weight, group : str or None
    by : tuple of str
        The columns that divide the rows among models.
    model, case : str or None
        The column that may divide the rows among models, and the column that may number the cases, by their names.
    parts : tuple of str
        Other columns whose names suggest that the rows come from several tests.
    """

    truth: str
    models: tuple[Model, ...]
    unread: str
    probabilities: dict[str, str]
    weight: str | None
    group: str | None
    by: tuple[str, ...]
    model: str | None
    case: str | None
    parts: tuple[str, ...]


def find_columns(
    names: Names, file: str, options: Options, as_classes: Callable[[str, Names], Mapping[str, str]]
) -> Columns:
    """Find the columns of a file.

    Parameters
    ----------
    names : sequence of str
        The columns of the file.
    file : str
        What to call the file in an error.
    options : Options
        A column that it names for one purpose is not taken for another. Either scores and predictions both have one
        name for each model, or one of the two has none.
    as_classes : callable
        Takes the column of true labels and the other columns; returns the columns that are named as classes, by the
        class.

    Raises
    ------
    ValueError
        If a named column does not exist or is named both for the truth and for something else, there is no column of
        true labels, there is neither a score nor a prediction, or several columns have the same name.

    Examples
    --------
    >>> found = find_columns(["id", "Label", "proba"], "a.csv", Options(), lambda truth, names: {})
    >>> found.truth, found.models
    ('Label', (Model(score='proba', prediction=None),))
    """
    truth, score = options.truth, options.score
    given: dict[str, Names] = {
        "--truth": [truth] if truth is not None else [],
        "--score": score,
        "--prediction": options.prediction,
        "--weight": [options.weight] if options.weight is not None else [],
        "--group": [options.group] if options.group is not None else [],
        "--by": options.by,
    }
    has = listed(map(repr, names)) or "none"
    named = {column for columns in given.values() for column in columns}
    for option, columns in given.items():
        for column in columns:
            if column not in names:
                raise ValueError(f"{option} is {column!r}, which {file} does not have; it has {has}.")
    free = [name for name in names if name not in named]
    if truth is None:
        truth = _first(TRUTH, free) or _first(TRUTH, names)
    if truth is None:
        is_unsplit = len(names) == 1 and not names[0].isidentifier()
        unsplit = ", or what splits its lines with --separator" if is_unsplit else ""
        raise ValueError(
            f"{file} has none of the columns {', '.join(TRUTH)}; it has {has}; name the column of the true labels "
            f"with --truth{unsplit}."
        )
    for option, columns in given.items():
        if truth in columns and option != "--truth":
            raise ValueError(
                f"{option} is {truth!r}, which holds the true labels of {file}; name another column, or name the "
                "column of the true labels with --truth."
            )
    models, unread = _models(score, options.prediction, free)
    probabilities: Mapping[str, str] = {} if score or len(models) > 1 else _of_classes(free)
    if not probabilities and not score and len(models) < 2:
        probabilities = as_classes(truth, [name for name in free if name != truth])
        _check_one_meaning(models, probabilities, file)
        free = [name for name in free if name not in probabilities.values()]
    if not models and probabilities:
        models = [Model()]
    if not models:
        left = listed(map(repr, free)) or "no other"
        raise ValueError(
            f"{file} has no column of scores or predictions among {left}; name a column of predicted labels with "
            "--prediction, or a column of scores with --score (for three or more classes, also their class with "
            "--positive), or call the columns of probabilities CLASS or p_CLASS."
        )
    found = Columns(
        truth=truth,
        models=tuple(models),
        unread="" if unread in probabilities.values() else unread,
        probabilities=dict(probabilities),
        weight=options.weight,
        group=options.group,
        by=options.by,
        model=None if options.by else _first(MODEL, free),
        case=_first(CASE, free),
        parts=() if options.by else tuple(name for name in free if name.lower() in PARTS),
    )
    for column in {
        truth,
        *named,
        *(each for model in models for each in (model.score, model.prediction) if each),
    }:
        if names.count(column) > 1:
            raise ValueError(f"{file} has {names.count(column):,} columns named {column!r}; one is needed.")
    return found


def _check_one_meaning(models: Sequence[Model], probabilities: Mapping[str, str], file: str) -> None:
    for column in {column for model in models for column in (model.score, model.prediction)}:
        if column in probabilities.values():
            raise ValueError(
                f"Column {column!r} of {file} is named as a class, as other columns are, so it may hold probabilities, "
                f"scores or predictions; name it with --score or --prediction, or rename it to 'p_{column}'."
            )


def _models(scores: Names, predictions: Names, free: Names) -> tuple[list[Model], str]:
    """Return the columns of each model, and one with a usual name that need not belong to them.

    Columns with usual names belong together; one that is named otherwise may be of another model.
    """
    if scores and predictions and len(scores) != len(predictions):
        raise ValueError(
            f"--score and --prediction name different numbers of columns ({len(scores)} and {len(predictions)}); give "
            "the same number of both, in the same order, or only one of the two."
        )
    named = [Model(*pair) for pair in itertools.zip_longest(scores, predictions)]
    usual = Model(_first(SCORE, [*free, *scores]), _first(PREDICTION, [*free, *predictions]))
    alone = named[0] if named else Model()
    completed = Model(alone.score or usual.score, alone.prediction or usual.prediction)
    if len(named) <= 1 and completed == usual:
        return ([usual] if usual != Model() else []), ""
    if scores and predictions:
        return named, ""
    return named, (usual.prediction if scores else usual.score) or ""


def _of_classes(free: Names) -> dict[str, str]:
    """Return the columns of the largest family with columns for two or more classes, by the class."""
    families: dict[str, dict[str, str]] = {}
    for name in free:
        if match := _OF_CLASS.fullmatch(name):
            families.setdefault(match[1].lower(), {})[match["label"].strip()] = name
    greatest = max(families.values(), key=len, default={})
    return greatest if len(greatest) > 1 else {}


def _first(known: Names, names: Names) -> str | None:
    places = {re.sub(r"[\s.-]+", "_", name.lower()): name for name in reversed(names)}
    return next((places[name] for name in known if name in places), None)
