"""The page of what each measure guarantees: ``python docs/guarantees.py`` judges the table, and writes it beside."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import groupby
from operator import itemgetter
from pathlib import Path
from typing import Any, NamedTuple

from nontrivial.claims.judge import judge_claim, judge_registry
from nontrivial.claims.least import least_number
from nontrivial.claims.registry import Claim
from nontrivial.measures.catalogue import CATALOGUE

HERE = Path(__file__).parent
BOTH_CLASSES = ("positives >= 1", "negatives >= 1")
SAME_CASES = ("positives_1 == positives_2 >= 1", "negatives_1 == negatives_2 >= 1")
RATES = "min(recall, specificity, precision, negative_predictive_value)"
NEAR_PERFECT = Fraction(999, 1000)  # a measure that promises nothing at this value promises nothing
WIDTH = Fraction(1, 1000)


class Property(NamedTuple):
    """What a measure may have, as a claim in which ``M`` stands for the measure."""

    heading: str
    claim: str
    given: Sequence[str] = BOTH_CLASSES
    over: str = "tables"

    def of(self, measure: str) -> Claim:
        """Return the claim for a measure; of a pair of tables, for the measure of both."""

        def put_in(text: str) -> str:
            return text.replace("M_1", f"{measure}_1").replace("M_2", f"{measure}_2").replace("M", measure)

        return Claim(
            id="cell",
            source="",
            section="",
            locator="",
            statement="",
            kind="lemma",
            place=1,
            over=self.over,
            given=tuple(map(put_in, self.given)),
            claim=put_in(self.claim),
        )


PROPERTIES = (
    Property("0 for every constant guess", "M == 0", (*BOTH_CLASSES, "min(predicted_positives, predicted_negatives) == 0")),
    Property("1 only without an error", "errors == 0", (*BOTH_CLASSES, "M == 1")),
    Property("the same if the classes are exchanged", "M == swap(M)"),
    Property("the same if truth and prediction are exchanged", "M == transpose(M)"),
    Property("the same at any imbalance with the same rates", "times(M, k) == M", (*BOTH_CLASSES, "k >= 1"), "tables and a factor"),
    Property("never better with more errors", "M_1 <= M_2", (*SAME_CASES, "errors_1 > errors_2"), "pairs of tables"),
)
LEAST = (
    Property("all four rates are at least 1/2 from", f"{RATES} >= 1/2", (*BOTH_CLASSES, "M >= x")),
    Property("better than the best constant above", "prediction_advantage > 0", (*BOTH_CLASSES, "M > x")),
)
