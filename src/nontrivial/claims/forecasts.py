"""Cross-entropy: distributions of labels, and forecasts that take no notice of the features (PA paper, Section 2.3).

A distribution of k labels is given by whole counts, and so is a forecast, the same for every case. A forecast's
likelihood stands for its risk: it is the exponential of minus the risk summed over the cases, so that the greater the
likelihood is, the smaller the risk.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from nontrivial.claims.domains import Rows
from nontrivial.claims.formulas import Cases
from nontrivial.claims.values import Value


class Distributions(Cases):
    """Counts of labels, and of labels in a forecast."""

    def __init__(self, labels: Sequence[Any], guess: Sequence[Any]) -> None:
        self.labels, self.guess = labels, guess
        self.n, self.n_guesses = sum(labels), sum(guess)

    def value(self, name: str) -> Value:
        """The number of that name; ValueError for an unknown one."""
        check_names([name])
        return NAMES[name](self)


def _likelihood(cases: Distributions, forecast: Sequence[Any]) -> Value:
    product = 1
    for count, share in zip(cases.labels, forecast, strict=True):
        product = product * share**count
    return Value(product, sum(forecast) ** cases.n)


def _entropy_likelihood(cases: Distributions) -> Value:
    """exp(-n H) of the labels' entropy H by the chain rule: first label or not, then second or not, .."""
    numerator, denominator, left = 1, 1, cases.n
    for count in cases.labels:
        rest = left - count
        numerator = numerator * count**count * rest**rest
        denominator = denominator * left**left
        left = rest
    return Value(numerator, denominator)


def _divergence_likelihood(cases: Distributions) -> Value:
    """exp(-n D) of the divergence D of the guess from the labels, which is a sum over the labels."""
    numerator, denominator = 1, 1
    for count, guessed in zip(cases.labels, cases.guess, strict=True):
        numerator = numerator * (guessed * cases.n) ** count
        denominator = denominator * (count * cases.n_guesses) ** count
    return Value(numerator, denominator)


NAMES: dict[str, Callable[[Distributions], Value]] = {
    "cases": lambda cases: Value(cases.n),
    "guesses": lambda cases: Value(cases.n_guesses),
    "shares_likelihood": lambda cases: _likelihood(cases, cases.labels),
    "guess_likelihood": lambda cases: _likelihood(cases, cases.guess),
    "entropy_likelihood": _entropy_likelihood,
    "divergence_likelihood": _divergence_likelihood,
}


def check_names(names: Sequence[str]) -> None:
    """Raise ValueError, naming what is known, if one of `names` is unknown."""
    for name in names:
        if name not in NAMES:
            raise ValueError(f"{name!r} is unknown of forecasts; known: {', '.join(NAMES)}.")


@dataclass(frozen=True)
class Forecasts(Rows):
    """All distributions of labels and all forecasts.

    Attributes
    ----------
    classes : int
        The number of labels.
    count, guess : int
        The largest count of a label, and of a label in a forecast.
    """

    classes: int
    count: int
    guess: int
    kind = "forecasts"

    def fields(self) -> dict[str, Any]:
        """What was searched, as plain data."""
        return {"over": self.kind} | asdict(self)

    def check_names(self, names: Sequence[str]) -> None:
        """The names of `NAMES` are known."""
        self.check_size()
        check_names(names)

    def axes(self) -> Sequence[range]:
        """The counts of the labels and of the forecast."""
        return [range(self.count + 1)] * self.classes + [range(self.guess + 1)] * self.classes

    def cases(self, columns: Sequence[Any] | np.ndarray) -> Distributions:
        """Distributions with forecasts."""
        exact = list(np.asarray(columns).astype(object))  # the powers of counts outgrow 64 bits
        return Distributions(exact[: self.classes], exact[self.classes :])
