"""How far two areas disagree when they rank the models of a task (PRG paper, Section 4)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
import pandas as pd

from nontrivial._arrays import Floats, Mask
from nontrivial.curves.areas import CURVE_AREAS
from nontrivial_study.experiments.ranks.sources import draw_sources
from nontrivial_study.experiments.ranks.tied_ranks import (
    RankRanges,
    order_depends_on_ties,
    rank_ranges,
    set_depends_on_ties,
)
from nontrivial_study.experiments.results import OK
from nontrivial_study.tables import column_names

TOP = 3
TOPS = ("top1", f"top{TOP}", f"top{TOP}_set")  # the best model; the best three in order; and in any order
CORRELATION_QUARTILES = {"median": 0.5, "lower_quartile": 0.25, "upper_quartile": 0.75}
_TIE_DECIMALS = 12  # areas that agree to so many decimals differ by rounding alone


def labels_of_pair(pair: str) -> list[str]:
    """Return the labels of the two areas of a pair, such as AUPR and AUPRG."""
    return [CURVE_AREAS[area].short_label for area in pair.split("/")]


def values_to_rank(areas: pd.DataFrame) -> pd.DataFrame:
    """Turn columns of areas so that more is better, and round them so that rounding errors are ties."""
    signs = [CURVE_AREAS[name].sign if name in CURVE_AREAS else 1 for name in areas.columns]
    return (areas * signs).round(_TIE_DECIMALS)


@dataclass(frozen=True, eq=False)
class RankComparison:
    """The models' ranks under two areas, task by task."""

    disagreement: pd.DataFrame  # whether the areas disagree: a row for each task, a column for each of `TOPS`
    depends_on_ties: pd.DataFrame  # whether that depends on how ties are broken
    # A row of sums over the models for each task. Added up over tasks, they give a pooled correlation.
    rank_moments: Floats
    sources: np.ndarray  # the names of the data sets that the tasks are made of

    @property
    def correlations(self) -> Floats:
        """The rank correlation of each task; NaN (0/0) if all models are tied under either area."""
        return _rank_correlations(self.rank_moments)

    def summarize(self, is_chosen: Mask, resamples: int) -> dict[str, float]:
        """Return every statistic over the chosen tasks, with its interval by `SourceDraws`, and what ties decide."""
        sources = self.sources[is_chosen]
        draws = draw_sources(sources.tolist(), resamples)
        statistics: dict[str, tuple[float, Floats]] = {}
        for top in TOPS:
            differs = self.disagreement[top].to_numpy()[is_chosen]
            share = differs.mean() if len(differs) else np.nan
            statistics[f"{top}_disagreement"] = share, draws.share_interval(differs)
        moments = self.rank_moments[is_chosen]
        pooled = draws.interval(_rank_correlations(draws.resampled_sums(moments)))
        statistics["rank_correlation"] = float(_rank_correlations(moments.sum(axis=0))), pooled

        correlations = self.correlations[is_chosen]
        is_defined = np.isfinite(correlations)
        values = correlations[is_defined]
        draws_of_defined = draw_sources(sources[is_defined].tolist(), resamples)
        mean = float(values.mean()) if len(values) else np.nan
        statistics["task_correlation_mean"] = mean, draws_of_defined.mean_interval(values)
        for name, share in CORRELATION_QUARTILES.items():
            quantile = float(np.quantile(values, share)) if len(values) else np.nan
            statistics[f"task_correlation_{name}"] = (quantile, draws_of_defined.quantile_interval(values, share))

        row: dict[str, float] = {"datasets": draws.count}
        for name, (value, (low, high)) in statistics.items():
            row |= {name: value, f"{name}_low": low, f"{name}_high": high}
        row["task_correlation_undefined"] = len(correlations) - len(values)
        depends = self.depends_on_ties[is_chosen].sum()
        return row | {f"{top}_decided_by_ties": int(depends[top]) for top in TOPS}


def compare_ranks(areas: pd.DataFrame, pair: str) -> RankComparison:
    """Compare the ranks that the two areas of a pair, such as ``pr_auc/prg_auc``, give the models of each task.

    Two areas agree on the best model of a task if the same model, or the same set of tied models, leads under both.
    They agree on the top three in order if in addition the same models take ranks two and three in the same order;
    tied models are compared as a set. They agree on the top three as a set if the same models, with all that are tied
    for rank three, take the first three ranks.
    """
    ranked = areas[areas["status"] == OK].reset_index(drop=True)
    # A model whose area is undefined is ranked last.
    values = values_to_rank(ranked[pair.split("/")]).fillna(-np.inf).to_numpy()
    by_task = ranked.groupby("task", sort=False)
    disagreement, depends_on_ties, moments = [], [], []
    for rows in by_task.indices.values():
        x_ranks, y_ranks = rank_ranges(values[rows, 0]), rank_ranges(values[rows, 1])
        disagreement.append(_disagreements_at_top(x_ranks, y_ranks))
        top = min(TOP, len(rows))
        order_depends = [order_depends_on_ties(x_ranks, y_ranks, ranks) for ranks in (1, top)]
        depends_on_ties.append([*order_depends, set_depends_on_ties(x_ranks, y_ranks, top)])
        x, y = ((ranks.best + ranks.worst) / 2 for ranks in (x_ranks, y_ranks))
        moments.append([len(x), x.sum(), y.sum(), x @ x, y @ y, x @ y])
    tasks = pd.Index(list(by_task.indices), name="task")
    return RankComparison(
        pd.DataFrame(disagreement, index=tasks, columns=list(TOPS), dtype=bool),
        pd.DataFrame(depends_on_ties, index=tasks, columns=list(TOPS), dtype=bool),
        np.array(moments).reshape(-1, 6),
        by_task["rows_of"].first().to_numpy(dtype=object),
    )


def _disagreements_at_top(x_ranks: RankRanges, y_ranks: RankRanges) -> list[bool]:
    """Return whether two rankings disagree at the top, for each of `TOPS`."""
    x_top, y_top = (np.where(ranks.best <= TOP, ranks.best, 0) for ranks in (x_ranks, y_ranks))
    differs = [(x_top == 1) != (y_top == 1), x_top != y_top, (x_top > 0) != (y_top > 0)]
    return [bool(of_models.any()) for of_models in differs]


def _rank_correlations(rank_moments: np.ndarray) -> Floats:
    """Return the correlation of ranks from the sums of 1, x, y, xx, yy and xy, along the last axis."""
    n, x, y, xx, yy, xy = np.moveaxis(rank_moments, -1, 0)
    with np.errstate(invalid="ignore"):
        correlation: Floats = (n * xy - x * y) / np.sqrt((n * xx - x * x) * (n * yy - y * y))
    return correlation


def rank_disagreement(
    areas: pd.DataFrame, pairs: Sequence[str], published: Mapping[str, Mapping[str, float]], resamples: int = 2000
) -> pd.DataFrame:
    """Measure how often pairs of areas disagree on the best models, beside the published figures."""
    is_ranked = areas["status"] == OK
    rows = []
    for pair in pairs:
        comparison = compare_ranks(areas, pair)
        n_tasks = len(comparison.sources)
        row: dict[str, Any] = {
            "pair": pair,
            "tasks": n_tasks,
            "models": areas.loc[is_ranked, "model"].nunique(),
            "ranked": int(is_ranked.sum()),
            "failed": int((~is_ranked).sum()),
        }
        row |= comparison.summarize(np.ones(n_tasks, dtype=bool), resamples)
        rows.append(row | {f"paper_{name}": value for name, value in published.get(pair, {}).items()})
    return pd.DataFrame(rows, columns=column_names("rank_disagreement"))


def task_properties(areas: pd.DataFrame) -> pd.DataFrame:
    """Return each task's share and number of positives, and the share of its areas that are extrapolated."""
    tasks = areas[areas["status"] == OK].astype({"extrapolated": float}).groupby("task", sort=False)
    counts = tasks[["positives", "negatives"]].first().astype(float)
    return pd.DataFrame(
        {
            "positive_share": counts["positives"] / counts.sum(axis=1),
            "positives": counts["positives"],
            "extrapolated_share": tasks["extrapolated"].mean(),
        }
    )


def rank_disagreement_by_group(
    areas: pd.DataFrame, pairs: Sequence[str], edges: Mapping[str, Sequence[float]], resamples: int = 2000
) -> pd.DataFrame:
    """Measure rank disagreement in groups of tasks, divided at the edges of each property of `task_properties`."""
    properties = task_properties(areas)
    comparisons = {pair: compare_ranks(areas, pair) for pair in pairs}
    rows = []
    for split, inner_edges in edges.items():
        for low, high in pairwise([-np.inf, *inner_edges, np.inf]):
            is_in_group = properties[split].between(low, high, inclusive="left").to_numpy()
            extrapolated = properties.loc[is_in_group, "extrapolated_share"]
            group = {"split": split, "at_least": low, "below": high}
            group |= {"tasks": len(extrapolated), "extrapolated_share": extrapolated.mean()}
            for pair, comparison in comparisons.items():
                rows.append(group | {"pair": pair} | comparison.summarize(is_in_group, resamples))
    return blank_open_ends(pd.DataFrame(rows, columns=column_names("rank_disagreement_by_imbalance")))


def blank_open_ends(groups: pd.DataFrame) -> pd.DataFrame:
    """Return a table of groups in which an end that is infinite is missing."""
    return groups.replace({"at_least": {-np.inf: np.nan}, "below": {np.inf: np.nan}})
