"""How far two areas disagree when they rank the models of a task (PRG paper, Section 4)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, combinations, pairwise
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy.special import betaincinv, ndtr, stdtrit

from nontrivial._arrays import Floats
from nontrivial.curves.areas import CURVE_AREAS
from nontrivial.seeds import generator_for
from nontrivial_study.experiments.results import OK, TAILS
from nontrivial_study.tables import column_names

# What ties decide: whether two rankings can be said to agree at the top depends on how tied places are given out.
#
# A ranking with ties stands for every ranking without that breaks them. Each model then has a first and a last place
# that it can take. Two rankings agree surely, or surely do not, or it depends on the breaking.


Places = tuple[NDArray[np.int_], NDArray[np.int_]]


def places_of(values: NDArray[Any]) -> Places:
    """Return the first and the last place that each model can take, 1 for the greatest value."""
    ordered = np.sort(values)
    above = len(values) - np.searchsorted(ordered, values, side="right")
    not_below = len(values) - np.searchsorted(ordered, values, side="left")
    return above + 1, not_below


def order_depends(one: Places, other: Places, top: int) -> bool:
    """Return whether it depends on ties if two rankings have the same models on the first places in the same order.

    The rankings can agree if each place can have a model of its own that both can put there, which is so if any of
    the places together have at least as many such models as they are (Hall's theorem). They can differ unless every
    place has one possible model in each, and the same.
    """
    places = range(1, top + 1)
    on_place = [_can_take(one, place) & _can_take(other, place) for place in places]
    subsets = chain.from_iterable(combinations(on_place, size) for size in places)
    can_agree = all(np.any(subset, axis=0).sum() >= len(subset) for subset in subsets)
    sole = all(_can_take(ranking, place).sum() == 1 for ranking in (one, other) for place in places)
    return can_agree and not sole


def set_depends(one: Places, other: Places, top: int) -> bool:
    """Return whether it depends on ties if two rankings have the same models on the first places, in any order.

    A model must be among the first if its last place is, and can be if its first place is. The rankings can agree on
    a set that holds all that must be in either and only what can be in both.
    """
    must = (one[1] <= top) | (other[1] <= top)
    can = (one[0] <= top) & (other[0] <= top)
    can_agree = not (must & ~can).any() and must.sum() <= top <= can.sum()
    sole = all((ranking[0] <= top).sum() == top for ranking in (one, other))
    return bool(can_agree and not sole)


def _can_take(ranking: Places, place: int) -> NDArray[np.bool_]:
    first, last = ranking
    return (first <= place) & (place <= last)


class SourceDraws:
    """Bootstrap resamples of the `count` sources that tasks are made of, each with all its tasks, which share its rows.

    The ends of the intervals are percentiles by `expanded_tail`. With fewer than two sources every interval is NaN. The
    seed of the draws is made from their purpose.
    """

    def __init__(self, sources: Sequence[str], resamples: int, purpose: str = "resample sources") -> None:
        codes, names = pd.factorize(pd.Series(sources, dtype="str"))
        self.count = len(names)
        draws = np.zeros((resamples, self.count), dtype=np.int64)
        if self.count > 1:
            drawn = generator_for(purpose, self.count).integers(self.count, size=draws.shape)
            np.add.at(draws, (np.arange(resamples)[:, None], drawn), 1)
        self._often: Floats = draws[:, codes].astype(np.float64)  # how often each task is drawn

    def of_share(self, differs: np.ndarray) -> np.ndarray:
        """Return the interval of the share of tasks in which something is so.

        Where it is so in none, or in all, no draw says how far that can be from chance. The interval then is Clopper's
        and Pearson's for as many tries as there are sources.
        """
        if self.count > 1 and (differs.all() or not differs.any()):
            reach = 1 - TAILS[0] ** (1 / self.count)
            return np.array([1 - reach, 1.0] if differs.all() else [0.0, reach])
        return self.of_mean(differs)

    def of_mean(self, values: np.ndarray) -> np.ndarray:
        """Return the interval of the mean over tasks."""
        if self.count < 2:
            return np.full(2, np.nan)
        return self.ends(self.sums(values.astype(np.float64)[:, None])[:, 0] / self._often.sum(axis=1))

    def of_quantile(self, values: np.ndarray, share: float) -> np.ndarray:
        """Return the interval of a quantile over tasks, interpolated as `numpy.quantile` does."""
        if self.count < 2:
            return np.full(2, np.nan)
        order = np.argsort(values)
        ordered, up_to = values[order], self._often[:, order].cumsum(axis=1)
        place = share * (up_to[:, -1] - 1)
        before, after = np.floor(place), np.ceil(place)
        low, high = (ordered[(up_to <= end[:, None]).sum(axis=1)] for end in (before, after))
        return self.ends(low + (place - before) * (high - low))

    def sums(self, values: np.ndarray) -> np.ndarray:
        """Return the sums over the tasks of each resample, of an array with a row for each task."""
        return np.asarray(np.einsum("rt,tk->rk", self._often, values))

    def ends(self, drawn: np.ndarray) -> np.ndarray:
        """Return the interval of a figure, from its values in the resamples."""
        if self.count < 2:
            return np.full(2, np.nan)
        tail = expanded_tail(TAILS[0], self.count)
        return np.asarray(np.quantile(drawn, [tail, 1 - tail]))


def expanded_tail(tail: float, count: int) -> float:
    """Return the share of the draws to leave out at each end, so that an interval of so many sources leaves out `tail`.

    Draws of n sources spread too little, by the factor sqrt((n - 1) / n), and their percentiles are normal although
    Student's distribution has wider tails (Hesterberg 2015).

    Examples
    --------
    >>> [round(expanded_tail(0.025, count), 4) for count in (10, 10**6)]
    [0.0086, 0.025]
    """
    return float(ndtr(np.sqrt(count / (count - 1)) * stdtrit(count - 1, tail)))


TOP = 3

# Two areas that agree to this many decimals differ by rounding alone, and are a tie.
_TIE_DECIMALS = 12


QUARTILES = {"median": 0.5, "lower_quartile": 0.25, "upper_quartile": 0.75}


def labels_of_pair(pair: str) -> list[str]:
    """Return what the two areas of a pair are called."""
    return [CURVE_AREAS[area].short_label for area in pair.split("/")]


def comparable(values: pd.DataFrame) -> pd.DataFrame:
    """Return values of which more is better, and of which those that differ by rounding alone are equal."""
    signs = [CURVE_AREAS[name].sign if name in CURVE_AREAS else 1 for name in values.columns]
    return (values * signs).round(_TIE_DECIMALS)


@dataclass(frozen=True, eq=False)
class Comparison:
    """The models' ranks under two areas, task by task."""

    tasks: pd.Index
    disagreement: dict[str, np.ndarray]  # for ``top1``, ``top3`` and ``top3_set``: whether the areas disagree
    decided_by_ties: dict[str, np.ndarray]  # the same keys: whether that depends on how ties are broken
    # Sums over the models, from which the correlation of average ranks follows for any tasks together.
    moments: np.ndarray
    sources: np.ndarray  # what the tasks are made of

    @property
    def correlations(self) -> np.ndarray:
        """The rank correlation of each task; NaN (0/0) where all models are tied under either area."""
        return _correlation(self.moments)

    def summary(self, chosen: np.ndarray, resamples: int) -> dict[str, float]:
        """Return every figure over the chosen tasks, with its interval by `SourceDraws`, and what ties decide."""
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
    """
    whole = areas[areas["status"] == OK]
    # A model whose area is undefined has the last place.
    values = comparable(whole[[one, other]]).fillna(-np.inf).to_numpy()
    verdicts, decided, moments = [], [], []
    by_task = whole.reset_index(drop=True).groupby("task", sort=False).indices
    for rows in by_task.values():
        ranks = places_of(values[rows, 0]), places_of(values[rows, 1])
        verdicts.append(_verdicts(*ranks))
        top = min(TOP, len(rows))
        decided.append((order_depends(*ranks, 1), order_depends(*ranks, top), set_depends(*ranks, top)))
        x, y = ((first + last) / 2 for first, last in ranks)
        moments.append([len(x), x.sum(), y.sum(), x @ x, y @ y, x @ y])
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
    pairs: Sequence[str],
    published: Mapping[str, Mapping[str, float]],
    resamples: int = 2000,
) -> pd.DataFrame:
    """Measure how often pairs of areas disagree on the best models, beside the published figures."""
    rows = []
    for pair in pairs:
        comparison = compare_ranks(areas, *pair.split("/"))
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


def _verdicts(one: Places, other: Places) -> list[bool]:
    """Return whether two rankings disagree on the first place, the first three in order, and as a set."""
    first, second = (np.where(ranking[0] <= TOP, ranking[0], 0) for ranking in (one, other))
    differs = [(first == 1) != (second == 1), first != second, (first > 0) != (second > 0)]
    return [bool(models.any()) for models in differs]


def _correlation(moments: np.ndarray) -> np.ndarray:
    n, x, y, xx, yy, xy = np.moveaxis(moments, -1, 0)
    with np.errstate(invalid="ignore"):
        correlation: np.ndarray = (n * xy - x * y) / np.sqrt((n * xx - x * x) * (n * yy - y * y))
    return correlation


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
    """Measure rank disagreement in groups of tasks."""
    properties = task_properties(areas)
    comparisons = {pair: compare_ranks(areas, *pair.split("/")) for pair in pairs}
    rows = []
    for split, inner in edges.items():
        for low, high in pairwise([-np.inf, *inner, np.inf]):
            chosen = properties[split].between(low, high, inclusive="left").to_numpy()
            extrapolated = properties.loc[chosen, "extrapolated_share"]
            group = {"split": split, "at_least": low, "below": high}
            group |= {"tasks": len(extrapolated), "extrapolated_share": extrapolated.mean()}
            for pair, comparison in comparisons.items():
                rows.append(group | {"pair": pair} | comparison.summary(chosen, resamples))
    table = pd.DataFrame(rows, columns=column_names("rank_disagreement_by_imbalance"))
    return table.replace({"at_least": {-np.inf: np.nan}, "below": {np.inf: np.nan}})


QUARTILE_TASKS = {"lower quartile": 0.25, "upper quartile": 0.75}


def rank_counts(areas: pd.DataFrame, x_area: str, y_area: str, models: int) -> tuple[pd.DataFrame, int]:
    """Count the models by their ranks under two areas (PRG paper, Figure 4 left).

    Models that share a place under either area are left out, since no cell is theirs; their number comes second.
    """
    whole = areas[areas["status"] == OK]
    by_task = comparable(whole[[x_area, y_area]]).groupby(whole["task"])
    first, last = (by_task.rank(ascending=False, method=method).to_numpy() for method in ("min", "max"))
    is_alone = (first == last).all(axis=1)
    counts = np.zeros((models, models), dtype=int)
    np.add.at(counts, tuple(first[is_alone].astype(int).T - 1), 1)
    x_rank, y_rank = np.indices(counts.shape) + 1
    columns = {f"{x_area}_rank": x_rank.ravel(), f"{y_area}_rank": y_rank.ravel(), "count": counts.ravel()}
    return pd.DataFrame(columns), int((~is_alone).sum())


def quartile_tasks(areas: pd.DataFrame, x_area: str, y_area: str) -> pd.DataFrame:
    """Find the tasks whose rank correlation is the lower and the upper quartile among all tasks (Figure 4 right).

    A quartile is the least correlation that a quarter, or three quarters, of the tasks do not exceed; of several
    tasks that have it, the first in the table is taken. Tasks without a correlation are left out.
    """
    comparison = compare_ranks(areas, x_area, y_area)
    correlations = pd.Series(comparison.correlations, index=comparison.tasks).dropna().round(12)
    rows = []
    for name, share in QUARTILE_TASKS.items():
        if len(correlations):
            value = np.quantile(correlations, share, method="inverted_cdf")
            rows.append((name, correlations.index[correlations == value][0], value))
    return pd.DataFrame(rows, columns=["quartile", "task", "task_correlation"])


def rank_figure_table(areas: pd.DataFrame, x_area: str, y_area: str, models: int) -> pd.DataFrame:
    """Return everything that Figure 4 shows."""
    left, tied = rank_counts(areas, x_area, y_area, models)
    whole = areas[areas["status"] == OK]
    every = {"tasks": whole["task"].nunique(), "datasets": whole["rows_of"].nunique(), "tied": tied}
    right = quartile_tasks(areas, x_area, y_area).merge(whole[["task", "model", x_area, y_area]], on="task")
    panels = {"all": pd.DataFrame([every]), "left": left, "right": right}
    table = pd.concat([rows.assign(panel=panel) for panel, rows in panels.items()], ignore_index=True)
    return table[["panel", *every, *left, *right]].astype(dict.fromkeys([*every, *left], "Int64"))


FIGURES = ("top1", "top3")
WIDTH = 1.0  # of the window, as the standard deviation of a normal curve, in halvings of the share
POINTS = 60


def share_curve(areas: pd.DataFrame, pairs: Sequence[str]) -> pd.DataFrame:
    """Trace the share of tasks in which two areas disagree over the share of positives.

    At each share the tasks are weighted by a normal curve in the logarithm of their share, and the tasks of one source
    share its weight. ``datasets`` is the square of the sources' summed weights over the sum of their squares. The
    interval is that of Jeffreys for as many tries, which says something where no task disagrees.
    """
    share = task_properties(areas)["positive_share"].to_numpy()
    columns = column_names("prg_disagreement_by_share")
    if not len(share):
        return pd.DataFrame(columns=columns)
    grid = np.geomspace(share.min(), share.max(), POINTS)
    near = np.exp(-0.5 * (np.log2(grid[:, None] / share) / WIDTH) ** 2)
    parts = []
    for pair in pairs:
        comparison = compare_ranks(areas, *pair.split("/"))
        codes, names = pd.factorize(comparison.sources)
        weights = near / np.bincount(codes)[codes]
        of_source = np.stack([weights[:, codes == code].sum(axis=1) for code in range(len(names))])
        tries = of_source.sum(axis=0) ** 2 / (of_source**2).sum(axis=0)
        for figure in FIGURES:
            differs = comparison.disagreement[figure].astype(float)
            found = (weights * differs).sum(axis=1) / weights.sum(axis=1)
            low, high = (betaincinv(found * tries + 0.5, (1 - found) * tries + 0.5, end) for end in TAILS)
            about = {"pair": pair, "figure": figure}
            tasks = {"kind": "task", "positive_share": share, "disagreement": differs}
            tasks["source"] = comparison.sources
            curve = {"kind": "curve", "positive_share": grid, "disagreement": found, "low": low, "high": high}
            parts += [pd.DataFrame(about | tasks), pd.DataFrame(about | curve | {"datasets": tries})]
    return pd.concat(parts, ignore_index=True)[columns]
