"""Which area picks the better of two models: the order by each area against the order by what models are wanted for.

The PRG paper holds that the area under precision-recall curves can favour models with lower expected F1. Here every two
models of a task are compared: where a yardstick says which is better, does the area say the same?
"""

from __future__ import annotations

import numpy as np
import pandas as pd

from nontrivial_study.experiments.ranks.ranking import rounded
from nontrivial_study.experiments.ranks.source_draws import Statistic, resampled_interval
from nontrivial_study.experiments.status import OK

JUDGED = ("roc_auc", "average_precision", "pr_auc", "prg_auc", "expected_f1_gain")
JUDGES = ("expected_f1_gain", "held_out_f1", "held_out_cost_advantage", "prediction_advantage")
RIVALS = ("pr_auc", "prg_auc")
SUBSETS = ("all", "pr_auc and prg_auc disagree")

_COUNTS = ("pairs", "agreeing", "area_ties", "yardstick_ties", "undefined")


def choice_table(areas: pd.DataFrame, resamples: int = 2000) -> pd.DataFrame:
    """Count how often the order of two models by an area is that by a yardstick.

    Parameters
    ----------
    areas : DataFrame
        From `area_table.area_table`, with ``rows_of`` that tells from which data set the rows of the task
        come (`nontrivial_study.experiments.tasks.binary_tasks.rows_of`); rows that failed are left out.
    resamples : int
        Bootstrap resamples of whole data sets behind the intervals.

    Returns
    -------
    DataFrame
        ``yardstick`` (one of `JUDGES`), ``of`` (``"all"`` pairs of
        models of a task, or those that AUPR and AUPRG order differently), ``area``, ``tasks`` and ``datasets`` (with
        such a pair), ``pairs`` (of which the yardstick says which model is better), ``agreeing`` (ordered alike by the
        area), ``area_ties`` (equal by the area), ``yardstick_ties`` and ``undefined`` (pairs left out: equal by the
        yardstick, or without a value of either), ``agreement``, the share that agrees, a tie of the area counted as one
        half, with
        ``agreement_low`` and ``agreement_high``; and ``more_than_pr_auc``, the agreement less that of AUPR, with its
        interval. A yardstick is not judged by itself. A share is NaN without pairs, an interval with fewer than two
        data sets.

    Notes
    -----
    Intervals are from bootstrap resamples of the data sets with such a pair, each with all its tasks: tasks made of
    one data set share its rows and are no independent tries (`source_draws.resampled_interval`). Values that differ
    by rounding alone are equal. Where AUPR and AUPRG disagree, their two agreements add up to 1.

    Examples
    --------
    >>> areas = pd.DataFrame({"task": "t", "rows_of": "d", "status": "ok", "roc_auc": [0.9, 0.8, 0.7]})
    >>> areas[["average_precision", "expected_f1_gain", "held_out_cost_advantage", "prediction_advantage"]] = 0.5
    >>> areas[["pr_auc", "prg_auc", "held_out_f1"]] = [[0.9, 0.9, 0.9], [0.7, 0.8, 0.8], [0.8, 0.7, 0.7]]
    >>> table = choice_table(areas).set_index(["yardstick", "of", "area"])
    >>> table.loc["held_out_f1", "all"]["agreement"].round(3).to_dict()
    {'roc_auc': 1.0, 'average_precision': 0.5, 'pr_auc': 0.667, 'prg_auc': 1.0, 'expected_f1_gain': 0.5}
    """
    whole = areas[areas["status"] == OK].reset_index(drop=True)
    names = list(dict.fromkeys([*JUDGED, *JUDGES]))
    values = rounded(whole[names].astype(float)).to_numpy()
    tasks = whole.groupby("task", sort=False)
    signs = [_signs(values[rows]) for rows in tasks.indices.values()]
    datasets = pd.factorize(tasks["rows_of"].first())[0]
    rows = []
    for judge in JUDGES:
        for subset in SUBSETS:
            counts = {
                area: _count(signs, names.index(area), names.index(judge), subset, names)
                for area in JUDGED
                if area != judge
            }
            rows += [
                {"yardstick": judge, "of": subset, "area": area}
                | _summary(table, counts[RIVALS[0]], datasets, resamples)
                for area, table in counts.items()
            ]
    return pd.DataFrame(rows)


def _signs(values: np.ndarray) -> np.ndarray:
    """Return for every two models (rows) the sign of the difference of each value; NaN where one is missing."""
    first, second = np.triu_indices(len(values), k=1)
    return np.asarray(np.sign(values[first] - values[second]))


def _count(signs: list[np.ndarray], area: int, judge: int, subset: str, names: list[str]) -> np.ndarray:
    """Return `_COUNTS` for each task."""
    table = []
    for of_task in signs:
        if subset != SUBSETS[0]:
            one, other = (of_task[:, names.index(rival)] for rival in RIVALS)
            of_task = of_task[one * other < 0]
        by_area, by_judge = of_task[:, area], of_task[:, judge]
        defined = np.isfinite(by_area * by_judge)
        decided = defined & (by_judge != 0)
        table.append(
            [
                decided.sum(),
                (decided & (by_area == by_judge)).sum(),
                (decided & (by_area == 0)).sum(),
                (defined & (by_judge == 0)).sum(),
                (~defined).sum(),
            ]
        )
    return np.array(table, dtype=np.int64).reshape(-1, len(_COUNTS))


def _summary(
    counts: np.ndarray, of_rival: np.ndarray, datasets: np.ndarray, resamples: int
) -> dict[str, float]:
    both = np.hstack([counts[:, :3], of_rival[:, :3]])
    of_dataset = np.zeros((datasets.max(initial=-1) + 1, both.shape[1]), dtype=np.int64)
    np.add.at(of_dataset, datasets, both)
    with_pairs, with_both = of_dataset[:, 0] > 0, (of_dataset[:, [0, 3]] > 0).all(axis=1)
    figures: dict[str, tuple[np.ndarray, Statistic]] = {
        "agreement": (of_dataset[with_pairs, :3], _agreement),
        "more_than_pr_auc": (of_dataset[with_both], _lead),
    }
    row: dict[str, float] = {"tasks": int((counts[:, 0] > 0).sum()), "datasets": int(with_pairs.sum())}
    row |= dict(zip(_COUNTS, counts.sum(axis=0).tolist(), strict=True))
    for name, (parts, of) in figures.items():
        ends = resampled_interval(parts, of, resamples)
        row |= {name: float(of(parts, axis=0)) if len(parts) else np.nan}
        row |= dict(zip((f"{name}_low", f"{name}_high"), ends, strict=True))
    return row


def _agreement(counts: np.ndarray, axis: int) -> np.ndarray:
    pairs, agreeing, ties = np.moveaxis(counts.sum(axis=axis), -1, 0)
    return np.asarray((agreeing + ties / 2) / pairs)


def _lead(both: np.ndarray, axis: int) -> np.ndarray:
    """Return the agreement of the first three columns less that of the last three."""
    return np.asarray(_agreement(both[..., :3], axis) - _agreement(both[..., 3:], axis))
