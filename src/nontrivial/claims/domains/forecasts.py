"""Cross-entropy: distributions of labels, and forecasts that ignore the features (PA paper, Section 2.3).

Whole counts stand for a distribution of labels, and for a forecast, which is the same for every case. The likelihood
of a forecast stands for its risk: it is the exponential of minus the risk summed over the cases.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from nontrivial.claims.domains.domain import GridDomain
from nontrivial.claims.language.formulas import NamedNumbers
from nontrivial.claims.language.numbers import Ratios

LabelCounts = Sequence[Any]  # the count of each label, in every case at once


def _forecast_likelihood(labels: LabelCounts, forecast: LabelCounts) -> Ratios:
    return Ratios(math.prod(map(pow, forecast, labels)), sum(forecast) ** sum(labels))


def _entropy_likelihood(labels: LabelCounts, _: LabelCounts) -> Ratios:
    """Compute exp(-n times the entropy) by the chain rule: is it the first label, else the second label, and so on."""
    remaining = [sum(labels[start:]) for start in range(len(labels) + 1)]
    choices = zip(labels, remaining[1:], strict=True)
    numerator = math.prod(count**count * others**others for count, others in choices)
    return Ratios(numerator, math.prod(count**count for count in remaining[:-1]))


def _divergence_likelihood(labels: LabelCounts, guess: LabelCounts) -> Ratios:
    """Compute exp(-n times the divergence of the guess from the labels) by the definition, a sum over labels."""
    pairs = zip(labels, guess, strict=True)
    numerator = math.prod((guessed * sum(labels)) ** count for count, guessed in pairs)
    return Ratios(numerator, math.prod((count * sum(guess)) ** count for count in labels))


FORECAST_QUANTITIES: dict[str, Callable[[LabelCounts, LabelCounts], Ratios]] = {
    "cases": lambda labels, _: Ratios(sum(labels)),
    "guesses": lambda _, guess: Ratios(sum(guess)),
    "shares_likelihood": lambda labels, _: _forecast_likelihood(labels, labels),
    "guess_likelihood": _forecast_likelihood,
    "entropy_likelihood": _entropy_likelihood,
    "divergence_likelihood": _divergence_likelihood,
}


@dataclass(frozen=True)
class ForecastDomain(GridDomain):
    """All pairs of a distribution of labels and a forecast, with counts up to a limit."""

    classes: int  # the number of labels
    count: int  # the largest count of a label
    guess: int  # the largest count of a label in a forecast
    kind = "forecasts"
    names = tuple(FORECAST_QUANTITIES)

    def search_fields(self) -> dict[str, Any]:
        return {"over": self.kind} | asdict(self)

    @functools.cached_property
    def ranges(self) -> Mapping[str, range]:  # type: ignore[override]
        largest_counts = {"label": self.count, "forecast": self.guess}
        return {
            f"{part}_{label}": range(largest + 1)
            for part, largest in largest_counts.items()
            for label in range(self.classes)
        }

    def solver_space(self) -> None:
        """Return None, because the solver cannot decide powers of counts."""

    def cases(self, columns: Any, arithmetic: Any = Ratios) -> NamedNumbers:
        exact = list(np.asarray(columns).astype(object))  # the powers of counts outgrow 64 bits
        labels, guess = exact[: self.classes], exact[self.classes :]
        numbers = {name: compute(labels, guess) for name, compute in FORECAST_QUANTITIES.items()}
        return NamedNumbers(numbers, {})
