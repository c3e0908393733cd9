"""Measures of drawn test sets over class imbalance and label noise (PA paper, Section 5 and Figure 1)."""

from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from typing import Any, NamedTuple

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

# Values of a binomial count that are less likely than this are never drawn: no study draws often enough to meet one.
_NEGLIGIBLE_CHANCE = 1e-20


def draw_tables(
    rates: Rates, size: int, minority: int, flips: int, replicates: int, generator: np.random.Generator
) -> CellArrays:
    """Draw the confusion tables of bootstrap test sets with label noise."""
    majority = size - minority
    tp = _draw_called(
        (minority - flips, rates.true_positive), (flips, rates.false_positive), replicates, generator
    )
    fp = _draw_called(
        (majority - flips, rates.false_positive), (flips, rates.true_positive), replicates, generator
    )
    return CellArrays(tp, fp, minority - tp, majority - fp)


def _draw_called(
    unflipped: tuple[int, float], flipped: tuple[int, float], replicates: int, generator: np.random.Generator
) -> Ints:
    """Draw how many rows are called positive, given the size and the rate of the unflipped and the flipped group."""
    # Drawing how often each sum occurs, and then their order, takes a tenth of the time of drawing the counts.
    first, second = _binomial_chances(*unflipped), _binomial_chances(*flipped)
    least = first.least + second.least
    chances = np.convolve(first.chances, second.chances)
    frequencies = generator.multinomial(replicates, chances / chances.sum())
    sums = np.repeat(np.arange(least, least + len(chances)), frequencies)
    generator.shuffle(sums)
    return sums


class _Chances(NamedTuple):
    """The chances of consecutive whole numbers, beginning with the least."""

    least: int
    chances: Floats


def _binomial_chances(trials: int, rate: float) -> _Chances:
    """Return the values of a binomial count whose chances are not negligible."""
    values = np.arange(trials + 1)
    chances = np.exp(_log_combinations(trials) + xlogy(values, rate) + xlog1py(trials - values, -rate))
    (likely,) = np.nonzero(chances > _NEGLIGIBLE_CHANCE)
    return _Chances(int(likely[0]), chances[likely[0] : likely[-1] + 1])


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
    shares = list(shares)
    rows: list[dict[str, Any]] = []
    for noise in noises:
        for share in shares:
            point = {"noise": noise, "minority_share": share}
            reason = NO_PREDICTIONS if rates is None else why_impossible(size, share, noise)
            if rates is None or reason:
                absent = point | {"replicates": 0, "undefined": 0, "reason": reason}
                rows += [absent | {"measure": measure} for measure in SWEPT_MEASURES]
                continue
            generator = generator_for("imbalance", *names, float(noise), float(share))
            minority, flips = round(size * share), flips_per_class(size, noise)
            cells = draw_tables(rates, size, minority, flips, replicates, generator)
            rows += [point | summary for summary in _summarize_draws(measure_cells(cells))]
    columns = [
        name for name in column_names("imbalance_noise") if name not in ("dataset", "model", "positive")
    ]
    return pd.DataFrame(rows, columns=columns)


def _summarize_draws(measures: pd.DataFrame) -> list[dict[str, Any]]:
    """Return the mean and the band of each measure over the test sets in which it is defined."""
    drawn = measures.to_numpy().T
    bands = np.quantile(drawn, TAILS, axis=1).T  # of all measures at once, which is faster
    rows = []
    for measure, values, (low, high) in zip(measures, drawn, bands, strict=True):
        defined = values[~np.isnan(values)]
        row = {"measure": measure, "replicates": len(values), "undefined": len(values) - len(defined)}
        if not len(defined):
            rows.append(row | {"reason": "undefined (0/0) in every test set"})
            continue
        if len(defined) < len(values):
            low, high = np.quantile(defined, TAILS)
        rows.append(row | {"mean": defined.mean(), "low": low, "high": high, "reason": ""})
    return rows


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
    return pd.concat(parts, ignore_index=True)[column_names("imbalance_noise")]


def shares_of(settings: Mapping[str, Any]) -> Floats:
    """Return the minority shares that the settings of the experiment ask for."""
    shares = settings["shares"]
    return np.linspace(shares["first"], shares["last"], shares["count"]).round(6)
