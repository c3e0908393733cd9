"""How far two areas disagree when they rank the models of a task (PRG paper, Section 4)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

from nontrivial_study.experiments.ranks.source_draws import SourceDraws
from nontrivial_study.experiments.ranks.ties import Places, order_depends, places_of, set_depends
from nontrivial_study.experiments.status import OK
from nontrivial_study.tables import column_names

PAIRS = (("pr_auc", "prg_auc"), ("pr_auc", "roc_auc"), ("prg_auc", "roc_auc"))
AREAS = {"pr_auc": "AUPR", "prg_auc": "AUPRG", "roc_auc": "AUROC"}  # what they are called
TOP = 3

# Two areas that agree to this many decimals differ by rounding alone, and are a tie.
_TIE_DECIMALS = 12


QUARTILES = {"median": 0.5, "lower_quartile": 0.25, "upper_quartile": 0.75}


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
    sources : ndarray of str, shape (n_tasks,)
        What the tasks are made of.
    """

    tasks: pd.Index
    disagreement: dict[str, np.ndarray]
    decided_by_ties: dict[str, np.ndarray]
    moments: np.ndarray
    sources: np.ndarray

    @property
    def correlations(self) -> np.ndarray:
        """The rank correlation of each task; NaN (0/0) where all models are tied under either area."""
        return _correlation(self.moments)

    def summary(self, chosen: np.ndarray, resamples: int) -> dict[str, float]:
        """Return every figure over the chosen tasks, with its interval, and how many tasks ties decide.

        The intervals are those of `experiments.ranks.source_draws.SourceDraws`; for tasks of fewer than two
        sources they are NaN. ``datasets`` counts the sources.
        """
        draws = SourceDraws(self.sources[chosen].tolist(), resamples)
        row: dict[str, float] = {"datasets": draws.count}
        figures: dict[str, tuple[float, np.ndarray]] = {}
        for name, differs in self.disagreement.items():
            part = differs[chosen]
            figures[f"{name}_disagreement"] = part.mean() if len(part) else np.nan, draws.of_share(part)
        moments = self.moments[chosen]
        pooled = draws.ends(_correlation(draws.sums(moments)))
        figures["rank_correlation"] = float(_correlation(moments.sum(axis=0))), pooled

        correlations = self.correlations[chosen]
        defined = np.isfinite(correlations)
        values = correlations[defined]
        draws = SourceDraws(self.sources[chosen][defined].tolist(), resamples)
        mean = float(values.mean()) if len(values) else np.nan
        figures["task_correlation_mean"] = mean, draws.of_mean(values)
        for name, share in QUARTILES.items():
            quantile = float(np.quantile(values, share)) if len(values) else np.nan
            figures[f"task_correlation_{name}"] = quantile, draws.of_quantile(values, share)
        for name, (value, (low, high)) in figures.items():
            row |= {name: value, f"{name}_low": low, f"{name}_high": high}
        row["task_correlation_undefined"] = len(correlations) - len(values)
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
        See `rank_models`; ``rows_of`` tells what the rows of the task come from.
    one, other : str
        Columns of `areas`.

    Examples
    --------
    >>> areas = pd.DataFrame({"task": "t", "rows_of": "d", "status": "ok", "x": [4, 3, 2, 1], "y": [3, 4, 2, 1]})
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
        whole.groupby("task", sort=False)["rows_of"].first().to_numpy(dtype=object),
    )


def rank_disagreement(
    areas: pd.DataFrame,
    published: Mapping[str, Mapping[str, float]],
    resamples: int = 2000,
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
        Bootstrap resamples of the data sets, each with all its tasks, behind the intervals.

    Returns
    -------
    DataFrame of three rows
        ``pair, tasks, models, ranked, failed, datasets`` (that the tasks are made of), then the figures of
        `Comparison.summary`: ``top1_disagreement``, ``top3_disagreement`` and ``top3_set_disagreement`` (fractions of
        tasks, see `compare_ranks`), ``rank_correlation`` (Pearson's, of the average ranks pooled over tasks) and
        ``task_correlation_mean``, ``_median``, ``_lower_quartile`` and ``_upper_quartile`` (of each task's own),
        each with its interval ``_low`` and ``_high``, and for five of them ``paper_`` and the name, missing where the
        paper gives none;
        ``task_correlation_undefined``, the tasks that have none; and for each disagreement
        ``_decided_by_ties``, the number of tasks in which it depends on how ties are broken.
    """
    rows = []
    for one, other in PAIRS:
        pair = f"{one}/{other}"
        comparison = compare_ranks(areas, one, other)
        row = {
            "pair": pair,
            "tasks": len(comparison.tasks),
            "models": areas.loc[areas["status"] == OK, "model"].nunique(),
            "ranked": int((areas["status"] == OK).sum()),
            "failed": int((areas["status"] != OK).sum()),
        }
        every = np.ones(len(comparison.tasks), dtype=bool)
        printed = {f"paper_{name}": value for name, value in published.get(pair, {}).items()}
        rows.append(row | comparison.summary(every, resamples) | printed)
    return pd.DataFrame(rows, columns=column_names("rank_disagreement"))


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


def _correlation(moments: np.ndarray) -> np.ndarray:
    n, x, y, xx, yy, xy = np.moveaxis(moments, -1, 0)
    with np.errstate(invalid="ignore"):
        correlation: np.ndarray = (n * xy - x * y) / np.sqrt((n * xx - x * x) * (n * yy - y * y))
    return correlation
