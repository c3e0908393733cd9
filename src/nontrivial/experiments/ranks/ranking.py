"""How far two areas disagree when they rank the models of a task (PRG paper, Section 4)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Protocol

import numpy as np
import pandas as pd

from nontrivial.experiments.ranks.ties import Places, order_depends, places_of, set_depends
from nontrivial.experiments.status import OK
from nontrivial.seeds import generator_for

PAIRS = (("pr_auc", "prg_auc"), ("pr_auc", "roc_auc"), ("prg_auc", "roc_auc"))
TOP = 3

# Two areas that agree to this many decimals differ by rounding alone, and are a tie.
_TIE_DECIMALS = 12


class Statistic(Protocol):
    """Of an array along its axis of units."""

    def __call__(self, values: np.ndarray, /, *, axis: int) -> Any: ...


_STATISTICS: dict[str, Statistic] = {
    "mean": np.mean,
    "median": np.median,
    "lower_quartile": partial(np.quantile, q=0.25),
    "upper_quartile": partial(np.quantile, q=0.75),
}


def rank_models(areas: pd.DataFrame, measures: Sequence[str]) -> pd.DataFrame:
    """Rank the models of each task, 1 for the greatest area; tied models get the mean of the places they share.

    Parameters
    ----------
    areas : DataFrame
        Columns ``task``, ``model``, ``status`` and one for each measure; rows that failed are left out.
    measures : sequence of str

    Returns
    -------
    DataFrame
        ``task``, ``model`` and a rank for each measure.

    Examples
    --------
    >>> areas = pd.DataFrame({"task": "t", "model": list("abc"), "status": "ok", "roc_auc": [0.5, 0.9, 0.9]})
    >>> rank_models(areas, ["roc_auc"])["roc_auc"].tolist()
    [3.0, 1.5, 1.5]
    """
    whole = areas[areas["status"] == OK].reset_index(drop=True)
    ranks = rounded(whole[list(measures)]).groupby(whole["task"], sort=False).rank(ascending=False)
    return pd.concat([whole[["task", "model"]], ranks], axis=1)


def rounded(values: pd.DataFrame) -> pd.DataFrame:
    """Return values in which those that differ by rounding alone are equal."""
    return values.round(_TIE_DECIMALS)


@dataclass(frozen=True, eq=False)
class Comparison:
    """The models' ranks under two areas, task by task.

    Attributes
    ----------
    tasks : Index of length n_tasks
    disagreement : dict of str to ndarray of bool, shape (n_tasks,)
        For ``top1``, ``top3`` and ``top3_set``: whether the areas disagree.
    decided_by_ties : dict of str to ndarray of bool, shape (n_tasks,)
        The same keys: whether that depends on how ties are broken.
    moments : ndarray of shape (n_tasks, 6)
        Sums over the models, from which the correlation of average ranks follows for any tasks together.
    """

    tasks: pd.Index
    disagreement: dict[str, np.ndarray]
    decided_by_ties: dict[str, np.ndarray]
    moments: np.ndarray

    @property
    def correlations(self) -> np.ndarray:
        """The rank correlation of each task; NaN (0/0) where all models are tied under either area."""
        return _correlation(self.moments)

    def summary(self, chosen: np.ndarray, resamples: int, level: float) -> dict[str, float]:
        """Return every figure over the chosen tasks, with its interval, and how many tasks ties decide.

        The intervals are percentiles of bootstrap resamples of whole tasks; for fewer than two tasks they are NaN.
        """
        correlations = self.correlations[chosen]
        defined = correlations[np.isfinite(correlations)]
        figures: dict[str, tuple[np.ndarray, Statistic]] = {
            f"{name}_disagreement": (differs[chosen], np.mean) for name, differs in self.disagreement.items()
        }
        figures["rank_correlation"] = self.moments[chosen], _pooled_correlation
        figures |= {f"task_correlation_{name}": (defined, of) for name, of in _STATISTICS.items()}
        row: dict[str, float] = {}
        for name, (values, of) in figures.items():
            ends = resampled_interval(values, of, resamples, level)
            row |= {name: of(values, axis=0) if len(values) else np.nan}
            row |= dict(zip((f"{name}_low", f"{name}_high"), ends, strict=True))
        row["task_correlation_undefined"] = len(correlations) - len(defined)
        return row | {
            f"{name}_decided_by_ties": int(decided[chosen].sum())
            for name, decided in self.decided_by_ties.items()
        }


def compare_ranks(areas: pd.DataFrame, one: str, other: str) -> Comparison:
    """Compare the ranks that two areas give the models of each task.

    Two areas agree on the best model of a task if the same model, or the same set of tied models, leads under both;
    they agree on the top three in order if in addition places two and three are taken by the same models in the same
    order, tied models being compared as a set; and on the top three as a set if the same models, with all that are
    tied for the third place, take the first three places.

    Parameters
    ----------
    areas : DataFrame
        See `rank_models`.
    one, other : str
        Columns of `areas`.

    Examples
    --------
    >>> areas = pd.DataFrame({"task": "t", "status": "ok", "x": [4, 3, 2, 1], "y": [3, 4, 2, 1]})
    >>> comparison = compare_ranks(areas, "x", "y")
    >>> {name: differs.tolist() for name, differs in comparison.disagreement.items()}
    {'top1': [True], 'top3': [True], 'top3_set': [False]}
    >>> comparison.correlations
    array([0.8])
    """
    whole = areas[areas["status"] == OK]
    values = rounded(whole[[one, other]]).to_numpy()
    verdicts, decided, moments = [], [], []
    by_task = whole.reset_index(drop=True).groupby("task", sort=False).indices
    for rows in by_task.values():
        ranks = places_of(values[rows, 0]), places_of(values[rows, 1])
        verdicts.append(_verdicts(*ranks))
        top = min(TOP, len(rows))
        decided.append((order_depends(*ranks, 1), order_depends(*ranks, top), set_depends(*ranks, top)))
        moments.append(_moments(*((first + last) / 2 for first, last in ranks)))
    names = ("top1", f"top{TOP}", f"top{TOP}_set")
    return Comparison(
        pd.Index(list(by_task), name="task"),
        dict(zip(names, np.array(verdicts, dtype=bool).reshape(-1, len(names)).T, strict=True)),
        dict(zip(names, np.array(decided, dtype=bool).reshape(-1, len(names)).T, strict=True)),
        np.array(moments).reshape(-1, 6),
    )


def rank_disagreement(
    areas: pd.DataFrame,
    published: Mapping[str, Mapping[str, float]],
    resamples: int = 2000,
    level: float = 0.95,
) -> pd.DataFrame:
    """Measure how often pairs of areas disagree on the best models, beside the published figures.

    Parameters
    ----------
    areas : DataFrame
        See `rank_models`; needs the columns ``pr_auc``, ``prg_auc`` and ``roc_auc``, and ``rows_of``, which tells from
        which data set the rows of the task come.
    published : mapping of str to mapping
        For each pair such as ``"pr_auc/prg_auc"`` the paper's figures, named like the columns below.
    resamples : int
        Bootstrap resamples of whole tasks behind the intervals.
    level : float
        Coverage of the percentile intervals.

    Returns
    -------
    DataFrame of three rows
        ``pair, tasks, datasets`` (that the tasks are made of), ``models, ranked, failed``, then the figures of
        `Comparison.summary`: ``top1_disagreement``, ``top3_disagreement`` and ``top3_set_disagreement`` (fractions of
        tasks, see `compare_ranks`), ``rank_correlation`` (Pearson's, of the average ranks pooled over tasks) and
        ``task_correlation_mean``, ``_median``, ``_lower_quartile`` and ``_upper_quartile`` (of each task's own),
        each with its interval ``_low`` and ``_high`` and, if the paper gives it for any pair, ``paper_`` and the name;
        ``task_correlation_undefined``, the tasks that have none; and for each disagreement
        ``_decided_by_ties``, the number of tasks in which it depends on how ties are broken.
    """
    names = {name for figures in published.values() for name in figures}
    rows = []
    for one, other in PAIRS:
        pair = f"{one}/{other}"
        comparison = compare_ranks(areas, one, other)
        row = {
            "pair": pair,
            "tasks": len(comparison.tasks),
            "datasets": areas.loc[areas["status"] == OK, "rows_of"].nunique(),
            "models": areas.loc[areas["status"] == OK, "model"].nunique(),
            "ranked": int((areas["status"] == OK).sum()),
            "failed": int((areas["status"] != OK).sum()),
        }
        every = np.ones(len(comparison.tasks), dtype=bool)
        for name, value in comparison.summary(every, resamples, level).items():
            row[name] = value
            figure = name.removesuffix("_high")
            if figure != name and figure in names:
                row[f"paper_{figure}"] = published[pair].get(figure, np.nan)
        rows.append(row)
    return pd.DataFrame(rows)


def resampled_interval(values: np.ndarray, statistic: Statistic, resamples: int, level: float) -> np.ndarray:
    """Return the percentile bootstrap interval of a statistic of tasks, or of other units; NaN for fewer than two.

    Parameters
    ----------
    values : ndarray, a row for each unit
    statistic : callable
        Of an array and its ``axis`` of units.
    resamples : int
    level : float

    Examples
    --------
    >>> resampled_interval(np.array([0.0, 1.0] * 50), np.mean, 1000, 0.95).round(1)
    array([0.4, 0.6])
    """
    if len(values) < 2:
        return np.full(2, np.nan)
    draws = generator_for("resample tasks", len(values)).integers(len(values), size=(resamples, len(values)))
    drawn = statistic(values[draws], axis=1)
    return np.asarray(np.percentile(drawn, [50 * (1 - level), 50 * (1 + level)]))


def _verdicts(one: Places, other: Places) -> tuple[bool, bool, bool]:
    """Return whether two rankings disagree on the first place, the first three in order, and as a set."""
    first, second = (np.where(ranking[0] <= TOP, ranking[0], 0) for ranking in (one, other))
    return (
        bool(((first == 1) != (second == 1)).any()),
        bool((first != second).any()),
        bool(((first > 0) != (second > 0)).any()),
    )


def _moments(x: np.ndarray, y: np.ndarray) -> list[float]:
    return [len(x), x.sum(), y.sum(), x @ x, y @ y, x @ y]


def _pooled_correlation(moments: np.ndarray, axis: int) -> np.ndarray:
    return _correlation(moments.sum(axis=axis))


def _correlation(moments: np.ndarray) -> np.ndarray:
    n, x, y, xx, yy, xy = np.moveaxis(moments, -1, 0)
    with np.errstate(invalid="ignore"):
        correlation: np.ndarray = (n * xy - x * y) / np.sqrt((n * xx - x * x) * (n * yy - y * y))
    return correlation
