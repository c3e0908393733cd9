"""Decorators that turn functions of a ranking into public functions of labels and scores, for two or more classes."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable
from functools import wraps
from textwrap import indent
from typing import Any, TypeVar

import numpy as np
from numpy.typing import ArrayLike

from nontrivial import _validation as validation
from nontrivial._arrays import Floats
from nontrivial._warnings import warn_undefined
from nontrivial.curves.points import PositiveSteps, count_steps, operating_points

Area = Callable[[PositiveSteps], float]
CLASS_AVERAGES = ("macro", "weighted", "micro", None)


@validation.nan_for_one_class
def score_classes(
    area: Area,
    y_true: ArrayLike,
    y_score: ArrayLike,
    *,
    average: str | None = "macro",
    labels: ArrayLike | None = None,
    pos_label: Any = None,
    sample_weight: ArrayLike | None = None,
    prevalence: float | None = None,
) -> float | Floats:
    """Return an area of the ranking of two classes, or the average over three or more columns of scores."""
    validation.check_choice(average, "average", CLASS_AVERAGES)
    scores = validation.as_array(y_score, "y_score")
    if scores.ndim == 2 and scores.shape[1] == 2:
        raise ValueError(
            f"y_score has shape {scores.shape}; pass one column for the positive class of two, or one for each of "
            "three or more classes."
        )
    if scores.ndim != 2 or scores.shape[1] < 3:
        if prevalence is not None:
            prevalence = validation.check_in_unit_interval(prevalence, "prevalence")
        ranking = validation.binary_truth_and_scores(
            y_true, y_score, pos_label=pos_label, labels=labels, sample_weight=sample_weight
        )
        return area(count_steps(*ranking).at_prevalence(prevalence))
    if pos_label is not None or prevalence is not None:
        raise ValueError("pos_label and prevalence are for two classes; y_score has a column for each of several.")
    truth = validation.as_labels(y_true, "y_true")
    validation.check_lengths(truth, scores)
    weights = validation.as_weights(sample_weight, len(truth))
    columns = [validation.as_scores(column) for column in scores.T]  # also checks cases of weight 0
    if weights is not None:
        counted = weights > 0
        truth, scores, weights = truth[counted], scores[counted], weights[counted]
        columns = [column[counted] for column in columns]
    classes, (codes,) = validation.encode_labels(truth, classes=labels)
    if len(classes) != len(columns):
        raise ValueError(
            f"y_score has {len(columns)} columns for {len(classes)} classes; it must have one for each "
            "(name the classes in labels if some do not occur)."
        )
    one_hot = codes == np.arange(len(classes))[:, None]
    class_weights = np.bincount(codes, weights=weights, minlength=len(classes))
    if average == "micro":
        if np.count_nonzero(class_weights) == 1:
            warn_undefined("y_true has one class only; the result is set to NaN.")
            return float("nan")
        pooled = None if weights is None else np.tile(weights, len(classes))
        return area(count_steps(one_hot.ravel(), validation.as_scores(scores.T.ravel()), pooled))
    values = np.full(len(classes), np.nan)
    for code in np.flatnonzero((class_weights > 0) & (class_weights < class_weights.sum())):
        values[code] = area(count_steps(one_hot[code], columns[code], weights))
    if np.isnan(values).any():
        absent = validation.repr_of_some(classes[np.isnan(values)])
        warn_undefined(f"The score is undefined for the classes {absent} against the rest.")
    if average is None:
        return values
    if average == "weighted":
        return float(np.average(values[class_weights > 0], weights=class_weights[class_weights > 0]))
    return float(values.mean())


# Shared text for the docstrings of all scores or of all curves.

_CURVE_PARAMETERS = (inspect.getdoc(operating_points) or "").split("----------\n")[1].split("\n\n")[0] + "\n"
_CASES_TEXT = """y_true : array-like of shape (n,)
    Labels: numbers, booleans or strings. Two, or as many as `y_score` has columns.
y_score : array-like of shape (n,) or (n, n_classes)
    Finite; the greater, the more positive. For three or more classes, a column for each, in sorted order.
"""
_CLASSES_TEXT = """average : {"macro", "weighted", "micro"} or None, default "macro"
    For three or more classes, each against the rest: the mean of the areas, the mean weighted by the cases of each
    class, the area of all columns as one ranking, or an array of all areas. Two classes have one area.
labels : array-like of shape (n_classes,), optional
    The classes of the columns; needed if a class occurs in no case.
pos_label, sample_weight
    As in `operating_points`.
"""
_PREVALENCE_TEXT = """prevalence : float, optional
    Share of positives, strictly between 0 and 1, at which to score: the classes are weighted to have this share.
    By default the share in the data.
"""
_SCORE_TYPE = "float, or ndarray of shape (n_classes,) for three and more classes and ``average=None``\n"
_ERRORS_TEXT = """ValueError
    If the lengths differ, a score is not finite, or an option is unknown.
"""
_WARNINGS_TEXT = """UndefinedMetricWarning
    If all cases are of one class; the result is NaN.
"""
_SECTION_ORDER = ("Parameters", "Returns", "Raises", "Warns", "See Also", "Notes", "References", "Examples")


def _complete_docstring(function: Any, **shared: tuple[str, str]) -> None:
    """Add shared lines before and after the lines of sections of a docstring."""
    text, *sections = re.split(r"^(\w[\w ]*)\n-+\n", inspect.getdoc(function) or "", flags=re.MULTILINE)
    sections_by_name = dict(zip(sections[::2], sections[1::2], strict=True))
    for name in _SECTION_ORDER:
        (before, after), lines = shared.get(name, ("", "")), sections_by_name.get(name, "").rstrip()
        if before == _SCORE_TYPE:
            lines = indent(lines, "    ")
        if body := before + lines + "\n" * bool(lines) + after:
            text += f"{name}\n{'-' * len(name)}\n{body.rstrip()}\n\n"
    function.__doc__ = inspect.cleandoc(text)


RankingScore = Callable[..., float | Floats]


def ranking_score(*, at_prevalence: bool = False) -> Callable[[Callable[..., Area]], RankingScore]:
    """Turn a function from options to an area into a public score, with the parameter `prevalence` if wanted."""
    signature = inspect.signature(score_classes)
    _, *shared = signature.parameters.values()
    cases, of_classes, prevalence = shared[:2], shared[2:-1], shared[-1:] if at_prevalence else []
    shared_names = {parameter.name for parameter in of_classes + prevalence}

    def decorate(make: Callable[..., Area]) -> RankingScore:
        def score(y_true: ArrayLike, y_score: ArrayLike, **options: Any) -> float | Floats:
            shared_options = {name: options.pop(name) for name in shared_names & options.keys()}
            return score_classes(make(**options), y_true, y_score, **shared_options)

        own = inspect.signature(make).parameters.values()
        public: Any = wraps(make)(score)
        public.__signature__ = signature.replace(parameters=[*cases, *own, *prevalence, *of_classes])
        parameters = _CASES_TEXT, _CLASSES_TEXT + _PREVALENCE_TEXT * at_prevalence
        _complete_docstring(
            public,
            Parameters=parameters,
            Returns=(_SCORE_TYPE, ""),
            Raises=(_ERRORS_TEXT, ""),
            Warns=(_WARNINGS_TEXT, ""),
        )
        return public  # type: ignore[no-any-return]

    return decorate


Ranking = TypeVar("Ranking")
Result = TypeVar("Result")
Undefined = TypeVar("Undefined")


def ranking_curve(
    count: Callable[..., Ranking], undefined: Callable[[], Undefined]
) -> Callable[[Callable[[Ranking], Result]], Callable[..., Result | Undefined]]:
    """Turn a function of a ranking into a public one of labels and scores; for one class it returns `undefined()`."""

    def decorate(function: Callable[[Ranking], Result]) -> Callable[..., Result | Undefined]:
        @wraps(function)
        def curve(
            y_true: ArrayLike, y_score: ArrayLike, *, pos_label: Any = None, sample_weight: ArrayLike | None = None
        ) -> Result | Undefined:
            try:
                ranking = count(y_true, y_score, pos_label=pos_label, sample_weight=sample_weight)
            except validation.OneClassError as error:
                warn_undefined(f"{error} The result is set to NaN.")
                return undefined()
            return function(ranking)

        annotation = inspect.signature(function).return_annotation
        curve.__signature__ = inspect.signature(count).replace(return_annotation=annotation)  # type: ignore[attr-defined]
        _complete_docstring(
            curve, Parameters=(_CURVE_PARAMETERS, ""), Raises=(_ERRORS_TEXT, ""), Warns=(_WARNINGS_TEXT, "")
        )
        return curve

    return decorate
