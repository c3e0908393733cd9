"""The tables of the experiment on how areas rank models (PRG paper, Section 4)."""

from collections.abc import Collection, Mapping
from typing import Any

import numpy as np
import pandas as pd

from nontrivial_study.experiments.ranks.area_finding import area_finding, share_curve
from nontrivial_study.experiments.ranks.disagreement import (
    compare_ranks,
    rank_disagreement,
    rank_disagreement_by_group,
    values_to_rank,
)
from nontrivial_study.experiments.ranks.model_choice import choice_by_share, choice_table
from nontrivial_study.experiments.results import OK
from nontrivial_study.tables import read_table

AREAS_SHOWN = ["pr_auc", "prg_auc"]  # in the PRG paper's Figure 4


def rank_counts(areas: pd.DataFrame, models: int) -> tuple[pd.DataFrame, int]:
    """Count the models by their ranks under AUPR and AUPRG (PRG paper, Figure 4 left).

    Models that share a rank under either area belong to no cell. They are left out; their number comes second.
    """
    ranked = areas[areas["status"] == OK]
    by_task = values_to_rank(ranked[AREAS_SHOWN]).groupby(ranked["task"])
    best, worst = (by_task.rank(ascending=False, method=method).to_numpy() for method in ("min", "max"))
    is_alone = (best == worst).all(axis=1)
    counts = np.zeros((models, models), dtype=int)
    np.add.at(counts, tuple(best[is_alone].astype(int).T - 1), 1)
    pr_rank, prg_rank = np.indices(counts.shape) + 1
    columns = {"pr_auc_rank": pr_rank.ravel(), "prg_auc_rank": prg_rank.ravel(), "count": counts.ravel()}
    return pd.DataFrame(columns), int((~is_alone).sum())


def quartile_tasks(areas: pd.DataFrame) -> pd.DataFrame:
    """Find the tasks whose rank correlation is the lower and the upper quartile among all tasks (Figure 4 right).

    A quartile is the least correlation that a quarter, or three quarters, of the tasks do not exceed; of several
    tasks that have it, the first in the table is taken. Tasks without a correlation are left out.
    """
    comparison = compare_ranks(areas, "/".join(AREAS_SHOWN))
    tasks = comparison.disagreement.index
    correlations = pd.Series(comparison.correlations, index=tasks).dropna().round(12)
    rows = []
    for name, share in (("lower quartile", 0.25), ("upper quartile", 0.75)):
        if len(correlations):
            value = np.quantile(correlations, share, method="inverted_cdf")
            rows.append((name, correlations.index[correlations == value][0], value))
    return pd.DataFrame(rows, columns=["quartile", "task", "task_correlation"])


def rank_figure_table(areas: pd.DataFrame, models: int) -> pd.DataFrame:
    """Return everything that Figure 4 shows."""
    left, n_tied = rank_counts(areas, models)
    ranked = areas[areas["status"] == OK]
    totals = {"tasks": ranked["task"].nunique(), "datasets": ranked["rows_of"].nunique(), "tied": n_tied}
    right = quartile_tasks(areas).merge(ranked[["task", "model", *AREAS_SHOWN]], on="task")
    panels = {"all": pd.DataFrame([totals]), "left": left, "right": right}
    table = pd.concat([rows.assign(panel=panel) for panel, rows in panels.items()], ignore_index=True)
    return table[["panel", *totals, *left, *right]].astype(dict.fromkeys([*totals, *left], "Int64"))


def calc_ranks(
    areas: str, published: Mapping[str, Any], ranking: Mapping[str, Any], left_out: Collection[str], models: int
) -> dict[str, pd.DataFrame]:
    """Compare the models' ranks under the areas: how far they differ, when that matters, and which area to use."""
    pairs, groups, resamples = (ranking[name] for name in ("pairs", "groups", "resamples"))
    table = read_table(areas)
    table = table[~table["task"].isin(left_out)].reset_index(drop=True)
    choice = choice_table(table, resamples)
    by_share = choice_by_share(table, groups["positive_share"], resamples)
    return {
        "rank_disagreement": rank_disagreement(table, pairs, published, resamples),
        "rank_disagreement_by_imbalance": rank_disagreement_by_group(table, pairs, groups, resamples),
        "prg_figure_4": rank_figure_table(table, models),
        "model_choice": choice,
        "prg_model_choice": choice,
        "model_choice_by_share": by_share,
        "area_finding": area_finding(table, pairs, by_share, resamples),
        "prg_disagreement_by_share": share_curve(table, pairs),
    }
