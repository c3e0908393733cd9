"""Domains of label distributions, for statements about the best constant prediction (PA paper, Section 2).

A distribution of k labels is given by whole counts, and so is a random guess that takes no notice of the features.
Under the squared and the absolute loss the labels are the numbers 0 to k - 1, in the plane the corners of the unit
square. Under cross-entropy the guess is a forecast, the same for every case. Its likelihood stands for its risk: the
greater the likelihood, the smaller the risk.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from typing import Any, Literal, get_args

import numpy as np

from nontrivial.claims.domains import Rows
from nontrivial.claims.formulas import Cases
from nontrivial.claims.values import Value

Loss = Literal["zero_one", "cost", "cross_entropy", "squared", "squared_plane", "absolute"]
_NUMERIC = ("squared", "absolute")
_VECTORS = (*_NUMERIC, "squared_plane")


class Distributions(Cases):
    """Label counts, guess counts, and under the loss ``cost`` a matrix; the named risks are computed once."""

    def __init__(self, loss: Loss, labels: Sequence[Any], guess: Sequence[Any], cost: Sequence[Any]) -> None:
        self.loss, self.labels, self.guess = loss, labels, guess
        k = len(labels)
        self.n, self.n_guesses = sum(labels), sum(guess)
        if loss == "cost":
            self.matrix = [[cost[k * said + true] for true in range(k)] for said in range(k)]
        else:
            self.matrix = [[_loss(loss, said, true) for true in range(k)] for said in range(k)]

    def value(self, name: str) -> Value:
        """The risk of that name; ValueError for an unknown one."""
        check_names(self.loss, [name])
        return NAMES[name][1](self)

    def constant_risks(self) -> list[Value]:
        """The risk of saying each label always."""
        totals = [
            sum(count * loss for count, loss in zip(self.labels, losses, strict=True))
            for losses in self.matrix
        ]
        return [Value(total, self.n) for total in totals]

    def risk_of_point(self, above: Sequence[Any], below: Any) -> Value:
        """The risk of the constant `above` / `below`, by coordinates, under a loss between numbers or vectors."""
        power = 1 if self.loss == "absolute" else 2
        total = sum(
            count * sum(abs(below * number - one) ** power for number, one in zip(place, above, strict=True))
            for count, place in zip(self.labels, places(self.loss, len(self.labels)), strict=True)
        )
        return Value(total, self.n * below**power)

    def risk_of_mean(self, counts: Sequence[Any]) -> Value:
        """The risk of the mean of the labels under some counts."""
        coordinates = zip(*places(self.loss, len(counts)), strict=True)
        sums = [
            sum(count * number for count, number in zip(counts, line, strict=True)) for line in coordinates
        ]
        return self.risk_of_point(sums, sum(counts))

    def risk_of_median(self, weights: Sequence[Any]) -> Value:
        """The risk of the median of the labels under some weights, midway between two middle ones."""
        return self.risk_of_point([twice_median(weights)], 2)


def twice_median(weights: Sequence[Any]) -> Any:
    """Twice the median of the numbers 0, 1, .. under some weights, midway between two middle ones."""
    total, so_far, twice = sum(weights), 0, 0
    for weight in weights[:-1]:
        so_far = so_far + weight
        twice = twice + 1 * (2 * so_far < total) + 1 * (2 * so_far <= total)
    return twice


def places(loss: Loss, k: int) -> list[tuple[int, ...]]:
    """Where the labels lie: on a line, or at the corners of the unit square."""
    return [(0, 0), (0, 1), (1, 0), (1, 1)] if loss == "squared_plane" else [(label,) for label in range(k)]


def _loss(loss: Loss, said: int, true: int) -> int:
    if loss not in _VECTORS:
        return int(said != true)
    gaps = [
        abs(a - b) for a, b in zip(places(loss, 1 + said)[said], places(loss, 1 + true)[true], strict=True)
    ]
    return sum(gap if loss == "absolute" else gap**2 for gap in gaps)


def _mode_risk(cases: Distributions) -> Value:
    """The risk of the first label whose count no other exceeds."""
    best, risk = cases.labels[0], cases.constant_risks()[0].numerator
    for count, value in zip(cases.labels[1:], cases.constant_risks()[1:], strict=True):
        is_better = 1 * (count > best)
        best = best + is_better * (count - best)
        risk = risk + is_better * (value.numerator - risk)
    return Value(risk, cases.n)


def _guess_risk(cases: Distributions) -> Value:
    parts = (
        said_count * count * loss
        for said_count, losses in zip(cases.guess, cases.matrix, strict=True)
        for count, loss in zip(cases.labels, losses, strict=True)
    )
    return Value(sum(parts), cases.n * cases.n_guesses)


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


def _moment(counts: Sequence[Any], power: int) -> Any:
    return sum(count * number**power for number, count in enumerate(counts))


def _largest_share(cases: Distributions) -> Value:
    return Value(functools.reduce(np.maximum, cases.labels), cases.n)


Names = dict[str, tuple[tuple[str, ...], Callable[[Distributions], Value]]]
_LABELS = ("zero_one", "cost", *_VECTORS)
# By name: the losses it belongs to, and how it is computed.
NAMES: Names = {
    "cases": (("cross_entropy", *_LABELS), lambda cases: Value(cases.n)),
    "guesses": (("cross_entropy", *_LABELS), lambda cases: Value(cases.n_guesses)),
    "guess_risk": (_LABELS, _guess_risk),
    "best_label_risk": (
        _LABELS,
        lambda cases: functools.reduce(lambda a, b: a.choose("<=", b), cases.constant_risks()),
    ),
    "mode_risk": (("zero_one", "cost"), _mode_risk),
    "one_minus_largest_share": (("zero_one",), lambda cases: Value(1) - _largest_share(cases)),
    "guess_agreement": (
        ("zero_one",),
        lambda cases: Value(
            sum(a * b for a, b in zip(cases.labels, cases.guess, strict=True)), cases.n * cases.n_guesses
        ),
    ),
    "mean_risk": (_VECTORS, lambda cases: cases.risk_of_mean(cases.labels)),
    "mean_guess_risk": (_VECTORS, lambda cases: cases.risk_of_mean(cases.guess)),
    "median_risk": (_NUMERIC, lambda cases: cases.risk_of_median(cases.labels)),
    "mean": (_NUMERIC, lambda cases: Value(_moment(cases.labels, 1), cases.n)),
    "median": (_NUMERIC, lambda cases: Value(twice_median(cases.labels), 2)),
    "variance": (
        ("squared",),
        lambda cases: (
            Value(_moment(cases.labels, 2), cases.n)
            - Value(_moment(cases.labels, 1), cases.n) * Value(_moment(cases.labels, 1), cases.n)
        ),
    ),
    "shares_likelihood": (("cross_entropy",), lambda cases: _likelihood(cases, cases.labels)),
    "guess_likelihood": (("cross_entropy",), lambda cases: _likelihood(cases, cases.guess)),
    "entropy_likelihood": (("cross_entropy",), _entropy_likelihood),
    "divergence_likelihood": (("cross_entropy",), _divergence_likelihood),
}


def check_names(loss: Loss, names: Sequence[str]) -> None:
    """Raise ValueError, naming what is known, if one of `names` does not belong to the loss."""
    known = [name for name, (losses, _) in NAMES.items() if loss in losses]
    for name in names:
        if name not in known:
            raise ValueError(f"{name!r} is unknown under the loss {loss}; known: {', '.join(known)}.")


@dataclass(frozen=True)
class Labels(Rows):
    """All distributions of labels, all guesses, and all costs, up to limits.

    Attributes
    ----------
    loss : str
    classes : int
        The number of labels.
    count, guess : int
        The largest count of a label, and of a label among the guesses.
    cost : int
        Under the loss ``cost``, the largest entry of the matrix; of saying the row's label where the column's is true.
    """

    loss: Loss
    classes: int
    count: int
    guess: int
    cost: int = 0
    kind = "labels"

    def fields(self) -> dict[str, Any]:
        """What was searched, as plain data."""
        return {"over": self.kind} | asdict(self)

    def check_names(self, names: Sequence[str]) -> None:
        """The names that belong to the loss are known."""
        if self.loss not in get_args(Loss):
            raise ValueError(f"the loss is {self.loss!r}; allowed: {', '.join(get_args(Loss))}.")
        if (self.loss == "cost") != bool(self.cost):
            raise ValueError("'cost' goes with the loss cost, and with no other.")
        if self.loss == "squared_plane" and self.classes != 4:
            raise ValueError(f"there are {self.classes} classes; in the plane the four corners are allowed.")
        self.check_size()
        check_names(self.loss, names)

    def axes(self) -> Sequence[range]:
        """The counts of the labels and of the guesses, and a cost matrix by rows."""
        counts = [range(self.count + 1)] * self.classes + [range(self.guess + 1)] * self.classes
        return counts + ([range(self.cost + 1)] * self.classes**2 if self.loss == "cost" else [])

    def cases(self, columns: Sequence[Any] | np.ndarray) -> Distributions:
        """Distributions with guesses."""
        k = self.classes
        exact = list(np.asarray(columns).astype(object))  # the powers of counts outgrow 64 bits
        return Distributions(self.loss, exact[:k], exact[k : 2 * k], exact[2 * k :])
