"""Whether predictions are better than every constant guess: the Prediction Advantage and the verdict, by one method."""

from __future__ import annotations

import numpy as np

from nontrivial._warnings import TestAssumption
from nontrivial.measures.bootstrap import Cells, resampled_advantage
from nontrivial.measures.sign_verdict import SignVerdict, cases_needed, verdict_of
from nontrivial.scorecard.estimates import LEVEL, RESAMPLES, Estimate
from nontrivial.scorecard.losses import LossRow
from nontrivial.seeds import generator_of

TESTS = {
    "sign": "Exact sign tests against every constant guess",
    "bootstrap": "Bayesian bootstrap of the advantage over every constant guess, with weights or groups",
    "paired_t": "Student's paired test of the losses against those of the best constant",
}
# What each assumes besides independent cases.
ASSUMED: dict[str, TestAssumption | None] = {
    "sign": None,
    "bootstrap": "alike_mistakes",
    "paired_t": "no_rare_loss",
}


def judge_cells(cells: Cells) -> tuple[Estimate, SignVerdict, str]:
    """Return the Prediction Advantage with its interval, the verdict, and the name of the test.

    The cells are, of each class in turn, the cases predicted rightly and those predicted wrongly.
    """
    wrong = cells.weights[1::2]
    of_class = cells.weights[::2] + wrong
    trivial = of_class.sum() - of_class.max()
    value = float(1 - wrong.sum() / trivial) if trivial else np.nan
    # Where all weight is in one class, as when a class with no weight is set against the rest, nothing is drawn.
    if not trivial or cells.are_few:
        return Estimate(value), SignVerdict("not shown", np.nan, np.nan, None), "bootstrap"
    found = resampled_advantage(cells, LEVEL, RESAMPLES, generator_of(None))
    verdict = verdict_of(found.p_better, found.p_worse)
    are_cases = cells.of_units is None
    needed = cases_needed(verdict, of_class, wrong) if are_cases else None
    return (
        Estimate(value, found.low, found.high, "bootstrap"),
        SignVerdict(verdict, found.p_better, found.p_worse, needed),
        "sign" if are_cases else "bootstrap",
    )


def judge_numbers(row: LossRow) -> tuple[SignVerdict, str]:
    """Judge predicted numbers by one of their losses, in agreement with its interval, if any, and name the test."""
    return SignVerdict(verdict_of(row.p_better, row.p_worse), row.p_better, row.p_worse, None), "paired_t"
