"""Which area picks the better of two models, and models that two areas order differently."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from itertools import pairwise
from typing import Any

import numpy as np
import pandas as pd

from nontrivial.curves.areas import CURVE_AREAS
from nontrivial_study.experiments.ranks.ranks import (
    SourceDraws,
    comparable,
    compare_ranks,
    rank_disagreement,
    rank_disagreement_by_group,
    rank_figure_table,
    share_curve,
    task_properties,
)
from nontrivial_study.experiments.results import NOT_EVALUATED, OK
from nontrivial_study.tables import column_names, read_table, rows_with

NONE = f"{NOT_EVALUATED}: on no task AUPR and AUPRG order two models differently"


def find_opposed(areas: pd.DataFrame, tasks: Collection[str]) -> tuple[str, list[str]] | None:
    """Find the task and the two models about which AUPR and AUPRG disagree most.

    That is the pair whose smaller difference, of the one in AUPR and the one in AUPRG, is greatest. Models whose AUPRG
    is extrapolated do not count, nor do those with a negative one, whose curve is far below what a figure shows.
    """
    served = areas[(areas["status"] == OK) & areas["task"].isin(tasks)]
    served = served[~served["extrapolated"].astype(bool) & (served["prg_auc"] >= 0)]
    most, found = 0.0, None
    for task, rows in served.groupby("task", sort=False):
        areas_of_task = rows[["pr_auc", "prg_auc"]].to_numpy(float)
        pr, prg = (np.subtract.outer(values, values) for values in areas_of_task.T)
        by = np.minimum(pr, -prg)  # above 0 where the first has more AUPR and less AUPRG
        first, second = np.unravel_index(by.argmax(), by.shape)
        if by[first, second] > most:
            most = by[first, second]
            found = str(task), rows["model"].iloc[[first, second]].tolist()
    return found


# Which area picks the better of two models: the order by each area against the order by what models are wanted for.
#
# The PRG paper holds that the area under precision-recall curves can favour models with lower expected F1. Here every
# two models of a task are compared: where a yardstick says which is better, does the area say the same?

# An area whose thresholds are tuned on the same cases is not comparable; it has no interval either.
JUDGED = tuple(name for name, area in CURVE_AREAS.items() if area.from_resamples)
JUDGES = ("expected_f1_gain", "held_out_f1", "held_out_cost_advantage", "prediction_advantage")
RIVALS = ("pr_auc", "prg_auc")
SUBSETS = ("all", "pr_auc and prg_auc disagree")

_COUNTS = ("pairs", "agreeing", "area_ties", "yardstick_ties", "undefined")


def choice_table(areas: pd.DataFrame, resamples: int = 2000) -> pd.DataFrame:
    """Count how often the order of two models by an area is that by a yardstick.

    Intervals are from bootstrap resamples of the data sets with such a pair, each with all its tasks: tasks made of
    one data set share its rows and are no independent tries (`SourceDraws`). Values that differ by
    rounding alone are equal. Where AUPR and AUPRG disagree, their two agreements add up to 1.
    """
    whole = areas[areas["status"] == OK].reset_index(drop=True)
    names = list(dict.fromkeys([*JUDGED, *JUDGES]))
    values = comparable(whole[names].astype(float)).to_numpy()
    tasks = whole.groupby("task", sort=False)
    signs = [_signs(values[rows]) for rows in tasks.indices.values()]
    datasets = pd.factorize(tasks["rows_of"].first())[0]
    rows = []
    for judge in JUDGES:
        for subset in SUBSETS:
            judged = [area for area in JUDGED if area != judge]
            counts = {area: _count(signs, area, judge, subset, names) for area in judged}
            for area, table in counts.items():
                about = {"yardstick": judge, "of": subset, "area": area}
                rows.append(about | _summary(table, counts[RIVALS[0]], datasets, resamples))
    return pd.DataFrame(rows)


def _signs(values: np.ndarray) -> np.ndarray:
    """Return for every two models (rows) the sign of the difference of each value; NaN where one is missing."""
    first, second = np.triu_indices(len(values), k=1)
    return np.asarray(np.sign(values[first] - values[second]))


def _count(signs: list[np.ndarray], area: str, judge: str, subset: str, names: list[str]) -> np.ndarray:
    """Return `_COUNTS` for each task."""
    table = []
    for of_task in signs:
        if subset != SUBSETS[0]:
            one, other = (of_task[:, names.index(rival)] for rival in RIVALS)
            of_task = of_task[one * other < 0]
        by_area, by_judge = of_task[:, names.index(area)], of_task[:, names.index(judge)]
        defined = np.isfinite(by_area * by_judge)
        decided = defined & (by_judge != 0)
        agreeing, area_ties = decided & (by_area == by_judge), decided & (by_area == 0)
        masks = decided, agreeing, area_ties, defined & (by_judge == 0), ~defined
        table.append([mask.sum() for mask in masks])
    return np.array(table, dtype=np.int64).reshape(-1, len(_COUNTS))


def _summary(
    counts: np.ndarray, of_rival: np.ndarray, datasets: np.ndarray, resamples: int
) -> dict[str, float]:
    both = np.hstack([counts[:, :3], of_rival[:, :3]])
    of_dataset = np.zeros((datasets.max(initial=-1) + 1, both.shape[1]), dtype=np.int64)
    np.add.at(of_dataset, datasets, both)
    with_pairs, with_both = of_dataset[:, 0] > 0, (of_dataset[:, [0, 3]] > 0).all(axis=1)
    agreements, leads = (of_dataset[with_pairs, :3], _agreement), (of_dataset[with_both], _lead)
    row: dict[str, float] = {"tasks": int((counts[:, 0] > 0).sum()), "datasets": int(with_pairs.sum())}
    row |= dict(zip(_COUNTS, counts.sum(axis=0).tolist(), strict=True))
    for name, (parts, of) in {"agreement": agreements, "more_than_pr_auc": leads}.items():
        draws = SourceDraws(list(map(str, range(len(parts)))), resamples, "resample tasks")
        low, high = draws.ends(of(draws.sums(parts)))
        row |= {name: float(of(parts.sum(axis=0))), f"{name}_low": low, f"{name}_high": high}
    return row


def _agreement(counts: np.ndarray) -> np.ndarray:
    pairs, agreeing, ties = np.moveaxis(counts, -1, 0)
    with np.errstate(invalid="ignore"):
        return np.asarray((agreeing + ties / 2) / pairs)


def _lead(both: np.ndarray) -> np.ndarray:
    """Return the agreement of the first three columns less that of the last three."""
    return np.asarray(_agreement(both[..., :3]) - _agreement(both[..., 3:]))


# A finding of our own: does the choice of the area matter more the rarer the positives are, and which is to be used.
#
# The answers follow from intervals by rule. They are about the study's data, and no claim of a document.
FEWEST = 10  # sources; from there on, intervals of shares held the truth in 94 to 95 % (benchmarks/source_coverage.py)
RARER, RARER_LESS, EITHER, TOO_FEW = "more", "less", "not shown", "too few data sets"
# What a model is wanted for; the expected F1 gain is left out, since it is made from AUPRG.
YARDSTICKS = ("held_out_f1", "held_out_cost_advantage", "prediction_advantage")


def choice_by_share(areas: pd.DataFrame, edges: Sequence[float], resamples: int = 2000) -> pd.DataFrame:
    """Count how often each area picks the better of two models, over all tasks and by the share of positives."""
    share = areas["task"].map(task_properties(areas)["positive_share"])
    groups = dict.fromkeys([(-np.inf, np.inf), *pairwise([-np.inf, *edges, np.inf])])
    parts = []
    for low, high in groups:
        table = choice_table(areas[share.between(low, high, inclusive="left")], resamples)
        parts.append(pd.DataFrame({"at_least": low, "below": high}, index=table.index).join(table))
    table = pd.concat(parts, ignore_index=True)
    return table.replace({"at_least": {-np.inf: np.nan}, "below": {np.inf: np.nan}})


def area_finding(
    areas: pd.DataFrame, pairs: Sequence[str], by_share: pd.DataFrame, resamples: int = 2000
) -> pd.DataFrame:
    """Answer by rule whether areas disagree more on rarer positives, and which area picks the better model.

    The estimate on rarity is by how much the disagreement rises when the share of positives is halved. The answer is
    ``more`` or ``less`` if its interval is on one side of 0. The estimate on the choice is the share of pairs of
    models, among those that AUPR and AUPRG order differently, in which AUPRG is right. The answer is an area if the
    interval is on one side of one half. Otherwise it is ``not shown``, or ``too few data sets`` with fewer than
    `FEWEST` sources.

    Rarity is the slope of a straight line over the binary logarithm of the share, by least squares in which each source
    has the same weight. Intervals are from resamples of the sources (`SourceDraws`); each holds by itself.
    """
    rows = [*_rarity(areas, pairs, resamples), *_choice(by_share)]
    return pd.DataFrame(rows, columns=column_names("area_finding"))


def _rarity(areas: pd.DataFrame, pairs: Sequence[str], resamples: int) -> Iterable[dict[str, object]]:
    halvings = -np.log2(task_properties(areas)["positive_share"].to_numpy())
    for pair in pairs:
        comparison = compare_ranks(areas, *pair.split("/"))
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
            row = {"question": "rarity", "of": f"{pair} {name}", "tasks": len(x), "datasets": draws.count}
            row |= {"estimate": estimate, "low": low, "high": high}
            yield row | {"answer": answer if draws.count >= FEWEST else TOO_FEW}


def _slope(sums: np.ndarray) -> np.ndarray:
    """Return the slope of the line of least squares; 0 where all tasks have the same share."""
    n, x, y, xx, xy = np.moveaxis(sums, -1, 0)
    spread = n * xx - x * x
    level = spread <= 1e-9 * n * xx
    return np.asarray(np.where(level, 0.0, (n * xy - x * y) / np.where(level, 1.0, spread)))


def _choice(by_share: pd.DataFrame) -> Iterable[dict[str, object]]:
    chosen = rows_with(by_share, of=SUBSETS[1], area="prg_auc")
    for row in chosen[chosen["yardstick"].isin(YARDSTICKS)].to_dict("records"):
        low, high = row["agreement_low"], row["agreement_high"]
        answer = "prg_auc" if low > 0.5 else "pr_auc" if high < 0.5 else EITHER
        group = {name: row[name] for name in ("at_least", "below", "tasks", "datasets")}
        group |= {"question": "choice", "of": row["yardstick"]}
        group |= {"estimate": row["agreement"], "low": low, "high": high}
        yield group | {"answer": answer if row["datasets"] >= FEWEST else TOO_FEW}


def calc_ranks(
    areas: str,
    published: Mapping[str, Any],
    ranking: Mapping[str, Any],
    left_out: Collection[str],
    models: int,
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
        "prg_figure_4": rank_figure_table(table, "pr_auc", "prg_auc", models),
        "model_choice": choice,
        "prg_model_choice": choice,
        "model_choice_by_share": by_share,
        "area_finding": area_finding(table, pairs, by_share, resamples),
        "prg_disagreement_by_share": share_curve(table, pairs),
    }
