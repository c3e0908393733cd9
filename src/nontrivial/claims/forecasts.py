"""Cross-entropy: distributions of labels, and forecasts that take no notice of the features (PA paper, Section 2.3).

A distribution of k labels is given by whole counts, and so is a forecast, the same for every case. A forecast's
likelihood stands for its risk: it is the exponential of minus the risk summed over the cases, so that the greater the
likelihood is, the smaller the risk.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from nontrivial.claims.domains import Rows
from nontrivial.claims.formulas import NamedNumbers
from nontrivial.claims.values import Value

Counts = Sequence[Any]  # of each label


def _likelihood(labels: Counts, forecast: Counts) -> Value:
    product = math.prod(share**count for count, share in zip(labels, forecast, strict=True))
    return Value(product, sum(forecast) ** sum(labels))


def _entropy_likelihood(labels: Counts, _: Counts) -> Value:
    """exp(-n H) of the labels' entropy H by the chain rule: first label or not, then second or not, .."""
    left = [sum(labels[place:]) for place in range(len(labels) + 1)]
    steps = math.prod(count**count * rest**rest for count, rest in zip(labels, left[1:], strict=True))
    return Value(steps, math.prod(count**count for count in left[:-1]))


def _divergence_likelihood(labels: Counts, guess: Counts) -> Value:
    """exp(-n D) of the divergence D of the guess from the labels, which is a sum over the labels."""
    above = math.prod((guessed * sum(labels)) ** count for count, guessed in zip(labels, guess, strict=True))
    return Value(above, math.prod((count * sum(guess)) ** count for count in labels))


NAMES: dict[str, Callable[[Counts, Counts], Value]] = {
    "cases": lambda labels, _: Value(sum(labels)),
    "guesses": lambda _, guess: Value(sum(guess)),
    "shares_likelihood": lambda labels, _: _likelihood(labels, labels),
    "guess_likelihood": _likelihood,
    "entropy_likelihood": _entropy_likelihood,
    "divergence_likelihood": _divergence_likelihood,
}


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
    names = tuple(NAMES)

    def __post_init__(self) -> None:
        self.check_size()

    def fields(self) -> dict[str, Any]:
        return {"over": self.kind} | asdict(self)

    def axes(self) -> Sequence[range]:
        return [range(self.count + 1)] * self.classes + [range(self.guess + 1)] * self.classes

    def cases(self, columns: Sequence[Any] | np.ndarray) -> NamedNumbers:
        exact = list(np.asarray(columns).astype(object))  # the powers of counts outgrow 64 bits
        labels, guess = exact[: self.classes], exact[self.classes :]
        return NamedNumbers({name: count(labels, guess) for name, count in NAMES.items()}, {})
