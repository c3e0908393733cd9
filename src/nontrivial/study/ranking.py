"""How far two areas disagree when they rank the models of a task (PRG paper, Section 4)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd

from nontrivial.seeds import generator_for
from nontrivial.study.training import OK

PAIRS = (("pr_auc", "prg_auc"), ("pr_auc", "roc_auc"), ("prg_auc", "roc_auc"))
PLACES = {"top1_disagreement": 1, "top3_disagreement": 3}

# Two areas that agree to this many decimals differ by rounding alone, and are a tie.
_TIE_DECIMALS = 12


def rank_models(areas: pd.DataFrame, measures: Sequence[str], method: str = "average") -> pd.DataFrame:
    """Rank the models of each task, 1 for the greatest area.

    Parameters
    ----------
    areas : DataFrame
        Columns ``task``, ``model``, ``status`` and one for each measure; rows that failed are left out.
    measures : sequence of str
    method : {"average", "min"}
        What tied models get: the mean of the places they share, or the first of them.

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
    values = whole[list(measures)].round(_TIE_DECIMALS)
    ranks = values.groupby(whole["task"], sort=False).rank(method=method, ascending=False)
    return pd.concat([whole[["task", "model"]], ranks], axis=1)


def rank_counts(areas: pd.DataFrame, across: str, up: str, models: int) -> pd.DataFrame:
    """Count the models by their ranks under two areas (PRG paper, Figure 4 left).

    Shared places are rounded to the nearest whole rank, halves up.

    Returns
    -------
    DataFrame of models squared rows
        ``<across>_rank``, ``<up>_rank`` and ``count``, zeros included.
    """
    ranks = np.floor(rank_models(areas, [across, up])[[across, up]].to_numpy() + 0.5).astype(int) - 1
    counts = np.zeros((models, models), dtype=int)
    np.add.at(counts, (ranks[:, 0], ranks[:, 1]), 1)
    first, second = np.indices(counts.shape) + 1
    return pd.DataFrame(
        {f"{across}_rank": first.ravel(), f"{up}_rank": second.ravel(), "count": counts.ravel()}
    )


def rank_disagreement(
    areas: pd.DataFrame,
    published: Mapping[str, Mapping[str, float]],
    resamples: int = 2000,
    level: float = 0.95,
) -> pd.DataFrame:
    """Measure how often pairs of areas disagree on the best models, beside the published figures.

    Two areas agree on the best model of a task if the same model, or the same set of tied models, leads under
    both; they agree on the top three if in addition places two and three are taken by the same models in the
    same order, tied models being compared as a set.

    Parameters
    ----------
    areas : DataFrame
        See `rank_models`; needs the columns ``pr_auc``, ``prg_auc`` and ``roc_auc``.
    published : mapping of str to mapping
        For each pair such as ``"pr_auc/prg_auc"`` the paper's ``top1_disagreement``, ``top3_disagreement`` and
        ``rank_correlation``.
    resamples : int
        Bootstrap resamples of whole tasks behind the intervals.
    level : float
        Coverage of the percentile intervals.

    Returns
    -------
    DataFrame of three rows
        ``pair, tasks, models, ranked, failed``, then for each of top1_disagreement and top3_disagreement (fractions
        of tasks) and rank_correlation (Pearson's, of the average ranks pooled over tasks) the value, its interval
        ``_low`` and ``_high`` and the paper's, ``paper_``; last ``top1_ties`` and ``top3_ties``, the number of
        tasks in which a tie reaches into those places under either area. A correlation of constant ranks is NaN.
    """
    measures = sorted({measure for pair in PAIRS for measure in pair})
    average, first = rank_models(areas, measures), rank_models(areas, measures, method="min")
    tasks = average["task"].unique()
    draws = generator_for("resample tasks", len(tasks)).multinomial(
        len(tasks), np.full(len(tasks), 1 / len(tasks)), size=resamples
    )
    tails = 50 * (1 - level), 50 * (1 + level)
    rows = []
    for one, other in PAIRS:
        pair = f"{one}/{other}"
        row = {
            "pair": pair,
            "tasks": len(tasks),
            "models": average["model"].nunique(),
            "ranked": len(average),
            "failed": int((areas["status"] != OK).sum()),
        }
        figures = {name: _disagreement(first, one, other, places) for name, places in PLACES.items()}
        samples = {name: draws @ values / len(tasks) for name, values in figures.items()}
        moments = _moments(average, one, other)
        values = {name: figure.mean() for name, figure in figures.items()}
        values["rank_correlation"] = _correlation(moments.sum(axis=0))
        samples["rank_correlation"] = _correlation(draws @ moments)
        for name, value in values.items():
            row[name] = value
            row[f"{name}_low"], row[f"{name}_high"] = np.percentile(samples[name], tails)
            row[f"paper_{name}"] = published[pair][name]
        for name, places in PLACES.items():
            row[name.replace("disagreement", "ties")] = int(_tied(first, one, other, places).sum())
        rows.append(row)
    return pd.DataFrame(rows)


def _disagreement(first: pd.DataFrame, one: str, other: str, places: int) -> np.ndarray:
    """Return, for each task, whether the leading places differ."""
    leading = first[[one, other]].where(first[[one, other]] <= places, 0)
    differs = leading[one] != leading[other]
    return differs.groupby(first["task"], sort=False).any().to_numpy()


def _tied(first: pd.DataFrame, one: str, other: str, places: int) -> np.ndarray:
    """Return, for each task, whether several models share one of the leading places under either area."""
    shared = np.zeros(len(first), dtype=bool)
    for measure in (one, other):
        shared |= (first.duplicated(["task", measure]) & (first[measure] <= places)).to_numpy()
    return pd.Series(shared).groupby(first["task"], sort=False).any().to_numpy()


def _moments(ranks: pd.DataFrame, one: str, other: str) -> np.ndarray:
    """Return, for each task, the sums from which a pooled correlation follows, so that tasks can be reweighted."""
    x, y = ranks[one], ranks[other]
    products = pd.DataFrame({"n": 1.0, "x": x, "y": y, "xx": x * x, "yy": y * y, "xy": x * y})
    return products.groupby(ranks["task"], sort=False).sum().to_numpy()


def _correlation(moments: np.ndarray) -> np.ndarray:
    n, x, y, xx, yy, xy = np.moveaxis(moments, -1, 0)
    with np.errstate(invalid="ignore"):
        return (n * xy - x * y) / np.sqrt((n * xx - x * x) * (n * yy - y * y))
