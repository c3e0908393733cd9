"""What the PRG paper's Figures 1 to 3 show of the running example, as tables of numbers."""

from __future__ import annotations

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from nontrivial.curves.hull import beta_squared, f_hull, find_hull
from nontrivial.curves.points import operating_points
from nontrivial_study.experiments.curve_numbers import curve_numbers, non_dominated
from nontrivial_study.experiments.prg_example.reconstruction import example_cases
from nontrivial_study.tables import column_names

_GRID = np.arange(1, 10) / 10

# Which of the example's numbers each figure shows.
SHOWN: dict[int, list[tuple[str, tuple[str, ...]]]] = {
    1: [("roc", ("curve", "non-dominated", "hull")), ("pr", ("curve", "non-dominated"))],
    2: [
        ("pr", ("curve", "non-dominated", "always positive")),
        ("prg", ("curve", "hull", "always positive")),
    ],
    3: [("roc", ("curve", "hull", "grid")), ("prg", ("curve", "hull", "grid"))],
}


def example_curves(example: pd.DataFrame) -> pd.DataFrame:
    """Return the curves, hulls and grids of the running example.

    Parameters
    ----------
    example : DataFrame
        From `nontrivial_study.experiments.prg_example.reconstruction.running_example`.

    Returns
    -------
    DataFrame
        ``panel`` (``"roc"``, ``"pr"`` or ``"prg"``), ``part``, ``x``, ``y`` and ``value``. Parts: ``"curve"``, the
        value its area; ``"non-dominated"`` points; ``"hull"`` vertices, the value the calibrated score (c in the ROC
        plot, d in the PRG plot) of the segment that begins there; ``"always positive"``, the prediction that is the
        baseline of the PR and the PRG plot, the value its F1; ``"grid"``, in the ROC plot a regular grid of the PRG
        plot, in the PRG plot one of the ROC plot.

    References
    ----------
    PRG paper, Figures 1 to 3.
    """
    truth, score = example_cases(example)
    points = operating_points(truth, score)
    rates = points.fp / points.negatives, points.tp / points.positives
    prevalence = points.positives / (points.positives + points.negatives)
    kept = non_dominated(points)
    precision = points.tp[kept] / (points.tp[kept] + points.fp[kept])
    baseline = 2 * prevalence / (1 + prevalence)

    hull = find_hull(points.positive_steps())
    gained, lost = np.diff(hull.tp), np.diff(hull.fp)
    for_f = f_hull(hull)
    recall_gain, precision_gain = for_f.gain(for_f.positives - for_f.tp), for_f.gain(for_f.fp)
    d = 1 / (1 + beta_squared(for_f))

    curves = curve_numbers(truth, score).rename(columns={"area": "value"}).assign(part="curve")
    parts = [
        curves,
        _part("roc", "non-dominated", rates[0][kept], rates[1][kept]),
        _part(
            "roc",
            "hull",
            hull.fp / hull.negatives,
            hull.tp / hull.positives,
            [*gained / (gained + lost), np.nan],
        ),
        _part("roc", "grid", *gain_to_rates(*_grid(), prevalence)),
        _part("pr", "non-dominated", rates[1][kept], precision),
        _part("pr", "always positive", [1.0], [prevalence], baseline),
        # From full recall the hull goes down to the always-positive prediction.
        _part("prg", "hull", [*recall_gain, 1.0], [*precision_gain, 0.0], [*d, 0.0, np.nan]),
        _part("prg", "always positive", [1.0], [0.0], baseline),
        _part("prg", "grid", *rates_to_gain(*_grid(), prevalence)),
    ]
    return pd.concat(parts, ignore_index=True)[column_names("prg_figure_1")]


def shown_numbers(curves: pd.DataFrame, number: int) -> pd.DataFrame:
    """Return the rows of the example's numbers that one of the three figures shows.

    Parameters
    ----------
    curves : DataFrame
        From `example_curves`.
    number : {1, 2, 3}
    """
    parts = [
        curves[(curves["panel"] == panel) & curves["part"].isin(wanted)] for panel, wanted in SHOWN[number]
    ]
    return pd.concat(parts, ignore_index=True)


def gain_to_rates(
    recall_gain: np.ndarray, precision_gain: np.ndarray, prevalence: float
) -> tuple[np.ndarray, np.ndarray]:
    """Return the false and the true positive rate of a prediction with such gains.

    With k = P/N, recall gain is 1 - k FN/TP and precision gain 1 - k FP/TP.

    Examples
    --------
    >>> gain_to_rates(np.array([0.0]), np.array([0.0]), 0.25)  # recall and precision equal the prevalence
    (array([0.25]), array([0.25]))
    """
    odds = prevalence / (1 - prevalence)
    true_positive_rate = 1 / (1 + (1 - recall_gain) / odds)
    return true_positive_rate * (1 - precision_gain), true_positive_rate


def rates_to_gain(
    false_positive_rate: np.ndarray, true_positive_rate: np.ndarray, prevalence: float
) -> tuple[np.ndarray, np.ndarray]:
    """Return recall gain and precision gain of predictions with such rates, of those that have no negative gain.

    Examples
    --------
    >>> rates_to_gain(np.array([0.1, 0.9]), np.array([0.8, 0.8]), 0.5)
    (array([0.75]), array([0.875]))
    """
    odds = prevalence / (1 - prevalence)
    gains = np.stack([1 - odds * (1 / true_positive_rate - 1), 1 - false_positive_rate / true_positive_rate])
    recall_gain, precision_gain = gains[:, (gains >= 0).all(axis=0)]
    return recall_gain, precision_gain


def _grid() -> tuple[np.ndarray, np.ndarray]:
    x, y = np.meshgrid(_GRID, _GRID)
    return x.ravel(), y.ravel()


def _part(panel: str, part: str, x: ArrayLike, y: ArrayLike, value: ArrayLike = np.nan) -> pd.DataFrame:
    return pd.DataFrame({"panel": panel, "part": part, "x": x, "y": y, "value": value})
