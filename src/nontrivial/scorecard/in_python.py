"""`nontrivial score` in Python; if a package is missing, the error names the extra that installs it."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import pandas as pd

from nontrivial.terminal import naming_extras

if TYPE_CHECKING:
    from nontrivial.scorecard.scored import Scored


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
    task: str | None = None,
    quantile: float | None = None,
    separator: str | None = None,
    decimal: str | None = None,
    encoding: str | None = None,
    missing: str | None = None,
) -> Scored:
    """Score predictions: every measure with its interval, and whether they are better than trivial.

    Parameters
    ----------
    data : path, list of paths, table or mapping of str to array-like of shape (n,)
        What ``nontrivial score`` takes, or columns in memory, one row per case: a table is a DataFrame of pandas, or
        whatever has Arrow's C stream interface, such as a DataFrame of Polars or a table of pyarrow.
    truth : str, optional
        The column of the true labels; by default one with a usual name, such as "truth" or "y".
    score, prediction : str or list of str, optional
        The columns of scores and of predictions of one model, or of several; by default those with a usual name.
    confidence : str or list of str, optional
        The columns of scores that are the confidence in the predicted label of each case; for two classes.
    by : str or list of str, optional
        Score the rows of each value of these columns separately.
    weight, group : str, optional
        The column of weights, and the column that says which cases belong together.
    positive : label, optional
        The positive label; by default the greater of two labels, and a note says so.
    threshold : float, optional
        Predict positive if the score is at least this.
    task : {"classification", "regression"}, optional
        Whether classes or numbers are predicted.
    quantile : float in (0, 1), optional
        The quantile that the predicted numbers forecast.
    separator, decimal, encoding : str, optional
        The character between columns, the decimal mark and the encoding of text files.
    missing : {"refuse", "drop"}, optional
        Whether a missing value is an error, or its case is left out of all models; by default an error.

    Returns
    -------
    Scored
        Its ``result`` has the numbers. ``str()`` gives text, ``to_json()`` plain data and ``to_html()`` a page, which a
        notebook shows. An estimate that is 0/0 is NaN; ``result.undefined`` has the reason.

    Raises
    ------
    ValueError
        If a file cannot be read, an option has a value that is not allowed, a column is missing or holds wrong values,
        or a value is missing. The message names options as the command does, such as --truth.
    ModuleNotFoundError
        If the extra ``cards`` is not installed.

    See Also
    --------
    nontrivial.measures : Each measure by itself, from arrays.

    Examples
    --------
    >>> import nontrivial
    >>> found = nontrivial.score_predictions({"truth": [0, 1] * 20, "prediction": [0, 1] * 18 + [1, 0] * 2})
    >>> found.result.advantage.value, found.result.judgement.verdict
    (0.8, 'better')
    """
    with naming_extras():
        from nontrivial.scorecard.scored import score_files
    if isinstance(data, (pd.DataFrame, Mapping)) or hasattr(data, "__arrow_c_stream__"):
        files: Any = [_table(data)]
    else:
        files = [data] if isinstance(data, (str, os.PathLike)) else data
        if not isinstance(files, (list, tuple)):
            kind = type(data).__name__
            lazy = "; its method collect() gives a DataFrame" if kind == "LazyFrame" else ""
            raise ValueError(
                f"data is of type {kind}; it must be a path or a list of paths, a DataFrame, a table of Arrow, or a "
                f"mapping of names to columns{lazy}."
            )
        if not files:
            raise ValueError("data is an empty list; one path or more is needed.")
        for each in files:
            if not isinstance(each, (str, os.PathLike)):
                raise ValueError(
                    f"data holds something of type {type(each).__name__}; a list must hold paths."
                )
    with naming_extras():
        return score_files(
            files,
            truth=truth,
            score=score,
            confidence=confidence,
            prediction=prediction,
            by=by,
            weight=weight,
            group=group,
            positive=positive,
            threshold=threshold,
            task=task,
            quantile=quantile,
            separator=separator,
            decimal=decimal,
            encoding=encoding,
            missing=missing,
        )


def _table(data: Any) -> pd.DataFrame:
    if isinstance(data, Mapping):
        columns = [
            each for each in data.items() if hasattr(each[1], "__len__") and not isinstance(each[1], str)
        ]
        lengths = {name: len(column) for name, column in columns}
        if len(set(lengths.values())) > 1:
            counted = (f"{name!r} has {n:,}" for name, n in lengths.items())
            raise ValueError(f"All columns must have the same number of rows: {', '.join(counted)}.")
    try:
        if isinstance(data, (pd.DataFrame, Mapping)):
            return pd.DataFrame(data)
        import pyarrow as pa

        from nontrivial.scorecard.reading.arrow_files import plain_kind

        # Arrow before 24 crashes where it passes its own views of text from one table to another.
        table = data.read_all() if isinstance(data, pa.RecordBatchReader) else data
        table = table if isinstance(table, pa.Table) else pa.table(table)
        cells = [column.cast(plain_kind(column.type)) for column in table.columns]
        plain = pa.Table.from_arrays(cells, names=table.column_names)
        frame: pd.DataFrame = plain.to_pandas(types_mapper=pd.ArrowDtype)  # its cells stay Arrow's
        return frame
    except (ValueError, TypeError) as error:
        raise ValueError(f"data cannot be made into a table: {str(error).rstrip('.')}.") from None
