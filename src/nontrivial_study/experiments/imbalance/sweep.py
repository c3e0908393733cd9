"""Test sets of any imbalance and label noise, drawn from a classifier's out-of-fold predictions (PA paper, Section 5).

A bootstrap test set enters every measure through its four counts alone, so the counts are drawn, not the rows.
Rows are drawn with replacement, hence independently, and which labels are flipped has nothing to do with what the
classifier says of them: the predicted positives among the flipped rows of a class and among its other rows are
independent binomial counts. Those labelled positive in the end, and those labelled negative, are two each.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from scipy.special import gammaln, xlog1py, xlogy

from nontrivial.measures.confusion import as_tables, evaluate
from nontrivial.seeds import generator_for
from nontrivial_study.experiments.intervals import TAILS
from nontrivial_study.experiments.status import IMPOSSIBLE, NO_PREDICTIONS
from nontrivial_study.tables import column_names

MEASURES = (
    "accuracy",
    "balanced_accuracy",
    "f_beta",
    "cohen_kappa",
    "prediction_advantage",
    "p4",
    "matthews_corrcoef",
)
_NEGLIGIBLE = 1e-20  # no number of draws that anyone makes meets a value so unlikely


def measure_tables(tp: np.ndarray, fp: np.ndarray, fn: np.ndarray, tn: np.ndarray) -> pd.DataFrame:
    """Return the measures of Figure 1 alone, a row for each of many drawn tables."""
    return evaluate(as_tables(tp, fp, fn, tn), MEASURES)


class Rates(NamedTuple):
    """A classifier's rates of calling a row positive: among the minority (positive) class, among the majority."""

    true_positive: float
    false_positive: float


def rates_of(truth: np.ndarray, prediction: np.ndarray) -> Rates:
    """Return the rates at which a classifier's predictions call each class positive.

    Parameters
    ----------
    truth, prediction : ndarray of bool, shape (n_rows,)
        True for the positive class.

    Raises
    ------
    ValueError
        If a class is absent.

    Examples
    --------
    >>> rates_of(np.array([True, True, False, False]), np.array([True, False, False, False]))
    Rates(true_positive=0.5, false_positive=0.0)
    """
    truth, prediction = np.asarray(truth, dtype=bool), np.asarray(prediction, dtype=bool)
    if truth.all() or not truth.any():
        raise ValueError("The rates need both classes; all rows are of one.")
    return Rates(float(prediction[truth].mean()), float(prediction[~truth].mean()))


def flips_per_class(size: int, noise: float) -> int:
    """Return how many labels of each class are flipped so that `noise` of all `size` cases are wrong."""
    return round(size * noise / 2)


def check_flips(flips: int, *classes: int) -> None:
    """Raise ValueError where one of the classes has fewer cases than are to be flipped."""
    if flips > min(classes):
        raise ValueError(f"{flips} labels of each class are to be flipped, but the rarer has {min(classes)}.")


def draw_tables(
    rates: Rates, size: int, minority: int, flips: int, replicates: int, generator: np.random.Generator
) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Draw the confusion tables of bootstrap test sets with label noise.

    Parameters
    ----------
    rates : Rates
    size, minority : int
        Cases in a test set, and how many of them are of the minority (positive) class.
    flips : int
        Labels flipped in each class; the shares of the classes stay as they are.
    replicates : int
        Number of test sets.
    generator : numpy.random.Generator

    Returns
    -------
    tp, fp, fn, tn : ndarray of int, shape (replicates,)

    Raises
    ------
    ValueError
        If a class has fewer cases than are to be flipped.

    Examples
    --------
    >>> perfect = Rates(1.0, 0.0)
    >>> [int(count[0]) for count in draw_tables(perfect, 100, 20, 5, 1, np.random.default_rng(0))]
    [15, 5, 5, 75]
    """
    majority = size - minority
    check_flips(flips, minority, majority)
    tp = _draw_sums(
        (minority - flips, rates.true_positive), (flips, rates.false_positive), replicates, generator
    )
    fp = _draw_sums(
        (majority - flips, rates.false_positive), (flips, rates.true_positive), replicates, generator
    )
    return tp, fp, minority - tp, majority - fp


def _draw_sums(
    one: tuple[int, float], other: tuple[int, float], replicates: int, generator: np.random.Generator
) -> np.ndarray:
    """Draw sums of two binomial counts: first how often each value comes, then in which order.

    That costs a tenth of drawing them one by one.
    """
    (first, chances), (second, other_chances) = _binomial(*one), _binomial(*other)
    chances = np.convolve(chances, other_chances)
    often = generator.multinomial(replicates, chances / chances.sum())
    sums = np.repeat(np.arange(first + second, first + second + len(chances)), often)
    generator.shuffle(sums)
    return sums


def _binomial(trials: int, rate: float) -> tuple[int, np.ndarray]:
    """Return a binomial distribution: the least value whose chance is not negligible, the chances from there on."""
    values, ways = _ways(trials)
    chances = np.exp(ways + xlogy(values, rate) + xlog1py(trials - values, -rate))
    (likely,) = np.nonzero(chances > _NEGLIGIBLE)
    return int(likely[0]), chances[likely[0] : likely[-1] + 1]


@cache
def _ways(trials: int) -> tuple[np.ndarray, np.ndarray]:
    """Return the counts up to `trials`, and the logarithm of how many ways each can come about."""
    values = np.arange(trials + 1)
    return values, gammaln(trials + 1) - gammaln(values + 1) - gammaln(trials - values + 1)


def sweep_imbalance(
    rates: Rates | None,
    *,
    names: Sequence[str],
    noises: Iterable[float],
    shares: Iterable[float],
    size: int,
    replicates: int,
) -> pd.DataFrame:
    """Trace every measure of a classifier over minority shares and noise levels (PA paper, Figure 1).

    Parameters
    ----------
    rates : Rates or None
        None of a model that has no predictions.
    names : sequence of str
        What the draws are for (data set, model, positive class); they make the seeds.
    noises, shares : iterable of float
        Fractions of wrong labels, and of minority cases.
    size, replicates : int
        Cases in a test set, and test sets for each point.

    Returns
    -------
    DataFrame
        ``noise, minority_share, measure, mean, low, high, replicates, undefined, reason``: a row for each point and
        measure. ``undefined`` counts the test sets in which the measure is 0/0; they are left out of mean and
        band. Where the noise asks for more flips than the minority has cases, or the model has no predictions,
        mean, low and high are missing, replicates is 0 and ``reason`` says so.
    """
    shares = list(shares)
    rows = []
    for noise in noises:
        flips = flips_per_class(size, noise)
        for share in shares:
            minority = round(size * share)
            if rates is None or flips > minority:
                reason = (
                    NO_PREDICTIONS
                    if rates is None
                    else f"{IMPOSSIBLE}: {noise:.0%} noise flips {flips} of each class, the minority has {minority}"
                )
                rows += [(noise, share, name, np.nan, np.nan, np.nan, 0, 0, reason) for name in MEASURES]
                continue
            generator = generator_for("imbalance", *names, float(noise), float(share))
            table = measure_tables(*draw_tables(rates, size, minority, flips, replicates, generator))
            values = table.to_numpy().T
            missing, bands = np.isnan(values), np.quantile(values, TAILS, axis=1).T
            for name, of_measure, is_missing, band in zip(MEASURES, values, missing, bands, strict=True):
                defined = of_measure
                if is_missing.any():
                    defined = of_measure[~is_missing]
                    band = np.quantile(defined, TAILS) if defined.size else np.full(2, np.nan)
                summary = (defined.mean() if defined.size else np.nan, *band)
                reason = "" if defined.size else "undefined (0/0) in every test set"
                rows.append((noise, share, name, *summary, replicates, replicates - defined.size, reason))
    _dataset, _model, _positive, *columns = column_names("imbalance_noise")
    return pd.DataFrame(rows, columns=columns)


def sweep_both_classes(
    predictions: pd.DataFrame, record: Mapping[str, Any], settings: Mapping[str, Any]
) -> pd.DataFrame:
    """Trace one model's measures with either class of its data set as the minority.

    Parameters
    ----------
    predictions : DataFrame
        From `nontrivial_study.experiments.tasks.training.train_task`; holds the data set's two-class task.
    record : mapping
        The data set's record: ``name``, ``classes``, ``positive``.
    settings : mapping
        ``model``, ``noises``, ``shares`` (``first``, ``last``, ``count``), ``test_size``, ``replicates``.

    Returns
    -------
    DataFrame
        ``dataset, model, positive``, the class that is the rare one and counts as positive, and the columns of
        `sweep_imbalance`.
    """
    dataset, model = record["name"], settings["model"]
    rows = predictions[(predictions["task"] == dataset) & (predictions["model"] == model)]
    shares = np.linspace(*(settings["shares"][key] for key in ("first", "last", "count"))).round(6).tolist()
    truth, prediction = rows["truth"].to_numpy(), rows["prediction"].to_numpy()
    parts = []
    for positive in sorted(record["classes"], key=lambda name: name != record["positive"]):
        swap = positive != record["positive"]
        sweep = sweep_imbalance(
            rates_of(truth ^ swap, prediction ^ swap) if len(rows) else None,
            names=(dataset, model, positive),
            noises=settings["noises"],
            shares=shares,
            size=settings["test_size"],
            replicates=settings["replicates"],
        )
        parts.append(sweep.assign(dataset=dataset, model=model, positive=positive))
    return pd.concat(parts, ignore_index=True)[column_names("imbalance_noise")]
