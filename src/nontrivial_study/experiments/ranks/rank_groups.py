"""Rank disagreement in groups of tasks: by their balance, their number of positives, and extrapolated areas."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise

import numpy as np
import pandas as pd

from nontrivial_study.experiments.ranks.ranking import PAIRS, compare_ranks
from nontrivial_study.experiments.status import OK
from nontrivial_study.tables import column_names


def task_properties(areas: pd.DataFrame) -> pd.DataFrame:
    """Return what tasks are told apart by.

    Parameters
    ----------
    areas : DataFrame
        From `nontrivial_study.experiments.tasks.area_table.area_table`; rows that failed are left out.

    Returns
    -------
    DataFrame, index task
        ``positive_share``, ``positives`` and ``extrapolated_share``, the share of the models whose AUPRG rests on no
        operating point at recall gain 0.

    Examples
    --------
    >>> row = {"task": "t", "status": "ok", "positives": 30, "negatives": 70, "extrapolated": [True, False]}
    >>> task_properties(pd.DataFrame(row)).loc["t"].tolist()
    [0.3, 30.0, 0.5]
    """
    tasks = areas[areas["status"] == OK].groupby("task", sort=False)
    counts = tasks[["positives", "negatives"]].first().astype(float)
    return pd.DataFrame(
        {
            "positive_share": counts["positives"] / counts.sum(axis=1),
            "positives": counts["positives"],
            "extrapolated_share": tasks["extrapolated"].agg(lambda flags: flags.astype(float).mean()),
        }
    )


def rank_disagreement_by_group(
    areas: pd.DataFrame, edges: Mapping[str, Sequence[float]], resamples: int = 2000
) -> pd.DataFrame:
    """Measure rank disagreement in groups of tasks.

    Parameters
    ----------
    areas : DataFrame
        From `nontrivial_study.experiments.tasks.area_table.area_table`.
    edges : mapping of str to sequence of float
        For each property of `task_properties` the values at which one group ends and the next begins, increasing.
    resamples : int
        As in `nontrivial_study.experiments.ranks.ranking.rank_disagreement`.

    Returns
    -------
    DataFrame
        A row for each property, group and pair of areas: ``split`` (the property), ``at_least`` and ``below`` (of
        the group; missing where it has no such end), ``pair``, ``tasks``, ``extrapolated_share`` (the mean over the
        tasks), and the figures that `ranking.rank_disagreement` gives, without the paper's. A group without tasks has
        its row.
    """
    properties = task_properties(areas)
    comparisons = {f"{one}/{other}": compare_ranks(areas, one, other) for one, other in PAIRS}
    rows = []
    for split, inner in edges.items():
        for low, high in pairwise([-np.inf, *inner, np.inf]):
            chosen = properties[split].between(low, high, inclusive="left").to_numpy()
            group = {"split": split, "at_least": low, "below": high}
            extrapolated = properties["extrapolated_share"].to_numpy(dtype=np.float64)[chosen]
            about = {
                "tasks": len(extrapolated),
                "extrapolated_share": extrapolated.mean() if len(extrapolated) else np.nan,
            }
            rows += [
                group | {"pair": pair} | about | comparison.summary(chosen, resamples)
                for pair, comparison in comparisons.items()
            ]
    table = pd.DataFrame(rows, columns=column_names("rank_disagreement_by_imbalance"))
    return table.replace({"at_least": {-np.inf: np.nan}, "below": {np.inf: np.nan}})
