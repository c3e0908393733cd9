"""A finding of our own: does the choice of the area matter more the rarer the positives are, and which is to be used.

The answers follow from intervals by rule. They are about the study's data, and no claim of a document.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import pairwise

import numpy as np
import pandas as pd

from nontrivial_study.experiments.ranks.model_choice import SUBSETS, choice_table
from nontrivial_study.experiments.ranks.rank_groups import task_properties
from nontrivial_study.experiments.ranks.ranking import PAIRS, compare_ranks
from nontrivial_study.experiments.ranks.source_draws import SourceDraws
from nontrivial_study.tables import column_names

FEWEST = 10  # sources; from there on, intervals of shares held the truth in 94 to 95 % (benchmarks/source_coverage.py)
RARER, RARER_LESS, EITHER, TOO_FEW = "more", "less", "not shown", "too few data sets"
# What a model is wanted for; the expected F1 gain is left out, since it is made from AUPRG.
YARDSTICKS = ("held_out_f1", "held_out_cost_advantage", "prediction_advantage")


def choice_by_share(areas: pd.DataFrame, edges: Sequence[float], resamples: int = 2000) -> pd.DataFrame:
    """Count how often each area picks the better of two models, over all tasks and by the share of positives.

    Parameters
    ----------
    areas : DataFrame
        From `nontrivial_study.experiments.tasks.area_table.area_table`, with ``rows_of``.
    edges : sequence of float
        The shares at which one group of tasks ends and the next begins, increasing.
    resamples : int

    Returns
    -------
    DataFrame
        ``at_least`` and ``below`` (of the group; missing where it has no such end, both for all tasks), and the columns
        of `nontrivial_study.experiments.ranks.model_choice.choice_table`.
    """
    share = areas["task"].map(task_properties(areas)["positive_share"])
    groups = dict.fromkeys([(-np.inf, np.inf), *pairwise([-np.inf, *edges, np.inf])])
    parts = []
    for low, high in groups:
        table = choice_table(areas[share.between(low, high, inclusive="left")], resamples)
        parts.append(pd.DataFrame({"at_least": low, "below": high}, index=table.index).join(table))
    table = pd.concat(parts, ignore_index=True)
    return table.replace({"at_least": {-np.inf: np.nan}, "below": {np.inf: np.nan}})


def area_finding(areas: pd.DataFrame, by_share: pd.DataFrame, resamples: int = 2000) -> pd.DataFrame:
    """Answer both questions by rule.

    Parameters
    ----------
    areas : DataFrame
        As for `choice_by_share`.
    by_share : DataFrame
        From `choice_by_share`.
    resamples : int

    Returns
    -------
    DataFrame
        ``question`` (``rarity`` or ``choice``), ``of``, ``at_least`` and ``below`` (the group of tasks by the share of
        positives, missing where it has no such end), ``estimate, low, high, tasks, datasets`` and ``answer``.

        A row on rarity is of a pair of areas and a figure, such as ``pr_auc/prg_auc top1``. The estimate is by how much
        the disagreement rises when the share of positives is halved: for ``top1`` and ``top3`` the share of tasks in
        which the areas disagree, for ``correlation`` one minus the correlation of ranks. The answer is ``more`` if the
        interval is above 0, ``less`` if it is below 0, else ``not shown``.

        A row on the choice is of a yardstick. The estimate is the share of pairs of models, among those that AUPR and
        AUPRG order differently, in which AUPRG is right. The answer is ``prg_auc`` if the interval is above one half,
        ``pr_auc`` if it is below, else ``not shown``.

        With fewer than `FEWEST` sources, the answer is ``too few data sets``.

    Notes
    -----
    Rarity is the slope of a straight line over the binary logarithm of the share, by least squares in which each source
    has the same weight. Intervals are from resamples of the sources (`source_draws`). They hold one by one.
    """
    rows = [*_rarity(areas, resamples), *_choice(by_share)]
    return pd.DataFrame(rows, columns=column_names("area_finding"))


def _rarity(areas: pd.DataFrame, resamples: int) -> Iterable[dict[str, object]]:
    halvings = -np.log2(task_properties(areas)["positive_share"].to_numpy())
    for one, other in PAIRS:
        comparison = compare_ranks(areas, one, other)
        figures = {name: comparison.disagreement[name].astype(float) for name in ("top1", "top3")}
        figures["correlation"] = 1 - comparison.correlations
        for name, values in figures.items():
            known = np.isfinite(values)
            sources = pd.Series(comparison.sources[known], dtype="str")
            draws = SourceDraws(sources.tolist(), resamples)
            x, y = halvings[known], values[known]
            weight = 1 / sources.map(sources.value_counts()).to_numpy(dtype=np.float64)
            sums = weight[:, None] * np.column_stack([np.ones_like(x), x, y, x * x, x * y])
            estimate = float(_slope(sums.sum(axis=0)))
            low, high = draws.ends(_slope(draws.sums(sums)))
            answer = RARER if low > 0 else RARER_LESS if high < 0 else EITHER
            yield {
                "question": "rarity",
                "of": f"{one}/{other} {name}",
                "estimate": estimate,
                "low": low,
                "high": high,
                "tasks": len(x),
                "datasets": draws.count,
                "answer": answer if draws.count >= FEWEST else TOO_FEW,
            }


def _slope(sums: np.ndarray) -> np.ndarray:
    """Return the slope of the line of least squares; 0 where all tasks have the same share."""
    n, x, y, xx, xy = np.moveaxis(sums, -1, 0)
    spread = n * xx - x * x
    level = spread <= 1e-9 * n * xx
    return np.asarray(np.where(level, 0.0, (n * xy - x * y) / np.where(level, 1.0, spread)))


def _choice(by_share: pd.DataFrame) -> Iterable[dict[str, object]]:
    chosen = by_share[(by_share["of"] == SUBSETS[1]) & (by_share["area"] == "prg_auc")]
    for row in chosen[chosen["yardstick"].isin(YARDSTICKS)].to_dict("records"):
        low, high = row["agreement_low"], row["agreement_high"]
        answer = "prg_auc" if low > 0.5 else "pr_auc" if high < 0.5 else EITHER
        yield {
            "question": "choice",
            "of": row["yardstick"],
            "at_least": row["at_least"],
            "below": row["below"],
            "estimate": row["agreement"],
            "low": low,
            "high": high,
            "tasks": row["tasks"],
            "datasets": row["datasets"],
            "answer": answer if row["datasets"] >= FEWEST else TOO_FEW,
        }
