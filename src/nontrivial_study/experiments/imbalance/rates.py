"""A classifier's two rates of calling a row positive, and the measures of test sets that follow from them."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from nontrivial._arrays import Floats, Mask
from nontrivial.measures.confusion import as_tables, evaluate_measures
from nontrivial.seeds import generator_for
from nontrivial_study.experiments.results import IMPOSSIBLE, interval_around
from nontrivial_study.tables import rows_with

FIGURE_1_MEASURES = ("accuracy", "balanced_accuracy", "f_beta", "cohen_kappa", "prediction_advantage")
SWEPT_MEASURES = (*FIGURE_1_MEASURES, "p4", "matthews_corrcoef")
POSTERIOR_DRAWS = 1000


class Rates(NamedTuple):
    """A classifier's rates of calling a row positive, as numbers or as arrays of shape (n_draws, 1)."""

    true_positive: Any  # among the minority, which is the positive class
    false_positive: Any  # among the majority


class EstimatedRates(NamedTuple):
    """A classifier's two rates as estimated, in one row, and draws of them from their posterior."""

    estimate: Rates
    drawn: Rates


class CellArrays(NamedTuple):
    """The cells of many confusion tables: counts, or shares of all cases."""

    tp: np.ndarray
    fp: np.ndarray
    fn: np.ndarray
    tn: np.ndarray


def answers_of(predictions: pd.DataFrame, task: str, model: str) -> tuple[Mask, Mask]:
    """Return truth and prediction of one model on a task; both are empty if the model failed."""
    rows = rows_with(predictions, task=task, model=model)
    return rows["truth"].to_numpy(), rows["prediction"].to_numpy()


def classes_of(record: Mapping[str, Any]) -> list[str]:
    """Return the classes of a data set, the positive one first."""
    return sorted(record["classes"], key=lambda name: bool(name != record["positive"]))


def rates_of(truth: np.ndarray, prediction: np.ndarray) -> Rates:
    """Return the rates at which a classifier's predictions call each class positive."""
    truth, prediction = np.asarray(truth, dtype=bool), np.asarray(prediction, dtype=bool)
    return Rates(float(prediction[truth].mean()), float(prediction[~truth].mean()))


def estimate_rates(truth: Mask, prediction: Mask, purpose: Sequence[str | int | float]) -> EstimatedRates:
    """Estimate a classifier's two rates, and draw them from their Jeffreys posteriors.

    The seed of the draws is made from their purpose.
    """
    generator = generator_for(*purpose)
    estimates, draws = [], []
    for is_of_class in (truth, ~truth):
        called, cases = int(prediction[is_of_class].sum()), int(is_of_class.sum())
        estimates.append(np.array([[called / cases]]))
        draws.append(generator.beta(called + 0.5, cases - called + 0.5, POSTERIOR_DRAWS)[:, None])
    return EstimatedRates(Rates(*estimates), Rates(*draws))


def flips_per_class(size: int, noise: float) -> int:
    """Return how many labels of each class are flipped so that `noise` of all `size` cases are wrong."""
    return round(size * noise / 2)


def why_impossible(size: int, share: float, noise: float) -> str:
    """Return why the noise is impossible: it flips more cases than the minority has. Empty if it is possible."""
    flips, minority = flips_per_class(size, noise), round(size * share)
    reason = f"{IMPOSSIBLE}: {noise:.0%} noise flips {flips} of each class, the minority has {minority}"
    return reason if flips > minority else ""


def measure_cells(cells: CellArrays) -> pd.DataFrame:
    """Compute the swept measures of many confusion tables, a row for each table."""
    return evaluate_measures(as_tables(*cells), SWEPT_MEASURES)


def expected_cells(rates: Rates, share: Floats | float, noise: Floats | float) -> CellArrays:
    """Return the expected shares of the cells if both classes have equally many flips (PA paper, Section 5)."""
    share, flipped = np.asarray(share, dtype=np.float64), np.asarray(noise, dtype=np.float64) / 2
    tp = (share - flipped) * rates.true_positive + flipped * rates.false_positive
    fp = (1 - share - flipped) * rates.false_positive + flipped * rates.true_positive
    return CellArrays(tp, fp, share - tp, 1 - share - fp)


def expected_measures(rates: Rates, share: Floats | float, noise: Floats | float) -> pd.DataFrame:
    """Compute the measures of an unlimited test set, a row for each draw of the rates and each point.

    The points of one draw stand in consecutive rows.
    """
    cells = np.stack(expected_cells(rates, share, noise)).clip(0).reshape(4, -1)
    return measure_cells(CellArrays(*cells))


def expected_bands(rates: EstimatedRates, share: Floats | float, noise: Floats | float) -> pd.DataFrame:
    """Return the measures of an unlimited test set with their intervals, which follow from the error of the rates.

    The columns are ``measure, value, low, high``; each measure has a row for every point of share and noise.
    """
    estimate = expected_measures(rates.estimate, share, noise)
    drawn = expected_measures(rates.drawn, share, noise)
    parts = []
    for measure in SWEPT_MEASURES:
        value = estimate[measure].to_numpy()
        low, high = interval_around(value, drawn[measure].to_numpy().reshape(-1, len(value)))
        parts.append(pd.DataFrame({"measure": measure, "value": value, "low": low, "high": high}))
    return pd.concat(parts, ignore_index=True)
