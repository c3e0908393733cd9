"""Which area picks the better of two models, by yardsticks such as F1 on held-out folds.

The PRG paper holds that the area under precision-recall curves can favour models with lower expected F1. Here every two
models of a task are compared: if a yardstick says which of them is better, does the area say the same?
"""

from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

import numpy as np
import pandas as pd

from nontrivial._arrays import Floats, Ints
from nontrivial.curves.areas import CURVE_AREAS
from nontrivial_study.experiments.ranks.disagreement import blank_open_ends, task_properties, values_to_rank
from nontrivial_study.experiments.ranks.sources import draw_sources
from nontrivial_study.experiments.results import OK

# An area whose thresholds are tuned on the same cases is not comparable; it has no interval either.
CHOOSING_AREAS = tuple(name for name, area in CURVE_AREAS.items() if area.from_resamples)
YARDSTICKS = ("expected_f1_gain", "held_out_f1", "held_out_cost_advantage", "prediction_advantage")
RIVAL_AREAS = ("pr_auc", "prg_auc")
ALL_PAIRS, OPPOSED_PAIRS = "all", "pr_auc and prg_auc disagree"

# How an area and a yardstick order two models; the agreement follows from the first three counts.
PAIR_COUNTS = ("pairs", "agreeing", "area_ties", "yardstick_ties", "undefined")


class ModelPairs(NamedTuple):
    """Every two models of each task, a row for each pair."""

    signs: pd.DataFrame  # the sign of the difference of each value; NaN if one model lacks the value
    tasks: Ints  # the number of the pair's task
    datasets: Ints  # the number of the data set of each task


def choice_table(areas: pd.DataFrame, resamples: int = 2000) -> pd.DataFrame:
    """Count how often an area and a yardstick order two models alike.

    Intervals resample the data sets that have two models to compare, each with all its tasks: tasks made of one data
    set share its rows and are not independent (`SourceDraws`). Values that differ by rounding alone are equal. If AUPR
    and AUPRG disagree, exactly one of them agrees with the yardstick, so their two shares add up to 1.
    """
    pairs = _compare_models(areas[areas["status"] == OK].reset_index(drop=True))
    is_opposed = (pairs.signs[RIVAL_AREAS[0]] * pairs.signs[RIVAL_AREAS[1]] < 0).to_numpy()
    opposed = pairs._replace(signs=pairs.signs[is_opposed], tasks=pairs.tasks[is_opposed])
    rows = []
    for yardstick in YARDSTICKS:
        for subset, of_subset in ((ALL_PAIRS, pairs), (OPPOSED_PAIRS, opposed)):
            areas_to_count = [area for area in CHOOSING_AREAS if area != yardstick]
            counts = {area: _count_pairs(of_subset, area, yardstick) for area in areas_to_count}
            for area, of_area in counts.items():
                about = {"yardstick": yardstick, "of": subset, "area": area}
                of_rival = counts[RIVAL_AREAS[0]]
                rows.append(about | _estimate_agreement(of_area, of_rival, pairs.datasets, resamples))
    return pd.DataFrame(rows)


def _compare_models(ranked: pd.DataFrame) -> ModelPairs:
    """Compare every two models of each task by all areas and yardsticks."""
    names = list(dict.fromkeys([*CHOOSING_AREAS, *YARDSTICKS]))
    values = values_to_rank(ranked[names].astype(float)).to_numpy()
    by_task = ranked.groupby("task", sort=False)
    signs, tasks = [np.empty((0, len(names)))], [np.empty(0, dtype=int)]
    for task, rows in enumerate(by_task.indices.values()):
        first, second = np.triu_indices(len(rows), k=1)
        signs.append(np.sign(values[rows[first]] - values[rows[second]]))
        tasks.append(np.full(len(first), task))
    datasets = pd.factorize(by_task["rows_of"].first())[0]
    return ModelPairs(pd.DataFrame(np.concatenate(signs), columns=names), np.concatenate(tasks), datasets)


def _count_pairs(pairs: ModelPairs, area: str, yardstick: str) -> Ints:
    """Count the pairs of each task by how an area and a yardstick order them: a column for each of `PAIR_COUNTS`."""
    by_area, by_yardstick = pairs.signs[area].to_numpy(), pairs.signs[yardstick].to_numpy()
    is_defined = np.isfinite(by_area) & np.isfinite(by_yardstick)
    is_decided = is_defined & (by_yardstick != 0)
    agrees, area_ties = is_decided & (by_area == by_yardstick), is_decided & (by_area == 0)
    kinds = is_decided, agrees, area_ties, is_defined & (by_yardstick == 0), ~is_defined
    return _sum_by_group(np.column_stack(kinds), pairs.tasks, len(pairs.datasets))


def _sum_by_group(values: np.ndarray, groups: Ints, n_groups: int) -> Ints:
    """Sum the rows of each group."""
    sums = np.zeros((n_groups, values.shape[1]), dtype=np.int64)
    np.add.at(sums, groups, values.astype(np.int64))
    return sums


def _estimate_agreement(counts: Ints, rival_counts: Ints, datasets: Ints, resamples: int) -> dict[str, float]:
    """Return the agreement of an area with a yardstick, its lead over a rival area, and their intervals."""
    of_both = np.hstack([counts[:, :3], rival_counts[:, :3]])
    by_dataset = _sum_by_group(of_both, datasets, datasets.max(initial=-1) + 1)
    has_pairs, rival_has_pairs = by_dataset[:, 0] > 0, by_dataset[:, 3] > 0
    row: dict[str, float] = {"tasks": int((counts[:, 0] > 0).sum()), "datasets": int(has_pairs.sum())}
    row |= dict(zip(PAIR_COUNTS, counts.sum(axis=0).tolist(), strict=True))
    statistics = {
        "agreement": (_agreement_share, by_dataset[has_pairs, :3]),
        "more_than_pr_auc": (_agreement_lead, by_dataset[has_pairs & rival_has_pairs]),
    }
    for name, (statistic, sums) in statistics.items():
        draws = draw_sources(list(map(str, range(len(sums)))), resamples, "resample tasks")
        low, high = draws.interval(statistic(draws.resampled_sums(sums)))
        row |= {name: float(statistic(sums.sum(axis=0))), f"{name}_low": low, f"{name}_high": high}
    return row


def _agreement_share(counts: np.ndarray) -> Floats:
    """Return the share of pairs that agree, from three `PAIR_COUNTS` along the last axis; a tie counts one half."""
    pairs, agreeing, ties = np.moveaxis(counts, -1, 0)
    with np.errstate(invalid="ignore"):
        return np.asarray((agreeing + ties / 2) / pairs)


def _agreement_lead(counts_of_both: np.ndarray) -> Floats:
    """Return the agreement of an area less the agreement of its rival, whose counts stand last."""
    return np.asarray(_agreement_share(counts_of_both[..., :3]) - _agreement_share(counts_of_both[..., 3:]))


def choice_by_share(areas: pd.DataFrame, edges: Sequence[float], resamples: int = 2000) -> pd.DataFrame:
    """Count how often each area picks the better of two models, over all tasks and by the share of positives."""
    share = areas["task"].map(task_properties(areas)["positive_share"])
    groups = dict.fromkeys([(-np.inf, np.inf), *pairwise([-np.inf, *edges, np.inf])])
    parts = []
    for low, high in groups:
        table = choice_table(areas[share.between(low, high, inclusive="left")], resamples)
        parts.append(pd.DataFrame({"at_least": low, "below": high}, index=table.index).join(table))
    return blank_open_ends(pd.concat(parts, ignore_index=True))
