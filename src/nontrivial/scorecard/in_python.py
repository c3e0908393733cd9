"""`nontrivial score` in Python; if a package is missing, the error names the extra that installs it."""

from __future__ import annotations

import contextlib
import os
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from nontrivial.terminal import naming_extras

if TYPE_CHECKING:
    from nontrivial.scorecard.scored import Scored

# An option as messages name it, and a value of it that they recommend.
_OPTION = re.compile(r"(?<![\w'-])--([a-z]+)(?: (drop|regression|,|\d+)(?!\w))?")
# What `Scored` has in place of the options of output.
_METHODS = {
    "--all": "to_text(every=True)",
    "--explain": "to_text(explain=True)",
    "--output card.html": "to_html()",
}
# What `score` calls the options of the command. Those that it lacks are arguments of `score_predictions`.
_OF_ARRAYS = {
    "truth": "y_true",
    "score": "y_score",
    "prediction": "y_pred",
    "positive": "pos_label",
    "weight": "sample_weight",
    "group": "groups",
    **{name: name for name in ("threshold", "cost", "task", "quantile")},
}


def score_predictions(
    data: Any,
    *,
    truth: str | None = None,
    score: str | Sequence[str] | None = None,
    confidence: str | Sequence[str] | None = None,
    prediction: str | Sequence[str] | None = None,
    by: str | Sequence[str] | None = None,
    weight: str | None = None,
    group: str | None = None,
    positive: Any = None,
    threshold: float | None = None,
    cost: float | None = None,
    question: str | None = None,
    task: str | None = None,
    quantile: float | None = None,
    separator: str | None = None,
    decimal: str | None = None,
    encoding: str | None = None,
    missing: str | None = None,
) -> Scored:
    """Score predictions: whether they are better than trivial, and every measure with its interval.

    Parameters
    ----------
    data : path, list of paths, table or mapping of str to array-like of shape (n,)
        What ``nontrivial score`` takes, or columns in memory, one row per case: a table is a DataFrame of pandas, or
        whatever has Arrow's C stream interface, such as a DataFrame of Polars or a table of pyarrow.
    truth, weight, group : str, optional
        The columns of the true labels, by default one with a usual name, such as "truth" or "y"; of the weights; and
        of what says which cases belong together.
    score, confidence, prediction : str or list of str, optional
        The columns of scores; of scores that are the confidence in the predicted label of each case, for two classes;
        and of predictions. Several are of several models. By default those with a usual name.
    by : str or list of str, optional
        Score the rows of each value of these columns separately.
    positive : label, optional
        The positive label; by default the greater of two labels, and the screen says so.
    threshold : float, optional
        Predict positive if the score is at least this.
    cost : float, optional
        How many false alarms a missed positive costs; labels are then judged under these costs. Without a threshold,
        probabilities of at least ``1 / (1 + cost)`` are predicted positive.
    question : {"probabilities", "ranking", "labels", "numbers"}, optional
        By whose verdict models are ordered; by default the first that all of them answer.
    task : {"classification", "regression"}, optional
        Whether classes or numbers are predicted.
    quantile : float in (0, 1), optional
        The quantile that the predicted numbers forecast.
    separator, decimal, encoding : str, optional
        The character between columns, the decimal mark and the encoding of text files.
    missing : {"refuse", "drop"}, optional
        Whether a missing value is an error, which is the default, or its case is left out of all models.

    Returns
    -------
    Scored
        Its ``verdicts`` answer the questions, and its ``result`` has the numbers. ``str()`` gives the screen,
        ``to_frame()`` a table, ``to_json()`` plain data and ``to_html()`` a page, whose head a notebook shows. An
        estimate that is 0/0 is NaN; ``result.undefined`` has the reason.

    Raises
    ------
    ValueError
        If a file cannot be read, an argument has a value that is not allowed, a column is missing or holds wrong
        values, or a value is missing.
    ModuleNotFoundError
        If the extra ``cards`` is not installed.

    Examples
    --------
    >>> import nontrivial
    >>> found = nontrivial.score_predictions({"truth": [0, 1] * 20, "prediction": [0, 1] * 18 + [1, 0] * 2})
    >>> found.verdicts["labels"].value, found.verdicts["labels"].verdict
    (0.8, 'better')
    """
    options = {name: value for name, value in locals().items() if name != "data"}
    with _naming_arguments():
        return replace(_scored(data, options), words=_in_python)


def score(
    y_true: Any,
    y_score: Any = None,
    y_pred: Any = None,
    *,
    labels: Any = None,
    pos_label: Any = None,
    sample_weight: Any = None,
    groups: Any = None,
    threshold: float | None = None,
    cost: float | None = None,
    task: str | None = None,
    quantile: float | None = None,
) -> Scored:
    """Score the answers of one model, from arrays.

    Parameters
    ----------
    y_true : array-like of shape (n,)
        The true labels or numbers.
    y_score : array-like of shape (n,) or (n, k), optional
        Scores of the positive label, the greater, the more positive; or the probabilities of `k` classes.
    y_pred : array-like of shape (n,), optional
        Predicted labels or numbers.
    labels : sequence, optional
        The classes of the columns of `y_score`; by default the sorted values of `y_true`, as in ``classes_``.
    pos_label : label, optional
        The positive label; by default the greater of two.
    sample_weight, groups : array-like of shape (n,), optional
        Weights of the cases, and which cases belong together.
    threshold, cost, task, quantile
        As in `score_predictions`.

    Returns
    -------
    Scored
        As from `score_predictions`.

    Raises
    ------
    ValueError
        As `score_predictions`, or if nothing is predicted, or `y_score` does not have a column for each class.

    Examples
    --------
    >>> import nontrivial
    >>> found = nontrivial.score([0, 1] * 20, [0.2, 0.7] * 19 + [0.6, 0.4])
    >>> {question: each.verdict for question, each in found.verdicts.items()}
    {'probabilities': 'better', 'ranking': 'better', 'labels': 'better'}
    """
    if y_score is None and y_pred is None:
        raise ValueError("Neither y_score nor y_pred is given; one of them is needed.")
    columns: dict[str, Any] = {"y_true": np.asarray(y_true)}
    options: dict[str, Any] = {"truth": "y_true", "positive": pos_label}
    if y_score is not None:
        scores = np.asarray(y_score)
        if scores.ndim == 2:
            names = np.unique(columns["y_true"]) if labels is None else np.asarray(labels)
            if scores.shape[1] != len(names):
                raise ValueError(
                    f"y_score has {scores.shape[1]} columns, and there are {len(names)} classes; name the classes of "
                    "its columns with labels."
                )
            if len(names) == 2:
                place = 1 if pos_label is None else list(names).index(pos_label)
                scores = scores[:, place]
            else:
                columns |= {f"p_{name}": column for name, column in zip(names, scores.T, strict=True)}
        if scores.ndim == 1:
            columns["y_score"], options["score"] = scores, "y_score"
    others = {"prediction": y_pred, "weight": sample_weight, "group": groups}
    for role, values in others.items():
        if values is not None:
            columns[_OF_ARRAYS[role]], options[role] = np.asarray(values), _OF_ARRAYS[role]
    options |= {"threshold": threshold, "cost": cost, "task": task, "quantile": quantile}
    with _naming_arguments(_OF_ARRAYS):
        return replace(_scored(columns, options), words=partial(_in_python, names=_OF_ARRAYS))


def _scored(data: Any, options: Mapping[str, Any]) -> Scored:
    with naming_extras():
        from nontrivial.scorecard.scored import score_files

        if isinstance(data, (pd.DataFrame, Mapping)) or hasattr(data, "__arrow_c_stream__"):
            return score_files([_table(data)], **options)
        files: Any = [data] if isinstance(data, (str, os.PathLike)) else data
        what = f"is of type {type(data).__name__}"
        if isinstance(files, (list, tuple)):
            others = [type(each).__name__ for each in files if not isinstance(each, (str, os.PathLike))]
            what = f"holds something of type {others[0]}" if others else "" if files else "is an empty list"
        if what:
            lazy = (
                "; the method collect() of a LazyFrame gives a DataFrame"
                if what.endswith("LazyFrame")
                else ""
            )
            raise ValueError(
                f"data {what}; it must be a path or a list of paths, a DataFrame, a table of Arrow, or a mapping of "
                f"names to columns{lazy}."
            )
        return score_files(files, **options)


@contextlib.contextmanager
def _naming_arguments(names: Mapping[str, str] | None = None) -> Iterator[None]:
    """Let errors name arguments where they name options of the command."""
    try:
        yield
    except ValueError as error:
        raise ValueError(_in_python(str(error), names)) from None


def _in_python(text: str, names: Mapping[str, str] | None = None) -> str:
    """Name arguments and methods where a text names options of the command."""

    def argument(match: re.Match[str]) -> str:
        option, value = match.groups()
        name = option if names is None else names.get(option, f"{option} of score_predictions")
        if not value:
            return name
        return name.replace(option, f"{option}={value if value.isdecimal() else repr(value)}", 1)

    for option, method in _METHODS.items():
        text = text.replace(option, method)
    return _OPTION.sub(argument, text)


def _table(data: Any) -> pd.DataFrame:
    try:
        if isinstance(data, Mapping):
            sized = {name: each for name, each in data.items() if hasattr(each, "__len__")}
            lengths = {name: len(each) for name, each in sized.items() if not isinstance(each, str)}
            if len(set(lengths.values())) > 1:
                counted = ", ".join(f"{name!r} has {n:,}" for name, n in lengths.items())
                raise ValueError(f"all columns must have the same number of rows: {counted}")
        if isinstance(data, (pd.DataFrame, Mapping)):
            return pd.DataFrame(data)
        import pyarrow as pa

        from nontrivial.scorecard.read import plain_cells

        # Arrow before 24 crashes where it passes its own views of text from one table to another.
        table = data.read_all() if isinstance(data, pa.RecordBatchReader) else data
        table = table if isinstance(table, pa.Table) else pa.table(table)
        plain = pa.Table.from_arrays(list(map(plain_cells, table.columns)), names=table.column_names)
        frame: pd.DataFrame = plain.to_pandas(types_mapper=pd.ArrowDtype)  # its cells stay Arrow's
        return frame
    except (ValueError, TypeError) as error:
        raise ValueError(f"data cannot be made into a table: {str(error).rstrip('.')}.") from None
