"""`nontrivial score` in Python; if a package is missing, the error names the extra that installs it."""

from __future__ import annotations

import itertools
import os
import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd
from sklearn.utils import check_consistent_length

from nontrivial.numerals import as_written
from nontrivial.reading.asking import UnsettledError
from nontrivial.reading.scores import are_opposite, not_adding_to_1
from nontrivial.terminal import listed, naming_extras

if TYPE_CHECKING:
    from nontrivial.scorecard.scored import Scored

# An option as messages name it, and a value that they recommend.
_OPTION = re.compile(r"(?<![\w'-])--([a-z]+)(?: (drop|regression|best|,|\d+)(?!\w))?")
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
    id: str | None = None,
    positive: Any = None,
    threshold: float | str | None = None,
    cost: float | None = None,
    question: str | None = None,
    task: str | None = None,
    quantile: float | None = None,
    separator: str | None = None,
    decimal: str | None = None,
    encoding: str | None = None,
    sheet: str | None = None,
    missing: str | None = None,
) -> Scored:
    """Score predictions, as ``nontrivial score`` does: whether they are better than trivial, and every measure.

    Parameters
    ----------
    data : path, list of paths, table or mapping of str to array-like of shape (n,)
        Files, or columns in memory, one row per case: a table is a DataFrame of pandas, or whatever has Arrow's C
        stream interface, such as a DataFrame of Polars.
    truth, weight, group : str, optional
        The columns of the true labels, the weights, and what says which cases belong together; ``group="none"`` says
        that all rows are independent.
    id : str, optional
        The column that numbers the cases; ``id="row"`` says that all files have the same cases in the same order.
    score, confidence, prediction, by : str or list of str, optional
        The columns of scores; of confidences in the predicted label, for two classes; and of predictions. Several are
        of several models. Rows of each value of `by` are scored separately. By default those with a usual name.
    positive : label, optional
        By default the usual one of two labels, such as 1 of 0 and 1, or the greater one of an ordered categorical.
    threshold : float or "best", optional
        Predict positive if the score is at least this. The best threshold costs least on all cases; its verdict is for
        thresholds that were each chosen on nine tenths of the cases and applied to the others.
    cost : float, optional
        A missed positive costs as much as `cost` false alarms; without a threshold, probabilities of at least
        ``1 / (1 + cost)`` are then predicted positive.
    question : {"probabilities", "ranking", "labels", "numbers"}, optional
        By whose verdict models are ordered; by default the first that all of them answer.
    task : {"classification", "regression"}, optional
    quantile : float in (0, 1), optional
        The quantile that the predicted numbers forecast.
    separator, decimal, encoding : str, optional
        Of text files: the character between columns, and the decimal mark.
    sheet : str, optional
        Of a workbook.
    missing : {"refuse", "drop"}, optional
        Refuse missing values, which is the default, or leave their cases out of all models.

    Returns
    -------
    Scored
        Its ``verdicts`` answer the questions, and its ``result`` has the numbers. An estimate that is 0/0 is NaN; its
        ``reason`` says why.

    Raises
    ------
    ValueError
        If a file cannot be read, a column or a value is missing, or one is not allowed; or if the data have several
        readings. The message then names the arguments that settle it.
    ModuleNotFoundError
        If the extra ``cards`` is not installed.

    Examples
    --------
    >>> import nontrivial
    >>> found = nontrivial.score_predictions({"truth": [0, 1] * 20, "prediction": [0, 1] * 18 + [1, 0] * 2})
    >>> found.verdicts["labels"].value, found.verdicts["labels"].verdict
    (0.8, 'better')
    """
    return _scored(data, {name: value for name, value in locals().items() if name != "data"})


def score(
    y_true: Any,
    y_score: Any = None,
    y_pred: Any = None,
    *,
    labels: Any = None,
    pos_label: Any = None,
    sample_weight: Any = None,
    groups: Any = None,
    threshold: float | str | None = None,
    cost: float | None = None,
    task: str | None = None,
    quantile: float | None = None,
) -> Scored:
    """Score the answers of one model, from arrays.

    Parameters
    ----------
    y_true, y_pred : array-like of shape (n,)
        The true and the predicted labels or numbers; `y_pred` is optional. Series show their names.
    y_score : array-like of shape (n,) or (n, k), optional
        Scores of the positive label, the greater, the more positive; or the probabilities of `k` classes.
    labels : sequence, optional
        The classes of the columns of `y_score`; by default the names of its columns, if it is a DataFrame that names
        them, or the sorted values of `y_true`, as in ``classes_``. `y_true` may lack some of them.
    pos_label : label, optional
        By default the usual one of two labels, as in `score_predictions`.
    sample_weight, groups : array-like of shape (n,), optional
        Weights of the cases, and which cases belong together.
    threshold, cost, task, quantile
        As in `score_predictions`.

    Returns
    -------
    Scored
        As `score_predictions` returns it.

    Raises
    ------
    ValueError
        If there is neither `y_score` nor `y_pred`, an array has another shape, or as `score_predictions` does.

    Examples
    --------
    >>> import nontrivial
    >>> found = nontrivial.score([0, 1] * 20, [0.2, 0.7] * 19 + [0.6, 0.4])
    >>> {question: each.verdict for question, each in found.verdicts.items()}
    {'probabilities': 'better', 'ranking': 'better', 'labels': 'better'}
    """
    if y_true is None or (y_score is None and y_pred is None):
        lacking = "y_true is not" if y_true is None else "Neither y_score nor y_pred is"
        raise ValueError(f"{lacking} given; the true labels and one of y_score and y_pred are needed.")
    arrays = {"y_true": y_true, "y_score": y_score, "y_pred": y_pred}
    arrays |= {"sample_weight": sample_weight, "groups": groups}
    given = {name: values for name, values in arrays.items() if values is not None}
    _check_order(given)
    columns: dict[str, Any] = {name: np.asarray(values) for name, values in given.items()}
    for name, values in columns.items():
        needed, most = "a value for each case", 1
        if name == "y_score":
            needed, most = "a score, or the probabilities of all classes, for each case of one model", 2
        if values.ndim == 2 and values.shape[1] == 1:
            columns[name] = values = values[:, 0]
        if not 1 <= values.ndim <= most:
            kind = type(given[name]).__name__
            shape = f"has the shape {values.shape}" if values.ndim else f"is of type {kind}"
            raise ValueError(f"{name} {shape}; it must be an array with {needed}.")
        if np.ma.is_masked(given[name]):
            raise ValueError(f"{name} has masked values; leave out their cases in all arrays.")
    if len({len(values) for values in columns.values()}) > 1:
        lengths = listed(f"{len(values):,} in {name}" for name, values in columns.items())
        raise ValueError(f"The numbers of cases differ: {lengths}; every array must hold the same cases.")
    options: dict[str, Any] = {option: name for option, name in _OF_ARRAYS.items() if name in columns}
    if y_score is not None and columns["y_score"].ndim == 2:
        del options["score"]
        of_labels, named = _columns_of_labels(columns.pop("y_score"), y_score, columns["y_true"], labels)
        columns |= named
        options["probabilities"] = of_labels
    if isinstance(getattr(y_true, "dtype", None), pd.CategoricalDtype):
        columns["y_true"] = pd.Categorical(y_true)  # whose order may tell the positive label
    options |= {"positive": pos_label, "threshold": threshold, "cost": cost, "task": task}
    scored = _scored(columns, options | {"quantile": quantile}, _OF_ARRAYS)
    names = {argument: getattr(values, "name", None) for argument, values in given.items()}
    card: Any = scored.result
    shown = {
        role: names[name] if isinstance(names.get(name), str) else name for role, name in card.columns.items()
    }
    return replace(scored, result=replace(card, columns=shown))


def _columns_of_labels(
    scores: Any, given: Any, truth: Any, labels: Any
) -> tuple[dict[str, str] | None, dict[str, Any]]:
    """Return the name of the column of each label, if labels are known, and the columns by their names."""
    known = np.unique(truth[~pd.isna(truth)])
    names = list(given.columns) if isinstance(given, pd.DataFrame) else []
    if labels is None and names and set(map(str, names)) <= {as_written(label) for label in known.tolist()}:
        labels = names
    elif labels is None and names and given.columns.dtype.kind not in "iu":  # numbers only count the columns
        return None, {str(name): column for name, column in zip(names, scores.T, strict=True)}
    classes = known if labels is None else np.asarray(labels)
    if not len(set(classes.tolist())) == len(classes) == scores.shape[1]:
        raise ValueError(
            f"y_score has {scores.shape[1]} columns, which need as many different classes; name these with labels."
        )
    if len(classes) == 2 and scores.dtype.kind in "fiu":
        whole = scores[~np.isnan(scores).any(axis=1)]
        if not_adding_to_1(whole).any() and not are_opposite(whole):
            raise ValueError(
                "The two columns of y_score are neither probabilities that add up to 1 nor scores of opposite sign; "
                "give the scores of the positive label alone."
            )
    of_labels = {as_written(label): f"p_{as_written(label)}" for label in classes.tolist()}
    return of_labels, dict(zip(of_labels.values(), scores.T, strict=True))


def _scored(data: Any, options: Mapping[str, Any], names: Mapping[str, str] | None = None) -> Scored:
    """Score data; the result and the errors call options of the command what a function in Python calls them."""
    words = partial(_in_python, names=names)
    try:
        with naming_extras():
            from nontrivial.scorecard.scored import score_files

            return replace(score_files(_files(data), **options), words=words)
    except UnsettledError as error:
        raise ValueError(words(error.with_arguments(names))) from None
    except ValueError as error:
        raise ValueError(words(str(error))) from None


def _in_python(text: str, names: Mapping[str, str] | None) -> str:
    """Name arguments and methods where a text names options of the command."""

    def argument(match: re.Match[str]) -> str:
        option, value = match.groups()
        name = option if names is None else names.get(option, f"{option} of score_predictions")
        if not value:
            return name
        return name.replace(option, f"{option}={value if value.isdecimal() else repr(value)}", 1)

    for option, method in _METHODS.items():
        text = text.replace(option, method)
    before, command, line = text.partition("run: nontrivial ")  # which is to be pasted
    return _OPTION.sub(argument, before) + command + line


def _files(data: Any) -> Sequence[Any]:
    """Return paths, or a table in memory as a DataFrame."""
    if isinstance(data, (pd.DataFrame, Mapping)) or hasattr(data, "__arrow_c_stream__"):
        return [_table(data)]
    files = [data] if isinstance(data, (str, os.PathLike)) else data
    are_many = isinstance(files, (list, tuple)) and len(files) > 0
    if are_many and all(isinstance(file, (str, os.PathLike)) for file in files):
        return files
    raise ValueError(
        f"data is of type {type(data).__name__}; it must be a path or a list of paths, a DataFrame, a table of Arrow, "
        "or a mapping of names to columns."
    )


def _check_order(columns: Mapping[str, Any]) -> None:
    """Refuse columns of pandas whose index recurs, or is in another order, as several things may be meant."""
    of_pandas = (pd.Series, pd.DataFrame)
    indexed = {name: column.index for name, column in columns.items() if isinstance(column, of_pandas)}
    for name, index in indexed.items():
        if "groups" not in columns and not index.is_unique:
            raise ValueError(
                f"{name} has several rows with the index {index[index.duplicated()][0]}, which may be of one case; "
                "give the index as the groups if they are, or pass arrays (to_numpy()) if not."
            )
    for (name, first), (other, second) in itertools.combinations(indexed.items(), 2):
        if len(first) == len(second) and not first.equals(second) and set(first) == set(second):
            raise ValueError(
                f"{name} and {other} have the same index in another order; put them in the same order, or pass arrays "
                "(to_numpy())."
            )


def _table(data: Any) -> pd.DataFrame:
    try:
        if isinstance(data, Mapping):
            check_consistent_length(*(column for column in data.values() if np.ndim(column)))
            _check_order(data)
            # Columns belong together by their places, as everywhere in scikit-learn, whatever their indexes.
            data = {
                name: column.reset_index(drop=True) if isinstance(column, pd.Series) else column
                for name, column in data.items()
            }
        if isinstance(data, (pd.DataFrame, Mapping)):
            return pd.DataFrame(data)
        import pyarrow as pa

        from nontrivial.reading.files import plain_cells

        # Arrow before 24 crashes where it passes its own views of text from one table to another.
        table = data.read_all() if isinstance(data, pa.RecordBatchReader) else data
        table = table if isinstance(table, pa.Table) else pa.table(table)
        plain = pa.Table.from_arrays(list(map(plain_cells, table.columns)), names=table.column_names)
        frame: pd.DataFrame = plain.to_pandas(types_mapper=pd.ArrowDtype)  # its cells stay Arrow's
        return frame
    except (ValueError, TypeError) as error:
        raise ValueError(f"data cannot be made into a table: {str(error).rstrip('.')}.") from None
