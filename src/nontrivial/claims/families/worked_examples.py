"""The documents' worked examples, recomputed in exact fractions."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Literal

from nontrivial.audit.found import Quantities, Quantity
from nontrivial.audit.ratios import check_names, value_of
from nontrivial.audit.stated import Printed, Statement
from nontrivial.audit.test import Test


def advantage(risk: Fraction, trivial_risk: Fraction) -> Fraction:
    """Prediction Advantage from two risks (PA paper, Section 2.2).

    Examples
    --------
    >>> advantage(Fraction(2, 5), Fraction(3, 4))
    Fraction(7, 15)
    """
    if not trivial_risk > 0:
        raise ValueError(f"the risk of the marginal prediction is {trivial_risk}; a positive one is allowed.")
    return 1 - risk / trivial_risk


def product(*, factors: tuple[int, ...]) -> Quantity:
    """Multiply counts: so many tasks of so many models each."""
    return Quantity.exactly(math.prod(factors))


def guess_rate(*, options: int) -> Quantity:
    """Share of questions that a guess among equally likely options gets right (PA paper, Section 1)."""
    return Quantity.exactly(Fraction(1, options))


def guess_risk(*, options: int) -> Quantity:
    """Share of questions that such a guess gets wrong (PA paper, Section 5)."""
    return Quantity.exactly(1 - Fraction(1, options))


def exam_advantage(*, right: int, questions: int, options: int) -> Quantity:
    """Prediction Advantage of a multiple-choice exam under the 0/1 loss (PA paper, Section 5)."""
    return Quantity.exactly(advantage(1 - Fraction(right, questions), 1 - Fraction(1, options)))


def exam_advantages(*, right: int, questions: int, options: dict[str, int]) -> Quantities:
    """Prediction Advantages of several people with the same grade; `options` is each one's count of options."""
    return Quantities(
        {who: exam_advantage(right=right, questions=questions, options=k) for who, k in options.items()}
    )


def majority_accuracy(*, minority: Printed) -> Quantity:
    """Accuracy of always naming the majority class."""
    return Quantity(1 - minority.value, 1 - minority.high, 1 - minority.low)


def error_of_accuracy(*, accuracy: Printed) -> Quantity:
    """Error rate of a printed accuracy."""
    return Quantity(1 - accuracy.value, 1 - accuracy.high, 1 - accuracy.low)


def binary_advantage(*, minority: Printed, accuracy: Printed) -> Quantity:
    """Prediction Advantage of a binary classifier from its accuracy and the minority's share, as printed."""
    risk = {"low": 1 - accuracy.high, "high": 1 - accuracy.low}
    return Quantity(
        advantage(1 - accuracy.value, minority.value),
        advantage(risk["high"], minority.low),
        advantage(risk["low"], minority.high),
    )


def minority_share(*, positives: int, n: int) -> Quantity:
    """Share of the smaller class among `n` cases."""
    return Quantity.exactly(Fraction(min(positives, n - positives), n))


def published_advantage(
    *, measure: Literal["error", "accuracy"], printed: Printed, positives: int, n: int, or_worse: bool = False
) -> Quantity:
    """Prediction Advantage of a published error or accuracy on a data set with known class counts.

    With `or_worse` the document says only that the result was no better than the printed number. The details tell
    whether one confusion table over the `n` cases can have a result that prints like this.
    """
    low, value, high = (
        (printed.low, printed.value, printed.high)
        if measure == "error"
        else (1 - printed.high, 1 - printed.value, 1 - printed.low)
    )
    trivial = Fraction(min(positives, n - positives), n)
    possible = math.ceil(low * n) <= math.floor(high * n)
    details = {"trivial_error": str(trivial), "possible_as_one_table": possible or or_worse}
    if or_worse:
        return Quantity(
            advantage(value, trivial), advantage(Fraction(1), trivial), advantage(value, trivial), details
        )
    return Quantity(advantage(value, trivial), advantage(high, trivial), advantage(low, trivial), details)


@dataclass(frozen=True)
class Rates:
    """A population by the rates that an example gives, each taken as exact."""

    population: int
    prevalence: Printed
    recall: Printed
    specificity: Printed

    def table(self) -> tuple[Fraction, Fraction, Fraction, Fraction]:
        """The expected counts FP, TP, FN, TN, which need not be whole."""
        positives = self.prevalence.value * self.population
        negatives = self.population - positives
        tp, tn = self.recall.value * positives, self.specificity.value * negatives
        return negatives - tn, tp, positives - tp, tn


def measure_at_rates(*, measure: str, rates: Rates) -> Quantity:
    """A measure of the confusion table that has exactly these rates (P4 article, Examples)."""
    table = rates.table()
    value = value_of(measure, table)
    if value is None:
        raise ValueError(
            f"{measure} is undefined for the table FP, TP, FN, TN = {', '.join(map(str, table))}."
        )
    return Quantity.exactly(value, table=[str(cell) for cell in table])


def measures_at_rates(*, stated: Statement, rates: Rates) -> Quantities:
    """All measures that a relation names, of the confusion table that has exactly these rates."""
    return Quantities(
        {name: measure_at_rates(measure=name, rates=rates) for name in dict.fromkeys(stated.names)}
    )


def check_stated_measures(*, stated: Statement, **_: Any) -> None:
    """Raise ValueError where the statement names an unknown measure."""
    check_names(stated.names)


def exam_loss(*, right: int, questions: int) -> Quantity:
    """Share of the questions that were answered wrongly (PA paper, Section 5)."""
    return Quantity.exactly(1 - Fraction(right, questions))


def covered_majority_risk(*, minority: Printed, coverage: Printed, rejected: Printed) -> Quantity:
    """Risk of naming the majority in every case that a selective classifier covers (PA paper, Section 6).

    `rejected` is the part of the minority that it does not cover.
    """
    return Quantity.exactly(minority.value * (1 - rejected.value) / coverage.value)


def selective_advantages(
    *, minority: Printed, coverage: Printed, risk: Printed, rejected: dict[str, Printed]
) -> Quantities:
    """Prediction Advantages of selective classifiers of one risk; `rejected` has each one's part of the minority."""
    found = {}
    for who, part in rejected.items():
        share = covered_majority_risk(minority=minority, coverage=coverage, rejected=part).value
        found[who] = Quantity.exactly(advantage(risk.value, min(share, 1 - share)))
    return Quantities(found)


def check_selective(*, stated: Statement, rejected: dict[str, Printed], **_: Any) -> None:
    """Raise ValueError where the statement is about a classifier that is not there."""
    for name in stated.names:
        if name not in rejected:
            raise ValueError(f"{name!r} is not among those rejected; known: {', '.join(rejected)}.")


def check_measure(*, measure: str, **_: Any) -> None:
    """Raise ValueError for an unknown measure."""
    check_names([measure])


def check_people(*, stated: Statement, options: dict[str, int], **_: Any) -> None:
    """Raise ValueError where the statement is about someone without options."""
    for name in stated.names:
        if name not in options:
            raise ValueError(f"{name!r} is not among the options; known: {', '.join(options)}.")


TESTS = {
    "binary_advantage": Test(binary_advantage),
    "error_of_accuracy": Test(error_of_accuracy),
    "exam_advantage": Test(exam_advantage),
    "covered_majority_risk": Test(covered_majority_risk),
    "exam_advantages": Test(exam_advantages, check=check_people),
    "exam_loss": Test(exam_loss),
    "guess_rate": Test(guess_rate),
    "guess_risk": Test(guess_risk),
    "majority_accuracy": Test(majority_accuracy),
    "measure_at_rates": Test(measure_at_rates, check=check_measure),
    "measures_at_rates": Test(measures_at_rates, check=check_stated_measures),
    "minority_share": Test(minority_share),
    "product": Test(product),
    "published_advantage": Test(published_advantage),
    "selective_advantages": Test(selective_advantages, check=check_selective),
}
