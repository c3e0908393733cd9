"""`nontrivial score` in Python: `score_predictions` for files and tables, and `score` for arrays."""

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

from nontrivial.numerals import cell_text
from nontrivial.reading.asking import UnsettledError
from nontrivial.reading.scores import are_opposite, not_adding_to_1
from nontrivial.terminal import listed, naming_extras

if TYPE_CHECKING:
    from nontrivial.scorecard.scored import Scored

# An option of the command in a message, with a value that the message recommends.
OPTION_IN_TEXT = re.compile(r"(?<![\w'-])--([a-z]+)(?: (drop|regression|best|,|\d+)(?!\w))?")
# The methods of `Scored` that stand for the options of output.
METHOD_OF_OPTION = {
    "--all": "to_text(every=True)",
    "--explain": "to_text(explain=True)",
    "--output card.html": "to_html()",
}
# The arguments of `score` that stand for options of the command; `score_predictions` alone has the other options.
ARGUMENT_OF_OPTION = {
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
    >>> scored = nontrivial.score_predictions({"truth": [0, 1] * 20, "prediction": [0, 1] * 18 + [1, 0] * 2})
    >>> scored.verdicts["labels"].value, scored.verdicts["labels"].verdict
    (0.8, 'better')
    """
    return _score_data(data, {name: value for name, value in locals().items() if name != "data"})


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
    >>> scored = nontrivial.score([0, 1] * 20, [0.2, 0.7] * 19 + [0.6, 0.4])
    >>> {question: verdict.verdict for question, verdict in scored.verdicts.items()}
    {'probabilities': 'better', 'ranking': 'better', 'labels': 'better'}
    """
    if y_true is None or (y_score is None and y_pred is None):
        lacking = "y_true is not" if y_true is None else "Neither y_score nor y_pred is"
        raise ValueError(f"{lacking} given; the true labels and one of y_score and y_pred are needed.")
    arguments = {"y_true": y_true, "y_score": y_score, "y_pred": y_pred}
    arguments |= {"sample_weight": sample_weight, "groups": groups}
    arguments = {name: values for name, values in arguments.items() if values is not None}
    _check_order(arguments)
    columns = {name: _as_column(name, values) for name, values in arguments.items()}
    if len({len(values) for values in columns.values()}) > 1:
        lengths = listed(f"{len(values):,} in {name}" for name, values in columns.items())
        raise ValueError(f"The numbers of cases differ: {lengths}; every array must hold the same cases.")
    options: dict[str, Any] = {option: name for option, name in ARGUMENT_OF_OPTION.items() if name in columns}
    if y_score is not None and columns["y_score"].ndim == 2:
        del options["score"]
        column_of_label, class_columns = _name_class_columns(columns.pop("y_score"), y_score, columns["y_true"], labels)
        columns |= class_columns
        options["probabilities"] = column_of_label
    if isinstance(getattr(y_true, "dtype", None), pd.CategoricalDtype):
        columns["y_true"] = pd.Categorical(y_true)  # its order may tell the positive label
    options |= {"positive": pos_label, "threshold": threshold, "cost": cost}
    scored = _score_data(columns, options | {"task": task, "quantile": quantile}, ARGUMENT_OF_OPTION)
    card: Any = scored.result
    shown = {}
    for role, column in card.columns.items():
        name = getattr(arguments.get(column), "name", None)
        shown[role] = name if isinstance(name, str) else column
    return replace(scored, result=replace(card, columns=shown))


def _as_column(name: str, values: Any) -> Any:
    """Convert an argument to an array, and refuse one that does not have a value for each case."""
    array = np.asarray(values)
    if array.ndim == 2 and array.shape[1] == 1:
        array = array[:, 0]
    needed, max_ndim = "a value for each case", 1
    if name == "y_score":
        needed, max_ndim = "a score, or the probabilities of all classes, for each case of one model", 2
    if not 1 <= array.ndim <= max_ndim:
        shape = f"has the shape {array.shape}" if array.ndim else f"is of type {type(values).__name__}"
        raise ValueError(f"{name} {shape}; it must be an array with {needed}.")
    if np.ma.is_masked(values):
        raise ValueError(f"{name} has masked values; leave out their cases in all arrays.")
    return array


def _name_class_columns(
    scores: Any, argument: Any, truth: Any, labels: Any
) -> tuple[dict[str, str] | None, dict[str, Any]]:
    """Return the name of the column of each label, or None if names do not tell labels, and the columns by name."""
    true_labels = np.unique(truth[~pd.isna(truth)])
    if labels is None and isinstance(argument, pd.DataFrame):
        names = list(map(str, argument.columns))
        if set(names) <= {cell_text(label) for label in true_labels.tolist()}:
            labels = argument.columns
        elif argument.columns.dtype.kind not in "iu":  # whole numbers are positions, not names
            return None, dict(zip(names, scores.T, strict=True))
    classes = true_labels if labels is None else np.asarray(labels)
    if not len(set(classes.tolist())) == len(classes) == scores.shape[1]:
        raise ValueError(
            f"y_score has {scores.shape[1]} columns, which need as many different classes; name these with labels."
        )
    if len(classes) == 2 and scores.dtype.kind in "fiu":
        complete = scores[~np.isnan(scores).any(axis=1)]
        if not_adding_to_1(complete).any() and not are_opposite(complete):
            raise ValueError(
                "The two columns of y_score are neither probabilities that add up to 1 nor scores of opposite sign; "
                "give the scores of the positive label alone."
            )
    column_of_label = {cell_text(label): f"p_{cell_text(label)}" for label in classes.tolist()}
    return column_of_label, dict(zip(column_of_label.values(), scores.T, strict=True))


def _score_data(data: Any, options: Mapping[str, Any], argument_of_option: Mapping[str, str] | None = None) -> Scored:
    """Score data; the result and the errors name arguments in place of options of the command."""
    words = partial(_replace_options, argument_of_option=argument_of_option)
    try:
        with naming_extras():
            from nontrivial.scorecard.scored import score_files

            return replace(score_files(_list_inputs(data), **options), words=words)
    except UnsettledError as error:
        raise ValueError(words(error.with_arguments(argument_of_option))) from None
    except ValueError as error:
        raise ValueError(words(str(error))) from None


def _replace_options(text: str, argument_of_option: Mapping[str, str] | None) -> str:
    """Replace options of the command in a text by arguments and methods: --task regression by task='regression'."""

    def replace_option(match: re.Match[str]) -> str:
        option, value = match.groups()
        argument = option
        if argument_of_option is not None:
            argument = argument_of_option.get(option, f"{option} of score_predictions")
        if not value:
            return argument
        return argument.replace(option, f"{option}={value if value.isdecimal() else repr(value)}", 1)

    for option, method in METHOD_OF_OPTION.items():
        text = text.replace(option, method)
    sentences, start, command = text.partition("run: nontrivial ")  # a command to paste stays
    return OPTION_IN_TEXT.sub(replace_option, sentences) + start + command


def _list_inputs(data: Any) -> Sequence[Any]:
    """Return a list of paths, or of one DataFrame if the data are a table in memory."""
    if isinstance(data, (pd.DataFrame, Mapping)) or hasattr(data, "__arrow_c_stream__"):
        return [_convert_to_frame(data)]
    files = [data] if isinstance(data, (str, os.PathLike)) else data
    is_list = isinstance(files, (list, tuple)) and len(files) > 0
    if is_list and all(isinstance(file, (str, os.PathLike)) for file in files):
        return files
    raise ValueError(
        f"data is of type {type(data).__name__}; it must be a path or a list of paths, a DataFrame, a table of Arrow, "
        "or a mapping of names to columns."
    )


def _check_order(columns: Mapping[str, Any]) -> None:
    """Refuse columns of pandas if an index repeats, or if two columns have the same index in another order."""
    of_pandas = (pd.Series, pd.DataFrame)
    indexed = {name: column.index for name, column in columns.items() if isinstance(column, of_pandas)}
    for name, index in indexed.items():
        if "groups" not in columns and not index.is_unique:
            raise ValueError(
                f"{name} has several rows with the index {index[index.duplicated()][0]}, which may be of one case; "
                "give the index as the groups if they are, or pass arrays (to_numpy()) if not."
            )
    for (name, index), (other_name, other_index) in itertools.combinations(indexed.items(), 2):
        if len(index) != len(other_index) or index.equals(other_index):
            continue
        if set(index) == set(other_index):
            raise ValueError(
                f"{name} and {other_name} have the same index in another order; put them in the same order, or pass "
                "arrays (to_numpy())."
            )


def _convert_to_frame(data: Any) -> pd.DataFrame:
    try:
        if isinstance(data, Mapping):
            check_consistent_length(*(column for column in data.values() if np.ndim(column)))
            _check_order(data)
            # Columns belong together row by row, as everywhere in scikit-learn, whatever their indexes.
            data = {
                name: column.reset_index(drop=True) if isinstance(column, pd.Series) else column
                for name, column in data.items()
            }
        if isinstance(data, (pd.DataFrame, Mapping)):
            return pd.DataFrame(data)
        import pyarrow as pa

        from nontrivial.reading.files import plain_cells

        # Arrow before 24 crashes if it passes its own views of text from one table to another.
        table = data.read_all() if isinstance(data, pa.RecordBatchReader) else data
        table = table if isinstance(table, pa.Table) else pa.table(table)
        plain = pa.Table.from_arrays(list(map(plain_cells, table.columns)), names=table.column_names)
        frame: pd.DataFrame = plain.to_pandas(types_mapper=pd.ArrowDtype)  # its cells stay Arrow's
        return frame
    except (ValueError, TypeError) as error:
        raise ValueError(f"data cannot be made into a table: {str(error).rstrip('.')}.") from None
