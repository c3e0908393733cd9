"""Our own finding: whether the choice of the area matters more for rarer positives, and which area to use.

The answers follow from intervals by rule. They are about the study's data, not about a claim of a document.
"""

from collections.abc import Iterator, Sequence

import numpy as np
import pandas as pd
from scipy.special import betaincinv

from nontrivial._arrays import Floats
from nontrivial_study.experiments.ranks.disagreement import compare_ranks, task_properties
from nontrivial_study.experiments.ranks.model_choice import OPPOSED_PAIRS
from nontrivial_study.experiments.ranks.sources import draw_sources
from nontrivial_study.experiments.results import TAILS
from nontrivial_study.tables import column_names, rows_with

# With at least this many sources, intervals of shares held the truth in 94 to 95 % of simulations
# (benchmarks/source_coverage.py).
MIN_SOURCES = 10
MATTERS_MORE, MATTERS_LESS, NOT_SHOWN, TOO_FEW_SOURCES = "more", "less", "not shown", "too few data sets"
# The expected F1 gain is left out, because it is made from AUPRG.
YARDSTICKS_OF_FINDING = ("held_out_f1", "held_out_cost_advantage", "prediction_advantage")
TOPS_OF_FINDING = ("top1", "top3")


def area_finding(
    areas: pd.DataFrame, pairs: Sequence[str], by_share: pd.DataFrame, resamples: int = 2000
) -> pd.DataFrame:
    """Answer by rule whether areas disagree more on rarer positives, and which area picks the better model.

    The estimate on rarity is by how much the disagreement rises when the share of positives is halved. The answer is
    ``more`` or ``less`` if its interval is on one side of 0. The estimate on the choice is the share of pairs of
    models, among those that AUPR and AUPRG order differently, in which AUPRG is right. The answer is an area if the
    interval is on one side of one half. Otherwise it is ``not shown``, or ``too few data sets`` with fewer than
    `MIN_SOURCES` sources.

    Rarity is the slope of a straight line over the binary logarithm of the share, by least squares in which each source
    has the same weight. Intervals are from resamples of the sources (`SourceDraws`); each holds by itself.
    """
    rows = [*_answer_rarity(areas, pairs, resamples), *_answer_choice(by_share)]
    return pd.DataFrame(rows, columns=column_names("area_finding"))


def _answer_rarity(areas: pd.DataFrame, pairs: Sequence[str], resamples: int) -> Iterator[dict[str, object]]:
    """Yield by how much the disagreement of each pair of areas rises when the share of positives is halved."""
    halvings = -np.log2(task_properties(areas)["positive_share"].to_numpy())
    for pair in pairs:
        comparison = compare_ranks(areas, pair)
        disagreements = {top: comparison.disagreement[top].to_numpy(dtype=float) for top in TOPS_OF_FINDING}
        disagreements["correlation"] = 1 - comparison.correlations
        for name, values in disagreements.items():
            is_defined = np.isfinite(values)
            sources = pd.Series(comparison.sources[is_defined], dtype="str")
            draws = draw_sources(sources.tolist(), resamples)
            x, y = halvings[is_defined], values[is_defined]
            weights = 1 / sources.map(sources.value_counts()).to_numpy(dtype=np.float64)
            moments = weights[:, None] * np.column_stack([np.ones_like(x), x, y, x * x, x * y])
            low, high = draws.interval(_regression_slopes(draws.resampled_sums(moments)))
            answer = MATTERS_MORE if low > 0 else MATTERS_LESS if high < 0 else NOT_SHOWN
            estimate = float(_regression_slopes(moments.sum(axis=0)))
            row = {"question": "rarity", "of": f"{pair} {name}", "tasks": len(x), "datasets": draws.count}
            row |= {"estimate": estimate, "low": low, "high": high}
            yield row | {"answer": answer if draws.count >= MIN_SOURCES else TOO_FEW_SOURCES}


def _regression_slopes(moments: np.ndarray) -> Floats:
    """Return slopes of lines of least squares from sums of 1, x, y, xx and xy; 0 if x does not vary."""
    n, x, y, xx, xy = np.moveaxis(moments, -1, 0)
    spread = n * xx - x * x
    is_constant = spread <= 1e-9 * n * xx
    return np.asarray(np.where(is_constant, 0.0, (n * xy - x * y) / np.where(is_constant, 1.0, spread)))


def _answer_choice(by_share: pd.DataFrame) -> Iterator[dict[str, object]]:
    """Yield which area picks the better of two models that AUPRG and AUPR order differently, if that is shown."""
    opposed = rows_with(by_share, of=OPPOSED_PAIRS, area="prg_auc")
    for row in opposed[opposed["yardstick"].isin(YARDSTICKS_OF_FINDING)].to_dict("records"):
        low, high = row["agreement_low"], row["agreement_high"]
        answer = "prg_auc" if low > 0.5 else "pr_auc" if high < 0.5 else NOT_SHOWN
        group = {name: row[name] for name in ("at_least", "below", "tasks", "datasets")}
        group |= {"question": "choice", "of": row["yardstick"]}
        group |= {"estimate": row["agreement"], "low": low, "high": high}
        yield group | {"answer": answer if row["datasets"] >= MIN_SOURCES else TOO_FEW_SOURCES}


WINDOW_WIDTH = 1.0  # the standard deviation of a normal curve, in halvings of the share
CURVE_POINTS = 60


def share_curve(areas: pd.DataFrame, pairs: Sequence[str]) -> pd.DataFrame:
    """Trace how the share of tasks in which two areas disagree depends on the share of positives.

    At each share the tasks are weighted by a normal curve in the logarithm of their share, and the tasks of one source
    share its weight. ``datasets`` is the square of the sources' summed weights over the sum of their squares. The
    interval is Jeffreys' for as many trials, which says something even if no task disagrees.
    """
    share = task_properties(areas)["positive_share"].to_numpy()
    columns = column_names("prg_disagreement_by_share")
    if not len(share):
        return pd.DataFrame(columns=columns)
    grid = np.geomspace(share.min(), share.max(), CURVE_POINTS)
    nearness = np.exp(-0.5 * (np.log2(grid[:, None] / share) / WINDOW_WIDTH) ** 2)
    parts = []
    for pair in pairs:
        comparison = compare_ranks(areas, pair)
        codes, names = pd.factorize(comparison.sources)
        weights = nearness / np.bincount(codes)[codes]
        source_weights = np.stack([weights[:, codes == code].sum(axis=1) for code in range(len(names))])
        trials = source_weights.sum(axis=0) ** 2 / (source_weights**2).sum(axis=0)
        for top in TOPS_OF_FINDING:
            differs = comparison.disagreement[top].to_numpy(dtype=float)
            mean = (weights * differs).sum(axis=1) / weights.sum(axis=1)
            low, high = (betaincinv(mean * trials + 0.5, (1 - mean) * trials + 0.5, tail) for tail in TAILS)
            about = {"pair": pair, "figure": top}
            tasks = {"kind": "task", "positive_share": share, "disagreement": differs}
            tasks["source"] = comparison.sources
            curve = {"kind": "curve", "positive_share": grid, "disagreement": mean, "low": low, "high": high}
            parts += [pd.DataFrame(about | tasks), pd.DataFrame(about | curve | {"datasets": trials})]
    return pd.concat(parts, ignore_index=True)[columns]
