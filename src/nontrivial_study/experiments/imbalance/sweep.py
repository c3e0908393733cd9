"""Measures of drawn test sets over class imbalance and label noise (PA paper, Section 5 and Figure 1)."""

from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from itertools import product
from typing import Any

import numpy as np
import pandas as pd
from scipy.special import gammaln, xlog1py, xlogy

from nontrivial._arrays import Floats, Ints
from nontrivial.seeds import generator_for
from nontrivial_study.experiments.imbalance.rates import (
    SWEPT_MEASURES,
    CellArrays,
    Rates,
    answers_of,
    classes_of,
    flips_per_class,
    measure_cells,
    rates_of,
    why_impossible,
)
from nontrivial_study.experiments.results import NO_PREDICTIONS, TAILS
from nontrivial_study.tables import column_names

# The measures of a bootstrap test set depend on its four counts alone, so we draw the counts and not the rows. Rows are
# drawn with replacement, hence independently, and labels are flipped whatever the classifier predicts. So the predicted
# positives among the flipped rows of a class, and among its other rows, are independent binomial counts. The rows
# labelled positive in the end consist of two such groups, and so do the rows labelled negative.

# Values of a binomial count that are less likely than this are left out: no study draws often enough to meet one.
_NEGLIGIBLE_CHANCE = 1e-20


def draw_tables(
    rates: Rates, size: int, minority: int, flips: int, replicates: int, generator: np.random.Generator
) -> CellArrays:
    """Draw the confusion tables of bootstrap test sets with label noise."""
    majority = size - minority
    tp = _draw_called((minority - flips, rates.true_positive), (flips, rates.false_positive), replicates, generator)
    fp = _draw_called((majority - flips, rates.false_positive), (flips, rates.true_positive), replicates, generator)
    return CellArrays(tp, fp, minority - tp, majority - fp)


def _draw_called(
    unflipped: tuple[int, float], flipped: tuple[int, float], replicates: int, generator: np.random.Generator
) -> Ints:
    """Draw how many rows are called positive, given the size and the rate of the unflipped and the flipped group."""
    # Drawing how often each sum occurs, and then their order, takes a tenth of the time of drawing the counts.
    first, second = _binomial_chances(*unflipped), _binomial_chances(*flipped)
    least = first.index[0] + second.index[0]
    chances = np.convolve(first.to_numpy(), second.to_numpy())
    frequencies = generator.multinomial(replicates, chances / chances.sum())
    sums = np.repeat(np.arange(least, least + len(chances)), frequencies)
    generator.shuffle(sums)
    return sums


def _binomial_chances(trials: int, rate: float) -> pd.Series:
    """Return the chances of a binomial count by its values, without the negligible ones at both ends."""
    values = np.arange(trials + 1)
    chances = np.exp(_log_combinations(trials) + xlogy(values, rate) + xlog1py(trials - values, -rate))
    (likely,) = np.nonzero(chances > _NEGLIGIBLE_CHANCE)
    return pd.Series(chances, index=values).iloc[likely[0] : likely[-1] + 1]


@cache
def _log_combinations(trials: int) -> Floats:
    """Return the logarithm of the binomial coefficient of each number of successes."""
    values = np.arange(trials + 1)
    return np.asarray(gammaln(trials + 1) - gammaln(values + 1) - gammaln(trials - values + 1))


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

    The seed of a point is made from the names, the noise and the share.
    """
    parts = []
    for noise, share in product(noises, shares):
        reason = NO_PREDICTIONS if rates is None else why_impossible(size, share, noise)
        if rates is None or reason:
            point = pd.DataFrame({"measure": SWEPT_MEASURES, "replicates": 0, "undefined": 0, "reason": reason})
        else:
            generator = generator_for("imbalance", *names, float(noise), float(share))
            minority, flips = round(size * share), flips_per_class(size, noise)
            cells = draw_tables(rates, size, minority, flips, replicates, generator)
            point = _summarize_draws(measure_cells(cells))
        parts.append(point.assign(noise=noise, minority_share=share))
    return pd.concat(parts, ignore_index=True)


def _summarize_draws(measures: pd.DataFrame) -> pd.DataFrame:
    """Return the mean and the band of each measure over the test sets in which it is defined."""
    low, high = measures.quantile(list(TAILS)).to_numpy()
    undefined = measures.isna().sum().to_numpy()
    reason = np.where(undefined == len(measures), "undefined (0/0) in every test set", "")
    numbers = {"mean": measures.mean().to_numpy(), "low": low, "high": high}
    counts = {"replicates": len(measures), "undefined": undefined, "reason": reason}
    return pd.DataFrame({"measure": list(measures)} | numbers | counts)


def sweep_both_classes(
    predictions: pd.DataFrame, record: Mapping[str, Any], model: str, settings: Mapping[str, Any]
) -> pd.DataFrame:
    """Trace one model's measures with either class of its data set as the minority."""
    dataset = record["name"]
    truth, prediction = answers_of(predictions, dataset, model)
    parts = []
    for positive in classes_of(record):
        is_swapped = positive != record["positive"]
        sweep = sweep_imbalance(
            rates_of(truth ^ is_swapped, prediction ^ is_swapped) if len(truth) else None,
            names=(dataset, model, positive),
            noises=settings["noises"],
            shares=shares_of(settings).tolist(),
            size=settings["test_size"],
            replicates=settings["replicates"],
        )
        parts.append(sweep.assign(dataset=dataset, model=model, positive=positive))
    return pd.concat(parts, ignore_index=True).reindex(columns=column_names("imbalance_noise"))


def shares_of(settings: Mapping[str, Any]) -> Floats:
    """Return the minority shares that the settings of the experiment ask for."""
    shares = settings["shares"]
    return np.linspace(shares["first"], shares["last"], shares["count"]).round(6)
