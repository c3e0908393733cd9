"""Several models side by side: how far each is from the best, and which model each measure picks."""

from __future__ import annotations

import math
import warnings
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from nontrivial._draws import are_few, are_few_units
from nontrivial._validation import Named
from nontrivial._warnings import Assumption, TestAssumption
from nontrivial.curves.bootstrap import bootstrap_curve_areas
from nontrivial.files import plain
from nontrivial.measures.comparison import compare_models
from nontrivial.scorecard.answers import Answers, Forecasts, Pairing, Unpaired, align_cases
from nontrivial.scorecard.estimates import LEVEL, few_beyond_quantile
from nontrivial.scorecard.evaluate import Scorecard, header, make_scorecard

# Measures by which people choose a model, besides areas and losses.
CHOOSING = (
    "prediction_advantage", "accuracy", "balanced_accuracy", "f_beta", "p4", "matthews_corrcoef", "cohen_kappa",
    "informedness", "macro_f1", "macro_p4",
)  # fmt: skip
LESS_IS_BETTER = (
    "cost_curve_area", "macro_cost_curve_area", "cross_entropy", "squared", "absolute", "pinball",
)  # fmt: skip

Test = Literal["mcnemar", "exchange_or_bootstrap", "paired_t"]


@dataclass(frozen=True)
class Difference:
    """A measure of one model minus that of the best model, on the same cases.

    Attributes
    ----------
    model, measure : str
    value, low, high : float
    p_value : float in [0, 1]
        Two-sided, for the hypothesis of no difference.
    method : str
        The method of the interval.
    assumes : {"one_more_case", "alike_mistakes", "no_rare_loss"} or None
        What the interval assumes, as in `ModelComparison`; ``"alike_mistakes"`` in every difference of areas.
    test : {"mcnemar", "exchange_or_bootstrap", "paired_t"}
        The test behind the p-value: McNemar's exact test; the greater p-value of exchanging the models and of the
        bootstrap draws; or Student's paired test.
    test_assumes : {"alike_mistakes", "no_rare_loss"} or None
        What the test assumes, as in `ModelComparison`.
    """

    model: str
    measure: str
    value: float
    low: float
    high: float
    p_value: float
    method: str
    assumes: Assumption | None
    test: Test
    test_assumes: TestAssumption | None


@dataclass(frozen=True)
class Comparison:
    """Several models.

    Attributes
    ----------
    cards : tuple of Scorecard
        In decreasing order of their Prediction Advantage.
    pairing : {"case_numbers", "order_of_rows"} or None
        By what the cases of the models are the same; None if they are not.
    unpaired : {"divided", "case_numbers", "number_of_cases", "truth", "weights", "groups"} or None
        Why the cases of the models are not the same: the rows were divided, or what differs.
    differences : tuple of Difference
        The differences from the first model; empty if the cases are not the same or no difference can be tested.
    picks : dict of str to tuple of str
        For each measure, also by its other names, the best model or models; empty if the cases are not the same.
    """

    cards: tuple[Scorecard, ...]
    pairing: Pairing | None
    unpaired: Unpaired | None
    differences: tuple[Difference, ...]
    picks: dict[str, tuple[str, ...]]

    @property
    def best(self) -> Scorecard:
        """The model with the greatest Prediction Advantage, or the first of several."""
        return self.cards[0]

    @property
    def first(self) -> tuple[Scorecard, ...]:
        """The best model, and those with exactly the same Prediction Advantage."""
        best, *others = self.cards
        return best, *(card for card in others if card.advantage.value == best.advantage.value)

    @property
    def is_selected(self) -> bool:
        """Whether one model of three or more is the best; its lead on these cases is partly luck."""
        return len(self.cards) > 2 and len(self.first) == 1

    @property
    def agree(self) -> bool:
        """Whether some model is among the best by every measure."""
        return bool(set.intersection(*map(set, self.picks.values()))) if self.picks else True

    def to_json(self) -> dict[str, Any]:
        """Plain data, as `score.schema.json` says."""
        return {
            **header(),
            "best": self.best.model,
            "best_is_selected": self.is_selected,
            "paired": self.pairing is not None,
            "paired_by": self.pairing,
            "unpaired_because": self.unpaired,
            "measures_agree": self.agree,
            "picks": {measure: list(models) for measure, models in self.picks.items()},
            "differences": [plain(vars(each)) for each in self.differences],
            "models": [card.to_json() for card in self.cards],
        }


def compare(answers: Sequence[Any], by: Sequence[str]) -> Comparison:
    """Score several models and compare them.

    Parameters
    ----------
    answers : sequence of Predictions or of Forecasts
    by : sequence of str
        The columns that divided the rows of a file.
    """
    members, pairing, unpaired = align_cases(answers, by)
    scored = [(make_scorecard(each), each) for each in members]
    scored.sort(key=lambda pair: _descending(pair[0].advantage.value))
    cards = tuple(card for card, _ in scored)
    if unpaired:
        return Comparison(cards, pairing, unpaired, (), {})
    best = scored[0][1]
    differences = tuple(
        each for _, member in scored[1:] for each in _differences(member, best, cards[0].unequal)
    )
    return Comparison(cards, pairing, unpaired, differences, _picks(cards))


def _descending(value: float) -> float:
    return math.inf if math.isnan(value) else -value


def chosen_by(card: Scorecard) -> dict[str, float]:
    """Return the values by which a model may be chosen."""
    found = {name: card.measures[name].value for name in CHOOSING if name in card.measures}
    found |= {name: area.value for name, area in card.areas.items()}
    return found | {row.name: row.loss for row in card.losses}


def _picks(cards: Sequence[Scorecard]) -> dict[str, tuple[str, ...]]:
    values = {card.model: chosen_by(card) for card in cards}
    shared = [name for name in chosen_by(cards[0]) if all(name in each for each in values.values())]
    picks: Named[tuple[str, ...]] = Named()
    for measure in shared:
        sign = -1 if measure in LESS_IS_BETTER else 1
        of_models = {
            model: sign * each[measure] for model, each in values.items() if not math.isnan(each[measure])
        }
        if of_models:
            greatest = max(of_models.values())
            picks[measure] = tuple(model for model, value in of_models.items() if value == greatest)
    return picks


def _differences(member: Any, best: Any, unequal: bool) -> Iterator[Difference]:
    n = len(best.truth)
    too_few = are_few_units if isinstance(best, Forecasts) else are_few
    few = too_few(best.weights, best.groups, n)
    if few or few_beyond_quantile(getattr(best, "quantile", None), n, best.groups):
        return
    weights = best.weights
    if weights is None and unequal:  # all alike in this sample: the results say that others may differ
        weights = np.broadcast_to(1.0, n)
    options: dict[str, Any] = {
        "sample_weight": weights,
        "groups": best.groups,
        "level": LEVEL,
    }
    loss: Any
    if isinstance(best, Forecasts):
        loss, quantile = "squared" if best.quantile is None else "pinball", best.quantile
    else:
        loss, quantile = "zero_one", None
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # what the warnings say is in the card's notes, or below
        found = compare_models(
            best.truth, member.prediction, best.prediction, loss=loss, quantile=quantile, **options
        )
    said = found.method, found.assumes, found.test, found.test_assumes
    yield Difference(member.model, "prediction_advantage", *found, *said)
    if not _ranked(member) or not _ranked(best):
        return
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # likewise
        table = bootstrap_curve_areas(best.truth, member.score, compared_with=best.score, **options)
    for name, column in table.items():
        if column["resamples"]:
            value, low, high, p_value = map(float, column[["estimate", "low", "high", "pvalue"]])
            said = (
                table.attrs["method"],
                table.attrs["assumes"],
                "exchange_or_bootstrap",
                table.attrs["test_assumes"],
            )
            yield Difference(member.model, str(name), value, low, high, p_value, *said)


def _ranked(answers: Answers) -> bool:
    return getattr(answers, "score", None) is not None
