"""Coverage of the Prediction Advantage under losses that may be any number."""

import itertools
from collections.abc import Callable, Iterator

import numpy as np
import pandas as pd
from scipy.stats import entropy, norm

from benchmarks.coverage_points import CASES, Row, rows_of, samples
from nontrivial.measures import prediction_advantage_interval
from nontrivial.seeds import generator_for

SKEWED: dict[str, Callable[[np.random.Generator, int], np.ndarray]] = {  # of mean 0 and variance 1
    "exponential": lambda draw, n: draw.exponential(size=n) - 1,
    "lognormal": lambda draw, n: (np.exp(draw.normal(size=n)) - np.sqrt(np.e)) / np.sqrt(np.e * (np.e - 1)),
}


def no_skill(draw: np.random.Generator, truth: np.ndarray) -> np.ndarray:
    """Predict numbers of mean 0 and variance 1 so that the squared loss is 1 as well: half is known, the rest noise."""
    return 0.5 * truth + np.sqrt(0.75) * draw.normal(size=len(truth))


def of_unbounded(simulations: int) -> Iterator[Row]:
    """The Prediction Advantage where a loss may be any number, with thin tails and with thick ones.

    Under squared loss y is x + u, or its exponential, and the model knows its mean given x; or y is its mean given x
    times a gamma variable of shape 0.4, and the model predicts a fifth too much; or y is exponential or lognormal, and
    the model loses as much by noise as it saves. Under cross-entropy nine in ten cases of two kinds are of one class,
    and the model says 0.995.
    """
    kinds = ["squared, normal", "squared, lognormal", "squared, gamma", "cross-entropy, overconfident"]
    kinds += [f"squared, {target}, no skill" for target in SKEWED]
    for kind, n in itertools.product(kinds, CASES):
        draw, found = generator_for("interval_coverage", kind, n), []
        for _ in range(simulations):
            x, u = np.sqrt(0.5) * draw.normal(size=(2, n))
            if kind == "squared, normal":
                truth, prediction, loss, advantage = x + u, x, "squared", 0.5
            elif kind == "squared, lognormal":
                truth, prediction, loss = np.exp(x + u), np.exp(x + 0.25), "squared"
                advantage = 1 - np.e**1.5 * (np.sqrt(np.e) - 1) / (np.e * (np.e - 1))
            elif kind == "squared, gamma":
                mean, loss = np.exp(x), "squared"
                truth, prediction = mean * draw.gamma(0.4, 2.5, size=n), 1.2 * mean
                advantage = 1 - np.e * (2.5 + 0.2**2) / (3.5 * np.e - np.sqrt(np.e))
            elif kind.endswith("no skill"):
                truth, loss, advantage = SKEWED[kind.split(", ")[1]](draw, n), "squared", 0.0
                prediction = no_skill(draw, truth)
            else:
                truth, loss = draw.random(n) < np.where(x > 0, 0.9, 0.1), "cross_entropy"
                if truth.all() or not truth.any():
                    continue
                prediction = np.where(x > 0, 0.995, 0.005)
                advantage = 1 + (0.9 * np.log(0.995) + 0.1 * np.log(0.005)) / np.log(2)
            bounds = {
                method: prediction_advantage_interval(
                    truth, prediction, loss=loss, method=method, n_resamples=400
                )
                for method in ("bootstrap", "fieller")
            }
            found.append(pd.DataFrame(bounds, index=["low", "high"]).add_suffix(f", {kind}"))
        true = dict.fromkeys(found[0], advantage)
        yield from rows_of("unbounded loss", (n, np.nan, ""), true, found)


def of_constants(simulations: int) -> Iterator[Row]:
    """A constant that lies so many standard errors from the best one, for a normal target.

    Quantile loss is left out where fewer than ten cases are expected beyond the quantile.
    """
    for (loss, quantile), n, away in itertools.product(
        [("squared", None), ("callable", None), ("absolute", None), ("pinball", 0.8)], CASES, [0.0, 1.5, 3.0]
    ):
        if quantile is not None and n * (1 - quantile) < 10:
            continue
        share = quantile or 0.5
        best = norm.ppf(share)
        constant = best + away / np.sqrt(n)
        of_constant = norm.pdf(constant) + constant * (norm.cdf(constant) - share)  # under quantile loss
        is_square = loss in ("squared", "callable")
        advantage = -(constant**2) if is_square else 1 - of_constant / norm.pdf(best)
        draw, found = generator_for("interval_coverage", "constants", loss, n, away), []
        for _ in range(simulations):
            bounds = prediction_advantage_interval(
                draw.normal(size=n),
                np.full(n, constant),
                loss=(lambda truth, said: (truth - said) ** 2) if loss == "callable" else loss,
                quantile=quantile,
                method="fieller",
            )
            found.append(pd.DataFrame({f"fieller, {loss}": bounds}, index=["low", "high"]))
        true = dict.fromkeys(found[0], advantage)
        yield from rows_of("a constant", (n, np.nan, f"{away:g} standard errors"), true, found)


def of_constant_chances(simulations: int) -> Iterator[Row]:
    """A constant probability that lies so many standard errors from the share of positives."""
    for loss, n, share, away in itertools.product(
        ["squared", "cross_entropy"], [50, 200, 1000], [0.1, 0.3, 0.5], [-3.0, -1.5, 0.0, 1.5, 3.0]
    ):
        said = share + away * np.sqrt(share * (1 - share) / n)
        if said <= 0:
            continue
        advantage = -((said - share) ** 2) / (share * (1 - share))
        if loss == "cross_entropy":
            advantage = -entropy([share, 1 - share], [said, 1 - said]) / entropy([share, 1 - share])
        draw, found = generator_for("interval_coverage", "constants", loss, n, share, away), []
        for positive in samples(draw, n, share, simulations):
            bounds = prediction_advantage_interval(positive.astype(int), np.full(n, said), loss=loss)
            found.append(pd.DataFrame({f"fieller, {loss} of probabilities": bounds}, index=["low", "high"]))
        true = dict.fromkeys(found[0], advantage)
        yield from rows_of("a constant", (n, share, f"{away:g} standard errors"), true, found)
